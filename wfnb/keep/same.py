"""two values in which no difference was found -> whether they would be written as the same."""

from __future__ import annotations

from typing import Any

from .alike import alike
from .pickling import Bundle, together


def same(one: Any, other: Any) -> bool:
    """Each as if it were kept alone. False also where that cannot be said."""
    try:
        first, last = (together({"value": value}, {}) for value in (one, other))
    except Exception:  # of a class of the user's
        return False
    if len(first.buffers) != len(last.buffers):
        return False
    if any(old != new for old, new in zip(first.buffers, last.buffers, strict=True)):
        return False
    old, new = _head(first), _head(last)
    return old == new or alike(old, new)


def _head(bundle: Bundle) -> bytes:
    return b"".join(bundle.chunks)
