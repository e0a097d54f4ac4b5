"""Other sessions, and other processes that write meanwhile, change nothing of a run."""

from contextlib import closing
from pathlib import Path
from threading import Event

from tests.workflows.runner.place import SOON, Drawn, calls, step, steps
from wfnb.journal import MemoryJournal, SqliteJournal
from wfnb.session_log import SessionLog
from wfnb.workflows.core.events import QuestionAsked
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import tool


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
        runners.append(Runner(SessionLog(journal, session), home, home.parent))
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
