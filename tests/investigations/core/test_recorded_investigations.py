"""What is recorded of an investigation, event for event, and how its steps stand after each."""

import pytest

from tests.recorded_text import sections

from .recorded_investigations import RECORDED, STORIES, estimates, told_of


@pytest.mark.parametrize("story", STORIES)
def test_an_investigation_is_recorded_as_it_always_was(story):
    assert told_of(story).strip().splitlines() == sections(RECORDED)[story]


def test_as_many_steps_are_planned_for_a_problem_as_ever():
    assert estimates().splitlines() == sections(RECORDED)["estimates"]


def test_every_story_is_written_once():
    assert list(sections(RECORDED)) == [*STORIES, "estimates"]
