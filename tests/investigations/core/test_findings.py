"""What a step found, read from loose values."""

import pytest

from wfnb import errors
from wfnb.core.findings import SEVERITIES, Findings, Issue
from wfnb.investigations.core.finding_parser import STANCES, findings, models


def test_a_string_where_a_list_is_meant_is_a_list_of_one():
    said = findings({"finding": "a", "files": "a.py", "relevant": "b.py", "context": "f"})

    assert said == Findings(findings=("a",), files=("a.py",), relevant=("b.py",), context=("f",))


@pytest.mark.parametrize("loose", [{}, {"finding": None, "files": (), "issues": []}])
def test_nothing_said_is_nothing_found(loose):
    assert findings(loose) is None


def test_names_are_kept_once_in_their_order():
    assert findings({"files": ["b", "a", "b"]}) == Findings(files=("b", "a"))


@pytest.mark.parametrize("severity", SEVERITIES)
def test_an_issue_has_its_severity_in_three_forms(severity: str):
    forms = [f"{severity}: no check", {"severity": severity, "description": "no check"}]
    issue = Issue(severity=severity, text="no check")

    assert findings({"issues": [*forms, issue]}) == Findings(issues=(issue,) * 3)


@pytest.mark.parametrize("stance", STANCES)
def test_a_model_has_its_stance_in_two_forms(stance: str):
    assert models([f"a:{stance}", {"model": "b", "stance": stance}]) == (
        ("a", stance),
        ("b", stance),
    )


def test_the_same_model_may_be_asked_with_another_stance():
    assert models(["a:for", "a:against"]) == (("a", "for"), ("a", "against"))


REFUSED = [
    ({"issues": "huge: it burns"}, errors.BadValue, "issue severity is 'huge'. It needs one of "),
    ({"issues": "it burns"}, errors.BadValue, "issue"),
    ({"issues": "low:"}, errors.Refused, "issue"),
    ({"finding": "x" * 50_001}, errors.BadText, "finding"),
    ({"finding": [" "]}, errors.Refused, "finding"),
    ({"hypothesis": "x" * 10_001}, errors.BadText, "hypothesis"),
    ({"files": ["a"] * 1_001}, errors.BadText, "files has 1,001 entries; 1,000 are kept at most"),
    ({"files": "a\nb"}, errors.BadValue, "files"),
    ({"context": 3}, errors.Refused, "context"),
    ({"confidence": ["low"]}, errors.Refused, "confidence"),
]


@pytest.mark.parametrize(("loose", "error", "says"), REFUSED)
def test_what_cannot_be_meant_is_refused_by_name(loose, error, says):
    with pytest.raises(error) as refused:
        findings(loose)

    assert says in str(refused.value)


STANCED = {
    "a, b:for ,, c : AGAINST ": (("a", "neutral"), ("b", "for"), ("c", "against")),
    "a:": (("a", "neutral"),),
    "a:for:": None,
    "one model": (("one model", "neutral"),),
    ",": ((",", "neutral"),),
}


@pytest.mark.parametrize(("value", "expected"), STANCED.items())
def test_models_in_one_text_are_separated_by_commas(value: str, expected):
    if expected is None:
        with pytest.raises(errors.BadValue, match=r"^stance is 'for:'"):
            models(value)
    else:
        assert models(value) == expected


@pytest.mark.parametrize("stance", [{}, {"stance": None}, {"stance": ""}, {"stance": " Neutral "}])
def test_a_model_of_which_no_stance_is_said_is_neutral(stance):
    assert models({"model": "a"} | stance) == (("a", "neutral"),)


MAX_MODEL = "m" * 80
KEYS = "model and stance alone: a model is told its stance, and the proposal"
STANCE = "one of for, against, neutral"
WRONG_MODELS = [
    ("a:maybe", errors.BadValue("stance", "maybe", STANCE)),
    ([{"model": "a", "stance": "x" * 70}], errors.BadValue("stance", "x" * 60, STANCE)),
    ([{"model": "a", "stance": 7}], errors.BadValue("stance", "7", STANCE)),
    ([{"model": "a", "why": "x"}], errors.BadValue("models", "why", KEYS)),
    ([{"model": "a", "k" * 70: "x"}], errors.BadValue("models", "k" * 60, KEYS)),
    ([{"model": "a", 3: "x"}], errors.BadValue("models", "3", KEYS)),
    (["a", "a:neutral"], errors.ModelTwice("a", "neutral")),
    (["b", "a:for", "a:for"], errors.ModelTwice("a", "for")),
]


@pytest.mark.parametrize(("value", "refusal"), WRONG_MODELS)
def test_models_that_cannot_be_meant_are_refused(value, refusal):
    with pytest.raises(type(refusal)) as refused:
        models(value)

    assert str(refused.value) == str(refusal)


UNNAMED = [
    ([{"stance": "for"}], "model"),
    ("a b\nc", "model"),
    (f"{MAX_MODEL}m", "model"),
    ([1], "models"),
]


@pytest.mark.parametrize(("value", "field"), UNNAMED)
def test_a_model_without_a_name_is_refused_by_the_field(value, field):
    with pytest.raises(errors.Refused, match=rf"^(A |The )?{field}\b"):
        models(value)


def test_the_longest_name_of_a_model_is_kept():
    assert models(MAX_MODEL) == ((MAX_MODEL, "neutral"),)


def test_the_longest_that_is_kept():
    said = findings({"finding": "x" * 50_000, "hypothesis": "y" * 10_000, "files": ["a"] * 1_000})

    assert said is not None
    assert (len(said.findings[0]), len(said.hypothesis or ""), said.files) == (
        50_000,
        10_000,
        ("a",),
    )
