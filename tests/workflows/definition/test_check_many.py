"""Mistakes that are many, or deep: in order, each with its place, and no more than a hundred."""

from hypothesis import HealthCheck, given, settings

from wfnb.errors import WorkflowInvalid
from wfnb.workflows.definition.check import MOST, check, of_calls
from wfnb.workflows.definition.models import StepsWorkflow
from wfnb.workflows.definition.reader import parse

from .checked import TOOLS, echo, found, lines, nested, state, states, steps
from .documents import documents


def test_runs_within_runs_are_five_deep_at_most():
    document = steps(echo("x"))
    for _ in range(5):
        document = nested(workflow_definition=document)

    assert found(document) == ([], [])
    (problem,) = found(nested(workflow_definition=document)).problems
    assert problem.rule == "depth"
    assert problem.message.endswith(" is a run 6 deep; 5 is the deepest")


def test_a_workflow_that_was_never_read_is_checked_for_its_names_too():
    workflow = StepsWorkflow.model_validate(steps(echo("x", id="a", needs=["b"])))

    assert lines(check(workflow, TOOLS).problems) == [
        "Step 'a' needs 'b', which is no step. Steps: a"
    ]


def test_several_mistakes_are_said_at_once_in_order():
    document = states(
        a=state("shel", {"x": "{nope}"}, "b"), b=state("shell", {"command": 1, "y": 2})
    ) | {"variables": {"v": {}}}

    assert [(p.path, p.rule) for p in found(document).problems] == [
        ("variables.v", "variables"),
        ("states.a.action.tool", "tools"),
        ("states.a.action.params.x", "names"),
        ("states.b.action.params.command", "type"),
        ("states.b.action.params.y", "additionalProperties"),
    ]


def test_of_thousands_of_mistakes_a_hundred_are_said():
    document = steps(*(echo(f"{{nothing{n}}}") for n in range(5_000)))

    assert len(found(document).problems) == MOST


def test_five_thousand_steps_that_need_each_other_are_checked():
    made = [
        echo(f"{{steps.s{n - 1}.stdout}}", id=f"s{n}", needs=[f"s{n - 1}"]) for n in range(1, 5_000)
    ]

    document = steps(echo("x", id="s0"), *reversed(made))

    assert found(document) == ([], [])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_a_check_never_fails_itself(document):
    try:
        workflow = parse(document)
    except WorkflowInvalid:
        return

    problems, warnings = check(workflow, TOOLS, {"a": 1})

    assert all(str(problem).isprintable() for problem in (*problems, *warnings))


def test_the_id_of_a_step_stands_beside_its_place():
    document = steps(echo("{nope}", id="build"), {"tool": "shel"})

    first, second = lines(found(document).problems)

    assert first.startswith("{nope} in steps.0 (build).args.command names nothing that is known")
    assert second.startswith("steps.1.tool is 'shel', which is no tool.")


def test_the_tools_are_listed_once_however_many_are_unknown():
    document = steps({"tool": "shel"}, {"tool": "shel"}, {"tool": "zzz"})
    broken = {**document, "max_parallel": "many"}

    said = lines(found(document).problems)
    said_of_calls = [str(problem) for problem in of_calls(broken, TOOLS)]

    assert ["Tools: " in line for line in said] == [True, False, False]
    assert said[1] == "steps.1.tool is 'shel', which is no tool. Did you mean 'shell'?"
    assert said[2] == "steps.2.tool is 'zzz', which is no tool"
    assert said_of_calls == said


def test_it_stands_there_once_where_a_workflow_is_within_another():
    inner = steps({"id": "in", "tool": "shel"})
    document = steps({"id": "out", "tool": "run_workflow", "args": {"workflow_definition": inner}})

    (line,) = lines(found(document).problems)

    assert line.startswith(
        "steps.0 (out).args.workflow_definition: steps.0 (in).tool is 'shel', which is no tool."
    )
