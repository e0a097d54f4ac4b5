"""a call of `run_workflow` -> a run of its own, performed inside it, and its result."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from wfnb.errors import (
    CallNotAsked,
    CallStands,
    CallUncertain,
    NestedLeft,
    Refused,
    RunEndedAlready,
    RunTooDeep,
    listing,
)
from wfnb.journal import Journal, RunInfo
from wfnb.process_identity import process
from wfnb.redaction import HIDDEN
from wfnb.workflows.core.commands import Lost, ResumeRun, StopRun, verdict
from wfnb.workflows.core.decide import Doubt
from wfnb.workflows.core.next_action import rolls_back
from wfnb.workflows.core.ready_actions import FAILED
from wfnb.workflows.core.resume_queries import (
    asked_about,
    cut_off_before,
    goes_on,
    left_done,
    nested_going_on,
    not_repeatable,
    standing,
    unseen_calls,
)
from wfnb.workflows.core.rollback_state import (
    is_gone,
    is_undone,
    is_undone_in_part,
    is_unsure,
    not_undone_text,
)
from wfnb.workflows.core.run import Call, Run
from wfnb.workflows.definition.check import DEEPEST
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.json_equality import same
from wfnb.workflows.definition.reader import Definition, parse
from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.definition.template import DEFINITION, fill
from wfnb.workflows.definition.variable_values import as_declared
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.run_log import Batch, RunLog
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.views.report import warnings_of
from wfnb.workflows.views.run_result import WELL, response

from .questions import hideable, hides
from .resume_warnings import kept_as_it_was, kept_with_other_values, need_terminals
from .run_loop import RunLoop, retry_while_locked
from .run_start import check_workflow, checked_again, read, record_start


async def perform(
    parent: RunLoop, call: int, action: str, options: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The response of the nested run. Where the process ended in the middle of it, it goes on.

    Raises ToolFailed for a workflow that cannot be run, too deep ones among them; JournalError.
    """
    around, given = parent.around, dict(options.get("initial_variables") or {})
    recorded = parent.run.calls[call].params.get("initial_variables")
    # By their value and by how they were recorded: a short secret is hidden by name only, and one
    # inside a longer text is not among the known values.
    secrets: Mapping[str, Any] = hides(given, around.hides()) | _secret_values(given, recorded)

    def begin() -> tuple[RunLog, Mapping[str, Any]]:
        log = unfinished_run(around.journal, parent.log.info, parent.run, call)
        if log is None:
            return _start_run(parent, call, action, options, given, secrets)
        if not _is_left(log.run, parent.run):
            return log, secrets
        try:
            return log, _resume_run(parent, log, options, given, secrets)
        except (CallStands, CallUncertain) as refusal:
            raise _tool_failure(refusal) from None
        except Refused as refusal:
            # The nested run cannot go on, and a new one beside it would do its work twice.
            if log.run.status == "running":
                raise _tool_failure(refusal) from None
        return _start_run(
            parent, call, action, options, given, secrets
        )  # it was stopped, and is over

    log, secrets = await retry_while_locked(begin)
    # Before its first call: its output goes through the redaction that the parent's goes through.
    around.hidden |= hideable(secrets.values())
    parent.passed[log.info.id] = secrets
    parent.nested_runs[call] = log
    if log.run.status == "running":
        written = options.get("workflow_definition") is not None
        save = written and bool(options.get("save_on_success", True))
        await _perform_to_end(
            parent,
            parent.nested_loop(log, secrets, save),
        )
        _count(around.library, options.get("workflow_name"), log.run)
    return response(log.run, log.name)


async def undo(parent: RunLoop, call: int, name: str) -> Mapping[str, Any]:
    """Roll back the run `name` that a call performed (empty: the one that it had begun when nobody
    saw its end), and say what came of that. Raises ToolFailed, JournalError."""
    around, undone = parent.around, parent.run.calls[call]
    # Another attempt at undoing the call is one at what could not be undone within it.
    retry = any(
        before.undoes == call and before.status in ("failed", "timed_out")
        for before in parent.run.calls.values()
    )

    def begin() -> tuple[RunLog, Mapping[str, Any]] | None:
        log = _performed_by(around.journal, parent.log.info, parent.run, undone, name)
        if log is None:
            return None
        secrets = parent.passed.get(log.info.id) or _known_secrets(parent, undone, log.run)
        # A nested run that was cut off is ended even if there is nothing to undo: nobody else
        # would.
        if log.run.has_effects or log.run.status == "running":
            with suppress(RunEndedAlready):  # nothing is left but what could not be undone
                log.do(
                    ResumeRun(
                        process=process(),
                        lost=lost_in(parent.lost, log.name),
                        rollback=True,
                        retry=retry,
                        reason="the run that called it was rolled back",
                    )
                )
        return log, secrets

    try:
        begun = await retry_while_locked(begin)
    except Refused as refusal:
        raise _tool_failure(refusal) from None
    if begun is None:
        return {"undone": False}
    log, secrets = begun
    around.hidden |= hideable(secrets.values())
    if log.run.status == "running":
        await _perform_to_end(
            parent,
            parent.nested_loop(log, secrets, save=False),
        )
    text = not_undone_text(log.run)
    left = f"of {log.name}: {text}" if text else None
    status = {"run": log.name, "status": log.run.status, "undone": bool(log.run.rolled)}
    rolled = [log.run.calls[id] for id in log.run.rolled]
    some = any(is_undone(log.run, each) for each in rolled)
    in_part = some or any(is_undone_in_part(log.run, each) for each in rolled)
    if left is None and rolled and (stands := _left_done(log)):  # it has no compensation
        status |= {"in_part": True, "stands": listing(stands, "")}
    if is_unsure(log.run):
        status["unsure"] = True
    if left is None:
        return {"success": True, **status}
    return {"success": False, **status, **({"in_part": True} if in_part else {}), "error": left}


def _performed_by(
    journal: Journal, parent: RunInfo, run: Run, call: Call, name: str
) -> RunLog | None:
    if name:
        return RunLog(journal, journal.find_run(name, parent.session)[0])
    return _newest_run(journal, parent, {call.id, *cut_off_before(run, call.id)})


def _known_secrets(parent: RunLoop, call: Call, run: Run) -> Mapping[str, Any]:
    """The secrets of a nested run, which another process had begun, as far as they are known here:
    those that it is passed, and those of their names."""
    secrets = {**parent.around.secrets, **parent.secrets}
    given: Any = {}
    with suppress(Refused):
        params = {"given": call.work.params.get("initial_variables")}
        given = (
            fill(params, {**parent.run.scope_of(call.action, call.within), **secrets})["given"]
            or {}
        )
    values = {**secrets, **{name: value for name, value in dict(given).items() if value != HIDDEN}}
    return {name: values[name] for name in run.secrets if name in values}


def _secret_values(given: Mapping[str, Any], recorded: Any) -> dict[str, Any]:
    """Those of the values that were recorded otherwise than they are passed: they hold secrets."""
    on_disk = recorded if isinstance(recorded, Mapping) else dict.fromkeys(given, recorded)
    return {
        name: value
        for name, value in given.items()
        if on_disk.get(name) != value and HIDDEN in str(on_disk.get(name))
    }


def _count(library: WorkflowLibrary, name: object, run: Run) -> None:
    if name is not None and run.status == "success":
        with suppress(Refused, OSError):  # it has succeeded all the same
            library.count_success(str(name))


def unfinished_run(journal: Journal, parent: RunInfo, run: Run, call: int) -> RunLog | None:
    """The run that an action had begun when the process ended, before this call of it."""
    if not run.resumed:
        return None
    own = _newest_run(journal, parent, {call, *cut_off_before(run, call)})
    if own is not None:
        return own
    stopped = _newest_run(journal, parent, cut_off_before(run, call, stopped=True))
    if stopped is not None:
        return stopped
    # What another time of its state had begun, and nobody ends, goes on; what had ended there gives
    # nothing for this time.
    other = _newest_run(journal, parent, cut_off_before(run, call, at_any_time=True))
    return other if other is not None and other.run.status == "running" else None


def _newest_run(journal: Journal, parent: RunInfo, callers: Collection[int]) -> RunLog | None:
    # The newest counts: each resume of the parent may have begun one.
    for info in reversed(journal.runs(parent.session, parent.id)):
        log = RunLog(journal, info)
        if log.run.caller in callers:
            return log
    return None


def uncertain(
    journal: Journal,
    info: RunInfo,
    run: Run,
    start: str | None = None,
    workflow: Definition | None = None,
) -> Iterator[Doubt]:
    """Of a run that goes on from `start`, as this `workflow` says, and of those within it: the
    calls of which nobody knows whether they were done, and those that were and stand after what
    was undone."""
    unseen = unseen_calls(run, start, workflow)
    lost = not_repeatable(run, unseen)
    name = "" if info.parent is None else info.name
    yield name, run, lost, asked_about(standing(run, start, workflow))
    cut_off = (call for call in unseen if call.id in run.open or call.status == "unknown")
    callers = {call.id for call in cut_off if not is_gone(run, call)}
    callers |= nested_going_on(run, start, workflow)
    for child in journal.runs(info.session, info.id):
        if child.status not in WELL:
            inner = RunLog(journal, child).run
            # One that has ended goes on only if the call that began it is made again.
            if child.status == "running" or (inner.caller in callers and _is_left(inner, run)):
                yield from uncertain(journal, child, inner)


def _is_left(run: Run, parent: Run) -> bool:
    """Whether a nested run goes on when the call that began it is made again: its process has
    ended, or the run that called it was cancelled or rolled back then, or has recorded that it
    failed."""
    ended_from_outside = run.stop is not None and run.stop.why != "failed"
    # The call that began it may have been followed by others, which took it up.
    this = parent.identity(parent.calls[run.caller or 0])
    calls = (call for call in parent.forward_calls() if parent.identity(call) == this)
    ended = [call.status for call in calls if call.status != "running"]
    failed = bool(ended) and ended[-1] in FAILED
    return run.status == "running" or ((ended_from_outside or failed) and run.status not in WELL)


def _start_run(
    parent: RunLoop,
    call: int,
    action: str,
    options: Mapping[str, Any],
    given: Mapping[str, Any],
    secrets: Mapping[str, Any],
) -> tuple[RunLog, Mapping[str, Any]]:
    around, depth = parent.around, parent.run.depth + 1
    parent.warnings += _done_before(parent, call)
    name, definition = options.get("workflow_name"), options.get("workflow_definition")
    try:
        workflow = read(around.library, definition, name)
        if depth > DEEPEST:
            raise RunTooDeep(workflow.name or "(no name)", depth)
        # Values are recorded, secrets are not.
        values = {key: value for key, value in given.items() if key not in secrets}
        what = check_workflow(
            around,
            workflow,
            as_declared(workflow.variables, values),
            secrets,
            options.get("max_states"),
            options.get("execution_timeout"),
        )
        log = record_start(
            around,
            what,
            depth=depth,
            parent=parent.log.info.id,
            caller=call,
            origin=tuple(f"{word}/{action}" for word in parent.run.origin),
        )
    except Refused as refusal:
        raise _tool_failure(refusal) from None
    return log, what.secrets


def _done_before(parent: RunLoop, call: int) -> Iterator[str]:
    """What an earlier run of this call has left, and a new one does again unasked."""
    run, journal = parent.run, parent.around.journal
    this = run.identity(run.calls[call])
    before = {c.id for c in run.forward_calls() if c.id < run.resumed and run.identity(c) == this}
    log = _newest_run(journal, parent.log.info, before) if before else None
    if log is not None and log.run.status not in WELL and (done := _left_done(log)):
        yield (
            f"{run.calls[call].action} begins anew: what {log.name} had done, and nothing has "
            f"undone, is done again ({listing(done, '')})"
        )


def _left_done(log: RunLog) -> list[str]:
    """The actions of `left_done`, those of runs within that ended otherwise among them."""
    done = left_done(log.run)
    names = dict.fromkeys(call.action for call in done)
    for info in log.journal.runs(log.info.session, log.info.id):
        within = RunLog(log.journal, info)
        if within.run.caller not in {call.id for call in done}:
            names |= dict.fromkeys(f"{info.name}/{name}" for name in _left_done(within))
    return [*names]


def _resume_run(
    parent: RunLoop,
    log: RunLog,
    options: Mapping[str, Any],
    given: Mapping[str, Any],
    secrets: Mapping[str, Any],
) -> Mapping[str, Any]:
    """It goes on as its definition is written out now, and with the values that it is given now:
    the resumed parent may have others. Its secrets. Raises Refused."""
    run, written = log.run, options.get("workflow_definition")
    mended = None if written is None else read(parent.around.library, written, None)
    hidden = {**secrets, **{name: given[name] for name in run.secrets if name in given}}
    new = {
        name: value
        for name, value in given.items()
        if name not in hidden and not (name in run.initial and same(run.initial[name], value))
    }
    new = as_declared((mended or run.workflow).variables, new)
    what = checked_again(parent.around, run, mended, new, hidden)
    # A copy: the command may change it.
    before = dict(run.initial)
    log.do(
        ResumeRun(
            process=process(),
            lost=lost_in(parent.lost, log.name),
            workflow=mended,
            variables=what.variables,
            secrets=tuple(what.secrets),
        )
    )
    parent.warnings += kept_as_it_was(log.run, log.name) if mended else ()
    parent.warnings += kept_with_other_values(log.run, before, log.name)
    return what.secrets


def lost_in(lost: Lost, run: str) -> Lost:
    """What is said of the calls of that run: by their actions, which may have its name before them.

    >>> lost_in({"a": "again", "b": "done", "deploy-2/b": "again"}, "deploy-2")
    {'a': 'again', 'b': 'again'}
    """
    if isinstance(lost, str):
        return lost
    own = {key.removeprefix(f"{run}/"): verdict for key, verdict in lost.items() if "/" in key}
    every = {key: verdict for key, verdict in lost.items() if "/" not in key}
    return every | {action: verdict for action, verdict in own.items() if "/" not in action}


def left_open(doubts: Sequence[Doubt], lost: Lost, run: str) -> Iterator[Doubt]:
    """The doubts of which nothing is said; `run` is the outermost. Raises CallNotAsked for what is
    said of a call that is none of them."""
    open_keys = {
        f"{name or run}/{call.action}"
        for name, _, unknown, standing in doubts
        for call in (*unknown, *standing)
    }
    for key in () if isinstance(lost, str) else lost:
        # A typo would else be taken for "nothing was said", and the doubt asked about once more.
        if (
            key
            and key not in open_keys
            and key not in {each.partition("/")[2] for each in open_keys}
        ):
            raise CallNotAsked(
                key, tuple(sorted(each.removeprefix(f"{run}/") for each in open_keys))
            )
    for name, one, *doubted in doubts:
        own = lost_in(lost, name or run)
        unknown, standing = (
            [call for call in calls if verdict(own, call.action) == "ask"] for calls in doubted
        )
        yield name, one, unknown, standing


def _tool_failure(refusal: Refused) -> ToolFailed:
    return ToolFailed(str(refusal), error_type=type(refusal).__name__)


def nothing_left(
    journal: Journal,
    info: RunInfo,
    run: Run,
    start: str | None,
    workflow: Definition | None,
    lost: Lost,
    terminals: Collection[str] | None,
) -> None:
    """Raises NestedLeft for a nested run that was cut off, and that a run which goes on like this
    would leave as it is: nobody would end it, or undo what it did. So for one that needs another
    terminal than these (None: it needs none)."""
    now = workflow or run.workflow
    for child in journal.runs(info.session, info.id):
        if child.status != "running":
            continue
        inner = RunLog(journal, child).run
        call = run.calls.get(inner.caller or 0)
        if call is None or call.status not in ("running", "unknown"):
            continue  # that call has ended, and with it what can be done from here
        is_all = start is None and workflow is None
        if is_all and rolls_back(run) and call.work.compensation is None:
            continue  # it is gone into, and ended
        work = now.actions.get(base_action(call.action))
        if work is not None and is_all:
            work = run.next_work(call.action)  # a fallback may have called it
        if work is None or work.tool != NESTED or not goes_on(run, call.action, start, workflow):
            raise NestedLeft(child.name, call.action, "what called it is not called again")
        written = work.params.get(DEFINITION)
        mended = parse(written) if isinstance(written, Mapping) else None
        try:
            # A rehearsal on a copy that is thrown away: the refusal has to come before the
            # parent's resume is recorded.
            Batch(inner).do(
                ResumeRun(process=process(), lost=lost_in(lost, child.name), workflow=mended)
            )
            if terminals is not None:
                need_terminals(inner, terminals)
        except (CallStands, CallUncertain):
            raise
        except Refused as refusal:
            why = str(refusal).partition(". ")[0]  # the fact; the way on is another here
            raise NestedLeft(child.name, call.action, why[:1].lower() + why[1:]) from None
        nothing_left(journal, child, inner, None, mended, lost, terminals)


async def _perform_to_end(parent: RunLoop, run_loop: RunLoop) -> None:
    """To its end, which comes soon after the call was cancelled: stopped as the parent is, failed
    where the call ran out of time, left as it is where the parent cannot be recorded."""
    # Shielded, since a cancel of the call must not cut the nested loop off between two writes: it
    # is asked to stop, and has its rollback to do.
    task = asyncio.ensure_future(run_loop.perform())
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
            # Each further cancel comes here again: the second may be "at once".
            if not task.done():
                _stop(parent, run_loop, task)
    run = run_loop.run
    action = base_action(parent.run.calls[run.caller or 0].action)
    warnings = [f"{action}: {each}" for each in (*run_loop.warnings, *warnings_of(run))]
    # Of what is called for each of many items, each is said once.
    parent.warnings[:] = dict.fromkeys((*parent.warnings, *warnings))
    if cancelled is not None:
        raise cancelled
    task.result()


def _stop(parent: RunLoop, run_loop: RunLoop, task: asyncio.Task[None]) -> None:
    stop = parent.run.stop
    if parent.abandoned:
        task.cancel()
    elif parent.at_once:
        run_loop.stop_now()
    elif stop is not None:
        reason = "the run that called it was stopped"
        run_loop.stop(StopRun(why="cancelled", reason=reason, rollback=stop.rollback))
    else:
        reason = "the action that called it ran out of time"
        run_loop.stop(StopRun(why="failed", reason=reason))
