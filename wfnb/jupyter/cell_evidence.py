"""a cell that has ended -> something that was looked at, or not.

A plain cell counts at once where this kernel ran the awaited step last, and this cell never before
that. Any other may belong to a run of all cells, in which it stands between older steps. Which it
is shows only with the next step, so that it waits for that: before a new step it counts, before an
old one it does not; until then it is shown as if it did. What a look or a run in the cell tells is
treated as the cell is.
"""

from __future__ import annotations

import sys
from asyncio import CancelledError
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from wfnb.core.commands import AddStep, LookAt
from wfnb.core.findings import Look
from wfnb.core.investigation_commands import together
from wfnb.core.investigation_reducer import fresh
from wfnb.core.requirements import awaited
from wfnb.core.session import Session, Step
from wfnb.core.steps import recognise
from wfnb.errors import Refused, WfnbError
from wfnb.workspace import Workspace

from .open_cell import Running

KEPT = 20
"""What is in doubt and kept: of so many cells, looks and runs."""


@dataclass
class _Doubt:
    """What was looked at, and the session's position as that began."""

    looks: tuple[Look, ...]
    since: int


class Attention:
    """What the cells of one kernel looked at, in the session that it uses."""

    def __init__(self) -> None:
        self._doubtful: deque[_Doubt] = deque(maxlen=KEPT)
        self._ran: dict[int, int] = {}  # a source's hash -> how many cells ran before it first did
        self._last: tuple[int | None, int] = None, 0  # a step's key, cells that ran before it

    def forget(self) -> None:
        """Another session is used from here on."""
        self._doubtful.clear()
        self._last = None, 0

    def opened(self, workspace: Workspace) -> None:
        """The session is used that the cells ran for which are kept."""
        for doubt in self._doubtful:
            doubt.since = workspace.opened
        workspace.waits = partial(self._waiting, workspace)

    def ended(
        self, running: Running, result: Any, workspace: Workspace | None, seen: Look | None
    ) -> None:
        """A cell has ended, and that was to be `seen` by it; `workspace` is None before a session
        is used."""
        self._ran.setdefault(hash(running.source), len(self._ran))
        if workspace is not None:
            workspace.waits = partial(self._waiting, workspace)
        inquires = workspace is None or workspace.session.investigation is not None
        if not inquires or seen is None or not _looked(running, result):
            return
        doubt = _Doubt((seen,), running.since)
        step = None if workspace is None else awaited(workspace.session)
        if workspace is not None and step is not None and self._sure(running, step):
            _record(doubt, workspace)
        else:
            self._doubtful.append(doubt)

    def waits(
        self, running: Running, looks: Sequence[Look], since: int, workspace: Workspace
    ) -> bool:
        """Whether what a look or a run in the cell tells is kept here until the next step."""
        step = awaited(workspace.session)
        if step is None or self._sure(running, step):
            return False
        workspace.waits = partial(self._waiting, workspace)
        self._doubtful.append(_Doubt(together(looks), since))
        return True

    def begins(self, workspace: Workspace, command: AddStep) -> None:
        """Somebody records a step: a new one, or an old one again."""
        if _known(workspace.session, command) is None:
            for doubt in self._doubtful:
                _record(doubt, workspace)
        self._doubtful.clear()

    def began(self, step: Step) -> None:
        """A step of the notebook was recorded."""
        self._last = step.key, len(self._ran)

    def _waiting(self, workspace: Workspace) -> tuple[Look, ...]:
        """What the cells in doubt looked at, where it counts if the next step is a new one."""
        step = awaited(workspace.session)
        after = [each for each in self._doubtful if step is not None and each.since >= step.key]
        looks = [look for each in after for look in each.looks]
        return tuple(dict.fromkeys(fresh(workspace.session, looks)))

    def _sure(self, running: Running, step: Step) -> bool:
        """Whether the cell came after the step and not only again. A step that a program added has
        no cell which could run again."""
        last, before = self._last
        new = self._ran.get(hash(running.source), before) >= before
        return step.now.cell is None or (last == step.key and new)


def _looked(running: Running, result: Any) -> bool:
    """Whether the cell ran as something that can be looked at: of its own, to its end or a failure
    that is none of ours, and without a step, or the try to record one, in it."""
    if result is None or running.outer is not None or running.lines or running.tried:
        return False
    stopped = isinstance(result.error_in_exec, KeyboardInterrupt | CancelledError | WfnbError)
    return not running.aside and result.error_before_exec is None and not stopped


def _known(session: Session, command: AddStep) -> Step | None:
    try:
        return recognise(session, command)
    except Refused:  # a number that is none: the step is refused by it
        return None


def _record(doubt: _Doubt, workspace: Workspace) -> None:
    try:
        if doubt.looks and workspace.session.investigation is not None:
            workspace.do(LookAt(looks=doubt.looks, since=doubt.since))
    except WfnbError as error:
        print(f"wfnb: {error}", file=sys.stderr)
