"""What may be wrong with a file: damaged, another program's, newer. It is left as it is."""

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from wfnb.core.events import BranchScored, SessionStarted
from wfnb.errors import JournalCorrupt, JournalNewer
from wfnb.journal import SqliteJournal

STARTED = SessionStarted(name="churn")


def scored(score: float) -> BranchScored:
    return BranchScored(branch="alt", score=score)


def full_journal(path: Path) -> bytes:
    """A journal of many pages, as bytes."""
    with closing(SqliteJournal(path)) as journal:
        journal.create("churn", [scored(number) for number in range(2_000)])
    return path.read_bytes()


def overwritten(content: bytes, start: float, end: float) -> bytes:
    start, end = int(len(content) * start), int(len(content) * end)
    return content[:start] + random.Random(7).randbytes(end - start) + content[end:]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"print('hello')\n" * 100,
        lambda content: random.Random(7).randbytes(len(content)),
        lambda content: content[:50],
        lambda content: content[:1000],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1000],
        lambda content: overwritten(content, 0, 0.1),
        lambda content: overwritten(content, 0.4, 0.6),
        lambda content: overwritten(content, 0.9, 1),
    ],
)
def test_a_damaged_file_is_named_and_left_as_it_is(
    disk_journal: SqliteJournal, path: Path, damage: Callable[[bytes], bytes]
):
    damaged = damage(full_journal(path))
    path.write_bytes(damaged)

    with pytest.raises(JournalCorrupt, match="cannot be read as a journal"):
        disk_journal.read(1)
    disk_journal.close()

    assert path.read_bytes() == damaged
    assert sorted(os.listdir(path.parent)) == [".gitignore", "journal.db"]


def test_a_damaged_file_that_is_moved_away_is_in_nobodys_way(
    disk_journal: SqliteJournal, path: Path
):
    path.parent.mkdir()
    path.write_text("print('hello')\n" * 100)
    with pytest.raises(JournalCorrupt):
        disk_journal.create("churn", [STARTED])

    path.rename(path.with_name("damaged.db"))
    session, written = disk_journal.create("churn", [STARTED])

    assert disk_journal.read(session) == written


def test_an_event_that_is_missing_is_noticed(disk_journal: SqliteJournal, path: Path):
    session, _ = disk_journal.create("churn", [STARTED, scored(1), scored(2)])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM event WHERE position = 2")

    with pytest.raises(JournalCorrupt, match="events of session 'churn' are missing"):
        disk_journal.read(session)


def test_an_event_that_does_not_read_is_named(disk_journal: SqliteJournal, path: Path):
    session, _ = disk_journal.create("churn", [STARTED, scored(1)])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE event SET body = '{' WHERE position = 2")

    with pytest.raises(JournalCorrupt) as error:
        disk_journal.read(session)

    assert error.value.path == str(path)
    assert error.value.what == "event 2 of session 'churn' is not as it was written"


@pytest.mark.parametrize("ask", [SqliteJournal.sessions, lambda journal: journal.create("x", [])])
def test_another_programs_database_is_left_alone(
    disk_journal: SqliteJournal, path: Path, ask: Callable[[SqliteJournal], object]
):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE session (id)")
    before = path.read_bytes()

    with pytest.raises(JournalCorrupt, match="it is another program's database"):
        ask(disk_journal)

    assert path.read_bytes() == before


@pytest.mark.parametrize("ask", [SqliteJournal.sessions, lambda journal: journal.create("x", [])])
def test_tables_of_a_newer_wfnb_are_left_alone(
    disk_journal: SqliteJournal, path: Path, ask: Callable[[SqliteJournal], object]
):
    disk_journal.create("churn", [STARTED])
    disk_journal.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version=99")
    before = path.read_bytes()

    with pytest.raises(JournalNewer, match=r"written by a newer wfnb \(its tables are version 99"):
        ask(disk_journal)
    disk_journal.close()

    assert path.read_bytes() == before
