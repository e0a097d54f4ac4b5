"""a tool, its parameters, a context -> the fields of its result.

Whatever a tool does, the caller sees fields, CancelledError, or StillRunning; and ClusterLost where
nobody can know what it did.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any

from wfnb.calls.tasks import in_task
from wfnb.calls.threads import GRACE, Threads, in_executor, in_thread
from wfnb.calls.threads import StillRunning as StillRunning
from wfnb.errors import ClusterLost

from .context import Context
from .result_fields import call_function, outcome, outcome_of
from .subprocess_call import in_process
from .tool import Tool


async def perform(
    tool: Tool,
    params: Mapping[str, Any],
    context: Context | None,
    executor: Executor | None = None,
) -> dict[str, Any]:
    """Call a tool. A coroutine function runs here, a function in a thread (with the context
    variables of here) or, if it is to have a process of its own, in one. Only a tool that travels
    goes to an `executor` that is not made of threads here, whatever kind of function it is. Only a
    tool that is `told` needs a context.

    A mistake in the parameters, an exception, even SystemExit, is a result whose `success` is
    false. When this is cancelled the tool is stopped: its task is cancelled, its thread gets an
    exception, its process is killed. One that has ended by then gives its result. Raises
    StillRunning if it has not ended 0.2 s later (where the tool has such a `grace`), and
    ClusterLost where the machines that it ran on are gone, and nobody knows how it ended.
    """
    try:
        arguments = tool.read(params)
        if tool.context is not None:
            arguments[tool.context] = context
        local = executor is None or isinstance(executor, Threads | ThreadPoolExecutor)
        if executor is not None and not local and tool.travels:
            result = await in_executor(executor, call_function, tool.call, arguments)
            return dict(result)
        if tool.coroutine:
            return await _await_outcome(tool.call(**arguments), tool.grace)
        if tool.process:
            assert context is not None
            return await in_process(call_function, tool.call, arguments, context=context)
        call = partial(_call_function, tool.call, arguments)
        value, error = await in_thread(call, executor if local else None)
        if error is not None:
            return outcome_of(error)
        return await _await_outcome(value, GRACE) if inspect.isawaitable(value) else dict(value)
    except (StillRunning, ClusterLost):
        raise
    except (asyncio.CancelledError, GeneratorExit) as error:
        task = asyncio.current_task()
        if isinstance(error, GeneratorExit) or (task is not None and task.cancelling()):
            raise
        return outcome_of(error)  # something inside was cancelled: that is its failure
    except BaseException as error:
        return outcome_of(error)


async def _await_outcome(call: Awaitable[Any], grace: float | None) -> dict[str, Any]:
    if grace is None:
        return outcome(await call)
    value, error = await in_task(call, grace)
    if error is not None:
        raise error
    return outcome(value)


def _call_function(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """The fields of the result, made in the thread, where it may take its time; an awaitable as it
    is."""
    value = function(**arguments)
    return value if inspect.isawaitable(value) else outcome(value)
