"""Python code, a step's cell or a function's name -> its value, what it printed, its traceback."""

from __future__ import annotations

import ast
import asyncio
import inspect
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import Field

from wfnb.stoppable_calls.tasks import in_task
from wfnb.stoppable_calls.threads import StillRunning, in_thread
from wfnb.workflows.definition.python_syntax import mistake
from wfnb.workflows.definition.verbatim_parameters import VERBATIM

from .call_context import Context
from .capture_output import PrintedOutput
from .evaluate import evaluate_call, prepare_call, result_of
from .failure_fields import failure_of, format_failure
from .namespace_lock import names_set, turn
from .parameter_conflicts import is_known, one_of
from .result_fields import ToolFailed
from .subprocess_call import in_process
from .tool import tool_of
from .truncated_output import truncate


async def python(
    context: Context,
    code: Annotated[
        Annotated[str, Field(json_schema_extra={"format": "python", VERBATIM: True})] | None,
        "Python code. The value of its last line, if that is an expression, is `result`",
    ] = None,
    function: Annotated[
        str | None, "A function instead: a name of the notebook, or a dotted name as `math.sqrt`"
    ] = None,
    step: Annotated[
        Annotated[int, Field(ge=1)] | None,
        "A cell of the notebook instead: the number of the step that it is",
    ] = None,
    branch: Annotated[str | None, "The branch that the step is on; none: the chosen line"] = None,
    args: Annotated[list[Any], "What the function is given by position"] = [],  # noqa: B006
    arguments: Annotated[
        dict[str, Any], "What the function is given by name; for code, names that it finds set"
    ] = {},  # noqa: B006
    process: Annotated[
        bool,
        "Run in a process of its own, which can be killed; it sees copies of the names it uses",
    ] = False,
) -> dict[str, Any]:
    """Run Python code or the cell of a step, or call a function, with the notebook's names.

    Code and functions run in a thread beside the notebook, coroutines on the runner's loop, and see
    and set the names of the notebook; where there is no notebook, names are new for each call.
    Calls at the same time of code that sets the same names, its `arguments` too, take turns.
    No brace in `code` is a placeholder: what it needs goes by `arguments`. One that holds a secret
    is there for the call alone.
    `result` is the value as JSON can hold it; who reads it as a parameter of Python has the value
    itself. `stdout` and `stderr` are what the call printed with Python: what a program prints that
    it starts is in no result and goes where this process prints, secrets too. With `process: true`
    it is in the result. A
    failure has `error_type`, `error` and `traceback`.

    A step's cell is run as its newest version was recorded, without the line that opens the step;
    it becomes no other attempt of the step. `version` is the one that was run, from 1;
    `hidden` is true where the step is hidden. It has to be Python: magics and lines for the shell
    are refused.
    """
    given = {"code": code, "function": function, "step": step, "branch": branch, "args": args}
    if wrong := _joint(given):
        raise ToolFailed(wrong)
    ran: dict[str, Any] = {}
    if step is not None:
        known = context.code_of(step, branch)
        code, ran = known.code, {"step": known.step, "version": known.version}
        ran |= {"hidden": True} if known.hidden else {}
        if wrong := mistake(code):
            what = "Lines that only a notebook reads (`%magic`, `!command`) cannot be run here."
            raise ToolFailed(f"Step {step} is not all Python: {wrong}. {what}", **ran)
    names: MutableMapping[str, Any] = (
        context.namespace if context.namespace is not None else {"__name__": "__main__"}
    )
    printed = PrintedOutput(context.say)
    context.so_far = lambda: _trimmed_fields(printed.fields(), context) | ran
    try:
        if process:
            # Only those travel: a notebook has names of gigabytes, and some that cannot be pickled.
            used = _used_names(code, function, names)
            there = (evaluate_call, code, function, args, arguments, used)
            fields = await in_process(
                *there, context=context, printed=printed.outputs, keep=context.keep()
            )
            return _trimmed_fields(fields | printed.fields(), context) | ran
        call = prepare_call(code, function, args, arguments, names)
        set_here = () if code is None else names_set(code) | arguments.keys()
        async with turn(names, set_here):
            with printed.hear(), _removed_after({} if code is None else arguments, names, context):
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
    return _trimmed_fields(fields | printed.fields(), context) | ran


def _joint(params: Mapping[str, Any]) -> str | None:
    if wrong := one_of(params, "code", "function", "step"):
        return wrong
    branch, args = params.get("branch"), params.get("args")
    if branch is not None and is_known(branch) and params.get("step") is None:
        return "A `branch` goes with the `step` that is on it."
    if args and is_known(args) and params.get("function") is None:
        return "Code takes no `args`: `arguments` become names that it finds set."
    return None


@contextmanager
def _removed_after(
    arguments: Mapping[str, Any], names: MutableMapping[str, Any], context: Context
) -> Iterator[None]:
    """Those that hold a secret are taken out of the notebook's names, where a step would keep them
    and a cell show them. What the code itself makes of one is its own."""
    held = {name: value for name, value in arguments.items() if _holds_secret(value, context)}
    before = {name: names[name] for name in held if name in names}
    try:
        yield
    finally:
        for name, value in held.items():
            # The code gave the name another value, which is its own.
            if names.get(name) is not value:
                continue
            if name in before:
                names[name] = before[name]
            else:
                del names[name]


def _holds_secret(value: Any, context: Context) -> bool:
    if isinstance(value, dict):
        return any(_holds_secret(part, context) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return any(_holds_secret(part, context) for part in value)
    return isinstance(value, str | int | float) and context.hide(str(value)) != str(value)


def _trimmed_fields(fields: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """The fields without the margins that they had for hiding secrets: also those that came from a
    process apart, which knows none."""
    printed = {name: fields[name] for name in ("stdout", "stderr") if name in fields}
    shown = {name: truncate(text, context.hide) for name, text in printed.items()}
    return format_failure(fields, context.hide) | shown


def _used_names(code: str | None, function: str | None, names: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the notebook's names that the code or the function's name speaks of."""
    if code is None:
        words = {(function or "").partition(".")[0]}
    else:
        words = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    return {name: names[name] for name in words if name in names}


# It does not travel: it sees and sets the names of the notebook, and what it prints is heard as it
# comes. A function that needs neither becomes a tool that does by `@wfnb.tool(travels=True)`.
PYTHON = tool_of(
    python,
    objects=("args", "arguments"),
    away=lambda params: params.get("process") is True,
    joint=_joint,
    timeout=None,
    grace=None,
    results={
        "result": "",
        "stdout": "string",
        "stderr": "string",
        "traceback": "string",
        "step": "integer",
        "version": "integer",
        "hidden": "boolean",
        "stdout_invalid": "integer",
        "stderr_invalid": "integer",
    },
)
