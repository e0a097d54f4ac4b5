"""What became of lines is said where a session stands, and in its report."""

from __future__ import annotations

from tests.core.story import DECIDED, Story, done
from wfnb.core.commands import MergeBranch
from wfnb.views.report import report
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status


def decided():
    return Story(*DECIDED).session


def test_a_status_says_beside_each_step_what_became_of_its_line():
    status = Status(snapshot(decided()))

    assert [row[2] for row in status.table.rows] == [
        *("main", "main"),
        "tree · abandoned",
        "line · passed over",
        "net · selected",
    ]


def test_the_data_of_a_status_has_the_line_that_was_passed_over():
    lines = snapshot(decided())["lines"]

    assert [line["id"] for line in lines if line["over"]] == ["line"]
    assert [line["state"] for line in lines] == ["open", "abandoned", "open", "selected"]


def test_a_report_says_it_under_the_heading_of_the_line():
    said = report(decided()).markdown

    assert "## line, from step 1 of main\n\npassed over\n" in said


def test_a_line_that_was_merged_is_said_with_the_one_it_went_into():
    session = Story(done("a"), done("b", branch="alt", leaves=1), MergeBranch(branch="alt")).session

    assert "## alt, from step 1 of main\n\nmerged into main\n" in report(session).markdown


def test_a_status_of_the_latest_steps_says_how_many_there_are_and_are_stale():
    session = decided()
    session.steps[min(session.steps)].unrecorded = True
    whole = snapshot(session)
    shown = snapshot(session, latest=2)

    assert shown["steps"] == whole["steps"][-2:]
    assert shown["earlier"] == {"steps": len(whole["steps"]) - 2, "stale": 1}
    assert Status(shown).sentence == f"{Status(whole).sentence} · the last 2 steps"
