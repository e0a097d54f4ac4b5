"""A kind of one's own is checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wfnb import errors
from wfnb.investigations.core.kind_reader import kind_from, recorded_kind, to_data

OWN = {
    "name": "mine",
    "pauses": [{"status": "p"}],
    "complete": [{"status": "bad", "when": {"issues": ["high"]}}, {"status": "good"}],
    "completion": "c",
    "actions": [{"do": [{"do": "Look."}]}],
}
WAYS = "cell, tool, file, git, code, adviser, run, test, check, search, versions"
NONE_OF_EVIDENCE = f"is no evidence; there are {WAYS}"
EVERY_ANSWER = "is a field that every answer has"
LETTERS_80 = "is not up to 80 letters, digits, spaces or _.,-"
COUNTED = {"n": {"says": "x", "holds": "count"}, "d": {"says": "x"}}
SOME = {"f": {"says": "x", "choices": ["a", "b"]}}


def acting(*by: str, **action: Any) -> dict[str, Any]:
    return {"actions": [{"do": [{"do": "x", "by": list(by), **action}]}]}


def when(**condition: Any) -> dict[str, Any]:
    """Another kind where a status has this condition."""
    return {"complete": [{"status": "x", "when": condition}, {"status": "y"}]}


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a severity": (
        when(issues=["high", "hihg"]),
        "'hihg' is no severity; there are critical, high, medium, low",
    ),
    "left": (
        {"actions": [{"when": {"left": -1}, "do": [{"do": "x"}]}, {"do": [{"do": "y"}]}]},
        "left is a number of steps from 0",
    ),
    "steps that end before they begin": (when(steps=[3, 2]), "steps 3 to 2 are none"),
    "steps from none": (when(steps=[0, None]), "steps 0 to None are none"),
    "a condition on no level": (
        when(confidence=["sure"]),
        "confidence 'sure' is none of its levels",
    ),
    "a condition on no field": (
        when(fields={"g": "a"}),
        "g='a' is no field with that choice",
    ),
    "a condition on no choice": (
        {**when(fields={"f": "c"}), "fields": SOME},
        "f='c' is no field with that choice",
    ),
    "a reviewer's condition": (
        {"reviewer": {"skip": [{"left": -2}]}},
        "left is a number of steps from 0",
    ),
    "a total's condition": (
        {"total": {"when": {"steps": [2, 1]}}},
        "steps 2 to 1 are none",
    ),
    "evidence": ({"evidence": [["git"], ["gti"]]}, f"'gti' {NONE_OF_EVIDENCE}"),
    "no evidence": ({"evidence": [[]]}, "a row of evidence is empty"),
    "a need": ({"needs": ["relevant_files", "x"]}, "the first step needs 'x', which is no field"),
    "one of the seven": ({"completion": "step_number"}, f"completion 'step_number' {EVERY_ANSWER}"),
    "another field": ({"completion": "solved"}, f"completion 'solved' {EVERY_ANSWER}"),
    "its own sums": ({"completion": "mine_status"}, f"completion 'mine_status' {EVERY_ANSWER}"),
    "what it requires": (
        {"completion": "mine_required"},
        f"completion 'mine_required' {EVERY_ANSWER}",
    ),
    "a long whole": (
        {"completion": "x" * 61},
        f"completion '{'x' * 60}' is not up to 40 small letters, digits or _",
    ),
    "a long name": (
        {"name": "x" * 61},
        f"the name '{'x' * 60}' is not up to 40 small letters, digits or _",
    ),
    "no kind": ({"name": "none"}, "the name 'none' means no kind"),
    "no status": ({"pauses": [{"status": ""}]}, f"the status '' {LETTERS_80}"),
    "a status of two lines": (
        {"complete": [{"status": "a\nb"}]},
        f"the status 'a\\nb' {LETTERS_80}",
    ),
    "a long status": ({"pauses": [{"status": "x" * 81}]}, f"the status '{'x' * 60}' {LETTERS_80}"),
    "markup": ({"pauses": [{"status": "<b>on</b>"}]}, f"the status '<b>on</b>' {LETTERS_80}"),
    "no pauses": ({"pauses": []}, "pauses is empty"),
    "nothing complete": ({"complete": []}, "complete is empty"),
    "no actions": ({"actions": []}, "actions is empty"),
    "a last rule that holds sometimes": (
        {"complete": [{"status": "x", "when": {"left": 1}}]},
        "the last of complete holds only sometimes: leave out its `when`",
    ),
    "nothing to do": ({"actions": [{"do": []}]}, "a rule asks for nothing"),
    "no action": (
        {"actions": [{"do": [{"do": " "}]}]},
        "an action is ' ', and no line of text",
    ),
    "a long action": (
        {"actions": [{"do": [{"do": "x" * 60 + "\n"}]}]},
        f"an action is '{'x' * 60}', and no line of text",
    ),
    "an open colon": (acting("git", "git:"), "'git:' says nothing after its colon"),
    "an act with a name": (acting("test:unit"), f"'test:unit' {NONE_OF_EVIDENCE}"),
    "no way to act": (acting("tset"), f"'tset' {NONE_OF_EVIDENCE}"),
    "what JSON cannot hold": (
        {"completion": 1j},
        "the file is '1j'. It needs a value that JSON can hold, at most 20 levels deep",
    ),
    "levels twice": (
        {"confidence": {"levels": ["low", "certain", "low"]}},
        "confidence needs two levels or more, each once",
    ),
    "one level": (
        {"confidence": {"levels": ["certain"]}},
        "confidence needs two levels or more, each once",
    ),
    "a default of no level": (
        {"confidence": {"levels": ["low", "certain"], "default": "high"}},
        "confidence 'high' is none of its levels",
    ),
    "sure from the start": (
        {"confidence": {"default": "certain"}},
        "confidence begins at 'certain', so nothing would have to be shown",
    ),
    "patience with no level": (
        {"confidence": {"patience": {"hgih": 2}}},
        "confidence 'hgih' is none of its levels",
    ),
    "no patience": (
        {"confidence": {"patience": {"low": 0}}},
        "patience with 'low' is 0: it is a number from 1",
    ),
    "less patience": (
        {"confidence": {"patience": {"low": -1}}},
        "patience with 'low' is -1: it is a number from 1",
    ),
    "a field of two words": (
        {"fields": {"a b": {"says": "x"}}},
        "the field 'a b' is not up to 40 letters, digits or _",
    ),
    "a long field": (
        {"fields": {"x" * 61: {"says": "x"}}},
        f"the field '{'x' * 60}' is not up to 40 letters, digits or _",
    ),
    "a default of no choice": (
        {"fields": {"f": {"says": "x", "choices": ["a"], "default": "b"}}},
        "the default of 'f' is none of its choices",
    ),
    "models without a count": (
        {"total": {"rule": "models"}},
        "a total of rule 'models' needs the field that holds the count, no other does",
    ),
    "a count of no rule": (
        {"total": {"count": "f"}, "fields": SOME},
        "a total of rule 'estimate' needs the field that holds the count, no other does",
    ),
    "models in text": (
        {"total": {"rule": "models", "count": "m"}, "fields": {"m": {"says": "x"}}},
        "a total of rule 'models' needs 'm' to be `holds: models`",
    ),
    "files without those done": (
        {"total": {"rule": "files", "count": "n"}, "fields": COUNTED},
        "a total of rule 'files' needs the field that holds how many are done",
    ),
    "done in text": (
        {"total": {"rule": "files", "count": "n", "done": "d"}, "fields": COUNTED},
        "a total of rule 'files' needs 'd' to be `holds: count`",
    ),
    "a total of no steps": ({"total": {"usual": 0}}, "a total is from 1 to 1,000 steps"),
    "too many steps": ({"total": {"usual": 1001}}, "a total is from 1 to 1,000 steps"),
    "a least of no steps": ({"total": {"least": 0}}, "a total is from 1 to 1,000 steps"),
    "too many at least": ({"total": {"least": 1001}}, "a total is from 1 to 1,000 steps"),
}


@pytest.mark.parametrize(("change", "says"), WRONG.values(), ids=WRONG)
def test_a_kind_of_ones_own_is_checked(change: dict[str, Any], says: str):
    assert kind_from(OWN, "mine.yaml").complete[0].when.issues == ("high",)

    with pytest.raises(errors.KindBroken) as refused:
        kind_from({**OWN, **change}, "mine.yaml")

    assert (refused.value.where, refused.value.what) == ("mine.yaml", says)


RIGHT: dict[str, dict[str, Any]] = {
    "one step": {"total": {"usual": 1, "least": 1}},
    "a thousand": {"total": {"usual": 1000, "least": 1000}},
    "nothing left": {
        "actions": [{"when": {"left": 0}, "do": [{"do": "x"}]}, {"do": [{"do": "y"}]}]
    },
    "one step alone": when(steps=[2, 2]),
    "from a step on": when(steps=[1, None]),
    "a choice": {**when(fields={"f": "b"}), "fields": SOME},
    "any value of a field": {**when(fields={"n": "3"}), "fields": COUNTED},
    "ways to act": acting("git", "run", "file:a.py", "code:outline"),
    "patience": {"confidence": {"patience": {"low": 1}}},
    "a default among its choices": {"fields": {"f": {**SOME["f"], "default": "a"}}},
    "files": {
        "total": {"rule": "files", "count": "n", "done": "n"},
        "fields": COUNTED,
        "needs": ["n", "relevant_files"],
    },
    "names of 40": {"name": "x" * 40, "completion": "y" * 40, "fields": {"z" * 40: {"says": "x"}}},
    "a status of 80": {"pauses": [{"status": "x" * 80}]},
}


@pytest.mark.parametrize("what", RIGHT)
def test_a_kind_that_can_be_followed_is_the_same_once_it_was_recorded(what):
    kind = kind_from({**OWN, **RIGHT[what]}, "mine.yaml")

    recorded = to_data(kind)

    assert json.loads(json.dumps(recorded)) == recorded
    assert kind_from(recorded, "mine.yaml") == kind
    assert recorded_kind(recorded) == kind
    assert recorded_kind({**recorded, "of_another_version": 1}) == kind
