"""a file -> its bytes, in memory that can be written.

To get the memory takes longer than to copy a file of 100 MB into it: the system clears it page by
page, of 4 kB, at the first touch. So it is touched once, by the reading itself; and Linux is asked
for pages of 2 MB, as NumPy does, for all of it at once: a part would have large pages only where
one lies in it whole. In a virtual machine those may be slow to get, where the host has to find them
first: then the rest is had in small ones.
"""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress
from time import perf_counter

LARGE = 1 << 22
"""Bytes from which it is worth it."""
_PIECE = 1 << 20
"""Bytes that are asked for at once: between them the user may interrupt."""
_SLOW = 1.5e9
"""Bytes in a second: small pages take less."""
_PATIENCE = 0.015
"""Seconds that large pages may take longer than that before they are given up."""


def content(file: int, size: int) -> tuple[bytearray | memoryview, int]:
    """As many bytes as a file should have, and how many it had. OSError, MemoryError."""
    pages = _pages(size)
    room = bytearray(size) if pages is None else memoryview(pages)
    large = pages if pages is not None and _are(pages, "MADV_HUGEPAGE") else None
    view, at, begun = memoryview(room), 0, perf_counter()
    with open(file, "rb", buffering=0, closefd=False) as stream:
        while at < size:
            if large is not None and perf_counter() - begun > at / _SLOW + _PATIENCE:
                _are(large, "MADV_NOHUGEPAGE", at - at % mmap.PAGESIZE)
                large = None
            count = stream.readinto(view[at : at + _PIECE])
            if not count:
                break
            at += count
    return room, at


def _pages(size: int) -> mmap.mmap | None:
    if sys.platform != "win32" and size >= LARGE:
        with suppress(OSError):
            # private: else a process that is forked would write into what this one sees
            return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return None


def _are(pages: mmap.mmap, what: str, at: int = 0) -> bool:
    """Whether the system was told so of all from there on."""
    if sys.platform != "linux":
        return False
    try:
        pages.madvise(getattr(mmap, what), at)
    except OSError:  # a system that has none
        return False
    return True
