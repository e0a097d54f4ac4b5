"""A disk that says no for a while: read-only, or full. What was recorded stays readable."""

import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from wfnb.core.events import BranchScored, Recorded, SessionStarted
from wfnb.errors import JournalFull, JournalReadOnly, JournalUnreadable
from wfnb.journal import SqliteJournal

STARTED = SessionStarted(name="churn")


def scored(score: float) -> BranchScored:
    return BranchScored(branch="alt", score=score)


VERSION_1 = Path(__file__).with_name("v1.db")
ROOT = os.getuid() == 0


@contextmanager
def user(id: int) -> Iterator[None]:
    """As another user, where the tests run as root: for root nothing is read-only."""
    before = os.geteuid()
    if ROOT:
        os.seteuid(0)
        os.seteuid(id)
    try:
        yield
    finally:
        if ROOT:
            os.seteuid(0)
            os.seteuid(before)


def plain_user() -> AbstractContextManager[None]:
    return user(65534)


def owner() -> AbstractContextManager[None]:
    return user(os.getuid())


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user may enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for found in (folder, *folder.rglob("*")):
        found.chmod(0o755)
    shutil.rmtree(folder)


def test_a_read_only_journal_can_be_read_and_is_written_when_it_may_be(public: Path):
    path = public / ".wfnb" / "journal.db"
    with closing(SqliteJournal(path)) as journal:
        session, written = journal.create("churn", [STARTED])
    path.chmod(0o444)
    path.parent.chmod(0o555)

    with closing(SqliteJournal(path)) as journal:
        with plain_user():
            assert journal.read(session) == written
            assert [info.name for info in journal.sessions()] == ["churn"]
            with pytest.raises(JournalReadOnly, match="cannot be written"):
                journal.append(session, [scored(1)], after=1)
        path.chmod(0o666)
        path.parent.chmod(0o777)
        with plain_user():
            assert journal.append(session, [scored(1)], after=1)[0].position == 2


def test_reading_a_read_only_journal_leaves_nothing_that_stays_read_only(public: Path):
    path = public / ".wfnb" / "journal.db"
    with closing(SqliteJournal(path)) as journal:
        session, written = journal.create("churn", [STARTED])
    path.chmod(0o444)
    path.parent.chmod(0o777)

    with closing(SqliteJournal(path)) as journal, plain_user():
        assert journal.read(session) == written
        assert sorted(os.listdir(path.parent)) == [".gitignore", "journal.db"]
        with owner():
            path.chmod(0o666)
        assert journal.append(session, [scored(1)], after=1)[0].position == 2


def test_a_write_that_is_refused_leaves_nothing_that_stays_read_only(public: Path):
    public.chmod(0o777)
    path = public / ".wfnb" / "journal.db"
    with plain_user():
        with closing(SqliteJournal(path)) as journal:
            session, _ = journal.create("churn", [STARTED])
        path.chmod(0o444)

        with closing(SqliteJournal(path)) as journal, pytest.raises(JournalReadOnly):
            journal.append(session, [scored(1)], after=1)
        left = sorted(os.listdir(path.parent))
        path.chmod(0o644)
        with closing(SqliteJournal(path)) as journal:
            assert journal.append(session, [scored(1)], after=1)[0].position == 2

    assert left == [".gitignore", "journal.db"]


def test_a_journal_that_was_not_closed_can_be_read_read_only(public: Path):
    """As a killed kernel leaves it: with the log beside it, and what is not merged in there."""
    path = public / ".wfnb" / "journal.db"
    copies = public / "copies"
    with closing(SqliteJournal(path)) as journal:
        session, written = journal.create("churn", [STARTED])
        shutil.copytree(path.parent, copies)
    assert sorted(os.listdir(copies))[1:] == ["journal.db", "journal.db-shm", "journal.db-wal"]
    for copy in copies.iterdir():
        copy.chmod(0o444)
    copies.chmod(0o555)

    with plain_user(), closing(SqliteJournal(copies / path.name)) as journal:
        assert journal.read(session) == written


def test_a_log_that_cannot_be_read_is_not_passed_over(public: Path):
    """Without the log, the file would answer with an older history."""
    path = public / ".wfnb" / "journal.db"
    copies = public / "copies"
    with closing(SqliteJournal(path)) as journal:
        session, _ = journal.create("churn", [STARTED])
        journal.close()
        journal.append(session, [scored(1)], after=1)
        shutil.copytree(path.parent, copies, ignore=shutil.ignore_patterns("*-shm"))
    copies.chmod(0o555)

    journal = SqliteJournal(copies / path.name)
    with plain_user(), closing(journal), pytest.raises(JournalUnreadable):
        journal.read(session)


def test_a_read_only_journal_from_before_there_were_runs_can_be_read(public: Path):
    path = public / ".wfnb" / "journal.db"
    path.parent.mkdir()
    shutil.copy(VERSION_1, path)
    path.chmod(0o444)
    path.parent.chmod(0o555)

    with plain_user(), closing(SqliteJournal(path)) as journal:
        (session,) = journal.sessions()
        assert len(journal.read(session.id)) == session.events
        assert journal.runs() == journal.find_run("deploy-1") == []
        with pytest.raises(JournalReadOnly):
            journal.begin_run(session.id, "deploy", [])
    assert path.read_bytes() == VERSION_1.read_bytes()


def test_a_file_that_may_not_even_be_read_says_so(public: Path):
    path = public / ".wfnb" / "journal.db"
    with closing(SqliteJournal(path)) as journal:
        journal.create("churn", [STARTED])
    path.chmod(0)

    journal = SqliteJournal(path)
    with plain_user(), closing(journal), pytest.raises(JournalUnreadable, match="cannot be read: "):
        journal.sessions()


def test_where_no_folder_may_be_made_there_is_nothing_to_read_and_no_way_to_write(public: Path):
    public.chmod(0o555)
    with plain_user(), closing(SqliteJournal(public / "a" / ".wfnb" / "journal.db")) as journal:
        assert journal.sessions() == []
        with pytest.raises(JournalReadOnly):
            journal.create("churn", [STARTED])


def test_a_path_that_leads_through_a_file_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").touch()
    with closing(SqliteJournal(tmp_path / "file" / "journal.db")) as journal:
        assert journal.sessions() == []
        with pytest.raises(JournalReadOnly):
            journal.create("churn", [STARTED])


def fill(journal: SqliteJournal, session: int) -> list[Recorded]:
    """Write until there is no room; what was acknowledged by then."""
    acknowledged: list[Recorded] = []
    while len(acknowledged) < 10_000:
        try:
            acknowledged += journal.append(session, [scored(1)], after=len(acknowledged))
        except JournalFull:
            return acknowledged
    pytest.fail("there was always room")


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """The kernel refuses to write past that, as it does with a quota."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_past_a_quota_nothing_is_lost_and_with_room_again_it_goes_on(disk_journal: SqliteJournal):
    session, _ = disk_journal.create("churn", [])

    with files_no_larger_than(100_000):
        acknowledged = fill(disk_journal, session)
        assert disk_journal.read(session) == acknowledged

    more = disk_journal.append(session, [scored(2)], after=len(acknowledged))
    assert disk_journal.read(session) == acknowledged + more


def test_on_a_full_disk_nothing_is_lost_and_with_room_again_it_goes_on(
    disk_journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
):
    connect = sqlite3.connect

    def connect_to_little(*args: Any, **options: Any) -> sqlite3.Connection:
        db = connect(*args, **options)
        db.execute("PRAGMA max_page_count=10")
        return db

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_to_little)
        session, _ = disk_journal.create("churn", [])
        acknowledged = fill(disk_journal, session)
    assert disk_journal.read(session) == acknowledged

    more = disk_journal.append(session, [scored(2)], after=len(acknowledged))
    assert disk_journal.read(session) == acknowledged + more
