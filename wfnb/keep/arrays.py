"""two arrays or two frames -> lines that say what differs between them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from .shapes import Column, array_shape, columns, frame_shape
from .words import count, kind_of, number, plain


def array_difference(before: Any, after: Any) -> Iterator[str]:
    """Shape, type, how many elements differ, by how much, and how the mean moved."""
    old, new = array_shape(before), array_shape(after)
    if str(before.dtype) != str(after.dtype):
        yield f"{plain(str(before.dtype))} → {plain(str(after.dtype))}"
    if old != new:
        yield f"{_shape(old)} → {_shape(new)}"
        return
    yield from _elements(_plain(before), _plain(after))


def frame_difference(before: Any, after: Any) -> Iterator[str]:
    """Rows, columns that are new, gone or of another type, and what changed in each."""
    (rows, _), (now, _) = frame_shape(before) or (0, 0), frame_shape(after) or (0, 0)
    if rows != now:
        yield f"{rows:,} → {count(now, 'row')}"
    old, new = columns(before), columns(after)
    for name in new:
        if name not in old:
            yield f"{name}: new, {plain(new[name].dtype)}"
    for name in old:
        if name not in new:
            yield f"{name}: gone, {plain(old[name].dtype)}"
    if list(old) != list(new) and set(old) == set(new):
        yield "the columns are in another order"
    if rows == now:
        yield from _index(before, after)
    for name in old:
        if name in new:
            yield from _column(name, old, new, rows == now)


def _column(
    name: str, old: Mapping[str, Column], new: Mapping[str, Column], same_rows: bool
) -> Iterator[str]:
    if old[name].dtype != new[name].dtype:
        yield f"{name}: {plain(old[name].dtype)} → {plain(new[name].dtype)}"
    if same_rows:
        for line in _elements(_plain(old[name].values()), _plain(new[name].values())):
            yield f"{name}: {line}"


def _index(before: Any, after: Any) -> Iterator[str]:
    index: Any = getattr(before, "index", None)
    if hasattr(index, "equals") and not index.equals(after.index):
        yield "the index differs"


def _elements(before: Any, after: Any) -> Iterator[str]:
    differs = before != after
    if isinstance(differs, bool):  # they cannot be compared one by one
        if differs:
            yield f"another {kind_of(after)}"
        return
    nan = (before != before) & (after != after)
    differs = differs & ~nan
    changed = int(differs.sum())
    if not changed:
        return
    line = f"{changed:,} of {count(int(differs.size), 'element')} differ"
    if before.dtype.kind in "iuf" and after.dtype.kind in "iuf":
        by = abs(after[differs].astype("f8") - before[differs].astype("f8"))
        line += f", by up to {number(float(by.max()))}"
        line += f" (mean {number(float(before.mean()))} → {number(float(after.mean()))})"
    yield line


def _plain(values: Any) -> Any:
    """As an array of NumPy, which there is where there are values to be compared one by one."""
    numpy: Any = sys.modules.get("numpy")
    found = values.to_numpy() if hasattr(values, "to_numpy") else values
    return found if numpy is None else numpy.asarray(found)


def _shape(shape: tuple[int, ...] | None) -> str:
    return " × ".join(f"{size:,}" for size in shape or ())
