"""events of runs ⇄ rows of a SQLite file; what is asked of runs without their events is a row."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING

from wfnb.errors import JournalCorrupt, JournalError, JournalGone
from wfnb.gc_pause import without_gc
from wfnb.trust import EVENT, RUN, Trust, own_trust

from .checksums import digest_of, plain_sum, sum_of, with_tag
from .clock import RunClock, steady
from .codec import Codec, Row, check_keepable
from .database import Database
from .event_streams import Stream, Tag
from .memory_database import MemoryDatabase
from .readonly_database import ReadOnlyDatabase
from .schema import NO_SUM, WITH_RUNS, WITH_SUMS, transaction, version
from .session_info import RunInfo, no_run, no_session, out_of_step

if TYPE_CHECKING:
    from wfnb.workflows.core.events import RunEvent, RunRecorded

COLUMNS = tuple(RunInfo.__dataclass_fields__)
NAMES = ", ".join(COLUMNS)
NEWEST = "max(events, coalesce((SELECT max(position) FROM run_event WHERE run = id), 0))"
"""A run's row is written when its status changes, not with each event: what a step writes is then
one page of the file, not two. A row knows how many events there were then, and what follows adds
to them."""
CHANGED = "(SELECT at FROM run_event WHERE run = id ORDER BY position DESC LIMIT 1)"
NOW = {"events": NEWEST, "changed": f"max(changed, coalesce({CHANGED}, 0))"}
FOUND = f"""
    SELECT {", ".join(NOW.get(column, column) for column in COLUMNS)}, {NAMES}, {{}}
    FROM run WHERE {{}} ORDER BY id
"""
GOING = f"SELECT {NEWEST} > events, {NAMES}, {{}} FROM run WHERE status = 'running' ORDER BY id"
FIXED = ("number", "workflow", "name", "step", "parent", "started")
"""Columns of a run that stay as they were when it began."""
BEGAN = f"SELECT {NEWEST}, {', '.join(FIXED)}, {NAMES}, {{}} FROM run WHERE session = ? ORDER BY id"
StreamRows = tuple[tuple[object, ...], list[Row]]
"""What a list of events is of, and its events."""
HEAD = f"SELECT name, {NEWEST}, {NAMES}, {{}} FROM run WHERE id = ?"
FIRST_SUMMED = "(SELECT version > 255 FROM run_event WHERE run = run.id ORDER BY position LIMIT 1)"
RUN_SUM = f"CASE WHEN sum = {NO_SUM} AND {FIRST_SUMMED} THEN NULL ELSE sum END"
"""An older wfnb cannot read a run whose events have sums: if its row has none, some other program
has changed that."""
SUMMED = f"number, {NAMES}"
SEALED = "SELECT seal FROM run WHERE id = ?"
SEAL = "UPDATE run SET seal = ? WHERE id = ?"
SET_SUM = "UPDATE run SET sum = ? WHERE id = ?"
WHOSE = "SELECT session.uid, run.name FROM run, session WHERE run.id = ? AND session.id = session"
IS_SESSION = "SELECT 1 FROM session WHERE id = ?"
IS_RUN = "SELECT 1 FROM run WHERE id = ? AND session = ?"
COUNTED = "SELECT coalesce(max(number), 0) FROM run WHERE session = ? AND workflow = ?"
NEW_RUN = f"INSERT INTO run (number, {NAMES}) VALUES (?{', ?' * len(COLUMNS)})"
CHANGES = """
    UPDATE run SET events = ?, changed = ?,
                   status = coalesce(?, status), process = coalesce(?, process)
    WHERE id = ?
"""


class SqliteRuns:
    """The runs of a journal: an append-only list of events for each, beside those of the sessions,
    so that a session's own list does not grow with what its runs do. The promises are those of
    `Journal`. `place` is where it is: a path, or `memory`."""

    def __init__(
        self,
        database: Database | ReadOnlyDatabase | MemoryDatabase,
        clock: Callable[[], float] = time.time,
        codec: Codec | None = None,
        trust: Trust | None = None,
    ) -> None:
        self._database = database
        self.place = database.path
        self._events = Stream("event", "session", self.place)
        self._run_events = Stream("run_event", "run", self.place)
        self._trust = trust or own_trust()
        self._clock = clock
        self._times = RunClock(clock, steady if clock is time.time else None)
        self._codec = codec or Codec()

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
        check_keepable("A workflow's name", workflow)
        check_keepable("A process's name", process)
        now = float(self._clock())
        rows, recorded = self._codec.write_run(events, 0, now)

        def change(db: sqlite3.Connection) -> RunInfo:
            if not db.execute(IS_SESSION, (session,)).fetchone():
                raise no_session(self.place, session)
            if parent is not None and not db.execute(IS_RUN, (parent, session)).fetchone():
                raise no_run(self.place, parent)
            # Within the transaction: two processes that begin a run at once get two numbers.
            number = db.execute(COUNTED, (session, workflow)).fetchone()[0] + 1
            name = f"{workflow}-{number}"
            row = (session, name, workflow, step, parent, "running", process, len(rows), now, now)
            run = db.execute(NEW_RUN, (number, None, *row)).lastrowid or 0
            self._run_events.insert(rows, run, 0, db, self._tag(run, db))
            self._update_sum(run, db)
            return info((run, *row))

        begun = self._database.write(change)
        self._times.begin(begun.id, now)
        return begun, recorded

    def runs(
        self, session: int | None = None, parent: int | EllipsisType | None = ...
    ) -> list[RunInfo]:
        """Runs in order of creation: of one session or of all; those that a run called, those
        that none called (None), or both. No event is read."""
        return self._select(session=... if session is None else session, parent=parent)

    def going_runs(self) -> list[tuple[RunInfo, bool]]:
        """The runs of all sessions that have not ended, those that others called too, and whether
        something was recorded of each since its process changed: of a parked one an answer."""

        def question(db: sqlite3.Connection) -> list[tuple[RunInfo, bool]]:
            tables_version = version(db)
            rows = (
                db.execute(GOING.format(_sums(tables_version)))
                if tables_version >= WITH_RUNS
                else ()
            )
            going = []
            for newer, *row in rows:
                self._check(row)
                going.append((info(tuple(row[: len(COLUMNS)])), bool(newer)))
            return going

        return self._database.read(question, nothing=[])

    def find_run(self, name: str, session: int | None = None) -> list[RunInfo]:
        """The run of that name, in each session that has one or in this."""
        return self._select(name=name, session=... if session is None else session)

    def read_run(self, run: int, after: int = 0) -> list[RunRecorded]:
        """The events whose position is greater than `after`, in order."""
        return without_gc(lambda: self._read_run(run, max(after, 0)))

    def append_run(
        self,
        run: int,
        events: Sequence[RunEvent],
        after: int,
        status: str | None = None,
        process: str | None = None,
    ) -> list[RunRecorded]:
        """Events, as `Journal.append`; status and process, where given, change with them."""
        check_keepable("A run's status", status)
        check_keepable("A process's name", process)
        now = self._times.next_time(run, status)
        rows, recorded = self._codec.write_run(events, after, now)

        def change(db: sqlite3.Connection) -> None:
            head = self._head(run, db)
            if not head:
                raise no_run(self.place, run)
            name, newest = head
            if newest != after:
                raise out_of_step(self.place, "run", name, newest, after)
            self._run_events.insert(rows, run, after, db, self._tag(run, db))
            # In the transaction of the events, so that nobody sees the one without the other.
            if status is not None or process is not None:
                db.execute(CHANGES, (after + len(rows), now, status, process, run))
                self._update_sum(run, db)

        self._database.write(change)
        return recorded

    def run_changed(self, run: int) -> int:
        """The position of the newest event, whoever recorded it."""
        head = self._database.read(lambda db: self._head(run, db), nothing=None)
        if not head:
            raise self._missing_error(no_run(self.place, run))
        return head[1]

    def _copy_runs(
        self,
        session: int,
        runs: Sequence[tuple[RunInfo, Sequence[RunRecorded]]],
        db: sqlite3.Connection,
    ) -> None:
        """Runs of another session, in order of creation: a run comes after the one that called
        it. Not those that one called which is not among them."""
        copies: dict[int | None, int | None] = {None: None}
        for run, entries in runs:
            if run.parent not in copies:
                continue
            counted = db.execute(COUNTED, (session, run.workflow)).fetchone()[0] + 1
            # As its name says: the next run gets the next number, and no name is there twice.
            number = max(counted, _number(run.name))
            parent = copies[run.parent]
            row = (session, run.name, run.workflow, run.step, parent, run.status, run.process)
            times = (len(entries), run.started, run.changed)
            copy = db.execute(NEW_RUN, (number, None, *row, *times)).lastrowid or 0
            copies[run.id] = copy
            self._run_events.insert(self._codec.rewrite(entries), copy, 0, db)
            # Without tags: what somebody else has written is not his who copies it.
            self._update_sum(copy, db)

    def _select(self, **wanted: str | int | EllipsisType | None) -> list[RunInfo]:
        """The runs whose columns are as wanted, where anything (...) is not."""
        wanted = {column: value for column, value in wanted.items() if value is not ...}
        # `IS` and not `=`: a parent of None is asked for as well.
        where = " AND ".join(f"{column} IS ?" for column in wanted) or "true"

        def question(db: sqlite3.Connection) -> list[RunInfo]:
            # A file from before there were runs has no such table, and looking does not make one.
            if (tables_version := version(db)) < WITH_RUNS:
                return []
            rows = db.execute(
                FOUND.format(_sums(tables_version), where), (*wanted.values(),)
            ).fetchall()
            for row in rows:
                self._check(row[len(COLUMNS) :])
            return [info(row[: len(COLUMNS)]) for row in rows]

        return without_gc(lambda: self._database.read(question, nothing=[]))

    def _read_run(self, run: int, after: int) -> list[RunRecorded]:
        def question(db: sqlite3.Connection) -> tuple[str, list[Row]] | None:
            head = self._head(run, db)
            if not head:
                return None
            name, newest = head
            return name, self._run_events.rows(run, name, after, newest, db)

        answer = self._database.read(lambda db: transaction(db, "DEFERRED", question), nothing=None)
        if not answer:
            raise self._missing_error(no_run(self.place, run))
        name, rows = answer
        return self._codec.read_run(rows, self.place, name)

    def _run_streams(self, session: int, db: sqlite3.Connection) -> list[StreamRows]:
        """Each run of a session as it began, and its events."""
        if (tables_version := version(db)) < WITH_RUNS:
            return []
        streams: list[StreamRows] = []
        for newest, *row in db.execute(BEGAN.format(_sums(tables_version)), (session,)).fetchall():
            head, says = row[: len(FIXED)], row[len(FIXED) :]
            self._check(says)
            run = info(says[: len(COLUMNS)])
            streams.append((tuple(head), self._run_events.rows(run.id, run.name, 0, newest, db)))
        return streams

    def _missing_error(self, replaced: JournalError) -> JournalError:
        """Why something that was there is not: the file was `replaced`, or is not there itself."""
        return replaced if os.path.exists(self.place) else JournalGone(self.place)

    def is_own(self, run: int) -> bool:
        """Whether this user has begun the run, or trusted it: else it may be of anybody."""
        return self._database.read(lambda db: self._is_own(run, db), nothing=False)

    def seal_fault(self) -> str:
        """Why no other process can tell a run that is begun here for this user's; empty: it can."""
        return self._trust.fault()

    def seal(self, run: int) -> None:
        """The run, as it is now, is this user's."""
        self._database.write(lambda db: self._seal(run, db))

    def _head(self, run: int, db: sqlite3.Connection) -> tuple[str, int] | None:
        """Name and newest position of a run, if it is there."""
        if (tables_version := version(db)) < WITH_RUNS:
            return None
        head = db.execute(HEAD.format(_sums(tables_version)), (run,)).fetchone()
        if not head:
            return None
        name, newest, *row = head
        self._check(row)
        return name, newest

    def _check(self, row: Sequence[object]) -> None:
        """Raise `JournalCorrupt` for a run's row that has another sum."""
        *says, number, sum = row
        if sum not in (NO_SUM, sum_of(number, *says)):
            raise JournalCorrupt(self.place, f"run {says[0]} is not as it was written")

    def _update_sum(self, run: int, db: sqlite3.Connection) -> None:
        """After any change of a run's row."""
        if version(db) >= WITH_SUMS:
            row = db.execute(f"SELECT {SUMMED} FROM run WHERE id = ?", (run,)).fetchone()
            db.execute(SET_SUM, (sum_of(*row), run))

    def _tag(self, run: int, db: sqlite3.Connection) -> Tag | None:
        """What the events of a run are signed by as they are written. Their sums say nothing of who
        wrote them: anybody can make those."""
        uid, name = db.execute(WHOSE, (run,)).fetchone()

        def sign(row: Row, sum: int) -> str:
            *before, body, at = row
            facts = repr((uid, name, before, at, sum)).encode("utf-8", "surrogatepass")
            return self._trust.signature([facts, body.encode("utf-8", "surrogatepass")], EVENT)

        return sign

    def _seal(self, run: int, db: sqlite3.Connection) -> None:
        rows = [row for row, _ in self._run_events.rows_and_sums(run, db)]
        signature = self._trust.signature([self._sealed(run, rows, db)], RUN)
        db.execute(SEAL, (f"{len(rows)} {signature}", run))

    def _sealed(self, run: int, rows: Sequence[Row], db: sqlite3.Connection) -> bytes:
        uid, name = db.execute(WHOSE, (run,)).fetchone() or ("", "")
        return f"{uid} {name} {digest_of(rows)}".encode()

    def _is_own(self, run: int, db: sqlite3.Connection) -> bool:
        """Whether this user has written all its events, but for those that he trusted."""
        # A file of an older version has no tags: whose a run is cannot be known, so it is
        # nobody's.
        if version(db) < WITH_SUMS or not (summed := self._run_events.rows_and_sums(run, db)):
            return False
        seal = (db.execute(SEALED, (run,)).fetchone() or (None,))[0] or ""
        count, _, signature = seal.partition(" ")
        trusted = (
            [row for row, _ in summed[: int(count)]] if re.fullmatch("[0-9]{1,15}", count) else []
        )
        sealed = bool(trusted) and self._trust.holds(self._sealed(run, trusted, db), signature, RUN)
        sign = self._tag(run, db)
        return all(
            sign is None or sum == with_tag(plain_sum(sum), sign(row, plain_sum(sum)))
            for row, sum in summed[len(trusted) if sealed else 0 :]
        )


def _number(name: str) -> int:
    """
    >>> _number("deploy-12"), _number("a stranger's")
    (12, 0)
    """
    match = re.search(r"-([0-9]{1,15})\Z", name)
    return int(match[1]) if match else 0


def info(row: tuple[object, ...]) -> RunInfo:
    return RunInfo(**dict(zip(COLUMNS, row, strict=True)))  # type: ignore[arg-type]


def _sums(tables_version: int) -> str:
    """The columns that tables of that version have of a sum."""
    return f"number, {RUN_SUM}" if tables_version >= WITH_SUMS else f"number, {NO_SUM}"
