"""events in, events out: what every journal answers, whatever it is kept in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Protocol

from wfnb.core.events import Event, Recorded
from wfnb.core.record import record
from wfnb.errors import JournalConflict, JournalCorrupt, JournalError


@record
class SessionInfo:
    """A session from outside. `started` and `changed` are seconds since 1970 (UTC)."""

    id: int
    name: str
    archived: bool
    events: int
    started: float
    changed: float


class Journal(Protocol):
    """An append-only list of events for each session.

    Every call raises `JournalError` when what it is kept in says no; what was recorded stays,
    and the same journal works again once the obstacle is gone. An event that JSON cannot hold
    is refused with `BadText`. What is returned is what will be read: events as JSON keeps them.
    """

    place: str
    """Where it is: a path, or `memory`."""

    def sessions(self) -> list[SessionInfo]:
        """All sessions, in order of creation."""

    def find(self, name: str) -> int | None:
        """The session of that name. An archived one has only its archive name."""

    def create(
        self, name: str, events: Sequence[Event], fresh: bool = False
    ) -> tuple[int, list[Recorded]]:
        """A new session and its first events, atomically. Where the name is taken, `fresh` archives
        that session with it; else raises `SessionExists`."""

    def read(self, session: int, after: int = 0) -> list[Recorded]:
        """The events whose position is greater than `after`, in order."""

    def append(self, session: int, events: Sequence[Event], after: int) -> list[Recorded]:
        """The events of one command, atomically: all share `first`, which is `after + 1`.

        Raises `JournalConflict` when the newest event is not at `after`: read on, decide again.
        Where the journal has less than `after`, nobody wrote first and there is nothing to read:
        that is `JournalCorrupt`.
        """

    def archive(self, session: int) -> str:
        """Rename to the next free of NAME~1, NAME~2, … and return that; the name is free again.

        Ids do not change: a process that has the session open goes on writing to it. An
        archived session keeps its name.
        """

    def close(self) -> None:
        """Let go of the file. The next call opens it again."""


def archive_name(name: str, taken: Callable[[str], bool]) -> str:
    """The first of NAME~1, NAME~2, … that is free.

    >>> archive_name("churn", {"churn", "churn~1"}.__contains__)
    'churn~2'
    """
    return next(free for n in count(1) if not taken(free := f"{name}~{n}"))


def no_session(place: str, session: int) -> JournalCorrupt:
    """Sessions are never removed: an id that is not there was of another file."""
    return JournalCorrupt(place, f"session {session} is not in it: was the file replaced?")


def out_of_step(place: str, name: str, newest: int, after: int) -> JournalError:
    """Why nothing can be appended after event `after` of a session that ends at `newest`."""
    if newest > after:
        return JournalConflict(name, after)
    what = f"session {name!r} ends at event {newest}, not {after}: was the file replaced?"
    return JournalCorrupt(place, what)
