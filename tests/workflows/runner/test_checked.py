"""What is wrong with a workflow is said before anything is called, and all of it at once."""

from typing import Any

import pytest

from wfnb.errors import WorkflowInvalid
from wfnb.workflows.runner.runner import Runner

from .place import state, states, step, steps


def paths(runner: Runner, wanted: Any) -> list[str]:
    with pytest.raises(WorkflowInvalid) as invalid:
        runner.check(wanted)
    return [problem.path for problem in invalid.value.problems]


def test_what_is_wrong_with_its_form_its_names_and_its_calls_is_said_at_once(runner: Runner):
    wanted = steps(
        step("a", "shell", args={"comand": "ls"}),
        step("b", "shel", "nobody", args={"command": "ls"}),
        step("c", "python", args={"code": "x = = 1"}, compensation={"tool": "slep"}),
        step("d", "sleep", args={"seconds": "long"}, retri=3),
    )

    assert paths(runner, wanted) == [
        "steps.3.retri",
        "steps.1.needs.0",
        "steps.0.args.command",
        "steps.0.args.comand",
        "steps.1.tool",
        "steps.2.compensation.tool",
        "steps.2.args.code",
        "steps.3.args.seconds",
    ]


def test_that_is_so_of_states_too(runner: Runner):
    wanted = states("a", a=state("shel", ({"success": True}, "b")), c=state("sleep"))

    assert paths(runner, wanted) == [
        "states.a.transitions.0.next_state",
        "states.a.action.tool",
        "states.c.action.params.seconds",
    ]


@pytest.mark.parametrize(
    "wanted", [{"steps": [1]}, {"steps": {}}, {"states": {"a": {"action": 1}}}]
)
def test_what_is_no_call_is_not_looked_into(runner: Runner, wanted: Any):
    assert paths(runner, {"name": "odd", **wanted})
