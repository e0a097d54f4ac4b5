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


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("a:maybe", errors.BadValue),
        (["a", "a:neutral"], errors.ModelTwice),
        ([{"stance": "for"}], errors.Refused),
        ("a b\nc", errors.Refused),
        ([1], errors.Refused),
    ],
)
def test_models_that_cannot_be_meant_are_refused(value, error):
    with pytest.raises(error):
        models(value)


def test_the_longest_that_is_kept():
    said = findings({"finding": "x" * 50_000, "hypothesis": "y" * 10_000, "files": ["a"] * 1_000})

    assert said is not None
    assert (len(said.findings[0]), len(said.hypothesis or ""), said.files) == (
        50_000,
        10_000,
        ("a",),
    )
