"""Mistakes that are many, or deep: in order, each with its place, and no more than a hundred."""

import pytest
from hypothesis import HealthCheck, given, settings

from tests.amount import times
from wfnb.errors import WorkflowInvalid
from wfnb.workflows.definition.check import MAX_PROBLEMS, check, of_calls
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


@pytest.mark.parametrize(
    ("needs", "mode", "said"),
    [
        (
            [{"id": "x", "even_if": "failed"}],
            "parallel",
            "Step 'b' needs 'x', which is no step. Steps: a, b",
        ),
        (
            ["a", {"id": "a", "even_if": "failed"}],
            "parallel",
            "Step 'b' needs 'a' twice, with other words",
        ),
        (
            [{"id": "a", "only_if": "failed"}],
            "sequence",
            "Step 'b' needs 'a' even if that failed, or only then, which is for steps side by side "
            "(mode: parallel). In a sequence, what comes after a step with on_failure: continue "
            "begins also where that failed; `when: not a.success` asks for it",
        ),
        (
            [{"id": "b", "even_if": "failed"}],
            "parallel",
            "Steps need each other in a circle: b → b",
        ),
    ],
)
def test_a_need_that_cannot_be_met_is_refused(needs, mode, said):
    written = steps(echo("x", id="a"), echo("y", id="b", needs=needs), mode=mode)

    with pytest.raises(WorkflowInvalid) as refusal:
        parse(written)

    assert [problem.message for problem in refusal.value.problems] == [said]


LAST = {"always": True}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            steps(echo("x", id="a"), echo("y", id="b", needs=["a"], **LAST)),
            "steps.1 (b) does not read; it has always and needs: what is always done comes last, "
            "and is not undone",
        ),
        (
            steps(echo("x", id="a"), echo("y", id="b", compensation={"tool": "shell"}, **LAST)),
            "steps.1 (b) does not read; it has always and compensation: what is always done comes "
            "last, and is not undone",
        ),
        (
            steps(echo("x", id="a", **LAST), echo("y", id="b", needs=["a"])),
            "Step 'b' needs 'a', which is always done last",
        ),
        (
            states(
                a=state("shell", {"command": "x"}, "b"), b=state("shell", {"command": "x"}) | LAST
            ),
            "State 'a' goes to 'b', which is always done last by itself",
        ),
        (
            states(a=state("shell", {"command": "x"}) | LAST),
            "Initial state 'a' is always done last, and cannot come first",
        ),
    ],
)
def test_what_is_always_done_last_cannot_come_earlier(written, said):
    with pytest.raises(WorkflowInvalid) as refusal:
        parse(written)

    assert [problem.message for problem in refusal.value.problems] == [said]


@pytest.mark.parametrize("mode", ["sequence", "parallel"])
def test_what_is_always_done_last_knows_all_others_which_do_not_know_it(mode):
    last = echo("{a.stdout} {b.stdout}", id="z", always=True)
    written = [last, echo("x", id="a"), echo("y", id="b")]

    assert found(steps(*written, mode=mode)).problems == []
    (problem,) = found(steps(*written, echo("{z.stdout}", id="c"), mode=mode)).problems
    assert "names step 'z', which does not come before 'c'" in problem.message


def test_a_state_that_is_always_done_last_is_reached():
    call = state("shell", {"command": "{a.stdout!q}"})
    written = states(a=state("shell", {"command": "x"}), z=call | LAST)

    assert found(written) == ([], [])


@pytest.mark.parametrize(
    ("need", "said"),
    [
        ({"id": "a", "even_if": "failed", "only_if": "failed"}, "both even_if and only_if"),
        ({"id": "a", "even_if": "skipped"}, "'failed'"),
        ({"even_if": "failed"}, "'id'"),
        ({"id": "a", "evenif": "failed"}, "even_if"),
    ],
)
def test_a_need_that_says_nonsense_is_refused(need, said):
    with pytest.raises(WorkflowInvalid, match=said):
        parse(steps(echo("x", id="a"), echo("y", id="b", needs=[need])))


def test_a_step_knows_the_error_of_one_that_it_needs_even_if_it_failed():
    need = {"id": "a", "even_if": "failed"}
    written = steps(
        echo("x", id="a"), echo("{a.error}", id="b", needs=[need], when="not a.success")
    )

    assert found(written).problems == []


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

    assert len(found(document).problems) == MAX_PROBLEMS


def test_five_thousand_steps_that_need_each_other_are_checked():
    made = [
        echo(f"{{steps.s{n - 1}.stdout}}", id=f"s{n}", needs=[f"s{n - 1}"]) for n in range(1, 5_000)
    ]

    document = steps(echo("x", id="s0"), *reversed(made))

    assert found(document) == ([], [])


@settings(max_examples=times(25, 200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
