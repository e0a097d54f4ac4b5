"""A run, and its work, is stopped from any thread, from another process, or by an interrupt."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.journal.processes import other_process
from wfnb.core.runs.events import StopAsked
from wfnb.errors import AnswerElsewhere, AnswerNotChoice, Refused, RunEndedAlready
from wfnb.library.workflows import WorkflowLibrary
from wfnb.runner.engine import engine
from wfnb.runner.runner import Runner
from wfnb.tools.registry import tool

from .place import LONG, SOON, asking, calls, gone, runner_in, step, steps, up

HANGS = {"command": f"echo $$ > pid; echo up; sleep {LONG}"}


def pid_in(home: Path) -> int:
    return int((home.parent / "pid").read_text())


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


SCRIPT = """
import json, sys
from pathlib import Path
from tests.runner.place import runner_in, step, steps
from wfnb.tools.registry import tool
home, form = Path(sys.argv[1]), sys.argv[2]

@tool
async def undo() -> None:
    import asyncio
    print("undoing", flush=True)
    await asyncio.sleep(60 if form == "undo hangs" else 0)
    print("undone", flush=True)

class Seen:
    def __init__(self): self.said = 0
    def __call__(self, running):
        new = list(running.tail)[self.said:]
        self.said += len(new)
        for _, line in new:
            print(line, flush=True)

done = step("a", "sleep", args={"seconds": 0}, compensation={"tool": "undo"})
hangs = step("b", "shell", args={"command": "echo $$ > pid; echo up; sleep 60"})
runner = runner_in(home)
running = runner.start(steps(done, hangs, rollback_on_cancel=True))
running.attend(Seen(), every=0.01)
result = runner.result(running)
print(json.dumps([result.status, result.error]), flush=True)
"""


@pytest.mark.parametrize(("form", "interrupts"), [("undo works", 1), ("undo hangs", 2)])
def test_the_first_interrupt_stops_and_undoes_and_the_second_stops_at_once(
    home: Path, form: str, interrupts: int
):
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    script = [sys.executable, "-c", SCRIPT, str(home), form]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True, env=env) as child:
        try:
            out = child.stdout
            assert out is not None
            assert out.readline() == "up\n"
            child.send_signal(signal.SIGINT)
            assert out.readline() == "undoing\n"
            if interrupts == 2:
                child.send_signal(signal.SIGINT)
            else:
                assert out.readline() == "undone\n"
            said = json.loads(out.readline())
        finally:
            child.kill()

    why = "it was interrupted" if interrupts == 1 else "interrupted twice"
    assert said == ["cancelled", why]
    assert gone(pid_in(home))


def test_the_first_interrupt_of_a_rollback_lets_it_go_on_and_the_second_ends_it(runner: Runner):
    undoing, goes_on = Event(), Event()

    @tool
    async def undo() -> None:
        undoing.set()
        await asyncio.get_running_loop().run_in_executor(None, goes_on.wait, SOON)

    done = [step(id, "sleep", args={"seconds": 0}, compensation={"tool": "undo"}) for id in "ab"]
    wanted = steps(*done, step("c", "shell", args={"command": "exit 3"}))

    once = runner.start(wanted)
    assert undoing.wait(SOON)
    once.interrupt()
    while once.run.stop is None:
        once.changed.wait(0.1)
    goes_on.set()
    once.wait()
    undoing.clear()
    goes_on.clear()
    twice = runner.start(wanted)
    assert undoing.wait(SOON)
    twice.interrupt()
    twice.interrupt(at_once=True)
    twice.wait()
    goes_on.set()

    assert calls(once.run)[-2:] == ["undo b ok", "undo a ok"]
    assert (once.run.status, once.run.error) == ("cancelled", "it was interrupted")
    assert calls(twice.run)[-1:] == ["undo b cancelled"]
    assert (twice.run.status, twice.run.error) == ("cancelled", "interrupted twice")


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


def test_the_process_of_a_run_that_was_killed_leaves_a_run_that_can_be_cancelled(
    runner: Runner, home: Path
):
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    script = [sys.executable, "-c", SCRIPT, str(home), "undo works"]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True, env=env) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "up\n"
        child.kill()
    undone = []

    @tool
    def undo() -> None:
        undone.append(1)

    log = runner.cancel(reason="it is gone")

    assert (log.run.status, log.run.error) == ("cancelled", "it is gone")
    assert calls(log.run) == ["a ok", "b unknown", "undo a ok"]
    assert undone == [1]
    assert [info.status for info in runner.runs()] == ["cancelled"]
    assert gone(pid_in(home))


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
            journal, info = runner.workspace.journal, runner.runs()[-1]
            asked = StopAsked(reason="from there", rollback=stops.pop())
            journal.append_run(info.id, [asked], journal.run_changed(info.id))
        return name

    monkeypatch.setattr(WorkflowLibrary, "save", meanwhile)
    result = runner.run(SAVED, overwrite=True)

    assert stops == []
    assert (result.status, result.workflow_saved) == ("cancelled", False)
    assert runner.library.list().workflows == there
    assert [runner.library.load(saved.name) for saved in there] == text
