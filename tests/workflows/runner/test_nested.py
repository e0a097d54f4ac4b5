"""A workflow calls workflows: five deep, each with its own variables, and each with its own end."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import WorkflowInvalid
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import LONG, calls, gone, runner_in, step, steps


def within(definition: dict[str, Any], **given: Any) -> dict[str, Any]:
    """A workflow whose only step runs another one."""
    args = {"workflow_definition": definition, "save_on_success": False, **given}
    return steps(step("down", "run_workflow", args=args))


def deep(levels: int, bottom: dict[str, Any]) -> dict[str, Any]:
    for _ in range(levels):
        bottom = within(bottom)
    return bottom


def test_runs_may_be_five_deep(runner: Runner):
    called = []

    @tool
    def count() -> None:
        called.append(1)

    result = runner.run(deep(5, steps(step("bottom", "count"))))

    infos = runner.session_log.journal.runs(runner.session_log.id)
    assert (result.status, called) == ("success", [1])
    assert [runner.log(info.name).run.depth for info in infos] == [0, 1, 2, 3, 4, 5]
    assert [info.parent for info in infos] == [None, *(info.id for info in infos[:-1])]
    assert {info.status for info in infos} == {"success"}


def test_six_deep_is_refused_before_anything_runs(runner: Runner):
    called = []

    @tool
    def count() -> None:
        called.append(1)

    with pytest.raises(WorkflowInvalid, match="5 is the deepest"):
        runner.run(deep(6, steps(step("bottom", "count"))))

    assert (called, runner.runs()) == ([], [])


def test_a_workflow_that_calls_itself_ends_at_the_sixth_which_runs_nothing(runner: Runner):
    called = []

    @tool
    def count() -> None:
        called.append(1)

    itself = step("down", "run_workflow", args={"workflow_name": "itself"})
    definition = {"name": "itself", "steps": [step("a", "count"), itself]}
    runner.library.save(definition, name="itself", hash="0" * 16, states=1)

    result = runner.run("itself")

    infos = runner.session_log.journal.runs(runner.session_log.id)
    assert (result.status, len(called), len(infos)) == ("failed", 6, 6)
    assert result.error is not None
    assert "would run 6 workflows deep" in result.error


def test_a_nested_run_has_only_the_variables_it_is_given_and_gives_back_its_own(runner: Runner):
    inner = steps(
        step("a", "python", args={"code": "x * 2", "arguments": {"x": "{x}"}}), variables={"x": 1}
    )
    outer = steps(
        step("a", "python", args={"code": "'outer'"}),
        step(
            "down",
            "run_workflow",
            args={"workflow_definition": inner, "initial_variables": {"x": "{y}"}},
        ),
        step(
            "b", "python", args={"code": "v", "arguments": {"v": "{down.final_variables.a_result}"}}
        ),
        variables={"y": 20, "z": "mine"},
    )

    result = runner.run(outer, save=False)

    inner_run = runner.log("told-2").run
    assert result.final_variables["b_result"] == 40
    assert result.final_variables["a_result"] == "outer"
    assert result.final_variables["workflow_final_state"] == "a"
    assert set(inner_run.initial) == {"x"}
    assert "z" not in inner_run.variables


@pytest.mark.parametrize("given", [4.0, "{made.result}"], ids=["written", "made"])
def test_a_whole_number_that_a_nested_run_is_given_is_one_to_its_code(runner: Runner, given: Any):
    code = {"code": "list(range(n))", "arguments": {"n": "{n}"}}
    inner = steps(step("count", "python", args=code)) | {"variables": {"n": {"type": "integer"}}}
    made = step("made", "python", args={"code": "4.0"})
    args = {"workflow_definition": inner, "initial_variables": {"n": given}}

    done = runner.run(steps(made, step("down", "run_workflow", args=args, needs=["made"])))

    assert done.error is None
    assert done.execution_log[-1]["result"]["final_variables"]["count_result"] == [0, 1, 2, 3]


def test_a_name_of_the_outer_run_is_not_known_inside(runner: Runner):
    inner = steps(step("a", "shell", args={"command": "echo {z}"}))

    with pytest.raises(WorkflowInvalid, match="z"):
        runner.run({**within(inner), "variables": {"z": 1}})


def test_a_nested_run_that_fails_is_a_failure_of_its_action(runner: Runner):
    inner = steps(step("a", "shell", args={"command": "exit 3"}))

    result = runner.run(within(inner))

    assert (result.status, result.error) == ("failed", "down: a: exit code 3")
    assert [runner.log(name).run.status for name in ("told-1", "told-2")] == ["failed", "failed"]


def test_when_the_outer_run_is_stopped_so_is_the_nested_one_and_its_process(
    runner: Runner, home: Path
):
    inner = steps(step("a", "shell", args={"command": f"echo $$ > pid; echo up; sleep {LONG}"}))
    running = runner.start(within(within(inner)))
    while not running.tail:
        running.changed.wait(1)
        running.changed.clear()

    running.stop(reason="enough")
    running.wait()

    assert (running.run.status, running.run.error) == ("cancelled", "enough")
    assert [runner.log(f"told-{n}").run.status for n in (1, 2, 3)] == ["cancelled"] * 3
    assert gone(int((home.parent / "pid").read_text()))


@pytest.mark.parametrize("rollback", [True, False])
def test_a_nested_run_that_is_stopped_undoes_what_it_did_if_the_outer_one_does(
    runner: Runner, rollback: bool
):
    undone = []
    began = asyncio.Event()

    @tool
    def undo(what: str) -> None:
        undone.append(what)

    @tool
    async def hangs() -> None:
        began.set()
        await asyncio.sleep(LONG)

    def undoable(id: str) -> dict[str, Any]:
        compensation = {"tool": "undo", "args": {"what": id}}
        return step(id, "sleep", args={"seconds": 0}, compensation=compensation)

    inner = steps(undoable("inner"), step("h", "hangs"))
    outer = steps(undoable("outer"), *within(inner)["steps"])
    running = runner.start(outer)
    while not began.is_set():
        running.changed.wait(0.1)

    running.stop(rollback=rollback)
    running.wait()

    assert undone == (["inner", "outer"] if rollback else [])
    assert running.run.status == "cancelled"


def test_a_nested_run_whose_time_is_over_fails_and_undoes_what_it_did(runner: Runner):
    undone = []

    @tool
    def undo() -> None:
        undone.append(1)

    inner = steps(
        step("a", "sleep", args={"seconds": 0}, compensation={"tool": "undo"}),
        step("b", "sleep", args={"seconds": LONG}),
    )
    outer = within(inner)
    outer["steps"][0]["timeout"] = 0.5

    result = runner.run(outer)

    assert calls(runner.log(result.run).run) == ["down timed_out"]
    assert runner.log("told-2").run.status == "rolled_back"
    assert undone == [1]


@pytest.mark.parametrize("secret", [False, True])
def test_a_nested_run_asks_and_is_answered(home: Path, secret: bool):
    runner = runner_in(home)
    question = {"question": "Go on?"} | ({"secret": True} if secret else {"choices": ["no", "yes"]})
    running = runner.start(within(within(steps(step("a", "ask", args=question)))))
    asked = None
    while asked is None:
        running.changed.wait(0.1)
        running.changed.clear()
        infos = runner.session_log.journal.runs(runner.session_log.id)
        asked = next((i.name for i in infos if runner.log(i.name).run.questions), None)

    assert runner.answer("2") == ("•••" if secret else "yes")
    running.wait()

    assert running.run.status == "success"
    assert runner.log(asked).run.variables["a_answer"] == ("•••" if secret else "yes")


def test_what_a_saved_workflow_needs_is_told_before_any_step_runs(runner: Runner, noted: list[Any]):
    child = {
        **steps(step("a", "note", args={"what": "{amount}"})),
        "name": "child",
        "variables": {"amount": {"type": "number"}},
    }
    runner.run(child, variables={"amount": 1})
    noted.clear()

    def calling(*given: Any) -> dict[str, Any]:
        args = {"workflow_name": "child", **({"initial_variables": given[0]} if given else {})}
        return steps(step("first", "note", args={"what": 1}), step("b", "run_workflow", args=args))

    with pytest.raises(WorkflowInvalid, match="Variable 'amount' has to be given"):
        runner.run(calling())
    with pytest.raises(WorkflowInvalid, match="Variable 'amount' is 'x'; it needs a number"):
        runner.run(calling({"amount": "x"}))
    assert noted == []
    assert runner.run(calling({"amount": "{first.result}"})).status == "success"
    assert noted == [1, 1]


def test_what_saved_ones_below_need_is_told_before_any_step_runs(runner: Runner, noted: list[Any]):
    def calling(name: str, **given: Any) -> dict[str, Any]:
        args = {"workflow_name": name, "initial_variables": given}
        first = step("first", "note", args={"what": 1})
        return steps(first, step("below", "run_workflow", args=args))

    note = steps(step("a", "note", args={"what": "{amount}"}))
    saved = {
        "child": {**note, "variables": {"amount": {"type": "number"}}},
        "lacks": calling("child"),
        "gives": calling("child", amount="{first.result}"),
    }
    for name, definition in saved.items():
        runner.library.save({**definition, "name": name}, name, name, 1)

    with pytest.raises(WorkflowInvalid) as refused:
        runner.run(calling("lacks"))

    assert noted == []
    assert str(refused.value) == (
        "steps.1 (below).args.workflow_name: steps.1 (below).args.initial_variables: "
        "Variable 'amount' has to be given."
    )
    assert runner.run(calling("gives")).status == "success"


def test_a_saved_one_that_calls_itself_until_it_ends_can_run(runner: Runner, noted: list[Any]):
    def state(tool: str, params: Any, *then: Any) -> Any:
        return {"action": {"tool": tool, "params": params}, "transitions": list(then)}

    def then(name: str) -> Any:
        return {"condition": {"success": True}, "next_state": name}

    on = {"condition": {"field_equals": {"result": True}}, "next_state": "asked"}
    down = {"workflow_name": "down", "initial_variables": {"n": "{asked.result}"}}
    given = {"arguments": {"n": "{n}"}}
    down_to_one = {
        "name": "down",
        "variables": {"n": {"type": "integer"}},
        "initial_state": "more",
        "states": {
            "more": state("python", {**given, "code": "n > 1"}, on),
            "asked": state("python", {**given, "code": "n - 1"}, then("again")),
            "again": state("run_workflow", down),
        },
    }
    runner.library.save(down_to_one, "down", "down", 3)

    assert runner.run("down", variables={"n": 3}).status == "success"


def test_the_log_says_what_each_action_left_in_variables(runner: Runner):
    done = runner.run(
        steps(
            step("a", "python", args={"code": "3"}, capture="(?P<n>[0-9])"),
            step("b", "python", args={"code": "4"}),
        )
    )

    first, second = (entry["variables_after"] for entry in done.execution_log)
    assert (first["result"], first["a_result"], first["n"]) == (3, 3, "3")
    assert (second["result"], second["b_result"], "a_result" in second) == (4, 4, False)
    assert {**first, **second}.items() <= done.final_variables.items()


@pytest.mark.parametrize("levels", [1, 2])
def test_a_run_that_calls_one_that_succeeds_in_part_succeeds_in_part(runner: Runner, levels: int):
    fails = step("fails", "shell", args={"command": "exit 1"}, on_failure="continue")

    result = runner.run(deep(levels, steps(fails)))

    assert (result.status, result.success, result.workflow_saved) == (
        "partial_success",
        True,
        False,
    )


@pytest.mark.parametrize("items", [{}, {"for_each": [1]}])
def test_so_does_one_that_called_it_instead_of_what_failed(runner: Runner, items: dict[str, Any]):
    fails = step("fails", "shell", args={"command": "exit 1"}, on_failure="continue")
    instead = {"tool": "run_workflow", "args": {"workflow_definition": steps(fails)}}

    result = runner.run(
        steps(step("a", "shell", args={"command": "exit 1"}, on_error=[instead], **items))
    )

    assert (result.status, result.workflow_saved) == ("partial_success", False)


def test_a_saved_one_may_be_called_by_a_fallback_alone(runner: Runner):
    runner.run(steps(step("a", "shell", args={"command": "true"})) | {"name": "saved"})
    instead = {"tool": "run_workflow", "args": {"workflow_name": "saved"}}

    result = runner.run(steps(step("a", "shell", args={"command": "exit 1"}, on_error=[instead])))

    assert result.status == "success"


@pytest.mark.parametrize("levels", [1, 3])
def test_a_run_has_the_warnings_of_those_within_it(runner: Runner, levels: int):
    inner = steps(
        step("bytes", "shell", args={"command": "printf 'a\\377'"}, for_each=[1, 2]),
        step("token", "shell", args={"command": "echo {key!q}"}),
        step("reads", "shell", args={"command": "echo {token.stdout!q}"}),
        variables={"key": {"secret": True}},
    )
    for _ in range(levels):
        inner = within(inner, initial_variables={"key": "{key}"})
        inner["variables"] = {"key": {"secret": True}}
    inner["steps"][0]["for_each"] = [1, 2]

    running = runner.start(inner, save=False, secrets={"key": "a long secret"})
    running.wait()

    assert running.run.status == "success"
    first = "down: " * levels
    assert [
        each.partition(" is not all")[0].partition(" in place")[0] for each in running.warnings
    ] == [
        f"{first}reads was called with •••",
        f"{first}bytes[0]: stdout",
        f"{first}bytes[1]: stdout",
    ]
