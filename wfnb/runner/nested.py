"""a call of `run_workflow` -> a run of its own, performed inside it, and its result."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from wfnb.core.runs.commands import ResumeRun, StopRun
from wfnb.errors import Refused, RunTooDeep
from wfnb.process import process
from wfnb.runs import RunLog
from wfnb.tools.outcome import ToolFailed
from wfnb.views.runs.result import response

from .performance import DEEPEST, Performance
from .start import begun, checked, read


async def nested(
    parent: Performance, call: int, action: str, asked: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The response of the nested run. Where the process ended in the middle of it, it goes on.

    Raises ToolFailed for a workflow that cannot be run, too deep ones among them.
    """
    log = _left(parent, call, action)
    if log is None:
        log = _started(parent, call, asked)
    if log.run.status == "running":
        written = asked.get("workflow_definition") is not None
        await _performed(parent, log, written and bool(asked.get("save_on_success", True)))
    name = asked.get("workflow_name")
    if name is not None and log.run.status == "success":
        parent.around.library.succeeded(str(name))
    return response(log.run, log.name)


def _started(parent: Performance, call: int, asked: Mapping[str, Any]) -> RunLog:
    around, depth = parent.around, parent.run.depth + 1
    name, definition = asked.get("workflow_name"), asked.get("workflow_definition")
    try:
        workflow = read(around.library, definition, name)
        if depth > DEEPEST:
            raise RunTooDeep(workflow.name or "(no name)", depth)
        what = checked(
            around,
            workflow,
            dict(asked.get("initial_variables") or {}),
            {},
            asked.get("max_states"),
            asked.get("execution_timeout"),
        )
        return begun(around, what, depth=depth, parent=parent.log.info.id, caller=call)
    except Refused as refusal:
        raise ToolFailed(str(refusal), error_type=type(refusal).__name__) from None


def _left(parent: Performance, call: int, action: str) -> RunLog | None:
    """The run that this action had begun when the process ended."""
    lost = [
        old.id
        for old in parent.run.calls.values()
        if old.action == action and old.status == "unknown" and old.id < call
    ]
    if not lost:
        return None
    settled = max(
        (
            old.id
            for old in parent.run.calls.values()
            if old.action == action and old.id < call and old.status not in ("unknown", "running")
        ),
        default=0,
    )
    journal = parent.around.journal
    for info in reversed(journal.runs(parent.around.session, parent.log.info.id)):
        log = RunLog(journal, info)
        if log.run.caller in lost and (log.run.caller or 0) > settled:
            if log.run.status == "running":
                log.do(ResumeRun(process=process(), lost="again"))
            return log
    return None


async def _performed(parent: Performance, log: RunLog, save: bool) -> None:
    performance = Performance(log, parent.around, save)
    task = asyncio.ensure_future(performance.perform())
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        undo = parent.run.stop is not None and parent.run.stop.rollback
        with suppress(Refused):
            log.do(
                StopRun(why="cancelled", reason="the run that called it was stopped", rollback=undo)
            )
        await task
        raise
