"""One file of SQLite: where it is, and how it is written and read."""

import gc
import os
import signal
import sqlite3
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from wfnb.core.events import BranchScored, SessionStarted
from wfnb.errors import JournalGone
from wfnb.journal import SqliteJournal, schema

from .processes import all_from, other_process

STARTED = SessionStarted(name="churn")
WAL, ROLLBACK = b"\2\2", b"\1\1"


def scored(score: float) -> BranchScored:
    return BranchScored(branch="alt", score=score)


def how_written(path: Path) -> bytes:
    """The two bytes of a SQLite file that say with which kind of journal it is written."""
    return path.read_bytes()[18:20]


def test_the_folder_is_made_at_the_first_writing_and_kept_out_of_git(
    disk_journal: SqliteJournal, path: Path
):
    disk_journal.create("churn", [STARTED])

    assert (path.parent / ".gitignore").read_text() == "journal.db*\n"


def test_a_folder_that_is_there_stays_as_it_is(disk_journal: SqliteJournal, path: Path):
    path.parent.mkdir()

    disk_journal.create("churn", [STARTED])
    disk_journal.close()

    assert os.listdir(path.parent) == ["journal.db"]


def test_a_journal_stays_where_it_was_when_the_process_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    with closing(SqliteJournal("journal.db")) as journal:
        os.mkdir("elsewhere")
        monkeypatch.chdir("elsewhere")

        session, written = journal.create("churn", [STARTED])

        assert journal.place == str(tmp_path / "journal.db")
        assert journal.read(session) == written
    assert os.listdir() == []


def test_any_name_of_a_file_will_do(tmp_path: Path):
    path = tmp_path / "a b?mode=ro#c%41é" / "journal.db"
    with closing(SqliteJournal(path)) as journal:
        session, written = journal.create("churn", [STARTED])

        assert journal.read(session) == written
    assert path.exists()


def test_a_journal_that_was_taken_away_is_not_written_where_nobody_finds_it(
    disk_journal: SqliteJournal, path: Path
):
    session, _ = disk_journal.create("churn", [STARTED])
    path.rename(path.with_name("away.db"))

    with pytest.raises(JournalGone, match="is not there any more: it was moved or deleted"):
        disk_journal.append(session, [scored(1)], after=1)
    with pytest.raises(JournalGone):
        disk_journal.read(session)

    assert not path.exists()
    assert disk_journal.sessions() == []
    assert disk_journal.create("new", [])[0] == 1


def test_a_file_from_before_is_read_when_it_comes_back(disk_journal: SqliteJournal, path: Path):
    session, written = disk_journal.create("churn", [STARTED])
    disk_journal.close()
    copy = path.read_bytes()
    disk_journal.append(session, [scored(1)], after=1)
    disk_journal.close()

    path.unlink()
    path.write_bytes(copy)

    assert disk_journal.read(session) == written


def test_processes_of_one_machine_share_a_write_ahead_log(disk_journal: SqliteJournal, path: Path):
    disk_journal.create("churn", [STARTED])

    assert how_written(path) == WAL


def test_a_network_file_system_gets_a_rollback_journal(
    disk_journal: SqliteJournal, path: Path, network: Path
):
    session, written = disk_journal.create("churn", [STARTED])

    assert how_written(path) == ROLLBACK
    assert disk_journal.read(session) == written


def test_a_journal_that_moves_to_a_network_file_system_gets_a_rollback_journal(
    disk_journal: SqliteJournal, path: Path, request: pytest.FixtureRequest
):
    session, _ = disk_journal.create("churn", [STARTED])
    disk_journal.close()

    request.getfixturevalue("network")
    disk_journal.append(session, [scored(1)], after=1)

    assert how_written(path) == ROLLBACK
    assert [entry.event for entry in disk_journal.read(session)] == [STARTED, scored(1)]


def write_until_killed(line: Connection, path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA cache_size=1")  # pages go to the file before the end of the transaction
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE event SET body = body || hex(zeroblob(3000))")
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_a_killed_process_had_begun_is_not_read_nor_the_rest_refused(
    disk_journal: SqliteJournal, path: Path, network: Path
):
    session, written = disk_journal.create("churn", [STARTED, *map(scored, range(50))])
    disk_journal.close()
    with other_process(write_until_killed, path) as line:
        assert all_from(line) == []
    files = {file: file.read_bytes() for file in path.parent.glob(f"{path.name}*")}

    read = SqliteJournal(path, read_only=True).read(session)

    assert read == written
    assert files == {file: file.read_bytes() for file in path.parent.glob(f"{path.name}*")}
    assert max(len(content) for file, content in files.items() if file != path) > 0
    assert disk_journal.read(session) == written


def test_without_shared_memory_there_is_a_rollback_journal(path: Path):
    with closing(SqliteJournal(path, vfs="unix-dotfile")) as journal:
        session, written = journal.create("churn", [STARTED])

        assert how_written(path) == ROLLBACK
        assert journal.read(session) == written


@pytest.mark.parametrize(
    ("vfs", "mode", "synchronous"), [("unix", "wal", 1), ("unix-dotfile", "truncate", 2)]
)
def test_a_rollback_journal_is_flushed_at_each_writing_a_log_when_it_is_merged(
    tmp_path: Path, vfs: str, mode: str, synchronous: int
):
    file = f"file:{tmp_path / 'journal.db'}?vfs={vfs}"
    with closing(sqlite3.connect(file, uri=True, isolation_level=None)) as db:
        schema.prepare(db, str(tmp_path / "journal.db"))

        assert db.execute("PRAGMA journal_mode").fetchone() == (mode,)
        assert db.execute("PRAGMA synchronous").fetchone() == (synchronous,)


@pytest.mark.parametrize("enabled", [True, False])
def test_reading_a_long_history_leaves_the_garbage_collector_as_it_was(
    disk_journal: SqliteJournal, enabled: bool, request: pytest.FixtureRequest
):
    session, written = disk_journal.create("churn", [scored(1)] * 12_000)
    request.addfinalizer(gc.enable)
    if not enabled:
        gc.disable()
    gc.unfreeze()  # a worker of the tests is frozen, as a kernel is not
    request.addfinalizer(gc.freeze)

    assert disk_journal.read(session) == written
    assert (gc.isenabled(), gc.get_freeze_count()) == (enabled, 0)
