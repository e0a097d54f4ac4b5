"""a class of the notebook -> a digest of what it says: equal for a class that a cell defined again.

Where it was defined, and what it was called with, is not in it: a cell that runs again, also in
another kernel, makes another class of the same definition. Objects of libraries in a class count by
their type, and by what their attributes say.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from functools import cached_property
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, TypeGuard

from cloudpickle.cloudpickle import (  # type: ignore[import-untyped]
    _should_pickle_by_reference as by_reference,
)
from xxhash import xxh3_128

from .walk import ATOMS, are_atoms

DEEPEST = 8
_FLAGS = 0x3FF
"""Of code, what kind of function it is; not what was imported from `__future__`."""
_SIGNS = frozenset(
    (
        *("__dict__", "__weakref__", "__module__", "__firstlineno__", "__static_attributes__"),
        *("__annotate__", "__annotate_func__", "__annotations_cache__", "_abc_impl"),
        "__slotnames__",
        *("__abstractmethods__", "_member_map_", "_member_names_", "_value2member_map_"),
        *("_unhashable_values_", "_unhashable_values_map_", "_hashable_values_"),
    )
)
"""What Python adds to a class."""


def digest(kind: type) -> str:
    """32 hexadecimal digits."""
    return str(xxh3_128(repr(_class(kind, 0)).encode("utf-8", "surrogatepass")).hexdigest())


def is_own(kind: object) -> TypeGuard[type]:
    """Whether that is a class by value: of the notebook, not of a module."""
    return isinstance(kind, type) and not by_reference(kind)


def _class(kind: type, depth: int) -> Any:
    bases = tuple(_base(base, depth) for base in kind.__bases__)
    content = {name: value for name, value in vars(kind).items() if name not in _SIGNS}
    members: Any = ()
    if issubclass(kind, Enum):
        members = [(name, _outline(one._value_, depth)) for name, one in kind.__members__.items()]
        content = {name: content[name] for name in content if name not in kind.__members__}
    said = {name: _outline(value, depth) for name, value in content.items()}
    return _named(type(kind)), kind.__qualname__, bases, members, sorted(said.items(), key=repr)


def _base(base: type, depth: int) -> Any:
    deeper = is_own(base) and depth < DEEPEST
    return _class(base, depth + 1) if deeper else _named(base)


def _outline(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in ATOMS:
        return kind.__name__, repr(value)
    if depth > DEEPEST:
        return _named(kind)
    deeper = depth + 1
    if kind is CodeType:
        return _code(value, deeper)
    if kind is FunctionType:
        return _function(value, deeper)
    if isinstance(value, type):
        return "class", _named(value)
    if kind in (staticmethod, classmethod):
        return kind.__name__, _outline(value.__func__, deeper)
    if kind is property:
        return "property", _all((value.fget, value.fset, value.fdel), deeper)
    if kind is cached_property:
        return "cached", _outline(value.func, deeper)
    if kind in (list, tuple):
        return kind.__name__, repr(value) if are_atoms(value) else _all(value, deeper)
    if kind in (set, frozenset):
        return kind.__name__, sorted(map(repr, _all(value, deeper)))
    if kind in (dict, MappingProxyType):
        return kind.__name__, _all(value, deeper), _all(value.values(), deeper)
    if kind.__module__ in ("typing", "types"):
        return repr(value)
    return _named(kind), _attributes(value, deeper)


def _function(function: FunctionType, depth: int) -> Any:
    if by_reference(function):
        return "function", function.__module__, function.__qualname__
    cells = []
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # empty
            cells.append(_outline(cell.cell_contents, depth))
    given = (function.__defaults__, function.__kwdefaults__, function.__dict__)
    return function.__name__, _code(function.__code__, depth), _all(given, depth), cells


def _code(code: CodeType, depth: int) -> Any:
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    counts = (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & _FLAGS,
    )
    return code.co_code, _all(code.co_consts, depth), names, counts


def _attributes(value: Any, depth: int) -> Any:
    state = getattr(value, "__dict__", None)
    found: dict[str, Any] = dict(state) if type(state) is dict else {}
    for base in type(value).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            with suppress(AttributeError):
                found[name] = getattr(value, name)
    return sorted((name, repr(_outline(one, depth))) for name, one in found.items())


def _all(values: Iterable[Any], depth: int) -> list[Any]:
    return [_outline(value, depth) for value in values]


def _named(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
