"""A long timeline is read in pages, all of it or what a filter lets pass."""

from __future__ import annotations

import pytest

from tests.core.story import Story, done, following
from tests.investigations.views.inquiries import tides
from wfnb.core.events import Outcome
from wfnb.panel import rows_page, snapshot
from wfnb.panel.timeline import MAX_ROWS
from wfnb.views.snapshot import snapshot as snapshot_of
from wfnb.views.status import Status


def history() -> Story:
    return Story(
        done("Load the *Readings*\n\nof all days"),
        done("Fit", outcome=Outcome(status="failed")),
        done("Try ridge", branch="ridge", leaves=1),
        done("Plot the readings"),
        done("Fit again", revises=2),
    )


@pytest.mark.parametrize(
    ("filter", "passing"),
    [
        (None, [0, 1, 2, 3, 4]),
        ({}, [0, 1, 2, 3, 4]),
        ({"text": ""}, [0, 1, 2, 3, 4]),
        ({"branch": "ridge"}, [2]),
        ({"outcome": "failed"}, [1]),
        ({"outcome": "stale"}, [3]),
        ({"outcome": "ok", "branch": "main"}, [0, 3, 4]),
        ({"text": "READINGS"}, [0, 3]),
        ({"text": "  readings days "}, [0]),
        ({"stage": "plan"}, []),
    ],
)
def test_a_filter_lets_pass(filter, passing):
    page = rows_page(history().session, 0, 10, filter)

    assert [row["index"] for row in page["rows"]] == passing
    assert (page["first"], page["count"]) == (0, len(passing))


def test_a_stage_is_what_can_be_filtered_by():
    session = Story(following("react"), done("a", stage="problem_reception")).session

    assert rows_page(session, 0, 9, {"stage": "problem_reception"})["count"] == 1


def test_a_page_is_a_part_of_what_passes_and_no_more_than_five_hundred():
    session = Story(*(done(f"Step {number}") for number in range(600))).session

    page = rows_page(session, 590, 20)
    found = rows_page(session, 2, 2, {"text": "step 59"})

    assert [row["index"] for row in page["rows"]] == list(range(590, 600))
    assert ([row["index"] for row in found["rows"]], found["count"]) == ([259, 359], 16)
    assert len(rows_page(session, -5, 10**9)["rows"]) == MAX_ROWS
    assert rows_page(session, 0, -1)["rows"] == []
    assert rows_page(session, 10**9, 5) == {"first": 10**9, "count": 600, "rows": []}


def test_a_snapshot_has_the_newest_rows_and_says_how_many_there_are():
    session = Story(*(done(f"Step {number}") for number in range(100))).session

    told = snapshot(session, last=3)

    assert [row["index"] for row in told["rows"]] == [97, 98, 99]
    assert told["count"] == told["head"]["steps"] == 100
    assert len(snapshot(session)["rows"]) == 60


def test_a_row_says_all_that_a_line_of_the_timeline_shows():
    session = history().session
    rows = rows_page(session, 0, 9, runs={2: ["deploy-1"]})["rows"]

    assert rows[0] == {
        "index": 0,
        "key": 2,
        "number": 1,
        "branch": "main",
        "title": "Load the Readings",
        "outcome": "ok",
        "stale": False,
        "stage": None,
        "revises": None,
        "revised_by": None,
        "attempts": 1,
        "versions": 1,
        "cell_id": None,
        "part": 0,
        "kept": 0,
        "duration": None,
        "runs": ["deploy-1"],
        "confidence": None,
    }
    assert (rows[1]["revised_by"], rows[4]["revises"], rows[3]["stale"]) == (4, 2, True)


def test_a_step_of_an_investigation_says_its_confidence_and_whether_it_counts():
    rows = rows_page(tides().session, 0, 9)["rows"]

    assert [row["confidence"] for row in rows] == ["low", "low", "medium", "high", "high"]
    assert [row.get("withdrawn", False) for row in rows] == [False, False, False, True, False]


def test_a_step_is_revised_by_one_of_another_line_by_the_name_of_that():
    session = Story(*map(done, "abc"), done("B", branch="alt", leaves=2, revises=2)).session

    assert [row["revised_by"] for row in rows_page(session, 0, 9)["rows"]][1] == "alt:3"
    assert Status(snapshot_of(session)).table.rows[1][-1] == "revised by alt:3"
