"""events ⇄ rows of a SQLite file, which several processes may read and write at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from wfnb.core.events import Event, Recorded, StepAdded, name_of
from wfnb.errors import JournalCorrupt, SessionExists

from .codec import Row, without_gc
from .protocol import SessionInfo, archive_name, no_session, out_of_step
from .sqlite_runs import SqliteRuns

SESSIONS = """
    SELECT id, name, archived, started,
           (SELECT max(position) FROM event WHERE session = id),
           (SELECT at FROM event WHERE session = id ORDER BY position DESC LIMIT 1)
    FROM session ORDER BY id
"""
SESSION = """
    SELECT name, archived, (SELECT max(position) FROM event WHERE session = id)
    FROM session WHERE id = ?
"""
NAMED = "SELECT id FROM session WHERE name = ?"
STEPS = "SELECT count(*) FROM event WHERE session = ? AND type = ?"
EVENTS = """
    SELECT position, first, type, version, body, at
    FROM event WHERE session = ? AND position > ? ORDER BY position
"""
NEW_SESSION = "INSERT INTO session (name, started) VALUES (?, ?)"
NEW_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)"
ARCHIVE = "UPDATE session SET name = ?, archived = 1 WHERE id = ?"


class SqliteJournal(SqliteRuns):
    """A `Journal` in one file, made with its folder when first written."""

    def sessions(self) -> list[SessionInfo]:
        def question(db: sqlite3.Connection) -> list[SessionInfo]:
            return [
                SessionInfo(
                    id=id,
                    name=name,
                    archived=bool(archived),
                    events=events or 0,
                    started=started,
                    changed=started if changed is None else changed,
                )
                for id, name, archived, started, events, changed in db.execute(SESSIONS)
            ]

        return self._database.read(question, nothing=[])

    def find(self, name: str) -> int | None:
        return self._database.read(lambda db: session_named(name, db), nothing=None)

    def create(
        self, name: str, events: Sequence[Event], fresh: bool = False
    ) -> tuple[int, list[Recorded]]:
        now = float(self._clock())
        rows, recorded = self._codec.write(events, 0, now)

        def change(db: sqlite3.Connection) -> int:
            there = session_named(name, db)
            if there and fresh:
                self._archive(there, db)
            elif there:
                (steps,) = db.execute(STEPS, (there, name_of(StepAdded))).fetchone()
                raise SessionExists(name, steps)
            session = db.execute(NEW_SESSION, (name, now)).lastrowid or 0
            insert(rows, session, db)
            return session

        return self._database.write(change), recorded

    def read(self, session: int, after: int = 0) -> list[Recorded]:
        return without_gc(lambda: self._read(session, max(after, 0)))

    def append(self, session: int, events: Sequence[Event], after: int) -> list[Recorded]:
        rows, recorded = self._codec.write(events, after, float(self._clock()))

        def change(db: sqlite3.Connection) -> None:
            name, _, newest = self._session(session, db)
            if newest != after:
                raise out_of_step(self.place, "session", name, newest, after)
            insert(rows, session, db)

        self._database.write(change)
        return recorded

    def archive(self, session: int) -> str:
        return self._database.write(lambda db: self._archive(session, db))

    def _archive(self, session: int, db: sqlite3.Connection) -> str:
        name, archived, _ = self._session(session, db)
        if archived:
            return name
        free = archive_name(name, lambda taken: session_named(taken, db) is not None)
        db.execute(ARCHIVE, (free, session))
        return free

    def close(self) -> None:
        self._database.close()

    def _read(self, session: int, after: int) -> list[Recorded]:
        def question(db: sqlite3.Connection) -> tuple[str, list[Row]]:
            name, _, _ = self._session(session, db)
            return name, db.execute(EVENTS, (session, after)).fetchall()

        found = self._database.read(question, nothing=None)
        if not found:
            raise no_session(self.place, session)
        name, rows = found
        if rows and (rows[0][0], rows[-1][0]) != (after + 1, after + len(rows)):
            raise JournalCorrupt(self.place, f"events of session {name!r} are missing")
        return self._codec.read(rows, self.place, name)

    def _session(self, session: int, db: sqlite3.Connection) -> tuple[str, bool, int]:
        found = db.execute(SESSION, (session,)).fetchone()
        if not found:
            raise no_session(self.place, session)
        name, archived, newest = found
        return name, bool(archived), newest or 0


def session_named(name: str, db: sqlite3.Connection) -> int | None:
    found: tuple[int] | None = db.execute(NAMED, (name,)).fetchone()
    return found[0] if found else None


def insert(rows: Sequence[Row], session: int, db: sqlite3.Connection) -> None:
    db.executemany(NEW_EVENT, [(session, *row) for row in rows])
