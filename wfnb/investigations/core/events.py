"""What has happened in an investigation: one class per kind of event, named on disk as in core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from wfnb.core.events import Cell, ExtensionEvent, Json
from wfnb.core.findings import Findings, Look
from wfnb.frozen_record import record

NAME = "investigation"
"""The name of the slice: commands and events bear it, and its state lies under it."""


@record
class InvestigationEvent(ExtensionEvent):
    extension = NAME


@record
class Advice:
    """One adviser's reply, or in `error` why there is none; `seconds` is how long it took."""

    adviser: str
    role: Literal["model", "reviewer", "planner"]
    stance: str = "neutral"
    verdict: str | None = None
    text: str | None = None
    error: str | None = None
    seconds: float | None = None


@record
class CarriedFindings:
    """What an investigation brings along from that of another session."""

    session: str
    kind: str
    found: Findings
    fields: Mapping[str, Json] = field(default_factory=dict)


@record
class KindChosen(InvestigationEvent):
    """From here on the session investigates as `kind` says (its whole definition, so that it
    replays without its file); None: no longer. `cell` is the one that chose it."""

    kind: Mapping[str, Json] | None
    pause: bool = True
    reviewer: str | None = None
    planner: str | None = None
    carried: CarriedFindings | None = None
    cell: Cell | None = None


@record
class LookedAt(InvestigationEvent):
    """Something was looked at while the next step was awaited."""

    alters_history = False

    looks: tuple[Look, ...]


@record
class Backtracked(InvestigationEvent):
    """Step `number` of a line and all that came after it no longer count. `cell` is the one that
    asked for it, by itself."""

    recounts_steps = True

    branch: str
    number: int
    reason: str | None = None
    cell: Cell | None = None


@record
class TotalExtended(InvestigationEvent):
    """More steps were asked for, at step `step_number`, by `cell`."""

    step_number: int
    old_total: int
    new_total: int
    reason: str
    cell: Cell | None = None


@record
class AdviceTaken(InvestigationEvent):
    """What advisers said of the step with the key `step`; `cell` asked for it with the words
    `asked`, and asks once."""

    alters_history = False

    advice: tuple[Advice, ...]
    step: int
    asked: tuple[str, ...] = ()
    cell: Cell | None = None


@record
class HypothesisJudged(InvestigationEvent):
    """A person or an agent confirmed or refuted a hypothesis, named by its words."""

    hypothesis: str
    verdict: Literal["confirmed", "refuted"]
    reason: str | None = None


Event = KindChosen | LookedAt | Backtracked | TotalExtended | AdviceTaken | HypothesisJudged
