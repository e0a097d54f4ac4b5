"""Journals of older versions, which know no runs or no permanent ids: read as they are, made ones
of today when written."""

import os
import shutil
import signal
import sqlite3
from contextlib import closing
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from wfnb.errors import JournalCorrupt, JournalNewer
from wfnb.journal import SqliteJournal, network_mounts, schema
from wfnb.workflows.core.events import RunEnded, RunStarted

from .processes import all_from, other_process

VERSION_1 = Path(__file__).with_name("v1.db")
VERSION_2 = VERSION_1.with_name("runs2.db")
SESSION = "(SELECT id, name, archived, started FROM session)"
STARTED = RunStarted(workflow={"name": "deploy"})


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A journal as version 1 left it, with one session."""
    return Path(shutil.copy(VERSION_1, tmp_path / "journal.db"))


def tables(path: Path) -> tuple[int, dict[str, str]]:
    """Version and definition of each table and index, as another program sees them."""
    with closing(sqlite3.connect(path)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return version, dict(db.execute("SELECT name, sql FROM sqlite_master"))


def content(path: Path, *names: str) -> list[list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as db:
        return [db.execute(f"SELECT * FROM {name}").fetchall() for name in names]


def test_an_old_journal_is_read_without_a_change_and_has_no_runs(old: Path):
    with closing(SqliteJournal(old)) as journal:
        assert journal.runs() == journal.runs(1, parent=None) == journal.find_run("deploy-1") == []
        for ask in (journal.read_run, journal.run_changed):
            with pytest.raises(JournalCorrupt, match="run 1 is not in it"):
                ask(1)
        assert len(journal.read(1)) == journal.sessions()[0].events

    assert old.read_bytes() == VERSION_1.read_bytes()


@pytest.mark.parametrize(
    "write",
    [
        lambda journal: journal.create("new", []),
        lambda journal: journal.append(1, [], after=journal.sessions()[0].events),
        lambda journal: journal.archive(1),
        lambda journal: journal.begin_run(1, "deploy", [STARTED]),
    ],
)
def test_the_first_writing_makes_an_old_journal_one_of_today(old: Path, path: Path, write):
    events = content(VERSION_1, "event")
    with closing(SqliteJournal(path)) as journal:
        journal.create("churn", [])

    with closing(SqliteJournal(old)) as journal:
        before = journal.read(1)
        write(journal)
        run, written = journal.begin_run(1, "test", [STARTED])

        assert journal.read(1) == before
        assert journal.read_run(run.id) == written
    assert tables(old) == tables(path)
    assert content(old, "event") == events


def test_an_old_journal_that_was_open_for_reading_is_made_one_of_today_too(old: Path):
    with closing(SqliteJournal(old)) as reading, closing(SqliteJournal(old)) as writing:
        assert reading.runs() == []

        run, written = writing.begin_run(1, "deploy", [STARTED])

        assert reading.runs() == [run]
        assert reading.read_run(run.id) == written
        assert reading.append_run(run.id, [RunEnded(status="success")], 1)[0].position == 2


def test_a_refused_first_writing_makes_the_tables_and_nothing_else(old: Path):
    with closing(SqliteJournal(old)) as journal:
        with pytest.raises(JournalCorrupt, match="run 1 is not in it"):
            journal.append_run(1, [STARTED], after=0)

        assert journal.runs() == []
    assert content(old, "event", SESSION) == content(VERSION_1, "event", SESSION)


def test_an_older_wfnb_refuses_a_journal_of_today_and_one_that_has_it_open_goes_on(
    old: Path, monkeypatch: pytest.MonkeyPatch
):
    with closing(SqliteJournal(old)) as older, closing(SqliteJournal(old)) as newer:
        with monkeypatch.context() as patch:
            patch.setattr(schema, "VERSION", 1)
            patch.setattr(schema, "VERSIONS", schema.VERSIONS[:1])
            older.create("before", [])
        assert tables(old)[0] == 1

        newer.create("between", [])
        older.create("after", [])
        assert [info.name for info in newer.sessions()] == ["churn", "before", "between", "after"]

        with monkeypatch.context() as patch:
            patch.setattr(schema, "VERSION", 1)
            another = SqliteJournal(old)
            with closing(another), pytest.raises(JournalNewer, match="version 4, known is 1"):
                another.sessions()


@pytest.mark.parametrize("version", [VERSION_1, VERSION_2], ids=["1", "2"])
def test_old_sessions_get_a_permanent_id_when_their_journal_is_written(
    version: Path, tmp_path: Path
):
    old = Path(shutil.copy(version, tmp_path / "journal.db"))
    with closing(SqliteJournal(old)) as journal:
        (before,) = journal.sessions()
        assert (before.uid, before.notebook) == (None, None)
        assert journal.find_uid("0" * 16) is None
        assert old.read_bytes() == version.read_bytes()

        journal.create("new", [], notebook="new.ipynb")

        first, second = journal.sessions()
        assert first == replace(before, uid=first.uid)
        assert first.uid is not None
        assert journal.find_uid(first.uid) == first.id
        assert second.uid not in (None, first.uid)


def test_a_session_that_an_older_wfnb_makes_in_a_journal_of_today_gets_a_permanent_id(old: Path):
    with closing(SqliteJournal(old)) as journal:
        journal.create("new", [])
        with closing(sqlite3.connect(old)) as older, older:
            older.execute("INSERT INTO session (name, started) VALUES ('older', 0)")

        uids = {info.uid for info in journal.sessions()}

        assert None not in uids
        assert len(uids) == 3


def begin_a_run(line: Connection, paths: list[Path]) -> None:
    for path in paths:
        line.send("ready")
        line.recv()
        with closing(SqliteJournal(path, busy=60)) as journal:
            run, _ = journal.begin_run(1, "deploy", [STARTED])
            line.send(run.name)


@pytest.mark.parametrize("table", ["a log", "a rollback journal on the network"])
def test_processes_that_migrate_a_journal_at_the_same_time_all_begin_their_run(
    tmp_path: Path, table: str, request: pytest.FixtureRequest
):
    if table != "a log":
        request.getfixturevalue("network")
    paths = [Path(shutil.copy(VERSION_1, tmp_path / f"{number}.db")) for number in range(6)]

    with (
        other_process(begin_a_run, paths) as a,
        other_process(begin_a_run, paths) as b,
        other_process(begin_a_run, paths) as c,
    ):
        for _ in paths:
            assert [line.recv() for line in (a, b, c)] == ["ready"] * 3
            for line in (a, b, c):
                line.send("go")
            assert sorted(line.recv() for line in (a, b, c)) == ["deploy-1", "deploy-2", "deploy-3"]

    for path in paths:
        assert tables(path)[0] == schema.VERSION
        with closing(SqliteJournal(path)) as journal:
            assert [run.events for run in journal.runs()] == [1, 1, 1]


def migrate_and_die(line: Connection, path: Path, table: str, at: str) -> None:
    """Begin a run, and be killed right before the statement that starts like that. A COMMIT ends
    what was asked before the migration, too."""
    network_mounts.MOUNTS = table
    connect = sqlite3.connect
    done: list[str] = []

    def watch(statement: str) -> None:
        done.append(statement.strip())
        if done[-1].startswith(at) and (at != "COMMIT" or "CREATE INDEX" in " ".join(done)):
            line.send(len(done))
            os.kill(os.getpid(), signal.SIGKILL)

    def watched(*args, **options) -> sqlite3.Connection:
        db = connect(*args, **options)
        db.execute("PRAGMA cache_size=1")
        db.set_trace_callback(watch)
        return db

    sqlite3.connect = watched
    SqliteJournal(path).begin_run(1, "deploy", [STARTED])
    line.send("survived")


@pytest.mark.parametrize("table", ["a log", "a rollback journal on the network"])
@pytest.mark.parametrize(
    "at",
    [
        "CREATE TABLE run (",
        "CREATE INDEX run_name",
        "CREATE INDEX run_parent",
        "CREATE TABLE run_event",
        "ALTER TABLE session ADD COLUMN uid",
        "ALTER TABLE session ADD COLUMN notebook",
        "UPDATE session SET uid",
        "CREATE UNIQUE INDEX session_uid",
        "CREATE TRIGGER new_session_uid",
        "PRAGMA user_version=",
        "COMMIT",
    ],
)
def test_a_migration_that_is_killed_leaves_the_journal_as_it_was(
    old: Path, at: str, table: str, request: pytest.FixtureRequest
):
    if table != "a log":
        request.getfixturevalue("network")
    before = (tables(old), content(old, "event", "session"))

    with other_process(migrate_and_die, old, network_mounts.MOUNTS, at) as line:
        (statements,) = all_from(line)

    assert isinstance(statements, int)
    assert (tables(old), content(old, "event", "session")) == before
    assert before[0][0] == 1
    with closing(SqliteJournal(old)) as journal:
        assert journal.runs() == []
        assert journal.begin_run(1, "deploy", [STARTED])[0].name == "deploy-1"
    assert tables(old)[0] == schema.VERSION
