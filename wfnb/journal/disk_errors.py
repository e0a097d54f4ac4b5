"""an error of SQLite or the file system → the `JournalError` that says what to do about it."""

from __future__ import annotations

import errno
import os
import sqlite3
from tempfile import TemporaryFile

from wfnb.errors import (
    JournalCorrupt,
    JournalError,
    JournalFaulty,
    JournalFull,
    JournalLocked,
    JournalReadOnly,
    JournalUnreadable,
)

FAULTS: tuple[tuple[str, type[JournalLocked | JournalFull | JournalReadOnly]], ...] = (
    ("SQLITE_BUSY", JournalLocked),
    ("SQLITE_LOCKED", JournalLocked),
    ("SQLITE_PROTOCOL", JournalLocked),
    ("SQLITE_FULL", JournalFull),
    ("SQLITE_READONLY", JournalReadOnly),
    ("SQLITE_CANTOPEN", JournalReadOnly),
    ("SQLITE_PERM", JournalReadOnly),
    ("SQLITE_IOERR_ACCESS", JournalReadOnly),
    ("SQLITE_IOERR_DELETE", JournalReadOnly),
    ("SQLITE_IOERR_LOCK", JournalReadOnly),
)
"""The start of SQLite's name for the error, and what it is; the first that fits."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_EFFECTIVE = os.access in os.supports_effective_ids
TRIED = 1 << 18
"""Bytes that are written to see whether there is room."""


def journal_error(path: str, error: sqlite3.Error | OSError) -> JournalError:
    """What to tell of it. SQLite's names do not say whether a file may be read at all."""
    fault = _fault(path, error)
    hidden = isinstance(fault, JournalReadOnly) and _is_hidden(path)
    return JournalUnreadable(path) if hidden else fault


def _is_hidden(path: str) -> bool:
    """Whether this user may not read the file, or not even look into its folder."""
    folder, seen = os.path.dirname(path), os.path.exists(path)
    place, access = (path, os.R_OK) if seen else (folder, os.X_OK)
    exists = seen or os.path.isdir(folder)
    return exists and not os.access(place, access, effective_ids=_EFFECTIVE)


def _fault(path: str, error: sqlite3.Error | OSError) -> JournalError:
    """What SQLite has no better name for is a file that cannot be read as a journal."""
    if isinstance(error, OSError):
        return _of_system(path, error)
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_IOERR_WRITE":  # it knows only ENOSPC as full, and not a quota or a limit
        return _of_writing(path)
    if name.startswith("SQLITE_IOERR_SHM"):  # what processes share lies in a file beside it
        mine = (os.access(f"{path}{end}", os.R_OK | os.W_OK) for end in _existing_files(path))
        return _of_writing(path) if all(mine) else JournalReadOnly(path)
    for start, fault in FAULTS:
        if name.startswith(start):
            return fault(path)
    if name.startswith("SQLITE_IOERR"):
        return JournalFaulty(path, str(error))
    if _is_unreadable(path):  # SQLite takes a page that it cannot read for a wrong one
        return JournalFaulty(path, os.strerror(errno.EIO))
    return JournalCorrupt(path, " ".join(str(error).split()))


def _of_system(path: str, error: OSError) -> JournalError:
    if error.errno in NO_ROOM:
        return JournalFull(path)
    if error.errno == errno.EIO:
        return JournalFaulty(path, os.strerror(errno.EIO))
    if error.errno == errno.ELOOP:
        return JournalCorrupt(path, error.strerror or str(error))
    return JournalReadOnly(path)


def _of_writing(path: str) -> JournalError:
    """Whether there is room is asked of the file system: SQLite does not say."""
    try:
        # Written as far out as the largest of its files: a limit of file sizes shows only there.
        size = max(os.path.getsize(f"{path}{end}") for end in _existing_files(path))
        with TemporaryFile(dir=os.path.dirname(path)) as file:
            file.seek(size)
            file.write(bytes(TRIED))
            file.flush()
    except ValueError:
        pass
    except OSError as error:
        return _of_system(path, error)
    return JournalFaulty(path, os.strerror(errno.EIO))


def _existing_files(path: str) -> list[str]:
    """The ends of the names of its files that are there."""
    return [end for end in ("", "-wal", "-shm") if os.path.exists(f"{path}{end}")]


def _is_unreadable(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            # Read to the end: only a read of the bad block itself says EIO.
            while file.read(TRIED):
                pass
    except OSError as error:
        return error.errno == errno.EIO
    return False
