"""an array of strings and other plain objects -> its pickle, which is made once.

Such objects never change, and a million of them take long to write. So the pickle is remembered
with the objects to which the array pointed: as long as it points to the very same, in the same
places, the pickle is the same. Nothing is watched: the pointers are compared when it is asked. What
is remembered goes with the array.
"""

from __future__ import annotations

import pickle
import sys
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import ref

from .mutable_objects import are_atoms


@dataclass(frozen=True, slots=True)
class _Written:
    """`objects` is a flat copy of the array. They live as long, so that none of them can have given
    its place in memory to another."""

    array: ref[Any]
    objects: Any
    content: bytes


_written: dict[int, _Written] = {}
"""By the id of the array."""


def pickled(array: Any, flat: Any) -> bytes | None:
    """`flat` is the array as it is written. None where it has objects that may change."""
    found = _written.get(id(array))
    if found is not None and found.array() is array and _same(flat, found.objects):
        return found.content
    objects = flat.copy()  # what is remembered is what was written, whatever changes meanwhile
    values = objects.tolist()
    if not are_atoms(values):
        return None
    content = pickle.dumps(values, 5)
    remember(array, objects, content)
    return content


def remember(array: Any, objects: Any, content: bytes) -> None:
    """That the array has these objects, in a flat array that nobody else has, and this pickle."""
    # A weak reference with a callback: ids are used again, and nothing here may keep the array
    # alive.
    _written[id(array)] = _Written(ref(array, partial(_forget, id(array))), objects, content)


def _forget(key: int, gone: ref[Any]) -> None:
    found = _written.get(key)
    if found is not None and found.array is gone:
        del _written[key]


def _same(flat: Any, objects: Any) -> bool:
    """Whether two arrays point to the same objects: their memory is the pointers."""
    # That an array of objects is its pointers in memory is so in CPython.
    if sys.implementation.name != "cpython" or flat.shape != objects.shape:
        return False
    import numpy  # noqa: PLC0415  (there for who has such an array)

    one, other = (numpy.frombuffer(each, numpy.intp) for each in (flat, objects))
    return bool((one == other).all())
