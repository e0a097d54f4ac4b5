"""a path -> a block in which one process is alone, or several that share it.

The system releases the lock when its process ends, however it does. The file stays: one that is
removed could be locked twice, by those who still have it open and by those who make it again.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PAUSE = 0.005  # seconds between two tries
# no link: it could lead to a file elsewhere
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, shared: bool) -> None:  # Windows has no shared ones: they queue
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _unlock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int, shared: bool) -> None:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


class LockTimeout(Exception):
    """Somebody else had it for too long."""


@contextmanager
def lock_file(path: Path, patience: float, shared: bool = False) -> Iterator[None]:
    """The file is made if need be; its folder is there. LockTimeout after `patience` seconds,
    OSError for a file that cannot be written."""
    file = os.open(path, _FLAGS, 0o666)
    try:
        until = time.monotonic() + patience
        while not _try_lock(file, shared):
            if time.monotonic() >= until:
                raise LockTimeout
            time.sleep(PAUSE)
        try:
            yield
        finally:
            _unlock(file)  # closing is not enough where a child was forked meanwhile
    finally:
        os.close(file)


def _try_lock(file: int, shared: bool) -> bool:
    try:
        _lock(file, shared)
    except (BlockingIOError, PermissionError):  # msvcrt says EACCES
        return False
    return True
