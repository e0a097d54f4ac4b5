"""a call -> what its result stands on besides the names of its tool and of its parameters.

A kept result is that of the same call only while the code is the same: of a tool of one's own with
the functions and constants that it uses, of the step, the function or the names of the notebook
that `python` is told of, of the workflow that is called. A path means another file elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any

from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.runner.run_context import Surroundings
from wfnb.workflows.tools.registry import builtin
from wfnb.workflows.tools.tool import Tool

_MOST = 300
"""Functions that are followed from those that are called."""


def stands_on(around: Surroundings, tool: Tool, params: Mapping[str, Any]) -> list[Any]:
    """As JSON has it: the same in every process where it is the same. Raises Refused where what the
    parameters name is not there."""
    where = [os.path.abspath(around.folder), os.getcwd()]
    if tool.name == NESTED:
        return [where, _called_workflows(around, params, {})]
    if tool.name == "python":
        return [where, _python(around, params)]
    return [where, [] if tool.name in builtin() else _code({"": tool.call})]


def _python(around: Surroundings, params: Mapping[str, Any]) -> list[Any]:
    code, step, space = params.get("code"), params.get("step"), around.namespace or {}
    if isinstance(step, int):
        code = around.code_of(step, params.get("branch")).code
    name = params.get("function")
    from wfnb.dataflow.code import analyze  # noqa: PLC0415  heavy: only where results are kept

    read = (
        {name.partition(".")[0]}
        if isinstance(name, str)
        else analyze(code).reads
        if isinstance(code, str)
        else ()
    )
    return [code, _code({each: space[each] for each in read if each in space}, data=True)]


def _code(values: Mapping[str, Any], data: bool = False) -> list[Any]:
    """Values, and what functions among them use, by what they are made of."""
    from wfnb.dataflow import user_modules  # noqa: PLC0415  as above
    from wfnb.dataflow.fingerprint import fingerprint  # noqa: PLC0415  as above

    found: dict[str, str] = {}
    waiting = list(values.items())
    followed: list[FunctionType] = []
    while waiting and len(followed) < _MOST:
        name, value = waiting.pop()
        if type(value) is MethodType:
            value = value.__func__
        if name in found:
            continue
        if type(value) is FunctionType:
            followed.append(value)
            made = fingerprint((value.__code__, value.__defaults__, value.__kwdefaults__))
            waiting += _used_values(value)
        else:
            made = fingerprint(value)
        if type(value) is FunctionType or made.atomic or (data and name in values):
            found[name] = made.digest
    return [
        sorted(found.items()),
        sorted(user_modules.sources((*values.values(), *followed)).items()),
    ]


def _used_values(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What it has from the function around it, and from its module, by name."""
    from wfnb.dataflow.compiled import uses  # noqa: PLC0415  as above

    code, space = function.__code__, function.__globals__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # nothing is in it yet
            yield f"{code.co_name}.{name}", cell.cell_contents
    for name in uses(code).reads:
        if name in space:
            yield name, space[name]


def _called_workflows(around: Surroundings, data: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The saved workflows that calls in the data name, and those that these call."""
    if isinstance(data, Mapping):
        name = data.get("workflow_name")
        if isinstance(name, str) and name not in found:
            found[name] = around.library.load(name)
            _called_workflows(around, found[name], found)
    if isinstance(data, Mapping | list | tuple):
        for each in data.values() if isinstance(data, Mapping) else data:
            _called_workflows(around, each, found)
    return found
