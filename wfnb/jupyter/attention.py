"""a cell that has ended -> something that was looked at, or not.

A plain cell counts at once where this kernel ran the awaited step last, and this cell never before
that. Any other may belong to a run of all cells, in which it stands between older steps. Which it
is shows only with the next step, so that it waits for that: before a new step it counts, before an
old one it does not; until then it is shown as if it did.
"""

from __future__ import annotations

import sys
from asyncio import CancelledError
from collections import deque
from functools import partial
from typing import Any

from wfnb.core.commands import AddStep
from wfnb.core.findings import Look
from wfnb.core.required import awaited
from wfnb.core.session import Session, Step
from wfnb.core.steps import recognise
from wfnb.errors import Refused, WfnbError
from wfnb.workspace import Workspace

from .look import look
from .running import Running

KEPT = 20
"""Cells in doubt that are kept."""


class Attention:
    """What the cells of one kernel looked at, in the session that it uses."""

    def __init__(self) -> None:
        self._doubtful: deque[Running] = deque(maxlen=KEPT)
        self._ran: dict[int, int] = {}  # a source's hash -> how many cells ran before it first did
        self._last: tuple[int | None, int] = None, 0  # a step's key, cells that ran before it

    def forget(self) -> None:
        """Another session is used from here on."""
        self._doubtful.clear()
        self._last = None, 0

    def opened(self, workspace: Workspace) -> None:
        """The session is used that the cells ran for which are kept."""
        for running in self._doubtful:
            running.since = workspace.opened
        workspace.waits = partial(self._waiting, workspace)

    def ended(self, running: Running, result: Any, workspace: Workspace | None) -> None:
        """A cell has ended; `workspace` is None before a session is used."""
        self._ran.setdefault(hash(running.source), len(self._ran))
        if workspace is not None:
            workspace.waits = partial(self._waiting, workspace)
        inquires = workspace is None or workspace.session.investigation is not None
        if not inquires or not _looked(running, result):
            return
        if workspace is None:
            self._doubtful.append(running)
        else:
            step = awaited(workspace.session)
            if step is not None and self._sure(running, step):
                _record(running, workspace)
            else:
                self._doubtful.append(running)

    def begins(self, workspace: Workspace, command: AddStep) -> None:
        """Somebody records a step: a new one, or an old one again."""
        if _known(workspace.session, command) is None:
            for running in self._doubtful:
                _record(running, workspace)
        self._doubtful.clear()

    def began(self, step: Step) -> None:
        """A step of the notebook was recorded."""
        self._last = step.key, len(self._ran)

    def _waiting(self, workspace: Workspace) -> tuple[Look, ...]:
        """What the cells in doubt looked at, where it counts if the next step is a new one."""
        step = awaited(workspace.session)
        after = [each for each in self._doubtful if step is not None and each.since >= step.key]
        found = (look(running.source) for running in after)
        return tuple(Look(kind="cell", what=what) for what in found if what is not None)

    def _sure(self, running: Running, step: Step) -> bool:
        """Whether the cell came after the step and not only again. A step that a program added has
        no cell which could run again."""
        last, before = self._last
        new = self._ran[hash(running.source)] >= before
        return step.now.cell is None or (last == step.key and new)


def _looked(running: Running, result: Any) -> bool:
    """Whether the cell ran as something that can be looked at: of its own, to its end or a failure
    that is none of ours, and without a step, or the try to record one, in it."""
    if result is None or running.outer is not None or running.lines or running.tried:
        return False
    if look(running.source) is None:
        return False
    stopped = isinstance(result.error_in_exec, KeyboardInterrupt | CancelledError | WfnbError)
    return not running.aside and result.error_before_exec is None and not stopped


def _known(session: Session, command: AddStep) -> Step | None:
    try:
        return recognise(session, command)
    except Refused:  # a number that is none: the step is refused by it
        return None


def _record(running: Running, workspace: Workspace) -> None:
    what = look(running.source)
    if what is None:
        return
    try:
        workspace.looked(Look(kind="cell", what=what), since=running.since)
    except WfnbError as error:
        print(f"wfnb: {error}", file=sys.stderr)
