"""A run, an interrupt and a question wait while another process has the journal."""

import asyncio
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.workflows.runner.place import LONG, SOON, Drawn, asking, calls, step, steps
from wfnb.errors import JournalLocked
from wfnb.journal import SqliteJournal
from wfnb.workflows.runner import run_loop
from wfnb.workflows.tools.call_context import Context, Question
from wfnb.workflows.tools.registry import tool

from .obstacles import locked


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set when somebody met a locked journal. Patience is long here."""
    monkeypatch.setattr(run_loop, "RETRY_DELAYS", (0.01,) * 1000)
    met, append = Event(), SqliteJournal.append_run

    def told(self: SqliteJournal, *args: Any, **kwargs: Any) -> Any:
        try:
            return append(self, *args, **kwargs)
        except JournalLocked:
            met.set()
            raise

    monkeypatch.setattr(SqliteJournal, "append_run", told)
    return met


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
    runner.session_log.journal.close()
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
    runner.session_log.journal.close()
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
    runner.session_log.journal.close()
    with locked(home):
        goes_on.set()
        assert met.wait(SOON)
    asking(running)
    running.answer("yes")
    running.wait()

    assert running.run.results["a"]["result"] == "yes"
