"""Who did what is recorded with each change, and shown; a person in the notebook needs no name."""

from pathlib import Path

import pytest

import wfnb
from wfnb.author_context import author_context
from wfnb.core.events import Author
from wfnb.errors import ChangeNeeded, NothingByAuthor
from wfnb.panel import rows_page
from wfnb.views.event_sentences import Log

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


def test_redo_says_what_it_brings_back_out_of_the_middle(tmp_path):
    ws = history(tmp_path)
    undone = ws.undo(by="helper")

    assert ws.redo() == undone
    assert ws.undo() == ws.redo() == "step 2 added: Plot"


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


def test_what_a_program_did_is_taken_back_as_one_change(tmp_path):
    ws = history(tmp_path)

    said = ws.undo(by="helper")

    assert said == (
        "branch 'ridge' opened from step 1 of 'main', step ridge:2 added: Try ridge, "
        "step 1 tagged: data"
    )
    assert list(ws.session.lines) == ["main"]
    assert [step.current.description for step in ws.session.steps.values()] == ["Load", "Plot"]
    ws.redo()
    assert list(ws.session.lines) == ["main", "ridge"]


def test_what_rests_on_it_is_named_and_nothing_is_recorded(tmp_path):
    ws = history(tmp_path)
    ws.step("Ridge again", branch="ridge")
    before = ws.log.entries()

    with pytest.raises(ChangeNeeded) as refused:
        ws.undo(by="helper")

    assert str(refused.value) == (
        "Nothing was taken back: “step ridge:3 added: Ridge again · by the notebook” rests on "
        "“branch 'ridge' opened from step 1 of 'main' · by helper 2.1”. "
        "Take that back first; `--since 3` takes what came after it."
    )
    assert ws.log.entries() == before
    assert ws.undo(by="helper", since=4) == "step 1 tagged: data"


def test_an_author_who_did_nothing_is_named_with_those_who_did(tmp_path):
    ws = history(tmp_path)

    with pytest.raises(NothingByAuthor) as refused:
        ws.undo(by="helpr")

    assert str(refused.value).endswith("Changes are by: the notebook, helper 2.1.")


def test_what_another_process_took_back_is_gone_here(tmp_path):
    ws = history(tmp_path)

    wfnb.open("tides", home_folder=tmp_path).undo(by="helper")

    assert list(ws.log.refresh().lines) == ["main"]


def test_what_one_did_is_taken_back_and_nothing_of_one_whose_name_goes_on(tmp_path):
    ws = history(tmp_path)
    with author_context(Author(host="mcp", name="helper-2")):
        ws.step("Second")

    gone = ws.undo(by="helper")

    assert "Second" not in gone
    assert [step.current.description for step in ws.session.steps.values()] == [
        *("Load", "Plot", "Second"),
    ]
    assert "Second" in ws.undo(by="help")
