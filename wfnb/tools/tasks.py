"""an awaitable -> a task that makes it, and a way to stop it there.

A task can be cancelled, and may not heed it: that is reported, never forgotten.

What an awaitable does before it has to wait is done at once. Many have done everything then, and a
turn of the loop takes longer than they do. It is done in the name of the task that it would go on
in (`asyncio.current_task`): a limit that it sets, or a cancellation that it leaves behind, meets no
other call.
"""

from __future__ import annotations

import asyncio
from asyncio.tasks import _enter_task, _leave_task  # for who runs parts of coroutines: "Extending"
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import Context, copy_context
from inspect import iscoroutine
from sys import getrefcount
from types import coroutine
from typing import Any

from .threads import GRACE, StillRunning

Came = tuple[Any, BaseException | None]
"""What an awaitable came to, and what it raised."""
Begun = tuple[Coroutine[Any, Any, Any], Callable[..., Any], Any, asyncio.Future[None]]
"""A coroutine, what runs in its context, what it waits for, and who waits for it."""


async def in_task(call: Awaitable[Any], grace: float = GRACE) -> Came:
    """What an awaitable comes to and what it raised, in a task of its own, with the context
    variables of here.

    When this is cancelled the task is; raises StillRunning if it has not ended `grace` seconds
    later. Where this is cancelled already nothing is begun.
    """
    here = asyncio.current_task()
    steps = call if iscoroutine(call) else _awaited(call)
    if here is not None and here.cancelling():
        steps.close()  # else it would be reported as forgotten
        raise asyncio.CancelledError
    loop = asyncio.get_running_loop()
    task, begun = _spare(loop)
    run = copy_context().run
    holders = getrefcount(task)
    if here is not None:
        _leave_task(loop, here)
    _enter_task(loop, task)
    came: Came | None = None
    try:
        waits = run(steps.send, None)
        _awaits(waits, False)
    except StopIteration as end:
        came = end.value, None
    except BaseException as error:
        came = None, error
    finally:
        _leave_task(loop, task)
        if here is not None:
            _enter_task(loop, here)
    if came is not None:
        is_held = getrefcount(task) > holders
        _unused(task, begun, is_held)
        return came
    return await _rest(task, begun, (steps, run, waits, loop.create_future()), grace)


async def _awaited(call: Awaitable[Any]) -> Any:
    return await call


async def _rest(
    task: asyncio.Task[Came], begun: asyncio.Future[Begun | None], given: Begun, grace: float
) -> Came:
    """The task goes on with what was begun, from what that waits for."""
    waiter = given[-1]
    _TASKS[task] = waiter
    task.add_done_callback(_left)
    begun.set_result(given)
    try:
        await waiter
    except asyncio.CancelledError:
        if not task.done():
            asyncio.get_running_loop().call_soon(task.cancel)  # once it has begun
            with suppress(asyncio.CancelledError):  # told a second time: no more patience
                await asyncio.wait([task], timeout=grace)
        if not task.done():
            raise StillRunning(task) from None
        if task.cancelled():
            raise
    return task.result()


_TASKS: dict[asyncio.Task[Came], asyncio.Future[None]] = {}
"""Those that have not ended, and who waits: a loop itself does not keep them."""
_SPARES: list[tuple[asyncio.Task[Came], asyncio.Future[Begun | None]]] = []
"""A task that has nothing to do yet: it is for the next call. To make one takes longer than many a
call."""


def _left(task: asyncio.Task[Came]) -> None:
    waiter = _TASKS.pop(task)
    if not waiter.done():  # it was cancelled before it began
        waiter.set_result(None)


def _spare(
    loop: asyncio.AbstractEventLoop,
) -> tuple[asyncio.Task[Came], asyncio.Future[Begun | None]]:
    with suppress(IndexError):
        task, begun = _SPARES.pop()
        if begun.get_loop() is loop and not begun.done() and not task.cancelling():
            return task, begun
    begun = loop.create_future()
    task = loop.create_task(_later(begun), context=Context())
    task._log_destroy_pending = False  # type: ignore[attr-defined]  # as one that waits may be
    return task, begun


def _unused(task: asyncio.Task[Came], begun: asyncio.Future[Begun | None], is_held: bool) -> None:
    """The call needed no task. One that somebody has kept is at its end, as they expect."""
    if not is_held and not task.cancelling() and not _SPARES:
        _SPARES.append((task, begun))
    elif not begun.done():
        begun.set_result(None)


async def _later(begun: asyncio.Future[Begun | None]) -> Came:
    """What a task does: it waits until a call is given to it, and goes on with that."""
    stopped = None
    try:
        await begun
    except asyncio.CancelledError as cancelled:
        if not begun.done() or begun.cancelled():
            raise
        stopped = cancelled  # it is the call that is meant
    given = begun.result()
    if given is None:
        return None, None
    waiter = given[-1]
    try:
        return await _driven(given, stopped), None
    except BaseException as error:
        return None, error
    finally:
        closed = waiter.get_loop().is_closed()  # then this is thrown away, and nobody waits
        if not closed and not waiter.done():  # a turn of the loop sooner than by the task's end
            waiter.set_result(None)


def _awaits(waits: Any, is_passed_on: bool) -> None:
    """A future that is awaited is marked while it is passed on to a task, and by nobody else."""
    if asyncio.isfuture(waits):
        waits._asyncio_future_blocking = is_passed_on


@coroutine
def _driven(given: Begun, stopped: BaseException | None) -> Generator[Any, Any, Any]:
    """The value of a coroutine that was begun elsewhere, in its own context."""
    steps, run, waits, _ = given
    while True:
        try:
            if stopped is not None:
                first, stopped = stopped, None
                raise first
            _awaits(waits, True)
            go, sent = steps.send, (yield waits)
        except GeneratorExit:
            run(steps.close)
            raise
        except BaseException as error:
            go, sent = steps.throw, error
        try:
            waits = run(go, sent)
        except StopIteration as end:
            return end.value
