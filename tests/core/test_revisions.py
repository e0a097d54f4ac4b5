"""Rules 2, 3 and 8: what may be revised, what becomes of it, and what is stale then."""

import pytest

from tests.core.story import Story, answered, at, begun, descriptions, done, given, numbers, stale
from wfnb.core.commands import ConfirmSteps, FinishStep
from wfnb.core.events import Cell, Outcome, StepsConfirmed
from wfnb.core.values import place

ABC = (done("a"), done("b"), done("c"))


def test_rule_3_revises_alone_makes_a_new_step_that_corrects_an_old_one_which_stays():
    session = given(*ABC, done("B", revises=2))

    assert descriptions(session) == ["a", "b", "c", "B"]
    assert at(session, 4).now.revises == 2
    assert at(session, 2).revised_by == at(session, 4).key


@pytest.mark.parametrize("said", [True, False, None])
def test_rule_3_revises_implies_revision_whatever_the_flag_says(said):
    assert answered(*ABC, done("B", revises=2, is_step_revision=said)).revises_step == 2


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
    assert at(story.session, 4).now.revises == 2
    assert stale(story.session) == ["main:3"]


@pytest.mark.parametrize(
    ("revision", "outdated"),
    [
        (done("A", revises=1), ["main:2", "main:3"]),
        (done("B", revises=2), ["main:3"]),
        (done("C", revises=3), []),
        (done("A", number=1), ["main:2", "main:3"]),
        (done("B", number=2), ["main:3"]),
        (done("C", number=3), []),
    ],
)
def test_rule_8_what_came_after_the_revised_step_on_its_line_is_stale(revision, outdated):
    assert stale(given(*ABC, revision)) == outdated


LINES = (
    *ABC,
    done("x", branch="before", leaves=1),
    done("y", branch="at", leaves=2),
    done("z", branch="after", leaves=3),
    done("y4", branch="at"),
    done("deep", branch="deep", leaves="at:3"),
)


@pytest.mark.parametrize("revision", [done("B", revises=2), done("B", number=2)])
def test_rule_8_branches_that_left_at_the_revised_step_or_later_are_stale_those_before_are_not(
    revision,
):
    session = given(*LINES, revision)

    assert stale(session) == ["main:3", "at:3", "after:4", "at:4", "deep:4"]


def test_rule_8_a_change_on_a_branch_leaves_its_parent_and_its_brothers():
    session = given(*LINES, done("Y", branch="at", number=3))

    assert stale(session) == ["at:4", "deep:4"]


def test_rule_8_a_branch_that_revises_an_inherited_step_makes_only_its_own_steps_stale():
    session = given(*LINES, done("B", branch="at", revises=2))

    assert stale(session) == ["at:3", "at:4", "deep:4"]


def test_rule_8_a_nested_branch_that_left_a_branch_before_the_change_stays_fresh():
    session = given(*LINES, done("Y4", branch="at", number=4))

    assert stale(session) == []


def test_rule_8_a_stale_step_that_runs_again_is_stale_no_more():
    session = given(*ABC, done("A", number=1), done("b", number=2))

    assert stale(session) == ["main:3"]


def test_rule_8_a_stale_step_that_is_changed_is_stale_no_more():
    session = given(*ABC, done("A", number=1), done("B", number=2))

    assert stale(session) == ["main:3"]


@pytest.mark.parametrize(
    ("status", "left"),
    [
        ("ok", ["main:3"]),
        ("unknown", ["main:3"]),
        ("failed", ["main:2", "main:3"]),
        ("interrupted", ["main:2", "main:3"]),
    ],
)
def test_rule_8_an_attempt_that_did_not_end_well_leaves_the_step_stale(status, left):
    again = done("b", number=2, outcome=Outcome(status=status))

    assert stale(given(*ABC, done("A", number=1), again)) == left


def test_rule_8_a_stale_step_is_stale_while_it_runs_and_fresh_once_it_ended():
    story = Story(*ABC, done("A", number=1), begun("b", number=2))
    attempt = next(iter(story.session.running))

    assert stale(story.session) == ["main:2", "main:3"]
    story.do(FinishStep(attempt=attempt, outcome=Outcome()))
    assert stale(story.session) == ["main:3"]


@pytest.mark.parametrize(
    ("places", "left"),
    [
        ((), []),
        (("3",), ["at:3", "after:4", "at:4", "deep:4"]),
        (("at:3", "deep:4"), ["main:3", "after:4", "at:4"]),
        (("1",), ["main:3", "at:3", "after:4", "at:4", "deep:4"]),
    ],
)
def test_rule_8_stale_steps_are_confirmed_by_place_or_all_at_once(places, left):
    confirmed = ConfirmSteps(places=tuple(place("step", where) for where in places))

    assert stale(given(*LINES, done("B", number=2), confirmed)) == left


def test_a_place_that_is_confirmed_is_on_the_line_chosen():
    story = Story(*LINES, done("B", number=2))

    events = story.do(ConfirmSteps(places=(place("step", 3),), line="at"))

    assert events == [StepsConfirmed(branch="at", numbers=(3,))]


@pytest.mark.parametrize("places", [(), ("2",)])
def test_confirming_what_is_not_stale_does_nothing(places):
    story = Story(*ABC)

    assert story.do(ConfirmSteps(places=tuple(place("step", p) for p in places))) == []


CODE = "%%step 2 Clean\ndf = df.dropna()"


@pytest.mark.parametrize(
    ("source", "outdated"),
    [
        ("%%step 2 Clean the table --total 5\ndf = df.dropna()", []),
        ("%step 2 Clean\ndf = df.dropna()\n", []),
        ("%%step 2 Clean\ndf = df.fillna(0)", ["main:3"]),
        ("%%step 2 Clean", ["main:3"]),
    ],
)
def test_rewording_a_step_whose_code_stays_makes_nothing_stale(source, outdated):
    words = source.splitlines()[0]
    session = given(
        done("a"),
        done("Clean", number=2, cell=Cell(id="c2", source=CODE)),
        done("c"),
        done(words, number=2, cell=Cell(id="c2", source=source)),
    )

    assert stale(session) == outdated
    assert len(at(session, 2).versions) == 2


def test_the_words_of_a_step_without_code_are_what_came_after_is_built_on():
    one, two = Cell(id="c2", source="%%step 2 Clean"), Cell(id="c2", source="%%step 2 Drop")
    session = given(
        done("a"), done("Clean", number=2, cell=one), done("c"), done("Drop", number=2, cell=two)
    )

    assert stale(session) == ["main:3"]


def test_a_revision_that_comes_later_leaves_a_gap_alone():
    session = given(done("a"), done("c", number=3), done("b", number=2), done("A", number=1))

    assert numbers(session) == [1, 2, 3]
    assert stale(session) == ["main:3", "main:2"]


def test_the_answer_to_a_revision_names_the_stale_steps_and_what_to_do_about_them():
    answer = answered(*LINES, done("B", number=2))

    assert answer.stale_steps == [3, 4]
    assert answer.next_actions[0] == (
        "steps 3, at:3, after:4, at:4, deep:4 are stale, built on the old step 2: "
        "run them again, or `%wfnb confirm 3 at:3 after:4 at:4 deep:4`"
    )
