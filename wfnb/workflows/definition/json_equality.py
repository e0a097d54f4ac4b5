"""two values of JSON -> whether they are equal, as JSON has it and not as Python has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def same(one: Any, other: Any) -> bool:
    """Equal as JSON values are: 1 is 1.0, and neither true nor "1"."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    match one, other:
        case Mapping(), Mapping():
            return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
        case ((list() | tuple()), (list() | tuple())):
            return len(one) == len(other) and all(map(same, one, other))
        case _:
            return bool(one == other)
