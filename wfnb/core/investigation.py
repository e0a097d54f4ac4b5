"""The state of an investigation: what it follows, what was found, what was looked at since."""

from __future__ import annotations

from dataclasses import dataclass, field

from .events import HypothesisJudged, TotalExtended
from .findings import Advice, CarriedFindings, Issue, Json, Look
from .kind import Kind


@dataclass(slots=True)
class FindingsIndex:
    """What the steps that count found, with how many of them say it: what counts is added, what is
    withdrawn is taken. `words` are the different ones of all findings, `severities` those of
    issues, `looks` the kinds of looks that may tick something, `seen` what was looked at as it was
    then. `opened` are the files that something opened, `places` these with their folders, `used`
    the names that code used; `files` are those that steps name, `about` the names of `context` as
    code has them, and `shown` what is relevant, or of the context, and was opened or used.
    `conflicts` is what the looks of a step said of that last, by its key."""

    findings: dict[str, int] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)
    relevant: dict[str, int] = field(default_factory=dict)
    context: dict[str, int] = field(default_factory=dict)
    issues: dict[Issue, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    severities: dict[str, int] = field(default_factory=dict)
    looks: dict[str, int] = field(default_factory=dict)
    seen: dict[tuple[str, str], int] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    about: dict[str, int] = field(default_factory=dict)
    shown: set[tuple[str, str]] = field(default_factory=set)
    conflicts: dict[int, bool] = field(default_factory=dict)


@dataclass(slots=True)
class Investigation:
    """`since` is the position at which it began: another kind that goes on with what was found
    keeps it; `chosen` is that at which this kind was chosen. `bases` has the number of each line's
    last step then, from which its steps count as this kind's own. `awaiting` is the key of the last
    new step: what was looked at after it is in `looks`; `brought` are the words of the findings
    that were carried along. `fields` are the kind's, as they were said
    last; `judged` is what persons said of hypotheses, each at its position."""

    kind: Kind
    since: int
    chosen: int = 0
    bases: dict[str, int] = field(default_factory=dict)
    pause: bool = True
    reviewer: str | None = None
    planner: str | None = None
    carried: CarriedFindings | None = None
    brought: frozenset[str] = frozenset()
    found: FindingsIndex = field(default_factory=FindingsIndex)
    fields: dict[str, Json] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)
    awaiting: int | None = None
    extended: list[TotalExtended] = field(default_factory=list)
    advice: list[tuple[int, Advice]] = field(default_factory=list)
    judged: list[tuple[int, HypothesisJudged]] = field(default_factory=list)


@dataclass(slots=True)
class StepEvidence:
    """What a step is to the investigation that began at position `since`: what was looked at before
    it, what its own code looked at, and what is new in it."""

    since: int
    looks: tuple[Look, ...] = ()
    own: tuple[Look, ...] = ()
    news: tuple[str, ...] = ()
    withdrawn: bool = False

    @property
    def all_looks(self) -> tuple[Look, ...]:
        return (*self.looks, *self.own)
