"""A process with a run is interrupted: once, it stops and undoes; twice, it ends; or is killed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import SOON, calls, gone, pid_in, step, steps

SCRIPT = """
import json, sys
from pathlib import Path
from tests.workflows.runner.place import runner_in, step, steps
from wfnb.workflows.tools.registry import tool
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
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
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


def test_the_process_of_a_run_that_was_killed_leaves_a_run_that_can_be_cancelled(
    runner: Runner, home: Path
):
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
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
