"""An investigation as a panel shows it: what was found, what is asked for, how sure it is."""

from __future__ import annotations

from tests.core.story import Story, done
from tests.investigations.views.inquiries import found, investigating, looking, tides
from tests.views.graphs import HOSTILE
from wfnb.investigations.core.hypothesis_fates import mark_of
from wfnb.investigations.views.snapshot import investigation
from wfnb.panel import inquiry


def test_a_session_that_is_none_has_none():
    assert inquiry(Story(done("a")).session) is None


def test_it_says_what_the_snapshot_of_the_session_says():
    session = tides().session
    told, whole = inquiry(session), investigation(session)

    assert told["says"] == (
        "debug · pause for investigation · step 3 of 6 · confidence high, rising"
    )
    assert [each["level"] for each in told["confidence"]] == [
        each["level"] for each in whole["confidence"]
    ]
    assert [told["levels"][each["place"]] for each in told["confidence"]] == [
        each["level"] for each in told["confidence"]
    ]
    assert told["findings"] == whole["findings"]
    assert told["hypotheses"] == [
        {**each, "number": mark_of(each["text"])} for each in whole["hypotheses"]
    ]
    assert told["issues"] == whole["issues"]
    assert [(item["done"], item["by"]) for item in told["checklist"]][:2] == [
        (False, None),
        (True, "cell: days(readings)"),
    ]


def test_it_says_what_is_missing_to_end_where_an_end_was_asked_for():
    story = Story(investigating(), done("a"), looking())
    before = inquiry(story.session)["end"]

    story.do(done("b", findings=found("it is x", confidence="certain")))

    assert before == ""
    assert inquiry(story.session)["end"] == (
        "not ended: what is missing: findings of 12 different words or more (there are 2) "
        "and a relevant file, or a context, that was looked at"
    )


def test_before_its_first_step_it_has_not_begun():
    told = inquiry(Story(investigating()).session)

    assert (told["status"], told["says"]) == (None, "debug · not begun")
    assert told["confidence"] == told["findings"] == told["checklist"] == []


def test_long_lists_are_told_by_their_ends_and_long_texts_by_their_beginnings():
    story = Story(investigating(pause=False))
    for number in range(130):
        story.do(done(f"Step {number}", findings=found(f"{number} " + "x" * 1_000)))

    told = inquiry(story.session)

    assert len(told["findings"]) == len(told["confidence"]) == 100
    assert told["found"] == 130
    assert told["findings"][-1]["text"].startswith("129 x")
    assert all(len(each["text"]) == 400 for each in told["findings"])


def test_hostile_texts_stay_texts_of_one_line():
    said = [text for text in HOSTILE if text.isprintable() and text.strip()]
    story = Story(investigating(), done("a", findings=found(*said)))

    told = inquiry(story.session)

    assert [each["text"] for each in told["findings"]] == [
        f"{' '.join(text.split())}" if len(text) <= 400 else f"{text[:399]}…" for text in said
    ]
