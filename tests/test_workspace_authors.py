"""Who did what is recorded with each change, and shown; a person in the notebook needs no name."""

from pathlib import Path

import wfnb
from wfnb.core.events import Author
from wfnb.panel import rows_page
from wfnb.session_log import author_context
from wfnb.views.log import Log

HELPER = Author(host="mcp", name="helper", version="2.1")


def history(folder: Path):
    """Two steps of the notebook, and what a program did between them."""
    ws = wfnb.open("tides", home_folder=folder)
    ws.step("Load")
    with author_context(HELPER):
        ws.step("Try ridge", branch="ridge", branch_from=1)
        ws.tag(1, "data")
    ws.step("Plot")
    return ws


def test_what_a_program_does_is_recorded_as_done_by_it(tmp_path):
    history(tmp_path)

    read = wfnb.open("tides", home_folder=tmp_path).log.entries()

    assert [entry.event.by for entry in read] == [None, None, HELPER, HELPER, HELPER, None]


def test_a_session_that_a_program_starts_is_by_it(tmp_path):
    with author_context(HELPER):
        ws = wfnb.open("tides", home_folder=tmp_path)

    assert [entry.event.by for entry in ws.log.entries()] == [HELPER]


def test_a_step_of_a_program_says_so_wherever_it_is_shown(tmp_path):
    ws = history(tmp_path)
    mine, ridge = ws.views.show(1), ws.views.show("ridge:2")

    assert "by helper 2.1" in repr(ridge)
    assert "by helper" not in repr(mine)
    assert [data.get("by") for data in ws.status()["steps"]] == [None, "helper 2.1", None]
    assert [row.get("by") for row in rows_page(ws.session, 0, 9)["rows"]] == [
        *(None, "helper 2.1", None),
    ]


def test_the_log_and_the_timeline_show_what_one_of_them_did(tmp_path):
    ws = history(tmp_path)
    entries = ws.log.entries()

    by_helper = [line.says for line in Log(entries, 30, False, by="Helper").lines]
    by_notebook = [line.position for line in Log(entries, 30, False, by="notebook").lines]
    rows = rows_page(ws.session, 0, 9, {"text": "by:helper"})["rows"]

    assert by_helper == [
        "branch 'ridge' opened from step 1 of 'main' · by helper 2.1",
        "step ridge:2 added: Try ridge · by helper 2.1",
        "step 1 tagged: data · by helper 2.1",
    ]
    assert by_notebook == [1, 2, 6]
    assert [row["title"] for row in rows] == ["Try ridge"]
