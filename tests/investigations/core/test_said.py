"""What a caller says that was found, as it is read or refused, and how its words are counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import investigating
from wfnb.core.commands import AddStep
from wfnb.core.findings import Findings
from wfnb.errors import BadText, BadValue
from wfnb.investigations.core.finding_parser import (
    MAX_ENTRIES,
    MAX_FINDINGS,
    MAX_HYPOTHESIS,
    MAX_NAME,
    findings,
)
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.missing_evidence import missing_evidence
from wfnb.investigations.core.text_normalization import words

LEVELS = "one of critical, high, medium, low"
SEVERITY_FIRST = "SEVERITY: TEXT, as in high: no check of the size"
WRONG = {
    "an issue without a severity": ({"issues": "x" * 70}, "issue", "x" * 60, SEVERITY_FIRST),
    "another severity": ({"issues": f"{'h' * 70}: x"}, "issue severity", "h" * 60, LEVELS),
    "no severity": ({"issues": {"text": "x"}}, "issue severity", "None", LEVELS),
    "no words of an issue": (
        {"issues": "high: "},
        "issue",
        "",
        "words that say what is meant",
    ),
    "an issue that is no text": ({"issues": {"severity": "high"}}, "issue", "None", "text"),
    "a finding that is no text": ({"finding": [3]}, "finding", "3", "text"),
    "an empty finding": ({"finding": " "}, "finding", "", "words that say what is meant"),
    "a hypothesis that is no text": ({"hypothesis": 3}, "hypothesis", "3", "text"),
    "a level on two lines": ({"confidence": "a\nb"}, "confidence", "a\nb", "words on one line"),
    "a file on two lines": ({"files": ["a\nb"]}, "files", "a\nb", "words on one line"),
    "something relevant that is no name": ({"relevant": 1.5}, "relevant", "1.5", "text"),
    "a context that is none": ({"context": [None]}, "context", "None", "text"),
    "a verdict on nothing": ({"confirms": [" "]}, "confirms", "", "words that say what is meant"),
    "a verdict on no text": ({"refutes": [1.5]}, "refutes", "1.5", "text"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_read_is_refused_by_its_name_and_the_first_of_its_signs(what):
    loose, field, value, needs = WRONG[what]

    with pytest.raises(BadValue) as refused:
        findings(loose)

    assert (refused.value.field, refused.value.needs) == (field, needs)
    assert refused.value.value.strip() == value


LONG = {
    "finding": MAX_FINDINGS,
    "hypothesis": MAX_HYPOTHESIS,
    "confidence": MAX_NAME,
    "files": MAX_NAME,
    "relevant": MAX_NAME,
    "context": MAX_NAME,
    "confirms": MAX_HYPOTHESIS,
    "refutes": MAX_HYPOTHESIS,
}


@pytest.mark.parametrize("name", LONG)
def test_each_may_be_as_long_as_its_limit_and_a_list_have_so_many_entries(name):
    limit = LONG[name]
    assert findings({name: "x" * limit}) is not None
    with pytest.raises(BadText, match=f"{name} has {limit + 1:,} characters; {limit:,} are kept"):
        findings({name: "x" * (limit + 1)})

    if name not in ("hypothesis", "confidence"):
        assert findings({name: [f"x {n}" for n in range(MAX_ENTRIES)]}) is not None
        said = f"{name} has {MAX_ENTRIES + 1:,} entries; {MAX_ENTRIES:,} are kept at most"
        with pytest.raises(BadText, match=said) as refused:
            findings({name: ["x"] * (MAX_ENTRIES + 1)})
        assert str(refused.value).endswith("Keep the rest in a file and name it.")


def test_what_is_said_is_read_by_name_and_nothing_is_none():
    assert findings({}) is None
    assert findings({"finding": None, "files": [], "issues": (), "other": 1}) is None
    assert findings({"files": ("a", "b", "a"), "relevant": "c", "confirms": 2, "refutes": "x"}) == (
        Findings(files=("a", "b"), relevant=("c",), confirms=("2",), refutes=("x",))
    )
    assert findings({"finding": ["One", " one "], "confidence": "low", "hypothesis": " h "}) == (
        Findings(findings=("One", "one"), confidence="low", hypothesis="h")
    )


FEW = st.sets(st.sampled_from([f"word{n} one{n}" for n in range(9)]), max_size=3)


@given(st.lists(st.tuples(st.integers(1, 3), FEW), max_size=6), FEW)
def test_the_words_of_findings_are_counted_as_if_each_step_said_them_for_the_first_time(told, new):
    story = Story(investigating(pause=False))
    says: dict[int, set[str]] = {}
    for number, texts in told:
        at_number = min(number, len(says) + 1)
        says[at_number] = texts
        story.do(step(at_number, texts))
    now = investigation_of(story.session)
    assert now is not None

    for number in says:
        old = at(story.session, number).current.findings
        others = [text for each, texts in says.items() if each != number for text in texts]
        expected = len({word for text in (*others, *new) for word in words(text)})
        lacks = missing_evidence(
            story.session, now.found, Findings(findings=tuple(sorted(new))), old
        )
        count = f"findings of 12 different words or more (there are {expected})"
        assert lacks[0] == count if expected < 12 else not lacks[0].startswith("findings")


def step(number: int, texts: set[str]) -> AddStep:
    said = Findings(findings=tuple(sorted(texts)), confidence="low")
    return done(f"{number} {sorted(texts)}", number=number, findings=said, next_step_needed=True)
