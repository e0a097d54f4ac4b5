"""The state of one session: its steps, its lines, and what is needed to decide in flat time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from wfnb.frozen_record import record

from .data_flow import Doubt, Flow, Staleness
from .events import (
    WENT_WELL,
    BranchDecision,
    KeepingChosen,
    Outcome,
    RecordingChosen,
    Version,
)
from .kept_values import KeptValues
from .strategy import Strategy
from .validation import MAIN

LineState = Literal["open", "selected", "merged", "abandoned"]


@record
class Decision:
    """One about a branch. `step` is the key of the step whose stage took it (None: a command did),
    `version` which of its versions, from 1; `rivals` are the lines that it was taken among."""

    event: BranchDecision
    at: int
    """The position of the journal."""
    rivals: tuple[str, ...]
    step: int | None
    version: int


@dataclass(slots=True)
class Step:
    """One step, as it is now."""

    key: int
    """The position of the event that added it. It names the step for ever, while numbers repeat
    from line to line."""
    number: int
    branch: str
    versions: list[Version]
    """The last one is what it says now."""
    attempts: int = 1
    outcome: Outcome | None = None
    running: int | None = None
    """The position where its open attempt began; None: none is open."""
    end: int = 0
    """The position where its last attempt ended."""
    process: str | None = None
    """The process in which its last attempt ran, if known."""
    made_stale_by: tuple[int, ...] = ()
    """Keys of the steps before it that changed, or are stale, since it ran."""
    unmet_revisions: tuple[int, ...] = ()
    """Those of them that its last attempt was not built on."""
    past: tuple[tuple[int, Outcome], ...] = ()
    """The outcomes that were others before, each with the version it was of, from 1."""
    revised_by: int | None = None
    """The key of the newest step that revises it."""
    cell_id: str | None = None
    withdrawn_versions: tuple[int, ...] = ()
    """The versions, from 0, that were withdrawn before another took their place."""
    keep: tuple[str, ...] = ()
    """What its last attempt was to keep."""
    kept: KeptValues | None = None
    """What the last attempt that kept anything did."""
    kept_in: int = 0
    """The version, from 1, that `kept` was of."""
    kept_flow: Flow | None = None
    """What the attempt of `kept` read and wrote; None: that is not known."""
    keeps: bool = False
    """Whether the last attempt kept it, or was to, or a program has since."""
    flow: Flow | None = None
    """What its last attempt read and wrote; None: that is not known."""
    certain: bool = False
    """Whether its last attempt did all that its code does."""
    unrecorded: bool = False
    """Whether its last attempt ran code that nobody observed."""
    doubts: tuple[Doubt, ...] = ()
    """The inputs that make it stale."""
    hidden: bool = False
    tags: tuple[str, ...] = ()
    written: str | None = None
    """The description that its cell has, where it was described otherwise since."""
    notebook: str | None = None
    """The name of the file that the cell is in, if known."""
    is_withdrawn: bool = False
    """Whether it no longer counts on its line."""
    decisions: tuple[Decision, ...] = ()
    """What its stage decided about branches, whether that still holds or not."""
    selects: tuple[str, ...] = ()
    """The branches that its stage selected, where that holds."""
    effected: int = 0
    """The last of its versions, from 1, that ended well: its stage has done its work."""
    warnings: tuple[str, ...] = ()
    """What there is to say of it as it is now, and was at its end."""

    @property
    def current(self) -> Version:
        return self.versions[-1]

    @property
    def ended(self) -> Outcome | None:
        """How its last attempt ended; None while that runs, however the one before it did."""
        return None if self.running is not None else self.outcome

    @property
    def is_counting(self) -> bool:
        """Whether it still counts on its line."""
        return not (self.hidden or self.is_withdrawn)

    @property
    def is_done(self) -> bool:
        """Whether what it says holds: it counts, and the last attempt that ended went well."""
        return self.is_counting and self.outcome is not None and self.outcome.status in WENT_WELL

    @property
    def stale(self) -> bool:
        """Whether it counts, and something makes it stale."""
        return self.is_counting and bool(self.made_stale_by or self.doubts or self.unrecorded)


@dataclass(slots=True)
class Line:
    """A line of steps: `main`, or a branch."""

    id: str
    parent: str | None = None
    leaves: int = 0
    """The number of the step of `parent` after which it begins."""
    numbers: list[int] = field(default_factory=list)
    keys: dict[int, int] = field(default_factory=dict)
    """By number, the key of the step."""
    state: LineState = "open"
    score: float | None = None
    reasons: dict[str, str | None] = field(default_factory=dict)
    """What it came to (scored, selected, …), in order, each with the reason if one was given."""
    merged_into: str | None = None
    merged_after: int | None = None
    merged_at: int = 0
    """The position of the journal at which it was merged."""
    begun: int = 0
    """The position of the journal at which it began: it inherits what had been merged by then."""

    @property
    def reason(self) -> str | None:
        """Why it has its score and is what it is now: the latest reason for each."""
        passed = ("scored", "selected", self.state) if self.is_chosen else ("scored", self.state)
        reasons = (self.reasons.get(what) for what in dict.fromkeys(passed))
        return "; ".join(filter(None, reasons)) or None

    @property
    def is_chosen(self) -> bool:
        """Selected, or selected before it was merged."""
        return self.state == "selected" or (self.state == "merged" and "selected" in self.reasons)


def _main() -> dict[str, Line]:
    return {MAIN: Line(MAIN)}


@dataclass(slots=True)
class Session:
    """All of it."""

    name: str = ""
    position: int = 0
    """That of the last event."""
    steps: dict[int, Step] = field(default_factory=dict)
    lines: dict[str, Line] = field(default_factory=_main)
    strategy: Strategy | None = None
    strategy_since: int = 0
    """The position at which the strategy was chosen."""
    total: int | None = None
    running: dict[int, tuple[int, str | None]] = field(default_factory=dict)
    """The step's key and the process of every open attempt, by the position where it began."""
    stale: set[int] = field(default_factory=set)
    """Keys of the steps that are stale."""
    steps_without_flow: set[int] = field(default_factory=set)
    """Keys of the steps of which no flow is known: what comes before them makes them stale."""
    leaving: dict[int, list[str]] = field(default_factory=dict)
    """The branches, by the key of the step they left."""
    cells: dict[tuple[str, int], int] = field(default_factory=dict)
    """The step of a cell that runs again, by the cell's id and the part in it."""
    sources: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    """Steps in order, by the source and the part in the cell."""
    undo_points: list[int] = field(default_factory=list)
    """Positions to which undo goes back, the next one last."""
    redoable: int = 0
    """How many changes can be redone."""
    states: dict[str, object] = field(default_factory=dict)
    """What slices know of the session, by their names (`extension.py`)."""
    decisions: list[Decision] = field(default_factory=list)
    """All that was decided about branches, in order, by steps that do not hold any more, too."""
    decided_again: int = field(default=0, compare=False)
    """How often steps that decided something began to hold, or ceased to."""
    command: int = field(default=0, compare=False)
    """The position of the first event of the command at hand."""
    acting: int | None = field(default=None, compare=False)
    """The key of the step that this command recorded, or ended: what follows is its stage's."""
    passed_over: set[str] = field(default_factory=set)
    """The branches that were decided against."""
    ends: list[int] = field(default_factory=list)
    """Keys of the steps that declare that their line ends with them, in order."""
    keeping: KeepingChosen | None = None
    recording: RecordingChosen | None = None
    staleness: Staleness = field(default_factory=Staleness)
    hidden: set[int] = field(default_factory=set)
    """Keys of the hidden steps."""
    titles: dict[str, list[int]] = field(default_factory=dict)
    """Keys of the steps that a cell gave that title."""

    @property
    def plain_cells_are_steps(self) -> bool:
        """Whether plain cells of its notebook are steps."""
        return self.recording is not None and self.recording.on

    @property
    def is_extended(self) -> bool:
        """Whether a slice has a state in it, and is to be asked."""
        return bool(self.states)
