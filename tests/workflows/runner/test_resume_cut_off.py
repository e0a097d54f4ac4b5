"""A run that was cut off goes on with a mended definition: what it knew, and runs within it."""

from typing import Any

import pytest

from wfnb.errors import NestedLeft, StateGone
from wfnb.journal import RunInfo
from wfnb.workflows.core.events import CallFinished, CallStarted, RunEvent, RunStarted
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .mended import OK, resumed, shell
from .place import state, states, step, steps

UNDO = {"tool": "note", "params": {"what": "undo"}}


@pytest.fixture
def noted() -> list[str]:
    said: list[str] = []

    @tool
    def note(what: str = "") -> None:
        said.append(what)

    return said


def begun(runner: Runner, gone: str, *events: RunEvent, **more: Any) -> RunInfo:
    journal = runner.session_log.journal
    info, _ = journal.begin_run(runner.session_log.id, "told", list(events), process=gone, **more)
    return info


def outer(definition: dict[str, Any], **args: Any) -> dict[str, Any]:
    args = {"workflow_definition": definition, "save_on_success": False, **args}
    return steps(step("down", "run_workflow", args=args))


def cut_off(runner: Runner, gone: str, inner: dict[str, Any], *done: RunEvent) -> tuple[str, str]:
    """A run whose process is gone in the middle of a run that it called; the names of both."""
    parent = begun(
        runner,
        gone,
        RunStarted(workflow=outer(inner), process=gone),
        CallStarted(action="down", tool="run_workflow", idempotent=True),
    )
    first = RunStarted(workflow=inner, process=gone, depth=1, caller=2)
    child = begun(runner, gone, first, *done, parent=parent.id)
    return parent.name, child.name


INNER = states(
    "a",
    a=state("note", (OK, "b"), compensation=UNDO),
    b=state("sleep", params={"seconds": 0}),
)
A_IS_DONE = (
    CallStarted(action="a", tool="note"),
    CallFinished(call=2, status="ok", result={"success": True}, armed={}, goto="b"),
    CallStarted(action="b", tool="sleep", params={"seconds": 0}, idempotent=True),
)
WITHOUT_B = states("a", a=state("note", (OK, "c"), compensation=UNDO), c=state("note"))


def test_a_state_that_is_gone_is_not_gone_on_with_once_its_undoing_is_taken_as_done(
    runner: Runner, gone: str, noted: list[str]
):
    wanted = states(
        "open",
        open=state("open_terminal", (OK, "a"), params={"shell": "sh"}),
        a=state("note", (OK, "b"), compensation={"tool": "note"}),
        b=state("note"),
    )
    run = begun(
        runner,
        gone,
        RunStarted(workflow=wanted | {"rollback": True}, process=gone),
        CallStarted(action="open", tool="open_terminal"),
        CallFinished(call=2, status="ok", result={"success": True, "session_id": "x"}, goto="a"),
        CallStarted(action="a", tool="note"),
        CallFinished(call=4, status="ok", result={"success": True}, armed={}, goto="b"),
        CallStarted(action="b", tool="note"),
        CallFinished(call=6, status="failed", result={"success": False, "error": "no"}),
        CallStarted(action="a", tool="note", undoes=4),
    )
    before = runner.log(run.name).entries()

    with pytest.raises(StateGone, match="at state 'a'"):
        runner.resume(run.name, workflow=states("b", b=state("note")), lost="done")

    assert runner.log(run.name).entries() == before
    assert resumed(runner, run.name, lost="done").status == "rolled_back"


@pytest.mark.parametrize(
    ("mended", "why"),
    [
        (outer(WITHOUT_B), "the run would go on at state 'b', which the new"),
        (outer(steps(shell("a", "true"))), "workflow is 'one of steps'"),
        (steps(shell("other", "true")), "what called it is not called again"),
        (steps(shell("down", "true")), "what called it is not called again"),
    ],
)
def test_a_run_is_not_gone_on_with_where_one_within_it_would_be_left_as_it_is(
    runner: Runner, gone: str, noted: list[str], mended: dict[str, Any], why: str
):
    parent, child = cut_off(runner, gone, INNER, *A_IS_DONE)
    before = runner.log(parent).entries()

    with pytest.raises(NestedLeft, match=why) as refusal:
        runner.resume(parent, workflow=mended)

    assert f"`%wfnb cancel {child}` stops it" in str(refusal.value)
    assert runner.log(parent).entries() == before

    runner.cancel(child, rollback=True)
    result = resumed(runner, parent, workflow=mended)

    assert (result.status, noted[:1]) == ("success", ["undo"])
    assert runner.log(child).run.status in ("success", "cancelled")


def test_a_nested_run_that_was_brought_to_its_end_by_itself_is_what_its_call_gives(
    runner: Runner, gone: str, noted: list[str]
):
    parent, child = cut_off(runner, gone, INNER, *A_IS_DONE)

    ended = resumed(runner, child)
    result = resumed(runner, parent, workflow=outer(WITHOUT_B))

    assert (ended.status, result.status) == ("success", "success")
    assert runner.log(parent).run.results["down"]["run"] == child
    assert noted == []


def test_a_nested_run_that_is_left_after_all_is_told(runner: Runner, gone: str, noted: list[str]):
    written = "{which}"  # what it is to be is only known when it is called
    args = {"workflow_definition": written, "save_on_success": False}
    variables = {"which": {"default": INNER}}
    wanted = steps(step("down", "run_workflow", args=args), variables=variables)
    parent = begun(
        runner,
        gone,
        RunStarted(workflow=wanted, variables={"which": INNER}, process=gone),
        CallStarted(action="down", tool="run_workflow", idempotent=True),
    )
    first = RunStarted(workflow=INNER, process=gone, depth=1, caller=2)
    child = begun(runner, gone, first, *A_IS_DONE, parent=parent.id)

    result = resumed(runner, parent.name, variables={"which": WITHOUT_B})

    assert result.status == "failed"
    assert result.warnings == [
        f"Run '{child.name}', which this one had begun when its process ended, is left as it was. "
        f"`%run_workflow --resume {child.name}` brings it to its end, `%wfnb cancel {child.name}` "
        "stops it"
    ]


def test_a_mended_nested_run_has_the_new_defaults_and_values(runner: Runner, gone: str):
    inner = steps(shell("a", "true"), shell("b", "exit 3"))
    parent, child = cut_off(
        runner,
        gone,
        inner,
        CallStarted(action="a", tool="shell", params={"command": "true"}),
        CallFinished(call=2, status="ok", result={"success": True}),
    )
    new = steps(inner["steps"][0], shell("b", "echo {word} {more}"), variables={"word": "hi"})
    new["variables"]["more"] = {"type": "string"}

    result = resumed(runner, parent, workflow=outer(new, initial_variables={"more": "you"}))

    assert result.status == "success"
    assert runner.log(child).run.results["b"]["stdout"] == "hi you\n"


def test_a_new_default_is_older_than_what_the_run_has_captured(runner: Runner):
    capture = [r"version=(?P<version>\S+)"]
    first = shell("a", "echo version=1.2", capture=capture)
    name = runner.run(steps(first, shell("b", "exit 3"))).run
    mended = steps(first, shell("b", "echo {version}"), variables={"version": "0"})

    resumed(runner, name, workflow=mended)

    assert runner.log(name).run.results["b"]["stdout"] == "1.2\n"


@pytest.mark.parametrize("named", ["{a.stdout}", "{steps.a.stdout}", "{a_stdout}"])
def test_a_mended_definition_may_name_what_a_state_gave_that_is_gone_and_is_not_saved(
    runner: Runner, named: str
):
    a = state("shell", (OK, "b"), params={"command": "echo hi"})
    b = state("shell", params={"command": f"echo {named}; exit 3"})
    name = runner.run(states("a", a=a, b=b)).run
    mended = states("b", b=state("shell", params={"command": f"echo {named}"}))

    result = resumed(runner, name, workflow=mended)

    assert (result.status, result.saved_workflow_name) == ("success", None)
    assert runner.log(name).run.results["b"]["stdout"] == "hi\n"
    assert result.warnings[-1].startswith(f"not saved: {named} in command of 'b' names ")


def test_a_short_secret_of_a_run_that_was_begun_with_one_is_taken_again(runner: Runner, gone: str):
    wanted = steps(shell("a", "test {pin} = 12"))
    run = begun(runner, gone, RunStarted(workflow=wanted, process=gone, secrets=("pin",)))

    result = resumed(runner, run.name, secrets={"pin": "12"})

    assert result.status == "success"
    assert [call.params for call in runner.log(run.name).run.calls.values()] == [
        {"command": "test ••• = 12"}
    ]


def test_what_had_succeeded_with_other_values_in_a_run_within_is_named(
    runner: Runner, gone: str, noted: list[str]
):
    inner = {**steps(*(step(id, "note", args={"what": f"{id} {{n}}"}) for id in "ab"))}
    inner |= {"variables": {"n": 1}}
    whole = {**outer(inner, initial_variables={"n": "{m}"}), "variables": {"m": 1}}
    parent = begun(
        runner,
        gone,
        RunStarted(workflow=whole, variables={"m": 1}, process=gone),
        CallStarted(action="down", tool="run_workflow", idempotent=True),
    )
    first = RunStarted(workflow=inner, variables={"n": 1}, process=gone, depth=1, caller=2)
    child = begun(runner, gone, first, *A_IS_DONE, parent=parent.id)

    result = resumed(runner, parent.name, variables={"m": 2})

    assert (result.status, noted) == ("success", ["b 2"])
    assert result.warnings == [
        f"a of {child.name} had succeeded with another value of n: it is not called again"
    ]


def test_what_had_succeeded_as_it_was_defined_before_in_a_run_within_is_named(
    runner: Runner, gone: str, noted: list[str]
):
    before, now = (
        steps(*(step(id, "note", args={"what": f"{id} {word}"}) for id in "ab"))
        for word in ("before", "now")
    )
    parent, child = cut_off(runner, gone, before, *A_IS_DONE)

    result = resumed(runner, parent, workflow=outer(now))

    assert (result.status, noted) == ("success", ["b now"])
    assert (
        f"a of {child} has another definition now and had succeeded: it is not called again"
        in result.warnings
    )


def test_one_that_was_called_instead_of_what_failed_goes_on_with_it(
    runner: Runner, gone: str, noted: list[str]
):
    args = {"workflow_definition": INNER, "save_on_success": False}
    instead = {"tool": "run_workflow", "args": args}
    parent = begun(
        runner,
        gone,
        RunStarted(workflow=steps(step("down", "note", on_error=[instead])), process=gone),
        CallStarted(action="down", tool="note"),
        CallFinished(call=2, status="failed", result={"success": False}, retry=True, fallback=0),
        CallStarted(action="down", tool="run_workflow", idempotent=True, fallback=0),
    )
    first = RunStarted(workflow=INNER, process=gone, depth=1, caller=4)
    child = begun(runner, gone, first, *A_IS_DONE, parent=parent.id)

    result = resumed(runner, parent.name)

    assert (result.status, runner.log(child.name).run.status) == ("success", "success")
    assert noted == []
