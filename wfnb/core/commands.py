"""What can be asked of a session: one class per command. `decide` turns one into events."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import field
from typing import ClassVar

from wfnb.frozen_record import none, record

from .data_flow import Flow
from .events import Cell, Json, Outcome, Remarks
from .findings import Findings, Look
from .kept_values import KeptValues
from .session import Step
from .step_magic_lines import is_plain
from .strategy import Strategy
from .validation import MAIN, StepPlace


@record
class NotebookCells:
    """The code cells of a notebook as its front end has them: by id how many steps each opens;
    `twice` are the ids that several cells have, `others` the names of the notebooks beside it,
    `headings` those of the Markdown cells right above them, by id."""

    steps: Mapping[str, int]
    twice: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    headings: Mapping[str, str] = field(default_factory=none)

    def lacks(self, step: Step) -> str:
        """What became of the step's cell, in a few words; nothing where it is there."""
        if step.cell_id is None:
            return ""
        if step.notebook in self.others and step.cell_id not in self.steps:
            return f"cell in {step.notebook}"
        return "" if self.holds(step) else "cell gone"

    def holds(self, step: Step) -> bool:
        """Whether the cell that the step was run in still opens it; one in another notebook may."""
        if step.notebook in self.others and step.cell_id not in self.steps:
            return True
        cell, opens = step.current.cell, self.steps.get(step.cell_id or "")
        if opens == 0 and cell is not None and is_plain(cell.source):
            return True  # a whole cell that was recorded, though plain cells are no steps by now
        return opens is not None and opens > (0 if cell is None else cell.part)


@record
class AddStep(Remarks):
    """A step: a new one, another attempt or a new version, as `decide` recognises it."""

    description: str
    number: int | None = None
    total: int | None = None
    next_step_needed: bool | None = None
    is_step_revision: bool | None = None
    revises: int | None = None
    branch: str | None = None
    """The branch that the step names."""
    leaves: StepPlace | None = None
    stage: str | None = None
    fields: Mapping[str, Json] = field(default_factory=dict)
    cell: Cell | None = None
    process: str | None = None
    """The process in which it runs. Without an outcome `FinishStep` will close it."""
    outcome: Outcome | None = None
    line: str = MAIN
    """The line that the step is on when it names no branch."""
    opened: int = 0
    """The position at which this process opened the session."""
    ran: Set[int] = frozenset()
    """Keys of the steps that this process ran since: one without a cell id is recognised among the
    others."""
    findings: Findings | None = None
    backtrack: int | None = None
    """In an investigation the number of the step from which on nothing counts any more."""
    pause: bool | None = None
    """In an investigation whether something has to be looked at first; None: as the session
    does."""
    left: tuple[str, ...] = ()
    """The files that are not documented yet, where that was looked up."""
    keep: tuple[str, ...] = ()
    """What its end is to keep."""
    flow: Flow | None = None
    numeral: str | None = None
    """The number as it was written before a title that it may be a part of: `121`, `1/3`."""
    tags: tuple[str, ...] = ()
    """Those that its cell names."""
    cells: NotebookCells | None = None
    """Which cells the notebook has; None: that is not known."""
    alike: int | None = None
    """How many cells have this source, where the cell has no id; None: nobody knows."""


@record
class FinishStep:
    """An attempt has ended. In an investigation `looks` are what its code looked at, and `fields`
    those of the kind that were counted then."""

    attempt: int
    outcome: Outcome
    values: KeptValues | None = None
    flow: Flow | None = None
    looks: tuple[Look, ...] = ()
    fields: Mapping[str, Json] = field(default_factory=dict)


@record
class ChangePlainNames:
    """Cells that are no steps gave names other versions."""

    versions: Mapping[str, str]


@record
class ChooseKeeping:
    """What a step keeps that does not say it; None: as it was chosen before."""

    keep: tuple[str, ...] | None = None
    secrets: tuple[str, ...] | None = None
    budget: int | None = None
    figures: bool | None = None


@record
class ChooseRecording:
    """Whether plain cells are steps, and whether they show no answer."""

    on: bool
    quiet: bool = False


@record
class KeepValues:
    """Values of the step with the key `step`: of its attempt that began at position `attempt`, or
    kept later."""

    step: int
    values: KeptValues
    attempt: int | None = None


@record
class ConfirmSteps:
    """Stale steps that hold as they are; none named: all that are stale. A place without a branch
    is on `line`."""

    places: tuple[StepPlace, ...] = ()
    line: str = MAIN


@record
class HideSteps:
    """Leave steps out of lists, pictures and counts. A place without a branch is on `line`."""

    places: tuple[StepPlace, ...]
    line: str = MAIN


@record
class ShowSteps:
    """Hidden steps are shown again; none named: all that are hidden."""

    places: tuple[StepPlace, ...] = ()
    line: str = MAIN


@record
class DescribeStep:
    """Another title, another reason under it, or both, for the newest version of a step."""

    place: StepPlace
    title: str | None = None
    reason: str | None = None
    line: str = MAIN


@record
class TagStep:
    """Tags that the step gets, and tags that it no longer has."""

    place: StepPlace
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    line: str = MAIN


@record
class ScoreBranch:
    branch: str
    score: float
    reason: str | None = None


@record
class SelectBranch:
    branch: str
    reason: str | None = None


@record
class MergeBranch:
    """`into` None: the line that the branch left."""

    branch: str
    into: str | None = None
    reason: str | None = None


@record
class AbandonBranch:
    branch: str
    reason: str | None = None


@record
class ChooseStrategy:
    strategy: Strategy | None


@record
class RenameSession:
    name: str


@record
class ClearSession:
    pass


class ExtensionCommand:
    """A command of a slice: `extension` is the slice's name."""

    __slots__ = ()
    extension: ClassVar[str]


@record
class Undo:
    pass


@record
class Redo:
    pass


@record
class TakeBack:
    """Take back what was recorded at these positions, as it was chosen when the session was `at` a
    position: nothing, where more was recorded since. `undo_by_author.py` chooses them."""

    positions: tuple[int, ...]
    at: int


Command = (
    AddStep
    | FinishStep
    | ChooseKeeping
    | ChooseRecording
    | KeepValues
    | ChangePlainNames
    | ConfirmSteps
    | HideSteps
    | ShowSteps
    | DescribeStep
    | TagStep
    | ScoreBranch
    | SelectBranch
    | MergeBranch
    | AbandonBranch
    | ChooseStrategy
    | RenameSession
    | ClearSession
    | Undo
    | Redo
    | TakeBack
    | ExtensionCommand
)
