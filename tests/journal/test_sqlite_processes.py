"""Several processes and one journal: waiting, competing, beginning, forked and killed."""

import gc
import os
import signal
import sqlite3
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from wfnb.core.events import BranchScored, Recorded, SessionStarted
from wfnb.errors import JournalConflict, JournalLocked
from wfnb.journal import SqliteJournal, network_mounts
from wfnb.journal.database import INHERITED

from .processes import all_from, other_process

STARTED = SessionStarted(name="churn")


def scored(score: float, branch: str = "alt") -> BranchScored:
    return BranchScored(branch=branch, score=score)


def hold_the_file(line: Connection, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        line.send("held")
        line.recv()
    line.send("released")


def test_a_locked_journal_can_be_read_and_is_written_when_it_is_free(
    disk_journal: SqliteJournal, path: Path
):
    session, written = disk_journal.create("churn", [STARTED])

    with other_process(hold_the_file, path) as line:
        line.recv()
        with pytest.raises(JournalLocked, match="is locked by another process"):
            disk_journal.append(session, [scored(1)], after=1)
        assert disk_journal.read(session) == written
        line.send("release")
        line.recv()

    assert disk_journal.append(session, [scored(1)], after=1)[0].position == 2


def test_a_locked_rollback_journal_can_be_read_when_it_is_free(
    disk_journal: SqliteJournal, path: Path, network: Path
):
    session, written = disk_journal.create("churn", [STARTED])

    with other_process(hold_the_file, path) as line:
        line.recv()
        with pytest.raises(JournalLocked):
            disk_journal.read(session)
        line.send("release")
        line.recv()

    assert disk_journal.read(session) == written


def write_scores(line: Connection, path: Path, vfs: str | None, branch: str, many: int) -> None:
    """Write as a session does: where another one was quicker, read on and try again."""
    with closing(SqliteJournal(path, vfs=vfs, busy=60)) as journal:
        session = journal.find("churn")
        assert session is not None
        line.send("ready")
        line.recv()
        after = 0
        acknowledged = []
        while len(acknowledged) < many:
            try:
                event = scored(len(acknowledged), branch)
                after = journal.append(session, [event], after)[0].position
                acknowledged.append(after)
            except JournalConflict:
                after += len(journal.read(session, after))
        line.send(acknowledged)


@pytest.mark.parametrize("vfs", [None, "unix-dotfile"])
def test_two_writers_lose_nothing_and_write_nothing_twice(path: Path, vfs: str | None):
    with closing(SqliteJournal(path, vfs=vfs)) as journal:
        session, _ = journal.create("churn", [])

        with (
            other_process(write_scores, path, vfs, "a", 100) as a,
            other_process(write_scores, path, vfs, "b", 100) as b,
        ):
            assert (a.recv(), b.recv()) == ("ready", "ready")
            a.send("go")
            b.send("go")
            acknowledged = {"a": a.recv(), "b": b.recv()}

        read = journal.read(session)
        assert [entry.position for entry in read] == list(range(1, 201))
        for branch, positions in acknowledged.items():
            assert [entry.event for entry in read if entry.event.branch == branch] == [
                scored(number, branch) for number in range(100)
            ]
            assert [entry.position for entry in read if entry.event.branch == branch] == positions


def begin_journals(line: Connection, paths: list[Path], vfs: str | None, name: str) -> None:
    for path in paths:
        line.send("ready")
        line.recv()
        with closing(SqliteJournal(path, vfs=vfs, busy=60)) as journal:
            line.send(journal.create(name, [SessionStarted(name=name)])[0])


@pytest.mark.parametrize("vfs", [None, "unix-dotfile"])
def test_processes_that_begin_a_journal_at_the_same_time_all_do(tmp_path: Path, vfs: str | None):
    paths = [tmp_path / f"{number}" / "journal.db" for number in range(5)]

    with (
        other_process(begin_journals, paths, vfs, "a") as a,
        other_process(begin_journals, paths, vfs, "b") as b,
        other_process(begin_journals, paths, vfs, "c") as c,
    ):
        for _ in paths:
            assert [line.recv() for line in (a, b, c)] == ["ready"] * 3
            for line in (a, b, c):
                line.send("go")
            assert sorted(line.recv() for line in (a, b, c)) == [1, 2, 3]

    for path in paths:
        with closing(SqliteJournal(path, vfs=vfs)) as journal:
            assert sorted(info.name for info in journal.sessions()) == ["a", "b", "c"]
            assert [len(journal.read(session)) for session in (1, 2, 3)] == [1, 1, 1]


def write_for_ever(line: Connection, path: Path, table: str) -> None:
    network_mounts.MOUNTS = table
    line.send(os.getpid())
    with closing(SqliteJournal(path, clock=lambda: 1.0)) as journal:
        session, _ = journal.create("churn", [])
        after = 0
        while True:
            events = [scored(after), scored(after + 1)]
            after = journal.append(session, events, after)[-1].position
            line.send(after)


@pytest.mark.parametrize("table", ["a log", "a rollback journal on the network"])
def test_a_killed_writer_loses_nothing_that_was_acknowledged(
    disk_journal: SqliteJournal, path: Path, table: str, request: pytest.FixtureRequest
):
    if table != "a log":
        request.getfixturevalue("network")

    with other_process(write_for_ever, path, network_mounts.MOUNTS) as line:
        process = line.recv()
        acknowledged = [line.recv() for _ in range(150)]
        os.kill(process, signal.SIGKILL)
        acknowledged += all_from(line)

    read = disk_journal.read(1)
    assert len(read) in (acknowledged[-1], acknowledged[-1] + 2)
    assert read == [
        Recorded(position=n + 1, first=n // 2 * 2 + 1, event=scored(n), at=1.0)
        for n in range(len(read))
    ]
    assert disk_journal.append(1, [scored(0)], after=len(read))[0].position == len(read) + 1


def fork_and_write(line: Connection, path: Path) -> None:
    with closing(SqliteJournal(path)) as journal:
        session, _ = journal.create("churn", [STARTED])
        child = os.fork()
        if not child:
            journal.append(session, [scored(1)], after=1)
            journal.close()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        journal.append(session, [scored(2)], after=2)
        line.send((status, [entry.event for entry in journal.read(session)]))


def test_a_forked_process_writes_on_a_connection_of_its_own(path: Path):
    with other_process(fork_and_write, path) as line:
        assert line.recv() == (0, [STARTED, scored(1), scored(2)])


def fork_and_forget(line: Connection, path: Path) -> None:
    journal = SqliteJournal(path)
    session, _ = journal.create("churn", [STARTED])
    child = os.fork()
    if not child:
        del journal
        gc.collect()
        os._exit(len(INHERITED))  # kept: the connection is the other process's
    _, status = os.waitpid(child, 0)
    journal.append(session, [scored(1)], after=1)
    line.send((os.waitstatus_to_exitcode(status), len(journal.read(session))))
    journal.close()


def test_a_forked_process_does_not_close_the_connection_that_it_was_born_with(path: Path):
    with other_process(fork_and_forget, path) as line:
        assert line.recv() == (1, 2)
