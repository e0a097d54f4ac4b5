"""What has happened: one class per kind of event, and their names on disk.

An event is a fact. It is written once, read for ever, and never refused. Its name on disk is
its class name in kebab case (`StepAdded` -> `step-added`); fields left at their default are
not written. Times are not in events: the journal adds the time of writing to its row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, ClassVar, Final, Literal

from wfnb.frozen_record import none, record

from .data_flow import Flow
from .findings import Findings, Look
from .kept_values import KeptValues
from .shown_figures import Figure

Json = Any  # what JSON can hold: None, bool, int, float, str, list, dict

Status = Literal["ok", "failed", "interrupted", "unknown"]
WENT_WELL: tuple[Status, ...] = ("ok", "unknown")
"""Nothing is known to have gone wrong."""


@record
class Outcome:
    """How an attempt ended. `duration` is in seconds; `values` are named values at its end;
    `figures` are what it showed, and `figures_left` how many more, which are not kept."""

    status: Status = "ok"
    duration: float | None = None
    result: str | None = None
    error: str | None = None
    values: Mapping[str, Json] = field(default_factory=none)
    figures: tuple[Figure, ...] = ()
    figures_left: int = 0


BY_PLACE: Final = "vscode-notebook-cell:"
"""How ids of cells begin that VS Code gives by place whenever it opens a notebook: they are not
those of the file, and another cell has them the next time."""


@record
class Cell:
    """Where a step was written."""

    id: str | None = None
    """None: no front end says it."""
    source: str = ""
    part: int = 0
    """The index of the step in its cell."""
    notebook: str | None = None
    """The name of its file, if known."""


@record
class Author:
    """Who did something, and from where: a person in the panel, or a program over MCP, which says
    its own `name` and `version`: nobody checks them."""

    host: Literal["panel", "mcp"]
    name: str | None = None
    version: str | None = None
    may: tuple[str, ...] | None = None
    """What it was allowed to do beside reading and recording; None: it is not known."""


@record
class Authored:
    """What has an author; None: the notebook or script, or anyone where an older wfnb wrote it."""

    by: Author | None = None


@record
class SessionStarted(Authored):
    name: str
    cell: Cell | None = None
    process: str | None = None


@record
class SessionRenamed(Authored):
    """The session has another name from here on. It is no change of the history: undo leaves it."""

    name: str


@record
class SessionCleared(Authored):
    """All steps and branches are put away; the session and its strategy go on."""


@record
class StrategyChosen(Authored):
    """From here on `strategy` (its whole definition, so that it replays without its file)
    says which stage may follow; None: no strategy."""

    strategy: Mapping[str, Json] | None


@record
class BranchOpened(Authored):
    branch: str
    parent: str
    leaves: int


@record
class BranchReopened(Authored):
    branch: str


@record
class Remarks:
    """What a step says of itself that is recorded as it was said; None: nothing was said, or in a
    step that is recorded again without a cell, that it stays as it was. The command that adds a
    step has these fields, and the event, below, has all of them again: the order of its fields is
    the order on disk."""

    needs_more_steps: bool | None = None


REMARKS = tuple(each.name for each in fields(Remarks))


@record
class Version(Authored):
    """What a step says, as it holds after defaults."""

    branch: str
    number: int
    total: int
    description: str
    next_step_needed: bool
    total_given: bool = False
    """Whether somebody said `total`."""
    needs_more_steps: bool | None = None
    revises: int | None = None
    stage: str | None = None
    fields: Mapping[str, Json] = field(default_factory=none)
    cell: Cell | None = None
    warnings: tuple[str, ...] = ()
    still: tuple[int, ...] = ()
    """Where it was stale because of revisions: the keys of those that it was not built on, since
    the process that ran it had not run them."""
    process: str | None = None
    """The process in which it runs. Without an outcome `StepFinished` will close it."""
    outcome: Outcome | None = None
    findings: Findings | None = None
    """In an investigation what it found."""
    end: str | None = None
    """In an investigation why the line ended with it, or why it did not where that was asked."""
    keep: tuple[str, ...] = ()
    """What its end is to keep, as it was asked for."""
    flow: Flow | None = None
    """What it read and wrote, where it was done at once."""
    declared: bool = False
    """Whether it was said that another step follows or none, or its strategy ends with it;
    otherwise that was inferred."""
    selects: str | None = None
    """What its stage selected, as journals have it that an older wfnb wrote; nobody reads it."""
    tags: tuple[str, ...] = ()
    """Those that its cell names."""
    asked: bool | None = None
    """In an investigation whether an end was asked for. By this and `planned` it is judged again
    when its code has ended."""
    planned: int | None = None
    """In an investigation which turn was the last then."""


@record
class StepAdded(Version):
    """A step of a new number."""


@record
class StepChanged(Version):
    """A new version of a step that exists: its cell ran again with changed source. `reworded`:
    only its words changed and its code did not, so that what came after it still holds."""

    reworded: bool = False


@record
class StepRepeated(Authored):
    """The same step ran again, unchanged: another attempt."""

    branch: str
    number: int
    cell: Cell | None = None
    still: tuple[int, ...] = ()
    process: str | None = None
    outcome: Outcome | None = None
    keep: tuple[str, ...] = ()
    flow: Flow | None = None
    warnings: tuple[str, ...] = ()
    """What there is to say of its end, where it was done at once."""


@record
class Judged:
    """What a step of an investigation comes to, once its code has ended: whether another follows,
    and why; and its fields, with what was counted then."""

    next_step_needed: bool
    end: str | None = None
    fields: Mapping[str, Json] = field(default_factory=none)


@record
class StepFinished(Authored):
    """The attempt that began with the event at position `attempt` has ended. `flow` is what it read
    and wrote; None: nobody observed it. In an investigation `looks` are what it looked at, and
    `judged` what the step comes to, where that is another than when it began. `warnings` are of
    what its stage did, which is recorded after it, by the same command."""

    attempt: int
    outcome: Outcome
    flow: Flow | None = None
    looks: tuple[Look, ...] = ()
    judged: Judged | None = None
    warnings: tuple[str, ...] = ()


@record
class PlainNamesChanged(Authored):
    """Cells that are no steps gave names, which steps had read, other versions (empty: they deleted
    them)."""

    versions: Mapping[str, str]


@record
class KeepingChosen(Authored):
    """From here on a step keeps `keep` where it does not say what. `secrets` are patterns of names
    that are never kept, and `budget` the bytes that all values of the session may take up in the
    store (None: the usual ones). `figures`: whether steps keep what they show."""

    keep: tuple[str, ...] = ()
    secrets: tuple[str, ...] | None = None
    budget: int | None = None
    figures: bool = True


@record
class RecordingChosen(Authored):
    """From here on each plain cell of the notebook is a step, or none is. `quiet`: it shows no
    answer."""

    on: bool
    quiet: bool = False


@record
class ValuesKept(Authored):
    """Values as they were at the end of the step with the key `step`: of the attempt that began
    with the event at position `attempt`, or (None) kept later, by a command of their own."""

    step: int
    kept: KeptValues
    attempt: int | None = None


@record
class StepsConfirmed(Authored):
    """Stale steps that were looked at and hold as they are."""

    branch: str
    numbers: tuple[int, ...]


@record
class StepsHidden(Authored):
    """Steps that stay in the history, and are left out of lists, pictures and counts."""

    branch: str
    numbers: tuple[int, ...]


@record
class StepsShown(Authored):
    """Steps that were hidden are in lists, pictures and counts again."""

    branch: str
    numbers: tuple[int, ...]


@record
class StepDescribed(Authored):
    """The newest version of a step has another description; its code is as it was."""

    branch: str
    number: int
    description: str


@record
class StepTagged(Authored):
    """The step has these tags, and no others."""

    branch: str
    number: int
    tags: tuple[str, ...]


@record
class BranchScored(Authored):
    branch: str
    score: float
    reason: str | None = None


@record
class BranchSelected(Authored):
    """`beside`: those that left the same step and stay selected with it."""

    branch: str
    reason: str | None = None
    beside: tuple[str, ...] = ()


@record
class BranchMerged(Authored):
    """`branch` joins `into` after its step `after`."""

    branch: str
    into: str
    after: int
    reason: str | None = None


@record
class BranchAbandoned(Authored):
    branch: str
    reason: str | None = None


BranchDecision = BranchReopened | BranchScored | BranchSelected | BranchMerged | BranchAbandoned


@record
class ExtensionEvent(Authored):
    """An event of a slice: `extension` is the slice's name. One that does not alter the history
    (`alters_history`) is not undone by itself, and what was undone can be redone after it. After
    one that `recounts_steps` other steps count, and what is stale is found anew."""

    extension: ClassVar[str]
    alters_history: ClassVar[bool] = True
    recounts_steps: ClassVar[bool] = False


@record
class Undone(Authored):
    """The session is again as it was after the event at position `to`."""

    to: int


@record
class Redone(Authored):
    """What the last `Undone` took away is back."""


@record
class TakenBack(Authored):
    """What was recorded at these positions is taken away, and nothing that came after it."""

    positions: tuple[int, ...]


Change = (
    SessionStarted
    | SessionRenamed
    | SessionCleared
    | StrategyChosen
    | BranchOpened
    | BranchReopened
    | StepAdded
    | StepChanged
    | StepRepeated
    | StepFinished
    | PlainNamesChanged
    | KeepingChosen
    | RecordingChosen
    | ValuesKept
    | StepsConfirmed
    | StepsHidden
    | StepsShown
    | StepDescribed
    | StepTagged
    | BranchScored
    | BranchSelected
    | BranchMerged
    | BranchAbandoned
    | ExtensionEvent
)
Event = Change | Undone | Redone | TakenBack


@record
class Recorded:
    """An event in its place: `position` counts from 1 within the session; events of one command
    share `first`, the position of the first of them. `at` is the time of writing in seconds
    since 1970 (UTC), None in memory before it is written."""

    position: int
    first: int
    event: Event
    at: float | None = None


def name_of(kind: type) -> str:
    """The name on disk of a class of events.

    >>> name_of(StepAdded)
    'step-added'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


KINDS: Mapping[str, type[Event]] = {
    name_of(kind): kind for kind in Event.__args__ if kind is not ExtensionEvent
}
"""The core's own events by their names on disk; `extension.event_kinds` has the slices' too."""
