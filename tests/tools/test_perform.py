"""Calling a tool: fields, or CancelledError, or StillRunning, and nothing else."""

import asyncio
import gc
import sys
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar

import pytest

from wfnb.tools import tasks
from wfnb.tools.context import Context
from wfnb.tools.outcome import ToolFailed
from wfnb.tools.perform import StillRunning, perform
from wfnb.tools.tool import tool_of

from .calls import Cue, cancelled, context_of, done, fields

SPOKEN = ContextVar("SPOKEN", default="nothing")


def ends_well(n: int = 1) -> dict:
    return {"n": n, "thread": threading.current_thread().name}


async def ends_well_too(n: int = 1) -> int:
    await asyncio.sleep(0)
    return n


def raises(what: str):
    raise {"exit": SystemExit(2), "key": KeyError("k"), "stop": StopIteration(1)}[what]


async def raises_too(what: str):
    raises(what)


def interrupts():
    raise KeyboardInterrupt


def fails():
    raise ToolFailed("no such host", host="web1")


def test_a_function_runs_in_a_thread_of_its_own():
    result = fields(tool_of(ends_well), n="3")

    assert (result["success"], result["n"]) == (True, 3)
    assert result["thread"].startswith("wfnb-tool-")


def test_a_coroutine_function_runs_on_the_loop():
    async def where():
        return {"here": threading.get_ident()}

    async def called():
        return await perform(tool_of(where), {}, context_of()), threading.get_ident()

    result, here = done(called())

    assert result == {"success": True, "here": here}


def test_what_a_function_returns_is_awaited_where_it_can_be():
    def starts():
        return ends_well_too(4)

    assert fields(tool_of(starts)) == {"success": True, "result": 4}


@pytest.mark.parametrize("function", [raises, raises_too])
@pytest.mark.parametrize(
    ("what", "error", "kind"),
    [
        ("exit", "SystemExit: 2", "SystemExit"),
        ("key", "KeyError: 'k'", "KeyError"),
    ],
)
def test_an_exception_is_a_failure(function, what, error, kind):
    expected = {"success": False, "error": error, "error_type": kind}

    assert fields(tool_of(function), what=what) == expected


def test_no_exception_is_too_strange_to_be_a_failure():
    assert fields(tool_of(raises), what="stop")["error_type"] == "StopIteration"
    assert fields(tool_of(interrupts))["error"] == "KeyboardInterrupt"
    assert fields(tool_of(fails)) == {
        "success": False,
        "error": "no such host",
        "host": "web1",
    }


def test_parameters_that_are_wrong_are_a_failure_and_nothing_is_called():
    assert fields(tool_of(raises), wat="exit") == {
        "success": False,
        "error": "raises: what is missing; wat is no parameter (nearest: what).",
        "error_type": "BadParameters",
    }


def test_something_inside_that_was_cancelled_is_a_failure():
    async def waits():
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    assert fields(tool_of(waits))["error_type"] == "CancelledError"


def test_the_context_is_given_to_who_declares_it():
    def asks(c: Context, n: int):
        return c.action, n

    assert fields(tool_of(asks), n=1)["result"] == ["act", 1]


def test_a_thread_has_the_context_variables_of_its_caller():
    def speaks():
        return SPOKEN.get()

    async def called():
        SPOKEN.set("hello")
        return await perform(tool_of(speaks), {}, context_of())

    assert done(called())["result"] == "hello"


def test_a_coroutine_that_is_cancelled_stops():
    ended = []

    async def waits(c: Context):
        c.say("here")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    task, _ = done(cancelled(tool_of(waits), {}, "here"))

    assert task.cancelled()
    assert ended == [True]


def test_a_thread_that_is_cancelled_stops_between_two_lines():
    ended = []

    def loops(c: Context):
        try:
            c.say("here")
            while True:
                pass
        except Exception:
            ended.append("it must not be taken for an error of its own")
        finally:
            ended.append("cleaned")

    task, _ = done(cancelled(tool_of(loops), {}, "here"))

    assert task.cancelled()
    assert ended == ["cleaned"]


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


def test_the_thread_of_a_stopped_call_serves_the_next():
    def loops(c: Context):
        c.say("here")
        while True:
            pass

    async def called():
        results = []
        for _ in range(20):
            await cancelled(tool_of(loops), {}, "here")
            results.append(await perform(tool_of(ends_well), {}, context_of()))
        return results

    assert [result["success"] for result in done(called())] == [True] * 20


def test_a_call_that_is_stopped_as_it_ends_harms_nobody():
    def short(c: Context):
        c.say("here")
        return 1

    async def called():
        for _ in range(200):
            cue = Cue("here")
            task = asyncio.create_task(perform(tool_of(short), {}, context_of(say=cue.say)))
            await cue.came.wait()
            task.cancel()
            await asyncio.wait([task])
        return await perform(tool_of(ends_well), {}, context_of())

    assert done(called())["success"]


def test_a_call_that_has_not_begun_when_it_is_cancelled_never_begins():
    began = []
    let_go = threading.Event()

    def begins():
        began.append(True)

    async def called(pool):
        first = pool.submit(let_go.wait)
        task = asyncio.create_task(perform(tool_of(begins), {}, context_of(), pool))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        let_go.set()
        await asyncio.wrap_future(first)
        return task

    with ThreadPoolExecutor(1) as pool:
        assert done(called(pool)).cancelled()

    assert began == []


class Afar(Executor):
    """Stands for another machine: takes what it is given, and says what that was."""

    def __init__(self):
        self.calls = []

    def submit(self, function, /, *args, **names):
        future = Future()
        self.calls.append((function, args))
        future.set_result(function(*args, **names))
        return future


def test_only_a_tool_that_travels_goes_to_an_executor_elsewhere():
    afar = Afar()

    there = fields(tool_of(ends_well, travels=True), context_of(), afar)
    here = fields(tool_of(ends_well), context_of(), afar)

    assert len(afar.calls) == 1
    assert (there["n"], here["n"]) == (1, 1)
    assert here["thread"].startswith("wfnb-tool-")


def test_a_call_elsewhere_that_is_cancelled_is_reported_as_running():
    future = Future()
    future.set_running_or_notify_cancel()

    class Slow(Executor):
        def submit(self, function, /, *args, **names):
            return future

    async def called():
        work = perform(tool_of(ends_well, travels=True), {}, context_of(), Slow())
        task = asyncio.create_task(work)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.exception()

    error = done(called())

    assert isinstance(error, StillRunning)
    assert error.future is future


def test_a_call_that_has_ended_when_it_is_cancelled_gives_its_result():
    began = threading.Event()

    def begins():
        began.set()
        return "done"

    async def called(pool):
        task = asyncio.create_task(perform(tool_of(begins), {}, context_of(), pool))
        await asyncio.sleep(0)
        began.wait()
        pool.submit(int).result()  # the only thread is free again: the call has ended
        task.cancel()
        return await task

    with ThreadPoolExecutor(1) as pool:
        assert done(called(pool)) == {"success": True, "result": "done"}


def test_a_call_elsewhere_that_has_ended_when_it_is_cancelled_gives_its_result():
    future = Future()
    future.set_running_or_notify_cancel()

    class Slow(Executor):
        def submit(self, function, /, *args, **names):
            return future

    async def called():
        work = perform(tool_of(ends_well, travels=True), {}, context_of(), Slow())
        task = asyncio.create_task(work)
        await asyncio.sleep(0)
        future.set_result({"success": True, "n": 7})
        task.cancel()
        return await task

    assert done(called()) == {"success": True, "n": 7}


def test_a_coroutine_that_has_ended_when_it_is_cancelled_gives_its_result():
    async def called():
        async def ends():
            asyncio.get_running_loop().call_soon(task.cancel)
            return "done"

        task = asyncio.create_task(perform(tool_of(ends), {}, context_of()))
        return await task

    assert done(called()) == {"success": True, "result": "done"}


def test_what_a_cancelled_function_returned_is_not_begun():
    began, awaited = threading.Event(), []

    async def late():
        awaited.append(True)

    def starts():
        began.set()
        return late()

    async def called(pool):
        task = asyncio.create_task(perform(tool_of(starts), {}, context_of(), pool))
        await asyncio.sleep(0)
        began.wait()
        pool.submit(int).result()
        task.cancel()
        await asyncio.wait([task])
        return task

    with ThreadPoolExecutor(1) as pool:
        assert done(called(pool)).cancelled()

    assert awaited == []


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
    monkeypatch.setattr(tasks, "_TASKS", {})
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)  # "destroyed but pending": so they are

    async def begins():
        outer = asyncio.ensure_future(tasks.in_task(asyncio.Event().wait()))
        while not tasks._TASKS:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        del outer

    loop.run_until_complete(begins())
    loop.close()
    tasks._TASKS.clear()
    gc.collect()

    assert said == []
