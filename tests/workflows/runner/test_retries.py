"""What fails is tried again as its workflow says, after waits that are drawn; loops end."""

from pathlib import Path
from threading import Event

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import tool

from .place import SOON, calls, runner_in, state, states, step, steps


def test_an_action_is_tried_again_after_waits_that_grow(home: Path):
    runner = runner_in(home)
    attempts = []

    @tool
    def third_time(context: Context) -> int:
        attempts.append(context.attempt)
        if len(attempts) < 3:
            raise ConnectionError("not yet")
        return len(attempts)

    retry = {
        "attempts": 5,
        "wait": 0.001,
        "backoff": "exponential",
        "jitter": [0, 0.001],
    }
    result = runner.run(steps(step("a", "third_time", retry=retry)))

    run = runner.log(result.run).run
    assert result.status == "success"
    assert attempts == [1, 2, 3]
    assert runner.drawn == [(0.001, 0.002), (0.002, 0.003)]
    assert [call.waited for call in run.calls.values()] == [0.0, 0.002, 0.003]
    assert calls(run) == ["a failed", "a failed", "a ok"]
    assert result.execution_log[0]["attempts"] == 3


def test_an_action_that_always_fails_is_called_once_more_than_it_may_be_tried_again(runner: Runner):
    called = []

    @tool
    def never(context: Context) -> None:
        called.append(context.attempt)
        raise ValueError(f"no, {context.attempt}")

    result = runner.run(steps(step("a", "never", retry=2), step("b", "never")))

    assert called == [1, 2, 3]
    assert (result.status, result.error) == ("failed", "a: ValueError: no, 3")


def test_only_failures_that_are_wanted_are_tried_again(runner: Runner):
    called = []

    @tool
    def fails(kind: str) -> None:
        called.append(kind)
        raise {"net": ConnectionError, "data": ValueError}[kind](kind)

    retry = {"attempts": 2, "when": {"field_equals": {"error_type": "ConnectionError"}}}
    for kind in ("net", "data"):
        runner.run(steps(step(kind, "fails", args={"kind": kind}, retry=retry)))

    assert called == ["net", "net", "net", "data"]


def test_a_loop_that_ends_on_its_last_allowed_state_succeeds_and_one_more_fails(runner: Runner):
    count = []

    @tool
    def again(most: int) -> bool:
        count.append(1)
        return len(count) < most

    loop = states(
        "a", a=state("again", ({"field_equals": {"result": True}}, "a"), params={"most": "{most}"})
    )

    ends = runner.run(loop, variables={"most": 5}, max_states=5)
    count.clear()
    never = runner.run(loop, variables={"most": 6}, max_states=5)

    assert (ends.status, ends.error) == ("success", None)
    assert never.status == "failed"
    assert never.error is not None
    assert never.error.startswith("Maximum states limit (5) reached")
    assert len(count) == 5


@pytest.mark.parametrize(("given", "limit"), [(3, 3), (None, 4)])
def test_the_warning_of_an_endless_loop_names_the_limit_that_the_run_has(
    runner: Runner, given: int | None, limit: int
):
    loop = states("a", a=state("sleep", ({"success": True}, "a"), params={"seconds": 0}))

    result = runner.run({**loop, "max_states": 4}, max_states=given)

    (warning,) = result.warnings
    assert warning.endswith(f"The run stops at {limit} states (max_states)")
    assert result.states_executed == limit


@pytest.mark.parametrize(("idempotent", "most"), [(False, 1), (True, 2)])
def test_what_cannot_be_stopped_is_not_called_a_second_time_beside_itself(
    runner: Runner, idempotent: bool, most: int
):
    at_work, goes_on = [], Event()

    @tool(idempotent=idempotent)
    def deaf() -> None:
        at_work.append(1)
        goes_on.wait(SOON)  # a wait in C: no exception reaches it

    result = runner.run(steps(step("a", "deaf", timeout=0.1, retry=1)))
    goes_on.set()

    assert len(at_work) == most
    assert calls(runner.log(result.run).run) == ["a timed_out"] * most
    assert "still running" in str(result.error)


def test_a_tool_that_says_still_running_of_what_it_looks_at_is_tried_again(runner: Runner):
    looked = []

    @tool
    def job_state() -> dict[str, bool]:
        looked.append(1)
        return {"success": len(looked) == 3, "still_running": len(looked) < 3}

    result = runner.run(steps(step("a", "job_state", retry=5)))

    assert (result.status, len(looked)) == ("success", 3)
