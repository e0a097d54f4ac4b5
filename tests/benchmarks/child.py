"""What has to be measured in a process of its own: `python child.py NAME ARGUMENT …` says it as
JSON."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any


def replay(folder: str, name: str) -> dict[str, Any]:
    """Open a session, from the file to the answer what its last step was."""
    home = import_module("wfnb.home_folder").Home(Path(folder))
    before = peak()
    begun = perf_counter()
    workspace = home.resume(name)
    seconds = perf_counter() - begun
    return {
        "seconds": seconds,
        "peak": peak(),
        "before": before,
        "steps": len(workspace.session.steps),
        "events": workspace.session.position,
        "last": next(reversed(workspace.session.steps.values())).number,
    }


def picture(folder: str, name: str) -> dict[str, Any]:
    workspace = import_module("wfnb.home_folder").Home(Path(folder)).resume(name)
    begun = perf_counter()
    svg = workspace.graph().svg
    return {"seconds": perf_counter() - begun, "size": len(svg)}


def append(folder: str, steps: str) -> dict[str, Any]:
    """Record steps once told to go, and count how often another process was quicker."""
    workspace = import_module("wfnb.home_folder").Home(Path(folder)).open("notebook")
    conflict = import_module("wfnb.errors").JournalConflict
    conflicts = 0
    write = workspace.log.journal.append

    def counted(*arguments: Any) -> Any:
        nonlocal conflicts
        try:
            return write(*arguments)
        except conflict:
            conflicts += 1
            raise

    workspace.log.journal.append = counted
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(int(steps)):
        workspace.step(f"Look at part {number}")
    return {"conflicts": conflicts}


def call(tool: str, **params: Any) -> dict[str, Any]:
    """What a tool gives, called on the engine's loop as a run calls it."""
    engine = import_module("wfnb.workflows.runner.event_loop").engine()
    perform = import_module("wfnb.workflows.tools.tool_execution").perform

    async def refuse(*_: object, **__: object) -> Any:
        raise AssertionError

    context = import_module("wfnb.workflows.tools.call_context").Context(
        run="bench",
        action="bench",
        attempt=1,
        folder=Path.cwd(),
        say=lambda text: None,
        ask=refuse,
        nested=refuse,
        namespace=None,
        terminals=engine.terminals,
        root="bench",
        marking=lambda: import_module("wfnb.workflows.tools.process_cleanup").mark("bench"),
    )
    registry = import_module("wfnb.workflows.tools.registry").REGISTRY
    found: dict[str, Any] = engine.submit(perform(registry.get(tool), params, context)).result(120)
    return found


def flood(size: str) -> dict[str, Any]:
    """So many bytes through a terminal: the memory it took, and how long it held up the loop."""
    terminal = call("open_terminal")["session_id"]
    engine = import_module("wfnb.workflows.runner.event_loop").engine()
    held = [0.0]

    async def tick() -> None:
        while True:
            begun = perf_counter()
            await asyncio.sleep(0.005)
            held.append(perf_counter() - begun - 0.005)

    ticking = engine.submit(tick())
    before = peak()
    command = "yes 012345678901234567890123456789012345678901234567890123456789"
    text = f"{command} | head -c {size}; echo en'd'\n"
    call("send_input", session_id=terminal, input_text=text)
    found = call("await_output", session_id=terminal, pattern="end", timeout=100.0)
    assert found["match_text"], found
    ticking.cancel()
    grown = {"before": before, "peak": peak(), "held": max(held)}
    call("exit_terminal", session_id=terminal)
    return grown


def peak() -> int:
    """The most memory that this process had, in bytes. In `ru_maxrss` Linux counts the process
    that started it, too."""
    status = Path("/proc/self/status")
    if status.exists():
        found = next(line for line in status.read_text().splitlines() if "VmHWM" in line)
        return int(found.split()[1]) * 1024
    return getrusage(RUSAGE_SELF).ru_maxrss


class Child:
    """Such a process, seen from the one that asks."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def wait_until_ready(self) -> None:
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert said == "ready\n", said

    def go(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        said, _ = self._process.communicate(timeout=120)
        assert self._process.returncode == 0
        return json.loads(said)


@contextmanager
def started(*arguments: object) -> Iterator[Child]:
    """Python with these arguments."""
    pipe = subprocess.PIPE
    command = [sys.executable, *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, env=environment()
    ) as process:
        try:
            yield Child(process)
        finally:
            process.kill()


def asked(*arguments: object) -> Any:
    with started(*arguments) as process:
        return process.answer()


@cache
def _compiled() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="wfnb-compiled-")


def environment() -> dict[str, str]:
    """The user's, but that modules are compiled once, as those of an installed package are."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": _compiled().name}


if __name__ == "__main__":
    work = {run.__name__: run for run in (replay, picture, append, flood)}[sys.argv[1]]
    print(json.dumps(work(*sys.argv[2:])))
