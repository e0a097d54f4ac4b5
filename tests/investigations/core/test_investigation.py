"""An investigation: its kind, what its steps found, when it ends, what it goes on as."""

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import CELL, LONG, found, investigating, looking
from wfnb import errors
from wfnb.core.commands import AbandonBranch, Redo, Undo
from wfnb.core.findings import Findings, Issue, Look
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, ChooseKind, ExtendTotal
from wfnb.investigations.core.events import KindChosen, TotalExtended
from wfnb.investigations.core.finding_parser import models
from wfnb.investigations.core.investigation import investigation_of, looks_before
from wfnb.investigations.core.kind_reader import builtin_kinds, kind_from, recorded_kind, to_data


@pytest.mark.parametrize("name", builtin_kinds())
def test_a_kind_that_is_recorded_is_the_same_kind(name: str):
    kind = builtin_kinds()[name]

    assert recorded_kind(to_data(kind)) == kind


def test_a_kind_whose_default_level_does_not_exist_is_broken():
    data = to_data(builtin_kinds()["debug"]) | {"confidence": {"default": "cetrain"}}

    with pytest.raises(errors.KindBroken) as refused:
        kind_from(data, "mine.yaml")

    assert str(refused.value) == (
        "The kind in mine.yaml cannot be followed: confidence 'cetrain' is none of its levels. "
        "Mend it, then try again."
    )


def test_what_steps_found_is_put_together_and_withdrawn():
    story = Story(
        investigating(pause=False),
        done("a", findings=found("one", files="a.py")),
        done("b", findings=found("two", files=["a.py", "b.py"], issues="low: slow")),
        done("c", findings=found("three", confidence="high")),
    )

    story.do(Backtrack(place=StepPlace(number=2)))

    now = investigation_of(story.session).found
    assert (now.findings, now.files, now.issues) == ({"one": 1}, {"a.py": 1}, {})
    assert now.words == {"one": 1}
    assert [step.is_withdrawn for step in story.session.steps.values()] == [False, True, True]
    assert story.do(Backtrack(place=StepPlace(number=2))) == []


def test_a_line_that_is_abandoned_takes_its_findings_with_it():
    story = Story(
        investigating(pause=False),
        done("a", findings=found("one")),
        done("b", branch="alt", findings=found("two", issues="low: slow")),
    )

    story.do(AbandonBranch(branch="alt"))
    story.do(AbandonBranch(branch="alt", reason="no"))
    assert investigation_of(story.session).found.findings == {"one": 1}

    story.do(done("c", branch="alt"))
    assert investigation_of(story.session).found.issues == {Issue(severity="low", text="slow"): 1}


ENOUGH = found(LONG, relevant="a.py", confidence="certain")
ENDS = [
    (ENOUGH, None, False, "certain at step 2 of 4, with enough evidence"),
    (ENOUGH, True, True, None),
    (
        found("thin", confidence="certain"),
        None,
        True,
        "not ended: what is missing: findings of 12 different words or more (there are 1) "
        "and a relevant file, or a context, that was looked at",
    ),
    (found("thin"), None, True, None),
    (
        found("thin"),
        False,
        True,
        "not ended: low at step 2 of 4 is not enough to end early",
    ),
]


@pytest.mark.parametrize(("says", "needed", "goes_on", "why"), ENDS)
def test_an_end_is_earned(says, needed, goes_on, why):
    story = Story(investigating(), done("a"), looking())

    answer = story.answer(done("b", findings=says, next_step_needed=needed)).to_dict()

    assert (answer["next_step_needed"], answer.get("end")) == (goes_on, why)


def test_more_steps_can_be_asked_for_with_a_reason():
    story = Story(investigating(), done("a"))

    events = story.do(ExtendTotal(more=2, reason="two parsers"))

    assert events == [TotalExtended(step_number=1, old_total=4, new_total=6, reason="two parsers")]
    assert story.session.total == 6


def test_looks_are_not_undone_by_themselves_and_keep_what_can_be_redone():
    story = Story(investigating(), done("a"), looking(), done("b"))

    story.do(Undo())
    story.do(looking(Look(kind="cell", what="other")))
    story.do(Redo())

    assert looks_before(story.session, at(story.session, 2)) == (CELL,)
    assert story.session == replay(story.log)


def test_another_kind_goes_on_with_what_was_found():
    story = Story(
        investigating("analyze"), done("a", findings=found("one", relevant="a.py")), looking()
    )

    story.do(investigating("refactor"))
    story.do(done("b"))

    now = investigation_of(story.session)
    assert (now.bases, list(now.found.relevant)) == ({"main": 1}, ["a.py"])
    assert at(story.session, 2).current.findings == Findings(confidence="incomplete")
    assert story.session == replay(story.log)


def test_a_kind_that_is_there_is_not_chosen_again():
    story = Story(investigating())

    assert story.do(investigating()) == []
    assert story.do(ChooseKind(kind=None)) == [KindChosen(kind=None)]
    assert story.do(ChooseKind(kind=None)) == []


def test_models_are_read_with_their_stances():
    read = models(["alice:for", {"model": "bob", "stance": "against"}, "carol"])

    assert read == (("alice", "for"), ("bob", "against"), ("carol", "neutral"))
