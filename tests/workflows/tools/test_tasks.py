"""An awaitable in a task of its own."""

import asyncio
import sys
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any

import pytest

from wfnb.stoppable_calls.tasks import in_task
from wfnb.stoppable_calls.threads import StillRunning

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


def done(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="tasks begin with a turn of the loop")
def test_what_never_waits_is_done_without_a_turn_of_the_loop():
    async def main() -> bool:
        turned: list[bool] = []
        asyncio.get_running_loop().call_soon(turned.append, True)
        await in_task(at_once())
        return bool(turned)

    async def at_once() -> str:
        return "at once"

    assert done(main()) is False


def test_it_has_one_task_from_its_beginning_to_its_end_and_that_is_not_ours():
    async def main() -> None:
        tasks = []

        async def call() -> None:
            tasks.append(asyncio.current_task())
            await asyncio.sleep(0)
            tasks.append(asyncio.current_task())

        here = asyncio.current_task()
        await in_task(call())
        assert asyncio.current_task() is here
        assert tasks[0] is tasks[1] is not here
        assert tasks[0].done()

    done(main())


def test_its_context_variables_are_its_own_from_beginning_to_end():
    async def main() -> tuple[Any, str]:
        WHO.set("main")

        async def call() -> str:
            before = WHO.get()
            WHO.set("call")
            await asyncio.sleep(0)
            return f"{before}, {WHO.get()}"

        (value, _), after = await in_task(call()), WHO.get()
        return value, after

    assert done(main()) == ("main, call", "main")


def test_a_future_that_others_wait_for_as_well_wakes_all():
    async def main() -> list[Any]:
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def waits() -> str:
            return await future

        tasks = [asyncio.ensure_future(in_task(waits())) for _ in range(3)]
        others = [asyncio.ensure_future(waits()) for _ in range(3)]
        for _ in range(5):
            await asyncio.sleep(0)
        future.set_result("now")
        return [
            *[value for value, _ in await asyncio.gather(*tasks)],
            *await asyncio.gather(*others),
        ]

    assert done(main()) == ["now"] * 6


@pytest.mark.parametrize("turns", range(4))
def test_a_cancellation_reaches_the_call_however_soon_it_comes(turns: int):
    async def main() -> list[str]:
        said = []

        async def call() -> None:
            said.append("begun")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                said.append("cancelled")
                raise

        task = asyncio.ensure_future(in_task(call()))
        while not said:
            await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        value, error = await task
        assert (value, type(error)) == (None, asyncio.CancelledError)
        return said

    assert done(main()) == ["begun", "cancelled"]


def test_what_it_raises_first_or_later_is_said():
    async def main() -> list[tuple[Any, str]]:
        async def fails(turns: int) -> None:
            for _ in range(turns):
                await asyncio.sleep(0)
            raise SystemExit(turns)

        return [(value, repr(error)) for value, error in [await in_task(fails(n)) for n in (0, 1)]]

    assert done(main()) == [(None, "SystemExit(0)"), (None, "SystemExit(1)")]


def test_what_is_no_coroutine_is_awaited_too():
    async def main() -> list[Any]:
        class Later:
            def __await__(self):
                yield
                return "later"

        future = asyncio.get_running_loop().create_future()
        future.set_result("there")
        task = asyncio.ensure_future(asyncio.sleep(0, 3))
        return [await in_task(one) for one in (Later(), future, task)]

    assert done(main()) == [("later", None), ("there", None), (3, None)]


def test_a_limit_that_it_sets_first_thing_is_its_own():
    async def main() -> Any:
        async def call() -> str:
            try:
                async with asyncio.timeout(0.01):
                    await asyncio.sleep(60)
            except TimeoutError:
                return "it had enough"
            return "never"

        return await in_task(call())

    assert done(main()) == ("it had enough", None)


def test_what_goes_on_though_it_was_cancelled_is_said_to():
    async def main() -> str:
        ends = asyncio.Event()

        async def deaf() -> None:
            while not ends.is_set():
                try:
                    await ends.wait()
                except asyncio.CancelledError:
                    continue

        task = asyncio.ensure_future(in_task(deaf(), grace=0.01))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(StillRunning) as still:
            await task
        ends.set()
        return str(await still.value.future)

    assert done(main()) == "(None, None)"
