"""A journal that says no in the middle of a run: the run stops, and goes on when it can."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from wfnb.core.runs.events import QuestionAsked
from wfnb.errors import JournalError, JournalFull, JournalLocked, JournalReadOnly
from wfnb.journal import MemoryJournal, SqliteJournal
from wfnb.runner import performance
from wfnb.runner.engine import engine
from wfnb.runner.runner import Runner
from wfnb.tools.context import Context, Question
from wfnb.tools.registry import tool
from wfnb.workspace import Workspace

from .place import LONG, SOON, Drawn, asking, calls, runner_on, step, steps

BUSY = 0.05
"""Seconds that this journal waits for other processes."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performance, "PATIENCE", (0.01, 0.01))


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set when somebody met a locked journal. Patience is long here."""
    monkeypatch.setattr(performance, "PATIENCE", (0.01,) * 1000)
    met, append = Event(), SqliteJournal.append_run

    def told(self: SqliteJournal, *args: Any, **kwargs: Any) -> Any:
        try:
            return append(self, *args, **kwargs)
        except JournalLocked:
            met.set()
            raise

    monkeypatch.setattr(SqliteJournal, "append_run", told)
    return met


@pytest.fixture
def runner(home: Path) -> Iterator[Drawn]:
    journal = SqliteJournal(home / "journal.db", busy=BUSY)
    yield runner_on(journal, home)
    journal.close()


@contextmanager
def locked(home: Path) -> Iterator[None]:
    with closing(sqlite3.connect(home / "journal.db", isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield
        db.execute("ROLLBACK")


@contextmanager
def full(home: Path) -> Iterator[None]:
    """No room: a limit of SQLite's own, on each connection of the journal."""
    connect = sqlite3.connect

    def limited(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db = connect(*args, **kwargs)
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", limited)
        yield


@contextmanager
def read_only(home: Path) -> Iterator[None]:
    class Refusing(SqliteJournal):
        """Root may write to any file: SQLite's answer, where the system gives none."""

        def append_run(self, *args: Any, **kwargs: Any) -> Any:
            raise JournalReadOnly(self.place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteJournal, "append_run", Refusing.append_run)
        yield


OBSTACLES = {JournalLocked: locked, JournalFull: full, JournalReadOnly: read_only}


def obstructed(runner: Drawn, home: Path, obstacle: type[JournalError], wanted: Any) -> Any:
    """Start it, and put the obstacle in its way while its tool `holds` is called."""
    held, goes_on = Event(), Event()
    called: list[str] = []

    @tool(idempotent=True)
    def note(what: str) -> str:
        called.append(what)
        return what

    @tool(idempotent=True)
    def holds() -> str:
        called.append("holds")
        held.set()
        goes_on.wait(SOON)
        return "more than has room on the page" * 1000

    running = runner.start(wanted)
    assert held.wait(SOON)
    runner.workspace.journal.close()
    with OBSTACLES[obstacle](home):
        goes_on.set()
        with pytest.raises(obstacle):
            running.wait()
    runner.workspace.journal.close()  # the limit is the connection's
    return running, called


PLAIN = steps(
    step("a", "note", args={"what": "a"}),
    step("b", "holds"),
    step("c", "note", args={"what": "c"}),
)


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_run_stops_and_can_be_resumed_where_it_was(
    runner: Drawn, home: Path, obstacle: type[JournalError]
):
    running, called = obstructed(runner, home, obstacle, PLAIN)

    assert runner.running() is None
    assert running.run.status == "running"
    assert called == ["a", "holds"]
    again = runner.resume(running.name)
    again.wait()
    assert again.run.status == "success"
    assert called == ["a", "holds", "holds", "c"]
    assert calls(again.run) == ["a ok", "b unknown", "b ok", "c ok"]


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_nested_run_stops_and_can_be_resumed_where_it_was(
    runner: Drawn, home: Path, obstacle: type[JournalError]
):
    args = {"workflow_definition": PLAIN, "save_on_success": False}
    wanted = steps(step("down", "run_workflow", args=args), step("z", "note", args={"what": "z"}))

    running, called = obstructed(runner, home, obstacle, wanted)

    assert called == ["a", "holds"]
    again = runner.resume(running.name)
    again.wait()
    assert again.run.status == "success"
    assert called == ["a", "holds", "holds", "c", "z"]
    assert [info.status for info in runner.workspace.journal.runs()] == ["success", "success"]


def test_a_run_goes_on_when_another_process_has_the_journal_for_a_while(
    runner: Drawn, home: Path, met: Event
):
    held, goes_on, called = Event(), Event(), []

    @tool
    def holds(n: int) -> None:
        called.append(n)
        held.set()
        goes_on.wait(SOON)

    running = runner.start(steps(*(step(f"s{n}", "holds", args={"n": n}) for n in range(2))))
    assert held.wait(SOON)
    runner.workspace.journal.close()
    with locked(home):
        goes_on.set()
        assert met.wait(SOON)
    running.wait()

    assert (running.run.status, called) == ("success", [0, 1])
    assert calls(running.run) == ["s0 ok", "s1 ok"]
    assert runner.log(running.name).run.status == "success"


@pytest.mark.parametrize("at_once", [True, False])
def test_an_interrupt_waits_for_the_journal(runner: Drawn, home: Path, met: Event, at_once: bool):
    held = Event()

    @tool
    async def hangs() -> None:
        held.set()
        await asyncio.sleep(LONG)

    running = runner.start(steps(step("a", "hangs")))
    assert held.wait(SOON)
    runner.workspace.journal.close()
    with locked(home):
        running.interrupt(at_once)
        assert met.wait(SOON)
    running.wait()

    assert (running.run.status, calls(running.run)) == ("cancelled", ["a cancelled"])


def test_a_question_waits_for_the_journal(runner: Drawn, home: Path, met: Event):
    held, goes_on = Event(), Event()

    @tool
    async def asks(context: Context) -> object:
        held.set()
        await asyncio.get_running_loop().run_in_executor(None, goes_on.wait, SOON)
        return await context.ask(Question(text="Go?"))

    running = runner.start(steps(step("a", "asks")))
    assert held.wait(SOON)
    runner.workspace.journal.close()
    with locked(home):
        goes_on.set()
        assert met.wait(SOON)
    asking(running)
    running.answer("yes")
    running.wait()

    assert running.run.results["a"]["result"] == "yes"


@pytest.mark.parametrize("fault", [RuntimeError, TimeoutError])
def test_a_fault_of_who_looks_what_others_recorded_is_told_to_who_waits(
    runner: Drawn, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
):
    def odd(*args: Any) -> int:
        raise fault("odd")

    @tool(idempotent=True)
    async def hangs() -> None:
        await asyncio.sleep(LONG)

    with monkeypatch.context() as patch:
        patch.setattr(SqliteJournal, "run_changed", odd)
        running = runner.start(steps(step("a", "hangs")))
        with pytest.raises(fault, match="odd"):
            running.wait(SOON)

    assert (running.done, running.run.status) == (True, "running")


def test_a_stop_that_cannot_be_recorded_is_refused_and_the_run_goes_on(runner: Drawn, home: Path):
    held, goes_on = Event(), Event()

    @tool
    def holds() -> str:
        held.set()
        goes_on.wait(SOON)
        return "held"

    running = runner.start(steps(step("a", "holds"), step("b", "holds")))
    assert held.wait(SOON)

    with locked(home), pytest.raises(JournalLocked):
        running.stop()
    goes_on.set()
    running.wait()

    assert (running.run.status, calls(running.run)) == ("success", ["a ok", "b ok"])
    assert running.run.stop is None


def test_what_was_decided_and_not_recorded_is_forgotten_even_if_nothing_can_be_read(
    runner: Drawn, home: Path, monkeypatch: pytest.MonkeyPatch
):
    held, goes_on = Event(), Event()

    @tool
    def holds() -> None:
        held.set()
        goes_on.wait(SOON)

    running = runner.start(steps(step("a", "holds")))
    assert held.wait(SOON)

    def away(*args: Any, **kwargs: Any) -> Any:
        raise JournalLocked(str(home))

    with monkeypatch.context() as patch:
        patch.setattr(SqliteJournal, "append_run", away)
        patch.setattr(SqliteJournal, "read_run", away)
        with pytest.raises(JournalLocked):
            running.stop()
    goes_on.set()
    running.wait()

    assert (running.run.status, running.run.stop) == ("success", None)


def test_a_wait_for_another_attempt_goes_on_when_another_process_writes_meanwhile(
    runner: Drawn, home: Path
):
    held, goes_on, attempts = Event(), Event(), []

    @tool
    def fails(context: Context) -> None:
        attempts.append(context.attempt)
        if context.attempt < 3:
            raise ValueError("no")

    @tool
    def holds() -> None:
        held.set()
        goes_on.wait(SOON)

    retry = {"attempts": 5, "wait": 0.2}
    after = step("c", "sleep", "b", args={"seconds": 0})
    running = runner.start(steps(step("a", "fails", retry=retry), step("b", "holds"), after))
    assert held.wait(SOON)
    while "a failed" not in calls(running.run):
        running.changed.wait(0.01)

    with running.log.lock, closing(SqliteJournal(home / "journal.db")) as elsewhere:
        run = running.run
        call = next(call.id for call in run.open.values() if call.action == "b")
        asked = QuestionAsked(call=call, question="Who writes here?")
        elsewhere.append_run(running.log.info.id, [asked], run.position)
        goes_on.set()
    assert running.wait(SOON)

    assert (running.run.status, attempts) == ("success", [1, 2, 3])
    assert runner.drawn == [(0.2, 0.2), (0.2, 0.2)]
    assert [call.waited for call in running.run.calls.values() if call.action == "a"] == [
        0.0,
        0.2,
        0.2,
    ]


def test_two_sessions_in_memory_keep_their_runs_apart(home: Path):
    here = []
    held, goes_on = Event(), Event()

    @tool
    def holds(n: int) -> None:
        here.append(n)
        if len(here) == 2:
            held.set()
        goes_on.wait(SOON)

    runners = []
    for _ in range(2):
        journal = MemoryJournal()
        session, _ = journal.create("told", [])
        runners.append(Runner(Workspace(journal, session), home, home.parent))
    both = [
        runner.start(steps(step("a", "holds", args={"n": n})), save=False)
        for n, runner in enumerate(runners)
    ]
    assert held.wait(SOON)

    assert [runner.running() for runner in runners] == both
    runners[0].cancel()
    goes_on.set()
    assert [running.wait(SOON) for running in both] == [True, True]
    assert [running.run.status for running in both] == ["cancelled", "success"]


def test_a_fault_of_the_journal_is_told_to_who_waits_and_to_nobody_else(
    runner: Drawn, home: Path, capfd: pytest.CaptureFixture[str]
):
    running, _ = obstructed(runner, home, JournalReadOnly, PLAIN)

    with pytest.raises(JournalReadOnly):
        running.attend()
    engine().submit(_nothing()).result()
    assert capfd.readouterr() == ("", "")


async def _nothing() -> None:
    pass
