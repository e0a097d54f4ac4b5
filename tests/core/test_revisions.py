"""Rules 2 and 3: what may be revised, and what becomes of it."""

import pytest

from tests.core.story import ABC, Story, answered, at, descriptions, done, given, stale
from wfnb.core.commands import HideSteps, ShowSteps
from wfnb.core.events import Cell
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.errors import BadValue


def test_rule_3_revises_alone_makes_a_new_step_that_corrects_an_old_one_which_stays():
    session = given(*ABC, done("B", revises=2))

    assert descriptions(session) == ["a", "b", "c", "B"]
    assert at(session, 4).current.revises == 2
    assert at(session, 2).revised_by == at(session, 4).key


@pytest.mark.parametrize("said", [True, None])
def test_rule_3_revises_implies_revision_said_or_not(said):
    assert answered(*ABC, done("B", revises=2, is_step_revision=said)).revises_step == 2


def test_rule_3_what_revises_a_step_and_says_that_it_is_no_revision_is_refused():
    with pytest.raises(BadValue, match="is_step_revision is 'False'"):
        answered(*ABC, done("B", revises=2, is_step_revision=False))


def test_rule_3_a_changed_step_is_the_same_step_in_a_new_version():
    session = given(*ABC, done("B", number=2))

    assert descriptions(session) == ["a", "B", "c"]
    assert [version.description for version in at(session, 2).versions] == ["b", "B"]
    assert at(session, 2).revised_by is None


def test_rule_3_a_revision_may_open_a_branch_at_the_same_time_and_leaves_main_as_it_was():
    session = given(*ABC, done("B", branch="alt", leaves=2, revises=2))

    assert descriptions(session) == ["a", "b", "c"]
    assert descriptions(session, "alt") == ["a", "b", "B"]
    assert at(session, 2).revised_by == at(session, 3, "alt").key
    assert stale(session) == []


def test_rule_2_a_branch_revises_what_it_inherited():
    session = given(*ABC, done("x", branch="alt"), done("A", branch="alt", revises=1))

    assert at(session, 1).revised_by == at(session, 5, "alt").key


def test_the_newest_of_several_revisions_is_the_one_that_counts():
    session = given(*ABC, done("B", revises=2), done("C", revises=2))

    assert at(session, 2).revised_by == at(session, 5).key


def test_a_revision_can_be_revised():
    session = given(*ABC, done("B", revises=2), done("BB", revises=4))

    assert at(session, 4).revised_by == at(session, 5).key


def test_a_step_that_is_changed_into_a_revision_revises():
    session = given(*ABC, done("c", number=3, revises=1))

    assert at(session, 1).revised_by == at(session, 3).key
    assert stale(session) == ["main:2"]


def test_a_step_that_is_changed_to_revise_another_leaves_the_first_as_it_was():
    session = given(*ABC, done("B", revises=2), done("A", number=4, revises=1))

    assert at(session, 1).revised_by == at(session, 4).key
    assert at(session, 2).revised_by is None


def test_a_step_that_is_no_longer_a_revision_gives_the_word_to_the_one_before():
    session = given(
        *ABC,
        done("B", revises=2),
        done("BB", revises=2),
        done("d", number=5, is_step_revision=False),
    )

    assert at(session, 2).revised_by == at(session, 4).key


def test_a_revision_told_again_in_other_words_is_still_one():
    story = Story(*ABC, done("B", revises=2), done("c", number=3))

    story.do(done("BB", number=4))

    assert at(story.session, 2).revised_by == at(story.session, 4).key
    assert at(story.session, 4).current.revises == 2
    assert stale(story.session) == ["main:3"]


def test_the_words_of_a_step_without_code_are_what_came_after_is_built_on():
    one, two = Cell(id="c2", source="%%step 2 Clean"), Cell(id="c2", source="%%step 2 Drop")
    session = given(
        done("a"), done("Clean", number=2, cell=one), done("c"), done("Drop", number=2, cell=two)
    )

    assert stale(session) == ["main:3"]


def test_rule_3_a_step_that_is_hidden_revises_none_and_the_one_before_it_has_the_word_again():
    story = Story(*ABC, done("B", revises=2), done("B again", revises=2))
    told = []
    for command in (
        HideSteps(places=(StepPlace(number=5),)),
        HideSteps(places=(StepPlace(number=4),)),
        ShowSteps(),
    ):
        story.do(command)
        told.append(at(story.session, 2).revised_by)

    four, five = at(story.session, 4).key, at(story.session, 5).key
    assert told == [four, None, five]
    assert story.session == replay(story.log)
