"""two arrays or two frames -> lines that say what differs between them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .arrays_and_frames import Column, array_shape, columns, frame_shape
from .element_differences import element_difference
from .value_text import count, kind_of, plain, show_value


def array_difference(before: Any, after: Any) -> Iterator[str]:
    """Shape, type, name and index, how many elements differ, by how much, how the mean moved."""
    old, new = array_shape(before), array_shape(after)
    if str(before.dtype) != str(after.dtype):
        yield f"{plain(str(before.dtype))} → {plain(str(after.dtype))}"
    if _has_name(before) and before.name != after.name:
        yield f"named {show_value(before.name, 40)} → {show_value(after.name, 40)}"
    if old != new:
        yield f"{_shape(old)} → {_shape(new)}"
        return
    yield from _index(before, after, "index")
    yield from element_difference(before, after)


def frame_difference(before: Any, after: Any) -> Iterator[str]:
    """Rows, columns that are new, gone or of another type, and what changed in each. A column is
    found again by its name; of several that have one name it is the first, the second, …"""
    (rows, _), (now, _) = frame_shape(before) or (0, 0), frame_shape(after) or (0, 0)
    if rows != now:
        yield f"{rows:,} → {count(now, 'row')}"
    first, last = columns(before), columns(after)
    says = _labels((*first, *last))
    old, new = _by_name(first), _by_name(last)
    for place, column in new.items():
        if place not in old:
            yield f"{_label(says, place)}: new, {plain(column.dtype)}"
    for place, column in old.items():
        if place not in new:
            yield f"{_label(says, place)}: gone, {plain(column.dtype)}"
    # With other columns as well, the order would say nothing more.
    if list(old) != list(new) and set(old) == set(new):
        yield "the columns are in another order"
    yield from _names(getattr(before, "columns", None), getattr(after, "columns", None), "columns")
    # Else the rows that came or went would show as changes of the index.
    if rows == now:
        yield from _index(before, after, "index")
    for place, column in old.items():
        if place in new:
            for line in _column(column, new[place], rows == now):
                yield f"{_label(says, place)}: {line}"


def _column(old: Column, new: Column, same_rows: bool) -> Iterator[str]:
    if old.dtype != new.dtype:
        yield f"{plain(old.dtype)} → {plain(new.dtype)}"
    if same_rows:
        try:
            # A list, so that what fails in the middle of a column has said nothing of it yet.
            yield from list(element_difference(old.values(), new.values()))
        except Exception:  # the other columns can be
            yield "cannot be compared"


def _index(before: Any, after: Any, what: str) -> Iterator[str]:
    index: Any = getattr(before, "index", None)
    other: Any = getattr(after, "index", None)
    if not hasattr(index, "equals") or other is None:
        return
    if kind_of(index) != kind_of(other) and str(index.dtype) != str(other.dtype):
        yield f"the {what}: {plain(str(index.dtype))} → {plain(str(other.dtype))}"
    if not index.equals(other):
        yield f"the {what} differs"
    yield from _names(index, other, what)


def _names(before: Any, after: Any, what: str) -> Iterator[str]:
    old, new = getattr(before, "names", None), getattr(after, "names", None)
    if old is not None and new is not None and list(old) != list(new):
        yield f"the {what}: named {_several(old)} → {_several(new)}"


def _several(names: Sequence[Any]) -> str:
    return ", ".join(show_value(name, 40) for name in names)


def _has_name(value: Any) -> bool:
    """A series has a name; an array of NumPy or a tensor has none, or one that is no value's."""
    return "pandas" in sys.modules and isinstance(value, sys.modules["pandas"].Series)


_ColumnPlace = tuple[bool, str, int]
"""Of a column: whether its name is text, the name, and which of that name it is, from 0."""


def _by_name(found: Sequence[Column]) -> dict[_ColumnPlace, Column]:
    times: Counter[tuple[bool, str]] = Counter()
    placed: dict[_ColumnPlace, Column] = {}
    for column in found:
        key = (isinstance(column.name, str), column.label)
        placed[*key, times[key]] = column
        times[key] += 1
    return placed


def _labels(found: Sequence[Column]) -> frozenset[str]:
    """The names that a text and something else have: `1` and `'1'`."""
    texts = {column.label for column in found if isinstance(column.name, str)}
    others = {column.label for column in found if not isinstance(column.name, str)}
    return frozenset(texts & others)


def _label(doubtful: frozenset[str], place: _ColumnPlace) -> str:
    is_text, name, at = place
    said = show_value(name, 60) if is_text and name in doubtful else name
    return said if not at else f"{said} (#{at + 1})"


def _shape(shape: tuple[int, ...] | None) -> str:
    return " × ".join(f"{size:,}" for size in shape or ())
