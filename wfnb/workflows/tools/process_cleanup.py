"""mark -> every process that bears it ended, however far it has gone from its terminal.

Theory of operation
-------------------

A call of a shell tool must end with all that it started. Process groups and sessions do not do it:
`setsid`, `nohup`, `&` and daemons leave them, and killing by parent misses a process whose parent
has ended. What a process cannot get rid of by accident is its environment. So:

 1. A process that is started bears a mark in its environment (`WFNB_MARK`). Whatever it starts
    inherits the mark: disowned jobs, too, and programs in a session of their own.
 2. To end a call, all processes of the machine are listed, those with the mark are chosen, and all
    their children, children's children …
 3. They get SIGTERM, half a second, then SIGKILL. This is repeated until a listing finds none: a
    process that is being ended may start another one. A process that was met once counts as met
    when it has lost its parent.

The mark says whose it is: the space of process numbers, the owner's number, and the owner's time of
start. Numbers are used again by the system; number and time together are not. So `sweep` can tell
the processes of an owner that is gone from those of one that lives. A container has a number space
of its own, and another machine's marks are left alone.

A mark may be divided: `run.1` and `run.2` are ended alone, and with `run`. Marks add up: what is
started within a marked process bears both, and is ended by either.

Who ends them, and when:

    the call ends, is stopped or timed out    `end_marked`, by the tool
    the owner ends in its own way             `end_own`, by atexit
    the owner is killed                       its watchdog (`watchdog_process.py`)
    the watchdog is killed, too               `sweep`, by the next process that resumes a run

This process and its ancestors are never ended from here, whatever they bear: a notebook may have
been started by a run.

Example: `sh -c 'sleep 1000 & disown; exit'`. The shell is gone, `sleep` is a child of process 1, in
another group. Its environment has the mark, and it ends.

On Linux the marks are read in `/proc`. A process that is just starting a program has an empty
environment for a moment; while nothing is found but such processes, the listing is taken again.
Elsewhere `ps` is asked. macOS does not show the environment of the programs that it protects
(`/bin`, `/usr/bin`); these are found only as children of marked ones, and not at all once they are
nobody's children.

Not taken: process groups alone (see above), cgroups (need rights that a user has not), and
`PR_SET_CHILD_SUBREAPER` (it changes whose children every program of the notebook are).
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Collection, Iterable
from functools import cache

from .process_table import VARIABLE as VARIABLE
from .process_table import Process, all_processes, await_end, space, start_time

GRACE = 0.5
"""Seconds that a process has for ending by itself, once it was asked to."""
_ROUNDS = 20
_LOOKS = 3
_START = 0.002
"""Seconds between looks, in which a program that is being started gets to its environment."""
_OWNER = re.compile(r"wfnb:(?P<space>[^:]*):(?P<number>[0-9]{1,9}):(?P<born>[^:]*):")


def mark(name: str) -> str:
    """The mark of this process for `name`, which is unique in it."""
    return f"{_owner(os.getpid())}{re.sub(r'[^!-~]', '_', name)}"


def environment(mark: str, without: Collection[str] = ()) -> dict[str, str]:
    """The environment of this process `without` some names, and with the mark in it, beside those
    that it bears itself."""
    # Marks add up: this process may itself be within a call of another one.
    borne = os.environ.get(VARIABLE, "").split()
    own = {name: value for name, value in os.environ.items() if name not in without}
    return {**own, VARIABLE: " ".join(dict.fromkeys([*borne, *mark.split()]))}


def end_marked(mark: str, grace: float = GRACE) -> int:
    """End every process that bears the mark, and what such a one has started: asked first, killed
    after `grace` seconds. Returns how many. Takes milliseconds where they do as they are asked."""
    return end_all([mark], grace)


def end_all(marks: Iterable[str], grace: float = GRACE, also: Iterable[int] = ()) -> int:
    """The same for several marks at once, for the processes of these numbers, and for what is in
    the sessions of those."""
    marks, numbers = [*marks], {*also}

    def is_target(process: Process) -> bool:
        ours = process.number in numbers or process.session in numbers
        return ours or any(_bears(process, mark) for mark in marks)

    return _end(is_target, grace)


def sweep(grace: float = GRACE) -> int:
    """End every process whose mark says that its owner is gone, but for marks that this process
    bears itself. Returns how many."""
    borne = os.environ.get(VARIABLE, "").split()
    return _end(
        lambda process: any(_is_orphaned(m) for m in process.marks if m not in borne), grace
    )


def bearing(mark: str) -> frozenset[int]:
    """The numbers of the processes that bear the mark, and of those that they have started."""
    return _numbers(_find_processes(lambda process: _bears(process, mark)))


def _bears(process: Process, mark: str) -> bool:
    # With the dot, or `run.1` would also mean `run.10`. An empty mark would mean every process.
    return any(mark and f"{borne}.".startswith(f"{mark}.") for borne in process.marks)


def _end(which: Callable[[Process], bool], grace: float) -> int:
    met: set[tuple[int, str]] = set()

    def is_target(process: Process) -> bool:  # one that was met once may have lost its parent since
        return which(process) or process.identity in met

    for number in range(_ROUNDS):  # one that is being ended may start another meanwhile
        found = _find_processes(is_target)
        if not found:
            break
        met |= found
        for each in _numbers(found):
            # Asked once: a program that ignored SIGTERM ignores the second one, too.
            _signal(each, signal.SIGKILL if number else signal.SIGTERM)
            _signal(each, signal.SIGCONT)  # one that was stopped hears nothing
        await_end(_numbers(found), grace)
    return len(met)


def _find_processes(which: Callable[[Process], bool]) -> set[tuple[int, str]]:
    """The processes that are meant, with their children, children's children …"""
    for _ in range(_LOOKS):
        everyone = list(all_processes())
        ours = _ourselves(everyone)
        chosen = {process.number for process in everyone if which(process)} - ours
        more = chosen
        while more:
            more = {p.number for p in everyone if p.parent in more} - chosen - ours
            chosen |= more
        if chosen or not any(process.blank for process in everyone):
            break
        time.sleep(_START)
    return {process.identity for process in everyone if process.number in chosen}


def _numbers(identities: Iterable[tuple[int, str]]) -> frozenset[int]:
    return frozenset(number for number, _ in identities)


def _ourselves(processes: Iterable[Process]) -> set[int]:
    """This process and those that it comes from, which are never ended from here."""
    parents = {process.number: process.parent for process in processes}
    found, number = {0, 1}, os.getpid()
    while number not in found:
        found.add(number)
        number = parents.get(number, 0)
    return found


def _is_orphaned(mark: str) -> bool:
    """Whether the owner of a mark is known to be gone. Another machine's, or container's, owners
    are not known here."""
    owner = _OWNER.match(mark)
    if not owner or owner["space"] != space():
        return False
    now = start_time(
        int(owner["number"])
    )  # a mark does not say when, where that could not be known
    # The number is in use: by the owner, or by a process that was started later.
    return now is None or owner["born"] not in ("", now)


@cache
def _owner(number: int) -> str:
    _OWNERS.add(number)
    return f"wfnb:{space()}:{number}:{start_time(number) or ''}:"


_OWNERS: set[int] = set()
"""The numbers under which this process has made marks: a fork knows that of its parent too."""


def owner() -> str:
    """What all marks of this process begin with."""
    return _owner(os.getpid())


def end_owned(owner: str, grace: float = GRACE) -> None:
    """End every process that bears a mark of this owner."""
    _end(lambda process: any(mark.startswith(owner) for mark in process.marks), grace)


def end_own() -> None:
    """End what bears marks of this process; of a fork that has made none, nothing."""
    # A fork runs the same exit functions, and must not end what belongs to its parent.
    if os.getpid() in _OWNERS:
        end_owned(owner())


atexit.register(end_own)


def _signal(number: int, which: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(number, which)
