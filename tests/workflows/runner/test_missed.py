"""A run that waited for a terminal in vain says for what, and what was there instead."""

import pytest

from wfnb.workflows.runner.runner import Runner

from .place import calls, state, states, step, steps

OPEN = step("open", "open_terminal", args={"shell": "sh -c 'echo no license; exec sleep 1001'"})
SEEN = "waited for 'ready'; the screen ended with 'no license'"


@pytest.mark.parametrize(
    ("waits", "said"),
    [
        ({"timeout": 0.5}, f"it timed out: {SEEN}"),
        ({"timeout": 60}, f"Step 'wait' timed out after 1s: {SEEN}"),
    ],
)
def test_what_was_missed_is_told(runner: Runner, waits: dict[str, float], said: str):
    args = {"session_id": "{session_id}", "pattern": "ready", **waits}
    limit = {"timeout": 1} if waits["timeout"] > 1 else {}

    done = runner.run(steps(OPEN, step("wait", "await_output", args=args, **limit)))

    assert (done.status, done.error) == ("failed", f"wait: {said}")
    assert done.execution_log[-1]["result"]["screen_content"] == "no license"


def test_a_gate_that_asks_for_success_is_not_passed_by_a_wait_that_ran_out(runner: Runner):
    waits = {"session_id": "{session_id}", "pattern": "ready", "timeout": 0.5}
    gate = states(
        "open",
        open=state("open_terminal", ({"success": True}, "wait"), params=OPEN["args"]),
        wait=state(
            "await_output",
            ({"success": True}, "release"),
            ({"success": False}, "hold"),
            params=waits,
        ),
        release=state("shell", params={"command": "touch released"}),
        hold=state("shell", params={"command": "true"}),
    )

    done = runner.run(gate)

    run = runner.log(done.run).run
    assert calls(run) == ["open ok", "wait timed_out", "hold ok"]
    waited = run.results["wait"]
    assert (waited["success"], waited["timeout_occurred"]) == (False, True)
