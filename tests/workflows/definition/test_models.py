"""The parts of a definition answer questions about themselves."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from wfnb.workflows.definition.models import ABSENT, Retry, State, Step, Waiting
from wfnb.workflows.definition.reader import parse

from .documents import RETRIES

BOUNDS = [
    ({}, [(0, 0), (0, 0), (0, 0)]),
    ({"wait": 2}, [(2, 2), (2, 2), (2, 2)]),
    ({"wait": 2, "backoff": "linear"}, [(2, 2), (4, 4), (6, 6)]),
    ({"wait": 2, "backoff": "exponential"}, [(2, 2), (4, 4), (8, 8)]),
    ({"wait": 1, "backoff": "exponential", "factor": 10}, [(1, 1), (10, 10), (100, 100)]),
    ({"wait": 2, "jitter": 3}, [(2, 5), (2, 5), (2, 5)]),
    ({"wait": 2, "jitter": [1, 3], "backoff": "linear"}, [(3, 5), (5, 7), (7, 9)]),
    ({"wait": 2, "jitter": 3, "max_wait": 4, "backoff": "linear"}, [(2, 4), (4, 4), (4, 4)]),
    ({"wait": 200, "backoff": "exponential"}, [(200, 200), (300, 300), (300, 300)]),
    ({"wait": 600, "jitter": 5}, [(600, 605), (600, 605), (600, 605)]),
]


@pytest.mark.parametrize(("rules", "waits"), BOUNDS)
def test_the_wait_grows_as_the_rules_say_and_not_past_the_longest(rules, waits):
    retry = Retry.model_validate({"attempts": 9} | rules)

    assert [retry.bounds(attempt) for attempt in (1, 2, 3)] == waits


@given(RETRIES.filter(lambda rules: isinstance(rules, dict)), st.integers(1, 10_000))
@example({}, 10_000)
@example({"wait": 1, "backoff": "exponential"}, 10_000)
@example({"backoff": "exponential", "factor": 10}, 10_000)
def test_a_wait_is_never_negative_nor_longer_than_the_longest(rules, attempt):
    """As often as `repeat` lets it be done."""
    try:
        waiting = Waiting.model_validate(
            {k: v for k, v in rules.items() if k in Waiting.model_fields}
        )
    except ValidationError:
        return

    low, high = waiting.bounds(attempt)

    assert 0 <= low <= high <= waiting.longest_wait


def test_actions_are_states_by_name_or_steps_by_id_in_order():
    states = {name: {"action": {"tool": name, "params": {"n": 1}}} for name in "cab"}
    one = parse({"name": "w", "initial_state": "a", "states": states})
    other = parse({"steps": [{"tool": "x"}, {"tool": "y", "id": "mine"}, {"tool": "z"}]})

    assert one.form == "states"
    assert [(name, work.tool, work.params) for name, work in one.actions.items()] == [
        ("c", "c", {"n": 1}),
        ("a", "a", {"n": 1}),
        ("b", "b", {"n": 1}),
    ]
    assert all(isinstance(work, State) for work in one.actions.values())
    assert other.form == "steps"
    assert [(name, work.tool, work.params) for name, work in other.actions.items()] == [
        ("step_1", "x", {}),
        ("mine", "y", {}),
        ("step_3", "z", {}),
    ]
    assert [step.id for step in other.steps if isinstance(step, Step)] == list(other.actions)


def steps(mode, *needs):
    data = [
        {"id": name, "tool": "x", "needs": list(need)}
        for name, need in zip("abc", needs, strict=True)
    ]
    return parse({"steps": data} | ({"mode": mode} if mode else {}))


NEEDS = [
    (None, ("", "", ""), True, {"a": (), "b": ("a",), "c": ("b",)}),
    (None, ("", "", "a"), False, {"a": (), "b": (), "c": ("a",)}),
    ("sequence", ("", "", "a"), True, {"a": (), "b": ("a",), "c": ("a", "b")}),
    ("sequence", ("", "a", "b"), True, {"a": (), "b": ("a",), "c": ("b",)}),
    ("parallel", ("", "", ""), False, {"a": (), "b": (), "c": ()}),
]


@pytest.mark.parametrize(("mode", "needs", "in_sequence", "waits"), NEEDS)
def test_in_sequence_a_step_waits_for_the_one_before_it_else_for_what_it_needs(
    mode, needs, in_sequence, waits
):
    workflow = steps(mode, *needs)

    assert workflow.in_sequence is in_sequence
    assert workflow.needs == waits


def test_a_variable_is_a_default_or_a_mapping_that_says_what_it_is():
    data = {"a": 1, "b": None, "c": [1], "d": {}, "e": {"default": None}, "f": {"type": "string"}}
    variables = parse({"variables": data, "steps": [{"tool": "x"}]}).variables

    assert {name: v.default for name, v in variables.items()} == {
        "a": 1,
        "b": None,
        "c": [1],
        "d": ABSENT,
        "e": None,
        "f": ABSENT,
    }
    assert [name for name, v in variables.items() if v.is_required] == ["d", "f"]


def test_a_definition_cannot_be_changed():
    workflow = parse({"steps": [{"tool": "x"}]})

    with pytest.raises(ValidationError, match="frozen"):
        workflow.name = "other"
