"""Whatever was started ends: with its terminal, its run, its process, or at the next start."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from wfnb.workflows.tools import process_cleanup
from wfnb.workflows.tools import process_table as processes

HIDDEN = {
    "disowned": "sleep 1001 & disown",
    "kept from hanging up": "nohup sleep 1001 >/dev/null 2>&1 &",
    "in a session of its own": "setsid sleep 1001 &",
    "twice removed": "(setsid bash -c 'sleep 1001 & sleep 1001' &)",
    "deaf": "setsid bash -c 'trap \"\" TERM HUP INT; while :; do sleep 1001; done' &",
    "without its mark": "env -u WFNB_MARK sleep 1001 & disown",
    "stopped": "sleep 1001 & until ps -p $! | grep -q sleep; do :; done; kill -STOP $!; disown",
}


def living(numbers):
    return {number for number in numbers if processes.start_time(number) is not None}


def sleeping(numbers):
    """Which of these are the program that sleeps: others may just be starting one."""
    shown = subprocess.run(["ps", "-A", "-o", "pid=,comm="], capture_output=True, text=True)
    rows = (line.split(None, 1) for line in shown.stdout.splitlines())
    return {int(number) for number, name in rows if name.endswith("sleep")} & numbers


async def started(typist, command):
    """The processes that last, of a terminal that has run a command."""
    await typist.open()
    await typist.types(f"{command}\n")
    session = typist.context.terminals.get(typist.session)
    async with asyncio.timeout(20):
        while not (asleep := sleeping(process_cleanup.bearing(session.mark))):
            await asyncio.sleep(0)
    return {session.terminal.program.number, *asleep}


@pytest.mark.parametrize("how", HIDDEN)
async def test_a_terminal_ends_with_all_that_was_started_in_it(typist, how):
    numbers = await started(typist, HIDDEN[how])

    await typist.call("exit_terminal", session_id=typist.session)

    assert living(numbers) == set()


async def test_a_terminal_ends_alone(typist):
    mine = await started(typist, "setsid sleep 1001 &")
    first = typist.session
    others = await started(typist, "setsid sleep 1001 &")

    await typist.call("exit_terminal", session_id=first)

    assert living(mine) == set()
    assert living(others) == others


async def test_a_run_ends_with_all_that_was_started_in_it(typist):
    numbers = await started(typist, "setsid sleep 1001 &") | await started(typist, "sleep 1001 &")

    await typist.context.terminals.close("run")

    assert living(numbers) == set()


async def test_a_wait_ends_with_its_terminal(typist):
    await typist.open()
    waiting = asyncio.create_task(typist.awaits("this never comes"))
    await asyncio.sleep(0)

    await typist.call("exit_terminal", session_id=typist.session)

    ended = await waiting
    assert (ended["process_running"], ended["timeout_occurred"]) == (False, False)


async def test_an_opening_that_is_cancelled_leaves_nothing(typist):
    opening = asyncio.create_task(typist.open("sleep 1001"))
    await asyncio.sleep(0)
    numbers = process_cleanup.bearing(typist.context.mark)

    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening

    assert len(numbers) == 1
    assert living(numbers) == set()
    assert typist.context.terminals.list() == ()


ROOT = Path(__file__).parents[4]
OWNER = """
import asyncio, atexit, os, signal, sys
from pathlib import Path
from wfnb.workflows.tools import process_cleanup as children, process_table as processes
from wfnb.workflows.tools.terminal.terminals import Terminals

terminals = Terminals()

async def main():
    session = await terminals.open(folder=Path("."), root="run", mark=children.mark("run"))
    # in brackets: setsid forks where it leads a group, and would be counted beside its child
    await session.terminal.send(
        "(setsid sleep 1001 &); nohup sleep 1001 & disown; echo star''ted\\n"
    )
    await session.terminal.wait_for("started", 20)
    while len(children.bearing(session.mark)) < 3:
        await asyncio.sleep(0)
    print(*children.bearing(session.mark), flush=True)
    HOW

asyncio.run(main())
"""


def ran(how, folder):
    """A process that opens a terminal in a folder and ends so."""
    return subprocess.run(
        [sys.executable, "-c", OWNER.replace("HOW", how)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def owner(how, folder):
    """The processes of a terminal whose owner ended so."""
    ended = ran(how, folder)
    numbers = {int(word) for word in ended.stdout.split()}
    assert len(numbers) > 2, ended.stderr
    return numbers, ended


@pytest.mark.parametrize("how", ["pass", "sys.exit(3)", "raise ValueError"])
def test_terminals_end_with_their_process(how, tmp_path):
    numbers, ended = owner(how, tmp_path)

    assert living(numbers) == set()
    assert ended.returncode in (0, 1, 3)


def test_terminals_of_a_process_that_was_killed_end_at_the_next_start(tmp_path):
    numbers, _ = owner("os.kill(os.getpid(), signal.SIGKILL)", tmp_path)
    left = living(numbers)

    process_cleanup.sweep()

    assert left
    assert living(numbers) == set()


def test_a_fork_ends_no_terminal_of_its_parent(tmp_path):
    fork = (
        "if not os.fork(): atexit._run_exitfuncs(); os._exit(0)\n"
        "    os.wait()\n"
        "    found = children.bearing(session.mark)\n"
        "    print(sum(processes.start_time(n) is not None for n in found))"
    )

    numbers, left = ran(fork, tmp_path).stdout.strip().split("\n")

    assert len(numbers.split()) > 2
    assert int(left) > 2


async def test_a_sweep_leaves_what_has_a_living_owner(typist):
    numbers = await started(typist, "setsid sleep 1001 &")

    process_cleanup.sweep()

    assert living(numbers) == numbers


def test_a_process_that_has_the_number_of_the_owner_is_not_the_owner():
    space, number, born = process_cleanup.mark("x").split(":")[1:4]
    reused = subprocess.Popen(
        ["sleep", "1001"],
        env={**os.environ, process_cleanup.VARIABLE: f"wfnb:{space}:{number}:{int(born) + 1}:x"},
    )
    elsewhere = subprocess.Popen(
        ["sleep", "1001"], env={**os.environ, process_cleanup.VARIABLE: f"wfnb:1:{number}:1:x"}
    )

    process_cleanup.sweep()

    assert reused.wait(20) == -signal.SIGTERM
    assert elsewhere.poll() is None
    elsewhere.kill()
    elsewhere.wait()


def test_marks_are_divided_and_add_up(monkeypatch):
    outer, inner = process_cleanup.mark("outer"), process_cleanup.mark("inner one")
    monkeypatch.setenv(process_cleanup.VARIABLE, outer)
    process = subprocess.Popen(["sleep", "1001"], env=process_cleanup.environment(f"{inner}.1"))

    found = [
        process.pid in process_cleanup.bearing(mark)
        for mark in (outer, inner, f"{inner}.1", f"{inner}.2", inner[:-1], "")
    ]

    assert found == [True, True, True, False, False, False]
    assert process_cleanup.end_marked(inner) == 1
    assert process.wait(20) == -signal.SIGTERM


def test_no_mark_ends_nothing():
    assert process_cleanup.end_marked("") == 0


def test_processes_are_found_with_ps_where_there_is_no_proc(monkeypatch):
    shown = ("ps", "axeww", "-o", "pid=,ppid=,command=")
    monkeypatch.setattr(
        process_cleanup, "all_processes", lambda: processes._processes_from_ps(shown)
    )
    mark = process_cleanup.mark("run")
    with subprocess.Popen(
        ["bash", "-c", "env -i sleep 1001 & echo; wait"],
        env=process_cleanup.environment(f"{mark}.1"),
        stdout=subprocess.PIPE,
    ) as process:
        process.stdout.readline()

        numbers = process_cleanup.bearing(mark)

        assert process.pid in numbers
        assert len(numbers) == 2
        assert process_cleanup.end_marked(mark) == 2
        # bash may see the end of the child, and end, before the signal comes to it
        assert process.wait(20) in (-signal.SIGTERM, 0)
