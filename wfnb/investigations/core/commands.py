"""What can be asked of an investigation: one class per command. `decide` turns one into events."""

from __future__ import annotations

from typing import Literal

from wfnb.core.commands import ExtensionCommand
from wfnb.core.events import Cell
from wfnb.core.findings import Look
from wfnb.core.validation import MAIN, StepPlace
from wfnb.frozen_record import record

from .events import NAME, Advice, CarriedFindings
from .kind import Kind

NOBODY = ""
"""No reviewer, or no planner, from here on."""


class InvestigationCommand(ExtensionCommand):
    __slots__ = ()
    extension = NAME


@record
class ChooseKind(InvestigationCommand):
    """Investigate from here on; None: no longer. A reviewer or planner that is None stays as it
    is, NOBODY takes its place. A `cell` that runs again, as it was, chooses nothing."""

    kind: Kind | None
    pause: bool = True
    reviewer: str | None = None
    planner: str | None = None
    carried: CarriedFindings | None = None
    cell: Cell | None = None


@record
class LookAt(InvestigationCommand):
    """`since` is the session's position when what looked began: what began before the awaited step
    was recorded is no look at it."""

    looks: tuple[Look, ...]
    since: int = 10**12


@record
class Backtrack(InvestigationCommand):
    """Step `place` and what came after it no longer count. A `cell` that runs again, as it was,
    withdraws nothing; `opened` is the position at which this process opened the session, by which
    one without an id is recognised."""

    place: StepPlace
    reason: str | None = None
    line: str = MAIN
    cell: Cell | None = None
    opened: int = 0


@record
class ExtendTotal(InvestigationCommand):
    """`more` steps than were planned. A `cell` that runs again, as it was, asks for none."""

    more: int
    reason: str
    line: str = MAIN
    cell: Cell | None = None
    opened: int = 0


@record
class TakeAdvice(InvestigationCommand):
    """What advisers said of the step with the key `step`. A `cell` that asked with the words
    `words` asks nobody when it runs again, as it was."""

    advice: tuple[Advice, ...]
    step: int
    words: tuple[str, ...] = ()
    cell: Cell | None = None


@record
class JudgeHypothesis(InvestigationCommand):
    """`hypothesis` is its number among those of the investigation, or its words."""

    hypothesis: int | str
    verdict: Literal["confirmed", "refuted"]
    reason: str | None = None


Command = ChooseKind | LookAt | Backtrack | ExtendTotal | TakeAdvice | JudgeHypothesis
