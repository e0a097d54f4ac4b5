"""an array, a frame -> what its pickle is to have of it, so that what is large is a buffer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pickle import PickleBuffer
from typing import Any

from . import atoms, binding
from .atoms import ASIDE
from .walk import are_atoms

# fmt: off
_ARROW = frozenset((
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64",
    "Boolean", "String", "Binary", "Date", "Datetime", "Duration", "Time",
))
# fmt: on
"""Types of columns that Arrow and Polars have alike."""

Reduce = Callable[[Any], Any]


def reduced_array(array: Any) -> Any:
    """Dates are written as numbers, and what has gaps is copied, so that they are buffers, too."""
    flags = array.flags
    if not is_plain_array(array):
        return NotImplemented
    if array.dtype.hasobject:
        return _atoms(array)
    whole = flags.c_contiguous or flags.f_contiguous
    if array.dtype.kind in "mM":
        return binding.viewed, ((array if whole else array.copy("K")).view("i8"), array.dtype)
    return NotImplemented if whole else array.copy("K").__reduce_ex__(5)


def is_plain_array(array: Any) -> bool:
    """Not of a subclass, which may have more than its elements."""
    kind = type(array)
    return f"{kind.__module__}.{kind.__qualname__}" == "numpy.ndarray"


def _atoms(array: Any) -> Any:
    """Strings and the like as one buffer: a column that has not changed is not written again, and
    what the pickler has met stays small."""
    order = "F" if array.flags.f_contiguous else "C"
    if array.dtype.kind != "O" or array.size * 8 < ASIDE:
        return NotImplemented
    flat = array.ravel(order)
    content: bytes | None = atoms.known(array, flat)
    if content is None:
        objects = flat.copy()  # what is remembered is what was written, whatever changes meanwhile
        if not are_atoms(objects.tolist()):
            return NotImplemented
        content = atoms.written(objects)
        atoms.remember(array, objects, content)
    return binding.atoms, (PickleBuffer(content), array.shape, order)


def _polars(frame: Any) -> Any:
    """As a table of Arrow, where there is PyArrow: its columns are buffers, and are not copied."""
    kinds = {type(dtype).__name__ for dtype in frame.schema.values()}
    whole = type(frame).__mro__[1] is object and frame.estimated_size() >= ASIDE
    if not whole or not kinds <= _ARROW or find_spec("pyarrow") is None:
        return NotImplemented
    return binding.polars_frame, (frame.to_arrow(),)


def _cached(function: Any) -> Any:
    """By value, without what it has in its cache; the pickle of it would look for its name."""
    if function.__module__ != "__main__":
        return NotImplemented
    return binding.cached, (function.__wrapped__, function.cache_parameters())


SPECIAL: Mapping[str, Reduce] = {
    "functools._lru_cache_wrapper": _cached,
    "polars.dataframe.frame.DataFrame": _polars,
}
"""By the name of a class, so that no library is imported for it."""
