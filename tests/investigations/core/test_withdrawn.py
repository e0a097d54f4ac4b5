"""A step that was withdrawn counts no more: not as a stale one either."""

import pytest

from tests.core.story import Story, at, begun, done
from tests.investigations.core.investigating import investigating
from wfnb.core.commands import ConfirmSteps, FinishStep
from wfnb.core.data_flow import Flow
from wfnb.core.events import Cell, Outcome, StepRepeated
from wfnb.core.queries import answer_step
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack
from wfnb.views.step_dependencies import why_data


def planned(*later):
    """Four steps without code, of which the last corrects the first: two and three are stale."""
    return Story(
        investigating("planner", pause=False),
        done("one", total=4),
        done("two"),
        done("three"),
        done("fix one", revises=1),
        *later,
    )


def test_stale_steps_that_are_withdrawn_make_no_later_step_stale_and_leave_nothing_to_confirm():
    story = planned(Backtrack(place=StepPlace(number=2)))
    assert story.session.stale == set()

    for number in (5, 6, 7):
        story.do(done(f"step {number}", next_step_needed=number < 7))

    assert story.session.stale == set()
    assert story.do(ConfirmSteps()) == []
    assert answer_step(story.session) is at(story.session, 7)


@pytest.mark.parametrize("begins", [False, True])
def test_a_withdrawn_step_that_is_changed_counts_again_and_is_stale_until_it_ends(begins):
    story = planned(Backtrack(place=StepPlace(number=2)))

    story.do((begun if begins else done)("two again", number=2))

    step = at(story.session, 2)
    assert step.is_counting
    assert step.stale == begins == (step.key in story.session.stale)


def withdrawn_mean():
    story = Story(investigating("planner", pause=False))
    story.do(done("load", total=3, flow=Flow(code="l", writes={"x": "1"})))
    key = at(story.session, 1).key
    story.do(done("mean", flow=Flow(code="m", reads={"x": ("1", key)}, writes={"y": "2"})))
    story.do(Backtrack(place=StepPlace(number=2)))
    return story


def test_what_a_withdrawn_step_read_is_known_while_its_change_runs():
    story = withdrawn_mean()

    story.do(begun("mean again", number=2, cell=Cell(id="c", source="%%step mean\ny = x")))

    assert why_data(story.session, at(story.session, 2))["known"]
    attempt = next(iter(story.session.running))
    story.do(FinishStep(attempt=attempt, outcome=Outcome()))


def test_a_withdrawn_step_that_runs_again_makes_no_step_stale_that_comes_after_it():
    story = withdrawn_mean()
    story.do(done("a word"))
    flow = Flow(code="m", reads={"x": ("1", at(story.session, 1).key)}, writes={"y": "3"})

    story.record([StepRepeated(branch="main", number=2, outcome=Outcome(), flow=flow)])

    assert at(story.session, 2).is_withdrawn
    assert story.session.stale == set()
