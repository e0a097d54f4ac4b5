"""Rule 11: where a line ends, when the whole problem is solved, and what its answer is."""

import pytest

from tests.core.story import answered, done, given
from wfnb.core.commands import AbandonBranch, ConfirmSteps, MergeBranch, SelectBranch
from wfnb.core.events import Outcome
from wfnb.core.queries import answer_step, open_lines

LAST = {"next_step_needed": False}
ALT = done("x", branch="alt")


def test_rule_11_next_step_needed_false_ends_the_line():
    session = given(done(), done("x", branch="alt", **LAST), done())

    assert [line.id for line in open_lines(session)] == ["main"]


@pytest.mark.parametrize(
    ("says", "more"),
    [
        (LAST, False),
        (LAST | {"needs_more_steps": True}, True),
        (LAST | {"needs_more_steps": False}, False),
        ({}, True),
        ({"next_step_needed": True, "needs_more_steps": False}, False),
        (LAST | {"total": 2}, False),
        (LAST | {"total": 3}, True),
        (LAST | {"total": 3, "needs_more_steps": False}, False),
    ],
)
def test_rule_11_more_is_needed_as_the_step_says_else_while_it_goes_on_or_the_total_is_not_reached(
    says, more
):
    assert answered(done(), done(**says)).needs_more_steps is more


@pytest.mark.parametrize(
    ("says", "solved"),
    [
        (LAST, True),
        (LAST | {"needs_more_steps": False}, True),
        (LAST | {"needs_more_steps": True}, False),
        ({"needs_more_steps": False}, False),
        ({"next_step_needed": True}, False),
        ({"total": 2}, True),
        (LAST | {"total": 3}, False),
    ],
)
def test_rule_11_the_problem_is_solved_when_neither_the_line_nor_the_whole_needs_more(says, solved):
    assert answered(done(), done(**says)).solved is solved


@pytest.mark.parametrize(
    ("between", "more"),
    [
        ([ALT], True),
        ([done("x", branch="alt", **LAST)], False),
        ([ALT, AbandonBranch(branch="alt")], False),
        ([ALT, MergeBranch(branch="alt")], False),
        ([ALT, SelectBranch(branch="alt")], True),
        ([ALT, SelectBranch(branch="main")], True),
        ([ALT, AbandonBranch(branch="alt"), done("y", branch="alt")], True),
        ([ALT, done("y", branch="beta", leaves=1, **LAST)], True),
    ],
)
def test_rule_11_another_open_line_means_that_more_is_needed(between, more):
    answer = answered(done(), *between, done(**LAST))

    assert (answer.needs_more_steps, answer.solved) == (more, not more)


def test_rule_11_a_branch_that_ends_returns_to_a_main_line_that_is_open():
    answer = answered(done(), done("x", branch="alt", **LAST))

    assert (answer.needs_more_steps, answer.solved) == (True, False)


def test_rule_11_a_selected_branch_settles_its_rivals_and_the_line_it_goes_on_from():
    before = (done("a"), done("x", branch="alt"), done("y", branch="beta", leaves=1))

    assert not answered(*before, done("z", branch="alt", **LAST)).solved
    assert answered(*before, SelectBranch(branch="alt"), done("z", branch="alt", **LAST)).solved


def test_a_selected_branch_does_not_settle_a_main_line_that_went_on():
    before = (done("a"), ALT, done("b"), SelectBranch(branch="alt"))

    assert not answered(*before, done("z", branch="alt", **LAST)).solved


def test_rule_11_the_last_step_of_a_solved_session_is_its_answer():
    session = given(done("a"), ALT, AbandonBranch(branch="alt"), done("forty-two", **LAST))

    assert answer_step(session).current.description == "forty-two"


def test_a_session_that_is_not_solved_has_no_answer():
    assert answer_step(given()) is None
    assert answer_step(given(done())) is None


def test_a_step_after_the_end_opens_the_line_again():
    answer = answered(done(**LAST), done())

    assert (answer.next_step_needed, answer.solved) == (True, False)


@pytest.mark.parametrize(
    ("ended", "solved"),
    [
        (Outcome(), True),
        (Outcome(status="unknown"), True),
        (Outcome(status="failed"), False),
        (Outcome(status="interrupted"), False),
        (None, False),
    ],
)
def test_a_last_step_that_did_not_go_well_is_no_answer(ended, solved):
    assert answered(done(outcome=ended, **LAST)).solved is solved


def test_a_session_is_not_solved_while_a_step_that_counts_is_stale():
    before = (done("a"), ALT, done("x", branch="alt", number=2, **LAST))
    stale = (*before, done("A", number=1))

    assert not answered(*stale, done("end", **LAST)).solved
    assert answered(*stale, ConfirmSteps(), done("end", **LAST)).solved
    assert answered(*stale, AbandonBranch(branch="alt"), done("end", **LAST)).solved
