"""What is odd about a workflow, and keeps it from nothing, is a warning."""

import pytest

from .checked import echo, found, nested, state, states, steps, unlabelled

ODD = [
    (
        states(a=state("open_terminal"), b=state("open_terminal")),
        "states.b",
        "unreachable",
        "State 'b' is never reached from 'a'",
    ),
    (
        states(a=state("open_terminal", {}, "a")),
        "states.a",
        "endless",
        "State 'a' has no way out but a failure: every success leads on, and never to an end. "
        "The run stops at 100 states (max_states)",
    ),
    (
        states(a=state("open_terminal", {}, "b"), b=state("open_terminal", {}, "a", "b")),
        "states.a",
        "endless",
        "States 'a', 'b' have no way out but a failure",
    ),
    (
        steps(echo("x", compensate_on_failure=True)),
        "step_1",
        "compensation",
        "'step_1' asks for its compensation on failure, and has none",
    ),
    (
        steps(echo("x"), variables={"t": {"secret": True, "default": "hunter2"}}),
        "variables.t",
        "secret",
        "Variable 't' is secret and has a default, which stands in the definition for all to read",
    ),
    (
        nested(workflow_name="one") | {"name": "one"},
        "steps.0.args.workflow_name",
        "recursion",
        "The workflow calls itself in steps.0.args.workflow_name whatever happens, so it never",
    ),
    (
        steps({"tool": "python", "args": {"code": "1"}}, echo("{anything}")),
        "steps.1.args.command",
        "names",
        "{anything} in steps.1.args.command names nothing that is known here. Known: success, err",
    ),
    (
        steps({"tool": "await_output", "args": {"pattern": "{p}"}}, echo("{port}"))
        | {"variables": {"p": "x"}},
        "steps.1.args.command",
        "names",
        "{port} in steps.1.args.command names nothing that is known here. Known: p, match_text, ",
    ),
    (
        steps(echo("x", id="a"), echo("{a.stdout}"), variables={"a": "text"}),
        "steps.1.args.command",
        "names",
        "{a.stdout} in steps.1.args.command looks into the variable 'a' and not into what 'a' "
        "gave: that is {steps.a.stdout}",
    ),
    (
        steps(echo("x", id="a"), echo("{stdout}"), variables={"stdout": "mine"}),
        "steps.1.args.command",
        "names",
        "{stdout} in steps.1.args.command may be a field of what 'a' gave: rename the variable",
    ),
    *(
        (
            steps(echo("x", id="a"), echo("x"), echo("x", when=f"{name} is not null")),
            "steps.2.when",
            "names",
            f"{name} in steps.2.when is that of the last action which had one, whatever has "
            f"succeeded since: write ACTION.{name}",
        )
        for name in ("error", "error_type", "timeout_occurred")
    ),
    (
        steps(
            echo("x", id="a", on_error=[{"result": {"stdout": "none"}}]),
            echo("x", when="caught is not null"),
        ),
        "steps.1.when",
        "names",
        "caught in steps.1.when is that of the last action which had one, whatever has succeeded "
        "since: write ACTION.caught",
    ),
    (
        steps(
            echo("x", id="a", capture=["(?P<port>1)"]),
            echo("x", id="b", capture=["(?P<port>2)"]),
            mode="parallel",
        ),
        "b",
        "captures",
        "Steps 'a' and 'b' run side by side and both capture 'port': it is what the later of them",
    ),
    (
        nested(workflow_definition=states(a=state("open_terminal"), b=state("open_terminal"))),
        "steps.0.args.workflow_definition.states.b",
        "unreachable",
        "steps.0.args.workflow_definition: State 'b' is never reached from 'a'",
    ),
]


@pytest.mark.parametrize(("document", "path", "rule", "line"), ODD)
def test_what_is_only_odd_is_a_warning(document, path, rule, line):
    problems, (warning,) = found(document)

    assert problems == []
    assert (warning.path, warning.rule) == (path, rule)
    assert unlabelled(warning.message).startswith(line)
    assert "hunter2" not in warning.message


PLAIN = [
    steps(
        echo("x", id="a"),
        echo("{a} {a.name} {steps.a.stdout}"),
        variables={"a": {"default": {"name": "b"}}},
    ),
    steps(
        echo("x", id="a", capture=["(?P<port>1)"]),
        echo("x", id="b", capture=["(?P<port>2)"], needs=["c"]),
        echo("x", id="c", needs=["a"]),
    ),
    steps(echo("x", capture=["(?P<port>1)"]), echo("x", capture=["(?P<port>2)"])),
    steps(echo("x", id="a"), echo("{error}", when="a.error is not null")),
]


@pytest.mark.parametrize("document", PLAIN)
def test_names_that_mean_one_thing_are_not_odd(document):
    assert found(document) == ([], [])


ENDING = [
    states(a=state("open_terminal", {}, "a", "b"), b=state("open_terminal")),
    states(a=state("open_terminal", {}, "a", on_timeout="b"), b=state("open_terminal")),
    states(
        a={
            "action": {"tool": "open_terminal"},
            "transitions": [{"condition": {"pattern_not_match": "ready"}, "next_state": "a"}],
        }
    ),
    states(
        a={
            "action": {"tool": "open_terminal"},
            "transitions": [
                {
                    "condition": {"success": True, "field_equals": {"message": "x"}},
                    "next_state": "a",
                }
            ],
        }
    ),
]


@pytest.mark.parametrize("document", ENDING)
def test_a_loop_that_can_end_is_not_odd(document):
    assert found(document) == ([], [])


def test_a_workflow_that_calls_itself_under_a_condition_is_not_odd():
    document = states(
        a=state("open_terminal", {}, "b"), b=state("run_workflow", {"workflow_name": "w"})
    )

    assert found(document, known=("w",)) == ([], [])


@pytest.mark.parametrize(("condition", "odd"), [("n > 3", 0), ("limt > n", 1), ("stdout > n", 0)])
def test_of_a_tool_that_does_not_say_what_it_gives_any_field_may_be_asked_for(condition, odd):
    step = {"tool": "python", "args": {"code": "1"}, "repeat": {"until": condition, "at_most": 2}}
    problems, warnings = found(steps(step, variables={"limit": 3}), {})

    assert problems == []
    assert len([each for each in warnings if each.rule == "names"]) == odd


def test_a_placeholder_in_a_key_is_not_filled_in_and_said_to_be_so():
    inner = {"workflow_definition": {"variables": {}, "steps": [echo("{{x}}")]}}
    values = {"{who}": ["{who}", {"is {who!q}": 1, "{{who}}": 2, "{a,b}": 3}]}
    call = {"tool": "run_workflow", "args": inner | {"initial_variables": {"v": values}}}

    _, odd = found(steps(call, variables={"who": "me"}))

    assert [unlabelled(str(each)) for each in odd] == [
        f"{{who}} in a key of steps.0.args.initial_variables.v{place} is left as it is: only "
        "values are filled in"
        for place in ("", ".{who}.1")
    ]
