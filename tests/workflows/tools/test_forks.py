"""A fork of a process that has called tools calls its own: it waits for no thread of its parent."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BEFORE = """
import os, signal, sys, threading, time
from tests.workflows.tools.calls import context_of, fields
from wfnb.workflows.tools import capture_output as heard
from wfnb.workflows.tools.python import PYTHON
from wfnb.workflows.tools.registry import REGISTRY
from wfnb.workflows.tools.tool import tool_of

def apart(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()

def forked(work):
    sys.stdout.flush()
    number = os.fork()
    if not number:
        signal.alarm(20)  # a child that hangs is ended, and has said nothing
        work()
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(number, 0)
"""


def said(program):
    """What a process, and the fork that it makes, print."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEFORE + program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_fork_calls_functions_in_threads_of_its_own():
    program = """
def adds(n: int = 1): return n + 1

fields(tool_of(adds))
forked(lambda: print(fields(tool_of(adds), n=2)["result"]))
"""

    assert said(program) == "3\n"


HELD = {
    "begins to be heard": "heard._lock.acquire(); taken.set(); held.wait()",
    "is heard": "fields(PYTHON, context_of(namespace=globals()), code='taken.set(); held.wait()')",
}


@pytest.mark.parametrize("how", HELD)
def test_a_fork_hears_its_own_calls_while_its_parent(how):
    program = f"""
stdout, taken, held = sys.stdout, threading.Event(), threading.Event()

def holds(): {HELD[how]}

def child():
    print("plain", sys.stdout is stdout)
    print(fields(PYTHON, code="print('heard')")["stdout"], end="")
    print("plain", sys.stdout is stdout)

apart(holds)
taken.wait()
forked(child)
held.set()
"""

    assert said(program) == "plain True\nheard\nplain True\n"


def test_a_fork_from_within_a_call_that_is_heard_prints_where_its_process_does():
    program = """
code = '''
import os, sys
number = os.fork()
if not number:
    print("of the fork", flush=True)
    os._exit(0)
os.waitpid(number, 0)
print("of the call")
'''
print(fields(PYTHON, code=code)["stdout"], end="")
"""

    assert said(program) == "of the fork\nof the call\n"


def test_a_fork_looks_for_installed_tools_that_its_parent_was_looking_for():
    program = """
looking = threading.Event()

def never():
    looking.set()
    threading.Event().wait()

def child():
    REGISTRY._offered = lambda: []
    print("shell" in REGISTRY.names())

REGISTRY._offered = never
apart(REGISTRY.names)
looking.wait()
forked(child)
"""

    assert said(program) == "True\n"
