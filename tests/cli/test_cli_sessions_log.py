"""What was recorded in a session, by whom, and whether all of it is whole."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import wfnb
from wfnb.author_context import author_context
from wfnb.core.events import Author
from wfnb.errors import JournalError
from wfnb.journal import SqliteJournal
from wfnb.journal.checksums import sum_of
from wfnb.journal.sqlite_runs import SUMMED

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

    assert (before.code, before.out) == (0, "✓ tides is as it was at event 3, with 1 run\n")
    assert (after.code, after.out) == (4, "✕ tides is another than it was at event 3, with 1 run\n")
    assert shared.wfnb("log", "--verify").code == 0


def journal_of(desk: Desk) -> Path:
    return desk.folder / ".wfnb" / "journal.db"


def mark_of(desk: Desk) -> str:
    return str(desk.wfnb("log", "--verify", "--json").data["sessions"][0]["mark"])


@pytest.mark.parametrize("table", ["session", "run"])
def test_each_column_of_a_row_that_was_changed_is_found(shared: Desk, table: str):
    whole = file_of(shared)
    with closing(sqlite3.connect(journal_of(shared))) as db:
        names = {row[1] for row in db.execute(INFO.format(table))}
    silent = []
    # A seal is a signature, and holds or does not.
    for name in names - {"seal"}:
        change(shared, f"UPDATE {table} SET {name} = 1 + coalesce({name}, 0)")
        if shared.wfnb("log", "--verify").code == 0:
            silent.append(name)
        restore(shared, whole)

    assert (silent, "started" in names) == ([], True)
    assert shared.wfnb("log", "--verify").code == 0


@pytest.mark.parametrize("column", ["status", "process"])
def test_a_row_of_a_run_is_compared_with_its_events(shared: Desk, column: str):
    """Anybody can make its sum anew."""
    change(shared, f"UPDATE run SET {column} = 'failed'")
    with closing(sqlite3.connect(journal_of(shared), isolation_level=None)) as db:
        row = db.execute(f"SELECT {SUMMED} FROM run").fetchone()
        db.execute("UPDATE run SET sum = ?", (sum_of(*row),))

    found = shared.wfnb("log", "--verify")

    assert (found.code, found.out) == (
        4,
        "✕ tides: run 'work-1' is another by its events: success\n",
    )


def file_of(desk: Desk) -> bytes:
    with closing(sqlite3.connect(journal_of(desk))) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return journal_of(desk).read_bytes()


def restore(desk: Desk, whole: bytes) -> None:
    for file in desk.folder.glob(".wfnb/journal.db*"):
        file.unlink()
    journal_of(desk).write_bytes(whole)


INFO = "PRAGMA table_info({})"
STAYS = {
    "session": ("id", "uid", "name", "archived", "started", "notebook", "sum"),
    "run": ("id", "session", "status", "process", "events", "changed", "sum", "seal"),
}
"""What of a row may be another later, or says itself where it is."""


def columns(desk: Desk) -> list[tuple[str, str]]:
    """All that a session is kept in."""
    with closing(sqlite3.connect(journal_of(desk))) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        found = [(name, row[1]) for (name,) in tables for row in db.execute(INFO.format(name))]
    return [(table, name) for table, name in found if name not in STAYS.get(table, ())]


def is_as_marked(desk: Desk, mark: str) -> bool:
    counts, _, digest = mark.partition(":")
    upto = tuple(map(int, counts.split(".")))
    with closing(SqliteJournal(str(journal_of(desk)))) as journal:
        try:
            return journal.digest(1, upto) == (upto, digest)
        except JournalError:
            return False


def test_a_mark_finds_any_change_of_what_was_recorded(shared: Desk):
    mark, known = mark_of(shared), columns(shared)
    whole = journal_of(shared).read_bytes()
    assert is_as_marked(shared, mark)

    silent = []
    for table, column in known:
        # As somebody would who knows how: the sums are left out, so that no event seems damaged.
        if table in ("event", "run_event"):
            change(shared, f"UPDATE {table} SET version = version & 255")
        change(shared, f"UPDATE OR REPLACE {table} SET {column} = 1 + coalesce({column}, 0)")
        if is_as_marked(shared, mark):
            silent.append((table, column))
        restore(shared, whole)

    assert ("run_event", "body") in known
    assert silent == []
    assert is_as_marked(shared, mark)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM run_event WHERE position > 2",
        "DELETE FROM run_event; DELETE FROM run",
        "UPDATE run_event SET body = replace(body, 'true', 'false'), version = version & 255",
    ],
)
def test_a_mark_finds_what_was_changed_of_a_run(shared: Desk, sql: str):
    mark = mark_of(shared)
    for each in sql.split(";"):
        change(shared, each)

    assert shared.wfnb("log", "--session", "tides", "--verify", mark).code == 4


def test_a_mark_holds_where_runs_go_on_and_others_begin(shared: Desk):
    mark = mark_of(shared)
    shared.wfnb("run", "work.yaml", "--session", "tides", "--no-save")

    found = shared.wfnb("log", "--session", "tides", "--verify", mark)

    assert (found.code, mark_of(shared) != mark) == (0, True)


def test_a_mark_from_before_runs_were_in_it_says_so(shared: Desk):
    with closing(SqliteJournal(str(journal_of(shared)))) as journal:
        (count,), digest = journal.digest(1, (3,))

    found = shared.wfnb("log", "--session", "tides", "--verify", f"{count}:{digest}")

    assert found.out == "✓ tides is as it was at event 3; the mark says nothing of runs\n"


def test_a_mark_that_is_none_is_refused(shared: Desk):
    assert shared.wfnb("log", "--verify", "nonsense").err.startswith(
        "wfnb: --verify is 'nonsense'. It needs what it said earlier"
    )


def test_without_a_session_there_is_nothing_to_log(desk: Desk):
    assert desk.wfnb("log").code == 2
    assert not (desk.folder / ".wfnb").exists()


def change(desk: Desk, statement: str) -> None:
    with closing(sqlite3.connect(journal_of(desk), isolation_level=None)) as db:
        db.execute(statement)
