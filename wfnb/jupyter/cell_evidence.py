"""a cell that has ended -> evidence for an investigation, or none.

Theory of operation
-------------------

An investigation asks for evidence: something that was looked at after the last step and before the
next one. A plain cell that prints a table is such a look. But *Run All* executes every plain cell
of the notebook, too, and nobody looks at those. The kernel cannot tell the two apart: it gets one
cell after the other, and no message says that more will follow.

What is known when a plain cell ends:

    the awaited step    the step of the session that still waits for evidence
    the last step       the step that this kernel ran last, and how many cells had run before it
    the source          whether a cell with this source ran before that step

The rule:

 1. The awaited step was the last one to run here, and the cell did not run before it: somebody
    looked. The look is recorded at once, after all that was put aside: what ran last has to be
    told last. A step that a program added has no cell, so that no run of all cells can repeat it;
    a look after it counts at once, too.
 2. Otherwise the cell may stand between older steps of a Run All. The look is put aside, with the
    position of the journal at which its cell began.
 3. The next step decides. If it is a new step, this was no Run All over old cells: all that was put
    aside is recorded. If it is an old step that runs again, all of it is dropped.
 4. Until then, questions such as "is there evidence?" are answered as if it counted. So a person
    who looks and then writes a new step is never refused.

Example: steps 1 and 2, and a plain cell `df.head()` between them. *Run All* runs 1, the plain cell,
2. After step 1 the awaited step is 2, which did not run last here: the look is put aside (rule 2).
Step 2 is an old step: the look is dropped (rule 3). Later the person runs `df.tail()` below step 2.
Step 2 ran last, and this source is new: the look counts at once (rule 1).

What a workflow or a verb tells within a cell is treated as the cell is. At most 20 looks are put
aside; the oldest go first.

Not taken: the time between two cells (a slow Run All looks like a person), the order of the cells
in the document (headless runs do not send it), and "counts if it ran after the step in this
kernel": after a restart, Run All would then fake evidence.
"""

from __future__ import annotations

import sys
from asyncio import CancelledError
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wfnb.core.commands import AddStep
from wfnb.core.findings import Look
from wfnb.core.session import Session, Step
from wfnb.core.step_recognition import recognise
from wfnb.errors import Refused, WfnbError
from wfnb.investigations.core import missing_evidence
from wfnb.investigations.core.commands import LookAt
from wfnb.investigations.core.decide import combine_looks
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.reducer import fresh
from wfnb.investigations.core.requirements import awaiting_step
from wfnb.session_log import SessionLog

from .running_cell import Running

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

    def use_session(self, log: SessionLog) -> None:
        """The session is used that the cells ran for which are kept."""
        for doubt in self._doubtful:
            # Noted before a session was in use, they have no position of it.
            doubt.since = log.opened

    def on_cell_end(
        self, running: Running, result: Any, log: SessionLog | None, seen: Look | None
    ) -> None:
        """A cell has ended, and that was to be `seen` by it; `log` is None before a session
        is used."""
        # By source, as headless runs send no ids of cells; the first time counts, not the last.
        self._ran.setdefault(hash(running.source), len(self._ran))
        if seen is None or not _counts_as_look(running, result):
            return
        if log is not None and not _inquires(log.session):
            return
        doubt = _Doubt((seen,), running.since)
        step = None if log is None else awaiting_step(log.session)
        if log is not None and step is not None and self._sure(running, step):
            self._record_doubtful(log)
            _record(doubt, log)
        else:
            self._doubtful.append(doubt)

    def waits(self, running: Running, looks: Sequence[Look], since: int, log: SessionLog) -> bool:
        """Whether what a look or a run in the cell tells is kept here until the next step."""
        step = awaiting_step(log.session)
        if step is None or self._sure(running, step):
            self._record_doubtful(log)
            return False
        self._doubtful.append(_Doubt(combine_looks(looks), since))
        return True

    def begins(self, log: SessionLog, command: AddStep) -> None:
        """Somebody records a step: a new one, or an old one again."""
        if self._doubtful and _recognised_step(log.refresh(), command) is None:
            self._record_doubtful(log)
        self._doubtful.clear()

    def _record_doubtful(self, log: SessionLog) -> None:
        while self._doubtful:
            _record(self._doubtful.popleft(), log)

    def on_step_recorded(self, step: Step) -> None:
        """A step of the notebook was recorded."""
        self._last = step.key, len(self._ran)

    def deferred_looks(self, log: SessionLog) -> tuple[Look, ...]:
        """What the cells in doubt looked at, where it counts if the next step is a new one."""
        step = awaiting_step(log.session)
        after = [each for each in self._doubtful if step is not None and each.since >= step.key]
        looks = [look for each in after for look in each.looks]
        return tuple(dict.fromkeys(fresh(log.session, looks)))

    def _sure(self, running: Running, step: Step) -> bool:
        """Whether the cell came after the step and not only again. A step that a program added has
        no cell which could run again."""
        last, before = self._last
        new = self._ran.get(hash(running.source), before) >= before
        return step.current.cell is None or (last == step.key and new)


def _counts_as_look(running: Running, result: Any) -> bool:
    """Whether the cell ran as something that can be looked at: of its own, to its end or a failure
    that is none of ours, and without a step, or the try to record one, in it."""
    if result is None or running.outer is not None or running.lines or running.tried:
        return False
    stopped = isinstance(result.error_in_exec, KeyboardInterrupt | CancelledError | WfnbError)
    return not running.is_front_ends_own and result.error_before_exec is None and not stopped


def _recognised_step(session: Session, command: AddStep) -> Step | None:
    try:
        return recognise(session, command)
    except Refused:  # a number that is none: the step is refused by it
        return None


def asks_for_runs(session: Session) -> bool:
    """Whether an investigation is on that does not end while what ran was not seen to succeed."""
    now = investigation_of(session) if session.is_extended else None
    return now is not None and missing_evidence.asks_for_runs(now.kind)


def _inquires(session: Session) -> bool:
    return session.is_extended and investigation_of(session) is not None


def _record(doubt: _Doubt, log: SessionLog) -> None:
    try:
        if doubt.looks and _inquires(log.session):
            log.do(LookAt(looks=doubt.looks, since=doubt.since))
    except WfnbError as error:
        print(f"wfnb: {error}", file=sys.stderr)
