"""a file -> its bytes, in memory that can be written.

To get the memory takes longer than to copy a file of 100 MB into it: the system clears it page by
page, of 4 kB, at the first touch. So it is touched once, by the reading itself, which two threads
do at a time; and Linux is asked for pages of 2 MB, as NumPy does. In a virtual machine those may be
slow to get, where the host has to find them first: then the rest is had in small ones.
"""

from __future__ import annotations

import mmap
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from time import thread_time

LARGE = 1 << 22
"""Bytes from which it is worth it."""
_PIECE = 1 << 20
"""Bytes that are asked for at once: between them the user may interrupt."""
_SLOW = 0.0015
"""Seconds of the processor for a piece: small pages take less, and a large one that the host has to
find takes more."""


def content(file: int, size: int) -> tuple[bytearray | memoryview, int]:
    """As many bytes as a file should have, and how many it had. OSError, MemoryError."""
    pages = _pages(size)
    if pages is None:
        return _at_once(file, size)
    half, stop = size // 2 // LARGE * LARGE, Event()
    with ThreadPoolExecutor(1) as another:
        rest = another.submit(_read, file, pages, half, size, stop)
        try:
            first = _read(file, pages, 0, half, stop)
            return memoryview(pages), first if first < half else half + rest.result()
        finally:
            stop.set()


def _at_once(file: int, size: int) -> tuple[bytearray, int]:
    room, at = bytearray(size), 0
    with open(file, "rb", buffering=0, closefd=False) as stream:
        while count := stream.readinto(memoryview(room)[at : at + _PIECE]):
            at += count
    return room, at


def _read(file: int, pages: mmap.mmap, begin: int, end: int, stop: Event) -> int:
    """Read that part, and say how much of it there was."""
    view, at = memoryview(pages), begin
    large = _are(pages, "MADV_HUGEPAGE", begin, end)
    while at < end and not stop.is_set():
        begun = thread_time()
        count = os.preadv(file, [view[at : min(at + _PIECE, end)]], at)
        if not count:
            break
        at += count
        if large and thread_time() - begun > _SLOW:
            _are(pages, "MADV_NOHUGEPAGE", at - at % mmap.PAGESIZE, end)
            large = False
    return at - begin


def _pages(size: int) -> mmap.mmap | None:
    if hasattr(os, "preadv") and size >= LARGE:
        with suppress(OSError):
            # private: else a process that is forked would write into what this one sees
            return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return None


def _are(pages: mmap.mmap, what: str, begin: int, end: int) -> bool:
    """Whether the system was told so of that part."""
    if sys.platform != "linux" or begin == end:
        return False
    try:
        pages.madvise(getattr(mmap, what), begin, end - begin)
    except OSError:  # a system that has none
        return False
    return True
