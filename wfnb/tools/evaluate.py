"""Python code or a function, and names -> its value, or the fields of its failure."""

from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
import sys
import traceback
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any

from .heard import Printed
from .outcome import ToolFailed, outcome_of, plain

LONGEST_TRACEBACK = 20_000
REMEMBERED = 500
"""Codes whose lines are kept for tracebacks, of this process."""
_files: OrderedDict[str, None] = OrderedDict()
_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_HERE = str(Path(__file__).parent)


def wanted(
    code: str | None,
    function: str | None,
    args: list[Any],
    arguments: Mapping[str, Any],
    names: MutableMapping[str, Any],
) -> Callable[[], Any]:
    if code is not None:
        return call_of(code, names, arguments)
    return partial(found(function or "", names), *args, **arguments)


def evaluated(
    code: str | None,
    function: str | None,
    args: list[Any],
    arguments: Mapping[str, Any],
    names: MutableMapping[str, Any],
) -> dict[str, Any]:
    """The fields that code or a function comes to: what is done in a process apart."""
    printed = Printed(sys.stdout.write)
    try:
        with printed.hear():
            value = wanted(code, function, args, arguments, names)()
            if inspect.isawaitable(value):
                value = asyncio.run(_awaited(value))
        fields = result_of(value)
    except BaseException as error:
        fields = failure_of(error)
    return fields | printed.fields()


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value


def call_of(
    code: str, names: MutableMapping[str, Any], arguments: Mapping[str, Any]
) -> Callable[[], Any]:
    """What runs the code: a function whose value is that of the last line, if it is an expression.
    With `await` at its top level it is a coroutine function. `arguments` become names first.

    Raises SyntaxError."""
    file = f"<python {sha256(code.encode('utf-8', 'replace')).hexdigest()[:8]}>"
    _remember(code, file)
    tree = compile(code, file, "exec", ast.PyCF_ONLY_AST | _AWAIT, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    parts = [compile(tree, file, "exec", _AWAIT, dont_inherit=True)]
    if isinstance(last, ast.Expr):
        value = ast.Expression(last.value)
        parts.append(compile(value, file, "eval", _AWAIT, dont_inherit=True))
    return _asynchronous(parts, names, arguments) or _synchronous(parts, names, arguments)


def _remember(code: str, file: str) -> None:
    """Tracebacks show the lines of the code, as long as it is one of the last."""
    linecache.cache[file] = (len(code), None, [f"{line}\n" for line in code.split("\n")], file)
    _files.pop(file, None)
    _files[file] = None
    while len(_files) > REMEMBERED:
        linecache.cache.pop(_files.popitem(last=False)[0], None)


def _synchronous(
    parts: Sequence[CodeType], names: MutableMapping[str, Any], arguments: Mapping[str, Any]
) -> Callable[[], Any]:
    def run() -> Any:
        names.update(arguments)
        return [eval(part, names) for part in parts][-1]  # type: ignore[arg-type]

    return run


def _asynchronous(
    parts: Sequence[CodeType], names: MutableMapping[str, Any], arguments: Mapping[str, Any]
) -> Callable[[], Any] | None:
    if not any(part.co_flags & inspect.CO_COROUTINE for part in parts):
        return None

    async def run() -> Any:
        names.update(arguments)
        value = None
        for part in parts:
            value = eval(part, names)  # type: ignore[arg-type]
            if part.co_flags & inspect.CO_COROUTINE:
                value = await value
        return value

    return run


def found(name: str, names: Mapping[str, Any]) -> Any:
    """The function of that name: among the names, or by its dotted name in a module.

    Raises ToolFailed where there is none."""
    first, *rest = name.split(".")
    if first in names:
        return _inside(names[first], rest, name)
    parts = name.split(".")
    for place in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:place])
        try:
            return _inside(import_module(module), parts[place:], name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise
        except ValueError:  # no name of a module
            break
    where = "the notebook has no such name" if not rest else "there is no such module or name"
    raise ToolFailed(f"No function is called {name!r}: {where}.")


def _inside(value: Any, path: Sequence[str], name: str) -> Any:
    for part in path:
        try:
            value = getattr(value, part)
        except AttributeError:
            raise ToolFailed(f"No function is called {name!r}: there is no {part!r}.") from None
    if not callable(value):
        raise ToolFailed(f"{name!r} is no function but a {type(value).__name__}.")
    return value


def result_of(value: Any) -> dict[str, Any]:
    """The fields of a value."""
    return {"success": True, "result": plain(value)}


def failure_of(error: BaseException) -> dict[str, Any]:
    """The fields of a failure: type, message and traceback, the latter from the code's own first
    line on."""
    fields = outcome_of(error)
    if isinstance(error, ToolFailed):
        return fields
    trace = traceback.TracebackException(type(error), error, _own(error.__traceback__))
    text = "".join(trace.format()).rstrip()
    if len(text) > LONGEST_TRACEBACK:
        half = LONGEST_TRACEBACK // 2
        text = f"{text[:half]}\n… cut: {len(text):,} characters in all …\n{text[-half:]}"
    return fields | {"traceback": plain(text)}


def _own(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_HERE):
        trace = trace.tb_next
    return trace
