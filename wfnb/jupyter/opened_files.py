"""code that runs -> the files that it opens to read.

Python tells its audit hooks of every file that it opens. A hook stays as long as the process, so
that this one asks first whether anybody wants to know. Not seen: files that a program opens which
the code starts, or a library that is not Python's own (a shell's words name them, see `sight`).
Not meant: what imports open, what a traceback shows, what belongs to Python or to its packages.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from dataclasses import dataclass, field
from threading import enumerate as running_threads
from threading import get_ident
from types import FrameType
from typing import Any

from .compat import CELL_FILES

MOST = 200
"""Files that are noted of one cell."""
_LOADING = ("<frozen importlib", "<frozen zipimport")
_SHOWING = ("ultratb.py", "traceback.py", "stack_data", "warnings.py", "tbtools.py")
_LINES = ("linecache.py", "tokenize.py")
_DEEP = 12
_PATHS = sysconfig.get_paths()
_OTHERS = tuple(
    dict.fromkeys(
        os.path.realpath(path) + os.sep
        for path in (*(_PATHS[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),)
    )
)
_SYSTEM = ("/proc/", "/sys/", "/dev/", "/usr/lib/", "/usr/share/zoneinfo/")


@dataclass(eq=False)
class Watch:
    """The files that were opened since it began. `others` are the threads that ran before."""

    main: int
    others: frozenset[int]
    files: dict[str, None] = field(default_factory=dict)


_WATCHES: list[Watch] = []
_INSTALLED: list[bool] = []


def begin_watch() -> Watch:
    if not _INSTALLED:
        _INSTALLED.append(True)
        sys.addaudithook(_on_audit_event)
    others = frozenset(thread.ident for thread in running_threads() if thread.ident is not None)
    watch = Watch(get_ident(), others)
    _WATCHES.append(watch)
    return watch


def end_watch(watch: Watch) -> tuple[str, ...]:
    """The files, as absolute paths."""
    if watch in _WATCHES:
        _WATCHES.remove(watch)
    return tuple(watch.files)


def is_foreign(path: str) -> bool:
    """Whether it is a file of Python's, of a package, or of the system's own."""
    return path.startswith((*_OTHERS, *_SYSTEM)) or "site-packages" in path or CELL_FILES in path


def _on_audit_event(event: str, arguments: tuple[Any, ...]) -> None:
    # First the cheapest test: this runs at each audit event of the process, and for ever.
    if not _WATCHES or event != "open":
        return
    try:
        path, mode, flags = arguments[:3]
        _note(path, mode, flags, sys._getframe(1))
    except Exception:  # whatever is wrong here, the cell's own code goes on
        return


def _note(path: Any, mode: Any, flags: Any, frame: FrameType | None) -> None:
    if not isinstance(path, str | bytes | os.PathLike) or _writes(mode, flags):
        return
    me = get_ident()
    # Threads that ran before the cell are not of it; those that began since are taken to be.
    watches = [each for each in _WATCHES if me == each.main or me not in each.others]
    if not watches or not _is_meant(frame):
        return
    real = os.path.abspath(os.fsdecode(path))
    if is_foreign(real) or is_foreign(os.path.realpath(real)):
        return
    for watch in watches:
        if len(watch.files) < MOST:
            watch.files[real] = None


def _writes(mode: Any, flags: Any) -> bool:
    if isinstance(mode, str):
        return "+" not in mode and not set(mode).isdisjoint("wax")
    return isinstance(flags, int) and flags & os.O_ACCMODE == os.O_WRONLY


def _is_meant(frame: FrameType | None) -> bool:
    """Whether the code asked for it, and not an import or the traceback of a failure."""
    if frame is None or frame.f_code.co_filename.startswith(_LOADING):
        return False
    if not frame.f_code.co_filename.endswith(_LINES):
        return True
    for _ in range(_DEEP):
        if frame is None:
            return True
        if any(name in frame.f_code.co_filename for name in _SHOWING):
            return False
        frame = frame.f_back
    return True
