"""Which of the built-in kinds ask a reviewer at the end, and when."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import TURNS, found, gone, investigating
from wfnb.investigations.core.assessment import ReviewRequest, review
from wfnb.investigations.core.commands import ChooseKind
from wfnb.investigations.core.kind_reader import builtin_kinds

REVIEWED = ReviewRequest(reviewer="alice")
SKIPS: list[tuple[str, str, Mapping[str, str], ReviewRequest | str]] = [
    ("debug", "certain", {}, "confidence is certain"),
    ("debug", "high", {}, REVIEWED),
    ("analyze", "certain", {}, REVIEWED),
    ("codereview", "certain", {"review": "internal"}, "review is internal"),
    ("codereview", "certain", {"review": "external"}, REVIEWED),
    ("precommit", "high", {"review": "internal"}, "review is internal"),
    ("precommit", "certain", {}, REVIEWED),
    ("refactor", "complete", {}, "confidence is complete"),
    ("refactor", "partial", {}, REVIEWED),
    ("secaudit", "certain", {}, "confidence is certain"),
    ("secaudit", "low", {}, REVIEWED),
    ("testgen", "certain", {}, "confidence is certain"),
    ("testgen", "high", {}, REVIEWED),
    ("tracer", "low", {}, "tracer asks for no review"),
    ("docgen", "certain", {}, "confidence is certain"),
    ("docgen", "low", {}, REVIEWED),
    ("planner", "low", {}, "planner asks for no review"),
    ("thinkdeep", "certain", {}, "confidence is certain"),
    ("thinkdeep", "high", {}, REVIEWED),
    ("consensus", "low", {}, "consensus asks for no review"),
]


@pytest.mark.parametrize(("kind", "level", "fields", "wanted"), SKIPS)
def test_a_reviewer_is_asked_at_the_end_unless(kind, level, fields, wanted):
    turns = TURNS.get(kind, 4)
    story = gone(kind, turns, 4, level, **fields)
    story.do(ChooseKind(kind=builtin_kinds()[kind], pause=False, reviewer="alice"))

    assert review(story.session, at(story.session, turns)) == wanted


WORTH = {
    "a relevant file": (found(relevant="a.py"), True),
    "two findings": (found("one", "two"), True),
    "an issue": (found(issues="low: slow"), True),
    "one finding": (found("one"), False),
    "files that are not relevant": (found(files=["a.py", "b.py"]), False),
    "nothing": (None, False),
}


@pytest.mark.parametrize(("says", "worth"), WORTH.values(), ids=WORTH)
def test_a_review_needs_something_to_look_at(says, worth):
    kind = ChooseKind(kind=builtin_kinds()["debug"], reviewer="alice")
    story = Story(kind, done("a", total=1, findings=says))

    assert (review(story.session, at(story.session, 1)) == REVIEWED) == worth


def test_nobody_is_asked_where_no_reviewer_was_named_or_the_end_has_not_come():
    story = Story(investigating(pause=False), done("a", total=2, findings=found("x", "y")))
    assert review(story.session, at(story.session, 1)) == "it has not ended"

    story.do(done("b"))

    assert review(story.session, at(story.session, 2)) == "no reviewer was named"
