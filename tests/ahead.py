"""a program of this package -> a process of its own, forked from one that has loaded it.

To load what a command or a kernel is made of takes ten times as long as most of what tests have it
do. So a server loads it once, without running any of it, and is forked for each process. That has
its own arguments, folder, environment and descriptors, and its own end: signals reach it alone, and
what was registered for the end of the process is done then. What is read while Python itself
starts, and is to differ, needs a process that is started anew (`is_like_here`).
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

ROOT = Path(__file__).parents[1]
LOADED = {
    "wfnb": (
        *(
            "wfnb.cli.invocation",
            "wfnb.cli.workflow_library_output",
            "wfnb.cli.progress_display",
            "wfnb.cli.inspect_runs",
        ),
        *("wfnb.cli.attended_run", "wfnb.cli.program", "wfnb.cli.run_control", "tests.warm_up"),
    ),
    # The same command, with what it serves agents by: no other needs that.
    "wfnb.__main__": (
        *(
            "wfnb.cli.invocation",
            "wfnb.cli.mcp_command",
            "wfnb.mcp.stdio_server",
            "wfnb.mcp.protocol_answers",
        ),
        "wfnb.workflows.tools.watchdog_process",
    ),
    "ipykernel_launcher": (
        *("ipykernel.kernelapp", "ipykernel.ipkernel", "wfnb.jupyter.ipython_extension"),
        *(
            "wfnb.jupyter.run_verbs",
            "wfnb.workflows.runner.runner",
            "wfnb.panel",
            "wfnb.home_folder",
            "tests.warm_up",
        ),
    ),
}
"""What is loaded ahead for a module that is run."""
_SERVES = f"import sys; sys.path[0] = {str(ROOT)!r}; from tests.ahead import served; served()"
_STARTS = ("PYTHON", "LC_", "LANG")
"""How the names of variables begin that Python reads when it starts."""
_PATH = "PYTHONPATH"
"""But for this one, which a fork can follow."""


def is_like_here(environment: Mapping[str, str]) -> bool:
    """Whether a process with this environment may be forked from one that has the tests' own."""

    def read(values: Mapping[str, str]) -> dict[str, str]:
        named = (name for name in values if name.startswith(_STARTS) and name != _PATH)
        return {name: values[name] for name in named}

    return read(environment) == read(os.environ)


class Forked:
    """A process as `subprocess.Popen` has it."""

    stdin = stdout = stderr = None

    def __init__(
        self,
        module: str,
        words: Sequence[str],
        *,
        cwd: str | Path,
        env: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
        session: bool = False,
    ) -> None:
        self.returncode: int | None = None
        wanted = {"words": [*words], "cwd": str(cwd), "env": dict(env), "session": session}
        self._line, its = socket.socketpair()
        with its, _opened(stdin, stdout, stderr) as files:
            _server(module, os.getpid()).send(json.dumps(wanted).encode(), [*files, its.fileno()])
        self._told = self._line.makefile("r")
        self.pid = int(self._told.readline())

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._line], [], [], timeout)[0]:
            self.returncode = int(self._told.readline())
            self._told.close()
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@contextmanager
def _opened(*files: int) -> Iterator[list[int]]:
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        yield [nothing if file == subprocess.DEVNULL else file for file in files]
    finally:
        os.close(nothing)


class _Server:
    """The line to a server, which ends when this process does."""

    def __init__(self, module: str) -> None:
        ours, its = socket.socketpair(type=socket.SOCK_STREAM)
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _SERVES, str(its.fileno()), module, *LOADED[module]],
                cwd="/",
                stdin=subprocess.DEVNULL,
                pass_fds=[its.fileno()],
            )
        self._process.returncode = 0  # nobody waits for it
        self._line, self._lock = ours, Lock()

    def send(self, wanted: bytes, files: list[int]) -> None:
        with self._lock:
            socket.send_fds(self._line, [len(wanted).to_bytes(8, "big")], files)
            self._line.sendall(wanted)


@cache
def _server(module: str, process: int) -> _Server:
    """That of this process: a fork has its own."""
    return _Server(module)


def served() -> None:
    """Serve until the line ends; in a fork, run what was asked for."""
    line, module, *loaded = sys.argv[1:]
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel reads there whom it ends with
    for name in loaded:
        import_module(name)
    gc.freeze()  # no fork looks through all this for garbage, which would copy it
    job = _next(socket.socket(fileno=int(line)))
    if job is not None:
        job(module)


def _next(line: socket.socket) -> Callable[[str], None] | None:
    """Of a fork, what it is to do; None: nobody asks any more."""
    wakes, woken = socket.socketpair()
    wakes.setblocking(False)
    woken.setblocking(False)
    signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
    before = signal.signal(signal.SIGCHLD, lambda *_: None)
    children: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([line, wakes], [], [])
        if wakes in ready:
            with suppress(BlockingIOError):
                wakes.recv(4096)
            _tell(children)
        if line not in ready:
            continue
        size, files, _, _ = socket.recv_fds(line, 8, 4)
        if not size:
            return None
        wanted = json.loads(line.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL))
        said = socket.socket(fileno=files.pop())
        child = os.fork()
        if not child:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, before)
            for each in (line, wakes, woken, said, *children.values()):
                each.close()
            return lambda module: _begin(module, files, wanted)
        for file in files:
            os.close(file)
        children[child] = said
        said.sendall(b"%d\n" % child)


def _tell(children: dict[int, socket.socket]) -> None:
    """Those who started them are told of children that have ended."""
    for child in [*children]:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            with children.pop(child) as said, suppress(OSError):
                said.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def _begin(module: str, files: list[int], wanted: dict[str, Any]) -> None:
    """Become a process that was started to run the module: what it leaves is left to Python."""
    from runpy import run_module  # noqa: PLC0415

    if wanted["session"]:
        os.setsid()
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    plain = sys.path[1 + len(_named(os.environ)) :]
    sys.path[:] = [wanted["cwd"], *_named(wanted["env"]), *plain]
    os.environ.clear()
    os.environ.update(wanted["env"])
    os.chdir(wanted["cwd"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv[:] = ["", *wanted["words"]]
    run_module(module, run_name="__main__", alter_sys=True)


def _named(environment: Mapping[str, str]) -> list[str]:
    return [each for each in environment.get(_PATH, "").split(os.pathsep) if each]
