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

from wfnb.errors import BadParameters, ClusterLost
from wfnb.stoppable_calls.tasks import in_task
from wfnb.stoppable_calls.threads import GRACE, Threads, in_executor, in_thread
from wfnb.stoppable_calls.threads import StillRunning as StillRunning
from wfnb.workflows.definition.truncation import PrintedValue, TextKeyDict

from .call_context import Context
from .result_fields import call_function, outcome, outcome_of
from .subprocess_call import in_process
from .tool import Tool
from .value_passing import (
    HandledParams,
    Keep,
    call_marked,
    handles_in,
    restore_answer,
    with_forms,
    with_values,
    with_ways,
)


async def perform(
    tool: Tool,
    params: Mapping[str, Any],
    context: Context | None,
    executor: Executor | None = None,
    keep: Callable[[], Keep | None] = lambda: None,
) -> dict[str, Any]:
    """Call a tool. A coroutine function runs here, a function in a thread (with the context
    variables of here) or, if it is to have a process of its own, in one. Only a tool that travels
    goes to an `executor` that is not made of threads here, whatever kind of function it is. Only a
    tool that is `told` needs a context. `keep` is how another process keeps what JSON cannot hold.
    Parameters may have a Handle in place of a value.

    A mistake in the parameters, an exception, even SystemExit, is a result whose `success` is
    false. When this is cancelled the tool is stopped: its task is cancelled, its thread gets an
    exception, its process is killed. One that has ended by then gives its result. Raises
    StillRunning if it has not ended 0.2 s later (where the tool has such a `grace`), and
    ClusterLost where the machines that it ran on are gone, and nobody knows how it ended.
    """
    try:
        local = executor is None or isinstance(executor, Threads | ThreadPoolExecutor)
        travels = executor is not None and not local and tool.travels
        if isinstance(params, HandledParams):
            arguments = await _read(tool, params, away=travels or tool.away(params))
        else:
            arguments = tool.read(params)
        if tool.context is not None:
            arguments[tool.context] = context
        if executor is not None and travels:
            how = keep()
            work = partial(call_marked, how, call_function)
            return restore_answer(how, await in_executor(executor, work, tool.call, arguments))
        if tool.coroutine:
            return await _await_outcome(tool.call(**arguments), tool.grace)
        if tool.process:
            assert context is not None
            return await in_process(
                call_function, tool.call, arguments, context=context, keep=keep()
            )
        call = partial(_call_function, tool.call, arguments)
        value, error = await in_thread(call, executor if local else None)
        if error is not None:
            return outcome_of(error)
        return await _await_outcome(value, GRACE) if inspect.isawaitable(value) else dict(value)
    except (StillRunning, ClusterLost):
        raise
    except (asyncio.CancelledError, GeneratorExit) as error:
        task = asyncio.current_task()
        # Only a cancel from outside counts one on the task.
        if isinstance(error, GeneratorExit) or (task is not None and task.cancelling()):
            raise
        return outcome_of(error)  # something inside was cancelled: that is its failure
    except BaseException as error:
        return outcome_of(error)


async def _read(tool: Tool, params: HandledParams, away: bool) -> dict[str, Any]:
    """The parameters as the function takes them: with the values that handles stand for, in the
    form of JSON where it takes no other, or with the handles, where these are read elsewhere.
    Raises BadParameters, ValueLost."""
    handles = handles_in(dict(params))
    if away:
        try:
            return tool.read(params)
        except BadParameters:  # it says which values they are to be
            pass
    values, error = await in_thread(lambda: with_values(dict(params)))
    if error is not None:
        raise error
    try:
        read = tool.read(values)
    except BadParameters:
        # A text that only shows a value is no form of it: the refusal says what was wanted.
        if any(isinstance(handle.form, PrintedValue | TextKeyDict) for handle in handles):
            raise
        return tool.read(with_forms(dict(params)))
    return dict(with_ways(read, handles)) if away else read


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
