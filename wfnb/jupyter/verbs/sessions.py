"""Sessions: begun, gone on with, shown, and the strategy they follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wfnb.core.queries import stage_choices
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.errors import BadOption
from wfnb.home_folder import check_kind
from wfnb.interrupt_deferral import Deferral
from wfnb.investigations.core.investigation import investigation_of
from wfnb.journal import MemoryJournal
from wfnb.jupyter.confirmation_prompts import confirms
from wfnb.jupyter.ipython_compat import takes_input
from wfnb.jupyter.magic_grammar import NoOptions, Options, Words, one_value, switch
from wfnb.jupyter.magic_options import FORM, JSON, PAUSE, PLANNER, REVIEWER
from wfnb.jupyter.notebook import Notebook
from wfnb.render.message import Json, Message, Table
from wfnb.views.search_results import session_data
from wfnb.views.search_results import table as search_table
from wfnb.views.sessions_table import session_facts, table
from wfnb.views.stage_guide import guide_lines
from wfnb.views.status import MAX_STEPS, Status
from wfnb.workflows.definition.name_rules import is_run_name

from .keeping import switch_and_restore
from .runs import run_verbs
from .verb_declaration import Verb, verb


class StartOptions(Options):
    strategy: str | None = one_value(
        "--strategy", "S", "the strategy to follow", choices="strategies"
    )
    kind: str | None = one_value(
        "--kind", "K", "the kind of investigation it is (debug, codereview, …)", choices="kinds"
    )
    continues: str | None = one_value(
        "--continues",
        "SESSION",
        "an investigation that goes on here: what was found there is found here",
        choices="sessions",
    )
    pause: bool = PAUSE
    reviewer: str | None = REVIEWER
    planner: str | None = PLANNER
    fresh: bool = switch("--fresh", "archive a session of that name first")
    scratch: bool = switch("--scratch", "keep it in memory only")


@verb(
    "start",
    StartOptions,
    "NAME [--strategy S] [--kind K] [--fresh | --scratch]",
    "Start a session; its history is kept beside the notebook.",
    examples=(
        "%wfnb start sensor-drift",
        "%wfnb start sensor-drift --strategy react",
        "%wfnb start blank-pages --kind debug",
    ),
    choices="sessions",
    least=("a name",),
    most=1,
)
def start(notebook: Notebook, words: Words[StartOptions]) -> Message:
    name, cell = words.words[0], notebook.cell()
    # With either option the cell asks for a session of its own each time that it runs.
    anew = words.options.fresh or words.options.scratch
    if not anew and notebook.is_started_by(name, cell):
        return _opened_message("", notebook, notebook.open_named(name))
    return _start(notebook, name, words.options)


def _start(notebook: Notebook, name: str, options: StartOptions) -> Message:
    place = notebook.home()
    workspace = place.start(
        name,
        strategy=options.strategy,
        fresh=options.fresh,
        scratch=options.scratch,
        cell=notebook.cell(),
        kind=options.kind,
        pause=options.pause,
        reviewer=options.reviewer,
        planner=options.planner,
        continues=options.continues,
        notebook=notebook.identity().path,
    )
    notebook.use(workspace, place)
    return _opened_message("", notebook, "in memory only" if options.scratch else "")


class OpenOptions(Options):
    strategy: str | None = one_value(
        "--strategy", "S", "the strategy that a new one follows", choices="strategies"
    )
    kind: str | None = one_value(
        "--kind", "K", "the kind of investigation that it is", choices="kinds"
    )


@verb(
    "open",
    OpenOptions,
    "NAME [--strategy S] [--kind K]",
    "Go on with a session, or start it if it is new: the same however often it runs.",
    choices="sessions",
    least=("a name",),
    most=1,
)
def open_session(notebook: Notebook, words: Words[OpenOptions]) -> Message:
    """As `wfnb.open` does it."""
    name, options = words.words[0], words.options
    if not notebook.knows(name):
        return _start(notebook, name, StartOptions(strategy=options.strategy, kind=options.kind))
    says = notebook.open_named(name)
    check_kind(notebook.open().session, options.kind)
    return _opened_message("", notebook, says)


@verb(
    "resume",
    NoOptions,
    "NAME",
    "Go on with a session, in this or a new kernel.",
    choices="sessions",
    least=("a name",),
    most=1,
)
def resume(notebook: Notebook, words: Words[NoOptions]) -> Message:
    name = words.words[0]
    if not notebook.knows(name):
        notebook.home().find(name)
    return _opened_message("resumed", notebook, notebook.open_named(name))


@verb(
    "rename",
    NoOptions,
    "NEW",
    "Give the session another name.",
    examples=("%wfnb rename penguins",),
    least=("a name",),
    most=1,
)
def rename(notebook: Notebook, words: Words[NoOptions]) -> Message:
    workspace = notebook.open()
    before = workspace.session.name
    workspace.rename(words.words[0])
    name = workspace.session.name
    return Message(f"session {before!r} is now called {name!r}", {"session": name})


@verb(
    "copy",
    NoOptions,
    "[NEW]",
    "Go on with a copy of the session; the session itself stays as it is.",
    examples=("%wfnb copy", "%wfnb copy penguins-with-weights"),
    most=1,
)
def copy(notebook: Notebook, words: Words[NoOptions]) -> Message:
    workspace, place = notebook.open(), notebook.home()
    # A copy is made in the journal of the folder, which has nothing of a session in memory.
    if isinstance(workspace.log.journal, MemoryJournal):
        way = "Start one that is kept on disk: `%wfnb start NAME`."
        raise BadOption("%wfnb copy", "a session in memory cannot be copied", way)
    before = workspace.session.name
    name = words.words[0] if words.words else place.free_name(before)
    notebook.use(place.copy(workspace.log.id, name, notebook.identity().path), place)
    return _opened_message("", notebook, f"a copy of {before!r}, which stays as it is")


class ForgetOptions(Options):
    yes: bool = switch("--yes", "do not ask whether it is meant")


@verb(
    "forget",
    ForgetOptions,
    "NAME [--yes]",
    "Archive a session, so that no list shows it and no notebook goes on with it.",
    examples=("%wfnb forget Untitled",),
    choices="sessions",
    least=("a name",),
    most=1,
)
def forget(notebook: Notebook, words: Words[ForgetOptions]) -> Message:
    name, place = words.words[0], notebook.home()
    steps = len(place.look(place.journal.info(place.find(name))).steps)
    if not words.options.yes:
        # nbclient and others run cells where nobody can type: asking would wait for ever.
        if not takes_input(notebook.shell):
            way = f"`%wfnb forget {name} --yes` forgets it."
            raise BadOption("%wfnb forget", "nobody can be asked whether it is meant", way)
        many = "s" * (steps != 1)
        if not confirms(f"Forget session {name!r} with {steps} step{many}?"):
            return Message(f"session {name!r} is not forgotten", {"forgotten": None})
    archived = notebook.forget(name)
    said = [f"session {name!r} forgotten", f"`%wfnb resume {archived}` goes on with it"]
    said.append(f"`%wfnb rename {name}` then brings it back into the lists")
    return Message(" · ".join(said), {"forgotten": name, "archived": archived})


def _opened_message(verb: str, notebook: Notebook, kept: str) -> Message:
    session = notebook.open().session
    steps = len(session.steps)
    verb = verb or ("resumed" if steps else "started")
    said = [f"session {session.name!r} {verb}", kept]
    said.append(f"{steps} step{'s' * (steps != 1)}" if steps else "")
    said.append(f"strategy {session.strategy.name}" if session.strategy else "")
    data: dict[str, Any] = {"session": session.name, "steps": steps}
    now = investigation_of(session)
    if now is not None:
        data["kind"] = now.kind.name
        said.append(f"investigation {data['kind']}")
        if now.carried is not None:
            data["continues"] = now.carried.session
            said.append(f"continues {data['continues']!r}")
    return _with_guide(" · ".join(part for part in said if part), data, session)


def _with_guide(said: str, data: Any, session: Session) -> Message:
    """The message, and under it what to do in the stages that a strategy has next."""
    following = list(stage_choices(session, session.lines[MAIN]))
    if session.strategy is None or not following:
        return Message(said, data)
    return Message("\n".join([said, *guide_lines(session.strategy, None, following)]), data, True)


class SessionsOptions(Options):
    all: bool = switch("--all", "archived ones too")
    json: bool = JSON


@verb(
    "sessions",
    SessionsOptions,
    "[--all]",
    "The sessions kept here, with their notebooks.",
    most=0,
)
def sessions(notebook: Notebook, words: Words[SessionsOptions]) -> Any:
    place, as_json = notebook.home(), words.options.json
    known = [info for info in place.sessions() if words.options.all or not info.archived]
    used = notebook.workspace and (notebook.workspace.log.journal, notebook.workspace.log.id)
    data = []
    for info in known:
        paths = info.notebooks
        notebooks = paths if as_json else list(map(_display_path, paths))
        facts = session_facts(info.name, place.look(info), notebooks, info.archived)
        facts["in_use"] = used == (place.journal, info.id)
        # A table is stored in the notebook, and is to be the same when the cell runs again.
        times = {"started": info.started, "changed": info.changed} if as_json else {}
        data.append(facts | times)
    if as_json:
        return Json({"sessions": data})
    if not data:
        return Message("no session yet · `%wfnb start NAME` opens one", {"sessions": []})
    return table(data)


list_sessions: Verb[SessionsOptions] = verb(
    "list", SessionsOptions, "[--all]", "The same as `%wfnb sessions`.", most=0
)(sessions.run)


class SearchOptions(Options):
    all: bool = switch("--all", "in archived sessions, too")
    json: bool = JSON


@verb(
    "search",
    SearchOptions,
    "WORDS … [--all]",
    "Find steps and runs in all sessions kept here: by what they say, `tag:`, `by:`, `code:`.",
    examples=("%wfnb search ridge tag:slow", "%wfnb search code:merge"),
    least=("a word",),
)
def search(notebook: Notebook, words: Words[SearchOptions]) -> Any:
    options = words.options
    hits = notebook.home().search(" ".join(words.words), archived=options.all)
    found = [each for each in hits if not each.is_empty]
    if options.json:
        return Json({"sessions": [session_data(each) for each in found]})
    if not found:
        return Message("nothing found", {"sessions": []})
    shown = [replace(each, notebooks=tuple(map(_display_path, each.notebooks))) for each in found]
    return search_table(shown)


def _display_path(path: str) -> str:
    """A notebook as an output names it: one that is elsewhere by its name, for a notebook that is
    shown to others does not say where its author keeps files."""
    return path.rsplit("/", 1)[1] if path.startswith("/") else path


class PanelOptions(Options):
    static: bool = switch("--static", "the picture alone, without a widget")


@verb(
    "panel",
    PanelOptions,
    "[--static]",
    "The session in this cell as it goes on: timeline, stages, branches, runs.",
    examples=("%wfnb panel", "%wfnb panel --static"),
    most=0,
)
def panel(notebook: Notebook, words: Words[PanelOptions]) -> Any:
    with Deferral():
        from wfnb.jupyter.panel.panel_output import panel  # noqa: PLC0415  heavy: pictures, a widget

    return panel(notebook, words.options.static)


class StatusOptions(Options):
    json: bool = JSON


@verb("status", StatusOptions, "[--json]", "Where the session stands.", most=0)
def status(notebook: Notebook, words: Words[StatusOptions]) -> Any:
    workspace, as_json = notebook.open(), words.options.json
    # JSON is for programs, which want all; a page shows the newest steps.
    found = workspace.status(None if as_json else MAX_STEPS)
    for data in found["steps"]:
        line = workspace.session.lines[data["branch"]]
        step = workspace.session.steps[line.keys[data["number"]]]
        data["here"] = step.key in workspace.log.ran
        if notebook.cells is not None and (gone := notebook.cells.lacks(step)):
            data["cell"] = gone
    return Json(found) if as_json else Status(found)


@verb(
    "show",
    NoOptions,
    "N | RUN",
    "All about a step (its words, code, values, and what they were before), or a run.",
    examples=("%wfnb show 3", "%wfnb show alt:3", "%wfnb show deploy-1"),
    choices="steps",
    least=("the number of a step",),
    most=1,
)
def show(notebook: Notebook, words: Words[NoOptions]) -> Any:
    name = words.words[0]
    return run_verbs(notebook).show(name) if is_run_name(name) else notebook.open().views.show(name)


class SwitchOptions(Options):
    restore: bool = switch("--restore", "bring back the values that it kept last")


@verb(
    "switch",
    SwitchOptions,
    "[ID] [--restore]",
    "Choose the line of steps that name no branch (main without ID), in this kernel.",
    examples=("%wfnb switch", "%wfnb switch robust --restore"),
    choices="branches",
    most=1,
)
def switch_line(notebook: Notebook, words: Words[SwitchOptions]) -> Any:
    branch = words.words[0] if words.words else "main"
    if words.options.restore:
        return switch_and_restore(notebook, branch)
    workspace = notebook.open()
    workspace.switch(branch)
    said = f"on {workspace.log.line!r}: steps that name no branch go there"
    return Message(said, {"line": workspace.log.line})


class StrategyOptions(Options):
    list: bool = switch("--list", "all strategies there are")


@verb(
    "strategy",
    StrategyOptions,
    "[NAME | none]",
    "Follow a strategy from here on; without NAME, say which one.",
    choices="strategies",
    most=1,
)
def strategy(notebook: Notebook, words: Words[StrategyOptions]) -> Any:
    workspace = notebook.open()
    if words.words:
        name = words.words[0]
        workspace.strategy(None if name == "none" else name)
    elif workspace.log.refresh().strategy is None or words.options.list:
        return _strategies(notebook)
    chosen = workspace.session.strategy
    if chosen is None:
        return Message("no strategy: steps have no stages", {"strategy": None})
    following = workspace.status()["next_stages"]
    data = {"strategy": chosen.name, "next_stages": following}
    said = f"strategy {chosen.name}{'' if following else ' · ended'}"
    return _with_guide(said, data, workspace.session)


def _strategies(notebook: Notebook) -> Table:
    shelf = notebook.open().views.strategies()
    rows = [(name, found.title, found.description) for name, found in shelf.strategies.items()]
    rows += [(name, "broken", str(error)) for name, error in shelf.broken.items()]
    return Table(("strategy", "", ""), rows, {"strategies": [*shelf.strategies]})


class PictureOptions(Options):
    form: str | None = FORM


@verb(
    "stages",
    PictureOptions,
    "[STRATEGY]",
    "The stage graph, with the way taken.",
    choices="strategies",
    most=1,
)
def stages(notebook: Notebook, words: Words[PictureOptions]) -> Any:
    return picture(notebook.open().views.stages(*words.words), words.options)


def picture(picture: Any, options: PictureOptions) -> Any:
    """All forms of it, or that which is asked for."""
    form = options.form
    return picture if form is None else Message(getattr(picture, form), None, block=True)
