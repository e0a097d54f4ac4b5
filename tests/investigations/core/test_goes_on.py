"""An investigation goes on: as another kind, on a branch, after steps were withdrawn; and it leaves
nothing behind for the next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.story import Story, at, done, following, strategy
from tests.investigations.core.investigating import analysed, found, investigating, looking, turn
from wfnb import errors
from wfnb.core.commands import AbandonBranch, Undo
from wfnb.core.events import StepChanged
from wfnb.core.queries import stage_choices
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.core.vote_tally import tally
from wfnb.investigations.core.commands import Backtrack, ChooseKind
from wfnb.investigations.core.investigation import FindingsIndex, investigation_of
from wfnb.investigations.core.requirements import standing


def test_another_kind_counts_its_steps_anew_and_estimates_anew():
    story = analysed()

    story.do(investigating("refactor", pause=False))
    story.do(done("c"))

    assert (turn(story, 3), at(story.session, 3).current.total) == (1, 2 + 4)
    assert at(story.session, 3).current.next_step_needed


def test_a_step_of_the_kind_before_can_be_changed_and_keeps_its_level():
    story = analysed()
    story.do(investigating("refactor", pause=False))

    more = at(story.session, 2).current.findings
    (event,) = story.do(done("b, better", number=2, findings=replace(more, findings=("more",))))

    assert isinstance(event, StepChanged)
    assert (event.findings.confidence, event.next_step_needed) == ("high", False)
    assert story.session.total is None
    assert investigation_of(story.session).found.findings == {"one": 1, "more": 1}


def test_a_branch_counts_from_where_the_kind_was_chosen():
    story = Story(*(done(f"{each}") for each in range(5)), done("b", branch="old", leaves=2))
    story.do(investigating(pause=False))

    story.do(done("m"))
    story.do(done("o", branch="old"))
    story.do(done("n", branch="new", leaves=3))

    assert [turn(story, *place) for place in ((6, "main"), (4, "old"), (4, "new"))] == [1, 1, 1]
    story.do(done("p", branch="new"))
    assert turn(story, 5, "new") == 2


def test_undo_of_a_kind_brings_the_one_before_back():
    story = analysed()
    before = replay(story.log)

    story.do(investigating("refactor"))
    story.do(Undo())

    assert investigation_of(story.session) == investigation_of(before)
    assert investigation_of(story.session).kind.name == "analyze"


def test_a_second_investigation_starts_clean():
    story = analysed()
    story.do(ChooseKind(kind=None))
    story.do(investigating("debug"))

    now = investigation_of(story.session)
    assert (now.found, now.fields, now.looks, now.advice) == (FindingsIndex(), {}, [], [])
    assert standing(story.session, at(story.session, 1)) is None


def test_two_investigations_share_nothing():
    one, other = Story(investigating()), Story(investigating())
    before = replay(other.log)

    one.do(done("a", findings=found("x", relevant="a.py", issues="low: y"), fields={"z": 1}))
    one.do(looking())
    with pytest.raises(errors.PauseHolds):
        Story(investigating(), done("a")).do(done("b"))

    assert other.session == before
    other.do(done("b"))
    assert investigation_of(other.session).found == FindingsIndex()
    assert investigation_of(one.session).looks


def test_a_step_that_is_corrected_counts_again():
    story = analysed()
    story.do(Backtrack(place=StepPlace(number=1)))

    story.do(done("a, better", number=1))

    assert [step.is_withdrawn for step in story.session.steps.values()] == [False, True]
    assert investigation_of(story.session).found.findings == {"one": 1}


def test_a_step_that_is_corrected_after_the_investigation_is_withdrawn_no_longer():
    story = analysed()
    story.do(Backtrack(place=StepPlace(number=1)))
    story.do(ChooseKind(kind=None))

    story.do(done("a, better", number=1))

    assert [step.is_withdrawn for step in story.session.steps.values()] == [False, True]


def test_a_line_that_is_taken_up_again_stays_withdrawn():
    story = analysed()
    story.do(done("c", branch="alt", findings=found("three")))
    story.do(AbandonBranch(branch="alt"))
    story.do(Backtrack(place=StepPlace(number=2)))

    story.do(done("d", branch="alt"))

    assert investigation_of(story.session).found.findings == {"one": 1}


def test_the_stage_after_withdrawn_steps_is_that_after_the_last_that_counts():
    small = strategy({"ask": ["try"], "try": ["end"], "end": []})
    story = Story(following(small), investigating(pause=False), done("a"), done("b"))

    story.do(Backtrack(place=StepPlace(number=2)))

    assert stage_choices(story.session, story.session.lines["main"]) == ("try",)
    story.do(done("again"))
    assert at(story.session, 3).current.stage == "try"


def test_answers_that_were_withdrawn_are_not_counted():
    story = Story(
        investigating(pause=False),
        done("a", fields={"path_answers": ["1", "1"]}),
        done("b", fields={"path_answers": ["2"]}),
    )

    story.do(Backtrack(place=StepPlace(number=2)))

    assert tally(story.session, story.session.lines["main"]).winner == "1"


def test_a_line_that_ended_goes_on_when_its_end_is_withdrawn():
    story = Story(investigating(pause=False), done("a", total=2), done("b"))
    assert story.answer(done("b", number=2)).needs_more_steps is False

    story.do(Backtrack(place=StepPlace(number=2)))

    assert story.answer(done("c", branch="alt", leaves=1, total=2)).needs_more_steps is True
