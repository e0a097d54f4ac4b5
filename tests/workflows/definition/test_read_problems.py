"""What is wrong with a definition is said in lines, all of it at once, each with its place."""

from collections import Counter

import pytest

from wfnb.workflows.definition.json_limits import MAX_LENGTH

from .reading import A, condition, flow, needing, refused, retry, state, step

PROBLEMS = [
    ([], "", "type", "A workflow is a mapping that has `states` or `steps`; this is a list"),
    (None, "", "type", "A workflow is a mapping that has `states` or `steps`; this is null"),
    ("x", "", "type", "A workflow is a mapping that has `states` or `steps`; this is 'x'"),
    ({}, "", "oneOf", "The workflow has neither `states` nor `steps`; it needs one of them"),
    (flow(steps=[]), "", "oneOf", "The workflow has both `states` and `steps`; it needs one"),
    ({"steps": []}, "steps", "minItems", "steps has 0 entries; it needs at least 1"),
    (
        {"steps": [{"tool": "x"}] * 5001},
        "steps",
        "maxItems",
        "steps has 5,001 entries; it may have 5,000 at most",
    ),
    (flow(states={}), "states", "minProperties", "states has 0 entries; it needs at least 1"),
    (
        flow(states={"a": A} | {f"s{n}": A for n in range(100)}),
        "states",
        "maxProperties",
        "states has 101 entries; it may have 100 at most",
    ),
    (
        {"initial_state": "a", "states": {"a": A}},
        "name",
        "required",
        "The workflow has no 'name', which it needs",
    ),
    (flow(name="9a"), "name", "pattern", "name is '9a'; a name has up to 64 letters, digits, "),
    (flow(name="a" * 65), "name", "maxLength", "name has 65 characters; it may have 64 at most"),
    (
        flow(description="d" * 501),
        "description",
        "maxLength",
        "description has 501 characters; it may have 500 at most",
    ),
    (
        flow(states={"a": A, "b c": A}),
        "states.b c",
        "pattern",
        "states has the name 'b c'; a name has letters, digits and _, beginning with a letter or",
    ),
    (flow(max_states=0), "max_states", "minimum", "max_states is 0; it has to be at least 1"),
    (flow(max_states=1001), "max_states", "maximum", "max_states is 1001; it can be at most 1000"),
    (flow(max_states="5"), "max_states", "type", "max_states is '5'; it needs a whole number"),
    (flow(max_states=2.5), "max_states", "type", "max_states is 2.5; it needs a whole number"),
    (flow(timeout=7201), "timeout", "maximum", "timeout is 7201; it can be at most 7200"),
    (flow(timeout=0.5), "timeout", "minimum", "timeout is 0.5; it has to be at least 1"),
    (flow(rollback="yes"), "rollback", "type", "rollback is 'yes'; it needs true or false"),
    (flow(version=None), "version", "type", "version is null; it needs text, or to be left out"),
    *(
        (
            step(on_error=[{"result": said}]),
            "steps.0.on_error.0",
            "needs",
            "steps.0.on_error.0 does not read; with its result the action has succeeded: leave out",
        )
        for said in ({"success": False}, {"caught": "no"}, {"timeout_occurred": True})
    ),
    (
        flow(max_state=3),
        "max_state",
        "additionalProperties",
        "The workflow has no key 'max_state'. Did you mean 'max_states'?",
    ),
    (
        flow(zzzzzzzz=3),
        "zzzzzzzz",
        "additionalProperties",
        "The workflow has no key 'zzzzzzzz'. Keys: name, description, version, variables, ",
    ),
    (
        flow(variables={"n": {"default": 1, "typ": "integer"}}),
        "variables.n.typ",
        "additionalProperties",
        "variables.n has no key 'typ'. Did you mean 'type'?",
    ),
    (
        flow(variables={"n": {"type": "int"}}),
        "variables.n.type",
        "enum",
        "variables.n.type is 'int'; it can be 'string', 'number', 'integer', 'boolean', 'array' or",
    ),
    (state(timeout=0.05), "states.a.timeout", "minimum", "states.a.timeout is 0.05; it has to be"),
    (state(timeout=301), "states.a.timeout", "maximum", "states.a.timeout is 301; it can be at"),
    (state(timeout=None), "states.a.timeout", "type", "states.a.timeout is null; it needs a num"),
    (state(action={}), "states.a.action.tool", "required", "states.a.action has no 'tool', which"),
    (
        state(action={"tool": "x", "params": {}, "args": {}}),
        "states.a.action.args",
        "additionalProperties",
        "states.a.action has no key 'args' beside 'params', which is another name for it",
    ),
    (
        state(action={"tool": "a b"}),
        "states.a.action.tool",
        "pattern",
        "states.a.action.tool is 'a",
    ),
    (
        state(transitions=[{"condition": {"success": True}, "next_state": "a"}] * 21),
        "states.a.transitions",
        "maxItems",
        "states.a.transitions has 21 entries; it may have 20 at most",
    ),
    (
        condition(succes=True),
        "states.a.transitions.0.condition.succes",
        "additionalProperties",
        "states.a.transitions.0.condition has no key 'succes'. Did you mean 'success'?",
    ),
    (
        condition(),
        "states.a.transitions.0.condition",
        "minProperties",
        "states.a.transitions.0.condition does not read; a condition needs at least one key",
    ),
    (
        condition(any=[{"not": {"pattern_match": "("}}]),
        "states.a.transitions.0.condition.any.0.not.pattern_match",
        "format",
        "states.a.transitions.0.condition.any.0.not.pattern_match does not read; missing ) at",
    ),
    (
        condition(pattern_match="a{1000000000}"),
        "states.a.transitions.0.condition.pattern_match",
        "format",
        "states.a.transitions.0.condition.pattern_match does not read; its repetitions make more",
    ),
    (
        condition(not_={}),
        "states.a.transitions.0.condition.not_",
        "additionalProperties",
        "states.a.transitions.0.condition has no key 'not_'. Did you mean 'not'?",
    ),
    (step(timeout=7201), "steps.0.timeout", "maximum", "steps.0.timeout is 7201; it can be at"),
    (step(tool=3), "steps.0.tool", "type", "steps.0.tool is 3; it needs text"),
    (step(args=[]), "steps.0.args", "type", "steps.0.args is a list; it needs a mapping"),
    (step(id="1"), "steps.0.id", "pattern", "steps.0.id is '1'; a name has letters, digits, _ and"),
    (step(needs="a"), "steps.0.needs", "type", "steps.0.needs is 'a'; it needs a list"),
    (step(on_failure="go"), "steps.0.on_failure", "enum", "steps.0.on_failure is 'go'; it can be"),
    (step(capture="a+"), "steps.0.capture", "format", "steps.0.capture does not read; the pattern"),
    (step(capture=3), "steps.0.capture", "type", "steps.0.capture is 3; it needs a regular expr"),
    (step(retry="3"), "steps.0.retry", "type", "steps.0.retry is '3'; it needs a number of att"),
    (step(retry=101), "steps.0.retry.attempts", "maximum", "steps.0.retry.attempts is 101; it can"),
    (step(retry={}), "steps.0.retry.attempts", "required", "steps.0.retry has no 'attempts'"),
    (retry(factor=11), "steps.0.retry.factor", "maximum", "steps.0.retry.factor is 11; it can be"),
    (retry(backoff="x"), "steps.0.retry.backoff", "enum", "steps.0.retry.backoff is 'x'; it can"),
    (retry(jitter=[1]), "steps.0.retry.jitter.1", "required", "steps.0.retry.jitter.1 is missing"),
    (retry(jitter=[2, 1]), "steps.0.retry", "order", "steps.0.retry does not read; jitter goes"),
    (retry(wait=9, max_wait=1), "steps.0.retry", "order", "steps.0.retry does not read; max_wait"),
    (flow(initial_state="zz"), "initial_state", "states", "Initial state 'zz' not found in states"),
    (
        state(transitions=[{"condition": {"success": True}, "next_state": "q"}]),
        "states.a.transitions.0.next_state",
        "states",
        "State 'a' references non-existent state 'q'",
    ),
    (state(on_timeout="q"), "states.a.on_timeout", "states", "State 'a' timeout target 'q' not"),
    (
        needing(build="", test=["buidl"]),
        "steps.1.needs.0",
        "needs",
        "Step 'test' needs 'buidl', which is no step. Did you mean 'build'?",
    ),
    (needing(a="z"), "steps.0.needs.0", "needs", "Step 'a' needs 'z', which is no step. Steps: a"),
    (needing(a="a"), "steps", "cycle", "Steps need each other in a circle: a → a"),
    (
        needing(a="c", b="a", c="b", d="a", e=""),
        "steps",
        "cycle",
        "Steps need each other in a circle: a → c → b → a",
    ),
    (
        needing(a="b", b="") | {"mode": "sequence"},
        "steps.0.needs.0",
        "cycle",
        "Step 'a' needs 'b', which does not come before it in sequence",
    ),
    (
        {"steps": [{"tool": "x", "id": "step_2"}, {"tool": "x"}]},
        "steps.1.id",
        "ids",
        "Step id 'step_2' is used twice: by steps 1 and 2. A step without an id has that of its",
    ),
    (
        step(args={"a": [float("nan")]}),
        "steps.0.args.a.0",
        "type",
        "steps.0.args.a.0 is nan, which is no number in JSON",
    ),
    (step(args={"a": {1}}), "steps.0.args.a", "type", "steps.0.args.a is a set, which JSON cannot"),
    (step(args={3: 1}), "steps.0.args", "type", "steps.0.args has the key 3, which is no text"),
    (step(args={"a": "\ud800"}), "steps.0.args.a", "type", "steps.0.args.a holds half a character"),
    (step(args={"a": 10**400}), "steps.0.args.a", "type", "steps.0.args.a is a number that JSON"),
    (step(args={"\ud800": 1}), "steps.0.args", "type", "steps.0.args has a key with half a char"),
    (
        step(args={"a": "x" * MAX_LENGTH}),
        "",
        "size",
        "The definition is too large: 4,000,000 characters are read at most",
    ),
]


@pytest.mark.parametrize(("data", "path", "rule", "line"), PROBLEMS)
def test_what_is_wrong_is_said_with_its_path_and_rule(data, path, rule, line):
    (problem,) = refused(data).problems

    assert (problem.path, problem.rule) == (path, rule)
    assert problem.message.startswith(line)
    assert problem.message.isprintable()


def test_one_problem_is_a_sentence():
    assert str(refused(flow(initial_state="zz"))) == "Initial state 'zz' not found in states."
    assert str(refused(flow(max_state=3))).endswith("Did you mean 'max_states'?")


def test_all_problems_are_said_at_once_whatever_kind_they_are_of():
    error = refused(
        {
            "initial_state": "zz",
            "states": {
                "a": {
                    "action": {"tol": "shell"},
                    "transitions": [{"condition": {"pattern_match": "("}, "next_state": "q"}],
                    "on_timeout": "b",
                }
            },
        }
    )

    assert str(error).splitlines() == [
        "The workflow has 7 problems:",
        "- The workflow has no 'name', which it needs",
        "- states.a.action has no 'tool', which it needs",
        "- states.a.action has no key 'tol'. Did you mean 'tool'?",
        "- states.a.transitions.0.condition.pattern_match does not read; missing ) at position 1",
        "- Initial state 'zz' not found in states",
        "- State 'a' references non-existent state 'q'",
        "- State 'a' timeout target 'b' not found",
    ]


def test_twenty_problems_are_shown_and_the_others_counted():
    error = refused({"steps": [{}] * 70})

    lines = str(error).splitlines()
    assert lines[0] == "The workflow has 70 problems:"
    assert lines[20] == "- steps.19 has no 'tool', which it needs"
    assert lines[21:] == ["- … and 50 more"]


def test_a_place_with_a_wrong_name_is_said_to_be_wrong_once():
    paths = Counter(problem.path for problem in refused(flow(initial_state="b c")).problems)

    assert paths == {"initial_state": 1}


def test_side_by_side_is_a_mode():
    assert str(refused({**step(), "parallel": True})) == (
        "The workflow has no key 'parallel'. Did you mean 'mode: parallel'?"
    )
