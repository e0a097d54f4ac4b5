"""what stands, an author -> the author's changes that can be taken back, or what rests on one.

Undo goes back in time, and takes what others did since along. This takes what one author did out of
the middle: a step, a branch, a score, a tag. What another did meanwhile stays as it is, so that
nothing of it may rest on what goes:

    step 2 by helper            goes
    step 3 revises step 2       rests on it: refused, naming both
    step 4 on another line      stays, under its number

A change of everything (a strategy, a merge, all steps put away) goes only where nothing of
another's came after it; so does what a slice has recorded. That is refused more often than it has
to be, and never less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wfnb.frozen_record import record

from .events import (
    Author,
    BranchMerged,
    BranchOpened,
    Event,
    ExtensionEvent,
    KeepingChosen,
    PlainNamesChanged,
    Recorded,
    RecordingChosen,
    SessionCleared,
    SessionRenamed,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepFinished,
    StepRepeated,
    StrategyChosen,
    ValuesKept,
    Version,
)
from .queries import step_at
from .session import Session

_STAYS = SessionStarted | SessionRenamed | PlainNamesChanged
"""Never taken back: the journal finds a session by its names, and what plain cells give is so."""
_OF_ALL = (
    SessionCleared
    | StrategyChosen
    | KeepingChosen
    | RecordingChosen
    | BranchMerged
    | ExtensionEvent
)
_OF_STEP = StepAdded | StepChanged | StepRepeated
Thing = tuple[str, object]
"""What an event makes and others need: a step by its key, a branch by its name, an attempt, all."""
_ALL: Thing = ("all", None)


@record
class Resting:
    """What another did, and what it rests on."""

    what: Recorded
    on: Recorded


def changes_of(
    session: Session,
    standing: Sequence[Recorded],
    is_his: Callable[[Author | None], bool],
    since: int = 0,
) -> list[Recorded] | Resting:
    """Of what stands in the session, what the author did after position `since`; or the first thing
    of another's that rests on some of it."""
    made: dict[Thing, Recorded] = {}
    taken: list[Recorded] = []
    for entry in standing:
        event = entry.event
        # His own later changes may rest on earlier ones: they go together.
        if entry.first > since and is_his(event.by) and not isinstance(event, _STAYS):
            taken.append(entry)
            made.update(dict.fromkeys(_makes(session, entry), entry))
            continue
        # A change of everything may be one that was taken: all that came after rests on it.
        needed = [_ALL] if taken else []
        for thing in (*needed, *_needs(session, event)):
            if thing in made:
                return Resting(what=entry, on=made[thing])
    return taken


def _makes(session: Session, entry: Recorded) -> Iterator[Thing]:
    """What is not there without the event."""
    event = entry.event
    if isinstance(event, _OF_ALL):
        yield _ALL
    if isinstance(event, BranchOpened):
        yield "branch", event.branch
    if isinstance(event, _OF_STEP):
        yield "attempt", entry.position
        if isinstance(event, StepAdded):
            yield "step", entry.position  # its key
        else:
            yield from _step(session, event.branch, event.number)


def _needs(session: Session, event: Event) -> Iterator[Thing]:
    """What has to be there for the event."""
    branches = [getattr(event, name, None) for name in ("branch", "parent", "into")]
    yield from (("branch", name) for name in branches if name is not None)
    if isinstance(event, BranchOpened):
        yield from _step(session, event.parent, event.leaves)
    if isinstance(event, StepFinished | ValuesKept) and event.attempt is not None:
        yield "attempt", event.attempt
    if isinstance(event, ValuesKept):
        yield "step", event.step
    branch: str | None = getattr(event, "branch", None)
    own = None if isinstance(event, StepAdded) else getattr(event, "number", None)
    named = [own, *getattr(event, "numbers", ())]
    if isinstance(event, Version):
        named.append(event.revises)
    for number in named:
        if branch is not None and number is not None:
            yield from _step(session, branch, number)


def _step(session: Session, branch: str, number: int) -> Iterator[Thing]:
    line = session.lines.get(branch)
    step = None if line is None else step_at(session, line, number)
    if step is not None:
        yield "step", step.key
