"""an awaitable -> a task that makes it, and a way to stop it there.

A task can be cancelled, and may not heed it: that is reported, never forgotten. It is a task of its
own so that a limit that the call sets, or a cancellation that it leaves behind, meets no other
call. From Python 3.12 on what it does before it has to wait is done at once; before, one turn of
the loop later.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable
from contextlib import suppress
from inspect import iscoroutine
from typing import Any

from .threads import GRACE, StillRunning

Came = tuple[Any, BaseException | None]
"""What an awaitable came to, and what it raised."""

_EAGER: dict[str, Any] = {"eager_start": True} if sys.version_info >= (3, 12) else {}


async def in_task(call: Awaitable[Any], grace: float = GRACE) -> Came:
    """What an awaitable comes to and what it raised, in a task of its own, with the context
    variables of here.

    When this is cancelled the task is; raises StillRunning if it has not ended `grace` seconds
    later. Where this is cancelled already nothing is begun.
    """
    here = asyncio.current_task()
    if here is not None and here.cancelling():
        if iscoroutine(call):
            call.close()  # else it would be reported as forgotten
        raise asyncio.CancelledError
    loop = asyncio.get_running_loop()
    came: list[Came] = []  # a task that was cancelled at its end loses its result
    task = asyncio.Task(_catch_outcome(call, came), loop=loop, **_EAGER)
    if not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            loop.call_soon(task.cancel)  # once it has begun
            with suppress(asyncio.CancelledError):  # told a second time: no more patience
                await asyncio.wait([task], timeout=grace)
            if not task.done():
                raise StillRunning(task) from None
            if not came:
                raise
    return came[0]


async def _catch_outcome(call: Awaitable[Any], came: list[Came]) -> Came:
    try:
        came.append((await call, None))
    except BaseException as error:
        came.append((None, error))
    return came[0]
