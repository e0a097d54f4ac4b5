"""code that runs -> the files that it opens to read, and how the programs ended that it started.

Python tells its audit hooks of every file that it opens, and of every program that it starts. A
hook stays as long as the process, so that this one asks first whether anybody wants to know. Not
seen: files that a program opens which the code starts, or a library that is not Python's own (a
shell's words name them, see `sight`). Not meant: what imports open, what a traceback shows, what
belongs to Python or to its packages.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from signal import SIGTERM
from threading import enumerate as running_threads
from threading import get_ident
from types import FrameType
from typing import Any, NamedTuple

from wfnb.core.findings import ProgramRun
from wfnb.inspection.shell_commands import (
    ENDING,
    commands,
    hides_failure,
    run_settings,
    run_within,
    shell_script,
    shows_tests,
)

from .ipython_compat import CELL_FILES

CallPlace = tuple[int, int]
MAX_FILES = 200
"""Files, and programs, that are noted of one cell."""
_LOADING = ("<frozen importlib", "<frozen zipimport")
_SHOWING = ("ultratb.py", "traceback.py", "stack_data", "warnings.py", "tbtools.py")
_LINES = ("linecache.py", "tokenize.py")
_STARTS = ("subprocess.Popen", "os.forkpty")
_LOSES = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile")
"""How a program is started of which nobody but who asked learns how it ended."""
_ENDS = ("returncode", "exitstatus", "signalstatus")
_WELL = {None, 0, -SIGTERM}
"""Ends that are no failures: one that was asked to end did so."""
_STARTING = re.compile(
    r"[/\\](subprocess|os|pty)\.py$|[/\\](ptyprocess|pexpect|IPython|ipykernel)[/\\]"
)
"""The code that starts programs for who asks it to."""
_DEEP = 12
_PATHS = sysconfig.get_paths()
_OTHERS = tuple(
    dict.fromkeys(
        os.path.realpath(path) + os.sep
        for path in (*(_PATHS[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),)
    )
)
_SYSTEM = ("/proc/", "/sys/", "/dev/", "/usr/lib/", "/usr/share/zoneinfo/")


class ProgramStart(NamedTuple):
    """Its folder, and what stands for the variables by which tests are told what to run."""

    folder: str
    settings: tuple[str, ...]


@dataclass(eq=False)
class Watch:
    """The files that were opened since it began. `others` are the threads that ran before."""

    main: int
    others: frozenset[int]
    files: dict[str, set[CallPlace | None]] = field(default_factory=dict)
    """Each with the calls of the cell that opened it; None: other code did."""
    programs: list[tuple[Any, ProgramStart]] = field(default_factory=list)
    """Of `subprocess`, or of `pexpect`, by which IPython runs lines that begin with `!`."""
    lost: list[tuple[str, ProgramStart]] = field(default_factory=list)
    """The lines of those that were started in another way: nothing tells how they ended."""
    shown: BaseException | None = field(default_factory=lambda: _shown_last())
    """The exception whose traceback was shown last when it began."""

    @property
    def has_failure(self) -> bool:
        """Whether a program failed, or a traceback was shown of what raised nothing: of a script
        that `%run` ran."""
        failed = any(_has_failed(program) for program, _ in self.programs)
        return failed or _shown_last() is not self.shown

    def hides_failure(self, printed: str | None) -> bool:
        """Whether a program may have failed, or run no test, and was not seen to. `printed`: what
        is known of what they printed."""
        hidden = any(_hides_failure(program, printed) for program, _ in self.programs)
        return hidden or any(_ends(line) for line, _ in self.lost)

    @property
    def acts(self) -> tuple[str, ...]:
        """What the programs did that were started, of those whose end counts."""
        return tuple(dict.fromkeys(act for line, _ in self._lines() for act in _ends(line)))

    def runs(self, home: str) -> tuple[ProgramRun, ...]:
        """The tests and linters among them, with their folder where it is another than `home`."""
        found = dict[ProgramRun, None]()
        for line, start in self._lines():
            at = os.path.relpath(start.folder, home)
            before = (*(() if at == "." else (f"cd {at}",)), *start.settings)
            found |= dict.fromkeys(run_within(before, run) for run in commands(line).runs)
        return tuple(found)

    def _lines(self) -> Iterator[tuple[str, ProgramStart]]:
        yield from ((_line(program), start) for program, start in self.programs)
        yield from self.lost


_WATCHES: list[Watch] = []
_INSTALLED: list[bool] = []
_LOADED: dict[str, tuple[int, int]] = {}
"""Files of modules, as they were written when they were loaded last."""


def begin_watch() -> Watch:
    if not _INSTALLED:
        _INSTALLED.append(True)
        sys.addaudithook(_on_audit_event)
    others = frozenset(thread.ident for thread in running_threads() if thread.ident is not None)
    watch = Watch(get_ident(), others)
    _WATCHES.append(watch)
    return watch


def end_watch(watch: Watch) -> None:
    if watch in _WATCHES:
        _WATCHES.remove(watch)


def is_foreign(path: str) -> bool:
    """Whether it is a file of Python's, of a package, or of the system's own."""
    return _is_library(path) or CELL_FILES in path


def _is_library(path: str) -> bool:
    return path.startswith((*_OTHERS, *_SYSTEM)) or "site-packages" in path


def _shown_last() -> BaseException | None:
    return getattr(sys, "last_value", None)


def _watches() -> list[Watch]:
    """Those of the cell that this thread runs."""
    me = get_ident()
    # Threads that ran before the cell are not of it; those that began since are taken to be.
    return [each for each in _WATCHES if me == each.main or me not in each.others]


def _on_audit_event(event: str, arguments: tuple[Any, ...]) -> None:
    # First the cheapest test: this runs at each audit event of the process, and for ever.
    if event not in (("open", "exec", *_STARTS, *_LOSES) if _WATCHES else ("exec",)):
        return
    try:
        if event == "exec":
            _note_load(arguments[0])
        elif event == "open":
            path, mode, flags = arguments[:3]
            _note(path, mode, flags, sys._getframe(1))
        elif event in _LOSES:
            _note_lost(arguments, sys._getframe(1))
        else:
            _note_program(sys._getframe(1))
    except Exception:  # whatever is wrong here, the cell's own code goes on
        return


def _note_load(code: Any) -> None:
    """A module is loaded, or loaded anew: by whatever loads it, what is run is its code."""
    if code.co_name == "<module>" and os.path.isabs(code.co_filename):
        file = os.path.realpath(code.co_filename)
        if not is_foreign(file):
            _LOADED[file] = _written(file)


def _written(file: str) -> tuple[int, int]:
    now = os.stat(file)
    return now.st_size, now.st_mtime_ns


def is_loaded_as_written(file: str) -> bool:
    """Whether the code of a module that is loaded is that of its file. No, where it was loaded
    before anything was watched."""
    try:
        return _LOADED.get(os.path.realpath(file)) == _written(file)
    except OSError:
        return False


def _note(path: Any, mode: Any, flags: Any, frame: FrameType | None) -> None:
    if not isinstance(path, str | bytes | os.PathLike) or _writes(mode, flags):
        return
    watches = _watches()
    if not watches or not _is_meant(frame):
        return
    real = os.path.abspath(os.fsdecode(path))
    if is_foreign(real) or is_foreign(os.path.realpath(real)):
        return
    for watch in watches:
        if len(watch.files) < MAX_FILES:
            watch.files.setdefault(real, set()).add(_place(frame))


def _note_program(asked: FrameType | None) -> None:
    """Not what a library starts for itself: whether that fails is its own matter."""
    program, folder, environment = None, None, None
    while asked is not None and _STARTING.search(asked.f_code.co_filename):
        holder = asked.f_locals.get("self")
        folder = folder or asked.f_locals.get("cwd") or getattr(holder, "cwd", None)
        environment = environment or asked.f_locals.get("env")
        if program is None and any(hasattr(holder, name) for name in _ENDS):
            program = holder
        asked = asked.f_back
    if asked is None or _is_library(asked.f_code.co_filename) or program is None:
        return
    for watch in _watches():
        if len(watch.programs) < MAX_FILES:
            watch.programs.append((program, _start(folder, environment)))


def _note_lost(arguments: tuple[Any, ...], asked: FrameType | None) -> None:
    if asked is None or _is_library(asked.f_code.co_filename):
        return
    told = (each for each in arguments[::-1] if isinstance(each, str | bytes | list | tuple))
    line = _words_line(next(told))
    for watch in _watches():
        if len(watch.lost) < MAX_FILES:
            watch.lost.append((line, _start(None, None)))


def _start(folder: Any, environment: Any) -> ProgramStart:
    given = environment if isinstance(environment, dict) else os.environ
    return ProgramStart(os.path.realpath(os.fsdecode(folder or ".")), run_settings(given))


def _has_failed(program: Any) -> bool:
    """Whether it ended with a failure. That a search ends with 1 says that it has found nothing."""
    codes = {getattr(program, name, None) for name in _ENDS} - _WELL
    return bool(codes) and not (codes == {1} and commands(_line(program)).acts == ("search",))


def _hides_failure(program: Any, printed: str | None) -> bool:
    line = _line(program)
    # Of `pexpect` that is all that it printed.
    shown = getattr(program, "before", None)
    said = os.fsdecode(shown) if isinstance(shown, str | bytes) else printed
    codes = {getattr(program, name, None) for name in _ENDS}
    # One that still runs, or was ended, was not seen to end well.
    if not _ends(line):
        return False
    return 0 not in codes or hides_failure(line) or not shows_tests(line, said)


def _ends(line: str) -> list[str]:
    return [act for act in commands(line).acts if act in ENDING]


def _line(program: Any) -> str:
    """What the program was started with, as a shell reads it."""
    return _words_line(program.args)


def _words_line(words: Any) -> str:
    if isinstance(words, str | bytes):
        return os.fsdecode(words)
    words = [os.fsdecode(word) for word in words]
    script = shell_script(words)
    return shlex.join(words) if script is None else script


def _place(frame: FrameType | None) -> CallPlace | None:
    """The call of a cell's own code, by line and column, that led here through libraries."""
    while frame is not None and _is_library(os.path.realpath(frame.f_code.co_filename)):
        frame = frame.f_back
    if frame is None or CELL_FILES not in frame.f_code.co_filename:
        return None
    if not frame.f_code.co_name.startswith(("<module>", "<cell line")):
        return None
    line, _, column, _ = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    return None if line is None or column is None else (line, column)


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
