"""terminals of this process: opened, found by their session, ended with all that they started.

Whatever is still open ends with the process (atexit), and, if that was killed, when the next one
opens its first terminal (`process_cleanup.sweep`). A fork has none of them.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import secrets
import shlex
import shutil
import sys
import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakSet

from wfnb.workflows.definition.problem import value_text
from wfnb.workflows.tools import process_cleanup
from wfnb.workflows.tools.platform_support import check_platform
from wfnb.workflows.tools.result_fields import ToolFailed

from .screen import COLUMNS, ROWS
from .terminal import Terminal

MAX_OPEN_TERMINALS = 50
"""Terminals that may be open at the same time."""
START_TIMEOUT = 0.25
"""Seconds that a program has for showing something before `open` is done without it."""
_BASH = ("--norc", "--noprofile", "+H")
_NO_HISTORY = {
    "HISTFILE": "",
    "LESSHISTFILE": "-",
    "MYSQL_HISTFILE": "/dev/null",
    "NODE_REPL_HISTORY": "",
    "PSQL_HISTORY": "/dev/null",
    "PYTHON_HISTORY": "/dev/null",
    "SQLITE_HISTORY": "/dev/null",
}
"""What is typed here is in no history of its user's; Python before 3.13 and vim ask no variable."""


@dataclass(kw_only=True, slots=True, eq=False)
class TerminalSession:
    """An open terminal, and what it was opened with."""

    session_id: str
    shell: str
    folder: Path
    root: str
    mark: str
    opened: datetime
    terminal: Terminal


TerminalSessions = tuple[TerminalSession, ...]


class Terminals:
    """The terminals of a process. `open` and `close` belong to a running loop; the others may be
    called from any thread."""

    def __init__(self) -> None:
        self._sessions: dict[str, TerminalSession] = {}
        self._opening = 0
        self._swept = False
        self._lock = threading.Lock()
        _ALL.add(self)

    async def open(
        self,
        *,
        shell: str = "bash",
        folder: Path,
        environment: Mapping[str, str] | None = None,
        without: Collection[str] = (),
        root: str = "",
        mark: str = "",
        size: tuple[int, int] = (ROWS, COLUMNS),
    ) -> TerminalSession:
        """Start a program in a terminal of its own, for the run `root` (none: it stays open until
        it is closed); `shell` is its command line, `size` are rows and columns. A bash without
        arguments reads no start-up files and has the prompt `$ `. Done as soon as the program has
        shown something, or after START_TIMEOUT. It inherits no variable that is to be `without`.

        Raises ToolFailed: MAX_OPEN_TERMINALS are open, there is no such program or folder;
        SystemUnsupported where there are no terminals.
        """
        check_platform()
        with self._lock:
            # Counted while they open, since that takes time, and many may be asked for at once.
            if len(self._sessions) + self._opening >= MAX_OPEN_TERMINALS:
                raise ToolFailed(f"Maximum sessions ({MAX_OPEN_TERMINALS}) reached")
            self._opening += 1
        try:
            session = self._start(shell, folder, environment or {}, without, root, mark, size)
            with self._lock:
                self._sessions[session.session_id] = session
        finally:
            with self._lock:
                self._opening -= 1
        if not self._swept:
            self._swept = True
            # In a thread, and not awaited: it goes through all processes of the machine.
            asyncio.get_running_loop().run_in_executor(None, process_cleanup.sweep)
        try:
            await session.terminal.wait_for_start(START_TIMEOUT)
        except BaseException:
            await self._end([session])
            raise
        return session

    def _start(
        self,
        shell: str,
        folder: Path,
        environment: Mapping[str, str],
        without: Collection[str],
        root: str,
        mark: str,
        size: tuple[int, int],
    ) -> TerminalSession:
        session_id = f"session_{secrets.token_hex(4)}"
        own = f"{mark or process_cleanup.mark(root)}.{session_id}"
        argv = _words(shell)
        values = {**_environment(process_cleanup.environment(own, without)), **environment}
        if len(argv) == 1 and Path(argv[0]).name == "bash":
            argv += _BASH
            # A prompt that is known, whatever the files of the user say.
            values.update({"PS1": "$ ", **environment})
        if not os.path.isdir(folder):
            raise ToolFailed(f"{folder} is no folder")
        for name, value in environment.items():
            if not name or "=" in name or "\0" in name + value:
                raise ToolFailed(f"{name!r} cannot be put into an environment as {value[:80]!r}")
        return TerminalSession(
            session_id=session_id,
            shell=shell,
            folder=folder,
            root=root,
            mark=own,
            opened=datetime.now(UTC),
            terminal=_terminal(
                [_find_program(argv[0], folder, values), *argv[1:]], folder, values, size
            ),
        )

    def get(self, session_id: str) -> TerminalSession:
        """Raises ToolFailed: `Session not found`."""
        session = self._sessions.get(session_id)
        if session is None:
            # No `session_id` beside it, so it is the session of no run.
            raise ToolFailed(f"Session not found: no terminal {value_text(session_id)} is open")
        return session

    def list(self) -> TerminalSessions:
        """All that are open, the oldest first; those whose program has ended too."""
        with self._lock:
            return tuple(self._sessions.values())

    async def exit(self, session_id: str) -> int:
        """End a terminal and every process that was started in it. Returns how many those were.
        Raises ToolFailed: `Session not found`."""
        return await self._end([self.get(session_id)])

    async def close(self, root: str) -> int:
        """End the terminals of a run. Returns how many processes that were."""
        return await self._end([each for each in self.list() if each.root == root])

    def close_all(self) -> int:
        """End all terminals, from any thread. Returns how many processes that were."""
        return _end_sessions(self._take_sessions(self.list()))

    async def _end(self, sessions: Iterable[TerminalSession]) -> int:
        taken = self._take_sessions(sessions)
        if not taken:
            return 0
        for session in taken:
            session.terminal.program.hang_up()
        # they are ended even if nobody waits for it any more
        return await asyncio.shield(asyncio.to_thread(_end_sessions, taken))

    def _take_sessions(self, sessions: Iterable[TerminalSession]) -> TerminalSessions:
        with self._lock:
            return tuple(s for s in sessions if self._sessions.pop(s.session_id, None))

    def forget(self) -> None:
        """This process is a fork of the one whose terminals these are."""
        self._lock = threading.Lock()
        for session in self._sessions.values():
            session.terminal.program.forget()
        self._sessions.clear()


def _end_sessions(sessions: Iterable[TerminalSession]) -> int:
    programs = [session.terminal.program for session in sessions]
    if not programs:
        return 0
    for program in programs:
        program.hang_up_from_anywhere()
    count = process_cleanup.end_all(
        [session.mark for session in sessions],
        # The number of one that was reaped may be another process by now.
        also=[program.number for program in programs if not program.reaped],
    )
    for program in programs:
        program.reap()
    return count


def _terminal(
    argv: list[str], folder: Path, values: Mapping[str, str], size: tuple[int, int]
) -> Terminal:
    try:
        return Terminal(argv, folder, values, size)
    except (OSError, ValueError) as error:
        said = re.sub(r"^\[Errno \d+\] |: '.*'$", "", str(error))
        raise ToolFailed(f"{argv[0]} cannot be started ({said})") from None


def _words(shell: str) -> list[str]:
    try:
        words = shlex.split(shell)
    except ValueError as error:
        raise ToolFailed(f"The command line {shell!r} does not read ({error})") from None
    if "\0" in shell:
        raise ToolFailed(f"The command line {shell!r} holds a NUL")
    if not words:
        raise ToolFailed("A terminal needs a program: `shell` is empty")
    return words


def _find_program(program: str, folder: Path, values: Mapping[str, str]) -> str:
    where = str(folder / program) if os.sep in program else program
    found = shutil.which(where, path=values.get("PATH", os.defpath))
    if found is None:
        raise ToolFailed(f"There is no program {program!r}")
    return os.path.abspath(found)


def _environment(values: dict[str, str]) -> dict[str, str]:
    """What a terminal changes in the environment of its process."""
    for name in ("COLUMNS", "LINES", "TERMCAP"):
        values.pop(name, None)
    values |= {"TERM": "xterm-256color", **_NO_HISTORY}
    if not any(values.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        values["LC_CTYPE"] = "UTF-8" if sys.platform == "darwin" else "C.UTF-8"
    return values


_ALL: WeakSet[Terminals] = WeakSet()


def _close_all() -> None:
    for terminals in list(_ALL):
        terminals.close_all()


def _forget_all() -> None:
    for terminals in list(_ALL):
        terminals.forget()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
