"""what pickles call when they are read, to put what the notebook defined in its place.

The names here are in every store there is: they may not change. A function of the notebook gets the
user's namespace for its globals, not a copy of what it looked up when it was kept, so that it sees
what is defined later. What it needs and the namespace does not have is handed out beside it.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib import import_module
from types import CellType, CodeType, FunctionType
from typing import Any
from weakref import WeakSet

from cloudpickle import cloudpickle  # type: ignore[import-untyped]

from .atoms import Known, remember

_SCOPE: ContextVar[tuple[dict[str, Any], dict[str, Any]]] = ContextVar("scope")
known: WeakSet[type] = WeakSet()
"""Classes by value that this process has already as they should be: defined, or read before. They
are live, and reading an instance does not turn them back."""


@contextmanager
def scope(namespace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """In this block, what is read looks up names in `namespace`. What it needs and does not find
    there is in the dict that this gives, when the block ends."""
    token = _SCOPE.set((namespace, {}))
    try:
        yield _SCOPE.get()[1]
    finally:
        _SCOPE.reset(token)


def make_function(
    code: CodeType, closure: tuple[CellType, ...] | None, module: str
) -> FunctionType:
    """A function that looks up names in a module, or in the user's namespace where that is ""."""
    space = vars(import_module(module)) if module else _SCOPE.get()[0]
    return FunctionType(code, space, None, None, closure)


def bind_function(function: FunctionType, state: tuple[dict[str, Any], dict[str, Any]]) -> None:
    attributes, slots = state
    function.__dict__.update(attributes)
    slots.pop("_cloudpickle_submodules")  # they are imported by now
    for name, value in slots.pop("__globals__").items():
        _offer(name, value)
    for cell, kept in zip(function.__closure__ or (), slots.pop("__closure__") or (), strict=True):
        try:
            cell.cell_contents = kept.cell_contents
        except ValueError:  # it was empty then
            continue
    for name, value in slots.items():
        setattr(function, name, value)


def bind_class(found: type, state: tuple[Any, str | None]) -> None:
    """`state` ends with the name that the namespace had for the class, if it had one."""
    content, name = state
    if found not in known:
        known.add(found)
        cloudpickle._class_setstate(found, content)
    if name is not None:
        _offer(name, found)


def atoms(content: Any, shape: tuple[int, ...], order: str) -> Any:
    """An array of strings and other plain objects, from a pickle beside the pickle, or from objects
    of which it is known that they are those."""
    import numpy  # noqa: PLC0415  (there for who has such an array)

    if isinstance(content, Known):
        objects = content.objects
    else:
        values = _Plain(io.BytesIO(content)).load()
        objects = numpy.empty(len(values), dtype=object)
        objects[:] = values
    array = objects.copy().reshape(shape, order=order)
    remember(array, objects, content)
    return array


class _Plain(pickle.Unpickler):
    """Reads what needs no code: what is beside a pickle is not signed."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == ("builtins", "complex"):
            return complex  # the one plain number that is written as a call
        raise pickle.UnpicklingError("there is code where none should be")


def polars_frame(table: Any) -> Any:
    import polars  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  (as above)

    return polars.from_arrow(table)


def viewed(array: Any, dtype: Any) -> Any:
    return array.view(dtype)


def cached(function: Callable[..., Any], parameters: dict[str, Any]) -> Callable[..., Any]:
    again: Callable[..., Any] = lru_cache(**parameters)(function)
    return again


def _offer(name: str, value: Any) -> None:
    there, also = _SCOPE.get()
    if name not in there:
        also.setdefault(name, value)
