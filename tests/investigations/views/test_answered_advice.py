"""What replies of models and reviewers add to the answer of a step."""

from typing import Any

import pytest

from tests.core.story import Story, done
from tests.investigations.views.inquiries import (
    added,
    asked,
    found,
    investigating,
    looking,
    thoughts,
)
from wfnb.core.events import Outcome
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, TakeAdvice
from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.investigation import investigation_of

MODELS = {"models": ["alice:for", "bob:against", "carol"]}
REPLIES = (
    Advice(adviser="alice", role="model", stance="for", verdict="for", text="yes", seconds=1.5),
    Advice(adviser="bob", role="model", stance="against", error="no reply within 60 s"),
    Advice(adviser="carol", role="model", verdict="for", text="yes, with care"),
)


def replied(story: Story, *advice: Advice) -> None:
    now = investigation_of(story.session)
    assert now is not None
    assert now.awaiting is not None
    story.do(TakeAdvice(advice=advice, step=now.awaiting))


def test_each_step_of_a_consensus_has_the_reply_of_its_model():
    story = Story(investigating("consensus"))
    first = added(story.answer(done("Warn at 24 h?", fields=MODELS)))
    replied(story, *REPLIES)
    second = added(story.answer(done("bob")))

    assert first == {
        "status": "analysis_and_first_model_consulted",
        "next_step_required": True,
        "continuation_id": "test",
        "consensus_status": {
            "files_checked": 0,
            "relevant_files": 0,
            "relevant_context": 0,
            "issues_found": 0,
            "current_confidence": "low",
        },
        "evidence": [],
        "required_actions": asked("consensus", 1),
        "thoughts": thoughts("consensus", 1),
        "next_step_number": 2,
        "next_steps": "Step 2 with what you found.",
        "progress": {
            "done": 0.333,
            "trend": "first",
            "advice": "go on",
            "why": "step 1 of 3, confidence low",
        },
        "model_consulted": "alice:for",
        "model_error": "not asked yet",
    }
    assert second["status"] == "model_consulted"
    assert second["evidence"] == ["adviser: alice", "adviser: carol"]
    assert (second["model_consulted"], second["model_error"]) == (
        "bob:against",
        "no reply within 60 s",
    )


def test_the_end_of_a_consensus_counts_the_verdicts():
    story = Story(investigating("consensus"), done("Warn at 24 h?", fields=MODELS))
    replied(story, *REPLIES)
    story.do(done("bob"))

    answer = added(story.answer(done("Warn, both say", findings=found("agreed"))))

    assert answer["status"] == "consensus_workflow_complete"
    assert answer["required_actions"] == asked("consensus", 0)
    assert (answer["model_consulted"], answer["model_response"], answer["model_verdict"]) == (
        "carol:neutral",
        "yes, with care",
        "for",
    )
    assert answer["complete_consensus"] == {
        "initial_request": "Warn at 24 h?",
        "steps_taken": 3,
        "files_examined": [],
        "relevant_files": [],
        "relevant_context": [],
        "issues": [],
        "work_summary": "Step 1: Warn at 24 h?\nStep 2: bob\nStep 3: agreed",
        "final_analysis": "Warn, both say\nagreed",
        "confidence_level": "low",
        "models_consulted": ["alice:for", "carol:neutral"],
        "failed": {"bob:against": "no reply within 60 s"},
        "tally": {"winner": "for", "share": 1.0, "ties": [], "votes": {"for": 2}},
    }


def test_a_model_that_is_asked_again_is_shown_with_its_last_reply():
    story = Story(investigating("consensus"), done("Warn at 24 h?", fields=MODELS))
    replied(story, REPLIES[1])
    replied(story, Advice(adviser="bob", role="model", stance="against", text="no"))

    assert added(story.answer(done("bob")))["model_response"] == "no"


def test_replies_to_a_proposal_that_was_withdrawn_are_no_replies():
    story = Story(investigating("consensus"), done("Warn at 24 h?", fields=MODELS))
    replied(story, *REPLIES)
    story.do(Backtrack(place=StepPlace(number=1)))

    answer = added(story.answer(done("Warn by tide?", fields=MODELS)))

    assert answer["model_error"] == "not asked yet"


REVIEWS: dict[str, tuple[tuple[Advice, ...], dict[str, Any]]] = {
    "not asked": ((), {"adviser": "sceptic", "error": "not asked yet"}),
    "against": (
        (Advice(adviser="sceptic", role="reviewer", verdict="against", text="thin"),),
        {"adviser": "sceptic", "verdict": "against", "text": "thin"},
    ),
    "failed": (
        (Advice(adviser="sceptic", role="reviewer", error="no reply"),),
        {"adviser": "sceptic", "error": "no reply"},
    ),
}


@pytest.mark.parametrize(("advice", "review"), REVIEWS.values(), ids=REVIEWS)
def test_a_review_is_told_with_the_step_that_ends(
    advice: tuple[Advice, ...], review: dict[str, Any]
):
    story = Story(investigating(reviewer="sceptic"), done("a", total=2), looking())
    last = done("b", findings=found("x", relevant="a.py", confidence="high"))
    story.do(last)
    if advice:
        replied(story, *advice)

    again = done("b", number=2, findings=last.findings, outcome=Outcome())

    assert added(story.answer(again))["review"] == review
