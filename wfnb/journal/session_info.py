"""a session or a run from outside; the text of its notebooks; why one is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from wfnb.errors import BadText, JournalConflict, JournalCorrupt, JournalError
from wfnb.frozen_record import record

from .codec import check_keepable

FOLLOW = 0.2
"""Seconds between two looks at what other processes recorded."""


@record
class SessionInfo:
    """A session from outside. Times are seconds since 1970 (UTC)."""

    id: int
    """Its place in this journal."""
    name: str
    archived: bool
    events: int
    started: float
    changed: float
    uid: str | None = None
    """Names it for ever, wherever it is copied from or listed: 16 hex digits. None in a journal of
    an older version that was not written since."""
    notebook: str | None = None
    """The path of the notebook that it belongs to, with slashes, relative to the folder that holds
    `.wfnb` where that is possible; None where no notebook is known."""
    shared: tuple[str, ...] = ()
    """The paths of further notebooks that go on with it because a person wanted it."""

    @property
    def notebooks(self) -> list[str]:
        """The paths of all notebooks that go on with it."""
        return [path for path in (self.notebook, *self.shared) if path is not None]


@record
class RunInfo:
    """A run from outside. Times are seconds since 1970 (UTC)."""

    id: int
    session: int
    name: str
    """Its own within its session."""
    workflow: str
    step: int | None
    """The key of the session's step it was started from."""
    parent: int | None
    """The id of the run that called it."""
    status: str
    process: str | None
    """The one that has it."""
    events: int
    started: float
    changed: float


def archive_name(name: str, taken: Callable[[str], bool]) -> str:
    """The first of NAME~1, NAME~2, … that is free.

    >>> archive_name("churn", {"churn", "churn~1"}.__contains__)
    'churn~2'
    """
    return next(free for n in count(1) if not taken(free := f"{name}~{n}"))


def paths_text(notebook: str | None, shared: Sequence[str] = ()) -> str | None:
    """The paths of a session's notebooks as one text, a line each. `BadText` for a path that
    cannot be kept so."""
    paths = [path for path in (notebook, *shared) if path is not None]
    for path in paths:
        check_keepable("A notebook's path", path)
        if "\n" in path:
            why = "has a line break"
            raise BadText("A notebook's path", why, "Nothing was recorded.")
    return "\n".join(paths) or None


def no_session(place: str, session: int) -> JournalCorrupt:
    """Sessions are never removed: an id that is not there was of another file."""
    return JournalCorrupt(place, f"session {session} is not in it: was the file replaced?")


def no_run(place: str, run: int) -> JournalCorrupt:
    """Nor are runs."""
    return JournalCorrupt(place, f"run {run} is not in it: was the file replaced?")


def out_of_step(place: str, kind: str, name: str, newest: int, after: int) -> JournalError:
    """Why nothing can be appended after event `after` of a session or run (the `kind`) that ends
    at `newest`."""
    if newest > after:
        return JournalConflict(name, after)
    what = f"{kind} {name!r} ends at event {newest}, not {after}: was the file replaced?"
    return JournalCorrupt(place, what)
