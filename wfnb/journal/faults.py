"""an error of SQLite or the file system → the `JournalError` that says what to do about it."""

from __future__ import annotations

import errno
import sqlite3

from wfnb.errors import (
    JournalCorrupt,
    JournalError,
    JournalFull,
    JournalLocked,
    JournalReadOnly,
)

FAULTS: tuple[tuple[str, type[JournalLocked | JournalFull | JournalReadOnly]], ...] = (
    ("SQLITE_BUSY", JournalLocked),
    ("SQLITE_LOCKED", JournalLocked),
    ("SQLITE_PROTOCOL", JournalLocked),
    ("SQLITE_FULL", JournalFull),
    ("SQLITE_IOERR_WRITE", JournalFull),  # a quota or a limit; SQLite knows only ENOSPC as full
    ("SQLITE_IOERR_SHMSIZE", JournalFull),
    ("SQLITE_READONLY", JournalReadOnly),
    ("SQLITE_CANTOPEN", JournalReadOnly),
    ("SQLITE_PERM", JournalReadOnly),
    ("SQLITE_IOERR_ACCESS", JournalReadOnly),
    ("SQLITE_IOERR_DELETE", JournalReadOnly),
    ("SQLITE_IOERR_LOCK", JournalReadOnly),
    ("SQLITE_IOERR_SHM", JournalReadOnly),
)
"""The start of SQLite's name for the error, and what it is; the first that fits."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def journal_error(path: str, error: sqlite3.Error | OSError) -> JournalError:
    """What SQLite has no better name for is a file that cannot be read as a journal."""
    if isinstance(error, OSError):
        return JournalFull(path) if error.errno in NO_ROOM else JournalReadOnly(path)
    name = getattr(error, "sqlite_errorname", "")
    for start, fault in FAULTS:
        if name.startswith(start):
            return fault(path)
    return JournalCorrupt(path, str(error))
