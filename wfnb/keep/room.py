"""a file -> its bytes, in memory that can be written.

To get the memory takes longer than to copy a file of 100 MB into it: the system clears it page by
page, of 4 kB, at the first touch. So it is touched once, by the reading itself; and Linux is asked
for pages of 2 MB, as NumPy does. In a virtual machine those may be slow to get, where the host has
to find them first: then the rest is had in small ones.
"""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress
from time import perf_counter

LARGE = 1 << 22
"""Bytes from which it is worth it, and that are read before it is seen whether it is."""
_PIECE = 1 << 20
"""Bytes that are asked for at once: between them the user may interrupt."""
_SLOW = LARGE / 1.5e9
"""Seconds for so many bytes: small pages take less."""


def content(file: int, size: int) -> tuple[bytearray | memoryview, int]:
    """As many bytes as a file should have, and how many it had. OSError, MemoryError."""
    pages = _pages(size)
    room = bytearray(size) if pages is None else memoryview(pages)
    view, at, large = memoryview(room), 0, pages is not None
    with open(file, "rb", buffering=0, closefd=False) as stream:
        while at < size:
            end, begun = min(at + LARGE, size), perf_counter()
            large = large and pages is not None and _are_large(pages, at, end - at)
            while at < end:
                count = stream.readinto(view[at : min(at + _PIECE, end)])
                if not count:
                    return room, at
                at += count
            large = large and perf_counter() - begun < _SLOW
    return room, at


def _pages(size: int) -> mmap.mmap | None:
    if sys.platform != "win32" and size >= LARGE:
        with suppress(OSError):
            # private: else a process that is forked would write into what this one sees
            return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return None


def _are_large(pages: mmap.mmap, at: int, size: int) -> bool:
    if sys.platform != "linux":
        return False
    try:
        pages.madvise(mmap.MADV_HUGEPAGE, at, size)
    except OSError:  # a system that has none
        return False
    return True
