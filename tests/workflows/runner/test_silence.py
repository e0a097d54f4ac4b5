"""A limit of silence: what is a sign of life, and whose limit it is."""

import asyncio
from threading import Event

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import LONG, step, steps


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        ({"timeout": 0.5, "idle_timeout": 0.5}, "timed out"),
        ({"timeout": 0.5, "idle_timeout": 0.55}, "timed out"),
        ({"timeout": 1}, "cancelled"),
    ],
)
def test_a_second_limit_takes_nothing_of_the_time_for_ending(
    runner: Runner, limits: dict[str, float], status: str
):
    cleaned = Event()

    @tool
    async def cleans_up() -> None:
        try:
            await asyncio.sleep(LONG)
        finally:
            await asyncio.sleep(0.1)
            cleaned.set()

    result = runner.run(steps(step("a", "cleans_up", **limits), timeout=1))

    (entry,) = result.execution_log
    assert cleaned.is_set()
    assert "still_running" not in entry["result"]
    assert entry["status"] == status


def test_the_time_that_a_person_takes_is_no_silence(runner: Runner):
    running = runner.start(steps(step("a", "ask", args={"question": "Go on?"}, idle_timeout=0.2)))
    while not runner.log(running.name).asks:
        running.wait(0.05)

    assert not running.wait(0.8)

    running.answer("yes")
    running.wait()
    assert running.run.status == "success"


def test_a_run_that_is_called_has_its_own_limits_of_silence(runner: Runner):
    inner = steps(step("b", "sleep", args={"seconds": 0.6}))
    args = {"workflow_definition": inner, "save_on_success": False}

    result = runner.run(steps(step("a", "run_workflow", args=args, idle_timeout=0.2)))

    assert result.status == "success"


def test_what_a_terminal_shows_is_a_sign_of_life(runner: Runner):
    command = "for i in 1 2 3 4 5 6 7; do echo $i; sleep 0.2; done; echo en'd'\n"
    there = {"session_id": "{a.session_id}"}

    result = runner.run(
        steps(
            step("a", "open_terminal"),
            step("b", "send_input", args={**there, "input_text": command}),
            step("c", "await_output", args={**there, "pattern": "end"}, idle_timeout=0.9),
        )
    )

    assert result.status == "success"
