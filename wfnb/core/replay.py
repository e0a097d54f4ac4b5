"""events in their places -> the session. Undo is replay without what was undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .apply import apply
from .events import (
    Event,
    ExtensionEvent,
    PlainNamesChanged,
    Recorded,
    Redone,
    SessionRenamed,
    StepFinished,
    TakenBack,
    Undone,
    ValuesKept,
)
from .extension import EXTENSIONS
from .session import Session

# A union that is written where it is asked for is made anew each time, and a history is long.
_BACK = Undone | Redone | TakenBack
_ENDS = StepFinished | ValuesKept
_NO_CHANGES = PlainNamesChanged | SessionRenamed


def _alters_history(event: Event) -> bool:
    """What does not is not undone by itself, and what was undone can be redone after it."""
    if isinstance(event, ExtensionEvent):
        return event.alters_history
    return not isinstance(event, _NO_CHANGES)


def advance(session: Session, entry: Recorded) -> bool:
    """Apply one event. False where it cannot be applied forwards, because it takes back what was
    done: the session has to be replayed then, and is unchanged."""
    event = entry.event
    if isinstance(event, _BACK):
        return False
    if entry.position == entry.first and not _attempt(event) and _alters_history(event):
        session.undo_points.append(entry.first - 1)
    if _alters_history(event):
        session.redoable = 0
    session.position = entry.position
    if session.command != entry.first:
        session.command, session.acting = entry.first, None
    apply(session, event)
    return True


def replay(entries: Iterable[Recorded]) -> Session:
    """The session after all entries, in order of position."""
    standing, undone, position = _sorted_out(entries)
    session = Session()
    for entry in standing:
        advance(session, entry)
    session.position = position
    session.redoable = len(undone)
    return session


def replay_words(entries: Iterable[Recorded]) -> Session:
    """The same without how steps ended and what they kept, in a tenth of the time: what steps say,
    their places, tags and authors, and which are hidden, do not depend on that. What is stale
    does."""
    return replay(entry for entry in entries if not isinstance(entry.event, _ENDS))


def standing(entries: Iterable[Recorded]) -> list[Recorded]:
    """What was recorded and not undone."""
    return _sorted_out(entries)[0]


def redoable(entries: Iterable[Recorded]) -> list[Recorded]:
    """What was undone and can be redone."""
    _, undone, _ = _sorted_out(entries)
    return [entry for gone in undone for entry in gone]


def changes_of_redo(entries: Sequence[Recorded]) -> list[Recorded]:
    """The changes that the last entry, a Redone, brings back. What was taken back out of the middle
    comes back there, so that it need not be the last that stands."""
    held = {entry.position for entry in standing(entries[:-1])}
    back = (entry for entry in standing(entries) if entry.position not in held)
    return [each for each in back if _alters_history(each.event) and not _attempt(each.event)]


def _sorted_out(
    entries: Iterable[Recorded],
) -> tuple[list[Recorded], list[list[Recorded]], int]:
    """What holds, what can be redone, one list for each undo, and the last position."""
    standing: list[Recorded] = []
    undone: list[list[Recorded]] = []
    position = 0
    for entry in entries:
        position = entry.position
        match entry.event:
            case Undone(to=to):
                stay, gone = _split_at(standing, to)
                undone.append(gone)
                standing = _in_order(stay, _remains(gone))
            case TakenBack(positions=positions):
                gone = [entry for entry in standing if entry.position in positions]
                undone.append(gone)
                stay = [entry for entry in standing if entry.position not in positions]
                standing = _in_order(stay, _remains(gone))
            case Redone():
                # Ends of attempts may have been recorded since the undo: all go back to their
                # places.
                standing = _in_order(standing, undone.pop())
            case event:
                standing.append(entry)
                if _alters_history(event):
                    # A new change after an undo is another history: what was undone does not fit it
                    # any more.
                    undone.clear()
    return standing, undone, position


def _split_at(standing: list[Recorded], to: int) -> tuple[list[Recorded], list[Recorded]]:
    """What stays when the session goes back to position `to`, and what goes. The end of an
    attempt that began before stays, with what came of it: another kernel's step may have ended
    meanwhile. So does the session's name: the journal finds it by that. What plain cells give is
    what is in the kernel, which goes on."""
    cut = len(standing)
    while cut and standing[cut - 1].position > to:
        cut -= 1
    stay = standing[:cut]
    gone: list[Recorded] = []
    stays = False
    for entry in standing[cut:]:
        event = entry.event
        if entry.position == entry.first:  # what a command recorded stays, or goes, as a whole
            stays = isinstance(event, _NO_CHANGES) or (_attempt(event) or to + 1) <= to
        (stay if stays else gone).append(entry)
    return stay, gone


def _remains(gone: Iterable[Recorded]) -> list[Recorded]:
    """What slices keep of what goes, each in its place."""
    slices = EXTENSIONS.values()
    left = ((entry, each.remains(entry.event)) for entry in gone for each in slices)
    return [replace(it, event=event, first=it.position) for it, event in left if event is not None]


def _in_order(entries: list[Recorded], more: Sequence[Recorded]) -> list[Recorded]:
    """All by their places; what comes back takes that of what remained of it."""
    if not more:
        return entries  # nearly always, and a history is long
    placed = {entry.position: entry for entry in (*entries, *more)}
    return [placed[position] for position in sorted(placed)]


def _attempt(event: Event) -> int | None:
    """Where the attempt began that the event ends, or keeps values of: it is no change of its
    own."""
    return event.attempt if isinstance(event, _ENDS) else None
