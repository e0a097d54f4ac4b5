"""What is recorded of a session, event for event, and how it stands after each."""

import pytest

from tests.recorded_text import sections

from .recorded_sessions import RECORDED, STORIES, told_of


@pytest.mark.parametrize("story", STORIES)
def test_a_session_is_recorded_as_it_always_was(story):
    assert told_of(story).strip().splitlines() == sections(RECORDED)[story]


def test_every_story_is_written_once():
    assert list(sections(RECORDED)) == list(STORIES)
