"""an array, a frame -> what its pickle is to have of it, so that what is large is a buffer."""

from __future__ import annotations

import gc
import typing
from collections import OrderedDict
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pickle import PickleBuffer
from types import MappingProxyType
from typing import Any

from wfnb.type_names import bases_of, full_name

from . import binding, object_arrays

# fmt: off
_ARROW = frozenset((
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64",
    "Boolean", "String", "Binary", "Date", "Datetime", "Duration", "Time",
))
# fmt: on
"""Types of columns that Arrow and Polars have alike."""

OWN_BLOB_FROM = 1 << 17
"""Bytes from which a buffer is a blob of its own: it is not written again when the rest changes."""

Reduce = Callable[[Any], Any]


def reduced_array(array: Any) -> Any:
    """Dates are written as numbers, and what has gaps is copied, so that they are buffers, too."""
    flags = array.flags
    if not is_plain_array(array):
        return _with_attributes(array)
    if _repeats(array):
        part = tuple(slice(1) if not stride else slice(None) for stride in array.strides)
        return binding.repeated, (array[part].copy(), array.shape)
    if array.dtype.hasobject:
        return _atoms(array)
    whole = flags.c_contiguous or flags.f_contiguous
    # NumPy exports no buffer of dates, so they would be copied into the pickle.
    if array.dtype.kind in "mM":
        return binding.viewed, ((array if whole else array.copy("K")).view("i8"), array.dtype)
    return NotImplemented if whole else array.copy("K").__reduce_ex__(5)


def _with_attributes(array: Any) -> Any:
    """Of a subclass: NumPy writes the elements alone."""
    kind = type(array)
    base = next(one for one in bases_of(kind) if full_name(one) == "numpy.ndarray")
    own = any(getattr(kind, name) is not getattr(base, name) for name in _BY_NUMPY)
    attributes = getattr(array, "__dict__", None)
    if own or not attributes:
        return NotImplemented
    made, arguments, state = array.__reduce__()
    return made, arguments, (state, attributes), None, None, binding.set_array


_BY_NUMPY = "__reduce__", "__reduce_ex__", "__setstate__"


def _repeats(array: Any) -> bool:
    """Whether it is a view that has elements several times, as `np.broadcast_to` makes one: one
    that can be written to is another thing."""
    return not (array.flags.writeable or all(array.strides)) and array.size > 1


def is_plain_array(array: Any) -> bool:
    """Not of a subclass, which may have more than its elements."""
    return full_name(type(array)) == "numpy.ndarray"


def _atoms(array: Any) -> Any:
    """Strings and the like as one buffer: a column that has not changed is not written again, and
    what the pickler has met stays small."""
    order = "F" if array.flags.f_contiguous else "C"
    if array.dtype.kind != "O" or array.size * 8 < OWN_BLOB_FROM:
        return NotImplemented
    content = object_arrays.pickled(array, array.ravel(order))
    if content is None:
        return NotImplemented
    return binding.atoms, (PickleBuffer(content), array.shape, order)


def _polars(frame: Any) -> Any:
    """As a table of Arrow, where there is PyArrow: its columns are buffers, and are not copied."""
    # Categories and nested types change on the way through Arrow.
    kinds = {type(dtype).__name__ for dtype in frame.schema.values()}
    whole = type(frame).__mro__[1] is object and frame.estimated_size() >= OWN_BLOB_FROM
    if not whole or not kinds <= _ARROW or find_spec("pyarrow") is None:
        return NotImplemented
    return binding.polars_frame, (frame.to_arrow(),)


def reduce_cached(function: Any) -> Any:
    """By value, without what it has in its cache; the pickle of it would look for its name."""
    if function.__module__ != "__main__":
        return NotImplemented
    return binding.cached, (function.__wrapped__, function.cache_parameters())


def _cached_property(found: Any) -> Any:
    """It has a lock, up to Python 3.11."""
    return binding.cached_property, (found.func, found.attrname)


def _of_argparse(found: Any) -> Any:
    return binding.new, (type(found),), vars(found), None, None, binding.set_suppressed


def _new_type(kind: Any) -> Any:
    """By value where a cell made it: its pickle is its name, which a fresh kernel does not have."""
    if kind.__module__ != "__main__":
        return NotImplemented
    return typing.NewType, (kind.__name__, kind.__supertype__)


def _limits(found: Any) -> Any:
    """Those of a type of numbers: NumPy writes them so that it cannot read them again."""
    return type(found), (found.dtype,)


def _proxy(found: Any) -> Any:
    """Of the mapping that it shows, not of a copy."""
    return MappingProxyType, (_shown(found),)


def _view(base: type, name: str) -> Reduce:
    """A view of a dictionary, which shows what that gets later."""
    return lambda found: (binding.view, (base, name, _shown(found)))


def _shown(found: Any) -> Any:
    (mapping,) = gc.get_referents(found)
    return mapping


SPECIAL: Mapping[str, Reduce] = {
    **{
        f"builtins.{kind}_{name}": _view(base, name)
        for kind, base in (("dict", dict), ("odict", OrderedDict))
        for name in ("keys", "values", "items")
    },
    "builtins.mappingproxy": _proxy,
    "argparse.Action": _of_argparse,
    "argparse._ActionsContainer": _of_argparse,
    "functools.cached_property": _cached_property,
    "numpy._core.getlimits.finfo": _limits,
    "numpy.core.getlimits.finfo": _limits,
    "numpy.finfo": _limits,
    "typing.NewType": _new_type,
    "polars.dataframe.frame.DataFrame": _polars,
}
"""By the name of a class, so that no library is imported for it."""
