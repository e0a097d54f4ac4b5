"""events in, events out: what every journal answers, whatever it is kept in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from types import EllipsisType
from typing import TYPE_CHECKING, Protocol

from wfnb.core.events import Event, Recorded
from wfnb.errors import BadText, JournalConflict, JournalCorrupt, JournalError
from wfnb.record import record

from .codec import check_keepable

if TYPE_CHECKING:
    from wfnb.workflows.core.events import RunEvent, RunRecorded

FOLLOW = 0.2
"""Seconds between two looks at what other processes recorded."""


@record
class SessionInfo:
    """A session from outside. `started` and `changed` are seconds since 1970 (UTC).

    `id` is its place in this journal; `uid` names it for ever, wherever it is copied from or
    listed: 16 hex digits, None in a journal of an older version that was not written since.
    `notebook` is the path of the notebook that it belongs to, with slashes, relative to the folder
    that holds `.wfnb` where that is possible; None where no notebook is known. `shared` are the
    paths of further notebooks that go on with it because a person wanted it.
    """

    id: int
    name: str
    archived: bool
    events: int
    started: float
    changed: float
    uid: str | None = None
    notebook: str | None = None
    shared: tuple[str, ...] = ()

    @property
    def notebooks(self) -> list[str]:
        """The paths of all notebooks that go on with it."""
        return [path for path in (self.notebook, *self.shared) if path is not None]


@record
class RunInfo:
    """A run from outside. `name` is its own within its session; `step` is the key of the session's
    step it was started from, `parent` the id of the run that called it, `process` the one that has
    it. `started` and `changed` are seconds since 1970 (UTC)."""

    id: int
    session: int
    name: str
    workflow: str
    step: int | None
    parent: int | None
    status: str
    process: str | None
    events: int
    started: float
    changed: float


class Runs(Protocol):
    """An append-only list of events for each run, beside those of the sessions: a session's own
    list does not grow with what its runs do. The promises are those of `Journal`."""

    def begin_run(
        self,
        session: int,
        workflow: str,
        events: Sequence[RunEvent],
        *,
        step: int | None = None,
        parent: int | None = None,
        process: str | None = None,
    ) -> tuple[RunInfo, list[RunRecorded]]:
        """A new run and its first events, atomically. Its name is the workflow's with the next
        number: `deploy-1`, `deploy-2`, … count the runs of `deploy` in this session, those of
        other runs (`parent`, of the same session) included. Its status is `running`."""

    def runs(
        self, session: int | None = None, parent: int | EllipsisType | None = ...
    ) -> list[RunInfo]:
        """Runs in order of creation: of one session or of all; those that a run called, those
        that none called (None), or both. No event is read."""

    def find_run(self, name: str, session: int | None = None) -> list[RunInfo]:
        """The run of that name, in each session that has one or in this."""

    def read_run(self, run: int, after: int = 0) -> list[RunRecorded]:
        """The events whose position is greater than `after`, in order."""

    def append_run(
        self,
        run: int,
        events: Sequence[RunEvent],
        after: int,
        status: str | None = None,
        process: str | None = None,
    ) -> list[RunRecorded]:
        """Events, as `Journal.append`; status and process, where given, change with them."""

    def is_own(self, run: int) -> bool:
        """Whether this user has begun the run, or trusted it: else it may be of anybody."""

    def seal(self, run: int) -> None:
        """The run, as it is now, is this user's."""

    def run_changed(self, run: int) -> int:
        """The position of the newest event, whoever recorded it."""


class Journal(Runs, Protocol):
    """An append-only list of events for each session, and for each run of it.

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

    def find_uid(self, uid: str) -> int | None:
        """The session of that permanent id, archived or not."""

    def info(self, session: int) -> SessionInfo:
        """A session from outside. `JournalCorrupt` where it is not in this journal."""

    def create(
        self,
        name: str,
        events: Sequence[Event],
        fresh: bool = False,
        notebook: str | None = None,
    ) -> tuple[int, list[Recorded]]:
        """A new session, its permanent id and its first events, atomically. Where the name is
        taken, `fresh` archives that session with it; else raises `SessionExists`."""

    def copy(
        self,
        name: str,
        entries: Sequence[Recorded],
        runs: Sequence[tuple[RunInfo, Sequence[RunRecorded]]] = (),
        notebook: str | None = None,
    ) -> int:
        """A new session with a permanent id of its own, that has these events, and these runs, of
        another session of this journal or another one: atomically, each event at its place and
        time. A last event gives it its name. `SessionExists` where the name is taken."""

    def set_notebook(self, session: int, notebook: str | None, shared: Sequence[str] = ()) -> None:
        """The notebook of a session is at that path now, and these others go on with it, too."""

    def cells(self, session: int) -> frozenset[str]:
        """The ids of all notebook cells that the events of a session name."""

    def read(self, session: int, after: int = 0) -> list[Recorded]:
        """The events whose position is greater than `after`, in order."""

    def append(self, session: int, events: Sequence[Event], after: int) -> list[Recorded]:
        """The events of one command, atomically: all share `first`, which is `after + 1`. A
        `SessionRenamed` among them renames the session; `SessionExists` where the name is taken.
        An archived session that is renamed is archived no more.

        Raises `JournalConflict` when the newest event is not at `after`: read on, decide again.
        Where the journal has less than `after`, nobody wrote first and there is nothing to read:
        that is `JournalCorrupt`.
        """

    def archive(self, session: int) -> str:
        """Rename to the next free of NAME~1, NAME~2, … and return that; the name is free again.

        Ids do not change: a process that has the session open goes on writing to it, and its runs
        stay its own. An archived session keeps its name.
        """

    def close(self) -> None:
        """Let go of the file. The next call opens it again."""


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
