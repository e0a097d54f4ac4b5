"""The state of an investigation: what it follows, what was found, what was looked at since."""

from __future__ import annotations

from dataclasses import dataclass, field

from wfnb.core.events import Json
from wfnb.core.findings import Issue, Look
from wfnb.core.session import Session, Step

from .events import NAME, Advice, CarriedFindings, HypothesisJudged, TotalExtended
from .kind import Kind


@dataclass(slots=True)
class FindingsIndex:
    """What the steps that count found, with how many of them say it: what counts is added, what is
    withdrawn is taken."""

    findings: dict[str, int] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)
    """Those that steps name."""
    relevant: dict[str, int] = field(default_factory=dict)
    context: dict[str, int] = field(default_factory=dict)
    issues: dict[Issue, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    """The different ones of all findings."""
    severities: dict[str, int] = field(default_factory=dict)
    """Those of issues."""
    looks: dict[str, int] = field(default_factory=dict)
    """The kinds of looks that may tick something."""
    seen: dict[tuple[str, str], int] = field(default_factory=dict)
    """What was looked at as it was then."""
    opened: dict[str, int] = field(default_factory=dict)
    """The files that something opened."""
    places: dict[str, int] = field(default_factory=dict)
    """The files of `opened` with their folders."""
    used: dict[str, int] = field(default_factory=dict)
    """The names that code used."""
    about: dict[str, int] = field(default_factory=dict)
    """The names of `context` as code has them."""
    shown: set[tuple[str, str]] = field(default_factory=set)
    """What is relevant, or of the context, and was opened or used."""
    conflicts: dict[int, bool] = field(default_factory=dict)
    """What the looks of a step said of that last, by its key."""
    runs: dict[int, tuple[Look, ...]] = field(default_factory=dict)
    """What ran that succeeds or fails, by the position of the step that it was evidence for, or at
    which the step's own code ended; of steps that count no more, too."""


@dataclass(slots=True)
class Investigation:
    """An investigation of a kind, as far as it has come."""

    kind: Kind
    since: int
    """The position at which it began: another kind that goes on with what was found keeps it."""
    chosen: int = 0
    """The position at which this kind was chosen."""
    bases: dict[str, int] = field(default_factory=dict)
    """The number of each line's last step then, from which its steps count as this kind's own."""
    pause: bool = True
    reviewer: str | None = None
    planner: str | None = None
    carried: CarriedFindings | None = None
    brought: frozenset[str] = frozenset()
    """The words of the findings that were carried along."""
    found: FindingsIndex = field(default_factory=FindingsIndex)
    fields: dict[str, Json] = field(default_factory=dict)
    """The kind's, as they were said last."""
    looks: list[Look] = field(default_factory=list)
    """What was looked at after the step `awaiting`."""
    awaiting: int | None = None
    """The key of the last new step."""
    extended: list[TotalExtended] = field(default_factory=list)
    advice: list[tuple[int, Advice]] = field(default_factory=list)
    judged: list[tuple[int, HypothesisJudged]] = field(default_factory=list)
    """What persons said of hypotheses, each at its position."""


@dataclass(slots=True)
class StepEvidence:
    """What a step is to the investigation that began at position `since`: what was looked at before
    it, what its own code looked at, and what is new in it; `positions` are those of its versions in
    it, by their place in the list."""

    since: int
    looks: tuple[Look, ...] = ()
    own: tuple[Look, ...] = ()
    news: tuple[str, ...] = ()
    positions: dict[int, int] = field(default_factory=dict)

    @property
    def all_looks(self) -> tuple[Look, ...]:
        return (*self.looks, *self.own)


@dataclass(slots=True)
class InvestigationState:
    """What a session knows of its investigations. `now` is the one that is on. `evidence` is what
    steps are to the investigation they were made in, by their keys; `withdrawn` has the numbers of
    those that are, by line. `choices` has the kinds that cells chose: a cell's id, its source, and
    the kind's name; `requests` what else cells asked for once, with the position where that was
    recorded."""

    now: Investigation | None = None
    evidence: dict[int, StepEvidence] = field(default_factory=dict)
    withdrawn: dict[str, list[int]] = field(default_factory=dict)
    choices: set[tuple[str, str, str]] = field(default_factory=set)
    requests: dict[tuple[str | None, str, str], int] = field(default_factory=dict)


def state_of(session: Session) -> InvestigationState:
    """An empty one, where the session never had an investigation."""
    found = session.states.get(NAME)
    return found if isinstance(found, InvestigationState) else InvestigationState()


def investigation_of(session: Session) -> Investigation | None:
    """The investigation that is on."""
    return state_of(session).now


def evidence_of(session: Session, step: Step) -> StepEvidence | None:
    """What the step is to its investigation; None for a step that was made in none."""
    return state_of(session).evidence.get(step.key)


def looks_before(session: Session, step: Step) -> tuple[Look, ...]:
    """What was looked at before the step, as its investigation has it."""
    evidence = evidence_of(session, step)
    return () if evidence is None else evidence.looks


def current_evidence(session: Session, step: Step) -> StepEvidence | None:
    """The same, where its investigation is the one that is on."""
    state = state_of(session)
    now, found = state.now, state.evidence.get(step.key)
    return found if now is not None and found is not None and found.since == now.since else None
