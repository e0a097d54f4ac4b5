"""events of runs ⇄ rows of a SQLite file; what is asked of runs without their events is a row."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING

from wfnb.errors import JournalCorrupt

from .codec import Codec, Row, keepable, without_gc
from .database import Database
from .protocol import RunInfo, no_run, no_session, out_of_step
from .schema import WITH_RUNS, transaction, version

if TYPE_CHECKING:
    from wfnb.core.runs.events import RunEvent, RunRecorded

COLUMNS = tuple(RunInfo.__dataclass_fields__)
NAMES = ", ".join(COLUMNS)
NEWEST = "max(events, coalesce((SELECT max(position) FROM run_event WHERE run = id), 0))"
"""A run's row is written when its status changes, not with each event: what a step writes is then
one page of the file, not two. A row knows how many events there were then, and what follows adds
to them."""
CHANGED = "(SELECT at FROM run_event WHERE run = id ORDER BY position DESC LIMIT 1)"
NOW = {"events": NEWEST, "changed": f"max(changed, coalesce({CHANGED}, 0))"}
FOUND = f"""
    SELECT {", ".join(NOW.get(column, column) for column in COLUMNS)}
    FROM run WHERE {{}} ORDER BY id
"""
HEAD = f"SELECT name, {NEWEST} FROM run WHERE id = ?"
ROWS = """
    SELECT position, first, type, version, body, at
    FROM run_event WHERE run = ? AND position > ? ORDER BY position
"""
IS_SESSION = "SELECT 1 FROM session WHERE id = ?"
IS_RUN = "SELECT 1 FROM run WHERE id = ? AND session = ?"
COUNTED = "SELECT coalesce(max(number), 0) FROM run WHERE session = ? AND workflow = ?"
NEW_RUN = f"INSERT INTO run (number, {NAMES}) VALUES (?{', ?' * len(COLUMNS)})"
NEW_ROW = "INSERT INTO run_event VALUES (?, ?, ?, ?, ?, ?, ?)"
CHANGES = """
    UPDATE run SET events = ?, changed = ?,
                   status = coalesce(?, status), process = coalesce(?, process)
    WHERE id = ?
"""


class SqliteRuns:
    """The runs of a journal in one file.

    `busy` is how long to wait for other processes, in seconds, before `JournalLocked`; `vfs`
    names one of SQLite's interfaces to the file system (`unix-dotfile` where locks fail).
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Callable[[], float] = time.time,
        busy: float = 5.0,
        vfs: str | None = None,
        codec: Codec | None = None,
    ) -> None:
        self.place = os.path.abspath(path)
        self._clock = clock
        self._codec = codec or Codec()
        self._database = Database(self.place, busy, vfs)

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
        keepable("A workflow's name", workflow)
        keepable("A process's name", process)
        now = float(self._clock())
        rows, recorded = self._codec.write_run(events, 0, now)

        def change(db: sqlite3.Connection) -> RunInfo:
            if not db.execute(IS_SESSION, (session,)).fetchone():
                raise no_session(self.place, session)
            if parent is not None and not db.execute(IS_RUN, (parent, session)).fetchone():
                raise no_run(self.place, parent)
            number = db.execute(COUNTED, (session, workflow)).fetchone()[0] + 1
            name = f"{workflow}-{number}"
            row = (session, name, workflow, step, parent, "running", process, len(rows), now, now)
            run = db.execute(NEW_RUN, (number, None, *row)).lastrowid or 0
            insert(rows, run, db)
            return info((run, *row))

        return self._database.write(change), recorded

    def runs(
        self, session: int | None = None, parent: int | EllipsisType | None = ...
    ) -> list[RunInfo]:
        return self._found(session=... if session is None else session, parent=parent)

    def find_run(self, name: str, session: int | None = None) -> list[RunInfo]:
        return self._found(name=name, session=... if session is None else session)

    def read_run(self, run: int, after: int = 0) -> list[RunRecorded]:
        return without_gc(lambda: self._read_run(run, max(after, 0)))

    def append_run(
        self,
        run: int,
        events: Sequence[RunEvent],
        after: int,
        status: str | None = None,
        process: str | None = None,
    ) -> list[RunRecorded]:
        keepable("A run's status", status)
        keepable("A process's name", process)
        now = float(self._clock())
        rows, recorded = self._codec.write_run(events, after, now)

        def change(db: sqlite3.Connection) -> None:
            head = db.execute(HEAD, (run,)).fetchone()
            if not head:
                raise no_run(self.place, run)
            name, newest = head
            if newest != after:
                raise out_of_step(self.place, "run", name, newest, after)
            if status is not None or process is not None:
                db.execute(CHANGES, (after + len(rows), now, status, process, run))
            insert(rows, run, db)

        self._database.write(change)
        return recorded

    def run_changed(self, run: int) -> int:
        head = self._database.read(lambda db: run_head(run, db), nothing=None)
        if not head:
            raise no_run(self.place, run)
        return head[1]

    def _found(self, **wanted: str | int | EllipsisType | None) -> list[RunInfo]:
        """The runs whose columns are as wanted, where anything (...) is not."""
        wanted = {column: value for column, value in wanted.items() if value is not ...}
        where = " AND ".join(f"{column} IS ?" for column in wanted) or "true"

        def question(db: sqlite3.Connection) -> list[RunInfo]:
            if version(db) < WITH_RUNS:
                return []
            return [info(row) for row in db.execute(FOUND.format(where), (*wanted.values(),))]

        return without_gc(lambda: self._database.read(question, nothing=[]))

    def _read_run(self, run: int, after: int) -> list[RunRecorded]:
        def question(db: sqlite3.Connection) -> tuple[str, int, list[Row]] | None:
            head = run_head(run, db)
            return (*head, db.execute(ROWS, (run, after)).fetchall()) if head else None

        found = self._database.read(lambda db: transaction(db, "DEFERRED", question), nothing=None)
        if not found:
            raise no_run(self.place, run)
        name, newest, rows = found
        if [row[0] for row in rows] != [*range(after + 1, newest + 1)]:
            raise JournalCorrupt(self.place, f"events of run {name!r} are missing")
        return self._codec.read_run(rows, self.place, name)


def run_head(run: int, db: sqlite3.Connection) -> tuple[str, int] | None:
    """Name and newest position of a run, if it is there."""
    if version(db) < WITH_RUNS:
        return None
    found: tuple[str, int] | None = db.execute(HEAD, (run,)).fetchone()
    return found


def info(row: tuple[object, ...]) -> RunInfo:
    return RunInfo(**dict(zip(COLUMNS, row, strict=True)))  # type: ignore[arg-type]


def insert(rows: Sequence[Row], run: int, db: sqlite3.Connection) -> None:
    db.executemany(NEW_ROW, [(run, *row) for row in rows])
