"""Python code or a function, and names -> what runs it, and the fields of its value."""

from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from functools import partial
from hashlib import sha256
from importlib import import_module
from types import CodeType
from typing import Any

from .failure_fields import CODE, failure_of
from .result_fields import ToolFailed, plain

REMEMBERED = 500
"""Codes whose lines are kept for tracebacks, of this process."""
_files: OrderedDict[str, None] = OrderedDict()
_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def prepare_call(
    code: str | None,
    function: str | None,
    args: list[Any],
    arguments: Mapping[str, Any],
    names: MutableMapping[str, Any],
) -> Callable[[], Any]:
    if code is not None:
        return call_of(code, names, arguments)
    return partial(find_function(function or "", names), *args, **arguments)


def evaluate_call(
    code: str | None,
    function: str | None,
    args: list[Any],
    arguments: Mapping[str, Any],
    names: MutableMapping[str, Any],
) -> dict[str, Any]:
    """The fields that code or a function comes to: what is done in a process apart."""
    try:
        value = prepare_call(code, function, args, arguments, names)()
        if inspect.isawaitable(value):
            value = asyncio.run(_await_value(value))
        return result_of(value)
    except BaseException as error:
        return failure_of(error)


async def _await_value(value: Awaitable[Any]) -> Any:
    return await value


def call_of(
    code: str, names: MutableMapping[str, Any], arguments: Mapping[str, Any]
) -> Callable[[], Any]:
    """What runs the code: a function whose value is that of the last line, if it is an expression.
    With `await` at its top level it is a coroutine function. `arguments` become names first.

    Raises SyntaxError."""
    file = f"{CODE}{sha256(code.encode('utf-8', 'replace')).hexdigest()[:8]}>"
    _remember(code, file)
    tree = compile(code, file, "exec", ast.PyCF_ONLY_AST | _AWAIT, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    parts = [compile(tree, file, "exec", _AWAIT, dont_inherit=True)]
    if isinstance(last, ast.Expr):
        value = ast.Expression(last.value)
        parts.append(compile(value, file, "eval", _AWAIT, dont_inherit=True))
    # Two functions: a coroutine runs on the loop, plain code in a thread, and the caller tells by
    # kind.
    return _asynchronous(parts, names, arguments) or _synchronous(parts, names, arguments)


def _remember(code: str, file: str) -> None:
    """Tracebacks show the lines of the code, as long as it is one of the last."""
    linecache.cache[file] = (len(code), None, [f"{line}\n" for line in code.split("\n")], file)
    # Popped and set again: it becomes the newest, so that the limit takes the least used.
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


def find_function(name: str, names: Mapping[str, Any]) -> Any:
    """The function of that name: among the names, or by its dotted name in a module.

    Raises ToolFailed where there is none."""
    first, *rest = name.split(".")
    if first in names:
        return _find_attribute(names[first], rest, name)
    parts = name.split(".")
    for place in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:place])
        try:
            return _find_attribute(import_module(module), parts[place:], name)
        except ModuleNotFoundError as error:
            # Missing is this module or one around it: then the name may be an attribute. A module
            # that is there but imports something missing is to fail as that.
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise
        except ValueError:  # no name of a module
            break
    where = "the notebook has no such name" if not rest else "there is no such module or name"
    raise ToolFailed(f"No function is called {name!r}: {where}.")


def _find_attribute(value: Any, path: Sequence[str], name: str) -> Any:
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
    # As deep as `outcome` finds it then: what is too deep for the one is so for the other.
    return {"success": True, "result": plain(value, 1)}
