"""two frames -> lines that say what differs between them: rows, columns, and what is in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .array_differences import element_difference, index_difference, label_difference
from .arrays_and_frames import Column, columns, frame_shape
from .value_text import count, plain, show_value


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
    yield from label_difference(
        getattr(before, "columns", None), getattr(after, "columns", None), "columns"
    )
    # Else the rows that came or went would show as changes of the index.
    if rows == now:
        yield from index_difference(before, after, "index")
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
