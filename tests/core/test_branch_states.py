"""Rule 9: a branch is open, selected, merged or abandoned, with a score and a reason."""

import pytest

from tests.core.story import Story, done, given
from wfnb.core.commands import AbandonBranch, MergeBranch, ScoreBranch, SelectBranch
from wfnb.core.events import BranchReopened, StepRepeated

TWO = (done("a"), done("x", branch="alt"), done("y", branch="beta", leaves=1))


def states(session):
    return {line.id: line.state for line in session.lines.values() if line.id != "main"}


def test_a_branch_is_open_at_first_without_score_or_reason():
    alt = given(*TWO).lines["alt"]

    assert (alt.state, alt.score, alt.reason, alt.merged_into) == ("open", None, None, None)


@pytest.mark.parametrize(
    ("command", "state"),
    [
        (SelectBranch(branch="alt", reason="best"), "selected"),
        (MergeBranch(branch="alt", reason="best"), "merged"),
        (AbandonBranch(branch="alt", reason="best"), "abandoned"),
        (ScoreBranch(branch="alt", score=0.5, reason="best"), "open"),
    ],
)
def test_rule_9_a_command_gives_a_branch_its_state_and_reason(command, state):
    alt = given(*TWO, command).lines["alt"]

    assert (alt.state, alt.reason) == (state, "best")


@pytest.mark.parametrize(
    "command",
    [
        ScoreBranch(branch="alt", score=0.5),
        ScoreBranch(branch="alt", score=0.5, reason="by\r\nfolds "),
        SelectBranch(branch="alt"),
        SelectBranch(branch="alt", reason="by\r\nfolds "),
        MergeBranch(branch="alt"),
        MergeBranch(branch="alt", into="beta", reason="by\r\nfolds "),
        AbandonBranch(branch="alt"),
        AbandonBranch(branch="alt", reason="by\r\nfolds "),
    ],
)
def test_a_cell_that_says_the_same_again_does_no_harm(command):
    story = Story(*TWO, command)

    assert story.do(command) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (ScoreBranch(branch="alt", score=1), ScoreBranch(branch="alt", score=2)),
        (ScoreBranch(branch="alt", score=1), ScoreBranch(branch="alt", score=1, reason="new")),
        (SelectBranch(branch="alt"), SelectBranch(branch="alt", reason="new")),
        (MergeBranch(branch="alt"), MergeBranch(branch="alt", into="beta")),
        (AbandonBranch(branch="alt"), AbandonBranch(branch="alt", reason="new")),
    ],
)
def test_what_is_new_about_a_branch_is_recorded(first, second):
    story = Story(*TWO, first)

    assert len(story.do(second)) == 1


def test_a_score_keeps_the_reason_it_does_not_replace():
    alt = given(*TWO, ScoreBranch(branch="alt", score=1, reason="folds")).lines["alt"]
    again = given(
        *TWO,
        ScoreBranch(branch="alt", score=1, reason="folds"),
        ScoreBranch(branch="alt", score=2),
    ).lines["alt"]

    assert (alt.score, alt.reason) == (1, "folds")
    assert (again.score, again.reason) == (2, "folds")


def test_select_takes_the_place_of_a_rival_that_was_selected():
    session = given(*TWO, SelectBranch(branch="alt"), SelectBranch(branch="beta"))

    assert states(session) == {"alt": "open", "beta": "selected"}


@pytest.mark.parametrize("over", [SelectBranch(branch="beta"), AbandonBranch(branch="alt")])
def test_a_selection_that_is_over_is_none_when_the_branch_is_merged(over):
    story = Story(*TWO, SelectBranch(branch="alt", reason="fast"), over, MergeBranch(branch="alt"))
    alt = story.session.lines["alt"]

    assert (alt.is_chosen, alt.reason) == (False, None)
    assert story.do(SelectBranch(branch="alt")) != []
    assert story.session.passed_over == {"beta"}


def test_select_leaves_a_branch_that_left_another_step():
    session = given(
        *TWO,
        done("b"),
        done("z", branch="later", leaves=2),
        SelectBranch(branch="alt"),
        SelectBranch(branch="later"),
    )

    assert states(session) == {"alt": "selected", "beta": "open", "later": "selected"}


@pytest.mark.parametrize(
    ("into", "joined", "after"), [(None, "main", 1), ("main", "main", 1), ("beta", "beta", 2)]
)
def test_a_branch_is_merged_into_the_line_it_left_or_the_one_named(into, joined, after):
    alt = given(*TWO, MergeBranch(branch="alt", into=into)).lines["alt"]

    assert (alt.merged_into, alt.merged_after) == (joined, after)


def test_all_cells_run_again_leave_a_branch_that_was_scored_selected_and_merged_as_it_is():
    cells = (
        ScoreBranch(branch="alt", score=1, reason="folds"),
        SelectBranch(branch="alt", reason="best"),
        MergeBranch(branch="alt", reason="done"),
    )
    story = Story(*TWO, *cells)

    assert [story.do(command) for command in cells] == [[], [], []]
    assert story.session.lines["alt"].reason == "folds; best; done"


def test_a_nested_branch_is_merged_into_the_branch_it_left():
    session = given(*TWO, done(branch="deep", line="alt"), MergeBranch(branch="deep"))

    assert session.lines["deep"].merged_into == "alt"


def test_a_branch_stays_merged_where_the_line_went_on():
    story = Story(*TWO, MergeBranch(branch="alt"), done("b"))

    assert story.do(MergeBranch(branch="alt")) == []
    assert story.session.lines["alt"].merged_after == 1


@pytest.mark.parametrize("end", [MergeBranch(branch="alt"), AbandonBranch(branch="alt")])
def test_a_new_step_opens_a_branch_again(end):
    story = Story(*TWO, end)

    events = story.do(done("more", branch="alt"))

    alt = story.session.lines["alt"]
    assert events[0] == BranchReopened(branch="alt")
    assert (alt.state, alt.merged_into, alt.merged_after) == ("open", None, None)


@pytest.mark.parametrize("end", [MergeBranch(branch="alt"), AbandonBranch(branch="alt")])
def test_a_step_that_runs_again_does_not_open_its_branch_again(end):
    story = Story(*TWO, end)

    events = story.do(done("x", branch="alt", number=2))

    assert [type(event) for event in events] == [StepRepeated]
    assert story.session.lines["alt"].state != "open"


def test_a_selected_branch_goes_on_selected():
    session = given(*TWO, SelectBranch(branch="alt"), done(branch="alt"))

    assert session.lines["alt"].state == "selected"


def test_main_can_be_selected_and_scored():
    session = given(*TWO, SelectBranch(branch="main"), ScoreBranch(branch="main", score=3))

    assert (session.lines["main"].state, session.lines["main"].score) == ("selected", 3)
