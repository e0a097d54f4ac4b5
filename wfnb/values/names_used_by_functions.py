"""values -> the names that functions in them look up when they are called."""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

from wfnb.type_names import is_a, module_of

from .keep_refusals import collect_refusals

_LOOKS_UP = ("LOAD_GLOBAL", "LOAD_NAME")


def looked_up(values: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Of functions, of methods of classes, and of objects of such classes; of what is within a
    container nothing.

    >>> looked_up({"f": lambda x: [other for _ in x], "n": 3})
    {'f': frozenset({'other'})}
    """
    found: dict[str, frozenset[str]] = {}
    for name, value in values.items():
        with collect_refusals({}, {}):
            found[name] = frozenset(_names(value))
    return {name: names for name, names in found.items() if names}


def _names(value: Any) -> Iterator[str]:
    kind: type = value if is_a(value, type) else type(value)
    if is_a(value, FunctionType):
        yield from _in_function(value)
    # Classes of modules look up names in their module, not in the notebook.
    elif module_of(kind) == "__main__":
        for part in vars(kind).values():
            function = getattr(part, "__func__", getattr(part, "fget", part))
            if is_a(function, FunctionType):
                yield from _in_function(function)


def _in_function(function: FunctionType) -> Iterator[str]:
    yield from _in_code(function.__code__)
    for cell in function.__closure__ or ():
        try:
            content = cell.cell_contents
        except ValueError:  # nothing is in it yet
            continue
        if is_a(content, FunctionType) and content is not function:
            yield from _in_code(content.__code__)


def _in_code(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in _LOOKS_UP:
            yield step.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _in_code(constant)
