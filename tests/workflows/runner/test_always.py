"""What is `always` done last is really done: after the rollback, a cancel, the end of the time."""

from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import TerminalGone
from wfnb.workflows.runner.runner import Runner

from .place import LONG, SOON, calls, state, states, step, steps, up
from .secret import DECLARED, SECRET

UP = {"command": f"echo up; sleep {LONG}"}


def close(said: str = "closed", **more: Any) -> dict[str, Any]:
    command = {"command": f"echo {said} >> said; cat said"}
    return step("close", "shell", args=command, always=True, **more)


def wrote(home: Path) -> list[str]:
    return (home.parent / "said").read_text().split()


def test_it_is_done_after_the_rollback(runner: Runner, home: Path):
    back = {"tool": "shell", "args": {"command": "echo undone >> said"}}
    done = step("a", "shell", args={"command": "echo made >> said"}, compensation=back)

    result = runner.run(steps(close(), done, step("b", "shell", args={"command": "exit 3"})))

    assert result.status == "rolled_back"
    assert wrote(home) == ["made", "undone", "closed"]
    assert "close" in repr(result)


def test_it_is_passed_secrets_beside_what_was_not_come_to(runner: Runner, passed: list[object]):
    args = {"secret": ["{token}", "{b.success}"]}
    last = step("use", "use", args=args, always=True)
    written = steps(step("a", "shell", args={"command": "exit 3"}), step("b", "sleep"), last)
    written["steps"][1]["args"] = {"seconds": 0}

    running = runner.start({**written, **DECLARED}, secrets={"token": SECRET})
    running.wait()

    assert calls(running.run) == ["a failed", "use ok"]
    assert passed == [[SECRET, False]]


def test_it_is_done_when_the_run_is_cancelled(runner: Runner, home: Path):
    running = up(runner.start(steps(step("a", "shell", args=UP), close())))

    running.stop()
    running.wait()

    assert calls(running.run) == ["a cancelled", "close ok"]
    assert running.run.status == "cancelled"
    assert wrote(home) == ["closed"]


def test_it_is_done_when_the_time_of_the_run_is_over_and_has_time_of_its_own(
    runner: Runner, home: Path
):
    takes = {"command": "sleep 1.2; echo slow >> said"}
    slow = step("slow", "shell", args=takes, always=True, timeout=SOON)

    result = runner.run(steps(step("a", "shell", args=UP), slow, close()), timeout=1)

    assert calls(runner.log(result.run).run) == ["a cancelled", "slow ok", "close ok"]
    assert (result.status, result.error) == ("failed", "Workflow execution timeout (1s) exceeded")
    assert wrote(home) == ["slow", "closed"]


@pytest.mark.parametrize("form", ["steps", "states"])
def test_a_resume_says_first_that_what_it_would_close_last_is_closed(
    runner: Runner, home: Path, form: str
):
    """It would fail at its end, each time."""
    use, closes = {"command": "test -e there"}, {"session_id": "{open.session_id}"}
    if form == "steps":
        last = step("close", "exit_terminal", args=closes, always=True, when="open.success")
        written = steps(step("open", "open_terminal"), step("use", "shell", args=use), last)
    else:
        closing = state("exit_terminal", params=closes, always=True, when="open.success")
        opening = state("open_terminal", ({"success": True}, "use"))
        written = states("open", open=opening, use=state("shell", params=use), close=closing)
    run = runner.run(written).run
    (home.parent / "there").touch()

    with pytest.raises(TerminalGone, match="'open'"):
        runner.resume(run)
    again = runner.resume(run, start="open", save=False)
    again.wait()

    assert again.run.status == "success"
    assert calls(again.run)[-3:] == ["open ok", "use ok", "close ok"]


def test_a_second_stop_ends_it(runner: Runner):
    hangs = state("shell", params=UP) | {"always": True}
    running = up(runner.start(states("a", a=state("sleep", params={"seconds": 0}), z=hangs)))

    running.stop()
    running.wait()

    assert calls(running.run) == ["a ok", "z cancelled"]
    assert running.run.status == "cancelled"


def test_who_stops_all_at_once_has_nothing_more_done(runner: Runner, home: Path):
    running = up(runner.start(steps(step("a", "shell", args=UP), close())))

    running.interrupt(at_once=True)
    running.wait()

    assert calls(running.run) == ["a cancelled"]
    assert not (home.parent / "said").exists()


@pytest.mark.parametrize("inside", [True, False])
def test_it_is_done_in_a_run_within_a_run_that_is_cancelled(
    runner: Runner, home: Path, inside: bool
):
    begun = home.parent / "begun"
    hangs = {"command": f"echo > begun; sleep {LONG}"}
    inner = steps(step("a", "shell", args=hangs), *([close("inner")] if inside else ()))
    args = {"workflow_definition": inner, "save_on_success": False}
    running = runner.start(steps(step("down", "run_workflow", args=args), close("outer")))
    while not begun.exists():
        running.changed.wait(0.05)
    running.stop()
    running.wait()

    assert running.run.status == "cancelled"
    assert wrote(home) == (["inner", "outer"] if inside else ["outer"])
