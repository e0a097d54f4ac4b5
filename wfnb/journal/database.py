"""a function of a connection → its answer, or a `JournalError`: one SQLite file, opened if needed.

The file is shared with other processes, and may for a while be locked, full, read-only or away.
So no error is for ever: after one, the next call begins with a new connection.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Timer
from urllib.parse import quote
from weakref import ref

from wfnb.errors import JournalCorrupt, JournalFull, JournalGone, JournalLocked, JournalReadOnly
from wfnb.home_path import PRIVATE, make_private, refuse_link

from .codec import guard_replay
from .disk_errors import journal_error
from .schema import T, Work, is_whole, prepare, recognise_journal, transaction

LOCK_TIMEOUT = 5.0
"""Seconds that one waits for another process's lock on a journal, where nothing else is said."""
IDLE = 1.0  # seconds from a change to when it is in the file, and not in the log alone
PAUSE = 0.01  # seconds between two tries where SQLite answers "locked" without waiting

BESIDE = ("", "-wal", "-shm", "-journal")
"""The ends of the names of a journal's files."""

FileId = tuple[int, int] | None


@dataclass
class OpenConnection:
    """A connection, the file it was opened on, and what is known of that by now."""

    db: sqlite3.Connection
    file: FileId
    is_journal: bool = False
    is_prepared: bool = False


INHERITED: list[OpenConnection] = []  # through a fork: SQLite forbids to use them, or to close them


class Database:
    """One SQLite file. Safe to use from several threads, and in a process forked from this one.

    `busy` is how long to wait for other processes, in seconds; `vfs` names one of SQLite's
    interfaces to the file system.
    """

    def __init__(self, path: str, busy: float, vfs: str | None) -> None:
        self.path = path
        self._busy = busy
        self._vfs = vfs
        self._opened: OpenConnection | None = None
        self._process = os.getpid()
        self._lock = Lock()
        self._waiting = False

    def read(self, question: Work[T], nothing: T) -> T:
        """The answer, or `nothing` where no journal was begun. Needs no right to write."""
        with self._process_lock():
            # Reading in WAL mode makes files, too: only where that is possible, or somebody has it
            # open.
            if self._opened or may_write(self.path) or not at_rest(self.path):
                try:
                    return self._retry(
                        lambda: guard_replay(self.path, lambda: self._read(question, nothing)),
                        reads=True,
                    )
                except (JournalReadOnly, JournalFull):
                    if not at_rest(self.path):
                        raise
            return self._read_at_rest(question, nothing)

    def write(self, change: Work[T], new: bool = False) -> T:
        """The answer of a change that is made as a whole, or not at all. `new`: it is made in a new
        file, where there is none; else that is JournalGone."""
        with self._process_lock():
            answer = self._retry(lambda: self._write(change, new))
            self._schedule_checkpoint()
            return answer

    def close(self) -> None:
        with self._process_lock():
            self._empty_log()
            self._drop()

    def __del__(self) -> None:
        if self._process == os.getpid():
            self._empty_log()
            self._drop()
        elif self._opened:
            INHERITED.append(self._opened)

    def _schedule_checkpoint(self) -> None:
        """What was written goes from the log into the file soon: a file that is copied without its
        log has all but the last second."""
        if not self._waiting:
            # One timer for a burst of writes, and not one for each.
            self._waiting = True
            timer = Timer(IDLE, _empty_log, [ref(self)])
            # It must not keep a process alive that only wants to end: `close` does the same.
            timer.daemon = True
            timer.start()

    def _empty_log(self) -> None:
        """As far as nobody is disturbed by it. The next one does what this one could not."""
        waiting, self._waiting = self._waiting, False
        if waiting and self._opened:
            with suppress(sqlite3.Error):
                self._opened.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _process_lock(self) -> Lock:
        """What one thread of this process at a time may hold."""
        if self._process != os.getpid():
            INHERITED.extend([self._opened] if self._opened else [])
            self._opened, self._lock, self._process = None, Lock(), os.getpid()
            self._waiting = False
        return self._lock

    def _retry(self, work: Callable[[], T], reads: bool = False) -> T:
        """Done; tried again while the file is locked, and once where only the connection is out
        of date: one opened on a read-only file stays read-only when the file is not. What `reads`
        is tried once more, too, where a disk that stumbled may look like a damaged file."""
        until = time.monotonic() + self._busy
        was_open = self._opened is not None
        while True:
            try:
                return work()
            except (sqlite3.Error, OSError) as error:
                self._drop()
                fault = journal_error(self.path, error)
                if isinstance(fault, JournalLocked) and time.monotonic() < until:
                    time.sleep(PAUSE)
                elif isinstance(fault, JournalReadOnly) and was_open:
                    was_open = False
                elif isinstance(fault, JournalCorrupt) and reads:
                    reads = False
                else:
                    raise fault from error
            # An interrupt may have left a transaction open.
            except BaseException:
                self._drop()
                raise

    def _read(self, question: Work[T], nothing: T) -> T:
        opened = self._open("rw") if file_id(self.path) else None
        if not opened:
            return nothing
        # Once for each connection: the look through the file reads all of it.
        opened.is_journal = opened.is_journal or (
            recognise_journal(opened.db, self.path) and is_whole(opened.db, self.path)
        )
        return question(opened.db) if opened.is_journal else nothing

    def _read_at_rest(self, question: Work[T], nothing: T) -> T:
        """In WAL mode even reading makes files, which may be impossible and, beside a read-only
        file, would be read-only too and stay so, unless SQLite is told that nobody writes."""
        try:
            db = self._connect("ro&immutable=1")
            try:
                return guard_replay(self.path, lambda: ask(db, self.path, question, nothing))
            finally:
                db.close()
        except sqlite3.Error as error:
            raise JournalCorrupt(self.path, str(error)) from error

    def _write(self, change: Work[T], new: bool) -> T:
        opened = self._open("rwc", new)
        if not opened.is_prepared:
            prepare(opened.db, self.path)
            opened.is_journal = opened.is_prepared = True
        return transaction(opened.db, "IMMEDIATE", change)

    def _open(self, mode: str, new: bool = False) -> OpenConnection:
        """A connection to the file that is at the path now: it may be another than before. Where
        there is none, `new` makes one; else JournalGone."""
        file = file_id(self.path)
        # By file number: somebody may have put another journal in its place, and SQLite would go on
        # with the one that was deleted.
        if self._opened and self._opened.file == file:
            return self._opened
        self._drop()
        if not file:
            if not new:
                raise JournalGone(self.path)
            make_file(Path(self.path))
        elif mode == "rwc" and not may_write(self.path):
            # SQLite would make files beside it that are read-only too, and stay so
            raise JournalReadOnly(self.path)
        for end in BESIDE:
            refuse_link(Path(f"{self.path}{end}"))
        db = self._connect(mode)
        self._opened = OpenConnection(db, file_id(self.path))
        return self._opened

    def _connect(self, options: str) -> sqlite3.Connection:
        vfs = f"&vfs={self._vfs}" if self._vfs else ""
        return sqlite3.connect(
            f"file:{quote(os.fsencode(self.path))}?mode={options}{vfs}",
            uri=True,
            timeout=self._busy,
            # The module would begin transactions by itself: here `transaction` says when.
            isolation_level=None,
            # Each use is under `_process_lock`, which is stricter.
            check_same_thread=False,
        )

    def _drop(self) -> None:
        opened, self._opened = self._opened, None
        if opened:
            opened.db.close()


def _empty_log(to: ref[Database]) -> None:
    database = to()
    if database is not None:
        with database._process_lock():
            database._empty_log()


def ask(db: sqlite3.Connection, path: str, question: Work[T], nothing: T) -> T:
    """The answer of a file that is opened for it, and looked through first."""
    is_journal = recognise_journal(db, path) and is_whole(db, path)
    return question(db) if is_journal else nothing


def file_id(path: str) -> FileId:
    """Which file is at the path, if one is."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino


def may_write(path: str) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def at_rest(path: str) -> bool:
    """Whether a file in WAL mode is whole without its log, because nobody has it open."""
    try:
        with open(path, "rb") as file:
            return file.read(20)[18:] == b"\2\2" and not size(f"{path}-wal")
    except OSError:
        return False


def size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0


def make_file(file: Path) -> None:
    """An empty journal, for its owner alone, as SQLite then makes what it has beside it. A folder
    that is made here keeps the journal out of git."""
    if make_private(file.parent):
        (file.parent / ".gitignore").write_text(f"{file.name}*\n", encoding="utf-8")
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
