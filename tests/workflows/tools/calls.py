"""A call of a tool as the runner makes it: on a loop that runs in another thread. And a tool."""

import asyncio
import os
import threading
from itertools import count
from pathlib import Path

from wfnb.workflows.tools import process_cleanup
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.tool_execution import perform

OK = {"success": True, "exit_code": 0, "stdout": "", "stderr": "", "left_running": False}
"""What a command without output gives."""
_marks = count(1)


def told(*args):
    raise AssertionError(f"nobody asks here: {args}")


def context_of(folder=Path(), **known):
    said = known.pop("said", [])
    mark = process_cleanup.mark(f"test-{os.getpid()}-{next(_marks)}")
    facts = {
        "run": "run-1",
        "action": "act",
        "attempt": 1,
        "folder": Path(folder),
        "say": said.append,
        "ask": told,
        "nested": told,
        "namespace": None,
        "terminals": None,
        "root": "run-1",
        "marking": lambda: mark,
    }
    return Context(**(facts | known))


def done(work):
    """What the coroutine returns, from a loop in a thread of its own."""
    came = []

    def run():
        try:
            came.append((asyncio.run(work), None))
        except BaseException as error:
            came.append((None, error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert came, "it has not ended"
    [(value, error)] = came
    if error is not None:
        raise error
    return value


def fields(tool, context=None, executor=None, **params):
    """The result of a call."""
    return done(perform(tool, params, context or context_of(), executor))


class Cue:
    """What is said, and a way to wait for it."""

    def __init__(self, word):
        self.word, self.text = word, ""
        self.loop = asyncio.get_running_loop()
        self.came = asyncio.Event()

    def say(self, text):
        self.text += text
        if self.word in self.text:
            self.loop.call_soon_threadsafe(self.came.set)


async def cancelled(tool, params, word, **known):
    """Begin a call, cancel it once it has said the word, wait for its end: the task and its
    context."""
    cue = Cue(word)
    context = context_of(say=cue.say, **known)
    task = asyncio.create_task(perform(tool, params, context))
    await asyncio.wait_for(cue.came.wait(), 30)
    task.cancel()
    await asyncio.wait([task])
    return task, context


def ends_well(n: int = 1) -> dict:
    return {"n": n, "thread": threading.current_thread().name}
