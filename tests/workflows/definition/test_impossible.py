"""A condition that cannot hold is refused before the run; all others mean what a model says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from wfnb.workflows.definition.check import CheckResult, ToolFacts, check
from wfnb.workflows.definition.condition import Condition, holds
from wfnb.workflows.definition.problem import Problem
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.tools.registry import builtin_tools
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.tools.sleep import SLEEP
from wfnb.workflows.tools.tool import Tool, tool_of


def take(item: str) -> int:
    """Fails with a field of its own."""
    if item == "none":
        raise ToolFailed("no more", left=0, item=item)
    return 1


def opened(item: str) -> dict[str, Any]:
    raise ToolFailed("no more", left=0)


OWN = (tool_of(take), tool_of(opened))
TOOLS = dict(builtin_tools()) | {tool.name: tool for tool in OWN}


def facts(tool: Tool) -> ToolFacts:
    return ToolFacts(parameters={}, results=tool.results, failures=tool.failures, kinds=tool.kinds)


def found(tool: str, condition: Any, **more: Any) -> CheckResult:
    then = [{"condition": condition, "next_state": "b"}]
    workflow = {
        "name": "asks",
        "initial_state": "a",
        "variables": {"amount": 1500},
        "states": {
            "a": {"action": {"tool": tool}, "transitions": then, **more},
            "b": {"action": {"tool": "sleep"}},
        },
    }
    return check(parse(workflow), {name: facts(tool) for name, tool in TOOLS.items()})


PLACE = "states.a.transitions.0.condition"
REFUSED = [
    (
        "sleep",
        {"field_equals": {"amount": 1}},
        "'amount', which is no field of a result: a condition",
    ),
    (
        "shell",
        {"field_equals": {"exit_cod": 0}},
        "'exit_cod', which the result of 'shell' has not. Did",
    ),
    ("shell", {"field_contains": {"b.stdout": "x"}}, "'b.stdout', which is no field of a result"),
    ("shell", {"not": {"any": [{"field_equals": {"sdtout": 1}}]}}, "Did you mean 'stdout'?"),
    ("sleep", {"success": True, "pattern_match": "x"}, "which has no text but a failure's error"),
    (
        "shell",
        {"success": True, "timeout_occurred": True},
        "asks for a success that ran out of time",
    ),
    ("take", {"field_equals": {"zzz": 0}}, "'zzz', which the result of 'take' has not. Fields: "),
]


@pytest.mark.parametrize(("tool", "condition", "said"), REFUSED)
def test_what_cannot_hold_is_refused_with_its_place(tool, condition, said):
    (problem,) = found(tool, condition).problems

    assert problem.message.startswith(PLACE)
    assert said in problem.message


ACCEPTED = [
    ("shell", {"field_equals": {"exit_code": 0}}),
    ("shell", {"field_equals": {"error_type": "X", "still_running": True}}),
    ("python", {"pattern_match": "READY"}),
    ("python", {"field_equals": {"result.rows.0": 3}}),
    ("ask", {"pattern_match": "yes"}),
    ("read", {"pattern_not_match": "ERROR"}),
    ("watch", {"pattern_match": "up"}),
    ("take", {"field_equals": {"left": 0}}),
    ("take", {"pattern_match": "1"}),
    ("opened", {"field_equals": {"anything": 0}}),
    ("open_terminal", {"pattern_match": r"\$"}),
    ("send_input", {"field_contains": {"screen_content": "x"}}),
    ("exit_terminal", {"field_equals": {"process_running": False}}),
]


FIXED = [
    ("shell", {"field_equals": {"stdout": 0}}, "stdout is a text, and never 0: that never holds"),
    ("shell", {"field_equals": {"exit_code": "0"}}, "exit_code is a number, and never '0'"),
    ("shell", {"field_equals": {"success": "true"}}, "success is true or false, and never 'true'"),
    ("shell", {"field_equals": {"left_running": 0}}, "left_running is true or false, and never 0"),
    ("shell", {"not": {"field_equals": {"exit_code": True}}}, "exit_code is a number"),
    ("shell", {"field_contains": {"exit_code": 0}}, "is a number, which never contains 0"),
    ("shell", {"field_equals": {"heard": 1}}, "'heard', which the result of 'shell' has not"),
    ("shell", "success == 1", "success is true or false, and never 1: that never holds"),
    ("shell", "exit_code == 0 and 'true' == success", "success is true or false, and never 'true'"),
    ("shell", "success != 'true'", "success is true or false, and never 'true': that always holds"),
    ("shell", "stdout == true", "stdout is a text, and never true"),
    ("shell", "stdout in [true, ['x']]", "stdout is a text, and never a list"),
    ("shell", "exit_code == 'many'", "exit_code is a number, and never 'many'"),
    ("take", "success is 1", "success is true or false, and never 1"),
    ("python", "stderr is 3", "stderr is a text, and never 3"),
    ("shell", "exit_code == 1.5", "exit_code is a number, and never 1.5"),
    ("shell", "endswith(stdout, 'hi\\n')", "stdout is a text, and never ends in a line break"),
    ("shell", "stdout[0] == 'h'", "stdout is a text, which has no part '0'"),
    ("shell", {"field_equals": {"stdout.0": "h"}}, "stdout is a text, which has no part '0'"),
    ("shell", {"field_contains": {"exit_code.a": "h"}}, "exit_code is a number, which has no"),
    ("shell", {"field_contains": {"stdout": True}}, "stdout is a text, which never contains true"),
    ("shell", "result == 1", "result is a mapping of all that an action gave (ask for one of its"),
    ("shell", "result != null", "and never null: that always holds"),
    ("shell", "result.exit_code == 'x'", "result.exit_code is a number, and never 'x'"),
    ("shell", "error == 1.5 and error is 3", "error is a text, and never 3"),
    ("sleep", "timeout_occurred == 1", "timeout_occurred is true or false, and never 1"),
    ("notebook", "cells == 'all'", "cells is a number, and never 'all'"),
    ("await_output", {"field_equals": {"elapsed_time": "3"}}, "is a number, and never '3'"),
]


@pytest.mark.parametrize(("tool", "condition", "said"), FIXED)
def test_a_comparison_that_has_one_answer_for_ever_is_refused(tool, condition, said):
    (problem,) = found(tool, condition).problems

    assert said in problem.message


@pytest.mark.parametrize("key", ["retry", "on_error", "compensation"])
def test_so_it_is_wherever_a_condition_is_asked(key):
    when = {"field_equals": {"exit_code": "75"}}
    more: dict[str, Any] = {
        "retry": {"retry": {"attempts": 2, "when": when}},
        "on_error": {"on_error": [{"when": when, "result": {}}]},
        "compensation": {"compensation": {"tool": "shell", "retry": {"attempts": 2, "when": when}}},
    }[key]

    (problem,) = found("shell", {"success": True}, **more).problems

    assert "exit_code is a number, and never '75'" in problem.message


ANSWERS = {
    "a.answer == 'Yes'": False,
    "a.answer == true": False,
    "steps.a.answer in ['Yes', 'No']": False,
    "a.answer != 'Yes'": False,
    "b.exit_code == 'none'": False,
    "b == 'done'": False,
    "steps.b is null": False,
    "b.stdout[0] == 'd'": False,
    "a.answer[0] == 'y'": False,
    "e == 'x'": False,
    "e.count == 'many'": False,
    "e.results == 'x'": False,
    "e.results[0].exit_code == 'x'": False,
    "e.results[0] == null": True,
    "e.results[0].stdout == 'x'": True,
    "e.results == []": True,
    "f.skipped == 1": False,
    "f.skipped == true": True,
    "f.stdout == 3": True,
    "a.answer == 'yes'": True,
    "a.answer in ['yes', 'later']": True,
    "a.choice == 0": True,
    "b.stdout == 3": True,
    "b.exit_code == '3'": True,
    "b.success == true": True,
    "b.stdout == null": True,
}


@pytest.mark.parametrize(("when", "may_hold"), ANSWERS.items())
def test_what_a_later_step_asks_of_an_earlier_one_is_checked_too(when, may_hold):
    a = {"id": "a", "tool": "ask", "args": {"question": "Deploy?", "choices": ["yes", "no"]}}
    b = {"id": "b", "tool": "shell", "args": {"command": "echo"}}
    c = {"id": "c", "tool": "shell", "when": when, "args": {"command": "echo"}}
    e = {**b, "id": "e", "for_each": [1, 2]}
    f = {**b, "id": "f", "when": "b.success", "on_error": [{"result": {"stdout": 3}}]}
    steps = parse({"steps": [a, b, e, f, c]})

    problems = check(steps, {n: facts(t) for n, t in TOOLS.items()}).problems

    assert (problems == []) == may_hold


@pytest.mark.parametrize("choices", [["yes", "no"], ["{x}"], []])
@pytest.mark.parametrize("falls_back", [False, True])
def test_of_an_answer_that_may_be_anything_nothing_is_said(choices, falls_back):
    more = {"on_error": [{"result": {"answer": "Yes"}}]} if falls_back else {}
    asks = {"question": "Deploy?", "choices": choices}
    a = {"id": "a", "tool": "ask", "args": asks, **more}
    b = {"id": "b", "tool": "shell", "when": "a.answer == 'Yes'", "args": {"command": "echo"}}
    known = {name: facts(tool) for name, tool in TOOLS.items()}

    problems = check(parse({"variables": {"x": "Yes"}, "steps": [a, b]}), known).problems

    assert (problems == []) == (falls_back or choices != ["yes", "no"])


@given(
    st.sampled_from(["success", "exit_code", "stdout", "left_running"]),
    st.one_of(st.booleans(), st.integers(-3, 3), st.sampled_from(["", "0", "1.0", "x", "true"])),
    st.booleans(),
)
def test_what_is_refused_holds_of_no_result_of_the_tool(field, wanted, as_expression):
    written = json.dumps(wanted)
    asked: Any = f"{field} == {written}" if as_expression else {"field_equals": {field: wanted}}
    results = [
        {"success": code == 0, "exit_code": code, "stdout": text, "left_running": left}
        for code in (*range(-3, 4), 0, 1)
        for text in ("", "0\n", "1.0", "1", "x", "true", "2", "3", "-1", "-2", "-3")
        for left in (True, False)
    ]
    held = {holds(Condition.model_validate(asked), each, lambda _, r=each: r) for each in results}

    assert (found("shell", asked).problems == []) == (True in held)


EXAMPLES: dict[str, list[Any]] = {
    "string": ["", "0\n", "1.0", "1.5", "-1\n", "hi", "hi\n", "hi\r\nx", "hi\nx\n", "true"],
    "integer": [-1, 0, 1],
    "number": [-1.0, 0, 1, 1.5],
    "boolean": [True, False],
    "array": [
        *([], [1.0], ["hi"], ["hi\n"], [1.5, "0", "1.5", "true", ""], [0, -1], [True, False]),
        *([[]], [["hi"]]),
    ],
    "object": [{}, {"hi": 1, "hi\n": 2, "hi\r\n": 3, "0": 4, "1.5": 5, "true": 6, "": 7}],
}
CONSTANTS = [True, False, 0, 1, 1.0, 1.5, -1, "", "0", "1.5", "hi", "hi\n", "hi\r\n", "true", []]
CONSTANTS += [["hi"]]
TYPED = {kind: (tool.name, n) for tool in TOOLS.values() for n, kind in tool.kinds.items()}
OPEN = {"result", "answer", "session_id", "web_url", "saved_workflow_name"}
FORMS: dict[str, Callable[[str, Any, str], Any]] = {
    "equals": lambda field, value, text: {"field_equals": {field: value}},
    "not": lambda field, value, text: {"not": {"field_equals": {field: value}}},
    "contains": lambda field, value, text: {"field_contains": {field: value}},
    "==": lambda field, value, text: f"{field} == {text}",
    "turned": lambda field, value, text: f"{text} == {field}",
    "is": lambda field, value, text: f"{field} is {text}",
    "in": lambda field, value, text: f"{field} in [{text}]",
}


@pytest.mark.parametrize("kind", TYPED)
@pytest.mark.parametrize("form", FORMS)
def test_a_comparison_with_a_constant_is_refused_or_may_hold(kind, form):
    tool, field = TYPED[kind]
    results = [{"success": True, field: value} for value in EXAMPLES[kind]]
    differ = []
    for value in CONSTANTS:
        asked = FORMS[form](field, value, json.dumps(value))
        model = Condition.model_validate(asked)
        may_hold = any(holds(model.not_ or model, r, lambda _, r=r: r) for r in results)
        if (of_conditions(tool, asked) == []) != may_hold:
            differ.append(asked)

    assert differ == []


def test_of_each_field_of_a_tool_of_ours_it_is_known_what_it_holds():
    ours = dict(builtin_tools())

    untyped = {n for tool in ours.values() for n in tool.results or () if n not in tool.kinds}
    assert untyped == OPEN


@pytest.mark.parametrize("text", ["hi", "hi\n", "hi\r\n\n"])
@pytest.mark.parametrize("wanted", ["hi", "hi\n", "ho\n", "hi\r\n"])
def test_a_text_is_compared_without_line_breaks_at_its_end_wherever_it_is_asked(text, wanted):
    result = {"success": True, "stdout": text, "result": [text]}
    words = json.dumps(wanted)
    forms = [
        {"field_equals": {"stdout": wanted}},
        {"field_contains": {"result": wanted}},
        f"stdout == {words}",
        f"{words} == stdout",
        f"not stdout != {words}",
        f"stdout is {words}",
        f"stdout in [{words}]",
        f"{words} in result",
        f"stdout >= {words} and stdout <= {words}",
    ]

    held = [holds(Condition.model_validate(each), result, lambda _: result) for each in forms]
    assert held == [wanted.strip() == "hi"] * len(forms)


@pytest.mark.parametrize(("tool", "condition"), ACCEPTED)
def test_what_may_hold_is_not_remarked_on(tool, condition):
    assert found(tool, condition) == ([], [])


def of_conditions(tool: str, condition: Any, **more: Any) -> list[Problem]:
    result = found(tool, condition, **more)
    return [each for each in (*result.problems, *result.warnings) if each.rule == "conditions"]


WITHOUT_TEXT = ["sleep", "wait_until", "run_workflow", "list_terminal_sessions"]


@pytest.mark.parametrize("tool", WITHOUT_TEXT)
@pytest.mark.parametrize("key", ["pattern_match", "pattern_not_match"])
def test_a_pattern_is_refused_where_a_success_has_no_text(tool, key):
    (problem,) = of_conditions(tool, {key: "x"})
    (within,) = of_conditions(tool, {"any": [{"success": False}, {"not": {key: "x"}}]})

    assert f"looks in the result of '{tool}', which has no text but a failure's error" in str(
        problem
    )
    assert "any.1.not" in str(within)


@pytest.mark.parametrize("tool", WITHOUT_TEXT)
@pytest.mark.parametrize("key", ["pattern_match", "pattern_not_match"])
def test_it_may_be_asked_of_failures_alone(tool, key):
    when = {key: "x"}
    first = {"condition": {"success": True}, "next_state": "b"}

    for condition in ({"success": False, **when}, {"timeout_occurred": True, "all": [when]}):
        assert of_conditions(tool, condition) == []
    for more in (
        {"retry": {"attempts": 2, "when": when}},
        {"on_error": [{"when": when, "result": {}}]},
        {"transitions": [first, {"condition": when, "next_state": "b"}]},
    ):
        assert of_conditions(tool, {"success": True}, **more) == []


def test_of_a_tool_that_says_nothing_of_its_results_only_what_is_no_result_is_a_warning():
    problems, (warning,) = found("opened", {"field_equals": {"amount": 1}})

    assert problems == []
    assert "a condition asks of its own action's result alone" in str(warning)


OTHER = [
    ({"retry": {"attempts": 1, "when": {"success": True}}}, "retry.when"),
    ({"retry": {"attempts": 1, "unless": {"all": [{"success": True}]}}}, "retry.unless.all.0"),
    ({"on_error": [{"when": {"success": True}, "result": {}}]}, "on_error.0.when"),
    ({"repeat": {"until": {"success": False}}}, "repeat.until"),
    ({"repeat": {"until": {"timeout_occurred": True}}}, "repeat.until"),
]


@pytest.mark.parametrize(("more", "place"), OTHER)
def test_what_asks_for_the_other_outcome_than_it_is_asked_of_cannot_hold(more, place):
    (problem,) = found("shell", {"success": True}, **more).problems

    assert problem.message.startswith(f"states.a.{place} is asked of a ")


@pytest.mark.parametrize(
    ("condition", "more", "place"),
    [
        ("success", {"repeat": {"until": {"pattern_match": "x"}}}, "repeat.until.pattern_match"),
        (
            "success",
            {"repeat": {"until": {"any": [{"pattern_match": "x"}]}}},
            "repeat.until.any.0.pattern_match",
        ),
        (
            {"all": [{"success": True}, {"pattern_match": "x"}]},
            {},
            "transitions.0.condition.all.1.pattern_match",
        ),
    ],
)
def test_a_pattern_in_a_success_without_text_cannot_be_found(condition, more, place):
    (problem,) = found("sleep", condition, **more).problems

    assert problem.path == f"states.a.{place}"


@pytest.mark.parametrize("next_tool", ["python", "shell"])
@pytest.mark.parametrize(
    ("asked", "known"), [("result.exit_code == 0", True), ("result.exit_cod == 0", False)]
)
def test_the_whole_result_is_named_whatever_other_actions_give(next_tool, asked, known):
    states = {
        "a": {
            "action": {"tool": "shell"},
            "transitions": [{"condition": asked, "next_state": "b"}],
        },
        "b": {"action": {"tool": next_tool}},
    }
    workflow = parse({"name": "x", "initial_state": "a", "states": states})
    found = check(workflow, {each: facts(tool) for each, tool in TOOLS.items()})

    assert (found.problems == []) == known


VARIETIES: list[dict[str, Any]] = [
    {},
    {"when": "amount > 1"},
    {"on_error": [{"result": {"rows": 0}}]},
    {"on_error": [{"when": "exit_code == 1", "tool": "ask"}, {"result": {"rows": 0}}]},
    {"on_error": [{"tool": "take"}], "when": "amount > 1"},
    {"on_error": [{"tool": "opened"}]},
    {"for_each": [1, 2]},
    {"for_each": [1, 2], "on_error": [{"result": {"rows": 0}}]},
]
NAMES = ["success", "error", "stdout", "left", "answer", "rows", "caught", "skipped", "results"]


@pytest.mark.parametrize("tool", ["shell", "take", "sleep", "opened"])
@pytest.mark.parametrize("more", VARIETIES)
@pytest.mark.parametrize("name", NAMES)
def test_a_transition_may_ask_for_what_the_next_state_may_name(tool, more, name):
    """What an action gives is one thing, whoever asks for it."""
    states = {
        "a": {
            "action": {"tool": tool},
            "transitions": [{"condition": {"success": True}, "next_state": "b"}],
            **more,
        },
        "b": {"action": {"tool": "shell", "params": {"command": f"{{a.{name}!q}}"}}},
    }
    workflow = {"name": "x", "initial_state": "a", "variables": {"amount": 1}, "states": states}
    known = {each: facts(tool) for each, tool in TOOLS.items()}
    may_name = not check(parse(workflow), known).problems

    assert (not found(tool, {"field_equals": {name: None}}, **more).problems) == may_name
    assert (not found(tool, f"{name} == null", **more).problems) == may_name


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("a.results", True),
        ("a.results.0", True),
        ("a.results.0.stdout", True),
        ("steps.a.results.3.exit_code", True),
        ("a.results.0.rows.x", True),
        ("a.results.0.caught", True),
        ("a.results.0.error", True),
        ("a.results.0.sdtout", False),
        ("steps.a.results.0.answer", False),
    ],
)
def test_what_an_item_gave_is_known_as_what_an_action_gave(name, known):
    a = {"id": "a", "tool": "shell", "for_each": [1], "on_error": [{"result": {"rows": {}}}]}
    b = {"id": "b", "tool": "shell", "args": {"command": f"echo {{{name}!q}}"}}
    c = {"id": "c", "tool": "shell", "when": re.sub(r"\.([0-9])", r"[\1]", name) + " == null"}
    facts_of = {each: facts(tool) for each, tool in TOOLS.items()}

    found = check(parse({"steps": [a, b, c]}), facts_of).problems
    assert (len(found) == 0) == known
    assert all("names no field of what an item of step 'a' gives" in str(each) for each in found)


@pytest.mark.parametrize("each", [{"for_each": [1]}, {}])
@pytest.mark.parametrize(
    ("name", "known"),
    [("c", True), ("b.c", False), ("b.results.0.c", False), ("steps.b.c", False)],
)
def test_what_a_pattern_captured_is_a_variable_and_no_field(name, known, each):
    b = {"id": "b", "tool": "shell", "capture": "(?P<c>[0-9])", **each}
    e = {"id": "e", "tool": "shell", "args": {"command": f"echo {{{name}!q}}"}}

    found = check(parse({"steps": [b, e]}), {n: facts(t) for n, t in TOOLS.items()}).problems

    assert (found == []) == known
    if not known and (each or ".results" not in name):
        assert "What a pattern captured is a variable: c" in str(found[0])


@pytest.mark.parametrize("says", [{"success": False}, {"timeout_occurred": True}])
def test_what_asks_for_the_outcome_that_it_is_asked_of_holds(says):
    assert found("shell", says, retry={"attempts": 1, "when": says}) == ([], [])


def test_conditions_of_retries_and_compensations_are_checked_too():
    retry = {"attempts": 1, "when": {"field_equals": {"nope": 1}}}
    more = {"retry": retry, "compensation": {"tool": "sleep", "retry": retry}}

    problems, _ = found("shell", {"success": True}, **more)

    assert sorted(problem.path for problem in problems) == [
        "states.a.compensation.retry.when.field_equals",
        "states.a.retry.when.field_equals",
    ]


def test_a_pattern_of_a_parameter_is_read_before_the_run():
    step = {"tool": "await_output", "args": {"session_id": "s", "pattern": "[unclosed"}}
    tool = TOOLS["await_output"]
    known = {"await_output": ToolFacts(parameters=tool.parameters, results=tool.results)}

    (problem,) = check(parse({"steps": [step]}), known).problems

    assert "steps.0.args.pattern is no regular expression" in str(problem)


def test_a_field_that_a_tool_fails_with_is_known_where_it_is_used():
    states = {
        "a": {
            "action": {"tool": "opened"},
            "transitions": [{"condition": {"success": False}, "next_state": "b"}],
        },
        "b": {
            "action": {
                "tool": "shell",
                "params": {"command": "echo {left!q} {a_left!q} {a.left!q}"},
            }
        },
    }
    workflow = parse({"name": "x", "initial_state": "a", "states": states})

    assert check(workflow, {name: facts(tool) for name, tool in TOOLS.items()}) == ([], [])


# conditions against a model

TEXTS = ("match_text", "screen_content", "stdout", "stderr", "output", "text", "error")
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-1, 2)
    | st.sampled_from(["", "a", "a\n", "b", "1", "ab\n\n"])
)
NESTED = (
    VALUES
    | st.lists(VALUES, max_size=2)
    | st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2)
)
FIELDS = st.sampled_from(["stdout", "result", "result.a", "result.0", "error", "none"])
RESULTS = st.fixed_dictionaries(
    {"success": st.booleans()},
    optional={
        "stdout": st.sampled_from(["", "a", "a\n", "b\n"]),
        "result": NESTED,
        "answer": VALUES,
        "text": st.sampled_from(["", "a\n"]),
        "error": st.sampled_from(["b", "no"]),
        "timeout_occurred": st.booleans(),
    },
)
PATTERNS = st.sampled_from(["a", "^a$", "b$", "[0-9]", "^$", "true"])
ATOMS = st.one_of(
    st.builds(lambda v: {"success": v}, st.booleans()),
    st.builds(lambda v: {"timeout_occurred": v}, st.booleans()),
    st.builds(lambda p: {"pattern_match": p}, PATTERNS),
    st.builds(lambda p: {"pattern_not_match": p}, PATTERNS),
    st.builds(lambda f, v: {"field_equals": {f: v}}, FIELDS, NESTED),
    st.builds(lambda f, v: {"field_contains": {f: v}}, FIELDS, VALUES),
)
CONDITIONS = st.recursive(
    st.lists(ATOMS, min_size=1, max_size=2).map(
        lambda parts: {k: v for p in parts for k, v in p.items()}
    ),
    lambda inner: st.one_of(
        st.builds(lambda parts: {"all": parts}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda parts: {"any": parts}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=4,
)


def model(condition: dict[str, Any], result: dict[str, Any]) -> bool:
    """What docs/workflows.md says of conditions, once more."""

    def texts() -> list[str]:
        whole = "\n".join(result[name] for name in TEXTS if result.get(name))
        said = [
            written(result[name]) for name in ("result", "answer") if result.get(name) is not None
        ]
        return [*([whole] if whole else []), *said] or [""]

    def written(value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, list | dict):
            return json.dumps(value, separators=(",", ":"))
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    def field(name: str) -> Any:
        value: Any = result
        for part in name.split("."):
            if isinstance(value, dict):
                value = value.get(part)
            elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            else:
                return None
        return value

    def alike(one: Any, other: Any) -> bool:
        if isinstance(one, list) and isinstance(other, list):
            return len(one) == len(other) and all(
                alike(*pair) for pair in zip(one, other, strict=True)
            )
        if isinstance(one, dict) and isinstance(other, dict):
            return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
        return isinstance(one, bool) == isinstance(other, bool) and one == other

    def contains(value: Any, wanted: Any) -> bool:
        if isinstance(value, str):
            numeric = isinstance(wanted, int) and not isinstance(wanted, bool)
            return (isinstance(wanted, str) or numeric) and str(wanted) in value
        if isinstance(value, dict):
            return isinstance(wanted, str) and wanted in value
        return isinstance(value, list) and any(alike(item, wanted) for item in value)

    def bare(value: Any) -> Any:
        return re.sub(r"(\r?\n)+\Z", "", value) if isinstance(value, str) else value

    def one(key: str, wanted: Any) -> bool:
        match key:
            case "success":
                done = result["success"] and not result.get("timeout_occurred")
                return bool(done) == wanted
            case "timeout_occurred":
                return bool(result.get("timeout_occurred")) == wanted
            case "pattern_match":
                return any(regex.search(wanted, text) for text in texts())
            case "pattern_not_match":
                return not any(regex.search(wanted, text) for text in texts())
            case "field_equals":
                return all(alike(bare(field(name)), bare(value)) for name, value in wanted.items())
            case "field_contains":
                return all(contains(field(name), value) for name, value in wanted.items())
            case "all":
                return all(model(part, result) for part in wanted)
            case "any":
                return any(model(part, result) for part in wanted)
        return not model(wanted, result)

    return all(one(key, wanted) for key, wanted in condition.items())


@given(condition=CONDITIONS, result=RESULTS)
def test_any_condition_holds_where_a_model_says_so(condition, result):
    assert holds(Condition(**condition), result) is model(condition, result)


@given(condition=ATOMS, result=RESULTS)
def test_what_is_refused_holds_of_no_result_that_the_tool_can_give(condition, result):
    only = {name: value for name, value in result.items() if name in (SLEEP.results or ())}
    if result["success"]:
        only.pop("error", None)

    problems, _ = found("sleep", {**condition, "success": True})

    if problems:
        wanted = {**condition.get("field_equals", {"none": 0})}
        # Nothing but a missing text is refused of patterns, and of that these two hold.
        of_nothing = "pattern_not_match" in condition or condition.get("pattern_match") == "^$"
        if None not in wanted.values() and not of_nothing:
            assert not holds(Condition(**{**condition, "success": True}), only)
