"""A fault of the journal is told to who waits, and what was not recorded is forgotten."""

import asyncio
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.workflows.runner.place import LONG, SOON, Drawn, calls, step, steps
from wfnb.errors import JournalFaulty, JournalLocked, JournalReadOnly
from wfnb.journal import SqliteJournal
from wfnb.workflows.runner.event_loop import engine
from wfnb.workflows.tools.registry import tool

from .obstacles import PLAIN, locked, obstructed


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

    assert (running.is_done, running.run.status) == (True, "running")


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


def test_a_success_that_was_not_recorded_is_none_even_if_nothing_can_be_read(
    runner: Drawn, home: Path, monkeypatch: pytest.MonkeyPatch
):
    def away(*args: Any, **kwargs: Any) -> Any:
        raise JournalFaulty(str(home), "Input/output error")

    @tool
    async def fails() -> None:
        monkeypatch.setattr(SqliteJournal, "append_run", away)
        monkeypatch.setattr(SqliteJournal, "read_run", away)

    with pytest.raises(JournalFaulty, match="resume told-1"):
        runner.run(steps(step("a", "fails")))
    monkeypatch.undo()

    assert runner.log("told-1").run.status == "running"  # and nobody performs it: it is resumed


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
