"""What another session found is taken along, and alone earns no end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import LONG, analysed, found, investigating, looking
from wfnb import errors
from wfnb.core.commands import ClearSession
from wfnb.core.events import Version
from wfnb.core.findings import Findings, Issue, Look
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.carry_over import carry_findings as carry
from wfnb.investigations.core.commands import Backtrack, ChooseKind
from wfnb.investigations.core.events import CarriedFindings
from wfnb.investigations.core.investigation import FindingsIndex, investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds


def carrying(carried: CarriedFindings | None, kind: str = "refactor") -> ChooseKind:
    return ChooseKind(kind=builtin_kinds()[kind], pause=False, carried=carried)


def test_another_session_takes_along_what_was_found():
    carried = carry(analysed().session)
    assert carried == CarriedFindings(
        session="test",
        kind="analyze",
        found=Findings(
            findings=("One", "two"),
            hypothesis="the loop",
            confidence="high",
            relevant=("a.py",),
            issues=(Issue(severity="low", text="slow"),),
        ),
    )

    story = Story(carrying(carried), done("first"))

    now = investigation_of(story.session)
    assert (now.found.relevant, now.found.words) == ({"a.py": 1}, {"one": 1, "two": 1})
    assert at(story.session, 1).current.findings == Findings(confidence="incomplete")
    assert story.session == replay(story.log)


def test_what_a_withdrawn_step_found_is_not_taken_along():
    story = analysed()
    story.do(Backtrack(place=StepPlace(number=2)))

    assert carry(story.session).found.findings == ("One",)


def test_of_very_much_the_latest_is_taken_along():
    story = Story(investigating(pause=False))
    for number in range(3):
        names = tuple(f"{number}-{each}.py" for each in range(500))
        story.do(looking(Look(kind="code", what=f"outline {number}", files=names)))
        story.do(done(f"{number}"))

    carried = carry(story.session)

    assert (carried.found.files[0], len(carried.found.files)) == ("1-0.py", 1_000)
    Story(carrying(carried, "debug"))


def test_nothing_is_taken_along_from_no_investigation():
    assert carry(Story(done("a")).session) is None


def test_what_is_taken_along_stays_when_the_session_is_cleared():
    story = Story(carrying(carry(analysed().session)), done("a"), ClearSession())

    assert investigation_of(story.session).found.relevant == {"a.py": 1}


def test_the_same_is_not_taken_along_twice():
    carried = carry(analysed().session)
    story = Story(carrying(carried))

    assert story.do(carrying(carried)) == []
    assert story.do(carrying(None)) == []
    assert investigation_of(story.session).found.findings == {"one": 1, "two": 1}


def test_another_carried_one_takes_the_place_of_the_first():
    carried = carry(analysed().session)
    story = Story(carrying(carried))

    story.do(carrying(replace(carried, found=found("three"))))

    assert investigation_of(story.session).found == FindingsIndex(
        findings={"three": 1}, words={"three": 1}
    )


@pytest.mark.parametrize(
    "found",
    [
        Findings(findings=("x" * 50_001,)),
        Findings(files=("a\nb",)),
        Findings(issues=(Issue(severity="huge", text="x"),)),
    ],
)
def test_what_no_step_could_have_said_is_not_taken_along(found: Findings):
    story = Story()
    log = list(story.log)

    with pytest.raises(errors.Refused):
        story.do(carrying(CarriedFindings(session="x", kind="debug", found=found), "debug"))
    assert story.log == log


def brought() -> CarriedFindings:
    """Enough evidence for an end, of another session."""
    return CarriedFindings(
        session="x", kind="debug", found=found(LONG, relevant="a.py", files="a.py")
    )


def sure(story: Story, *texts: str, **says: Any) -> Version:
    story.do(done("sure", findings=found(*texts, confidence="certain", **says)))
    return at(story.session, 2).current


def test_what_was_taken_along_alone_earns_no_end():
    now = sure(Story(carrying(brought(), "debug"), done("a", total=9)), files="b.py")

    assert now.next_step_needed
    assert now.end == "not ended: what is missing: a finding of this session"


def test_nor_does_a_look_at_anything():
    now = sure(Story(carrying(brought(), "debug"), done("a", total=9), looking()))

    assert now.end == "not ended: what is missing: a finding of this session"


def test_nor_does_the_same_in_other_letters():
    assert sure(
        Story(carrying(brought(), "debug"), done("a", total=9)), LONG.upper()
    ).next_step_needed


@pytest.mark.parametrize(
    ("first", "texts"),
    [
        ((done("a", total=9),), ("new",)),
        ((done("a", total=9, findings=found("new")),), ()),
    ],
)
def test_with_a_finding_of_its_own_it_does(first, texts):
    now = sure(Story(carrying(brought(), "debug"), *first), *texts)

    assert now.end == "certain at step 2 of 9, with enough evidence"


def test_a_finding_of_its_own_that_was_withdrawn_is_none():
    story = Story(carrying(brought(), "debug"), done("a", total=9, findings=found("new")))
    story.do(Backtrack(place=StepPlace(number=1)))

    assert sure(story).next_step_needed
