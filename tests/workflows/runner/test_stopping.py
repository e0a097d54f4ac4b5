"""A run, and its work, is stopped from any thread, or from another process."""

import asyncio
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.journal.processes import other_process
from wfnb.errors import AnswerElsewhere, AnswerNotChoice, Refused, RunEndedAlready
from wfnb.workflows.core.events import StopAsked
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.runner.event_loop import engine
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import LONG, asking, calls, gone, pid_in, runner_in, step, steps, up

HANGS = {"command": f"echo $$ > pid; echo up; sleep {LONG}"}


def test_a_run_is_cancelled_from_another_thread(runner: Runner, home: Path):
    running = up(
        runner.start(steps(step("a", "shell", args=HANGS), step("b", "shell", args=HANGS)))
    )

    Thread(target=runner.cancel, kwargs={"reason": "enough"}).start()
    running.wait()

    result = runner.result(running)
    assert (result.status, result.error, result.success) == ("cancelled", "enough", False)
    assert calls(running.run) == ["a cancelled"]
    assert gone(pid_in(home))
    with pytest.raises(RunEndedAlready):
        runner.cancel(running.name)


def test_a_run_that_waits_for_another_attempt_is_cancelled_at_once(runner: Runner):
    @tool
    def fails() -> None:
        raise ValueError("no")

    running = runner.start(steps(step("a", "fails", retry={"attempts": 3, "wait": LONG})))
    while "a failed" not in calls(running.run):
        running.changed.wait(0.1)
    running.stop()
    running.wait()

    async def waits() -> list[str]:
        tasks = [task for task in asyncio.all_tasks() if "waiting" in repr(task)]
        return [repr(task) for task in tasks if not task.cancelling()]

    assert running.run.status == "cancelled"
    assert engine().submit(waits()).result() == []


@pytest.mark.parametrize("rollback", [None, True, False])
@pytest.mark.parametrize("on_cancel", [True, False])
def test_cancelling_undoes_what_was_done_if_it_or_the_workflow_says_so(
    runner: Runner, on_cancel: bool, rollback: bool | None
):
    undone = []

    @tool
    def undo() -> None:
        undone.append(1)

    done = step("a", "sleep", args={"seconds": 0}, compensation={"tool": "undo"})
    wanted = steps(done, step("b", "shell", args=HANGS), rollback_on_cancel=on_cancel)
    running = up(runner.start(wanted))

    running.stop(rollback=rollback)
    running.wait()

    assert running.run.status == "cancelled"
    assert undone == [1] * (on_cancel if rollback is None else rollback)


def does(line: Connection, home: Path) -> None:
    """Another process at the same home: calls what it is told to."""
    runner = runner_in(home)
    line.send("ready")
    while True:
        name, args, kwargs = line.recv()
        try:
            line.send(str(getattr(runner, name)(*args, **kwargs)))
        except Refused as refusal:
            line.send(f"{type(refusal).__name__}: {refusal}")


def asked(line: Connection, name: str, *args: Any, **kwargs: Any) -> Any:
    line.send((name, args, kwargs))
    return line.recv()


def test_another_process_cancels_and_answers(runner: Runner, home: Path):
    with other_process(does, home) as line:
        assert line.recv() == "ready"
        hangs = up(runner.start(steps(step("a", "shell", args=HANGS))))
        assert "RunAlive" in asked(line, "resume", hangs.name)
        asked(line, "cancel", reason="from there")
        hangs.wait()

        question = {"question": "Which?", "choices": ["left", "right"]}
        asks = asking(runner.start(steps(step("which", "ask", args=question))))
        refused = asked(line, "answer", "up")
        answer = asked(line, "answer", "2")
        asks.wait()

        secret = {"question": "Password?", "secret": True}
        hidden = asking(runner.start(steps(step("pw", "ask", args=secret)), save=False))
        elsewhere = asked(line, "answer", "s3cret")
        assert hidden.run.questions
        assert runner.answer("s3cret") == "•••"
        hidden.wait()

    assert (hangs.run.status, hangs.run.error) == ("cancelled", "from there")
    assert gone(pid_in(home))
    assert (answer, refused.partition(":")[0]) == ("right", AnswerNotChoice.__name__)
    assert asks.run.results["which"]["answer"] == "right"
    assert elsewhere.partition(":")[0] == AnswerElsewhere.__name__
    assert hidden.run.status == "success"


@pytest.mark.parametrize("asks", [True, False])
def test_what_was_stopped_in_the_middle_is_undone_if_it_asks_for_that(
    runner: Runner, home: Path, asks: bool
):
    half = step(
        "half",
        "shell",
        args={"command": f"touch made; echo up; sleep {LONG}"},
        compensation={"tool": "shell", "args": {"command": "rm made"}},
        compensate_on_failure=asks,
    )
    running = up(runner.start(steps(half)))

    running.stop(rollback=True)
    running.wait()

    (row,) = runner.result(running).report.rows
    assert (home.parent / "made").exists() is not asks
    assert row.status == "cancelled"
    assert row.undo == ("undone" if asks else "not undone: unknown whether it was done")


OTHER = steps(step("other", "sleep", args={"seconds": 0}))
SAVED = steps(step("a", "sleep", args={"seconds": 0}))


@pytest.mark.parametrize("before", [None, SAVED, OTHER], ids=["nothing", "the same", "another"])
@pytest.mark.parametrize("rollback", [True, False])
def test_a_run_that_is_cancelled_while_it_is_saved_is_not_saved(
    runner: Runner, monkeypatch: pytest.MonkeyPatch, before: Any, rollback: bool
):
    if before is not None:
        runner.run(before)
    there, save, stops = runner.library.list().workflows, WorkflowLibrary.save, [rollback]
    text = [runner.library.load(saved.name) for saved in there]

    def meanwhile(self: WorkflowLibrary, *args: Any, **more: Any) -> str | None:
        """Another process stops the run, before its end is recorded."""
        name = save(self, *args, **more)
        while stops:
            journal, info = runner.session_log.journal, runner.runs()[-1]
            asked = StopAsked(reason="from there", rollback=stops.pop())
            journal.append_run(info.id, [asked], journal.run_changed(info.id))
        return name

    monkeypatch.setattr(WorkflowLibrary, "save", meanwhile)
    result = runner.run(SAVED, overwrite=True)

    assert stops == []
    assert (result.status, result.workflow_saved) == ("cancelled", False)
    assert runner.library.list().workflows == there
    assert [runner.library.load(saved.name) for saved in there] == text
