"""a path → what a SQLite file there says, and not one byte of it or beside it changed.

`mode=ro` alone is not enough: a file in WAL mode is read by way of two more files, which SQLite
would make, and one of which it writes to.

    no log beside it      the file is whole: it is read as `immutable`
    a log and its index   somebody writes, or was killed: the index is only read (`readonly_shm`)
    a log alone           it was copied so: a copy in a temporary folder is read
    a rollback journal    somebody writes, or, where SQLite would roll back first, was killed: so is
                          a copy read then

Where the file is written while it is read as immutable or copied, the answer is thrown away, and
the next try finds the log.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from wfnb.errors import JournalCorrupt, JournalError, JournalLocked, JournalReadOnly

from .codec import guard_replay
from .database import PAUSE, ask, at_rest, file_id, size
from .disk_errors import journal_error
from .schema import T, Work

_TRIES = 5


class ReadOnlyDatabase:
    """One SQLite file. It is opened for each question and closed after it, so that nobody who
    writes it has to wait. Safe to use from several threads. `busy` is in seconds, as elsewhere."""

    def __init__(self, path: str, busy: float) -> None:
        self.path = path
        self._busy = busy

    def read(self, question: Work[T], nothing: T) -> T:
        """The answer, or `nothing` where no journal was begun. JournalLocked, JournalCorrupt,
        JournalNewer."""
        until = time.monotonic() + self._busy
        tries = 0
        while True:
            tries += 1
            # Asked before and after: an answer is good only if nobody wrote in between.
            before = file_states(self.path)
            try:
                if file_id(self.path) is None:
                    return nothing
                answer, is_locked = self._read(question, nothing)
            except JournalCorrupt:
                # Half of what somebody is writing does not fit the other half either.
                if tries > _TRIES or before == file_states(self.path):
                    raise
                time.sleep(PAUSE)
            except (sqlite3.Error, OSError) as error:
                fault = journal_error(self.path, error)
                locked = isinstance(fault, JournalLocked) and time.monotonic() < until
                if not locked and (tries > _TRIES or before == file_states(self.path)):
                    raise self._fault(fault, error) from error
                time.sleep(PAUSE)
            else:
                # Under a lock it was read by SQLite's own rules, which see a state that fits
                # together.
                if is_locked or before == file_states(self.path):
                    return answer
                if tries > _TRIES:
                    raise JournalLocked(self.path)

    def write(self, change: Work[T], new: bool = False) -> T:
        raise JournalReadOnly(self.path)

    def close(self) -> None:
        """Nothing is open."""

    def _read(self, question: Work[T], nothing: T) -> tuple[T, bool]:
        """The answer, and whether it was read under a lock that others see."""
        if at_rest(self.path):
            return self._query(self.path, "ro&immutable=1", question, nothing), False
        if size(f"{self.path}-wal") and not Path(f"{self.path}-shm").exists():
            return self._query_copy("-wal", question, nothing), False
        try:
            return self._query(self.path, "ro&readonly_shm=1", question, nothing), True
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_READONLY_ROLLBACK":
                raise
        return self._query_copy("-journal", question, nothing), False

    def _query_copy(self, log: str, question: Work[T], nothing: T) -> T:
        with TemporaryDirectory(prefix="wfnb-") as folder:
            copy = os.path.join(folder, os.path.basename(self.path))
            for end in ("", log):
                shutil.copyfile(f"{self.path}{end}", f"{copy}{end}")
            return self._query(copy, "rw", question, nothing)

    def _query(self, path: str, options: str, question: Work[T], nothing: T) -> T:
        db = sqlite3.connect(
            f"file:{quote(os.fsencode(path))}?mode={options}",
            uri=True,
            timeout=self._busy,
            isolation_level=None,
        )
        try:
            return guard_replay(self.path, lambda: ask(db, self.path, question, nothing))
        finally:
            db.close()

    def _fault(self, fault: JournalError, error: sqlite3.Error | OSError) -> JournalError:
        """What cannot be opened is no journal to whoever only reads."""
        if isinstance(fault, JournalLocked | JournalCorrupt):
            return fault
        return JournalCorrupt(self.path, getattr(error, "strerror", None) or str(error))


def file_states(path: str) -> list[tuple[int, ...] | None]:
    """What is another after somebody wrote: the file, and its logs."""
    return [_state(f"{path}{end}") for end in ("", "-wal", "-journal")]


def _state(path: str) -> tuple[int, ...] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
