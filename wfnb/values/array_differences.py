"""two arrays or columns -> lines that say what differs between them: shape, type, elements, mean.

What is missing (NaN, NA, None, NaT) is the same as what is missing, and differs from all else.
Which values of two steps are compared, and what is shown of each name, is a matter of
`wfnb/views/value_differences.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from .arrays_and_frames import array_shape
from .value_text import count, kind_of, number, plain, show_value

_EXACT = 2**53
"""Whole numbers up to here are floats without loss."""
_MISSING_METHODS = (("is_null", "drop_nulls"), ("is_null", "drop_null"), ("isna", "dropna"))
"""The methods of Polars, PyArrow and pandas that say what is missing, and give the rest."""


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
    yield from index_difference(before, after, "index")
    yield from element_difference(before, after)


def element_difference(before: Any, after: Any) -> Iterator[str]:
    """Of one shape: how many elements differ, by how much, how the mean moved; what differs in the
    masks. Raises what a library or an element's class raises."""
    numpy: Any = sys.modules.get("numpy")
    # A sparse matrix as an array of NumPy may be larger than the memory.
    if numpy is None or hasattr(before, "tocoo"):
        yield from _as_a_whole(before, after)
        return
    yield from _mask_difference(numpy, before, after)
    old, no_old = _split_missing(numpy, before)
    new, no_new = _split_missing(numpy, after)
    given = ~(no_old | no_new)
    first, last = old[given], new[given]
    differs = _differing_mask(numpy, first, last)
    # Of masked arrays the masks have said it.
    masked = _is_masked(numpy, before)
    came = 0 if masked else _count_without(no_old, no_new)
    went = 0 if masked else _count_without(no_new, no_old)
    changed = int(differs.sum()) + came + went
    if not changed:
        return
    line = f"{changed:,} of {count(int(given.size), 'element')} differ"
    numbers = old.dtype.kind in "iuf" and new.dtype.kind in "iuf"
    if numbers and differs.any():
        line += f", by up to {number(_largest_distance(first[differs], last[differs]))}"
    if came:
        line += f", {came:,} {'was' if came == 1 else 'were'} missing"
    if went:
        line += f", {went:,} {'is' if went == 1 else 'are'} missing now"
    if numbers:
        means = (_mean(numpy, before, old, no_old), _mean(numpy, after, new, no_new))
        line += f" (mean {number(means[0])} → {number(means[1])})"
    yield line


def _as_a_whole(before: Any, after: Any) -> Iterator[str]:
    """Sparse, or of a library that does without NumPy."""
    differs = before != after
    if isinstance(differs, bool):
        if differs:
            yield f"another {kind_of(after)}"
        return
    changed = int(differs.nnz if hasattr(differs, "nnz") else differs.sum())
    if changed:
        size = 1
        for side in before.shape:
            size *= int(side)
        yield f"{changed:,} of {count(size, 'element')} differ"


def _split_missing(numpy: Any, values: Any) -> tuple[Any, Any]:
    """The values as an array of NumPy, and where they are missing."""
    if _is_masked(numpy, values):
        data, mask = numpy.asarray(values.data), numpy.ma.getmaskarray(values)
        return data, mask | _no_value(numpy, data)
    for question, rest in _MISSING_METHODS:
        if hasattr(values, question) and hasattr(values, rest):
            missing = numpy.asarray(getattr(values, question)())
            there = numpy.asarray(getattr(values, rest)())
            data = numpy.zeros(missing.shape, there.dtype)
            data[~missing] = there
            return data, missing | _no_value(numpy, data)
    data = numpy.asarray(values)
    return data, _no_value(numpy, data)


def _no_value(numpy: Any, data: Any) -> Any:
    if data.dtype.kind == "O":
        flat = (_is_no_value(one) for one in data.ravel().tolist())
        return numpy.fromiter(flat, bool, data.size).reshape(data.shape)
    if data.dtype.kind in "fcmMV":
        return data != data  # NaN and NaT are not themselves
    return numpy.zeros(data.shape, bool)


def _is_no_value(value: Any) -> bool:
    if value is None or (isinstance(value, float) and value != value):
        return True
    return type(value).__name__ in ("NAType", "NaTType")


def _differing_mask(numpy: Any, before: Any, after: Any) -> Any:
    """Of those that are given in both."""
    if "O" not in (before.dtype.kind, after.dtype.kind):
        return numpy.asarray(before != after)
    pairs = zip(before.tolist(), after.tolist(), strict=True)
    return numpy.fromiter((_differ(numpy, *pair) for pair in pairs), bool, before.size)


def _differ(numpy: Any, one: Any, other: Any) -> bool:
    if one is other:
        return False
    if hasattr(one, "dtype") and getattr(one, "shape", None):
        return not (numpy.shape(one) == numpy.shape(other) and bool(numpy.all(one == other)))
    return bool(one != other)


def _largest_distance(before: Any, after: Any) -> Any:
    """The largest distance: exactly, where floats would lose it."""
    if "f" not in (before.dtype.kind, after.dtype.kind):
        sizes = (int(part.max()) for part in (before, after))
        least = (int(part.min()) for part in (before, after))
        if max(sizes) > _EXACT or min(least) < -_EXACT:
            return max(abs(b - a) for a, b in zip(before.tolist(), after.tolist(), strict=True))
    # As floats first: whole numbers without a sign would wrap around when subtracted.
    return float(abs(after.astype("f8") - before.astype("f8")).max())


def _mean(numpy: Any, values: Any, data: Any, missing: Any) -> float:
    """Of a column without what is missing; of an array NaN where there is one in it."""
    tells = any(hasattr(values, question) for question, _ in _MISSING_METHODS)
    given = data[~missing] if tells or _is_masked(numpy, values) else data
    return float(given.mean()) if given.size else float("nan")


def _mask_difference(numpy: Any, before: Any, after: Any) -> Iterator[str]:
    if _is_masked(numpy, before) and _is_masked(numpy, after):
        old, new = numpy.ma.getmaskarray(before), numpy.ma.getmaskarray(after)
        differing = int((old != new).sum())
        if differing:
            yield f"the mask differs at {differing:,} of {count(int(old.size), 'element')}"


def _is_masked(numpy: Any, values: Any) -> bool:
    return isinstance(values, numpy.ma.MaskedArray)


def _count_without(these: Any, but: Any) -> int:
    """How many elements the first mask has, and the second has not."""
    return int((these & ~but).sum())


def index_difference(before: Any, after: Any, what: str) -> Iterator[str]:
    """Of two arrays or frames that have an index."""
    index: Any = getattr(before, "index", None)
    other: Any = getattr(after, "index", None)
    if not hasattr(index, "equals") or other is None:
        return
    if kind_of(index) != kind_of(other) and str(index.dtype) != str(other.dtype):
        yield f"the {what}: {plain(str(index.dtype))} → {plain(str(other.dtype))}"
    if not index.equals(other):
        yield f"the {what} differs"
    yield from label_difference(index, other, what)


def label_difference(before: Any, after: Any, what: str) -> Iterator[str]:
    old, new = getattr(before, "names", None), getattr(after, "names", None)
    if old is not None and new is not None and list(old) != list(new):
        yield f"the {what}: named {_several(old)} → {_several(new)}"


def _several(names: Sequence[Any]) -> str:
    return ", ".join(show_value(name, 40) for name in names)


def _has_name(value: Any) -> bool:
    """A series has a name; an array of NumPy or a tensor has none, or one that is no value's."""
    return "pandas" in sys.modules and isinstance(value, sys.modules["pandas"].Series)


def _shape(shape: tuple[int, ...] | None) -> str:
    return " × ".join(f"{size:,}" for size in shape or ())
