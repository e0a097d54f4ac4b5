"""Undo takes the last command back, whole; redo brings it back; nothing recorded is lost."""

from copy import deepcopy

import pytest

from tests.core.story import Story, at, begun, descriptions, done, following, numbers, stale
from wfnb.core.commands import (
    AbandonBranch,
    ClearSession,
    ConfirmSteps,
    DescribeStep,
    FinishStep,
    HideSteps,
    MergeBranch,
    Redo,
    ScoreBranch,
    SelectBranch,
    TagStep,
    Undo,
)
from wfnb.core.events import Outcome
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.errors import NothingToRedo, NothingToUndo, StepNotRunning

BEFORE = (
    done("a"),
    done("b"),
    done("x", branch="alt", leaves=1),
    done("A", number=1),
)


def state(session):
    """The session without its place in the log."""
    plain = deepcopy(session)
    plain.position = plain.redoable = 0
    return plain


@pytest.mark.parametrize(
    "command",
    [
        done("c"),
        begun("c"),
        done("y", branch="beta", leaves=1),
        done("B", number=2),
        done("b", number=2),
        done("A", revises=1),
        ConfirmSteps(),
        HideSteps(places=(StepPlace(number=2), StepPlace(number=2, branch="alt"))),
        DescribeStep(place=StepPlace(number=1), title="A load"),
        TagStep(place=StepPlace(number=1), add=("data",)),
        ScoreBranch(branch="alt", score=1),
        SelectBranch(branch="alt"),
        MergeBranch(branch="alt"),
        AbandonBranch(branch="alt"),
        following("react"),
        ClearSession(),
    ],
)
def test_undo_brings_back_the_session_as_it_was_and_redo_what_was_undone(command):
    story = Story(*BEFORE)
    before = state(story.session)
    story.do(command)
    after = state(story.session)

    story.do(Undo())
    assert state(story.session) == before
    story.do(Redo())
    assert state(story.session) == after


def test_a_whole_session_is_undone_and_redone_step_by_step():
    story = Story()
    states = [state(story.session)]
    for command in (*BEFORE, SelectBranch(branch="alt"), ClearSession(), done("new")):
        story.do(command)
        states.append(state(story.session))

    for expected in reversed(states[:-1]):
        story.do(Undo())
        assert state(story.session) == expected
    with pytest.raises(NothingToUndo):
        story.do(Undo())
    for expected in states[1:]:
        story.do(Redo())
        assert state(story.session) == expected
    with pytest.raises(NothingToRedo):
        story.do(Redo())


def test_a_change_after_an_undo_leaves_nothing_to_redo():
    story = Story(done("a"), done("b"), Undo(), done("c"))

    with pytest.raises(NothingToRedo):
        story.do(Redo())
    assert descriptions(story.session) == ["a", "c"]
    assert replay(story.log) == story.session


def test_what_was_undone_stays_in_the_log():
    story = Story(done("a"), done("b"), Undo())

    assert len(story.log) == 4
    assert replay(story.log[:3]).steps.keys() == {2, 3}


def test_a_branch_is_undone_with_the_step_that_opened_it():
    story = Story(done("a"), done("x", branch="alt"), Undo())

    assert list(story.session.lines) == ["main"]


def test_the_end_of_an_attempt_is_no_change_of_its_own_to_undo():
    story = Story(done("a"), begun("b"))
    story.do(FinishStep(attempt=3, outcome=Outcome()))

    story.do(Undo())

    assert descriptions(story.session) == ["a"]


def test_the_end_of_an_attempt_that_began_before_stays_when_a_later_change_is_undone():
    story = Story(begun("a"), done("b"))
    story.do(FinishStep(attempt=2, outcome=Outcome(status="failed")))

    story.do(Undo())

    assert at(story.session, 1).outcome == Outcome(status="failed")
    assert story.session.running == {}


def test_the_end_of_an_attempt_that_was_undone_meanwhile_is_refused():
    story = Story(begun("a"), Undo())

    with pytest.raises(StepNotRunning):
        story.do(FinishStep(attempt=2, outcome=Outcome()))


def test_an_attempt_that_ran_again_meanwhile_has_the_last_word():
    story = Story(begun("a"), begun("a", number=1))

    with pytest.raises(StepNotRunning):
        story.do(FinishStep(attempt=2, outcome=Outcome(status="failed")))
    story.do(FinishStep(attempt=3, outcome=Outcome()))

    assert at(story.session, 1).outcome == Outcome()


def test_a_step_that_is_undone_frees_its_number_and_its_key_is_not_used_again():
    story = Story(done("a"), done("b"), Undo(), done("c"))

    assert numbers(story.session) == [1, 2]
    assert list(story.session.steps) == [2, 5]


def test_a_session_that_is_cleared_has_no_steps_and_keeps_its_name_and_strategy():
    story = Story(following("react"), *_react(), ClearSession())

    assert (story.session.name, story.session.strategy.name) == ("test", "react")
    assert (story.session.steps, list(story.session.lines)) == ({}, ["main"])
    assert story.session.total is None
    assert story.do(ClearSession()) == []


def _react():
    return done("a", total=4), done("b", number=2), begun("x", branch="alt"), done("A", number=1)


def test_after_a_clear_numbers_begin_again_and_cells_are_new():
    story = Story(*BEFORE, ClearSession(), done("first"))

    assert numbers(story.session) == [1]
    assert stale(story.session) == []
