"""a folder -> a runner of its session; a few words -> a workflow; a run -> what happened in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import wfnb
from wfnb.journal import SqliteJournal
from wfnb.session_log import SessionLog
from wfnb.workflows.core.run import Run
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.run_context import RunContext
from wfnb.workflows.runner.runner import Runner

LONG = 60
"""Seconds that a tool would take if nothing stopped it. No test waits for that."""
SOON = 30
"""Seconds in which what is waited for comes about, on the slowest machine."""


class Drawn(Runner):
    """A runner whose waits between attempts are the longest they may be, and can be looked at."""

    drawn: list[tuple[float, float]]

    def _new_context(self, *args: Any) -> RunContext:
        around = super()._new_context(*args)
        self.drawn = []

        def draw(low: float, high: float) -> float:
            self.drawn.append((low, high))
            return high

        around.draw = draw
        return around


def runner_in(home: Path, name: str = "told", folder: Path | None = None) -> Drawn:
    """A runner of the session of that name, which is made if it is new."""
    workspace = wfnb.open(name, home_folder=home)
    return Drawn(workspace.log, home, folder or home.parent)


def runner_on(journal: SqliteJournal, home: Path) -> Drawn:
    """The same on a journal of the test's own."""
    session = journal.find("told")
    if session is None:
        from wfnb.core.events import SessionStarted  # noqa: PLC0415

        session, _ = journal.create("told", [SessionStarted(name="told")])
    return Drawn(SessionLog(journal, session), home, home.parent)


def steps(*written: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A workflow of steps."""
    return {"name": "told", "steps": list(written), **more}


def step(id: str, tool: str, *needs: str, **more: Any) -> dict[str, Any]:
    """A step: `args` are its parameters, other words its fields."""
    return {"id": id, "tool": tool, **({"needs": list(needs)} if needs else {}), **more}


def states(first: str, **written: Mapping[str, Any]) -> dict[str, Any]:
    """A workflow of states."""
    return {"name": "told", "initial_state": first, "states": written}


def state(tool: str, *transitions: tuple[Mapping[str, Any], str], **more: Any) -> dict[str, Any]:
    """A state: pairs of a condition and the next state; `params` are its parameters."""
    return {
        "action": {"tool": tool, "params": more.pop("params", {})},
        "transitions": [{"condition": when, "next_state": then} for when, then in transitions],
        **more,
    }


def gone_on(runner: Runner, *args: Any, **kwargs: Any) -> Run:
    """The run that is resumed, once it has ended."""
    running = runner.resume(*args, **kwargs)
    running.wait()
    return running.run


def calls(run: Run) -> list[str]:
    """Every call in order: its action, its status, `undo` before a compensation."""
    return [
        f"{'undo ' if call.undoes is not None else ''}{call.action} {call.status}"
        for call in tuple(run.calls.values())  # others may be at work on it
    ]


def gone(pid: int) -> bool:
    """Whether the process has ended, or is only waited for."""
    with suppress(FileNotFoundError, ProcessLookupError):
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            return stat.read_text().rpartition(")")[2].split()[0] == "Z"
        os.kill(pid, 0)
        return Path("/proc").exists()
    return True


def disk(home: Path) -> bytes:
    """All that is on disk under a folder."""
    files = sorted(path for path in home.rglob("*") if path.is_file())
    return b"\n".join(path.read_bytes() for path in files)


def up(running: ActiveRun) -> ActiveRun:
    """The run, once something of it was heard."""
    while not running.tail and not running.is_done:
        running.changed.wait(1)
        running.changed.clear()
    return running


def asking(running: ActiveRun) -> ActiveRun:
    while not running.log.asks and not running.is_done:
        running.changed.wait(1)
        running.changed.clear()
    return running


def pid_in(home: Path) -> int:
    return int((home.parent / "pid").read_text())


def ran(runner: Runner) -> ActiveRun:
    running = runner.start(steps(step("a", "sleep", args={"seconds": 0})))
    running.wait()
    return running
