"""A state that is a group of steps: how it is written, what is wrong with it, what it can name."""

import pytest

from wfnb.workflows.definition.check import ToolFacts, check
from wfnb.workflows.definition.models import StatesWorkflow, Step
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.single_action import alone, is_alone

from .reading import A, flow, said

TOOLS = {"shell": ToolFacts(parameters={}, results=("stdout", "exit_code"))}


ON = {"condition": {"success": True}, "next_state": "b"}


def of(*steps, transitions=(), b=None, **more):
    """A workflow that begins with a group."""
    written = [{"tool": "shell", **step} for step in steps]
    ways = [{"condition": when, "next_state": to} for when, to in transitions] or [ON]
    return flow(states={"a": {"steps": written, "transitions": ways, **more}, "b": b or A})


def found(data):
    """What keeps it from running, then what is odd."""
    problems, warnings = check(parse(data), TOOLS)
    return [str(each) for each in (*problems, *warnings)]


def echo(text, **more):
    return {"args": {"command": text}, **more}


def test_a_step_of_it_has_the_id_of_its_state_and_its_place_and_is_written_back_as_it_was():
    data = of({}, {"id": "z", "needs": ["a_1"]}, mode="parallel")
    workflow = parse(data)

    assert list(workflow.actions) == ["a", "a_1", "z", "b"]
    assert workflow.groups == {"a_1": "a", "z": "a"}
    assert workflow.data["states"]["a"] == {
        "steps": [{"tool": "shell"}, {"id": "z", "tool": "shell", "needs": ["a_1"]}],
        "mode": "parallel",
        "transitions": [ON],
    }
    assert parse(workflow.data) == workflow
    assert isinstance(workflow, StatesWorkflow)
    assert isinstance(workflow.actions["z"], Step)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({}, "states.a does not read; it has neither `action` nor `steps`"),
        ({"steps": []}, "it has neither `action` nor `steps`: it needs `action`, or `steps`"),
        ({**A, "steps": [{"tool": "t"}]}, "it has both: it needs `action`, or `steps`"),
        ({**A, "mode": "parallel"}, "it has mode, which goes with steps"),
        ({"steps": [{"tool": "t"}], "retry": 2}, "it has retry, which the steps of a group have"),
        ({"steps": [{"tool": "t"}], "always": True}, "it has always, which the steps of a group"),
        ({"steps": [{"tool": "t", "always": True}]}, "a step of it has always, which is for"),
        ({"steps": [{"tool": "t", "needs": ["x"]}]}, "Step 'a_1' needs 'x', which is no step"),
        ({"steps": [{"tool": "t", "ned": 1}]}, "states.a.steps.0 has no key 'ned'"),
        ({"steps": [{"tool": "t", "id": "b"}]}, "Step id 'b' of state 'a' is that of state 'b'"),
        ({"steps": [{"tool": "t", "id": "c"}] * 2}, "Step id 'c' is used twice: by steps 1 and 2"),
        (
            {"steps": [{"tool": "t", "needs": ["a_2"]}, {"tool": "t", "needs": ["a_1"]}]},
            "Steps need each other in a circle: a_1 → a_2 → a_1",
        ),
    ],
)
def test_what_is_wrong_with_it_is_told_with_its_place(state, says):
    assert any(says in line for line in said(flow(states={"a": state, "b": A})))


def test_two_groups_have_no_id_in_common():
    (line,) = said(of({"id": "x"}, b={"steps": [{"tool": "t", "id": "x"}]}))

    assert line.startswith("Step id 'x' of state 'b' is that of a step of state 'a', too")


def test_its_steps_are_named_as_far_as_needs_lead_and_after_it_all_of_them():
    one, two = {"id": "one"}, echo("{one.stdout!q}", id="two", needs=["one"])
    ways = [("one.stdout == two.stdout and a.failed == 0", "b")]
    b = {"action": {"tool": "shell", "params": {"command": "{two.stdout!q} {a.count!q}"}}}

    assert found(of(one, two, transitions=ways, b=b)) == []
    (line,) = found(of(one, echo("{one.stdout!q}", id="two"), mode="parallel"))
    assert "states.a.steps.1 (two).args.command names step 'one', which does not come" in line
    (line,) = found(of(one, transitions=[("two.stdout == 1", "b")]))
    assert "two.stdout in states.a.transitions.0.condition names nothing that is known" in line
    (line,) = found(of(one, transitions=[({"field_equals": {"stdout": "x"}}, "b")]))
    assert "'stdout', which the result of 'steps' has not" in line


def test_a_group_that_comes_round_again_does_not_know_what_its_steps_gave_before():
    steps = [echo("{two.stdout!q}", id="one"), {"id": "two", "needs": ["one"]}]
    back = {**A, "transitions": [{"condition": {"success": True}, "next_state": "a"}]}
    lines = found(of(*steps, transitions=[({"success": True}, "b")], b=back))

    assert any("names step 'two', which does not come before 'one'" in line for line in lines)


def test_what_two_steps_of_it_capture_side_by_side_is_odd():
    steps = [{"id": id, "capture": "(?P<n>.)"} for id in ("x", "y")]

    assert (
        "'x' and 'y' run side by side and both capture 'n'" in found(of(*steps, mode="parallel"))[0]
    )
    assert found(of(*steps, mode="sequence")) == []


def test_a_tool_that_is_not_there_is_told_with_the_step_that_calls_it():
    (line,) = found(of({"id": "x", "tool": "shel"}))

    assert line.startswith("states.a.steps.0 (x).tool is 'shel', which is no tool")


def test_the_group_and_each_step_of_it_can_be_run_alone():
    workflow = parse(
        of({"id": "one"}, echo("{b.stdout!q} {one.stdout!q}", id="two", needs=["one"]))
    )
    results = {"shell": TOOLS["shell"].results}

    whole, step = alone(workflow, "a", results), alone(workflow, "two", results)

    assert list(whole.workflow.actions) == ["a", "one", "two"]
    assert whole.results == ("b.stdout",)
    assert list(step.workflow.actions) == ["two"]
    assert step.results == ("b.stdout", "one.stdout")
    assert (is_alone(whole.workflow), is_alone(step.workflow)) == ("a", "two")
