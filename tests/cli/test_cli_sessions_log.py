"""What was recorded in a session, by whom, and whether all of it is whole."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import wfnb
from wfnb.authorship import author_context
from wfnb.core.events import Author

from .command import Desk, steps

HELPER = Author(host="mcp", name="helper", version="2.1")


@pytest.fixture
def shared(desk: Desk) -> Desk:
    """A session of a notebook and a program, and a run in it."""
    ws = wfnb.open("tides", home_folder=desk.folder / ".wfnb")
    ws.step("Load")
    with author_context(HELPER):
        ws.step("Fit")
    desk.write(steps("true"), "work.yaml")
    desk.wfnb("run", "work.yaml", "--session", "tides", "--no-save")
    return desk


def says(lines: list[str]) -> list[str]:
    return [line.split(" ", 1)[1] for line in lines]


def test_a_session_is_logged_with_who_did_what(shared: Desk):
    assert says(shared.wfnb("log").lines) == [
        "1 session 'tides' started · by the notebook",
        "2 step 1 added: Load · by the notebook",
        "3 step 2 added: Fit · by helper 2.1",
    ]
    assert says(shared.wfnb("log", "--by", "helper").lines) == [
        "3 step 2 added: Fit · by helper 2.1"
    ]


def test_as_json_it_is_an_object_a_line_with_all_that_was_recorded(shared: Desk):
    *_, last = map(json.loads, shared.wfnb("log", "--session", "tides", "--json").lines)

    assert (last["position"], last["event"], last["by"]) == (3, "step-added", "helper 2.1")
    assert last["recorded"]["description"] == "Fit"
    assert last["recorded"]["by"] == {"host": "mcp", "name": "helper", "version": "2.1"}


def test_what_comes_is_followed_line_by_line(shared: Desk):
    with shared.begun("log", "--follow", "--json") as following:
        for _ in range(3):
            following.stdout.readline()
        wfnb.open("tides", home_folder=shared.folder / ".wfnb").step("Plot")

        assert json.loads(following.stdout.readline())["says"] == "step 3 added: Plot"
        following.kill()


def test_a_journal_that_is_whole_is_said_to_be(shared: Desk):
    found = shared.wfnb("log", "--verify", "--json").data["sessions"]

    assert [(each["session"], each["events"], each["fault"]) for each in found] == [
        ("tides", 3, None)
    ]
    assert shared.wfnb("log", "--verify").out == (
        f"✓ tides · 3 events as they were written · {found[0]['mark']}\n"
    )


def test_an_event_that_was_changed_is_named(shared: Desk):
    change(shared, "UPDATE event SET body = replace(body, 'Load', 'Lead')")

    found = shared.wfnb("log", "--verify")

    assert found.code == 4
    assert found.out == "✕ tides: event 2 of session 'tides' is not as it was written\n"


def test_a_session_without_its_events_is_not_whole(shared: Desk):
    change(shared, "DELETE FROM event")

    found = shared.wfnb("log", "--verify")

    assert (found.code, found.out) == (4, "✕ tides: events of session 'tides' are missing\n")


def test_a_run_that_was_changed_is_found_as_well(shared: Desk):
    change(shared, "DELETE FROM run_event WHERE position = 2")

    found = shared.wfnb("log", "--verify")

    assert (found.code, "missing" in found.out) == (4, True)


def test_what_was_noted_earlier_finds_what_was_written_anew(shared: Desk):
    """Who writes all sums anew, or takes the last events away, leaves a journal that is whole."""
    mark = shared.wfnb("log", "--verify", "--json").data["sessions"][0]["mark"]
    wfnb.open("tides", home_folder=shared.folder / ".wfnb").step("Plot")
    before = shared.wfnb("log", "--verify", mark)
    change(shared, "DELETE FROM event WHERE position >= 3")

    after = shared.wfnb("log", "--verify", mark)

    assert (before.code, before.out) == (0, "✓ tides is as it was at event 3\n")
    assert (after.code, after.out) == (4, "✕ tides is another than it was at event 3\n")
    assert shared.wfnb("log", "--verify").code == 0


def test_a_mark_that_is_none_is_refused(shared: Desk):
    assert shared.wfnb("log", "--verify", "nonsense").err.startswith(
        "wfnb: --verify is 'nonsense'. It needs what it said earlier"
    )


def test_without_a_session_there_is_nothing_to_log(desk: Desk):
    assert desk.wfnb("log").code == 2
    assert not (desk.folder / ".wfnb").exists()


def change(desk: Desk, statement: str) -> None:
    path: Path = desk.folder / ".wfnb" / "journal.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement)
