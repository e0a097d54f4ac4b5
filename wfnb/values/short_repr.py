"""a value -> the beginning of its repr: no more of the value is asked than is shown.

The repr of a class of the user's is not called: it may change what it says. What its objects hold
is shown where `dataclass` or a named tuple would; of all others the name of the class.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from types import FunctionType
from typing import Any

from wfnb.safe_attributes import class_attribute, offer, own_attributes, runs_library_code
from wfnb.type_names import is_a, local_name

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
    form = next((made for known, made in _FORMS if known is kind), None)
    if depth > DEEPEST:
        yield "…"
    elif form is not None:
        yield from form(value, depth)
    elif any(kind is atom for atom in (int, float, bool, type(None))):
        yield repr(value)
    else:
        yield from _object_pieces(value, class_attribute(kind, "__repr__"), depth)


def _object_pieces(value: Any, said: Any, depth: int) -> Iterator[str]:
    kind = type(value)
    if (shown := _shown_fields(value, said)) is not None:
        yield from _field_pieces(local_name(kind), shown, depth)
    elif said is object.__repr__:
        yield object.__repr__(value)
    elif (depth and _is_large(value)) or not runs_library_code(value):
        yield f"<{local_name(kind)}>"
    else:
        yield repr(value)


def _shown_fields(value: Any, said: Any) -> Iterable[tuple[str, Any]] | None:
    """Of a named tuple or a dataclass whose repr is the usual one."""
    kind = type(value)
    if type(said) is not FunctionType:
        return None
    names = class_attribute(kind, "_fields")
    if issubclass(kind, tuple) and names and said.__module__ == "collections":
        return zip(names, tuple.__iter__(value), strict=False)
    made = class_attribute(kind, "__dataclass_fields__")
    # `recursive_repr` wraps it.
    written = vars(said).get("__wrapped__", said)
    if type(made) is not dict or written.__code__.co_filename != "<string>":
        return None
    held = own_attributes(value)
    return ((name, held[name]) for name, one in made.items() if one.repr and name in held)


def _is_large(value: Any) -> bool:
    shape = offer(value, "shape")
    if not is_a(shape, tuple):
        return False
    size = 1
    for side in shape:
        size *= side if isinstance(side, int) else _LARGE
    return size > _LARGE or offer(value, "columns") is not None


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


_FORMS: Iterable[tuple[type, Callable[[Any, int], Iterator[str]]]] = {
    str: _text,
    bytes: _text,
    list: lambda value, depth: _bracketed_pieces("[", "]", value, depth),
    dict: lambda value, depth: _pairs("{", "}", value, depth),
    tuple: _tuple,
    set: _set,
    frozenset: _frozenset,
    deque: _deque,
}.items()
"""No class is asked for its hash or what it is equal to: that may be its own code, too."""
