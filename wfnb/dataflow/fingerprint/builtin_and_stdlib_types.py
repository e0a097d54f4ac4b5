"""objects of Python's own types -> their content on a walk, and the parts to read next."""

from __future__ import annotations

import array
import builtins
import datetime
import decimal
import fractions
import io
import pathlib
import random
import re
import types
import uuid
import zoneinfo
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from .introspection import namespace, origin
from .object_parts import Parts
from .walk_state import Walk

Reader = Callable[[Walk, Any], Parts]

Reading = tuple[Reader, bool, frozenset[str]]
"""How objects of a class of a library are read, whether they never change, and the attributes that
are the library's own: others were set by who uses it."""

SMALL = frozenset(map(id, (int, float, bool, complex, type(None), type(...))))
"""Types that `marshal` writes whole, by id: a class may answer what its hash is."""
SHORT = 1024
"""Characters of a text that is written as it is."""
KEYS = SMALL | {id(str), id(bytes)}

_BUILTINS = vars(builtins)
_SAMPLES = 64
_PIECE = 1 << 16
_maxlen = namespace(deque)["maxlen"].__get__
_namespace_dict = namespace(types.SimpleNamespace)["__dict__"].__get__


def sample_starts(size: int, length: int) -> Iterator[int]:
    """Where pieces of a length begin: evenly spread, then the last one."""
    yield from (number * size // _SAMPLES for number in range(_SAMPLES))
    yield max(size - length, 0)


def _text(walk: Walk, value: str) -> None:
    _sequence(walk, value, len(value), lambda part: part.encode("utf-8", "surrogatepass"))


def _sequence(walk: Walk, value: Any, size: int, encoded: Callable[[Any], Any]) -> None:
    """In pieces, so that no copy of it is made; of what is too large samples."""
    if walk.take(size):
        starts, length = iter(range(0, size, _PIECE)), _PIECE
    else:
        walk.sample()
        starts, length = sample_starts(size, 1024), 1024
    for start in starts:
        walk.data(encoded(value[start : start + length]))


def text(walk: Walk, value: str) -> None:
    if len(value) <= SHORT:
        walk.plain(value)
    else:
        walk.tag("str", len(value))
        _text(walk, value)


def data(walk: Walk, value: bytes) -> None:
    if len(value) <= SHORT:
        walk.plain(value)
    else:
        walk.tag("bytes", len(value))
        _sequence(walk, value, len(value), bytes)


def bytearray_(walk: Walk, value: bytearray) -> None:
    walk.atomic = False
    walk.tag("bytearray", bytearray.__len__(value))
    # a piece is a copy: who has the buffer of a bytearray keeps others from extending it
    pieces = _Pieces(value, bytearray.__getitem__)
    _sequence(walk, pieces, bytearray.__len__(value), _same)


def array_(walk: Walk, value: Any) -> None:
    walk.atomic = False
    walk.tag("array." + value.typecode, len(value))
    scale = value.itemsize
    if len(value) * scale > walk.whole:
        walk.sample()
        for start in sample_starts(len(value), 128):
            walk.data(value[start : start + 128].tobytes())
    else:
        for start in range(0, len(value), _PIECE):
            walk.data(value[start : start + _PIECE].tobytes())


def buffer(walk: Walk, value: io.StringIO | io.BytesIO) -> Parts:
    """What was written into it. `getvalue` copies that: of much the length alone is read."""
    walk.atomic = False
    walk.tag(type(value).__name__)
    if value.closed:
        walk.tag("closed")
    elif value.__sizeof__() > walk.whole:
        walk.sample()
        walk.plain((value.tell(), value.__sizeof__()))
    else:
        state: tuple[Any, ...] = value.__getstate__()  # type: ignore[assignment]
        *plain, held = state
        walk.plain(tuple(plain))
        return chain.from_iterable((held or {}).items())
    return None


class _Pieces:
    """A sequence that is cut by a method of the type that it is made of."""

    def __init__(self, value: Any, cut: Callable[[Any, slice], Any]) -> None:
        self.value, self.cut = value, cut

    def __getitem__(self, where: slice) -> Any:
        return self.cut(self.value, where)


def _same(value: Any) -> Any:
    return value


def list_(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    size = list.__len__(value)
    walk.out.append(b"\xfflist:%d;" % size)
    # A list of numbers alone is written at once, by C.
    if (
        type(value) is list
        and size <= walk.objects_left
        and SMALL.issuperset(map(id, map(type, value)))
    ):
        walk.objects_left -= size
        walk.plain(value)
        return None
    return list.__iter__(value)


def tuple_(walk: Walk, value: Any) -> Parts:
    walk.out.append(b"\xfftuple:%d;" % tuple.__len__(value))
    return tuple.__iter__(value)


def dict_(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    walk.out.append(b"\xffdict:%d;" % dict.__len__(value))
    pairs = dict.items(value)
    # `exec` puts Python's own names into the dict that it gets: they are no content of that.
    if dict.get(value, "__builtins__") is _BUILTINS:
        return chain.from_iterable(pair for pair in pairs if pair[1] is not _BUILTINS)
    return chain.from_iterable(pairs)


def ordered_dict(walk: Walk, value: Any) -> Parts:
    """It finds its order by the hashes of its keys, that are the user's code but of plain ones."""
    walk.atomic = False
    walk.tag("OrderedDict", dict.__len__(value))
    if all(map(_is_plain_key, dict.keys(value))):
        return chain.from_iterable(OrderedDict.items(value))
    # In the order of the dict under it, which `move_to_end` does not change.
    walk.complete = False
    return chain.from_iterable(dict.items(value))


def _is_plain_key(key: Any) -> bool:
    return id(type(key)) in KEYS or (type(key) is tuple and all(map(_is_plain_key, key)))


def counter(walk: Walk, value: Any) -> Parts:
    walk.tag("Counter")
    return dict_(walk, value)


def default_dict(walk: Walk, value: Any) -> Parts:
    factory = value.default_factory
    found = origin(factory)
    if found is None or not found.startswith("builtins."):
        walk.tag("defaultdict")
        return chain((factory,), dict_(walk, value) or ())
    walk.tag("defaultdict." + found)
    return dict_(walk, value)


def deque_(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    walk.tag("deque", deque.__len__(value))
    walk.plain(_maxlen(value))
    return deque.__iter__(value)


def simple_namespace(walk: Walk, value: Any) -> Parts:
    walk.tag("SimpleNamespace")
    held = _namespace_dict(value)
    walk.attributes(held)
    return dict_(walk, held)


def range_(walk: Walk, value: range) -> None:
    walk.tag("range")
    walk.plain((value.start, value.stop, value.step))


def slice_(walk: Walk, value: slice) -> Parts:
    walk.tag("slice")
    return value.start, value.stop, value.step


def _as_text(name: str, of: Callable[[Any], str]) -> Reader:
    def reader(walk: Walk, value: Any) -> None:
        walk.tag(name)
        text(walk, of(value))

    return reader


def fraction(walk: Walk, value: Any) -> None:
    walk.tag("Fraction")
    walk.plain((value._numerator, value._denominator))


def timedelta(walk: Walk, value: datetime.timedelta) -> None:
    walk.tag("timedelta")
    walk.plain((value.days, value.seconds, value.microseconds))


def time(walk: Walk, value: Any) -> Parts:
    """A date and a time, or a time; its zone may be of a class of the user's."""
    walk.tag(type(value).__name__)
    # Without its zone, or else `isoformat` would ask that for the offset.
    walk.plain((value.replace(tzinfo=None).isoformat(), value.fold))
    return (value.tzinfo,)


def timezone(walk: Walk, value: Any) -> Parts:
    walk.tag("timezone")
    return tuple(value.__getinitargs__())


def zone_info(walk: Walk, value: Any) -> None:
    walk.tag("ZoneInfo")
    walk.plain(value.key)
    walk.complete &= value.key is not None


def pattern(walk: Walk, value: Any) -> Parts:
    walk.tag("Pattern", value.flags)
    return (value.pattern,)


def random_(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    walk.tag("Random")
    state: tuple[Any, ...] = value.getstate()  # of the module's own class: no other is read so
    return state


READERS: dict[type, Reader] = {
    str: text,
    bytes: data,
    tuple: tuple_,
    range: range_,
    slice: slice_,
    # The context says whether the exponent is written `E` or `e`.
    decimal.Decimal: _as_text("Decimal", lambda value: str(value).upper()),
    fractions.Fraction: fraction,
    datetime.date: _as_text("date", datetime.date.isoformat),
    datetime.datetime: time,
    datetime.time: time,
    datetime.timedelta: timedelta,
    datetime.timezone: timezone,
    zoneinfo.ZoneInfo: zone_info,
    uuid.UUID: _as_text("UUID", lambda value: f"{value.int:x} {value.is_safe.name}"),
    re.Pattern: pattern,
    types.NotImplementedType: _as_text("NotImplemented", lambda value: ""),
    **{
        kind: _as_text(kind.__name__, str)
        for kind in (
            *(pathlib.PurePosixPath, pathlib.PureWindowsPath),
            *(pathlib.PosixPath, pathlib.WindowsPath),
        )
    },
}
"""Of what never changes: it is not told apart whether it is one object or two."""

MUTABLE_READERS: dict[type, Reader] = {
    list: list_,
    dict: dict_,
    defaultdict: default_dict,
    deque: deque_,
    types.SimpleNamespace: simple_namespace,
    bytearray: bytearray_,
    io.StringIO: buffer,
    io.BytesIO: buffer,
    array.array: array_,
}

OPEN_READERS: dict[type, Reader] = {
    OrderedDict: ordered_dict,
    Counter: counter,
    random.Random: random_,
}
"""Of what can have attributes besides."""

CONTENT: dict[type, Reader] = {
    list: list_,
    tuple: tuple_,
    OrderedDict: ordered_dict,
    dict: dict_,
    deque: deque_,
    bytearray: bytearray_,
    int: lambda walk, value: walk.plain(int.__int__(value)),
    float: lambda walk, value: walk.plain(float.__float__(value)),
    complex: lambda walk, value: walk.plain(complex.__complex__(value)),
    str: lambda walk, value: text(walk, str.__str__(value)),
    bytes: lambda walk, value: data(walk, bytes.__getitem__(value, slice(None))),
}
"""How an object of a class derived from one of these is read, by the methods of that one."""
