"""a request -> what it asks for: looked at, or done as the magic of that name does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from wfnb import panel
from wfnb.core import rerun_order
from wfnb.core.session import Session
from wfnb.core.validation import MAIN, StepPlace
from wfnb.errors import NothingRecorded, RunEndedAlready, StepUnknown
from wfnb.identity.notebook_document import others_beside, uid_of
from wfnb.investigations.core.hypothesis_fates import marked_hypothesis
from wfnb.jupyter.cell_output import bundle_of
from wfnb.jupyter.notebook import Notebook
from wfnb.jupyter.open_notebooks import notebook_cells
from wfnb.jupyter.run_stale import first_to_run
from wfnb.render.text.escape import printable
from wfnb.views.step_words import cut, run_sign
from wfnb.workspace.undo_by_author import take_back

from . import request_models as ask
from .followed_session import FollowedSession
from .publisher import Publisher

_MAX_LINE_LENGTH = 200
"""Of what was taken back, in a line of the panel."""
_MAX_FIGURE_BYTES = 1_500_000
"""Bytes of figures in a report on a comm: a server drops what is more than 1 MB a second, outputs
of cells too."""


@dataclass(frozen=True)
class RequestContext:
    """What a request is answered with; `asker` names the front end that asks."""

    notebook: Notebook
    publisher: Publisher
    asker: str

    def followed_session(self, what: str) -> FollowedSession:
        """The session that is looked at. NothingRecorded where there is none."""
        found = self.publisher.following.current()
        if found is None:
            raise NothingRecorded(what)
        return found


# looked at: nothing is opened by it


def snapshot(around: RequestContext, asked: ask.Snapshot) -> Any:
    return around.publisher.snapshot()


def rows(around: RequestContext, asked: ask.Rows) -> Any:
    chosen = {name: text for name, text in asked.filter if text}
    followed = around.followed_session("rows")
    with followed.locked_session() as session:
        started = around.publisher.runs.runs_by_step()
        return panel.rows_page(
            session, asked.first, asked.count, chosen, started, followed.steps_run
        )


def card(around: RequestContext, asked: ask.Card) -> Any:
    followed = around.followed_session("card")
    with followed.locked_session() as session:
        _place(session, asked.key)
        return panel.card(session, asked.key, partial(followed.journal.time, followed.id))


def compare(around: RequestContext, asked: ask.Compare) -> Any:
    with around.followed_session("compare").locked_session() as session:
        return panel.comparison(session, asked.lines or list(session.lines))


def compare_code(around: RequestContext, asked: ask.CompareCode) -> Any:
    with around.followed_session("compare_code").locked_session() as session:
        return panel.code_comparison(session, asked.lines)


def open_run(around: RequestContext, asked: ask.OpenRun) -> Any:
    followed = around.followed_session("run")
    return around.publisher.runs.open_run(followed, asked.run, around.asker, asked.opened)


def close_run(around: RequestContext, asked: ask.CloseRun) -> None:
    around.publisher.runs.close_run(asked.run, around.asker)


def workflows(around: RequestContext, asked: ask.Workflows) -> Any:
    from .workflow_list import saved_workflows  # noqa: PLC0415  heavy: what performs workflows

    return saved_workflows(around.notebook)


def check(around: RequestContext, asked: ask.Check) -> Any:
    from wfnb.workflows.runner.editor_answers import changed_actions  # noqa: PLC0415  as above

    from .workflow_list import check  # noqa: PLC0415  as above

    found = check(around.notebook, asked)
    if asked.run is not None:
        had = around.publisher.runs.run(around.followed_session(asked.ask), asked.run)
        found["changed"] = changed_actions(asked.text, asked.file, had.workflow)
    return found


def inputs(around: RequestContext, asked: ask.Inputs) -> Any:
    from wfnb.workflows.runner.single_action_run import action_alone, input_facts  # noqa: PLC0415  as above

    part = action_alone(asked.text, asked.file, asked.action)
    return input_facts(part, _known_run(around, asked))


def variables(around: RequestContext, asked: ask.Variables) -> Any:
    from wfnb.workflows.runner.editor_answers import run_variables  # noqa: PLC0415  as above

    return run_variables(_known_run(around, asked))


def ended(around: RequestContext, asked: ask.Ended) -> Any:
    return bundle_of(around.notebook.runner().result(asked.run))


def _known_run(around: RequestContext, asked: ask.Inputs | ask.Start | ask.Variables) -> Any:
    if asked.run is None:
        return None
    return around.publisher.runs.run(around.followed_session(asked.ask), asked.run)


def ran(around: RequestContext, asked: ask.Ran) -> Any:
    from wfnb.workflows.runner.editor_answers import ran_definition  # noqa: PLC0415  as above

    from .workflow_list import as_paths  # noqa: PLC0415  as above

    followed, opened = around.followed_session(asked.ask), as_paths(asked.opened)
    ran = around.publisher.runs.definitions(followed, asked.run, opened)
    return ran_definition(asked.text, asked.file, ran, opened)


def tools(around: RequestContext, asked: ask.Tools) -> Any:
    from wfnb.workflows.runner.editor_answers import list_tools  # noqa: PLC0415  as above

    return list_tools()


# done: in the session in use, which is opened by the first


def start(around: RequestContext, asked: ask.Start) -> Any:
    from wfnb.workflows.runner.editor_answers import read_text  # noqa: PLC0415  as above
    from wfnb.workflows.runner.single_action_run import action_alone, with_known  # noqa: PLC0415  as above

    from .workflow_list import read_variables  # noqa: PLC0415  as above

    text, part = asked.text, None
    workflow = asked.workflow if text is None else read_text(text, asked.workflow)
    runner = around.notebook.runner()
    if text is not None and asked.action is not None:
        part = action_alone(text, asked.workflow, asked.action)
        workflow = part.workflow
    variables, secrets = read_variables(runner.read(workflow), asked.variables)
    if part is not None:
        variables = with_known(part, _known_run(around, asked), variables)
    running = runner.start(workflow, variables=variables, secrets=secrets, save=text is None)
    return around.publisher.runs.head(around.followed_session(asked.ask), running.name)


def begin(around: RequestContext, asked: ask.Open) -> None:
    """The session of the notebook is in use from here on: as it is, or new."""
    around.notebook.open()


def cancel(around: RequestContext, asked: ask.Cancel) -> str | None:
    """At once: as the second interrupt of its cell does, where this kernel performs it. One that
    ended before this was read is what was wanted, and no refusal: how it ended."""
    runner = around.notebook.runner()
    running = runner.running(asked.run) if asked.at_once else None
    if running is not None:
        running.interrupt(at_once=True)
        return None
    try:
        runner.cancel(asked.run)
    except RunEndedAlready as ended:
        return f"Run {printable(asked.run)} had ended: {run_sign(ended.status)}."
    return None


def resume(around: RequestContext, asked: ask.Resume) -> Any:
    from wfnb.workflows.runner.editor_answers import mended  # noqa: PLC0415  as above

    from .workflow_list import read_variables  # noqa: PLC0415  as above

    runner, given = around.notebook.runner(), dict[str, Any]()
    if asked.text is not None:
        had = runner.log(asked.run).run.workflow
        given = {"workflow": mended(asked.text, asked.file, had), "save": False}
    if asked.variables:
        workflow = runner.read(given["workflow"]) if given else runner.log(asked.run).run.workflow
        given["variables"], given["secrets"] = read_variables(workflow, asked.variables)
    if asked.start is not None:
        given["start"] = asked.start
    running = runner.resume(asked.run, lost=asked.lost or "ask", **given)
    return around.publisher.runs.head(around.followed_session(asked.ask), running.name)


def answer(around: RequestContext, asked: ask.Answer) -> None:
    """To the call that was seen to ask: the same action may ask something else by now."""
    from wfnb.workflows.runner.active_run import answered_call  # noqa: PLC0415  as above
    from wfnb.workflows.runner.local_runs import local_loop  # noqa: PLC0415  as above
    from wfnb.workflows.runner.parked_runs import go_on_answered  # noqa: PLC0415  as above

    runner = around.notebook.runner()
    log = runner.log(asked.run)
    answered_call(log, asked.answer, asked.call, local_loop(log.journal, log.info))
    if log.run.parked:
        go_on_answered(runner, log.info)


def report(around: RequestContext, asked: ask.Report) -> Any:
    workspace = around.notebook.open()
    text = workspace.views.export_text(f".{asked.form}", room=_MAX_FIGURE_BYTES)
    return {"name": f"{workspace.session.name}.{asked.form}", "text": text}


def notebook(around: RequestContext, asked: ask.Notebook) -> Any:
    uid = around.notebook.register_place(
        around.asker, asked.path, asked.root, uid_of({"session": asked.session})
    )
    return {
        "session": uid,
        "note": around.notebook.note(around.asker),
        "others": _others(around),
    }


def _others(around: RequestContext) -> list[str]:
    """The names of other notebooks in which the session has steps."""
    path = around.notebook.location.place_of(around.asker)
    found = around.publisher.following.current()
    if path is None or found is None:
        return []
    with found.locked_session() as session:
        return others_beside(path, panel.notebook_names(session))


def sessions(around: RequestContext, asked: ask.Sessions) -> Any:
    """Those that are not archived, the one that changed last first."""
    place, used = around.notebook.home(), around.notebook.workspace
    found = [info for info in place.sessions() if not info.archived]
    return [
        {
            "name": info.name,
            "notebook": info.notebook,
            "steps": len(place.look(info).steps),
            "changed": info.changed,
            "in_use": used is not None
            and (used.log.journal, used.log.id) == (place.journal, info.id),
        }
        for info in sorted(found, key=lambda info: -info.changed)
    ]


def open_session(around: RequestContext, asked: ask.OpenSession) -> str:
    around.notebook.home().find(asked.session)
    says = around.notebook.open_named(asked.session)
    name = around.notebook.open().session.name
    return says or f"session {name!r} is in use now"


def switch(around: RequestContext, asked: ask.Switch) -> None:
    around.notebook.open().switch(asked.branch)


def select(around: RequestContext, asked: ask.Select) -> None:
    around.notebook.open().select(asked.branch, asked.reason)


def abandon(around: RequestContext, asked: ask.Abandon) -> None:
    around.notebook.open().abandon(asked.branch, asked.reason)


def merge(around: RequestContext, asked: ask.Merge) -> None:
    around.notebook.open().merge(asked.branch, reason=asked.reason)


def score(around: RequestContext, asked: ask.Score) -> None:
    around.notebook.open().score(asked.branch, asked.score, asked.reason)


def confirm(around: RequestContext, asked: ask.Confirm) -> None:
    key = asked.key
    around.notebook.open().confirm(*([] if key is None else [_step(around, key)]))


def restore(around: RequestContext, asked: ask.Restore) -> str:
    """What `%wfnb restore` says, and of each name that does not come back why."""
    notebook = around.notebook
    if notebook.runs_cell:
        raise ask.BadRequest("A cell runs: values are restored when none does.")
    values, step = notebook.open().values, _step(around, asked.key)
    return notebook.put(values.prepare(step, (), notebook.shell.user_ns)).line


def cells(around: RequestContext, asked: ask.Cells) -> None:
    """From here on a cell that was moved is told from one that was copied."""
    notebook = around.notebook
    known = zip(asked.ids, asked.steps, strict=False)
    path = notebook.location.place_of(around.asker)
    told = notebook_cells(known, path, notebook.location.folder(), asked.headings)
    notebook.open_notebooks.set_cells(around.asker, told)


def record(around: RequestContext, asked: ask.Record) -> None:
    around.notebook.open().steps.record_cells(asked.on)


def source(around: RequestContext, asked: ask.Source) -> dict[str, str] | None:
    with around.followed_session("source").locked_session() as session:
        _place(session, asked.key)
        return panel.source(session, asked.key, asked.version)


def hide(around: RequestContext, asked: ask.Hide) -> None:
    around.notebook.open().hide(_step(around, asked.key))


def show(around: RequestContext, asked: ask.Show) -> None:
    around.notebook.open().unhide(_step(around, asked.key))


def describe(around: RequestContext, asked: ask.Describe) -> None:
    workspace = around.notebook.open()
    workspace.describe(_step(around, asked.key), asked.title, asked.reason)


def tag(around: RequestContext, asked: ask.Tag) -> None:
    workspace = around.notebook.open()
    place = _step(around, asked.key)
    before = workspace.log.find(place).tags
    # The panel says what is to be; the workspace takes what is to be added and removed.
    gone = [name for name in before if name not in asked.tags]
    workspace.tag(place, *asked.tags, remove=gone)


def _step(around: RequestContext, key: int) -> StepPlace:
    with around.notebook.open().log.locked_session() as session:
        return _place(session, key)


def next_stale(around: RequestContext, asked: ask.NextStale) -> Any:
    """The step whose cell is to run now, so that its `target` is fresh; None where none is left."""
    session = around.notebook.open().log.refresh()
    if asked.key is not None:
        _place(session, asked.key)
    wanted = [] if asked.key is None else [session.steps[asked.key]]
    target = rerun_order.next_stale(session, wanted, set(asked.done))
    if target is None:
        return None
    return {"target": target.key, **panel.step_cell(first_to_run(around.notebook, target))}


def judge(around: RequestContext, asked: ask.Judge) -> str:
    workspace = around.notebook.open()
    claim = marked_hypothesis(workspace.log.refresh(), asked.hypothesis)
    workspace.investigation.judge(claim, asked.verdict)
    return f"{asked.verdict}: {claim}"


def undo(around: RequestContext, asked: ask.Undo) -> str:
    workspace, work = around.notebook.open(), asked.work
    if work is None:
        return f"undone: {workspace.undo()}"
    # A step's key is its place among the entries.
    gone = take_back(workspace.log, work.by, work.key - 1, exact=True)
    return cut(f"taken back: {', '.join(gone)}", _MAX_LINE_LENGTH)


def redo(around: RequestContext, asked: ask.Redo) -> str:
    return f"redone: {around.notebook.open().redo()}"


def _place(session: Session, key: int) -> StepPlace:
    """Where the step of that key is. StepUnknown lists the numbers of main."""
    if key not in session.steps:
        raise StepUnknown(key, MAIN, tuple(session.lines[MAIN].numbers))
    step = session.steps[key]
    return StepPlace(number=step.number, branch=step.branch)


ACTIONS: Mapping[type[ask.Request], Callable[[RequestContext, Any], Any]] = {
    ask.Snapshot: snapshot,
    ask.Rows: rows,
    ask.Card: card,
    ask.Compare: compare,
    ask.CompareCode: compare_code,
    ask.OpenRun: open_run,
    ask.CloseRun: close_run,
    ask.Workflows: workflows,
    ask.Check: check,
    ask.Inputs: inputs,
    ask.Variables: variables,
    ask.Ended: ended,
    ask.Ran: ran,
    ask.Tools: tools,
    ask.Report: report,
    ask.Start: start,
    ask.Open: begin,
    ask.Cancel: cancel,
    ask.Resume: resume,
    ask.Answer: answer,
    ask.Switch: switch,
    ask.Select: select,
    ask.Abandon: abandon,
    ask.Merge: merge,
    ask.Score: score,
    ask.Confirm: confirm,
    ask.Restore: restore,
    ask.Judge: judge,
    ask.NextStale: next_stale,
    ask.Cells: cells,
    ask.Record: record,
    ask.Source: source,
    ask.Hide: hide,
    ask.Show: show,
    ask.Describe: describe,
    ask.Tag: tag,
    ask.Undo: undo,
    ask.Redo: redo,
    ask.Notebook: notebook,
    ask.Sessions: sessions,
    ask.OpenSession: open_session,
}
