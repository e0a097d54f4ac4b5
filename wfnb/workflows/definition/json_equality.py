"""two values of JSON -> whether they are equal: as JSON has it, or as each program has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def same(one: Any, other: Any) -> bool:
    """Equal as JSON values are: 1 is 1.0, and neither true nor "1"."""
    return _are_equal(one, other, _is_same_number)


def indistinguishable(one: Any, other: Any) -> bool:
    """Whether no program tells one from the other: 1 is not 1.0, which a shell prints otherwise.

    >>> indistinguishable({"a": [1, True]}, {"a": [1, True]}), indistinguishable([1], [1.0])
    (True, False)
    """
    return _are_equal(one, other, _is_alike)


def _are_equal(one: Any, other: Any, equal: Callable[[Any, Any], bool]) -> bool:
    match one, other:
        case Mapping(), Mapping():
            keys = one.keys() == other.keys()
            return keys and all(_are_equal(one[key], other[key], equal) for key in one)
        case ((list() | tuple()), (list() | tuple())):
            pairs = zip(one, other, strict=False)
            return len(one) == len(other) and all(_are_equal(*pair, equal) for pair in pairs)
        case _:
            return equal(one, other)


def _is_same_number(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)


def _is_alike(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
