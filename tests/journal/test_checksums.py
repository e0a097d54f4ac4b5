"""A disk that changed a bit, and a journal in the place of another, are noticed: never followed."""

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from wfnb.core.commands import AddStep
from wfnb.core.events import BranchScored, SessionStarted
from wfnb.errors import (
    JournalCorrupt,
    JournalError,
    JournalGone,
    JournalReplaced,
    JournalTorn,
    spoken,
)
from wfnb.home_folder import Home
from wfnb.journal import SqliteJournal
from wfnb.journal.checksums import pack_row, unpack_row
from wfnb.journal.disk_errors import journal_error
from wfnb.session_log import SessionLog
from wfnb.workflows.core.events import RunEnded, RunStarted
from wfnb.workspace import Workspace

STARTED = SessionStarted(name="churn")
RUN = RunStarted(workflow={"name": "deploy"})


def scored(score: float) -> BranchScored:
    return BranchScored(branch="alt", score=score)


CHANGES = {
    "a letter": "UPDATE event SET body = replace(body, 'alt', 'elt') WHERE position = 2",
    "a time": "UPDATE event SET at = at + 1 WHERE position = 2",
    "a type": "UPDATE event SET type = 'branch-reopened' WHERE position = 3",
    "a command": "UPDATE event SET first = 3 WHERE position = 3",
    "a sum": "UPDATE event SET version = version + 256 WHERE position = 2",
    "a version": "UPDATE event SET version = version + 1 WHERE position = 2",
    "the order": "UPDATE event SET body = (SELECT body FROM event WHERE position = 3) "
    "WHERE position = 2",
    "one lost": "DELETE FROM event WHERE position = 2",
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_event_that_is_not_as_it_was_written_is_not_read(
    disk_journal: SqliteJournal, path: Path, change: str
):
    session, _ = disk_journal.create("churn", [STARTED, scored(1), scored(2)])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(CHANGES[change])

    with pytest.raises(JournalCorrupt, match=r"is not as it was written|are missing"):
        disk_journal.read(session)


ROWS = {
    "the name of a session": "UPDATE session SET name = 'chorn'",
    "its notebook": "UPDATE session SET notebook = 'b.ipynb'",
    "whether it is archived": "UPDATE session SET archived = 1",
    "the status of a run": "UPDATE run SET status = 'success'",
    "its process": "UPDATE run SET process = 'host 1'",
}


@pytest.mark.parametrize("change", ROWS)
def test_a_session_or_run_that_is_not_as_it_was_written_is_not_told_of(
    disk_journal: SqliteJournal, path: Path, change: str
):
    session, _ = disk_journal.create("churn", [STARTED], notebook="a.ipynb")
    disk_journal.begin_run(session, "deploy", [RUN])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for table in ("session", "run"):  # a disk runs no triggers
            db.execute(f"DROP TRIGGER {table}_changed_without_sum")
        db.execute(ROWS[change])

    changed = ROWS[change].split()[1]
    asks = {
        "session": (disk_journal.sessions, lambda: disk_journal.find("churn")),
        "run": (disk_journal.runs, lambda: disk_journal.find_run("deploy-1")),
    }
    for ask in asks[changed]:
        with pytest.raises(JournalCorrupt, match="is not as it was written"):
            ask()


@pytest.mark.parametrize(
    "column", ["process", "started", "changed", "workflow", "name", "step", "events"]
)
def test_a_run_that_another_program_changed_is_not_told_of(
    disk_journal: SqliteJournal, path: Path, column: str
):
    """It leaves the sum away, as an older wfnb does, which cannot read such a run."""
    session, _ = disk_journal.create("churn", [STARTED])
    run, _ = disk_journal.begin_run(session, "deploy", [RUN])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"UPDATE run SET {column} = 1 + coalesce({column}, 0)")

    for ask in (disk_journal.runs, disk_journal.going_runs, lambda: disk_journal.read_run(run.id)):
        with pytest.raises(JournalCorrupt, match="run 1 is not as it was written"):
            ask()


def test_a_run_of_an_older_wfnb_is_told_of_as_that_leaves_it(
    disk_journal: SqliteJournal, path: Path
):
    session, _ = disk_journal.create("churn", [STARTED])
    disk_journal.begin_run(session, "deploy", [RUN])
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        older.execute("UPDATE run_event SET version = version & 255")
        older.execute("UPDATE run SET status = 'failed'")

    assert [info.status for info in disk_journal.runs()] == ["failed"]


def test_what_an_older_wfnb_writes_meanwhile_is_read_and_gone_on_from(
    disk_journal: SqliteJournal, path: Path
):
    """It has the file open, and knows no sums."""
    session, _ = disk_journal.create("churn", [STARTED])
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        row = older.execute("SELECT * FROM event").fetchone()
        older.execute("INSERT INTO event VALUES (?, 2, 2, ?, 1, ?, ?)", (row[0], row[3], *row[5:]))
        older.execute("UPDATE session SET name = 'drift'")

    written = disk_journal.append(session, [scored(1)], 2)

    assert disk_journal.read(session)[2:] == written
    assert disk_journal.sessions()[0].name == "drift"
    assert disk_journal.find("drift") == session


def test_an_older_wfnb_takes_an_event_with_a_sum_for_one_of_a_newer(disk_journal: SqliteJournal):
    row = (1, 1, "step-added", 3, "{}", 0.0)

    kept = pack_row(row, 1 << 32 | 7)

    assert kept[3] > 1 << 32
    assert unpack_row(kept) == (row, 1 << 32 | 7)
    assert unpack_row(row) == (row, 0)


def workspace(path: Path, name: str, steps: int) -> Workspace:
    made = Home(path).start(name)
    for number in range(steps):
        made.step(f"{name} {number}")
    return made


@pytest.mark.parametrize("steps", [2, 4, 20])
@pytest.mark.parametrize("name", ["mine", "theirs"])
def test_nothing_is_written_into_a_journal_in_the_place_of_another(
    tmp_path: Path, name: str, steps: int
):
    """However long it is, and also where it is of a session of the same name."""
    mine = workspace(tmp_path / "a" / ".wfnb", "mine", 4)
    workspace(tmp_path / "b" / ".wfnb", name, steps)
    shutil.rmtree(tmp_path / "a" / ".wfnb")
    shutil.copytree(tmp_path / "b" / ".wfnb", tmp_path / "a" / ".wfnb")
    with closing(SqliteJournal(tmp_path / "a" / ".wfnb" / "journal.db")) as there:
        before = there.read(1)

    for ask in (
        lambda: mine.step("more"),
        mine.log.refresh,
        lambda: mine.log.do(AddStep(description="b")),
    ):
        with pytest.raises(JournalError, match=r"file was replaced|ends at event"):
            ask()

    assert len(mine.session.steps) == 4
    with closing(SqliteJournal(tmp_path / "a" / ".wfnb" / "journal.db")) as there:
        assert there.read(1) == before


def test_a_copy_that_went_on_elsewhere_is_another_journal(tmp_path: Path):
    """The same session, by its name and its permanent id, with other steps since."""
    here, away = tmp_path / "here", tmp_path / "away"
    mine = workspace(here, "mine", 2)
    mine.log.journal.close()
    shutil.copytree(here, away)
    mine.step("here")
    other = Home(away).resume("mine")
    for number in range(5):
        other.step(f"away {number}")
    other.log.journal.close()
    mine.log.journal.close()
    shutil.rmtree(here)
    shutil.copytree(away, here)

    with pytest.raises(JournalReplaced, match="Nothing was written into it"):
        mine.step("here, too")


def test_a_run_is_not_gone_on_with_in_another_journal(tmp_path: Path):
    paths = [tmp_path / name / "journal.db" for name in ("a", "b")]
    journals = [
        SqliteJournal(path, clock=iter(range(n, 99, 2)).__next__) for n, path in enumerate(paths)
    ]
    for journal in journals:
        session, _ = journal.create("s", [])
        run, _ = journal.begin_run(session, "deploy", [RUN])
        journal.close()
    shutil.copy(paths[1], paths[0])

    with pytest.raises(JournalReplaced):
        journals[0].append_run(run.id, [RunEnded(status="success")], 1, status="success")

    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_folder_that_is_deleted_while_it_is_used_is_told_as_that(tmp_path: Path):
    mine = workspace(tmp_path / ".wfnb", "mine", 2)
    shutil.rmtree(tmp_path / ".wfnb")

    with pytest.raises(JournalGone, match="was moved or deleted while it was in use"):
        mine.step("more")

    assert not (tmp_path / ".wfnb").exists()


def test_a_folder_that_is_deleted_while_a_run_goes_on_is_told_as_that(tmp_path: Path):
    home = Home(tmp_path / ".wfnb")
    removes = {"command": f"rm -r {tmp_path / '.wfnb'}"}
    runner = home.runner(home.start("mine").log, tmp_path)

    with pytest.raises(JournalGone, match="was moved or deleted while it was in use"):
        runner.run({"steps": [{"id": "a", "tool": "shell", "args": removes}]})


@pytest.mark.parametrize(
    "rows",
    ["DELETE FROM event WHERE position = 3", "UPDATE event SET position = 9 WHERE position = 3"],
)
def test_rows_that_contradict_each_other_end_in_a_sentence(tmp_path: Path, rows: str):
    """And in no loop: that the journal went on, and that there is nothing to read."""
    mine = workspace(tmp_path / ".wfnb", "mine", 2)
    with closing(sqlite3.connect(tmp_path / ".wfnb" / "journal.db", isolation_level=None)) as db:
        db.execute(rows)

    with pytest.raises(JournalError) as error:
        mine.step("more")

    assert "\n" not in str(error.value)


def test_a_conflict_without_anything_new_is_no_reason_to_try_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    mine = workspace(tmp_path / ".wfnb", "mine", 2)
    monkeypatch.setattr(mine.log.journal, "read", lambda session, after=0: [])
    monkeypatch.setattr(
        "wfnb.journal.sqlite.SqliteJournal._session", lambda *given: ("mine", False, 99)
    )

    with pytest.raises(JournalCorrupt, match="what came after event 3 does not read"):
        mine.step("more")


def test_events_that_do_not_fit_each_other_end_in_a_sentence(disk_journal: SqliteJournal):
    """Old journals have no sums: there a disk may make such a history."""
    session, _ = disk_journal.create("churn", [STARTED, scored(1)])

    with pytest.raises(JournalCorrupt, match="its rows do not fit each other: KeyError"):
        SessionLog(disk_journal, session)


def test_what_is_recorded_is_in_the_file_itself_when_the_journal_is_closed(path: Path):
    with closing(SqliteJournal(path)) as other:
        other.create("open elsewhere", [])
        with closing(SqliteJournal(path)) as journal:
            journal.create("churn", [STARTED, scored(1)])
        copy = Path(shutil.copy(path, path.with_name("copy.db")))

        with closing(SqliteJournal(copy)) as copied:
            assert [info.events for info in copied.sessions()] == [0, 2]


def test_a_file_that_was_copied_without_its_log_says_what_is_missing(path: Path):
    """As older versions wrote it: tables and all in the log alone, for as long as it was open."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")

    for ask in (SqliteJournal.sessions, lambda journal: journal.create("x", [])):
        with closing(SqliteJournal(path)) as journal, pytest.raises(JournalTorn, match="Copy both"):
            ask(journal)


def test_a_new_journal_has_its_tables_before_it_has_a_log(path: Path):
    with closing(SqliteJournal(path)) as journal:
        journal.create("churn", [STARTED])
        copy = Path(shutil.copy(path, path.with_name("copy.db")))

        with closing(SqliteJournal(copy)) as copied:
            assert copied.sessions() == []


ERRORS = {
    "reading": ("SQLITE_IOERR_READ", "The disk failed at"),
    "a short read": ("SQLITE_IOERR_SHORT_READ", "The disk failed at"),
    "syncing": ("SQLITE_IOERR_FSYNC", "The disk failed at"),
    "writing": ("SQLITE_IOERR_WRITE", "The disk failed at"),
    "sharing": ("SQLITE_IOERR_SHMOPEN", "The disk failed at"),
    "sharing more": ("SQLITE_IOERR_SHMSIZE", "The disk failed at"),
    "full": ("SQLITE_FULL", "There is no room left for"),
    "corrupt": ("SQLITE_CORRUPT", "cannot be read as a journal"),
}


@pytest.mark.parametrize("what", ERRORS)
def test_an_error_of_the_disk_is_told_as_what_it_is(tmp_path: Path, what: str):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname, words = ERRORS[what]

    said = str(journal_error(str(tmp_path / "journal.db"), error))

    assert words in said
    assert "move it away" not in said
    assert "wfnb start" in spoken(said) or "%wfnb" in said


def asked(path: Path, read_only: bool = False) -> object:
    """All that a journal tells."""
    with closing(SqliteJournal(path, read_only=read_only)) as journal:
        sessions = journal.sessions()
        runs = [(run, journal.read_run(run.id)) for run in journal.runs()]
        named = [(journal.find(info.name), journal.find_uid(info.uid or "")) for info in sessions]
        return sessions, [journal.read(info.id) for info in sessions], runs, named


def flipped(content: bytes, signs: random.Random) -> bytes:
    at = signs.randrange(len(content) * 8)
    changed = bytearray(content)
    changed[at // 8] ^= 1 << at % 8
    return bytes(changed)


@pytest.mark.parametrize(("bits", "read_only"), [(1, False), (1, True), (12, True)])
def test_a_flipped_bit_changes_nothing_or_is_told(path: Path, bits: int, read_only: bool):
    with closing(SqliteJournal(path)) as journal:
        for name in ("churn", "drift"):
            session, _ = journal.create(name, [STARTED, *map(scored, range(20))])
            run, _ = journal.begin_run(session, "deploy", [RUN], process="host 1 2")
            journal.append_run(run.id, [RunEnded(status="success")], 1, status="success")
    content, told = path.read_bytes(), asked(path)
    signs = random.Random(11)
    silent = []
    for trial in range(200):
        other = path.with_name(f"{trial}.db")
        changed = content
        for _ in range(bits):
            changed = flipped(changed, signs)
        other.write_bytes(changed)
        try:
            if asked(other, read_only) != told:
                silent.append(trial)
        except JournalError:
            pass
        for end in ("", "-wal", "-shm"):
            if os.path.exists(f"{other}{end}"):
                os.unlink(f"{other}{end}")

    assert silent == []
