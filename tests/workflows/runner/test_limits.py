"""What takes too long is stopped, not only given up: its process is gone when the run goes on."""

import asyncio
import time
from pathlib import Path
from threading import Event

import pytest

from wfnb.workflows.runner import attempt
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import tool

from .place import LONG, SOON, calls, gone, state, states, step, steps, up

HANGS = {"command": f"echo $$ > pid; trap '' INT; sleep {LONG}; echo woke"}
UP = {"command": f"echo up; sleep {LONG}"}
IN_PYTHON = f"""
import os, time
open("pid", "w").write(str(os.getpid()))
time.sleep({LONG})
"""


def pid_in(home: Path) -> int:
    return int((home.parent / "pid").read_text())


@pytest.mark.parametrize(
    ("name", "params"),
    [("shell", HANGS), ("python", {"code": IN_PYTHON, "process": True})],
)
def test_an_attempt_that_takes_too_long_ends_with_its_process(
    runner: Runner, home: Path, name: str, params: dict[str, object]
):
    code = {"timeout": 0.3} if name == "shell" else {"timeout": 2}

    result = runner.run(steps(step("a", name, args=params, **code)))

    assert (result.status, result.execution_log[0]["status"]) == ("failed", "timed out")
    assert result.execution_log[0]["result"]["timeout_occurred"] is True
    assert gone(pid_in(home))


@pytest.mark.parametrize("moved", [3600, -3600])
def test_a_clock_that_is_set_while_a_call_waits_does_not_count(
    runner: Runner, monkeypatch: pytest.MonkeyPatch, moved: int
):
    running = runner.start(steps(step("a", "ask", args={"question": "Go on?"})))
    while not running.log.asks:
        running.wait(0.01)
    monkeypatch.setattr(attempt, "time", lambda: time.time() + moved)

    running.answer("yes")
    running.wait(SOON)

    (call,) = running.run.calls.values()
    assert call.status == "ok"
    assert 0 <= (call.duration or 0) < SOON


def test_a_state_that_takes_too_long_is_followed_by_the_state_for_that(runner: Runner, home: Path):
    late = states(
        "a",
        a=state("shell", ({"success": True}, "b"), params=HANGS, timeout=0.2, on_timeout="c"),
        b=state("shell", params={"command": "echo b"}),
        c=state("python", params={"code": "'in time'"}),
    )

    result = runner.run(late)

    assert calls(runner.log(result.run).run) == ["a timed_out", "c ok"]
    assert (result.status, result.final_variables["c_result"]) == ("success", "in time")
    assert gone(pid_in(home))


def test_without_such_a_state_the_transitions_are_asked(runner: Runner):
    late = states(
        "a",
        a=state(
            "shell",
            ({"timeout_occurred": False}, "b"),
            ({"timeout_occurred": True}, "c"),
            params=HANGS,
            timeout=0.2,
        ),
        b=state("sleep", params={"seconds": 0}),
        c=state("sleep", params={"seconds": 0}),
    )

    assert runner.run(late).final_state == "c"


def test_each_attempt_has_the_time_of_an_attempt(runner: Runner):
    begun = []

    @tool
    async def hangs(context: Context) -> int:
        begun.append(context.attempt)
        if len(begun) < 3:
            await asyncio.sleep(LONG)
        return len(begun)

    result = runner.run(steps(step("a", "hangs", timeout=0.1, retry=2)))

    assert calls(runner.log(result.run).run) == ["a timed_out", "a timed_out", "a ok"]
    assert begun == [1, 2, 3]


def test_silence_ends_an_attempt_and_signs_of_life_keep_it(runner: Runner, home: Path):
    talks = "for i in 1 2 3 4 5 6; do sleep 0.1; echo $i; done"

    result = runner.run(
        steps(
            step("talks", "shell", args={"command": talks}, idle_timeout=0.5),
            step("silent", "shell", args=HANGS, idle_timeout=0.2),
        )
    )

    assert calls(runner.log(result.run).run) == ["talks ok", "silent timed_out"]
    assert result.error == "silent: Step 'silent' gave no sign of life for 0.2s"
    assert gone(pid_in(home))


def test_a_function_in_a_thread_is_stopped_too(runner: Runner):
    stopped = Event()

    @tool
    def loops() -> None:
        try:
            while True:
                pass
        finally:
            stopped.set()

    result = runner.run(steps(step("a", "loops", timeout=0.1)))

    assert result.execution_log[0]["status"] == "timed out"
    assert stopped.wait(SOON)


def test_a_function_that_cannot_be_stopped_is_said_to_be_still_running(runner: Runner):
    goes_on, ended = Event(), Event()

    @tool
    def deaf() -> None:
        try:
            goes_on.wait(SOON)  # a wait in C: no exception reaches it
        finally:
            ended.set()

    result = runner.run(steps(step("a", "deaf", timeout=0.1)))

    told = result.execution_log[0]["result"]
    assert (told["still_running"], told["timeout_occurred"]) == (True, True)
    assert "still running" in told["error"]
    assert not ended.is_set()
    goes_on.set()
    assert ended.wait(SOON)


@pytest.mark.parametrize("form", ["an action", "a wait for another attempt", "side by side"])
def test_the_time_of_the_whole_run_ends_whatever_it_is_doing(runner: Runner, home: Path, form: str):
    @tool
    def fails() -> None:
        raise ValueError("no")

    wanted = {
        "an action": steps(step("a", "shell", args=HANGS)),
        "a wait for another attempt": steps(
            step("a", "fails", retry={"attempts": 3, "wait": LONG})
        ),
        "side by side": steps(
            step("a", "shell", args=HANGS),
            step("b", "sleep", args={"seconds": LONG}),
            mode="parallel",
        ),
    }[form]

    result = runner.run(wanted, timeout=1)

    assert (result.status, result.error) == (
        "failed",
        "Workflow execution timeout (1s) exceeded",
    )
    assert form == "a wait for another attempt" or gone(pid_in(home))


def test_what_succeeded_before_the_time_was_over_is_undone(runner: Runner):
    undone = []

    @tool
    def undo(what: str) -> None:
        undone.append(what)

    once = step(
        "a",
        "python",
        args={"code": "'made'"},
        compensation={"tool": "undo", "args": {"what": "{result.result}"}},
    )
    result = runner.run(steps(once, step("b", "sleep", args={"seconds": LONG})), timeout=1)

    assert (result.status, undone) == ("rolled_back", ["made"])


@pytest.mark.parametrize(
    ("tool_name", "args"),
    [
        ("sleep", {"seconds": LONG}),
        ("shell", HANGS),
        ("python", {"code": IN_PYTHON, "process": True}),
    ],
)
def test_a_compensation_without_a_limit_has_as_long_as_the_run(
    runner: Runner, tool_name: str, args: dict[str, object]
):
    done = step("a", "sleep", args={"seconds": 0}, compensation={"tool": tool_name, "args": args})

    result = runner.run(steps(done, step("b", "shell", args={"command": "exit 3"})), timeout=1)

    run = runner.log(result.run).run
    assert calls(run) == ["a ok", "b failed", "undo a timed_out"]
    assert (result.status, run.stop) == ("partly_rolled_back", None)
    assert result.error.startswith("b: exit code 3")


def test_a_run_that_is_being_rolled_back_does_not_fail_of_its_time(runner: Runner):
    undoing, over = Event(), Event()

    @tool(timeout=LONG)
    def undo() -> None:
        undoing.set()
        over.wait(SOON)

    done = step("a", "sleep", args={"seconds": 0}, compensation={"tool": "undo"})
    running = runner.start(steps(done, step("b", "shell", args={"command": "exit 3"})))
    assert undoing.wait(SOON)
    run_loop = running.run_loop
    run_loop.loop.call_soon_threadsafe(run_loop._out_of_time)
    run_loop.loop.call_soon_threadsafe(over.set)
    running.wait()

    assert (running.run.status, running.run.error) == ("rolled_back", "b: exit code 3")
    assert running.run.stop is None


def test_a_run_that_was_cancelled_in_time_is_cancelled(runner: Runner):
    undoing, over = Event(), Event()

    @tool
    def undo() -> None:
        undoing.set()
        over.wait(SOON)

    done = step("a", "sleep", args={"seconds": 0}, compensation={"tool": "undo"})
    running = runner.start(steps(done, step("b", "shell", args=UP)))
    up(running)
    running.stop(rollback=True, reason="enough")
    assert undoing.wait(SOON)
    run_loop = running.run_loop
    run_loop.loop.call_soon_threadsafe(run_loop._out_of_time)
    run_loop.loop.call_soon_threadsafe(over.set)
    running.wait()

    assert (running.run.status, running.run.error) == ("cancelled", "enough")
    assert calls(running.run) == ["a ok", "b cancelled", "undo a ok"]
