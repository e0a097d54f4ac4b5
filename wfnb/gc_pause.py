"""A function -> its result, with Python's garbage collector switched off while it runs.

For work that makes many objects and no garbage: the collector would go through all of them again
and again, and find nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MANY = 10_000
"""Objects made since the last collection from which on they are moved to the oldest generation."""
PAUSES: list[None] = []
"""An entry for each pause that is going on, in any thread, if the collector was on before it. Who
asks whether the notebook's own code has switched it off counts a pause as on."""


def without_gc(work: Callable[[], T]) -> T:
    """The result of `work`. With the collector on, the replay of a long history, or the import of
    many modules into a process that has many already, takes half as long again. The new objects
    move to the oldest generation: else whatever comes afterwards takes a tenth longer."""
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
