"""The state of one session: its steps, its lines, and what is needed to decide in flat time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .events import KeepingChosen, Outcome, RecordingChosen, Version
from .flow import Doubt, Flow, Freshness
from .kept_values import KeptValues
from .strategy import Strategy
from .validation import MAIN

LineState = Literal["open", "selected", "merged", "abandoned"]


@dataclass(slots=True)
class Step:
    """One step. `key` is the position of the event that added it: it names the step for ever, while
    numbers repeat from line to line. The last of `versions` is what it says now; `past` has the
    outcomes that were others before, each with the version it was of, from 1. `made_stale_by` are the keys
    of the steps whose revision made it stale, `unmet_revisions` those of them that its last attempt was not
    built on. `is_withdrawn`: it no longer counts on its line; `withdrawn_versions` are the versions, from 0, that
    were withdrawn before another took their place. `keep` is what its last attempt was to keep,
    `kept` what the last that kept anything did, `kept_in` the version, from 1, that this was of,
    `kept_flow` what that attempt read and wrote (None: that is not known), and `keeps` whether the
    last attempt kept it, or was to, or a program has since. `flow` is what its last attempt read
    and wrote (None: that is not known), `certain` whether that attempt did all that its code does,
    `unrecorded` whether it ran code that nobody observed, and `doubts` are the inputs that make it
    stale. `written` is the description that its cell has, where it was described otherwise since;
    `notebook` is the name of the file that the cell is in, if known."""

    key: int
    number: int
    branch: str
    versions: list[Version]
    attempts: int = 1
    outcome: Outcome | None = None
    running: int | None = None
    made_stale_by: tuple[int, ...] = ()
    unmet_revisions: tuple[int, ...] = ()
    past: tuple[tuple[int, Outcome], ...] = ()
    revised_by: int | None = None
    cell_id: str | None = None
    withdrawn_versions: tuple[int, ...] = ()
    keep: tuple[str, ...] = ()
    kept: KeptValues | None = None
    kept_in: int = 0
    kept_flow: Flow | None = None
    keeps: bool = False
    flow: Flow | None = None
    certain: bool = False
    unrecorded: bool = False
    doubts: tuple[Doubt, ...] = ()
    hidden: bool = False
    tags: tuple[str, ...] = ()
    written: str | None = None
    notebook: str | None = None
    is_withdrawn: bool = False

    @property
    def current(self) -> Version:
        return self.versions[-1]

    @property
    def is_counting(self) -> bool:
        """Whether it still counts on its line."""
        return not (self.hidden or self.is_withdrawn)

    @property
    def stale(self) -> bool:
        """Whether it counts, and something makes it stale."""
        return self.is_counting and bool(self.made_stale_by or self.doubts or self.unrecorded)


@dataclass(slots=True)
class Line:
    """A line of steps: `main`, or a branch that leaves step `leaves` of line `parent`. `reasons`
    has what it came to (scored, selected, …), in order, each with the reason if one was given.
    `begun` and `merged_at` are positions of the journal: a branch inherits what had been merged
    when it was begun."""

    id: str
    parent: str | None = None
    leaves: int = 0
    numbers: list[int] = field(default_factory=list)
    keys: dict[int, int] = field(default_factory=dict)
    state: LineState = "open"
    score: float | None = None
    reasons: dict[str, str | None] = field(default_factory=dict)
    merged_into: str | None = None
    merged_after: int | None = None
    merged_at: int = 0
    begun: int = 0

    @property
    def reason(self) -> str | None:
        """Why it has its score and is what it is now: the latest reason for each."""
        passed = ("scored", "selected", self.state) if self.is_chosen else ("scored", self.state)
        found = (self.reasons.get(what) for what in dict.fromkeys(passed))
        return "; ".join(filter(None, found)) or None

    @property
    def is_chosen(self) -> bool:
        """Selected, or selected before it was merged."""
        return self.state == "selected" or (self.state == "merged" and "selected" in self.reasons)


def _main() -> dict[str, Line]:
    return {MAIN: Line(MAIN)}


@dataclass(slots=True)
class Session:
    """All of it. `position` is that of the last event; `leaving` lists the branches by the key
    of the step they left; `running` has the step's key and the process of every open attempt, by
    the position where it began; `cells` and `sources` find the step of a cell that runs again,
    `states` has what slices know of the session, by their names (`extension.py`); `passed_over` are the
    branches that were decided against; `steps_without_flow` has the steps of which no flow is known;
    `ends` are the keys of the steps that declare that their line ends with them, in order;
    `hidden` has the keys of hidden steps, `titles` those of the steps that a cell gave that
    title."""

    name: str = ""
    position: int = 0
    steps: dict[int, Step] = field(default_factory=dict)
    lines: dict[str, Line] = field(default_factory=_main)
    strategy: Strategy | None = None
    strategy_since: int = 0
    total: int | None = None
    running: dict[int, tuple[int, str | None]] = field(default_factory=dict)
    stale: set[int] = field(default_factory=set)
    steps_without_flow: set[int] = field(default_factory=set)
    leaving: dict[int, list[str]] = field(default_factory=dict)
    cells: dict[tuple[str, int], int] = field(default_factory=dict)
    sources: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    undo_points: list[int] = field(default_factory=list)
    redoable: int = 0
    states: dict[str, object] = field(default_factory=dict)
    passed_over: set[str] = field(default_factory=set)
    ends: list[int] = field(default_factory=list)
    keeping: KeepingChosen | None = None
    recording: RecordingChosen | None = None
    freshness: Freshness = field(default_factory=Freshness)
    hidden: set[int] = field(default_factory=set)
    titles: dict[str, list[int]] = field(default_factory=dict)

    @property
    def plain_cells_are_steps(self) -> bool:
        """Whether plain cells of its notebook are steps."""
        return self.recording is not None and self.recording.on

    @property
    def is_extended(self) -> bool:
        """Whether a slice has a state in it, and is to be asked."""
        return bool(self.states)
