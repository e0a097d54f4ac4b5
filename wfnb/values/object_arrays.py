"""an array of strings and other plain objects ⇄ its pickle; the same array again -> that it is so.

Such objects never change, and a million of them take long to write. So it is remembered to which an
array pointed when its pickle was made: as long as it points to the very same, in the same places,
the pickle is the same. Nothing is watched: the pointers are compared when it is asked. What is
remembered goes with the array.
"""

from __future__ import annotations

import pickle
import sys
from dataclasses import dataclass
from typing import Any
from weakref import ref

from .store import name_of

ASIDE = 1 << 17
"""Bytes from which a buffer is a blob of its own: it is not written again when the rest changes."""


@dataclass(frozen=True, slots=True)
class _WrittenArray:
    """`objects` is a flat copy of the array. They live as long, so that none of them can have given
    its place in memory to another."""

    array: ref[Any]
    objects: Any
    blob: str


_written: dict[int, _WrittenArray] = {}
"""By the id of the array."""


class KnownBlob(bytes):
    """In place of the bytes of a blob: its name, and the objects that they are the pickle of."""

    blob: str
    objects: Any

    def content(self) -> bytes:
        return pickle_flat(self.objects)


def pickle_flat(flat: Any) -> bytes:
    """The pickle of a flat array."""
    return pickle.dumps(flat.tolist(), 5)


def find_known(array: Any, flat: Any) -> KnownBlob | None:
    """What is in the array, where that was remembered and is still so. `flat` is the array as it is
    written."""
    found = _written.get(id(array))
    if found is None or found.array() is not array or not _same(flat, found.objects):
        return None
    made = KnownBlob()
    made.blob, made.objects = found.blob, found.objects
    return made


def remember(array: Any, objects: Any, content: bytes | memoryview | KnownBlob) -> None:
    """What was written of the array, or read, and a flat copy of it that nobody else has; nothing
    where that is no blob of its own."""
    if not isinstance(content, KnownBlob) and memoryview(content).nbytes < ASIDE:
        return
    blob = content.blob if isinstance(content, KnownBlob) else name_of([content])
    key = id(array)

    def forget(gone: ref[Any]) -> None:
        found = _written.get(key)
        if found is not None and found.array is gone:
            del _written[key]

    _written[key] = _WrittenArray(ref(array, forget), objects, blob)


def _same(flat: Any, objects: Any) -> bool:
    """Whether two arrays point to the same objects: their memory is the pointers."""
    if sys.implementation.name != "cpython" or flat.shape != objects.shape:
        return False
    import numpy  # noqa: PLC0415  (there for who has such an array)

    one, other = (numpy.frombuffer(each, numpy.intp) for each in (flat, objects))
    return bool((one == other).all())
