"""two arrays or columns of one shape -> a line that says how many elements differ, and by how much.

What is missing (NaN, NA, None, NaT) is the same as what is missing, and differs from all else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from .value_text import count, kind_of, number

_EXACT = 2**53
"""Whole numbers up to here are floats without loss."""
_ASKED = (("is_null", "drop_nulls"), ("is_null", "drop_null"), ("isna", "dropna"))
"""How Polars, PyArrow and pandas say what is missing, and give the rest."""


def element_difference(before: Any, after: Any) -> Iterator[str]:
    """Raises what a library or an element's class raises."""
    numpy: Any = sys.modules.get("numpy")
    # A sparse matrix as an array of NumPy may be larger than the memory.
    if numpy is None or hasattr(before, "tocoo"):
        yield from _as_a_whole(before, after)
        return
    yield from _masks(before, after)
    old, no_old = _split_missing(numpy, before)
    new, no_new = _split_missing(numpy, after)
    given = ~(no_old | no_new)
    first, last = old[given], new[given]
    differs = _differing_mask(numpy, first, last)
    came, went = (
        (0, 0) if _is_masked(before) else (int((no_old & ~no_new).sum()), _sum(no_new, no_old))
    )
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
        means = (_mean(before, old, no_old), _mean(after, new, no_new))
        line += f" (mean {number(means[0])} → {number(means[1])})"
    yield line


def _as_a_whole(before: Any, after: Any) -> Iterator[str]:
    """Sparse, or of a library that does without NumPy."""
    differs = before != after
    if isinstance(differs, bool):
        if differs:
            yield f"another {kind_of(after)}"
        return
    found = int(differs.nnz if hasattr(differs, "nnz") else differs.sum())
    if found:
        size = 1
        for side in before.shape:
            size *= int(side)
        yield f"{found:,} of {count(size, 'element')} differ"


def _split_missing(numpy: Any, values: Any) -> tuple[Any, Any]:
    """The values as an array of NumPy, and where they are missing."""
    if _is_masked(values):
        data, mask = numpy.asarray(values.data), numpy.ma.getmaskarray(values)
        return data, mask | _no_value(numpy, data)
    for question, rest in _ASKED:
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


def _mean(values: Any, data: Any, missing: Any) -> float:
    """Of a column without what is missing; of an array NaN where there is one in it."""
    says = _is_masked(values) or any(hasattr(values, question) for question, _ in _ASKED)
    given = data[~missing] if says else data
    return float(given.mean()) if given.size else float("nan")


def _masks(before: Any, after: Any) -> Iterator[str]:
    numpy: Any = sys.modules["numpy"]
    if _is_masked(before) and _is_masked(after):
        old, new = numpy.ma.getmaskarray(before), numpy.ma.getmaskarray(after)
        differing = int((old != new).sum())
        if differing:
            yield f"the mask differs at {differing:,} of {count(int(old.size), 'element')}"


def _is_masked(values: Any) -> bool:
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and isinstance(values, numpy.ma.MaskedArray)


def _sum(these: Any, but: Any) -> int:
    return int((these & ~but).sum())
