"""What other views say of an investigation: status, snapshot, card, comparison, log."""

import json

from tests.core.story import Story, at, done
from tests.investigations.views.inquiries import tides
from wfnb.investigations.core.commands import ChooseKind, TakeAdvice
from wfnb.investigations.core.events import Advice
from wfnb.views.event_sentences import describe
from wfnb.views.export import render_session
from wfnb.views.graphs import branch_picture
from wfnb.views.line_comparison import compare
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status
from wfnb.views.step_card import Card


def test_status_ends_with_the_checklist():
    shown = repr(Status(snapshot(tides().session)))

    assert shown.splitlines()[0] == (
        "test · 5 steps on 2 lines · debug · pause for investigation · step 3 of 6 · "
        "confidence high, rising · not solved yet: no step of main is marked as the last (`--done`)"
    )
    assert "3  Sorted?                 main                ⊖ withdrawn  confidence high" in shown
    assert shown.splitlines()[-3].startswith("☑ Run the path that fails")


def test_the_snapshot_has_the_investigation_and_no_times():
    story = tides()
    advice = Advice(adviser="alice", role="model", text="yes", seconds=1.5)
    story.do(TakeAdvice(advice=(advice,), step=at(story.session, 4).key))

    data = json.loads(render_session(story.session, ".json"))

    inquiry = data["investigation"]
    assert inquiry["checklist"][1]["ticked_by"] == "cell: days(readings)"
    assert inquiry["hypotheses"][1] == {
        "number": 2,
        "step": "parser:3",
        "text": "the parser is right",
        "fate": "discarded",
        "why": "",
    }
    assert inquiry["advice"] == [
        {
            "step": "4",
            "adviser": "alice",
            "role": "model",
            "stance": "neutral",
            "verdict": None,
            "text": "yes",
            "error": None,
        }
    ]
    assert data["steps"][3]["withdrawn"] is True
    assert data["steps"][3]["findings"] == {
        "findings": ["twice"],
        "hypothesis": "the order is bad",
        "confidence": "high",
    }


def test_a_plain_session_says_nothing_of_investigations():
    data = snapshot(Story(done("a")).session)

    assert "investigation" not in data
    assert "findings" not in data["steps"][0]


def test_a_withdrawn_step_is_hollow_in_the_history():
    assert "○    3  Sorted?                 ⊖ withdrawn" in branch_picture(tides().session).text


def test_a_card_tells_what_each_version_found():
    story = tides()

    assert "  hypothesis: the order is bad\n  finding: twice" in (
        Card(story.session, at(story.session, 3)).text
    )


def test_lines_are_compared_by_what_they_said_last():
    session = tides().session

    data = compare(session, list(session.lines.values()), frozenset(), frozenset()).to_dict()

    assert data["confidence"] == {"main": "high", "parser ⟵ 2": "medium"}


def test_the_log_says_what_was_done_in_an_investigation():
    story = tides()
    story.do(ChooseKind(kind=None))
    said = [describe(entry.event) for entry in story.log]

    assert [line for line in said if "step" not in line] == [
        "session 'test' started",
        "investigation debug begun",
        "looked at cell: days(readings), code: calls warnings",
        "looked at cell: days(readings)",
        "branch 'parser' abandoned",
        "looked at cell: days(readings)",
        "investigation given up",
    ]
    assert "withdrawn from step 3 on: the sort is stable" in said
