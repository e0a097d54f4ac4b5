"""What an investigation adds to the answer of a step: the first, a pause, the end."""

import pytest

from tests.core.story import Story, done
from tests.investigations.views.inquiries import (
    added,
    asked,
    found,
    investigating,
    looking,
    thoughts,
    tides,
)
from wfnb.core.findings import Look
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, ExtendTotal
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.views.investigation_page import InvestigationPage

LONG = (
    "days are cut from the text in UTC, so that what is read after midnight is one day early " * 2
)


def test_the_first_step_of_a_debug():
    answer = Story(investigating()).answer(done("It crashes", findings=found(files="parse.py")))

    assert added(answer) == {
        "status": "pause_for_investigation",
        "next_step_required": True,
        "continuation_id": "test",
        "debug_status": {
            "files_checked": 0,
            "relevant_files": 0,
            "relevant_context": 0,
            "issues_found": 0,
            "current_confidence": "low",
        },
        "evidence": [],
        "debug_required": True,
        "required_actions": asked("debug", 0),
        "thoughts": thoughts("debug", 0),
        "next_step_number": 2,
        "next_steps": "Look first (`%wfnb look`, or run a cell), then step 2 with what you found.",
        "progress": {
            "done": 0.25,
            "trend": "first",
            "advice": "go on",
            "why": "step 1 of 4, confidence low",
        },
    }


def test_a_pause_in_the_middle():
    says = found("335 rows", confidence="medium", relevant="a.py", issues="high: no check")
    looks = (Look(kind="file", what="a.py", files=("a.py",)), Look(kind="cell", what="len(rows)"))

    answer = Story(investigating(), done("a"), looking(*looks)).answer(done("b", findings=says))

    assert added(answer) == {
        "status": "pause_for_investigation",
        "next_step_required": True,
        "continuation_id": "test",
        "debug_status": {
            "files_checked": 1,
            "relevant_files": 1,
            "relevant_context": 0,
            "issues_found": 1,
            "current_confidence": "medium",
        },
        "evidence": ["file: a.py", "cell: len(rows)", "new finding", "new issue"],
        "debug_required": True,
        "required_actions": asked("debug", 2),
        "thoughts": thoughts("debug", 2),
        "next_step_number": 3,
        "next_steps": "Look first (`%wfnb look`, or run a cell), then step 3 with what you found.",
        "progress": {
            "done": 0.5,
            "trend": "rising",
            "advice": "go on",
            "why": "step 2 of 4, confidence medium",
        },
    }


def test_an_end_that_is_earned_tells_the_whole_investigation():
    answer = tides().answer(done("It is day_of", findings=found(LONG, confidence="certain")))

    assert added(answer) == {
        "status": "certain_confidence_proceed_with_fix",
        "next_step_required": False,
        "continuation_id": "test",
        "debug_status": {
            "files_checked": 1,
            "relevant_files": 2,
            "relevant_context": 1,
            "issues_found": 2,
            "current_confidence": "certain",
        },
        "evidence": ["cell: days(readings)", "new finding"],
        "progress": {
            "done": 1.0,
            "trend": "rising",
            "advice": "finish",
            "why": "the line ends with this step",
        },
        "end": "certain at step 4 of 6, with enough evidence",
        "complete_investigation": {
            "initial_request": "One warning is missing",
            "steps_taken": 4,
            "files_examined": ["tides.py"],
            "relevant_files": ["tides.py", "gauge.py"],
            "relevant_context": ["gauge.day_of"],
            "issues": [
                {"severity": "high", "description": "the day is cut from UTC text"},
                {"severity": "low", "description": "the name is fixed"},
            ],
            "work_summary": "Step 1: 3 days, the log book says 4\n"
            "Step 2: 335 rows\n"
            "Step 4: 00:10 is counted to the day before\n"
            f"Step 5: {LONG.strip()}",
            "final_analysis": f"It is day_of\n{LONG.strip()}",
            "confidence_level": "certain",
        },
        "review": {"skipped": "no reviewer was named"},
    }


def test_an_end_that_is_not_earned_says_what_is_missing():
    story = Story(investigating(), done("a"), looking())

    answer = added(story.answer(done("b", findings=found("it is x", confidence="certain"))))

    assert answer["next_step_required"] is True
    assert answer["end"] == (
        "not ended: what is missing: findings of 12 different words or more (there are 2) "
        "and a relevant file, or a context, that was looked at"
    )
    assert "complete_investigation" not in answer


def test_confidence_that_stays_low_is_pointed_out():
    story = Story(investigating(), done("a"), looking(), done("b"), looking())

    answer = added(story.answer(done("c")))

    assert answer["stagnation"].startswith("confidence has been low for 3 steps")


def test_a_step_that_was_withdrawn_says_so_and_completes_nothing():
    story = Story(investigating(), done("a", total=1, findings=found("x")))
    story.do(Backtrack(place=StepPlace(number=1)))

    answer = added(story.answer(done("a", number=1, total=1, findings=found("x"))))

    assert answer["withdrawn"] is True
    assert "complete_investigation" not in answer


def test_without_pauses_nobody_is_told_to_look_first():
    answer = Story(investigating(pause=False)).answer(done("a"))

    assert added(answer)["next_steps"] == "Step 2 with what you found."


def test_a_file_was_checked_where_something_opened_it_and_counts_once():
    says = found(files="tides.py", relevant=["tides.py", "b.py"])
    answer = Story(investigating(), looking()).answer(done("a", findings=says))
    other = Story(investigating()).answer(done("a", findings=says))

    assert added(answer)["debug_status"]["files_checked"] == 1
    assert added(other)["debug_status"]["files_checked"] == 0


@pytest.mark.parametrize("kind", sorted(builtin_kinds()))
def test_the_line_under_a_step_has_the_whole_status(kind: str):
    fields = {"path": ".", "mode": "ask", "models": ["a"]}
    story = Story(investigating(kind, pause=False))
    says = found(LONG, relevant="a.py", confidence=builtin_kinds()[kind].confidence.sure)
    answer = story.answer(done("a", total=1, fields=fields, findings=says))

    named = answer.to_dict()["status"]

    assert f" · {named.replace('_', ' ')}<" in answer._repr_mimebundle_()["text/html"]


def test_the_line_under_a_step_tells_status_end_and_what_is_to_be_done():
    story = Story(investigating(), done("a"), looking(), ExtendTotal(more=2, reason="two parsers"))
    answer = story.answer(done("b", findings=found("it is <x>", confidence="certain")))

    html = answer._repr_mimebundle_()["text/html"]

    assert " · pause for investigation<" in html
    assert "not ended: what is missing: findings of 12 different words" in html
    assert f"☐ {asked('debug', 4)[1]}" in html


def test_an_end_after_the_end_sums_up_only_what_came_since():
    story = tides()
    whole = added(story.answer(done("It is day_of", findings=found(LONG, confidence="certain"))))

    story.do(looking())
    again = found("it is mended", confidence="certain")
    more = added(story.answer(done("And now?", next_step_needed=False, findings=again)))

    assert "Step 2: 335 rows" in whole["complete_investigation"]["work_summary"]
    assert more["complete_investigation"]["work_summary"] == (
        "Until step 5: summed up there\nStep 6: it is mended"
    )
    assert more["complete_investigation"]["initial_request"] == "One warning is missing"


@pytest.mark.parametrize(
    ("looks", "said"),
    [
        (["staged: nothing"], "nothing is staged yet"),
        (["staged: nothing", "staged: 2 files"], None),
        (["staged: 2 files", "staged: nothing in src"], None),
        (["staged: nothing", "staged: nothing in src"], "nothing is staged yet"),
        (["commit 1a2b: first"], None),
    ],
)
def test_ready_to_be_committed_says_that_nothing_is_staged_yet(looks, said):
    story = Story(investigating("precommit"))
    story.do(done("Ready?", total=2, fields={"path": ".", "review": "internal"}))
    seen = [Look(kind="git", what=what) for what in looks]
    story.do(looking(*seen, Look(kind="cell", what="run()", acts=("run",), failed=False)))

    last = found(LONG, confidence="certain", relevant="a.py")
    answer = story.answer(done("Yes", next_step_needed=False, findings=last))

    assert answer.to_dict()["status"] == "validation_complete_ready_for_commit"
    assert answer.to_dict().get("staged") == said
    assert ("nothing is staged yet" in InvestigationPage(story.session).sentence) is bool(said)
