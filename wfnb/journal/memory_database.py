"""a function of a connection → its answer: a journal's tables in the memory of this process.

Nothing of it is ever in a file: it needs no folder, no home, and no right to write. A process that
is forked goes on with a copy. SQLite forbids that for a file, whose locks two processes would take
for their own; here it is enough that no thread is in the middle of something as the copy is made.
"""

from __future__ import annotations

import os
import sqlite3
from threading import Lock

from .disk_errors import journal_error
from .schema import T, Work, make_tables, transaction

_LOCK = Lock()
"""Of all that is in memory: one lock can be held over a fork, whichever journals there are."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


class MemoryDatabase:
    """Tables that end with their process. Safe to use from several threads, and in a process forked
    from this one."""

    path = "memory"

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        # SQLite sorts large answers in a temporary file otherwise, and nothing of it is to be on
        # disk.
        self._db.execute("PRAGMA temp_store=MEMORY")
        self.write(lambda db: make_tables(db, self.path))

    def read(self, question: Work[T], nothing: T) -> T:
        """The answer; never `nothing`, since the tables are always there."""
        return self._do(question)

    def write(self, change: Work[T], new: bool = False) -> T:
        """The answer of a change that is made as a whole, or not at all."""
        return self._do(lambda db: transaction(db, "IMMEDIATE", change))

    def _do(self, work: Work[T]) -> T:
        with _LOCK:
            self._db.rollback()  # what an error or an interrupt left open: the connection stays
            try:
                return work(self._db)
            except sqlite3.Error as error:
                raise journal_error(self.path, error) from error

    def close(self) -> None:
        """There is no file to let go of, and what is here would be lost."""

    def __del__(self) -> None:
        self._db.close()
