"""What is recorded of a run, event for event, and what the run is after it."""

import pytest

from tests.recorded_text import sections

from .recorded_runs import RECORDED, STORIES, told_of


@pytest.mark.parametrize("story", STORIES)
def test_a_run_is_recorded_as_it_always_was(story):
    assert told_of(story).strip().splitlines() == sections(RECORDED)[story]


def test_every_story_is_written_once():
    assert list(sections(RECORDED)) == list(STORIES)
