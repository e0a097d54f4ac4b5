"""Everything that can be known before a run is said before it."""

import pytest
from hypothesis import HealthCheck, given, settings

from wfnb.errors import WorkflowInvalid
from wfnb.tools.ask import ASK as TOOL
from wfnb.workflow.check import MOST, ToolFacts, check, of_calls
from wfnb.workflow.models import StepsWorkflow
from wfnb.workflow.read import parse

from .checked import TOOLS, echo, found, lines, nested, state, states, steps, unlabelled
from .documents import documents


def test_a_workflow_that_is_right_has_nothing_wrong_and_nothing_odd():
    document = states(
        a=state("open_terminal", {"shell": "{shell}"}, "b"),
        b=state(
            "await_output",
            {"session_id": "{session_id}", "pattern": "port (?P<port>[0-9]+)"},
            "c",
            on_timeout="d",
        ),
        c=state(
            "shell",
            {"command": "curl {host!q}:{port} {a.session_id} {b_match_text} {steps.b.success}"},
            compensation={"tool": "shell", "params": {"command": "{result.stdout} {c_stdout}"}},
        ),
        d=state("shell", {"command": "echo {error}"}),
    ) | {"variables": {"host": "localhost", "shell": {"type": "string"}}}

    assert found(document, {"shell": "bash"}) == ([], [])


WRONG = [
    (
        steps({"tool": "shel", "args": {"command": "x"}}),
        "steps.0.tool",
        "tools",
        "steps.0.tool is 'shel', which is no tool. Did you mean 'shell'? Tools: await_output, ",
    ),
    (
        steps(echo("x", compensation={"tool": "zzz"})),
        "steps.0.compensation.tool",
        "tools",
        "steps.0.compensation.tool is 'zzz', which is no tool. Tools: await_output, open_terminal,",
    ),
    (
        steps({"tool": "shell"}),
        "steps.0.args.command",
        "required",
        "steps.0.args has no 'command', which it needs",
    ),
    (
        states(a=state("shell", {"command": "x", "timout": 1})),
        "states.a.action.params.timout",
        "additionalProperties",
        "states.a.action.params has no key 'timout'. Did you mean 'timeout'?",
    ),
    (
        steps(echo("x", args={"command": "x", "timeout": "soon"})),
        "steps.0.args.timeout",
        "type",
        "steps.0.args.timeout is 'soon'; it needs a number",
    ),
    (
        steps(echo("x", compensation={"tool": "shell", "args": {"command": 1}})),
        "steps.0.compensation.params.command",
        "type",
        "steps.0.compensation.params.command is 1; it needs text",
    ),
    (
        steps({"tool": "await_output", "args": {"pattern": "("}}),
        "steps.0.args.pattern",
        "format",
        "steps.0.args.pattern is no regular expression: missing ) at position 1",
    ),
    (
        steps(echo("x"), variables={"host": {"description": "where it runs"}}),
        "variables.host",
        "variables",
        "Variable 'host' has to be given: where it runs",
    ),
    (
        steps(echo("x"), variables={"host": {"description": "two\nlines"}}),
        "variables.host",
        "variables",
        "Variable 'host' has to be given: two\\nlines",
    ),
    (
        steps(echo("x"), variables={"token": {"secret": True, "description": "of the shop"}}),
        "variables.token",
        "variables",
        "Variable 'token' has to be given, by `--secret token`: of the shop",
    ),
    (
        steps(echo("{host.name}")),
        "steps.0.args.command",
        "names",
        "{host.name} in steps.0.args.command names nothing that is known here. Known: nothing yet: "
        "`variables` or `--var host=VALUE` gives it a value",
    ),
    (
        steps(echo("x"), variables={"n": {"type": "integer", "default": "3"}}),
        "variables.n.default",
        "type",
        "variables.n.default is '3'; it needs a whole number",
    ),
    (
        steps(echo("x"), variables={"n": {"choices": [1, "two"], "default": True}}),
        "variables.n.default",
        "enum",
        "variables.n.default is true; it can be 1 or 'two'",
    ),
    (
        steps(echo("{hots}"), variables={"host": "a"}),
        "steps.0.args.command",
        "names",
        "{hots} in steps.0.args.command names nothing that is known here. Did you mean 'host'? "
        "Known: host",
    ),
    (
        steps(echo("{stdout}")),
        "steps.0.args.command",
        "names",
        "{stdout} in steps.0.args.command comes only from what runs after step 'step_1' or beside",
    ),
    (
        steps(echo("{steps.b.stdout}", id="a"), echo("x", id="b")),
        "steps.0.args.command",
        "names",
        "{steps.b.stdout} in steps.0.args.command names step 'b', which does not come before 'a'",
    ),
    (
        steps(echo("{steps.a.stdout}", id="a")),
        "steps.0.args.command",
        "names",
        "{steps.a.stdout} in steps.0.args.command names step 'a', which does not come before 'a'",
    ),
    (
        steps(echo("x", id="build"), echo("{steps.biuld.stdout}")),
        "steps.1.args.command",
        "names",
        "{steps.biuld.stdout} in steps.1.args.command names no step. Did you mean 'build'?",
    ),
    (
        steps(echo("x", id="a"), echo("{steps.a.stdut}")),
        "steps.1.args.command",
        "names",
        "{steps.a.stdut} in steps.1.args.command names no field of what step 'a' gives. Did you ",
    ),
    (
        steps(echo("x", id="a"), echo("{a.stdout}"), mode="parallel"),
        "steps.1.args.command",
        "names",
        "{a.stdout} in steps.1.args.command names step 'a', which does not come before 'step_2'",
    ),
    (
        steps(echo("x", id="a"), echo("{stdout}", needs=["a"])),
        "steps.1.args.command",
        "names",
        "{stdout} in steps.1.args.command names nothing that is known here. Did you mean 'a_stdo",
    ),
    (
        states(a=state("shell", {"command": "{b.stdout}"}, "b"), b=state("open_terminal")),
        "states.a.action.params.command",
        "names",
        "{b.stdout} in states.a.action.params.command names state 'b', which does not come before",
    ),
    (
        steps(echo("{result.stdout}")),
        "steps.0.args.command",
        "names",
        "{result.stdout} in steps.0.args.command names nothing that is known here. Known: nothing",
    ),
    (
        steps(echo("x", compensation={"tool": "shell", "args": {"command": "{result.out}"}})),
        "steps.0.compensation.params.command",
        "names",
        "{result.out} in steps.0.compensation.params.command names no field of what step 'step_1'",
    ),
    (
        nested(workflow_name="zzz"),
        "steps.0.args.workflow_name",
        "workflows",
        "Workflow 'zzz' not found. Available: one, two",
    ),
    (
        nested(),
        "steps.0.args",
        "oneOf",
        "Either 'workflow_definition' or 'workflow_name' must be provided",
    ),
    (
        nested(workflow_definition=steps(echo("x")), workflow_name="one"),
        "steps.0.args",
        "oneOf",
        "Provide either 'workflow_definition' OR 'workflow_name', not both",
    ),
    (
        nested(workflow_definition=states(first="zz", a=state("shell"))),
        "steps.0.args.workflow_definition.initial_state",
        "states",
        "steps.0.args.workflow_definition: Initial state 'zz' not found in states",
    ),
    (
        nested(workflow_definition=steps({"tool": "shell"})),
        "steps.0.args.workflow_definition.steps.0.args.command",
        "required",
        "steps.0.args.workflow_definition: steps.0.args has no 'command', which it needs",
    ),
    (
        nested(workflow_definition=steps(echo("{outer}"))) | {"variables": {"outer": 1}},
        "steps.0.args.workflow_definition.steps.0.args.command",
        "names",
        "steps.0.args.workflow_definition: {outer} in steps.0.args.command names nothing that is",
    ),
    (
        nested(workflow_definition=steps(echo("x"), variables={"v": {}})),
        "steps.0.args.workflow_definition.variables.v",
        "variables",
        "steps.0.args.workflow_definition: Variable 'v' has to be given",
    ),
]


@pytest.mark.parametrize(("document", "path", "rule", "line"), WRONG)
def test_what_keeps_a_workflow_from_running_is_said_with_its_place(document, path, rule, line):
    (problem,) = found(document).problems

    assert (problem.path, problem.rule) == (path, rule)
    assert unlabelled(problem.message).startswith(line)


RIGHT = [
    steps(echo("x"), echo("{stdout} {step_1_stdout} {step_1.stdout} {steps.step_1.stdout}")),
    steps(echo("x"), echo("{steps.step_1} {step_1}")),
    steps(echo("x", capture="(?P<port>[0-9]+)"), echo("{port}")),
    steps(echo("x", id="a"), echo("{steps.a.stdout}", needs=["a"])),
    steps(
        echo("x", id="a"),
        echo("y", id="b", needs=["a"]),
        echo("{steps.a.stdout} {a_stdout}", needs=["b"]),
    ),
    steps(echo("x", args={"command": "x", "timeout": "{t}"}), variables={"t": 3}),
    steps(echo("x", args={"command": "{t}"}), variables={"t": 3}),
    steps(echo("{data.a.0}"), variables={"data": {"default": {"a": [1]}}}),
    steps(echo("${HOME} {print $1} {{name}}")),
    steps(echo("{steps}"), variables={"steps": 1}),
    states(a=state("open_terminal", {}, "b"), b=state("shell", {"command": "{session_id}"})),
    states(
        a=state("shell", {"command": "{b_stdout}"}, "b"),
        b=state("shell", {"command": "x"}, "a", on_timeout="c"),
        c=state("open_terminal"),
    ),
    steps(
        echo("x", compensation={"tool": "shell", "args": {"command": "{stdout} {step_1_stderr}"}}),
        mode="parallel",
    ),
    nested(workflow_name="one"),
    nested(workflow_name="{which}") | {"variables": {"which": "x"}},
    nested(workflow_definition="{what}") | {"variables": {"what": "x"}},
    nested(
        workflow_definition=steps(echo("{v}"), variables={"v": {"type": "integer"}}),
        initial_variables={"v": "{n}"},
    )
    | {"variables": {"n": 1}},
    nested(
        workflow_definition=steps(echo("{v}"), variables={"v": {"type": "integer"}}),
        initial_variables="{all}",
    )
    | {"variables": {"all": {"default": {"v": 1}}}},
    steps(
        {"tool": "run_workflow", "args": {"workflow_name": "one"}}, echo("{workflow_final_state}")
    ),
]


@pytest.mark.parametrize("document", RIGHT)
def test_what_can_be_known_is_not_complained_of(document):
    assert found(document).problems == []


def test_values_that_are_given_are_held_against_what_the_variable_is():
    document = steps(echo("{n} {free}"), variables={"n": {"type": "integer", "choices": [1, 2]}})

    assert found(document, {"n": 2, "free": "x"}).problems == []
    assert lines(found(document, {"n": "2", "free": 1}).problems) == [
        "Variable 'n' is '2'; it needs a whole number"
    ]
    assert lines(found(document, {"n": 3, "free": 1}).problems) == [
        "Variable 'n' is 3; it can be 1 or 2"
    ]


def test_the_value_of_a_secret_is_never_shown():
    secret = {"token": {"secret": True, "type": "integer", "choices": [1]}}

    assert found(steps(echo("{token}"), variables=secret), {"token": "hunter2"}) == ([], [])


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


ASK = {"question": "Go?", "choices": ["yes", "no"]}
ASKS = {"ask": ToolFacts(parameters=TOOL.parameters, results=TOOL.results)}


def test_a_question_whose_default_is_none_of_its_choices_is_found():
    (problem,), _ = check(parse(steps({"tool": "ask", "args": {**ASK, "default": "maybe"}})), ASKS)

    assert (problem.path, problem.rule) == ("steps.0.args.default", "choices")
    assert problem.message == (
        "steps.0.args.default is 'maybe', which is none of the choices: 'yes', 'no'"
    )


@pytest.mark.parametrize(
    "args",
    [
        ASK,
        ASK | {"default": "no"},
        ASK | {"default": None},
        ASK | {"default": "{usual}"},
        ASK | {"default": "no, {usual}"},
        ASK | {"choices": ["yes", "{usual}"], "default": "maybe"},
        ASK | {"choices": "{all}", "default": "maybe"},
        ASK | {"choices": [], "default": "maybe"},
    ],
)
def test_a_question_that_may_be_right_is_left_alone(args):
    document = steps({"tool": "ask", "args": args}, variables={"usual": "no", "all": ["maybe"]})

    assert check(parse(document), ASKS).problems == []
