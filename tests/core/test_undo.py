"""Undo takes the last command back, whole; redo brings it back; nothing recorded is lost."""

from copy import deepcopy

import pytest

from tests.core.story import Story, at, begun, descriptions, done, following, numbers, stale
from wfnb.core.commands import (
    AbandonBranch,
    ChangePlainNames,
    ClearSession,
    ConfirmSteps,
    DescribeStep,
    FinishStep,
    HideSteps,
    MergeBranch,
    Redo,
    RenameSession,
    ScoreBranch,
    SelectBranch,
    TagStep,
    TakeBack,
    Undo,
)
from wfnb.core.events import Outcome
from wfnb.core.kept_values import KeptValues
from wfnb.core.replay import changes_of_redo, redoable, replay, replay_words, standing
from wfnb.core.session import Session
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


def positions(entries):
    return [entry.position for entry in entries]


def test_what_can_be_redone_is_what_was_undone_and_a_new_change_forgets_it():
    story = Story(done("a"), begun("b"), done("c"), Undo(), Undo())
    assert positions(redoable(story.log)) == [4, 3]
    assert story.session.redoable == 2

    story.do(ChangePlainNames(versions={"x": "1"}))
    story.do(RenameSession(name="another"))
    assert positions(redoable(story.log)) == [4, 3]

    story.do(done("d"))
    assert redoable(story.log) == []


def test_the_changes_of_a_redo_are_those_that_it_brings_back_without_ends_of_attempts():
    story = Story(done("a"), begun("b"), done("c"), done("d"), Undo(), Undo(), Undo())
    story.do(Redo())
    assert positions(changes_of_redo(story.log)) == [3]
    story.do(Redo())
    assert positions(changes_of_redo(story.log)) == [4]

    attempt = next(iter(story.session.running))
    story.do(FinishStep(attempt=attempt, outcome=Outcome(), values=KeptValues(asked=("x",))))
    ends = positions(story.log)[-2:]
    story.do(TakeBack(positions=(3, *ends), at=story.session.position))
    story.do(Redo())

    assert {3, *ends} <= set(positions(standing(story.log)))
    assert positions(changes_of_redo(story.log)) == [3]


def test_words_places_and_hidden_steps_are_replayed_without_ends_and_values():
    story = Story(begun("a"), begun("b"))
    story.do(FinishStep(attempt=2, outcome=Outcome(), values=KeptValues(asked=("x",))))
    story.do(HideSteps(places=(StepPlace(number=2),)))

    session = replay_words(story.log)

    assert descriptions(session) == ["a", "b"]
    assert [step.hidden for step in session.steps.values()] == [False, True]
    assert [(step.outcome, step.kept) for step in session.steps.values()] == [(None, None)] * 2
    assert list(session.running) == [2, 3]


def test_a_step_that_ran_no_code_is_a_change_and_the_end_of_an_attempt_is_none():
    story = Story(begun("a"), done("b"))
    assert story.session.undo_points == [0, 1, 2]
    story.do(Undo())
    story.do(FinishStep(attempt=2, outcome=Outcome()))

    assert story.session.undo_points == [0, 1]
    assert story.session.redoable == 0


def test_of_no_entries_the_session_is_empty():
    assert replay([]) == Session()
    assert Session().position == 0
