"""Rules 2, 4 and 5 of branches: where they leave, how they are numbered, who inherits what."""

import pytest

from tests.core.story import Story, answered, at, descriptions, done, given, numbers
from wfnb.core.queries import branches
from wfnb.core.step_lookup import find
from wfnb.core.validation import place
from wfnb.errors import BranchLeavesElsewhere, StepAmbiguous, StepUnknown

AB = (done("a"), done("b"))


def test_a_branch_leaves_the_old_line_as_it_was():
    session = given(*AB, done("c", branch="alt", leaves=1))

    assert descriptions(session, "main") == ["a", "b"]
    assert descriptions(session, "alt") == ["a", "c"]


def test_rule_4_a_branch_leaves_the_current_step_by_default():
    session = given(*AB, done("c", branch="alt"))

    assert (session.lines["alt"].parent, session.lines["alt"].leaves) == ("main", 2)


def test_rule_4_a_branch_is_numbered_on_from_the_step_it_left_beside_mains_own_number():
    session = given(*AB, done("main's 3"), done("alt's 3", branch="alt", leaves=2))

    assert at(session, 3).current.description == "main's 3"
    assert at(session, 3, "alt").current.description == "alt's 3"


def test_rule_4_a_known_branch_goes_on_by_its_id_alone_or_with_the_step_it_left():
    session = given(
        *AB,
        done("c", branch="alt", leaves=1),
        done("d", branch="alt"),
        done("e", branch="alt", leaves=1),
        done("f", branch="alt", leaves="main:1"),
    )

    assert descriptions(session, "alt") == ["a", "c", "d", "e", "f"]
    assert numbers(session, "alt") == [2, 3, 4, 5]


def test_rule_4_a_known_branch_with_another_step_is_refused_with_the_right_one():
    story = Story(*AB, done(branch="alt", leaves=1))

    with pytest.raises(BranchLeavesElsewhere, match="left step 1, not 2"):
        story.do(done(branch="alt", leaves=2))


def test_rule_4_the_step_a_nested_branch_left_is_named_with_its_branch():
    nested = (done("c", branch="alt"), done("d", branch="deep", leaves="alt:3"))
    story = Story(*AB, *nested, done("main's own 3"))

    for wrong in ("main:2", "main:3"):
        with pytest.raises(BranchLeavesElsewhere, match=rf"left step alt:3, not {wrong}\."):
            story.do(done(branch="deep", leaves=wrong))
    story.do(done("e", branch="deep", leaves=3))
    story.do(done("f", branch="deep", leaves="alt:3"))

    assert descriptions(story.session, "deep") == ["a", "b", "c", "d", "e", "f"]


def test_rule_4_a_step_that_names_no_branch_is_on_main_whatever_ran_before_it():
    session = given(*AB, done("c", branch="alt"), done("d"))

    assert descriptions(session, "main") == ["a", "b", "d"]


def test_rule_4_a_step_that_names_no_branch_is_on_the_line_chosen():
    session = given(*AB, done("c", branch="alt"), done("d", line="alt"), done("e", branch="main"))

    assert descriptions(session, "alt") == ["a", "b", "c", "d"]
    assert descriptions(session, "main") == ["a", "b", "e"]


def test_rule_4_a_new_branch_leaves_the_last_step_of_the_line_chosen():
    session = given(*AB, done("c", branch="alt"), done("d", branch="deep", line="alt"))

    assert (session.lines["deep"].parent, session.lines["deep"].leaves) == ("alt", 3)


def test_rule_4_current_branch_is_null_on_main():
    assert answered(done(), done(branch="alt")).current_branch == "alt"
    assert answered(done(), done(branch="alt"), done()).current_branch is None


def test_main_can_be_named_as_the_line_of_a_step():
    assert answered(done(branch="main")).current_branch is None


def test_rule_2_a_branch_leaves_a_step_by_its_number_not_by_its_place_in_the_history():
    session = given(done("one", number=10), done("two", number=20), done(branch="alt", leaves=10))

    assert numbers(session, "alt") == [11]
    assert descriptions(session, "alt") == ["one", "a step"]


@pytest.mark.parametrize("leaves", [2, "main:2", "alt:2", 1_000])
def test_rule_2_a_branch_that_leaves_a_step_that_is_not_there_is_refused_with_those_there_are(
    leaves,
):
    story = Story(done(number=1), done(number=3), done(branch="alt", leaves=1, number=4))

    with pytest.raises(StepUnknown) as refused:
        story.do(done(branch="new", leaves=leaves))

    alt = str(leaves).startswith("alt")
    assert refused.value.numbers == ((1, 4) if alt else (1, 3))
    assert "new" not in story.session.lines


def test_a_branch_of_a_branch_inherits_from_both_lines_up_to_where_they_were_left():
    session = given(
        *AB,
        done("c"),
        done("A3", branch="alt", leaves=2),
        done("A4", branch="alt"),
        done("D4", branch="deep", leaves="alt:3"),
        done("E3", branch="elder", leaves="alt:2"),
    )

    assert descriptions(session, "deep") == ["a", "b", "A3", "D4"]
    assert descriptions(session, "elder") == ["a", "b", "E3"]
    assert session.lines["elder"].parent == "main"  # step 2 was inherited: main made it


def test_what_a_line_gains_later_is_not_inherited():
    session = given(*AB, done("x", branch="alt"), done("c"), done("y", branch="alt"))

    assert descriptions(session, "alt") == ["a", "b", "x", "y"]


def test_a_gap_filled_below_the_step_a_branch_left_is_inherited():
    session = given(done("a"), done("c", number=3), done("x", branch="alt"), done("b", number=2))

    assert descriptions(session, "alt") == ["a", "b", "c", "x"]


def test_rule_10_lines_and_branches_are_in_order_of_creation():
    session = given(
        done(), done(branch="zebra"), done(branch="ant"), done(), done(branch="bee", leaves=1)
    )

    assert branches(session) == ["zebra", "ant", "bee"]
    assert list(session.lines) == ["main", "zebra", "ant", "bee"]
    assert list(session.steps) == sorted(session.steps)


@pytest.mark.parametrize(
    ("where", "line", "found"),
    [
        ("1", "main", "main:1"),
        ("3", "main", "main:3"),
        ("3", "alt", "alt:3"),
        ("alt:3", "main", "alt:3"),
        ("main:3", "alt", "main:3"),
        ("alt:1", "main", "main:1"),
        ("4", "main", "beta:4"),
        ("4", "alt", "beta:4"),
        ("5", "beta", "beta:5"),
    ],
)
def test_a_place_is_a_number_on_the_chosen_line_or_on_the_branch_named_or_the_only_one(
    where, line, found
):
    session = given(
        *AB,
        done(),
        done(branch="alt", leaves=2),
        done(branch="beta", leaves=3),
        done(branch="beta"),
        done(branch="alt", number=6),
    )

    step = find(session, place("step", where), line)

    assert f"{step.branch}:{step.number}" == found


def test_a_place_on_several_other_lines_is_refused_with_the_ways_to_say_it():
    story = Story(*AB, done(branch="alt"), done(branch="beta"))

    with pytest.raises(StepAmbiguous) as refused:
        story.do(done(branch="new", leaves=3))

    assert refused.value.branches == ("alt", "beta")
    story.do(done(branch="new", leaves="beta:3"))
    assert story.session.lines["new"].parent == "beta"


def test_a_branch_may_have_a_name_in_any_language():
    session = given(done(), done(branch="médiane-α/2.0+b"), done(branch="中文"))

    assert branches(session) == ["médiane-α/2.0+b", "中文"]


def test_lines_nest_as_deep_as_one_likes():
    session = given(
        done("0"), *(done(str(n), branch=f"b{n}", line=_above(n)) for n in range(1, 300))
    )

    assert descriptions(session, "b299") == [str(n) for n in range(300)]
    assert numbers(session, "b299") == [300]


def _above(n: int) -> str:
    return f"b{n - 1}" if n > 1 else "main"
