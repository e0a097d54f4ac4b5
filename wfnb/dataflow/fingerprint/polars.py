"""frames and series of Polars -> their content on a walk, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from .builtin_and_stdlib_types import Reader, Reading, sample_starts
from .introspection import is_library_class, module_of, name_of
from .walk_state import Walk

_OWN = frozenset(("_df", "_s", "_accessors"))
"""Attributes that Polars sets."""


def find_reader(kind: type) -> Reading | None:
    """None where the class is not one of these."""
    if module_of(kind).partition(".")[0] != "polars" or not is_library_class(kind):
        return None
    found = _READERS.get(name_of(kind).rpartition(".")[2])
    return None if found is None else (found, False, _OWN)


def _frame(walk: Walk, value: Any) -> Iterator[Any]:
    """A frame, row by row. A type may be long: of a category all its texts."""
    # Polars keeps its memory in Rust: which frames share it cannot be seen.
    walk.atomic = walk.followed = False
    walk.tag("polars")
    walk.plain(value.shape)
    for name, dtype in value.schema.items():
        yield name
        yield str(dtype)[:1000]
    height, width = value.shape
    if height * width <= walk.objects_left and value.estimated_size() <= walk.whole:
        yield from chain.from_iterable(value.iter_rows())
        return
    walk.sample()
    for start in sample_starts(height, 1):
        yield from value.row(start)


def _series(walk: Walk, value: Any) -> Iterator[Any]:
    walk.tag("polars.Series")
    return _frame(walk, value.to_frame())


_READERS: dict[str, Reader] = {"DataFrame": _frame, "Series": _series}
