"""A kind of one's own is checked."""

from __future__ import annotations

from typing import Any

import pytest

from wfnb import errors
from wfnb.investigations.core.kind_reader import kind_from

OWN = {
    "name": "mine",
    "pauses": [{"status": "p"}],
    "complete": [{"status": "bad", "when": {"issues": ["high"]}}, {"status": "good"}],
    "completion": "c",
    "actions": [{"do": [{"do": "Look."}]}],
}
WRONG = {
    "a severity": (
        {"complete": [{"status": "x", "when": {"issues": ["hihg"]}}, {"status": "y"}]},
        "'hihg' is no severity; there are critical, high, medium, low",
    ),
    "left": (
        {"actions": [{"when": {"left": -1}, "do": [{"do": "x"}]}, {"do": [{"do": "y"}]}]},
        "left is a number of steps from 0",
    ),
    "evidence": ({"evidence": [["gti"]]}, "'gti' is no evidence"),
    "no evidence": ({"evidence": [[]]}, "a row of evidence is empty"),
    "one of the seven": ({"completion": "step_number"}, "'step_number' is a field that every"),
    "another field": ({"completion": "solved"}, "'solved' is a field that every answer has"),
    "its own sums": ({"completion": "mine_status"}, "'mine_status' is a field that every"),
    "a long whole": ({"completion": "x" * 41}, "is not up to 40 small letters"),
    "no status": ({"pauses": [{"status": ""}]}, "the status '' is not up to 80 letters"),
    "a status of two lines": ({"complete": [{"status": "a\nb"}]}, "the status 'a\\nb' is not"),
    "markup": ({"pauses": [{"status": "<b>on</b>"}]}, "the status '<b>on</b>' is not"),
    "no action": ({"actions": [{"do": [{"do": " "}]}]}, "an action is ' ', and no line of text"),
    "an open colon": (
        {"actions": [{"do": [{"do": "x", "by": ["git:"]}]}]},
        "'git:' says nothing after its colon",
    ),
    "an act with a name": (
        {"actions": [{"do": [{"do": "x", "by": ["test:unit"]}]}]},
        "'test:unit' is no evidence",
    ),
    "what JSON cannot hold": ({"completion": 1j}, "the file is"),
    "no patience": ({"confidence": {"patience": {"low": 0}}}, "patience with 'low' is 0"),
    "less patience": ({"confidence": {"patience": {"low": -1}}}, "patience with 'low' is -1"),
    "a field of two words": ({"fields": {"a b": {"says": "x"}}}, "the field 'a b' is not up to"),
    "models in text": (
        {"total": {"rule": "models", "count": "m"}, "fields": {"m": {"says": "x"}}},
        "a total of rule 'models' needs 'm' to be `holds: models`",
    ),
    "done in text": (
        {
            "total": {"rule": "files", "count": "n", "done": "d"},
            "fields": {"n": {"says": "x", "holds": "count"}, "d": {"says": "x"}},
        },
        "a total of rule 'files' needs 'd' to be `holds: count`",
    ),
    "no kind": ({"name": "none"}, "the name 'none' means no kind"),
}


@pytest.mark.parametrize(("change", "says"), WRONG.values(), ids=WRONG)
def test_a_kind_of_ones_own_is_checked(change: dict[str, Any], says: str):
    assert kind_from(OWN, "mine.yaml").complete[0].when.issues == ("high",)

    with pytest.raises(errors.KindBroken) as refused:
        kind_from({**OWN, **change}, "mine.yaml")

    assert says in str(refused.value)


def test_one_step_may_be_the_usual_number():
    assert kind_from({**OWN, "total": {"usual": 1, "least": 1}}, "mine.yaml").total.usual == 1
