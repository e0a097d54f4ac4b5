"""A step that is hidden counts no more: nor does what it found."""

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import found, investigating, looking
from wfnb.core.commands import HideSteps, ShowSteps, Undo
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.hypothesis_fates import fates
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.requirements import step_awaiting_looks
from wfnb.investigations.views.finding_entries import entries

HIDE = HideSteps(places=(StepPlace(number=2),))
FILES = {"relevant": "b.py", "files": "b.py"}


def two_steps(*later):
    return Story(
        investigating("debug", pause=False),
        done("look", total=4, findings=found("the loop ends early", hypothesis="the loop")),
        looking(),
        done("mistake", findings=found("the disk is full", hypothesis="the disk", **FILES)),
        *later,
    )


def known(story):
    now = investigation_of(story.session)
    claims = [fate.hypothesis for fate in fates(story.session)]
    titles = [entry.title for entry in entries(story.session)]
    return [*now.found.findings], [*now.found.relevant], claims, titles


ONE = (["the loop ends early"], [], ["the loop"], ["look"])


def test_what_a_hidden_step_found_is_found_again_once_it_is_shown():
    story = two_steps()
    before = known(story)

    story.do(HIDE)

    assert known(story) == ONE
    assert step_awaiting_looks(story.session) is at(story.session, 1)
    story.do(ShowSteps())
    assert known(story) == before


@pytest.mark.parametrize("words", ["mistake", "no mistake"])
def test_a_hidden_step_that_runs_again_has_found_what_it_says_then(words):
    story = two_steps(HIDE)

    story.do(done(words, number=2, findings=found("the disk is full")))

    assert [*investigation_of(story.session).found.findings] == [*ONE[0], "the disk is full"]


def test_the_same_finding_is_news_again_where_the_step_that_had_it_is_hidden():
    story = two_steps(HIDE, looking())

    story.do(done("again", findings=found("the disk is full")))

    assert known(story)[0] == [*ONE[0], "the disk is full"]
    story.do(Undo())
    assert known(story) == ONE
