"""A run goes on where it failed: what succeeded is kept, what was wrong can be changed."""

from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import (
    BadText,
    BadValue,
    CallStands,
    RunAlive,
    RunNotResumable,
    RunUnknown,
    StateUnknown,
    ToolUnknown,
    WorkflowInvalid,
)
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import REGISTRY

from .mended import resumed, shell
from .place import LONG, calls, gone_on, state, states, step, steps


def three(**more: Any) -> dict[str, Any]:
    return steps(
        step("a", "note", args={"what": "a"}),
        step("b", "note", args={"what": "{second}"}),
        step("c", "note", args={"what": "c {a.result}"}),
        variables={"second": "bad"},
        **more,
    )


def test_a_run_goes_on_from_the_failed_step_with_edited_variables(runner: Runner, noted: list[Any]):
    assert runner.run(three()).status == "failed"

    run = gone_on(runner, variables={"second": "good"})

    assert (run.status, run.error) == ("success", None)
    assert noted == ["a", "bad", "good", "c a"]
    assert run.variables["second"] == "good"
    assert calls(run) == ["a ok", "b failed", "b ok", "c ok"]


def test_a_run_goes_on_from_any_step_that_is_named_with_all_that_comes_after(
    runner: Runner, noted: list[Any]
):
    name = runner.run(three(), variables={"second": "good"}).run
    with pytest.raises(RunNotResumable):
        runner.resume(name)
    noted.clear()

    run = gone_on(runner, name, start="b", variables={"second": "other"})

    assert (run.status, noted) == ("success", ["other", "c a"])


def test_a_run_of_states_goes_on_from_a_state(runner: Runner, noted: list[Any]):
    wanted = states(
        "a",
        a=state("note", ({"success": True}, "b"), params={"what": "a"}),
        b=state("note", ({"success": True}, "c"), params={"what": "{a_result}{x}"}),
        c=state("note", params={"what": "c"}),
    )
    wanted["variables"] = {"x": "1"}
    name = runner.run(wanted).run
    noted.clear()

    run = gone_on(runner, name, start="b", variables={"x": "2"})

    assert (run.status, noted) == ("success", ["a2", "c"])


def test_a_run_that_was_cancelled_goes_on_with_what_was_stopped(
    runner: Runner, noted: list[Any], tmp_path: Path
):
    hangs = {"command": f"test -e there || {{ echo up; sleep {LONG}; }}"}
    running = runner.start(
        steps(step("a", "note", args={"what": 1}), step("b", "shell", args=hangs))
    )
    while not running.tail:
        running.changed.wait(1)
        running.changed.clear()
    with pytest.raises(RunAlive):
        runner.resume(running.name)
    running.stop()
    running.wait()
    (tmp_path / "there").touch()

    run = gone_on(runner)

    assert (run.status, noted) == ("success", [1])
    assert calls(run) == ["a ok", "b cancelled", "b ok"]


def test_a_limit_of_states_begins_anew_when_a_run_goes_on(runner: Runner, noted: list[Any]):
    wanted = states("a", a=state("note", ({"success": True}, "a"), params={"what": "a"}))
    name = runner.run(wanted, max_states=4).run
    assert len(noted) == 4

    run = gone_on(runner, name)

    assert (run.status, len(noted)) == ("failed", 8)


@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [
        ({"name": "told-7"}, RunUnknown, "told-1"),
        ({"start": "zz"}, StateUnknown, "'zz'"),
        ({"variables": {"no name": 1}}, BadValue, "no name"),
        ({"variables": {"a": "\0"}}, BadText, "U\\+0000"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_recorded(
    runner: Runner, noted: list[Any], asked: dict[str, Any], error: type[Exception], says: str
):
    runner.run(three())
    before = runner.log("told-1").entries()

    with pytest.raises(error, match=says):
        runner.resume(**asked)

    assert runner.log("told-1").entries() == before
    assert noted == ["a", "bad"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"size": "huge"}, "size"),
        ({"number": "many"}, "number"),
        ({"number": 2, "size": 1}, "size"),
    ],
)
def test_new_values_are_checked_as_they_were_at_the_start(
    runner: Runner, noted: list[Any], given: dict[str, Any], says: str
):
    declared = {
        "second": "bad",
        "size": {"choices": ["small", "large"], "default": "small"},
        "number": {"type": "integer"},
    }
    wanted = three() | {"variables": declared}
    runner.run(wanted, variables={"number": 1})
    before = runner.log("told-1").entries()

    with pytest.raises(WorkflowInvalid, match=says):
        runner.resume(variables=given)

    assert runner.log("told-1").entries() == before
    again = gone_on(runner, variables={"number": 2, "size": "large", "second": "good"})
    assert (again.status, again.variables["size"]) == ("success", "large")


def test_a_run_whose_tool_is_not_there_is_not_begun_again(runner: Runner, noted: list[Any]):
    runner.run(three())
    before = runner.log("told-1").entries()
    del REGISTRY._registered["note"]

    with pytest.raises(ToolUnknown, match="note"):
        runner.resume(variables={"second": "good"})

    assert runner.log("told-1").entries() == before


def test_the_last_run_that_did_not_succeed_is_meant(runner: Runner, noted: list[Any]):
    with pytest.raises(RunUnknown):
        runner.resume()
    failed = runner.run(three()).run
    runner.run(three(), variables={"second": "good"})
    partly = three()
    partly["steps"][1]["on_failure"] = "continue"
    assert runner.run(partly).status == "partial_success"

    running = runner.resume(variables={"second": "good"})
    running.wait()

    assert (running.name, running.run.status) == (failed, "success")


UNDOES = {"tool": "note", "params": {"what": "undone"}}


@pytest.mark.parametrize("again", [False, True])
def test_what_succeeded_and_comes_after_what_was_undone_is_called_again_only_where_that_is_said(
    runner: Runner, noted: list[Any], again: bool
):
    made = steps(
        step("make", "note", args={"what": "made"}, compensation=UNDOES),
        step("look", "read", args={"path": "there"}),
        step("pay", "note", args={"what": "paid"}),
        step("check", "shell", args={"command": "test -e fine"}),
    )
    (runner.folder / "there").touch()
    assert runner.run(made).status == "rolled_back"
    assert noted == ["made", "paid", "undone"]
    (runner.folder / "fine").touch()

    with pytest.raises(CallStands, match=r"^pay \(note\) succeeded and was not rolled back, but"):
        runner.resume("told-1")
    assert noted == ["made", "paid", "undone"]
    running = runner.resume("told-1", lost="again" if again else "done")
    running.wait()

    names = "look, pay had succeeded and are" if again else "look had succeeded and is"
    come = "they come" if again else "it comes"
    assert running.warnings == (f"{names} called again: {come} after make, which was undone",)
    assert noted[3:] == (["made", "paid"] if again else ["made"])


@pytest.mark.parametrize("given", [{"word": "new"}, {"word": "old"}, {"other": 2}])
def test_what_succeeded_with_another_value_is_kept_and_told(runner: Runner, given):
    wanted = steps(
        step("says", "shell", args={"command": "echo {word!q}"}),
        step("waits", "shell", args={"command": "test -e there && echo {other}"}),
        variables={"word": "old", "other": 1},
        rollback=False,
    )
    name = runner.run(wanted, variables={"word": "old"}).run
    (runner.folder / "there").touch()

    result = resumed(runner, name, variables=given)

    told = "says had succeeded with another value of word: it is not called again. "
    assert (result.success, result.final_variables["says_stdout"]) == (True, "old\n")
    assert [w for w in result.warnings if "succeeded" in w] == (
        [told + "`--from says` calls it again"] if given == {"word": "new"} else []
    )


@pytest.mark.parametrize("form", ["steps", "a group"])
@pytest.mark.parametrize("side_by_side", [False, True])
def test_what_stands_from_when_another_step_was_skipped_is_told(
    runner: Runner, form: str, side_by_side: bool
):
    needs = {"needs": ["x"]} if side_by_side else {}
    made = [
        shell("x", "echo x >> done", when="go"),
        shell("y", "echo y-{x.skipped} >> done", **needs),
        shell("z", "test {go} = true", **({"needs": ["y"]} if side_by_side else {})),
    ]
    written = steps(*made, variables={"go": False}, rollback=False)
    if form == "a group":
        written = {**states("g", g={"steps": made}), "variables": {"go": False}, "rollback": False}
    name = runner.run(written).run

    skipped = resumed(runner, name)
    done = resumed(runner, name, variables={"go": True})

    assert (skipped.warnings, done.status) == ([], "success")
    told = "y had succeeded when x, which it comes after, was skipped: it is not called again, "
    assert done.warnings == [f"{told}though x was done now. `--from y` calls it again"]
