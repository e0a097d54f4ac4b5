"""two values in which no difference was found -> whether they would be written as the same."""

from __future__ import annotations

from typing import Any

from .pickle_bundles import dump_values, picklers
from .pickle_equivalence import are_equivalent
from .pickler import Pickler
from .store import name_of


def same(one: Any, other: Any) -> bool:
    """Each as if it were kept alone. False also where that cannot be said."""
    try:
        with picklers({}) as new:
            first, last = (dump_values({"value": value}, new) for value in (one, other))
            before, after = (b"".join(pickler.chunks) for pickler in (first, last))
            if _buffer_blobs(first) != _buffer_blobs(last):
                return False
    except Exception:  # of a class of the user's
        return False
    return before == after or are_equivalent(before, after)


def _buffer_blobs(pickler: Pickler) -> list[str]:
    return [name_of([buffer.raw()]) for buffer in pickler.buffers]
