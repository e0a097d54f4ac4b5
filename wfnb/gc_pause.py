"""work that makes many objects and no garbage -> its answer, while nobody looks for garbage."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MANY = 10_000


def without_gc(work: Callable[[], T]) -> T:
    """The answer of the work. Replay of a long history, and the import of many modules in a process
    that has many already, would take half as long again; and a tenth longer whatever comes
    afterwards, were the new objects not moved to the oldest generation."""
    enabled = gc.isenabled()
    try:
        gc.disable()
        return work()
    finally:
        if enabled:
            if gc.get_count()[0] > MANY and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
