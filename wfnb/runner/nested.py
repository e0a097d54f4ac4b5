"""a call of `run_workflow` -> a run of its own, performed inside it, and its result."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from wfnb.core.runs.commands import ResumeRun, StopRun
from wfnb.core.runs.run import Call, Run
from wfnb.errors import Refused, RunTooDeep
from wfnb.journal import Journal, RunInfo
from wfnb.library.workflows import WorkflowLibrary
from wfnb.process import process
from wfnb.runs import RunLog
from wfnb.tools.outcome import ToolFailed
from wfnb.views.runs.result import response
from wfnb.workflow.check import DEEPEST

from .performance import Performance
from .questions import hides
from .start import begun, checked, read


async def nested(
    parent: Performance, call: int, action: str, asked: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The response of the nested run. Where the process ended in the middle of it, it goes on.

    Raises ToolFailed for a workflow that cannot be run, too deep ones among them; JournalError.
    """
    around, given = parent.around, dict(asked.get("initial_variables") or {})
    secrets: Mapping[str, Any] = hides(given, around.hides())
    log = left(around.journal, parent.log.info, parent.run, call, action)
    if log is None:
        log, secrets = _started(parent, call, asked, given, secrets)
    elif log.run.status == "running":
        secrets = {name: given[name] for name in log.run.secrets if name in given}
        log.do(ResumeRun(process=process(), lost=parent.lost))
    around.hidden |= {str(secret) for secret in secrets.values()}
    if log.run.status == "running":
        written = asked.get("workflow_definition") is not None
        save = written and bool(asked.get("save_on_success", True))
        await _performed(
            parent,
            Performance(log, around, parent.loop, save=save, secrets=secrets, lost=parent.lost),
        )
        _count(around.library, asked.get("workflow_name"), log.run)
    return response(log.run, log.name)


def _count(library: WorkflowLibrary, name: object, run: Run) -> None:
    if name is not None and run.status == "success":
        with suppress(Refused, OSError):  # it has succeeded all the same
            library.succeeded(str(name))


def left(journal: Journal, parent: RunInfo, run: Run, call: int, action: str) -> RunLog | None:
    """The run that an action had begun when the process ended, before this call of it."""
    lost: set[int] = set()
    for before in reversed(run.calls.values()):
        if before.action == action and before.undoes is None and before.id < call:
            if before.status != "unknown":
                break
            lost.add(before.id)
    if not lost:
        return None
    for info in reversed(journal.runs(parent.session, parent.id)):
        log = RunLog(journal, info)
        if log.run.caller in lost:
            return log
    return None


def uncertain(journal: Journal, info: RunInfo, run: Run) -> Iterator[Call]:
    """The calls of a run, and of those within it, of which nobody knows whether they were done."""
    for call in run.open.values():
        if not call.idempotent:
            yield call
    for child in journal.runs(info.session, info.id):
        if child.status == "running":
            yield from uncertain(journal, child, RunLog(journal, child).run)


def _started(
    parent: Performance,
    call: int,
    asked: Mapping[str, Any],
    given: Mapping[str, Any],
    secrets: Mapping[str, Any],
) -> tuple[RunLog, Mapping[str, Any]]:
    around, depth = parent.around, parent.run.depth + 1
    name, definition = asked.get("workflow_name"), asked.get("workflow_definition")
    try:
        workflow = read(around.library, definition, name)
        if depth > DEEPEST:
            raise RunTooDeep(workflow.name or "(no name)", depth)
        what = checked(
            around,
            workflow,
            {key: value for key, value in given.items() if key not in secrets},
            secrets,
            asked.get("max_states"),
            asked.get("execution_timeout"),
        )
        log = begun(around, what, depth=depth, parent=parent.log.info.id, caller=call)
    except Refused as refusal:
        raise ToolFailed(str(refusal), error_type=type(refusal).__name__) from None
    return log, what.secrets


async def _performed(parent: Performance, performance: Performance) -> None:
    """To its end, which comes soon after the call was cancelled: stopped as the parent is, failed
    where the call ran out of time, left as it is where the parent cannot be recorded."""
    task = asyncio.ensure_future(performance.perform())
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
            if not task.done():
                _stop(parent, performance, task)
    if cancelled is not None:
        raise cancelled
    task.result()


def _stop(parent: Performance, performance: Performance, task: asyncio.Task[None]) -> None:
    stop = parent.run.stop
    if parent.abandoned:
        task.cancel()
    elif parent.at_once:
        performance.stop_now()
    elif stop is not None:
        reason = "the run that called it was stopped"
        performance.stop(StopRun(why="cancelled", reason=reason, rollback=stop.rollback))
    else:
        reason = "the action that called it ran out of time"
        performance.stop(StopRun(why="failed", reason=reason))
