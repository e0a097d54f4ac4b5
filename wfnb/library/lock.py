"""a path -> a block that one thread of one process at a time is in.

The system lets go of the lock when its process ends, however it does. The file stays: one that is
removed could be locked twice, by those who still have the old one and by those who find the new.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wfnb.errors import LibraryLocked

PAUSE = 0.005  # seconds between two tries
_BINARY = getattr(os, "O_BINARY", 0)
_OWN = getattr(os, "O_NOFOLLOW", 0)  # not a file elsewhere that a link leads to

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _unlock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def held(path: Path, busy: float) -> Iterator[None]:
    """The file is made if need be; its folder is there. Raises LibraryLocked after `busy` seconds,
    OSError for a file that cannot be written."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | _BINARY | _OWN, 0o666)
    try:
        until = time.monotonic() + busy
        while not _taken(file):
            if time.monotonic() >= until:
                raise LibraryLocked(str(path))
            time.sleep(PAUSE)
        try:
            yield
        finally:
            _unlock(file)  # closing is not enough where a child was forked meanwhile
    finally:
        os.close(file)


def _taken(file: int) -> bool:
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):  # msvcrt says EACCES
        return False
    return True
