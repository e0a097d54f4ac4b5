"""a class of the notebook -> a digest of what it says: equal for a class that a cell defined again.

Where it was defined, and what it was called with, is not in it: a cell that runs again, also in
another kernel, makes another class of the same definition.
"""

from __future__ import annotations

import re
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


_SAID = ("dataclasses", "enum", "functools")
"""Modules of what belongs to a definition: its attributes say all of it."""


def digest(kind: type) -> str:
    """32 hexadecimal digits; with a `?` where it has something that is not looked into, so that the
    same digest is no proof that all in it is the same."""
    outline = _Outline()
    try:
        found = outline.of_class(kind)
    except RecursionError:
        return "?"
    return f"{_hash(found)}?" if outline.opaque else _hash(found)


def is_own(kind: object) -> TypeGuard[type]:
    """Whether that is a class by value: of the notebook, not of a module."""
    return isinstance(kind, type) and not by_reference(kind)


class _Outline:
    """What is met, once each; `opaque` when something was not looked into."""

    def __init__(self) -> None:
        self.opaque = False
        self._met: dict[int, tuple[object, str]] = {}

    def of_class(self, kind: type) -> Any:
        bases = [self.of_class(base) if is_own(base) else _named(base) for base in kind.__bases__]
        content = {name: value for name, value in vars(kind).items() if name not in _SIGNS}
        members: Any = ()
        if issubclass(kind, Enum):
            members = [(name, self.of(one._value_)) for name, one in kind.__members__.items()]
            content = {name: content[name] for name in content if name not in kind.__members__}
        said = {name: self.of(value) for name, value in content.items()}
        return _named(type(kind)), kind.__qualname__, bases, members, sorted(said.items(), key=repr)

    def of(self, value: Any) -> Any:
        """Short, however much there is in it."""
        kind = type(value)
        if kind in ATOMS:
            return kind.__name__, repr(value)
        if id(value) in self._met:
            return self._met[id(value)][1]
        self._met[id(value)] = value, "itself"
        self._met[id(value)] = value, _hash((_named(kind), self._content(value, kind)))
        return self._met[id(value)][1]

    def _content(self, value: Any, kind: type) -> Any:
        if kind is CodeType:
            return self._code(value)
        if kind is FunctionType:
            return self._function(value)
        if isinstance(value, type):
            return _named(value)
        if kind in (staticmethod, classmethod):
            return self.of(value.__func__)
        if kind is property:
            return self._all((value.fget, value.fset, value.fdel))
        if kind is cached_property:
            return self.of(value.func)
        if kind in (list, tuple):
            return repr(value) if are_atoms(value) else self._all(value)
        if kind in (set, frozenset):
            return sorted(map(repr, self._all(value)))
        if kind in (dict, MappingProxyType):
            return self._all(value), self._all(value.values())
        if kind.__module__ in ("builtins", "types", "typing"):
            return _plain(value)
        if kind.__module__.partition(".")[0] in _SAID or is_own(kind):
            return self._attributes(value)
        self.opaque = True
        return None

    def _function(self, function: FunctionType) -> Any:
        if by_reference(function):
            return function.__module__, function.__qualname__
        cells = []
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # empty
                cells.append(self.of(cell.cell_contents))
        given = (function.__defaults__, function.__kwdefaults__, function.__dict__)
        return function.__name__, self._code(function.__code__), self._all(given), cells

    def _code(self, code: CodeType) -> Any:
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
        return code.co_code, self._all(code.co_consts), names, counts, code.co_flags & _FLAGS

    def _attributes(self, value: Any) -> Any:
        state = getattr(value, "__dict__", None)
        found: dict[str, Any] = dict(state) if type(state) is dict else {}
        for base in type(value).__mro__:
            slots = vars(base).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                with suppress(AttributeError):
                    found[name] = getattr(value, name)
        return sorted((name, repr(self.of(one))) for name, one in found.items())

    def _all(self, values: Iterable[Any]) -> list[Any]:
        return [self.of(value) for value in values]


def _plain(value: Any) -> str:
    """Types, builtin functions, members of slots: their repr, without addresses."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def _hash(found: Any) -> str:
    return str(xxh3_128(repr(found).encode("utf-8", "surrogatepass")).hexdigest())


def _named(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
