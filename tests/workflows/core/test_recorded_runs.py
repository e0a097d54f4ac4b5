"""What is recorded of a run, event for event, and what the run is after it."""

import pytest

from .recorded_runs import RECORDED, STORIES, told_of


def recorded():
    sections = RECORDED.read_text("utf-8").split("## ")[1:]
    return {section.partition("\n")[0]: f"## {section}".rstrip("\n") for section in sections}


@pytest.mark.parametrize("story", STORIES)
def test_a_run_is_recorded_as_it_always_was(story):
    assert told_of(story).rstrip("\n").splitlines() == recorded()[story].splitlines()


def test_every_story_is_written_once():
    assert list(recorded()) == list(STORIES)
