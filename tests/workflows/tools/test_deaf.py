"""A call that does not stop when it is cancelled is reported as running, and can be waited for."""

import asyncio
import gc
import sys
import threading
from contextlib import suppress

import pytest

from wfnb.stoppable_calls import tasks
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.tool import tool_of
from wfnb.workflows.tools.tool_execution import StillRunning, perform

from .calls import Cue, cancelled, context_of, done


def test_a_thread_that_does_not_stop_is_reported_and_can_be_waited_for():
    let_go = threading.Event()
    held = threading.Lock()

    def hangs(c: Context):
        with held:
            while not let_go.is_set():
                try:
                    c.say("here")  # it may be stopped from here on
                    let_go.wait()
                except BaseException:
                    continue
        return "at last"

    async def called():
        task, _ = await cancelled(tool_of(hangs), {}, "here")
        error = task.exception()
        assert isinstance(error, StillRunning)
        assert held.locked()
        let_go.set()
        return await asyncio.wrap_future(error.future)

    value, error = done(called())

    assert error is None
    assert value == {"success": True, "result": "at last"}


def deaf(let_go):
    """A coroutine function that does not hear that it is cancelled."""

    async def hangs(c: Context):
        c.say("here")
        while not let_go.is_set():
            with suppress(asyncio.CancelledError):
                await let_go.wait()
        return "at last"

    return hangs


def returning(function):
    def starts(c: Context):
        return function(c)

    return starts


@pytest.mark.parametrize("way", [lambda function: function, returning])
def test_a_coroutine_that_does_not_stop_is_reported_and_can_be_waited_for(way):
    async def called():
        let_go = asyncio.Event()
        task, _ = await cancelled(tool_of(way(deaf(let_go))), {}, "here")
        error = task.exception()
        assert isinstance(error, StillRunning)
        let_go.set()
        return await error.future

    assert done(called()) == ("at last", None)


@pytest.mark.parametrize(
    ("grace", "gives"), [(None, {"success": True, "result": "at last"}), (0.0, "still running")]
)
def test_only_a_tool_without_a_grace_has_the_time_that_it_takes_to_end(grace, gives):
    async def called():
        let_go = asyncio.Event()
        cue = Cue("here")
        tool = tool_of(deaf(let_go), grace=grace)
        task = asyncio.create_task(perform(tool, {}, context_of(say=cue.say)))
        await cue.came.wait()
        task.cancel()
        for _ in range(20):
            await asyncio.sleep(0)
        let_go.set()
        try:
            return await task
        except StillRunning:
            return "still running"

    assert done(called()) == gives


def test_a_call_whose_loop_was_closed_is_thrown_away_without_a_word(monkeypatch):
    said = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)  # "destroyed but pending": so they are

    async def begins():
        outer = asyncio.ensure_future(tasks.in_task(asyncio.Event().wait()))
        for _ in range(3):  # until it waits
            await asyncio.sleep(0)
        del outer

    loop.run_until_complete(begins())
    loop.close()
    gc.collect()

    assert said == []
