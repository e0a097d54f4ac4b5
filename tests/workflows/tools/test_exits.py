"""What a process has started ends with it, and nothing goes on because of that."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wfnb.workflows.tools.process_table import start_time

ROOT = Path(__file__).parents[3]
BEFORE = """
import asyncio, os, resource, sys, threading
from tests.workflows.tools.calls import Cue, context_of, fields
from wfnb.workflows.runner.event_loop import engine
from wfnb.workflows.tools.process_cleanup import bearing
from wfnb.workflows.tools.child_program import run_program
from wfnb.workflows.tools.tool_execution import perform
from wfnb.workflows.tools.python import PYTHON
from wfnb.workflows.tools.shell import SHELL

def begun(tool, params):
    "Begin a call on the engine's loop; what it started, once it has said that it is ready."
    ready = threading.Event()
    context = context_of(say=lambda text: ready.set())

    async def calls():
        await perform(tool, params, context)
        print("it went on")

    future = engine().submit(calls())
    assert ready.wait(30)
    return bearing(context.mark)
"""


def ran(program):
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEFORE + program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )


def living(numbers):
    return {number for number in numbers if start_time(number) is not None}


STARTED = {
    "a command": (
        "begun(SHELL, {'command': 'setsid sleep 1001 & echo ready; sleep 1001'})",
        2,
    ),
    "a process of its own": (
        "begun(PYTHON, {'code': 'import time; print(1); time.sleep(1001)', 'process': True})",
        1,
    ),
}


@pytest.mark.parametrize("how", ["pass", "sys.exit(3)", "raise ValueError"])
@pytest.mark.parametrize("what", STARTED)
def test_with_its_process_ends(what, how):
    start, least = STARTED[what]

    ended = ran(f"print(*{start}, flush=True)\n{how}")

    assert "it went on" not in ended.stdout
    numbers = {int(word) for word in ended.stdout.split()}
    assert len(numbers) >= least, ended.stderr
    assert living(numbers) == set()


def test_what_a_command_left_in_the_background_ends_with_the_process():
    program = """
context = context_of()
fields(SHELL, context, command="sleep 1001 >/dev/null 2>&1 &")
print(*bearing(context.mark))
"""

    ended = ran(program)

    numbers = {int(word) for word in ended.stdout.split()}
    assert len(numbers) == 1, ended.stderr
    assert living(numbers) == set()


def test_a_fork_that_exits_ends_nothing_of_its_parent():
    program = """
context = context_of()
fields(SHELL, context, command="sleep 1001 >/dev/null 2>&1 &")
sys.stdout.flush()
number = os.fork()
if not number:
    sys.exit(0)
os.waitpid(number, 0)
print(len(bearing(context.mark)))
"""

    ended = ran(program)

    assert ended.stdout == "1\n", ended.stderr


def test_a_fork_that_exits_ends_what_it_has_started_itself():
    program = """
context = context_of()
fields(SHELL, context, command="sleep 1001 >/dev/null 2>&1 &")
print(*bearing(context.mark), flush=True)
number = os.fork()
if not number:
    context = context_of()
    fields(SHELL, context, command="sleep 1001 >/dev/null 2>&1 &")
    print(*bearing(context.mark), flush=True)
    sys.exit(0)
os.waitpid(number, 0)
print(len(bearing(context.mark)))
"""

    mine, forks, left = ran(program).stdout.splitlines()

    assert mine != forks
    assert left == "1"
    assert living({int(mine), int(forks)}) == set()


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="descriptors cannot be counted")
def test_a_command_for_which_too_few_files_can_be_open_leaves_none_open():
    program = """
def count():
    return len(os.listdir("/dev/fd"))

async def main():
    context, known = context_of(), count()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for room in range(1, 7):
        taken = []
        resource.setrlimit(resource.RLIMIT_NOFILE, (known + 20, hard))
        while True:
            try:
                taken.append(os.dup(0))
            except OSError:
                break
        for _ in range(room):
            os.close(taken.pop())
        try:
            await run_program(["true"], cwd=context.folder, env={}, mark=context.mark,
                           heard=(print, print), input=b"a")
        except OSError as error:
            print(room, error.strerror)
        for each in taken:
            os.close(each)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        print(count() - known)

asyncio.run(main())
"""

    said = ran(program).stdout.splitlines()

    assert "1 Too many open files" in said
    assert "3 Too many open files" in said
    assert {line for line in said if len(line) < 3} == {"0"}
