"""A group of steps with real tools: side by side, parked, stopped, cancelled, and gone on with."""

import time
from typing import Any

from wfnb.parked_run_owner import parked_until
from wfnb.workflows.runner.runner import Runner

from .place import LONG, SOON, calls, gone_on, state, states, step

DAY = 86_400


def shell(id: str, command: str, *needs: str, **more: Any) -> dict[str, Any]:
    return step(id, "shell", *needs, args={"command": command}, **more)


def group(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"steps": list(steps), "mode": "parallel", **more}


UNDO = {"compensation": {"tool": "shell", "args": {"command": "echo back >> undone"}}}


def test_its_steps_run_at_the_same_time(runner: Runner):
    meet = "touch {}; until test -e {}; do sleep 0.01; done"
    two = group(shell("a", meet.format("a", "b")), shell("b", meet.format("b", "a")))

    running = runner.start(states("s", s=two), timeout=SOON)
    running.wait()

    assert running.run.status == "success"


def test_it_is_parked_with_all_that_it_waits_for_and_cancelled_with_what_it_did(runner: Runner):
    waits = group(step("wait", "sleep", args={"seconds": DAY}), shell("say", "echo one", **UNDO))
    running = runner.start(states("s", s=waits))
    running.wait()

    (info,) = runner.runs()
    assert parked_until(info.process) is not None
    assert calls(running.run) == ["s running", "wait running", "say ok"]
    again = gone_on(runner, info.name)
    assert (again.parked, again.group is not None) == (True, True)
    ended = runner.cancel(info.name, True).run
    assert ended.status == "cancelled"
    assert calls(ended)[-1] == "undo say ok"


def test_the_time_limit_of_the_run_stops_it_and_it_goes_on_where_it_was(runner: Runner):
    slow = f"test -e ready || sleep {LONG}; echo done"
    steps = group(shell("a", "echo a"), shell("b", slow), shell("c", "echo c", "a", "b"))
    began = time.monotonic()
    running = runner.start(
        {**states("s", s=steps, t=state("shell", params={"command": "ls"})), "rollback": False},
        timeout=1,
    )
    running.wait()

    assert time.monotonic() - began < SOON
    assert running.run.status == "failed"
    assert calls(running.run) == ["s cancelled", "a ok", "b cancelled"]
    (runner.folder / "ready").touch()
    assert calls(gone_on(runner, running.name))[3:] == ["s ok", "b ok", "c ok"]


def test_a_wait_for_an_attempt_that_is_no_more_keeps_nothing_from_beginning(runner: Runner):
    """The first time one waits an hour for another attempt when the others fail."""
    first = "test -e a-failed"
    again = {"attempts": 1, "wait": 3600}
    flaky = shell("a", f"{first} || {{ touch a-failed; exit 1; }}", retry=again)
    fails = shell(
        "b", "until test -e a-failed; do sleep 0.01; done; mkdir b-failed && exit 1; true"
    )
    loop = state("shell", ({"success": True}, "t"), ({"success": False}, "again"))
    del loop["action"]

    running = runner.start(
        states(
            "g",
            g={**group(flaky, fails), "transitions": loop["transitions"]},
            again=state("shell", ({"success": True}, "g"), params={"command": "true"}),
            t=state("shell", params={"command": "true"}),
        ),
        timeout=SOON,
    )
    running.wait()

    assert running.run.status == "success", running.run.error
    assert [(c.attempt, c.waited) for c in running.run.forward_calls() if c.action == "a"] == [
        (1, 0.0),
        (1, 0.0),
    ]


def test_nor_does_the_wait_of_an_item_of_a_list_that_has_ended(runner: Runner):
    each = {"items": [1, 2], "max_parallel": 2}
    command = (
        "test -e failed-{item} && exit 0; touch failed-{item};"
        " if test {item} = 2; then until test -e failed-1; do sleep 0.01; done; fi; exit 1"
    )
    retry = {"attempts": 1, "wait": 3600, "when": "item == 1"}
    leads = ({"success": True}, "t"), ({"success": False}, "again")

    running = runner.start(
        states(
            "l",
            l=state("shell", *leads, params={"command": command}, for_each=each, retry=retry),
            again=state("shell", ({"success": True}, "l"), params={"command": "true"}),
            t=state("shell", params={"command": "true"}),
        ),
        timeout=SOON,
    )
    running.wait()

    assert running.run.status == "success", running.run.error
    assert {call.waited for call in running.run.forward_calls()} == {0.0}
