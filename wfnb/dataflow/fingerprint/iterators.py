"""iterators of Python's own -> how far they are: use changes that, whatever holds one."""

from __future__ import annotations

import gc
import itertools
from typing import Any

from .builtin_and_stdlib_types import SMALL, Reader
from .object_parts import Parts
from .walk_state import Walk


def _position(walk: Walk, value: Any) -> Parts:
    """What it goes through, and the place that it has reached."""
    walk.complete = walk.atomic = False
    walk.tag(type(value).__name__)
    # Of these types it takes nothing from the iterator.
    return value.__reduce__()[1:]  # type: ignore[no-any-return]


def _count(walk: Walk, value: Any) -> None:
    """Its text has its numbers, unless they are of a class that writes them otherwise."""
    walk.complete = walk.atomic = False
    walk.tag("count")
    # From Python 3.12 on its own type is among what it refers to.
    numbers = (each for each in gc.get_referents(value) if each is not itertools.count)
    if all(id(type(number)) in SMALL for number in numbers):
        walk.plain(repr(value))


_SEQUENCES: tuple[Any, ...] = ([], (), range(0), "", b"")
READERS: dict[type, Reader] = {
    **{type(iter(each)): _position for each in _SEQUENCES},
    type(reversed([])): _position,
    itertools.count: _count,
}
