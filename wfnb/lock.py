"""a path -> a block that many who keep are in at once, or one who collects alone.

The system lets go of the lock when its process ends, however it does.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wfnb.errors import StoreBusy

PAUSE = 0.01  # seconds between two tries
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, alone: bool) -> None:  # there are no shared ones: those who keep queue
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _unlock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int, alone: bool) -> None:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def held(path: Path, *, alone: bool, patience: float) -> Iterator[None]:
    """The file is made if need be; its folder is there. StoreBusy after `patience` seconds, OSError
    for a file that cannot be written."""
    file = os.open(path, _FLAGS, 0o666)
    try:
        until = time.monotonic() + patience
        while not _taken(file, alone):
            if time.monotonic() >= until:
                raise StoreBusy(str(path.parent))
            time.sleep(PAUSE)
        try:
            yield
        finally:
            _unlock(file)  # closing is not enough where a child was forked meanwhile
    finally:
        os.close(file)


def _taken(file: int, alone: bool) -> bool:
    try:
        _lock(file, alone)
    except (BlockingIOError, PermissionError):  # msvcrt says EACCES
        return False
    return True
