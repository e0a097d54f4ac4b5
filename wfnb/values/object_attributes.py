"""an object -> what it holds, by name: its attributes, or what it would be pickled as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from types import CodeType, FunctionType
from typing import Any

from .enum_members import own_state

_OF_EVERY_CLASS = (
    "__dict__",
    "__weakref__",
    "__module__",
    "__firstlineno__",
    "__static_attributes__",
)


def held_attributes(value: Any) -> Mapping[str, Any] | None:
    """None where nothing of it can be seen. Raises what its class raises."""
    if isinstance(value, FunctionType):
        return dict(_of_function(value))
    if isinstance(value, type):
        return {name: found for name, found in vars(value).items() if name not in _OF_EVERY_CLASS}
    if isinstance(value, property):
        return {name: getattr(value, name) for name in ("fget", "fset", "fdel")}
    if isinstance(value, Enum):
        return own_state(vars(value))
    return dict(_attributes(value)) or None


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """Those of `__dict__` and of `__slots__`."""
    for kind in reversed(type(value).__mro__):
        slots = vars(kind).get("__slots__", ())
        # Python takes one text for one slot, too.
        for slot in (slots,) if isinstance(slots, str) else tuple(slots):
            name = f"_{kind.__name__.lstrip('_')}{slot}" if _is_private(slot) else slot
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name, getattr(value, name)
    found = getattr(value, "__dict__", None)
    if isinstance(found, dict):
        yield from found.items()


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def pickled_as(value: Any) -> Mapping[str, Any] | None:
    """What pickle would write, of an object that shows no attributes; None of what it refuses."""
    try:
        made: Any = value.__reduce_ex__(4)
    except TypeError:  # it cannot be pickled
        return None
    if isinstance(made, str):  # the name of something
        return None
    parts = dict(zip(("arguments", "state", "items", "pairs"), made[1:5], strict=False))
    found = {name: part for name, part in parts.items() if part is not None}
    return {
        name: list(part) if name in ("items", "pairs") else part for name, part in found.items()
    }


def _of_function(function: FunctionType) -> Iterator[tuple[str, Any]]:
    yield "code", tuple(_code(function.__code__))
    yield "defaults", (function.__defaults__, function.__kwdefaults__)
    cells = []
    for cell in function.__closure__ or ():
        try:
            cells.append(cell.cell_contents)
        except ValueError:  # nothing is in it yet
            cells.append(None)
    yield "closure", cells
    yield from vars(function).items()


def _code(code: CodeType) -> Iterator[Any]:
    """What it does, and not where it stands."""
    # Without the file and the lines: the same function in a cell that moved is the same.
    # With the table of exceptions: it alone shows which instructions stand in a `try`.
    yield (code.co_code + code.co_exceptiontable).hex()
    yield code.co_names
    yield code.co_varnames
    for constant in code.co_consts:
        yield tuple(_code(constant)) if isinstance(constant, CodeType) else constant
