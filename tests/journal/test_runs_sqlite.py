"""Runs in one file of SQLite: many of them, several processes, a damaged row, a killed writer."""

import os
import signal
import sqlite3
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from wfnb.errors import JournalConflict, JournalCorrupt
from wfnb.journal import SqliteJournal, network_mounts
from wfnb.workflows.core.events import CallStarted, RunRecorded, RunStarted

from .processes import all_from, other_process

STARTED = RunStarted(workflow={"name": "deploy"})


def call(number: int, action: str = "a") -> CallStarted:
    return CallStarted(action=action, tool="sleep", attempt=number)


@pytest.mark.parametrize("deleted", [1, 2, 3])
def test_an_event_of_a_run_that_is_missing_is_noticed(
    disk_journal: SqliteJournal, path: Path, deleted: int
):
    session, _ = disk_journal.create("churn", [])
    run, _ = disk_journal.begin_run(session, "deploy", [STARTED, call(1), call(2)])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM run_event WHERE position = ?", (deleted,))

    with pytest.raises(JournalCorrupt, match="events of run 'deploy-1' are missing"):
        disk_journal.read_run(run.id)


def test_an_event_of_a_run_that_does_not_read_is_named(disk_journal: SqliteJournal, path: Path):
    session, _ = disk_journal.create("churn", [])
    run, _ = disk_journal.begin_run(session, "deploy", [STARTED, call(1)])
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE run_event SET body = '{' WHERE position = 2")

    with pytest.raises(JournalCorrupt, match="event 2 of run 'deploy-1' is not as it was"):
        disk_journal.read_run(run.id)
    assert [info.events for info in disk_journal.runs()] == [2]


@pytest.mark.parametrize(
    ("ask", "index"),
    [
        (lambda journal: journal.runs(1, parent=None), "run_parent (parent=? AND session=?)"),
        (lambda journal: journal.runs(parent=3), "run_parent (parent=?)"),
        (lambda journal: journal.find_run("deploy-1"), "run_name (name=?)"),
        (lambda journal: journal.find_run("deploy-1", 1), "run_name (name=? AND session=?)"),
    ],
)
def test_a_question_about_few_runs_looks_at_few(
    disk_journal: SqliteJournal, path: Path, ask, index: str, monkeypatch: pytest.MonkeyPatch
):
    asked: list[str] = []
    connect = sqlite3.connect

    def listened(*args, **options) -> sqlite3.Connection:
        db = connect(*args, **options)
        db.set_trace_callback(asked.append)
        return db

    session, _ = disk_journal.create("churn", [])
    disk_journal.begin_run(session, "deploy", [])
    disk_journal.close()
    monkeypatch.setattr(sqlite3, "connect", listened)

    ask(disk_journal)

    question = next(sql for sql in asked if "FROM run" in sql)
    with closing(connect(path)) as db:
        (first, *_) = db.execute(f"EXPLAIN QUERY PLAN {question}").fetchall()
    assert first[3] == f"SEARCH run USING INDEX {index}"


def begin_runs(line: Connection, path: Path, many: int) -> None:
    with closing(SqliteJournal(path, busy=60)) as journal:
        session = journal.find("churn")
        assert session is not None
        line.send("ready")
        line.recv()
        outer, _ = journal.begin_run(session, "outer", [STARTED])
        begun = [outer.name]
        for number in range(many):
            parent = outer.id if number % 2 else None
            run, _ = journal.begin_run(session, "deploy", [STARTED, call(1)], parent=parent)
            begun.append(run.name)
        line.send(begun)


@pytest.mark.parametrize("table", ["a log", "a rollback journal on the network"])
def test_names_of_runs_that_four_processes_begin_at_once_are_unique_and_dense(
    path: Path, table: str, request: pytest.FixtureRequest
):
    if table != "a log":
        request.getfixturevalue("network")
    with closing(SqliteJournal(path, busy=60)) as journal:
        session, _ = journal.create("churn", [])

        with (
            other_process(begin_runs, path, 25) as a,
            other_process(begin_runs, path, 25) as b,
            other_process(begin_runs, path, 25) as c,
            other_process(begin_runs, path, 25) as d,
        ):
            lines = (a, b, c, d)
            assert [line.recv() for line in lines] == ["ready"] * 4
            for line in lines:
                line.send("go")
            begun = [name for line in lines for name in line.recv()]

        runs = journal.runs(session)
        assert sorted(begun) == sorted(run.name for run in runs)
        for workflow, many in (("outer", 4), ("deploy", 100)):
            assert [run.name for run in runs if run.workflow == workflow] == [
                f"{workflow}-{number}" for number in range(1, many + 1)
            ]
        assert [run.events for run in runs] == [len(journal.read_run(run.id)) for run in runs]


def follow_a_run(line: Connection, path: Path, action: str, many: int) -> None:
    with closing(SqliteJournal(path, busy=60)) as journal:
        (run,) = journal.find_run("deploy-1")
        line.send("ready")
        line.recv()
        after = written = 0
        while written < many:
            try:
                after = journal.append_run(run.id, [call(written, action)], after)[0].position
                written += 1
            except JournalConflict:
                assert journal.run_changed(run.id) > after
                after += len(journal.read_run(run.id, after))
        line.send("done")


def test_two_writers_of_a_run_lose_nothing_and_write_nothing_twice(path: Path):
    with closing(SqliteJournal(path)) as journal:
        session, _ = journal.create("churn", [])
        run, _ = journal.begin_run(session, "deploy", [])

        with (
            other_process(follow_a_run, path, "a", 60) as a,
            other_process(follow_a_run, path, "b", 60) as b,
        ):
            assert (a.recv(), b.recv()) == ("ready", "ready")
            a.send("go")
            b.send("go")
            assert (a.recv(), b.recv()) == ("done", "done")

        events = [entry.event for entry in journal.read_run(run.id)]
        for action in ("a", "b"):
            mine = [event for event in events if event.action == action]
            assert mine == [call(number, action) for number in range(60)]
        assert journal.run_changed(run.id) == len(events) == 120


def follow_for_ever(line: Connection, path: Path, table: str) -> None:
    network_mounts.MOUNTS = table
    line.send(os.getpid())
    with closing(SqliteJournal(path, clock=lambda: 1.0)) as journal:
        session, _ = journal.create("churn", [])
        run, _ = journal.begin_run(session, "deploy", [])
        after = 0
        while True:
            events = [call(after), call(after + 1)]
            status = f"at {after + 2}"
            after = journal.append_run(run.id, events, after, status)[-1].position
            line.send(after)


@pytest.mark.parametrize("table", ["a log", "a rollback journal on the network"])
def test_a_killed_writer_of_a_run_loses_nothing_that_was_acknowledged(
    disk_journal: SqliteJournal, path: Path, table: str, request: pytest.FixtureRequest
):
    if table != "a log":
        request.getfixturevalue("network")

    with other_process(follow_for_ever, path, network_mounts.MOUNTS) as line:
        process = line.recv()
        acknowledged = [line.recv() for _ in range(150)]
        os.kill(process, signal.SIGKILL)
        acknowledged += all_from(line)

    read = disk_journal.read_run(1)
    (run,) = disk_journal.runs()
    assert len(read) in (acknowledged[-1], acknowledged[-1] + 2)
    assert read == [
        RunRecorded(position=n + 1, first=n // 2 * 2 + 1, event=call(n), at=1.0)
        for n in range(len(read))
    ]
    assert (run.events, run.status) == (len(read), f"at {len(read)}")
    assert disk_journal.append_run(1, [call(0)], after=len(read))[0].position == len(read) + 1
