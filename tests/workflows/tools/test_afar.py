"""A tool that travels is called by an executor elsewhere, which cannot stop it."""

import asyncio
from concurrent.futures import Executor, Future

from wfnb.workflows.tools.tool import tool_of
from wfnb.workflows.tools.tool_execution import StillRunning, perform

from .calls import context_of, done, ends_well, fields


class Afar(Executor):
    """Stands for another machine: takes what it is given, and says what that was."""

    def __init__(self):
        self.calls = []

    def submit(self, function, /, *args, **names):
        future = Future()
        self.calls.append((function, args))
        future.set_result(function(*args, **names))
        return future


class Slow(Executor):
    """Has begun what it was given, and does not end."""

    def __init__(self):
        self.future = Future()
        self.future.set_running_or_notify_cancel()

    def submit(self, function, /, *args, **names):
        return self.future


def test_only_a_tool_that_travels_goes_to_an_executor_elsewhere():
    afar = Afar()

    there = fields(tool_of(ends_well, travels=True), context_of(), afar)
    here = fields(tool_of(ends_well), context_of(), afar)

    assert len(afar.calls) == 1
    assert (there["n"], here["n"]) == (1, 1)
    assert here["thread"].startswith("wfnb-tool-")


def test_a_call_elsewhere_that_is_cancelled_is_reported_as_running():
    slow = Slow()

    async def called():
        work = perform(tool_of(ends_well, travels=True), {}, context_of(), slow)
        task = asyncio.create_task(work)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.exception()

    error = done(called())

    assert isinstance(error, StillRunning)
    assert error.future is slow.future


def test_a_call_elsewhere_that_has_ended_when_it_is_cancelled_gives_its_result():
    slow = Slow()

    async def called():
        work = perform(tool_of(ends_well, travels=True), {}, context_of(), slow)
        task = asyncio.create_task(work)
        await asyncio.sleep(0)
        slow.future.set_result({"fields": {"success": True, "n": 7}, "marks": {}})
        task.cancel()
        return await task

    assert done(called()) == {"success": True, "n": 7}
