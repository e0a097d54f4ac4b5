"""Rules 1 and 5, and the option table: numbers, totals, whether another step follows."""

import pytest

from tests.core.story import Story, answered, at, done, given, numbers
from wfnb.core.commands import AddStep


@pytest.mark.parametrize(
    ("says", "total", "warnings"),
    [
        ({"number": 3, "total": 2}, 3, ["total_steps was 2, below step 3: it is 3 now"]),
        ({"number": 3, "total": 3}, 3, []),
        ({"number": 3, "total": 9}, 9, []),
        ({"number": 3}, 3, []),
    ],
)
def test_rule_1_a_total_below_the_number_is_raised_and_the_answer_says_so(says, total, warnings):
    answer = answered(done(number=1), done(number=2), done(**says))

    assert answer.total_steps == total
    assert answer.warnings == warnings


def test_rule_1_a_total_goes_up_and_down_later():
    story = Story()

    totals = [story.answer(done(total=total)).total_steps for total in (5, 9, 4, None, None)]

    assert totals == [5, 9, 4, 4, 5]


def test_a_total_that_is_outgrown_without_being_named_rises_without_a_warning():
    answer = answered(done(total=1), done())

    assert (answer.total_steps, answer.warnings) == (2, [])


def test_a_total_given_on_a_branch_is_that_of_the_whole():
    answer = answered(done(), done(branch="alt", total=7), done())

    assert (answer.step_number, answer.total_steps) == (2, 7)


@pytest.mark.parametrize(
    ("says", "needed"),
    [
        ({}, True),
        ({"total": 3}, True),
        ({"total": 1}, False),
        ({"total": 1, "next_step_needed": True}, True),
        ({"next_step_needed": False}, False),
        ({"total": 3, "next_step_needed": False}, False),
    ],
)
def test_another_step_is_needed_unless_the_total_is_reached_or_the_step_says_so(says, needed):
    assert answered(done(**says)).next_step_needed is needed


def test_the_last_known_total_ends_the_line_at_its_number_and_not_beyond():
    story = Story()

    needed = [story.answer(done(total=total)).next_step_needed for total in (3, None, None, None)]

    assert needed == [True, True, False, True]


def test_a_total_never_given_never_ends_a_line():
    story = Story()

    assert all(story.answer(done()).next_step_needed for _ in range(5))


def test_rule_5_numbers_go_up_by_one_within_a_line():
    session = given(done(), done(), done(branch="alt"), done(), done(branch="alt"))

    assert numbers(session) == [1, 2, 3]
    assert numbers(session, "alt") == [3, 4]


@pytest.mark.parametrize(
    ("number", "warnings"),
    [
        (2, []),
        (3, ["step 2 is missing before step 3"]),
        (4, ["steps 2 to 3 are missing before step 4"]),
        (900_000_000, ["steps 2 to 899999999 are missing before step 900000000"]),
    ],
)
def test_rule_5_a_gap_is_accepted_with_a_warning(number, warnings):
    answer = answered(done(), done(number=number))

    assert (answer.step_number, answer.warnings) == (number, warnings)


def test_rule_5_the_first_step_of_a_line_may_leave_a_gap_too():
    main, alt = done(number=2), done(branch="alt", number=5)

    assert answered(main).warnings == ["step 1 is missing before step 2"]
    assert answered(main, alt).warnings == ["steps 3 to 4 are missing before step 5"]


def test_rule_5_a_gap_can_be_filled_later():
    story = Story(done("a"), done("d", number=4))

    answer = story.answer(done("c", number=3))

    assert answer.warnings == ["step 3 fills a gap: step 4 was there before it"]
    assert numbers(story.session) == [1, 3, 4]
    assert story.answer(done("e")).step_number == 5


def test_rule_5_after_a_gap_the_next_number_goes_on_from_the_last():
    assert answered(done(), done(number=7), done()).step_number == 8


def test_rule_5_a_number_already_there_is_never_a_second_step():
    session = given(done("a"), done("b"), done("a", number=1), done("B", number=2))

    assert numbers(session) == [1, 2]
    assert (at(session, 1).attempts, len(at(session, 1).versions)) == (2, 1)
    assert (at(session, 2).attempts, len(at(session, 2).versions)) == (2, 2)


@pytest.mark.parametrize(
    "says",
    [
        {"total": 5},
        {"next_step_needed": False},
        {"needs_more_steps": False},
    ],
)
def test_a_step_told_again_with_more_is_changed_and_not_only_run_again(says):
    story = Story(done("a"), done("b", number=2, total=3), done("c"))

    story.do(done("b", number=2, **says))

    now = at(story.session, 2).current
    assert {name: getattr(now, name) for name in says} == says
    assert not story.session.stale  # the words are the same: what came after still holds


def test_rule_5_a_number_that_is_inherited_is_no_number_of_the_branch():
    session = given(done("a"), done("b"), done("c"), done("B", branch="alt", leaves=1, number=2))

    assert at(session, 2).current.description == "b"
    assert at(session, 2, "alt").current.description == "B"


@pytest.mark.parametrize("says", [{}, {"number": 1}, {"branch": "main"}, {"line": "main"}])
def test_the_first_step_is_step_1_of_main(says):
    answer = answered(AddStep(description="a", **says))

    assert (answer.step_number, answer.current_branch, answer.branches) == (1, None, [])


def test_the_seven_fields_come_first_and_in_order():
    answer = answered(done("a", total=4), done("b", branch="alt"), done("c", branch="alt"))

    assert list(answer.to_dict().items())[:7] == [
        ("step_number", 3),
        ("total_steps", 4),
        ("next_step_needed", True),
        ("last_step_description", "c"),
        ("current_branch", "alt"),
        ("branches", ["alt"]),
        ("step_history_length", 3),
    ]


def test_the_history_counts_the_steps_of_all_branches_and_no_attempts():
    answer = answered(done("a"), done("b", branch="alt"), done("a", number=1), done("c"))

    assert answer.step_history_length == 3
