"""Many runs of all kinds, and nothing is left of them but what was recorded."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.amount import times
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.event_loop import engine
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.process_cleanup import bearing, mark
from wfnb.workflows.tools.registry import tool

from .place import LONG, gone, runner_in, step, steps

RUNS = times(120, 1000)
TOGETHER = 10
"""Runs that go on at once."""

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="what is open is looked up in /proc"
)


def kinds() -> dict[str, dict[str, Any]]:
    """Workflows by name; those whose name begins with `stop` never end by themselves."""
    inner = steps(step("a", "quick", args={"n": 1}), step("b", "shell", args={"command": "true"}))
    nested = {"workflow_definition": inner, "save_on_success": False}
    terminal = [
        step("open", "open_terminal", args={"shell": "sh"}),
        step(
            "type",
            "send_input",
            args={"session_id": "{open.session_id}", "input_text": "echo hi\\n"},
        ),
    ]
    lonely = step("a", "shell", args={"command": f"setsid sleep {LONG} & exit 0"})
    return {
        "shell": steps(step("a", "shell", args={"command": "echo out; echo err >&2"})),
        "shell that leaves something": steps(lonely),
        "python": steps(step("a", "python", args={"code": "print(1); 2"})),
        "function": steps(*(step(f"s{n}", "quick", args={"n": n}) for n in range(3))),
        "coroutine": steps(step("a", "sleep", args={"seconds": 0})),
        "failing": steps(
            step("a", "quick", args={"n": 1}, compensation={"tool": "quick", "args": {"n": 2}}),
            step("b", "fails", retry=2),
        ),
        "late": steps(step("a", "shell", args={"command": f"sleep {LONG}"}, timeout=0.1)),
        "nested": steps(step("a", "run_workflow", args=nested)),
        "side by side": steps(
            *(step(f"s{n}", "quick", args={"n": n}) for n in range(6)), mode="parallel"
        ),
        "stop a shell": steps(step("a", "shell", args={"command": f"sleep {LONG} & sleep {LONG}"})),
        "stop a function": steps(step("a", "loops")),
        "stop a wait": steps(step("a", "fails", retry={"attempts": 1, "wait": LONG})),
        "stop a question": steps(step("a", "ask", args={"question": "Well?"})),
        "stop nested": steps(
            step(
                "a",
                "run_workflow",
                args={
                    "workflow_definition": steps(step("x", "sleep", args={"seconds": LONG})),
                    "save_on_success": False,
                },
            )
        ),
        "terminal": steps(*terminal),
    }


def register() -> None:
    @tool
    def quick(n: int) -> int:
        return n

    @tool
    def fails() -> None:
        raise ValueError("no")

    @tool
    def loops() -> None:
        while True:
            pass


def begun(runner: Runner, workflow: dict[str, Any], name: str) -> ActiveRun:
    running = runner.start(workflow, save=False)
    if name.startswith("stop"):
        while not running.run.calls:
            running.changed.wait(0.01)
        running.stop()
    return running


def wave(runner: Runner, wanted: list[tuple[str, dict[str, Any]]]) -> Counter[str]:
    going = [(name, begun(runner, workflow, name)) for name, workflow in wanted]
    ends: Counter[str] = Counter()
    for name, running in going:
        running.wait()
        ends[f"{name}: {running.run.status}"] += 1
    return ends


def standing(home: Path) -> dict[str, Any]:
    """All that a run might leave behind."""
    gc.collect()
    files = {path.name for path in home.rglob("*")} - {"journal.db-wal", "journal.db-shm"}
    fds = [os.readlink(f"/proc/self/fd/{fd}") for fd in _open_fds()]
    return {
        "files": files,
        "fds": Counter(fd.partition(":")[0] for fd in fds if "/dev/pts" not in fd),
        "ptys": sum("/dev/pt" in fd for fd in fds),
        "tasks": len(engine().submit(_tasks()).result()),
        "processes": bearing(mark("")[:-1]) | children("RSDTt"),
    }


def _open_fds() -> list[str]:
    found = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue
        found.append(fd)
    return found


async def _tasks() -> list[Any]:
    return [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


def children(states: str) -> frozenset[int]:
    """The processes that this one has started, in these states (Z: ended, and not waited for)."""
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                state = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(state[1]) == os.getpid() and state[0] in states:
                found.add(int(entry))
    return frozenset(found)


def test_nothing_is_left_after_many_runs(home: Path):
    register()
    runner = runner_in(home)
    workflows = list(kinds().items())
    wave(runner, workflows)  # what is made once, is made now
    before, threads = standing(home), threading.active_count()

    ends: Counter[str] = Counter()
    for number in range(0, RUNS, TOGETHER):
        ends += wave(
            runner, [workflows[n % len(workflows)] for n in range(number, number + TOGETHER)]
        )

    after = standing(home)
    wanted = {
        "failing": "rolled_back",
        "late": "failed",
        **dict.fromkeys((name for name, _ in workflows if name.startswith("stop")), "cancelled"),
    }
    assert {end.partition(": ")[0]: end.partition(": ")[2] for end in ends} == {
        name: wanted.get(name, "success") for name, _ in workflows
    }
    assert ends.total() == RUNS == len(runner.runs()) - len(workflows)
    assert after == before
    assert threading.active_count() <= max(threads, 50)
    assert runner.running() is None


def test_every_program_of_a_terminal_is_waited_for(home: Path):
    runner = runner_in(home)
    terminal = kinds()["terminal"]

    for _ in range(times(3, 20)):
        wave(runner, [("terminal", terminal)] * TOGETHER)

    assert children("Z") == frozenset()


def test_a_process_that_ends_normally_leaves_no_process_behind(home: Path):
    script = f"""
from pathlib import Path
from tests.workflows.runner.place import runner_in, step, steps
running = runner_in(Path({str(home)!r})).start(
    steps(step("a", "shell", args={{"command": "echo $$; sleep {LONG}"}}))
)
while not running.tail:
    running.changed.wait(1)
print(running.tail[0][1])
"""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=env, check=True
    )

    runner = runner_in(home)
    log = runner.cancel()
    assert log.run.status == "cancelled"
    assert gone(int(done.stdout))
