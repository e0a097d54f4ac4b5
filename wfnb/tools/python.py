"""Python code or a function's name -> its value, what it printed, or its traceback."""

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import Mapping, MutableMapping
from typing import Annotated, Any

from .apart import in_process
from .context import Context
from .evaluate import evaluated, failure_of, result_of, wanted
from .heard import Printed
from .outcome import ToolFailed
from .threads import StillRunning, in_task, in_thread
from .tool import tool_of


async def python(
    context: Context,
    code: Annotated[
        str | None, "Python code. The value of its last line, if that is an expression, is `result`"
    ] = None,
    function: Annotated[
        str | None, "A function instead: a name of the notebook, or a dotted name as `math.sqrt`"
    ] = None,
    args: Annotated[list[Any], "What the function is given by position"] = [],  # noqa: B006
    arguments: Annotated[
        dict[str, Any], "What the function is given by name; for code, names that it finds set"
    ] = {},  # noqa: B006
    process: Annotated[
        bool,
        "Run in a process of its own, which can be killed; it sees copies of the names it uses",
    ] = False,
) -> dict[str, Any]:
    """Run Python code, or call a function, with the notebook's names.

    Code and functions run in a thread beside the notebook, coroutines on the runner's loop, and see
    and set the names of the notebook; where there is no notebook, names are new for each call.
    `result` is the value as JSON can hold it; `stdout` and `stderr` are what the call printed. A
    failure has `error_type`, `error` and `traceback`.
    """
    if (code is None) == (function is None):
        raise ToolFailed("Give either `code` or `function`.")
    if code is not None and args:
        raise ToolFailed("Code takes no `args`: `arguments` become names that it finds set.")
    names: MutableMapping[str, Any] = (
        context.namespace if context.namespace is not None else {"__name__": "__main__"}
    )
    printed = Printed(context.say)
    try:
        if process:
            used = _used(code, function, names)
            there = (evaluated, code, function, args, arguments, used)
            return await in_process(*there, context=context)
        call = wanted(code, function, args, arguments, names)
        with printed.hear():
            if inspect.iscoroutinefunction(call):
                value, error = call(), None
            else:
                value, error = await in_thread(call)
            if inspect.isawaitable(value):
                value, error = await in_task(value)
                if isinstance(error, asyncio.CancelledError | GeneratorExit):
                    raise error
        fields = failure_of(error) if error is not None else result_of(value)
    except (StillRunning, GeneratorExit):
        raise
    except BaseException as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        fields = failure_of(error)
    return fields | printed.fields()


def _used(code: str | None, function: str | None, names: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the notebook's names that the code or the function's name speaks of."""
    if code is None:
        words = {(function or "").partition(".")[0]}
    else:
        words = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    return {name: names[name] for name in words if name in names}


# It does not travel: it sees and sets the names of the notebook, and what it prints is heard as it
# comes. A function that needs neither becomes a tool that does by `@wfnb.tool(travels=True)`.
PYTHON = tool_of(
    python, timeout=None, grace=None, results=("result", "stdout", "stderr", "traceback")
)
