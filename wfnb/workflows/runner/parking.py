"""the loops of a run and of those within it -> whether they are left to who goes on with them.

A run that only waits, and would wait longer than it may be performed here, is *parked*: that no
process has it any more is recorded, and the loops are left as they are at a fault. Its waits are
calls that stay open and may be made again; they are counted from when they were first begun, so
whoever resumes the run waits for the rest. The outermost loop asks, for itself and all within it.

Three things make a run park, if all of its waits last long enough:

    `--park`            its waits are longer than it may be attended
    the default limit   it would end a wait of which is known when it ends; nobody set that limit
    its time is over    each wait is sure to outlast it; else it fails, as one that hangs
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import inf
from time import time
from typing import Any, Protocol

from wfnb.workflows.core.commands import ParkRun
from wfnb.workflows.core.resume_queries import still_to_call
from wfnb.workflows.core.run import Run
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.tools.process_cleanup import bearing
from wfnb.workflows.tools.wait import Wait

from .callable_tools import callable_tools, need_notebook
from .questions import ASK
from .run_context import RunContext


class ParkingLoop(Protocol):
    """What a run loop says of itself; its docstring explains the words."""

    log: RunLog
    around: RunContext
    save: bool
    park: float | None
    limit: float
    is_limited: bool

    @property
    def run(self) -> Run: ...

    @property
    def open_waits(self) -> Mapping[Any, Wait]: ...

    def only_waits(self) -> bool: ...


def park(family: Sequence[ParkingLoop], over: ParkingLoop | None) -> bool:
    """Whether the run, with all within it, is left now: `family` begins with the outermost, `over`
    is the loop whose time here is over. Where something came of it meanwhile, it is not."""
    until = _parked_until(family, over)
    if until is None or not all(each.only_waits() for each in family):
        return False
    if _lives_only_here(family[0].around):
        return False
    at = None if until == inf else until
    if not _record(family[0], at):
        return False
    nested = [_record(each, at) for each in family[1:]]
    if not all(nested):
        _record(family[0], time())  # one within was answered: it goes on at once
    return True


def _parked_until(family: Sequence[ParkingLoop], over: ParkingLoop | None) -> float | None:
    """Until when the run would be parked if it only waits; None: it is not. A limit that somebody
    set ends the waits, too."""
    waits = [wait for each in family for wait in each.open_waits.values()]
    if not waits:
        return None
    # A set limit is part of what the run does: a worker has to wake it then, to let it fail.
    # The default limit only says how long a process may be kept busy: it is a reason to park.
    hard = min((each.limit for each in family if each.is_limited), default=inf)
    soft = min((each.limit for each in family if not each.is_limited), default=inf)
    until = min(hard, *(wait.until for wait in waits))
    attended = family[0].park
    if attended is not None:
        parks = until > time() + attended
    elif over is not None:
        parks = not over.is_limited and _all_outlast(waits, over.limit)
    else:
        # An open question stays, as somebody may sit before it.
        parks = soft < until < hard and not any(wait.answerable for wait in waits)
    return until if parks else None


def _all_outlast(waits: Collection[Wait], limit: float) -> bool:
    return all(wait.ends is not None and wait.ends > limit for wait in waits)


def _lives_only_here(around: RunContext) -> bool:
    """Whether it has what ends with this process, and nobody who goes on with the run could have
    again: a terminal, the way to a cluster, something that was left running."""
    return (
        any(each.root == around.root for each in around.terminals.list())
        or around.executor is not None
        or bool(around.marked and bearing(around.mark))
    )


def _record(loop: ParkingLoop, until: float | None) -> bool:
    run, around = loop.run, loop.around
    calls = tuple(id for id, call in run.open.items() if not call.gathers)
    # Only what is still to come decides whether a worker without a notebook may take the run.
    tools = {*callable_tools(run.workflow, around.library, still_to_call(run))}
    command = ParkRun(
        calls=calls,
        questions=tuple(id for id in calls if run.calls[id].tool == ASK),
        until=until,
        notebook=around.namespace is not None and need_notebook(tools),
        save=loop.save,
    )
    return bool(loop.log.do(command))
