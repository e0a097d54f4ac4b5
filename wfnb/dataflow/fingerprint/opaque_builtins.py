"""what C holds and does not list: views of mappings and memory, exceptions, contexts, aliases.

No code of a user runs: what lies under a view is found as the garbage collector finds it, all else
by the descriptors of the types of Python themselves.
"""

from __future__ import annotations

import array
import ast
import contextvars
import datetime
import decimal
import gc
import io
import operator
import random
import struct
import types
from collections.abc import Callable
from itertools import chain
from typing import Any
from weakref import ref

from .builtin_and_stdlib_types import Reader, text
from .introspection import attributes, mro, namespace
from .object_parts import Parts
from .walk_state import Walk

_LENGTH = 1 << 20
"""Bytes of a buffer that are read."""
_DESCRIPTORS = (types.GetSetDescriptorType, types.MemberDescriptorType)
_NO_CONTENT = frozenset(("__dict__", "__traceback__", "__weakref__", "print_file_and_line"))


def _under(name: str) -> Reader:
    """A view, by what lies under it."""

    def reader(walk: Walk, value: Any) -> Parts:
        walk.atomic = False
        walk.tag(name)
        return gc.get_referents(value)

    return reader


def _memory(walk: Walk, value: memoryview) -> Parts:
    walk.atomic = False
    walk.tag("memoryview")
    walk.plain((value.format, value.shape, value.strides, value.readonly))
    if value.nbytes > _LENGTH:
        walk.sample()
    else:
        walk.data(value.tobytes())
    return (value.obj,)


def exception(walk: Walk, value: BaseException) -> Parts:
    """What it was made with, what it came of, and what the types of Python know of it. Where it was
    raised is no content."""
    walk.atomic = walk.followed = False
    walk.tag("exception." + type(value).__name__)
    found = []
    for base in mro(type(value)):
        if base.__module__ != "builtins" or base is object:
            continue
        for name, member in namespace(base).items():
            if type(member) in _DESCRIPTORS and name not in _NO_CONTENT:
                try:
                    found += [name, member.__get__(value)]
                except AttributeError:  # it has none
                    continue
    return chain(found, chain.from_iterable((attributes(value) or {}).items()))


def _context(walk: Walk, value: decimal.Context) -> Parts:
    """Its settings. The flags are set by each use."""
    walk.atomic = False
    walk.tag("Context")
    walk.plain((value.prec, value.rounding, value.Emin, value.Emax, value.capitals, value.clamp))
    walk.plain(tuple(sorted(kind.__name__ for kind, on in value.traps.items() if on)))
    return None


def _reduced(walk: Walk, value: Any) -> Parts:
    """A getter of the module `operator`, by what makes it again."""
    walk.tag(type(value).__name__)
    return value.__reduce__()[1:]  # type: ignore[no-any-return]


def _weak_reference(walk: Walk, value: ref[Any]) -> Parts:
    """What it finds: that can be changed through it."""
    walk.atomic = False
    walk.tag("ref")
    return (value(),)


def _struct(walk: Walk, value: struct.Struct) -> None:
    walk.tag("Struct")
    walk.plain(value.format)


def _alias(walk: Walk, value: Any) -> Parts:
    walk.tag(type(value).__name__)
    return getattr(value, "__origin__", None), value.__args__


def _variable(walk: Walk, value: contextvars.ContextVar[Any]) -> None:
    walk.skip()
    walk.tag("ContextVar")
    text(walk, value.name)


def syntax(walk: Walk, value: ast.AST) -> Parts:
    walk.atomic = False
    walk.tag(type(value).__name__)
    return chain.from_iterable((attributes(value) or {}).items())


READERS: dict[type, Reader] = {
    types.MappingProxyType: _under("mappingproxy"),
    type({}.keys()): _under("dict_keys"),
    type({}.values()): _under("dict_values"),
    type({}.items()): _under("dict_items"),
    memoryview: _memory,
    decimal.Context: _context,
    operator.itemgetter: _reduced,
    operator.attrgetter: _reduced,
    operator.methodcaller: _reduced,
    struct.Struct: _struct,
    ref: _weak_reference,
    types.GenericAlias: _alias,
    types.UnionType: _alias,
    contextvars.ContextVar: _variable,
}


def _parts_of(*names: str) -> Callable[[type], Reader]:
    def of(base: type) -> Reader:
        reads = [namespace(base)[name].__get__ for name in names]

        def reader(walk: Walk, value: Any) -> Parts:
            return [read(value) for read in reads]

        return reader

    return of


def _date(walk: Walk, value: Any) -> None:
    walk.plain(datetime.date.toordinal(value))


def _date_and_time(walk: Walk, value: Any) -> Parts:
    _date(walk, value)
    return _TIME(walk, value)


def _random(walk: Walk, value: Any) -> Parts:
    return (namespace(mro(random.Random)[1])["getstate"](value),)


def _array(walk: Walk, value: Any) -> None:
    walk.plain(namespace(array.array)["typecode"].__get__(value))
    walk.data(array.array.tobytes(value))


_CLOCK = ("hour", "minute", "second", "microsecond", "fold", "tzinfo")
_TIME = _parts_of(*_CLOCK)(datetime.datetime)

CONTENT: dict[type, Reader] = {
    datetime.datetime: _date_and_time,
    datetime.date: _date,
    datetime.time: _parts_of(*_CLOCK)(datetime.time),
    datetime.timedelta: _parts_of("days", "seconds", "microseconds")(datetime.timedelta),
    # The context says whether the exponent is written `E` or `e`.
    decimal.Decimal: lambda walk, value: text(walk, decimal.Decimal.__str__(value).upper()),
    array.array: _array,
    io.StringIO: lambda walk, value: walk.plain(io.StringIO.getvalue(value)),
    io.BytesIO: lambda walk, value: walk.plain(io.BytesIO.getvalue(value)),
    random.Random: _random,
    BaseException: exception,
}
"""How an object of a class derived from one of these is read."""
