"""two values in which no difference was found -> whether they would be written as the same."""

from __future__ import annotations

from typing import Any

from .alike import alike
from .pickling import Beside, dumped


def same(one: Any, other: Any) -> bool:
    """Each as if it were kept alone. False also where that cannot be said."""
    try:
        first, last = (dumped({"value": value}, {}) for value in (one, other))
        beside = [[Beside(buffer).blob for buffer in each.buffers] for each in (first, last)]
    except Exception:  # of a class of the user's
        return False
    if beside[0] != beside[1]:
        return False
    old, new = b"".join(first.chunks), b"".join(last.chunks)
    return old == new or alike(old, new)
