"""this machine's processes -> who they are, whose children, what marks they bear, when they end.

On Linux `/proc` says so. Elsewhere `ps` is asked; macOS does not show the environment of the
programs that it protects (those in `/bin` and `/usr/bin`), so that these are only known by whose
children they are.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from wfnb.frozen_record import record

from .platform_support import LACKS, poll

VARIABLE = "WFNB_MARK"
_PROC = Path("/proc")
_KERNEL = 0x200000
"""The flag of a thread of the kernel."""


@record
class Process:
    """A process, the one that started it, the one whose session it is in (0: not known), when it
    was started (in a word), the marks it bears."""

    number: int
    parent: int
    session: int = 0
    born: str = ""
    marks: tuple[str, ...] = ()
    blank: bool = False
    """Whether nothing is in its environment: it may just be starting a program."""

    @property
    def identity(self) -> tuple[int, str]:
        return self.number, self.born


def all_processes() -> Iterator[Process]:
    """Every process; none where no programs are run from here."""
    if LACKS is not None:
        return iter(())
    return _processes_from_ps() if not _proc() else _looked_up()


@cache
def _proc() -> bool:
    return (_PROC / "self" / "environ").exists()


def _looked_up() -> Iterator[Process]:
    """Every process of this user, as `/proc` has them."""
    for entry in filter(str.isdigit, os.listdir(_PROC)):
        with contextlib.suppress(OSError):
            state = _stat(int(entry))
            # A zombie has ended already; threads of the kernel have no environment and never get
            # one.
            if state[0] == "Z" or int(state[6]) & _KERNEL:
                continue
            environ = _environ(int(entry))
            yield Process(
                number=int(entry),
                parent=int(state[1]),
                session=int(state[3]),
                born=state[19],
                marks=_marks(environ),
                blank=not environ,
            )


def left_behind(number: int, mark: str) -> bool:
    """Whether something that the process of that number, which has ended, started is there: in its
    group, or with its mark. As far as that is known at once: of those that bear the mark only the
    ones with a higher number are seen, and these, after many others, begin again."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # Signal 0 only asks whether there is such a group.
        os.killpg(number, 0)
        return True
    if not _proc():
        return False
    with contextlib.suppress(OSError), open(_PROC / "loadavg", "rb", buffering=0) as file:
        if file.read().split()[-1:] == [b"%d" % number]:  # nothing was started since
            return False
    for entry in filter(str.isdigit, os.listdir(_PROC)):
        with contextlib.suppress(OSError):
            if int(entry) > number and mark in _marks(_environ(int(entry))):
                return True
    return False


def _read(number: int, name: str) -> bytes:
    """A file of a process. There are hundreds to read: a Path for each takes as long as reading."""
    with open(f"/proc/{number}/{name}", "rb", buffering=0) as file:
        return file.read()


def _environ(number: int) -> bytes:
    try:
        return _read(number, "environ")
    except ProcessLookupError:  # it is ending, and has none any more
        return b""


def _marks(environ: bytes) -> tuple[str, ...]:
    _, found, rest = (b"\0" + environ).partition(f"\0{VARIABLE}=".encode())
    said = rest.partition(b"\0")[0] if found else b""
    return tuple(said.decode("utf-8", "replace").split())


def _stat(number: int) -> list[str]:
    """The fields of a process from its state on; the name before them may hold anything."""
    text = _read(number, "stat").decode("utf-8", "replace")
    return text.rpartition(")")[2].split()


def _processes_from_ps(
    command: Iterable[str] = ("ps", "-A", "-E", "-ww", "-o", "pid=,ppid=,command="),
) -> Iterator[Process]:
    """Every process, as `ps` shows them, with their environment behind their command line."""
    shown = subprocess.run([*command], capture_output=True, check=False, timeout=10)
    for line in shown.stdout.decode("utf-8", "replace").splitlines():
        read = re.match(r"\s*(\d+)\s+(\d+)\s+(.*)", line)
        if read:
            said = re.search(rf"(?:^|\s){VARIABLE}=((?:wfnb:\S+ ?)*)", read[3])
            marks = tuple(said[1].split()) if said else ()
            yield Process(number=int(read[1]), parent=int(read[2]), marks=marks)


@cache
def space() -> str:
    """Where the numbers of processes hold: a container has its own."""
    with contextlib.suppress(OSError):
        return re.sub(r"\D", "", os.readlink("/proc/self/ns/pid"))
    return ""


def start_time(number: int) -> str | None:
    """When a process was started, in a word; None: there is no such process, or it cannot be known
    here."""
    if LACKS is not None:
        return None
    if _proc():
        try:
            state = _stat(number)
        except OSError:
            return None
        return None if state[0] == "Z" else state[19]
    shown = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(number)],
        capture_output=True,
        check=False,
        timeout=10,
        env={**os.environ, "LC_ALL": "C"},  # the names of days are those of a language
    )
    return re.sub(r"\W+", "-", shown.stdout.decode().strip()) or None


def await_end(numbers: Iterable[int], seconds: float) -> None:
    """Wait until all of these have ended, at most so long."""
    until = time.monotonic() + seconds
    with contextlib.ExitStack() as opened:
        ends = poll()
        open_ones = set()
        for number in numbers:
            with contextlib.suppress(OSError, AttributeError):
                end = os.pidfd_open(number)
                opened.callback(os.close, end)
                ends.register(end)
                open_ones.add(end)
        # Woken by each end, so a call whose programs do as they are asked costs milliseconds.
        while open_ones and (left := until - time.monotonic()) > 0:
            for end, _ in ends.poll(left * 1000):
                ends.unregister(end)
                open_ones.discard(end)
    if not hasattr(os, "pidfd_open"):
        _await_end_by_asking(numbers, until)


def _await_end_by_asking(numbers: Iterable[int], until: float) -> None:
    left = set(numbers)
    while left and time.monotonic() < until:
        left = {number for number in left if start_time(number) is not None}
        time.sleep(0.005)
