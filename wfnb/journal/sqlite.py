"""events ⇄ rows of a SQLite file, which several processes may read and write at once."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from wfnb.core.events import Event, Recorded, SessionRenamed, StepAdded, name_of
from wfnb.errors import JournalCorrupt, JournalError, JournalGone, SessionExists
from wfnb.gc_pause import without_gc
from wfnb.trust import Trust

from .checksums import digest_of, sum_of
from .codec import Codec, Row
from .database import LOCK_TIMEOUT, Database
from .event_streams import Tag
from .memory_database import MemoryDatabase
from .readonly_database import ReadOnlyDatabase
from .schema import NO_SUM, WITH_IDENTITY, WITH_SUMS, transaction, version
from .session_info import RunInfo, SessionInfo, archive_name, no_session, out_of_step, paths_text
from .sqlite_runs import SqliteRuns, StreamRows

if TYPE_CHECKING:
    from wfnb.workflows.core.events import RunRecorded

SESSIONS = """
    SELECT (SELECT max(position) FROM event WHERE session = id),
           (SELECT at FROM event WHERE session = id ORDER BY position DESC LIMIT 1),
           id, name, archived, started, {}
    FROM session {} ORDER BY id
"""
SESSION = """
    SELECT (SELECT max(position) FROM event WHERE session = id),
           id, name, archived, started, {}
    FROM session WHERE id = ?
"""
ALL = "SELECT id, name, archived, started, {} FROM session NOT INDEXED ORDER BY id"
"""Through no index: what is wrong with one is not told from there being no such session."""
UNSUMMED = """
    SELECT name FROM session WHERE id = ? AND sum = ? AND NOT EXISTS
        (SELECT 1 FROM event WHERE session = session.id AND version < 256)
"""
STEPS = "SELECT count(*) FROM event WHERE session = ? AND type = ?"
NEW_SESSION = "INSERT INTO session (name, started) VALUES (?, ?)"
ONE = "SELECT id, name, archived, started, uid, notebook FROM session WHERE id = ?"
SET_SUM = "UPDATE session SET sum = ? WHERE id = ?"
ARCHIVE = "UPDATE session SET name = ?, archived = 1 WHERE id = ?"
RENAME = "UPDATE session SET name = ?, archived = 0 WHERE id = ?"
CELLS = """
    SELECT DISTINCT json_extract(body, '$.cell.id') AS cell FROM event
    WHERE session = ? AND instr(body, '"cell":{') AND cell IS NOT NULL
"""
BODIES = "SELECT body FROM event WHERE session = ?"
TIME = "SELECT at FROM event WHERE session = ? AND position = ?"
SET_NOTEBOOK = "UPDATE session SET notebook = ? WHERE id = ?"


class Journal(SqliteRuns):
    """An append-only list of events for each session, and for each run of it: `SqliteJournal` or
    `MemoryJournal`.

    Every call raises `JournalError` when what it is kept in says no; what was recorded stays,
    and the same journal works again once the obstacle is gone. An event that JSON cannot hold
    is refused with `BadText`. What is returned is what will be read: events as JSON keeps them.
    """

    def sessions(self) -> list[SessionInfo]:
        """All sessions, in order of creation."""
        return self._database.read(lambda db: infos(db, self.place), nothing=[])

    def info(self, session: int) -> SessionInfo:
        """A session from outside. `JournalCorrupt` where it is not in this journal."""
        nothing: list[SessionInfo] = []
        matches = self._database.read(lambda db: infos(db, self.place, session), nothing)
        if not matches:
            raise self._missing_error(no_session(self.place, session))
        return matches[0]

    def find(self, name: str) -> int | None:
        """The session of that name. An archived one has only its archive name."""
        return self._database.read(lambda db: self._find_id(name, db), nothing=None)

    def find_uid(self, uid: str) -> int | None:
        """The session of that permanent id, archived or not."""

        def question(db: sqlite3.Connection) -> int | None:
            # All rows are read and checked: a changed row must not pass for a session that is not
            # there.
            return next((row[0] for row in self._all(db) if row[4] == uid), None)

        return self._database.read(question, nothing=None)

    def create(
        self,
        name: str,
        events: Sequence[Event],
        fresh: bool = False,
        notebook: str | None = None,
    ) -> tuple[int, list[Recorded]]:
        """A new session, its permanent id and its first events, atomically. Where the name is
        taken, `fresh` archives that session with it; else raises `SessionExists`."""
        notebook = paths_text(notebook)
        now = float(self._clock())
        rows, recorded = self._codec.write(events, 0, now)

        def change(db: sqlite3.Connection) -> int:
            existing = self._find_id(name, db)
            # In one transaction: no other process finds the name free in between.
            if existing and fresh:
                self._archive(existing, db)
            self._is_free(name, db)
            session = new_session(name, now, notebook, db)
            self._events.insert(rows, session, 0, db)
            return session

        return self._database.write(change, new=True), recorded

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
        notebook = paths_text(notebook)
        now = float(self._clock())
        last = entries[-1].position if entries else 0
        # As they are, times included: by its first event a copy is known to be one.
        rows = self._codec.rewrite(entries)
        rows += self._codec.write([SessionRenamed(name=name)], last, now)[0]

        def change(db: sqlite3.Connection) -> int:
            self._is_free(name, db)
            session = new_session(name, now, notebook, db)
            self._events.insert(rows, session, 0, db)
            self._copy_runs(session, runs, db)
            return session

        return self._database.write(change, new=True)

    def set_notebook(self, session: int, notebook: str | None, shared: Sequence[str] = ()) -> None:
        """The notebook of a session is at that path now, and these others go on with it, too."""
        paths = paths_text(notebook, shared)

        def change(db: sqlite3.Connection) -> None:
            self._session(session, db)
            db.execute(SET_NOTEBOOK, (paths, session))
            set_sum(session, db)

        self._database.write(change)

    def read(self, session: int, after: int = 0) -> list[Recorded]:
        """The events whose position is greater than `after`, in order."""
        return without_gc(lambda: self._read(session, max(after, 0)))

    def time(self, session: int, position: int) -> float | None:
        """When an event was recorded (seconds since 1970); None where there is none."""

        def question(db: sqlite3.Connection) -> float | None:
            row = db.execute(TIME, (session, position)).fetchone()
            return float(row[0]) if row and isinstance(row[0], float) else None

        return self._database.read(question, nothing=None)

    def digest(
        self, session: int, upto: Sequence[int] | None = None
    ) -> tuple[tuple[int, ...], str]:
        """How many events there are of the session, and of each of its runs as they began, or are
        up to these numbers; and a digest of all of them, which is another where anything is another
        that stays as it was recorded. JournalCorrupt."""

        def question(db: sqlite3.Connection) -> list[StreamRows]:
            name, _, newest = self._session(session, db)
            own = self._events.rows(session, name, 0, newest, db)
            self._check_writer(session, db)
            return [((), own), *self._run_streams(session, db)]

        nothing: list[StreamRows] = []
        streams = self._database.read(lambda db: transaction(db, "DEFERRED", question), nothing)
        counts = upto or [len(rows) for _, rows in streams]
        # What came later is none of it: how a run went on, and those that began since.
        chosen = [
            (head, rows[:count]) for (head, rows), count in zip(streams, counts, strict=False)
        ]
        facts = [row for head, rows in chosen for row in (*filter(None, (head,)), *rows)]
        return tuple(len(rows) for _, rows in chosen), digest_of(facts)

    def _check_writer(self, session: int, db: sqlite3.Connection) -> None:
        """Raise `JournalCorrupt` for a row without a sum where each event has one. Only to verify:
        an older wfnb archives a session, which it cannot read, by such a row."""
        unsummed = version(db) >= WITH_SUMS and db.execute(UNSUMMED, (session, NO_SUM)).fetchone()
        if unsummed:
            what = (
                f"the name, notebook or times of session {unsummed[0]!r} were changed by another "
            )
            raise JournalCorrupt(self.place, f"{what}program, or an older wfnb")

    def cells(self, session: int) -> frozenset[str]:
        """The ids of all notebook cells that the events of a session name."""

        def question(db: sqlite3.Connection) -> frozenset[str]:
            return frozenset(id for (id,) in db.execute(CELLS, (session,)))

        return self._database.read(question, nothing=frozenset())

    def mentions(self, session: int, words: Iterable[str]) -> bool:
        """Whether each of the words is somewhere in what was recorded in a session, in any case.
        What was undone counts, too: a session that does not need not be read."""
        # As JSON spells them in a body.
        spelled = {json.dumps(word, ensure_ascii=False)[1:-1].casefold() for word in words}

        def question(db: sqlite3.Connection) -> bool:
            missing = set(spelled)
            for (body,) in db.execute(BODIES, (session,)) if missing else ():
                folded = body.casefold()
                missing = {word for word in missing if word not in folded}
                if not missing:
                    break
            return not missing

        return self._database.read(question, nothing=False)

    def append(self, session: int, events: Sequence[Event], after: int) -> list[Recorded]:
        """The events of one command, atomically: all share `first`, which is `after + 1`. A
        `SessionRenamed` among them renames the session; `SessionExists` where the name is taken.
        An archived session that is renamed is archived no more.

        Raises `JournalConflict` when the newest event is not at `after`: read on, decide again.
        Where the journal has less than `after`, nobody wrote first and there is nothing to read:
        that is `JournalCorrupt`.
        """
        # Outside of the transaction: what takes time, or is refused, holds no lock on the file.
        rows, recorded = self._codec.write(events, after, float(self._clock()))

        def change(db: sqlite3.Connection) -> None:
            name, _, newest = self._session(session, db)
            if newest != after:
                raise out_of_step(self.place, "session", name, newest, after)
            for renamed in (event.name for event in events if isinstance(event, SessionRenamed)):
                self._is_free(renamed, db, but=session)
                db.execute(RENAME, (renamed, session))
                set_sum(session, db)
            self._events.insert(rows, session, after, db)

        self._database.write(change)
        return recorded

    def archive(self, session: int) -> str:
        """Rename to the next free of NAME~1, NAME~2, … and return that; the name is free again.

        Ids do not change: a process that has the session open goes on writing to it, and its runs
        stay its own. An archived session keeps its name.
        """
        return self._database.write(lambda db: self._archive(session, db))

    def _archive(self, session: int, db: sqlite3.Connection) -> str:
        name, archived, _ = self._session(session, db)
        if archived:
            return name
        free = archive_name(name, lambda taken: self._find_id(taken, db) is not None)
        db.execute(ARCHIVE, (free, session))
        set_sum(session, db)
        return free

    def _is_free(self, name: str, db: sqlite3.Connection, but: int | None = None) -> None:
        """Raise `SessionExists` where another session than `but` has that name."""
        owner = self._find_id(name, db)
        if owner not in (None, but):
            (steps,) = db.execute(STEPS, (owner, name_of(StepAdded))).fetchone()
            raise SessionExists(name, steps)

    def close(self) -> None:
        """Let go of the file. The next call opens it again."""
        self._database.close()

    def _read(self, session: int, after: int) -> list[Recorded]:
        def question(db: sqlite3.Connection) -> tuple[str, list[Row]]:
            name, _, newest = self._session(session, db)
            return name, self._events.rows(session, name, after, newest, db)

        answer = self._database.read(lambda db: transaction(db, "DEFERRED", question), nothing=None)
        if not answer:
            raise JournalGone(self.place)
        name, rows = answer
        return self._codec.read(rows, self.place, name)

    def _session(self, session: int, db: sqlite3.Connection) -> tuple[str, bool, int]:
        session_row = db.execute(SESSION.format(columns(db)), (session,)).fetchone()
        if not session_row:
            raise no_session(self.place, session)
        newest, *row = session_row
        check(row, self.place)
        return row[1], bool(row[2]), newest or 0

    def _all(self, db: sqlite3.Connection) -> list[tuple[Any, ...]]:
        rows = db.execute(ALL.format(columns(db))).fetchall()
        for row in rows:
            check(row, self.place)
        return rows

    def _find_id(self, name: str, db: sqlite3.Connection) -> int | None:
        return next((row[0] for row in self._all(db) if row[1] == name), None)


class SqliteJournal(Journal):
    """A journal in one file, made with its folder when first written.

    `busy` is how long to wait for other processes, in seconds, before `JournalLocked`; `vfs`
    names one of SQLite's interfaces to the file system (`unix-dotfile` where locks fail).
    `read_only`: nothing is written, neither the file nor what SQLite has beside it, and whatever
    would record something raises `JournalReadOnly`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Callable[[], float] = time.time,
        busy: float = LOCK_TIMEOUT,
        vfs: str | None = None,
        codec: Codec | None = None,
        read_only: bool = False,
        trust: Trust | None = None,
    ) -> None:
        place = os.path.abspath(path)
        file = ReadOnlyDatabase(place, busy) if read_only else Database(place, busy, vfs)
        super().__init__(file, clock, codec, trust)


class MemoryJournal(Journal):
    """A journal that ends with its process: for tests and scratch sessions. All that is in it is
    of this process, so that nothing is signed and no file is touched."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(MemoryDatabase(), clock)

    def _is_own(self, run: int, db: sqlite3.Connection) -> bool:
        return True

    def _tag(self, run: int, db: sqlite3.Connection) -> Tag | None:
        return None

    def _seal(self, run: int, db: sqlite3.Connection) -> None:
        """Nobody else has any of it."""

    def seal_fault(self) -> str:
        return ""

    def _missing_error(self, replaced: JournalError) -> JournalError:
        return replaced


def columns(db: sqlite3.Connection) -> str:
    """Those that not every version has: uid, notebook, sum."""
    return _columns(version(db))


@cache
def _columns(tables_version: int) -> str:
    optional = [("uid", WITH_IDENTITY), ("notebook", WITH_IDENTITY), ("sum", WITH_SUMS)]
    # A file of an older version is read as it is, and only changed when something is recorded.
    absent = {"sum": str(NO_SUM)}
    return ", ".join(
        name if tables_version >= since else absent.get(name, "NULL") for name, since in optional
    )


def check(row: Sequence[object], place: str) -> None:
    """Raise `JournalCorrupt` for a session's row that has another sum."""
    *says, sum = row
    if sum not in (NO_SUM, sum_of(*says)):
        raise JournalCorrupt(place, f"session {row[0]} is not as it was written")


def set_sum(session: int, db: sqlite3.Connection) -> None:
    """After any change of its row."""
    if version(db) >= WITH_SUMS:
        (row,) = db.execute(ONE, (session,)).fetchall()
        db.execute(SET_SUM, (sum_of(*row), session))


def infos(db: sqlite3.Connection, place: str, session: int | None = None) -> list[SessionInfo]:
    """All sessions, or one, from outside."""
    where, wanted = ("", ()) if session is None else ("WHERE id = ?", (session,))
    every = []
    for events, changed, *row in db.execute(SESSIONS.format(columns(db), where), wanted):
        check(row, place)
        id, name, archived, started, uid, notebook, _ = row
        every.append(
            SessionInfo(
                id=id,
                name=name,
                archived=bool(archived),
                events=events or 0,
                started=started,
                changed=started if changed is None else changed,
                uid=uid,
                # One column has all paths of a session, that of its own notebook first.
                notebook=notebook.split("\n")[0] if notebook else None,
                shared=tuple(notebook.split("\n")[1:]) if notebook else (),
            )
        )
    return every


def new_session(name: str, now: float, notebook: str | None, db: sqlite3.Connection) -> int:
    session = db.execute(NEW_SESSION, (name, now)).lastrowid or 0
    if notebook is not None:
        db.execute(SET_NOTEBOOK, (notebook, session))
    set_sum(session, db)
    return session
