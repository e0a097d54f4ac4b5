"""A tool in a process of its own: its result comes back, and it can be killed."""

import os
import sys
import threading
import time

from wfnb.workflows.tools.process_cleanup import bearing
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.tools.tool import tool_of

from .calls import cancelled, context_of, done, fields


def raises(what: str):
    raise {"exit": SystemExit(2), "key": KeyError("k")}[what]


def fails():
    raise ToolFailed("no such host", host="web1")


def pid(add: int = 0):
    print("printed there")
    return {"pid": os.getpid() + add, "numbers": {3, 1}}


def dies():
    print("last words", file=sys.stderr)
    os._exit(7)


def waits(path: str):
    print("here")
    time.sleep(600)


def locks():
    return threading.Lock()


def test_a_process_of_its_own_is_another_one_and_its_result_comes_back():
    said = []

    result = fields(tool_of(pid, process=True), context_of(said=said))

    assert result["success"]
    assert result["pid"] != os.getpid()
    assert result["numbers"] == [1, 3]
    assert "".join(said) == "printed there\n"


def test_what_fails_in_a_process_is_a_failure_here():
    assert fields(tool_of(raises, process=True), what="exit") == {
        "success": False,
        "error": "SystemExit: 2",
        "error_type": "SystemExit",
    }
    assert fields(tool_of(fails, process=True))["host"] == "web1"


def test_a_process_that_dies_is_a_failure_with_its_last_words():
    assert fields(tool_of(dies, process=True)) == {
        "success": False,
        "error": "its process ended without a result (exit code 7)",
        "outcome_unknown": True,
        "output": "last words\n",
    }


def test_a_function_of_a_notebook_travels_with_what_it_uses():
    by = 5

    def add(to: int) -> int:
        return to + by

    assert fields(tool_of(add, process=True), to=2) == {"success": True, "result": 7}


def test_what_cannot_travel_is_a_failure():
    lock = threading.Lock()

    def holds():
        return lock

    result = fields(tool_of(holds, process=True))

    assert result["error"].startswith("it cannot be taken to another process (")


def test_a_result_that_cannot_travel_says_what_it_is():
    assert fields(tool_of(locks, process=True))["result"].startswith("<unlocked _thread.lock")


def test_a_process_whose_call_is_cancelled_is_gone():
    task, context = done(cancelled(tool_of(waits, process=True), {"path": "x"}, "here"))

    assert task.cancelled()
    assert bearing(context.mark) == frozenset()
