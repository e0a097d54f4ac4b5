"""What a condition says beside an arrow: the editor is held against the same table."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.workflows.definition.condition import Condition
from wfnb.workflows.views.run_words import condition

TABLE = json.loads((Path(__file__).parent / "conditions.json").read_text("utf-8"))


@pytest.mark.parametrize(("asked", "words"), TABLE)
def test_a_condition_is_said_in_plain_words(asked: object, words: str):
    assert condition(Condition.model_validate(asked)) == words


FACTS = ("success", "timeout", "a", "b")
KEYS = {"success": "success", "timeout_occurred": "timeout"}
ONE = st.fixed_dictionaries(
    {},
    optional={
        "success": st.booleans(),
        "timeout_occurred": st.booleans(),
        "pattern_match": st.sampled_from("ab"),
        "pattern_not_match": st.sampled_from("ab"),
        "expression": st.sampled_from(["a or b", "a and not b"]),
    },
).filter(bool)
ASKED = st.recursive(
    ONE,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "success": st.booleans(),
            "any": st.lists(inner, min_size=1, max_size=3),
            "all": st.lists(inner, min_size=1, max_size=3),
            "not": inner,
        },
    ).filter(bool),
    max_leaves=6,
)


def holds(asked: dict[str, object], facts: dict[str, bool]) -> bool:
    rules = {
        "pattern_match": lambda name: facts[name],
        "pattern_not_match": lambda name: not facts[name],
        "expression": lambda text: eval(text, dict(facts)),
        "any": lambda parts: any(holds(part, facts) for part in parts),
        "all": lambda parts: all(holds(part, facts) for part in parts),
        "not": lambda part: not holds(part, facts),
    }
    return all(
        rules[key](value) if key in rules else facts[KEYS[key]] == value
        for key, value in asked.items()
    )


@given(asked=ASKED)
def test_what_a_condition_says_holds_where_it_does(asked: dict[str, object]):
    said = condition(Condition.model_validate(asked)).replace("no ", "not ").replace("/", "")

    for number in range(2 ** len(FACTS)):
        facts = {name: bool(number >> place & 1) for place, name in enumerate(FACTS)}
        assert eval(said, dict(facts)) == holds(asked, facts)
