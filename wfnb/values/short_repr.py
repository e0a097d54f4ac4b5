"""a value -> the beginning of its repr: no more of the value is asked than is shown."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from itertools import chain
from typing import Any

DEEPEST = 6
_LARGE = 50
"""Elements of an array in a container that are shown one by one."""
_TEXT = 200


def brief(value: Any, longest: int) -> str:
    """As `repr` says it, up to so many characters and some more. What is in a container is asked
    for its repr only as far as that goes; a list of millions takes no time.

    >>> brief([1, "a", (2,), {3: {4}}], 60), len(brief([[0] * 10**6] * 3, 60)) < 80
    ("[1, 'a', (2,), {3: {4}}]", True)
    """
    said = []
    # Some more than is shown, so that who cuts it sees that there was more.
    room = longest + 10
    for piece in _pieces(value, 0):
        said.append(piece)
        room -= len(piece)
        if room <= 0:
            break
    return "".join(said)


def _pieces(value: Any, depth: int) -> Iterator[str]:
    kind: Any = type(value)
    form = _FORMS.get(kind)
    if depth > DEEPEST:
        yield "…"
    elif form is not None:
        yield from form(value, depth)
    elif issubclass(kind, tuple) and _has_fields(kind):
        yield from _field_pieces(kind.__name__, zip(kind._fields, value, strict=False), depth)
    elif hasattr(kind, "__dataclass_fields__") and _is_made(kind):
        shown = ((field.name, getattr(value, field.name)) for field in fields(value) if field.repr)
        yield from _field_pieces(kind.__qualname__, shown, depth)
    elif depth and _is_large(value):
        yield f"<{kind.__name__}>"
    else:
        yield repr(value)


def _has_fields(kind: Any) -> bool:
    """A named tuple whose repr is the usual one."""
    return hasattr(kind, "_fields") and kind.__repr__.__module__ == "collections"


def _is_made(kind: type) -> bool:
    """Whether the class left it to `dataclass` to write its repr."""
    code = getattr(inspect.unwrap(kind.__repr__), "__code__", None)
    return code is not None and code.co_filename == "<string>"


def _is_large(value: Any) -> bool:
    shape = getattr(value, "shape", None)
    if not isinstance(shape, tuple):
        return False
    size = 1
    for side in shape:
        size *= side if isinstance(side, int) else _LARGE
    return hasattr(value, "columns") or size > _LARGE


def _field_pieces(name: str, found: Iterable[tuple[str, Any]], depth: int) -> Iterator[str]:
    yield f"{name}("
    for at, (field, value) in enumerate(found):
        yield f"{', ' if at else ''}{field}="
        yield from _pieces(value, depth + 1)
    yield ")"


def _bracketed_pieces(begin: str, end: str, values: Iterable[Any], depth: int) -> Iterator[str]:
    yield begin
    for at, value in enumerate(values):
        if at:
            yield ", "
        yield from _pieces(value, depth + 1)
    yield end


def _pairs(begin: str, end: str, value: Mapping[Any, Any], depth: int) -> Iterator[str]:
    yield begin
    for at, (key, found) in enumerate(value.items()):
        if at:
            yield ", "
        yield from _pieces(key, depth + 1)
        yield ": "
        yield from _pieces(found, depth + 1)
    yield end


def _tuple(value: tuple[Any, ...], depth: int) -> Iterator[str]:
    return _bracketed_pieces("(", ",)" if len(value) == 1 else ")", value, depth)


def _set(value: set[Any], depth: int) -> Iterator[str]:
    return _bracketed_pieces("{", "}", value, depth) if value else iter(("set()",))


def _frozenset(value: frozenset[Any], depth: int) -> Iterator[str]:
    return chain(("frozenset(",), _set(set(value), depth) if value else (), (")",))


def _deque(value: deque[Any], depth: int) -> Iterator[str]:
    end = "])" if value.maxlen is None else f"], maxlen={value.maxlen})"
    return _bracketed_pieces("deque([", end, value, depth)


def _text(value: Any, depth: int) -> Iterator[str]:
    # Two slices, so that the repr of a text of a gigabyte is not made for its first line.
    yield repr(value[:_TEXT] + value[_TEXT : _TEXT + 10])


_FORMS: Mapping[type, Callable[[Any, int], Iterator[str]]] = {
    str: _text,
    bytes: _text,
    list: lambda value, depth: _bracketed_pieces("[", "]", value, depth),
    dict: lambda value, depth: _pairs("{", "}", value, depth),
    tuple: _tuple,
    set: _set,
    frozenset: _frozenset,
    deque: _deque,
}
