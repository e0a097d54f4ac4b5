"""work that makes many objects and no garbage -> its answer, while nobody looks for garbage."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MANY = 10_000
PAUSES: list[None] = []
"""One for each pause that goes on, in whatever thread, where garbage was looked for before: to code
of the notebook it is looked for all the time."""


def without_gc(work: Callable[[], T]) -> T:
    """The answer of the work. Replay of a long history, and the import of many modules in a process
    that has many already, would take half as long again; and a tenth longer whatever comes
    afterwards, were the new objects not moved to the oldest generation."""
    enabled = gc.isenabled()
    try:
        PAUSES.extend([None] * enabled)
        gc.disable()
        return work()
    finally:
        if enabled:
            if gc.get_count()[0] > MANY and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
            PAUSES.pop()
