"""A call that is cancelled stops; one that has ended then gives its result."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.tool import tool_of
from wfnb.workflows.tools.tool_execution import perform

from .calls import Cue, cancelled, context_of, done, ends_well


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
