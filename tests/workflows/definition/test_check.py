"""Everything that can be known before a run is said before it."""

import re

import pytest

from wfnb.errors import BadOutput, WorkflowInvalid
from wfnb.workflows.definition.outputs import Output, output_values

from .checked import echo, found, lines, nested, state, states, steps, unlabelled


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


@pytest.mark.parametrize("said", ["x", "{x}", "{n}", "{x!q}", "a {x}", "{{x}}", "{unseen}"])
@pytest.mark.parametrize("rule", [{"type": "integer"}, {"choices": [1, "b"]}])
def test_a_value_is_no_template_whatever_braces_it_has(said, rule):
    variables = {"n": rule | {"default": 1}}

    (given,) = found(steps(echo("{n}"), variables=variables), {"n": said}).problems
    assert given.path == "variables.n"
    variables["n"]["default"] = said
    (default,) = found(steps(echo("{n}"), variables=variables), {"n": 1}).problems
    assert default.path == "variables.n.default"
    with pytest.raises(BadOutput):
        output_values({"o": Output(value="n", type="integer")}, {"n": said}, ())


def test_what_a_nested_workflow_is_given_may_be_a_placeholder():
    inner = steps(echo("{k}"), variables={"k": {"choices": ["a", "b"]}})
    call = {"tool": "run_workflow", "args": {"workflow_definition": inner}}
    outer = steps(call, variables={"kind": "c"})

    call["args"]["initial_variables"] = {"k": "{kind}"}
    assert found(outer).problems == []
    call["args"]["initial_variables"] = {"k": "kind"}
    assert len(found(outer).problems) == 1


def test_the_value_of_a_secret_is_never_shown():
    secret = {"token": {"secret": True, "type": "integer", "choices": [1]}}

    assert found(steps(echo("{token}"), variables=secret), {"token": "hunter2"}) == ([], [])


EXPRESSIONS = [
    ({"when": "limt > 3"}, "steps.1.when", "limt in steps.1 (b).when names nothing that is known"),
    ({"when": "a.stdot == 1"}, "steps.1.when", "Did you mean 'stdout'?"),
    ({"when": "c.stdout == 1"}, "steps.1.when", "which does not come before 'b'"),
    ({"when": "stderr == 1 and b.stdout > 2"}, "steps.1.when", "does not come before 'b'"),
    ({"when": "attempt > 1"}, "steps.1.when", "attempt in steps.1 (b).when names nothing"),
    ({"when": "key == 'x'"}, "steps.1.when", "asks for 'key', which is a secret"),
    ({"when": "limit"}, "steps.1.when", "it gives 3 and not true or false: compare it, with =="),
    ({"when": "limit > 'many'"}, "steps.1.when", "3 and the text 'many' have no order"),
    (
        {"retry": {"attempts": 1, "when": "exit_cod == 75"}},
        "steps.1.retry.when",
        "exit_cod in steps.1 (b).retry.when names nothing that is known here. Did you mean",
    ),
    (
        {"retry": {"attempts": 1, "unless": {"any": [{"success": True}, "key == 1"]}}},
        "steps.1.retry.unless",
        "asks for 'key', which is a secret",
    ),
]


@pytest.mark.parametrize(("more", "place", "message"), EXPRESSIONS)
def test_the_names_of_an_expression_are_checked_as_those_of_placeholders(more, place, message):
    document = steps(echo("x", id="a"), echo("y", id="b", **more), echo("z", id="c"))
    document["variables"] = {"limit": 3, "key": {"type": "string", "secret": True}}

    problems, _ = found(document, {"key": "k"})

    assert [unlabelled(problem.path) for problem in problems] == [place]
    assert message in str(problems[0])
    assert "{{" not in str(problems[0])


def test_a_plain_name_in_a_condition_is_of_its_own_result():
    undo = {
        "tool": "shell",
        "params": {"command": "x"},
        "retry": {"attempts": 1, "when": "exit_code == 75"},
    }
    document = states(
        a=state("shell", {"command": "x"}, "b"),
        b=state("open_terminal", {}, "c", compensation=undo),
        c=state("shell", {"command": "x"}),
    )
    assert found(document) == ([], [])

    document["states"]["b"]["transitions"][0]["condition"] = "exit_code == 0"
    problems, _ = found(document)

    assert lines(problems) == [
        "exit_code in states.b.transitions.0.condition is no field of the result of "
        "'open_terminal'. That of another action is ACTION.exit_code"
    ]


def test_whether_it_was_skipped_can_be_asked_of_an_action_that_has_a_when():
    document = states(
        a=state("shell", {"command": "x"}, "b", when="limit > 3"),
        b=state("shell", {"command": "{a.skipped} {a_skipped}"}, when="not a.skipped"),
    ) | {"variables": {"limit": 3}}
    document["states"]["a"]["transitions"] += [
        {"condition": {"field_equals": {"skipped": True}}, "next_state": "a"},
        {"condition": "skipped", "next_state": "a"},
    ]
    assert found(document) == ([], [])

    del document["states"]["a"]["when"]
    problems, _ = found(document)

    assert {problem.rule for problem in problems} == {"names", "conditions"}


def test_a_value_that_has_a_placeholder_in_it_is_not_worked_out_before_the_run():
    within = steps(echo("x", when="rows[0] > 3")) | {"variables": {"rows": {"type": "array"}}}
    given = nested(workflow_definition=within, initial_variables={"rows": ["{n}"]})

    assert found(given | {"variables": {"n": 3}}) == ([], [])


def test_an_expression_knows_what_came_before_and_a_condition_its_own_result():
    document = states(
        a=state("shell", {"command": "x"}, "b", when="limit > 3"),
        b=state(
            "shell",
            {"command": "y"},
            retry={
                "attempts": 2,
                "when": "exit_code == 75 and attempt < 2 and a.stdout != b_stdout",
            },
            when="a.stdout > limit and steps.a.exit_code == 0 and exit_code == 0",
        ),
    )
    document["states"]["b"]["transitions"] = [
        {"condition": "result.exit_code > 3 and stdout == a.stdout", "next_state": "a"}
    ]

    assert found(document | {"variables": {"limit": 3}}) == ([], [])


def test_an_expression_that_does_not_read_is_told_with_its_place():
    with pytest.raises(WorkflowInvalid, match=re.escape("steps.0.when is 'a && b'")):
        found(steps(echo("x", when="a && b")))


@pytest.mark.parametrize("each", [list(range(10_001)), "many"])
def test_more_items_than_an_action_is_done_for_are_refused_where_they_are_known(each):
    document = steps(echo("{item}", for_each=each), variables={"many": [0] * 10_001})

    (problem,) = found(document).problems
    assert "There are 10,001 items, and an action is done for 10,000 at most" in str(problem)


@pytest.mark.parametrize(
    ("value", "kind", "right"),
    [("n", "integer", True), ("text(n)", "integer", True), ("n", "string", False), *(
        (value, kind, False) for value in ("'abc'", "[n]", "null") for kind in ("integer", "object")
    )],
)  # fmt: skip
def test_an_output_that_is_known_has_to_be_of_its_type(value, kind, right):
    outputs = {"o": {"value": value, "type": kind}}

    problems = found(steps(echo("x"), variables={"n": 3}, outputs=outputs)).problems

    assert (problems == []) == right
