"""frames, series, indexes and arrays of pandas -> their content on a walk, and their memory.

They are read by the arrays that they are made of, column by column: which columns pandas has put
into one block changes while a frame is only read. What two frames share counts by memory, not by
array: a view is another array, and where pandas copies before it changes, one array is no sharing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from .arrays import note_memory, objects
from .builtin_and_stdlib_types import Reader, Reading, sample_starts
from .introspection import (
    attributes,
    find_imported,
    has_base,
    is_library_class,
    module_of,
    mro,
    name_of,
)
from .object_parts import Parts, UnsharedPart
from .walk_state import Holder, Walk

_KNOWN = frozenset(
    (
        *("_mgr", "_item_cache", "_attrs", "_flags", "_cache", "_name", "_is_copy", "_accessors"),
        *("_data", "_id", "_references", "_range", "_levels", "_codes", "_names", "sortorder"),
        *("_freq", "_mask", "_ndarray", "_dtype", "_left", "_right", "_pa_array", "_readonly"),
        *("_sparse_index", "_sparse_values", "_no_setting_name", "_typ", "__module__"),
    )
)
"""Attributes that pandas sets: they are read by name, or are no content."""


def find_reader(kind: type) -> Reading | None:
    """None where the class is not one of pandas, or derived from that of frames."""
    for base in mro(kind):
        package = module_of(base).partition(".")[0]
        name = _qualname(base)
        if package != "pandas" or not (is_library_class(base) or name == "NAType"):
            continue
        if name in ("DataFrame", "Series"):
            reader = _frame if name == "DataFrame" else _series
            return (reader if base is kind else _derived_reader(kind, reader)), False, _KNOWN
        if module_of(kind).partition(".")[0] != "pandas":
            continue
        if name in _FIXED:
            return _FIXED[name], True, _KNOWN
        if name in _ARRAYS:
            return _array_reader(name), False, _KNOWN
    return None


def _qualname(kind: type) -> str:
    return name_of(kind).removeprefix(module_of(kind) + ".")


def _derived_reader(kind: type, base: Reader) -> Reader:
    """A class of frames that others have made."""
    name = name_of(kind)

    def reader(walk: Walk, value: Any) -> Parts:
        walk.complete = False
        walk.tag("object." + name)
        return base(walk, value)

    return reader


def _frame(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    manager = (attributes(value) or {})["_mgr"]
    columns, index = manager.axes
    walk.tag("DataFrame")
    walk.plain((len(columns), len(index)))
    return chain(
        (columns, index), _notes(walk, value), _columns(walk, manager.blocks, len(columns))
    )


def _series(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    held = attributes(value) or {}
    manager = held["_mgr"]
    walk.tag("Series")
    return chain(
        (held.get("_name"), manager.axes[0]), _notes(walk, value), _columns(walk, manager.blocks, 1)
    )


def _notes(walk: Walk, value: Any) -> tuple[Any, bool]:
    """What a frame or a series has besides its data: `attrs`, and the one flag that there is."""
    held = attributes(value) or {}
    if walk.extents is not None:  # who else has them: something may come into them
        return held.get("_attrs"), True
    duplicates = getattr(held.get("_flags"), "_allows_duplicate_labels", True)
    return held.get("_attrs") or None, bool(duplicates)


def _columns(walk: Walk, blocks: Any, size: int) -> Iterator[Any]:
    if walk.extents is not None:
        for block in blocks:
            # Who shares memory is the question: that is a matter of blocks, and not of columns.
            yield from _memory(walk, block.values, Holder(tracked=_tracker(block)))
        return
    if size > walk.objects_left:
        walk.skip()
        size = walk.objects_left
    places: dict[int, tuple[Any, int]] = {}
    for block in blocks:
        for number, place in enumerate(block.mgr_locs.as_array.tolist()):
            places[place] = block.values, number
    for place in range(size):
        values, number = places[place]
        # A block of an extension type is one column, and has no rows of columns.
        yield UnsharedPart(values[number] if getattr(values, "ndim", 1) == 2 else values)


def _tracker(block: Any) -> Any:
    """What counts who else has the memory of a block; None where pandas does not heed it."""
    version, options = find_imported("pandas", "__version__"), find_imported("pandas", "options")
    # Only there, and from pandas 3 on, does a frame copy shared memory before it changes it.
    if int(version.partition(".")[0]) < 3 and not options.mode.copy_on_write:
        return None
    return getattr(block, "refs", None)


def _memory(walk: Walk, values: Any, holder: Holder) -> Iterator[Any]:
    """Note where an array of any class lies; the objects in it are parts."""
    under = _numpy_arrays(values)
    if under is None:
        walk.followed = False
    for array in under or ():
        note_memory(walk, array, holder)
        if array.dtype.hasobject:
            yield from objects(walk, array)


def _numpy_arrays(values: Any) -> list[Any] | None:
    """The arrays of NumPy that one of pandas is made of; None where that is not known."""
    plain = find_imported("numpy", "ndarray")
    if plain is not None and has_base(type(values), plain):
        return [values]
    kind = type(values)
    names = (_qualname(base) for base in mro(kind) if module_of(base).startswith("pandas"))
    parts = next((_ARRAYS[name] for name in names if name in _ARRAYS), None)
    if parts is None or not module_of(kind).startswith("pandas"):
        return None
    found = [_numpy_arrays(part) for part in parts(values)]
    known = [one for one in found if one is not None]
    return list(chain.from_iterable(known)) if len(known) == len(found) else None


def _interval_parts(value: Any) -> tuple[Any, ...]:
    ends = value._left, value._right
    return tuple(one if getattr(one, "_data", None) is None else one._data for one in ends)


_ARRAYS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "ArrowExtensionArray": lambda value: (),  # Arrow never changes what it has
    "BaseMaskedArray": lambda value: (value._data, value._mask),
    "IntervalArray": _interval_parts,
    "SparseArray": lambda value: (value.sp_values, value.sp_index.indices),
    "NDArrayBackedExtensionArray": lambda value: (value._ndarray,),
}
"""Of an array of pandas, the arrays that it is made of."""


def _array_reader(name: str) -> Reader:
    def reader(walk: Walk, value: Any) -> Parts:
        walk.atomic = False
        walk.tag(type(value).__name__)
        if walk.extents is not None:
            return _memory(walk, value, walk.holder)
        content = _CONTENTS.get(name)
        parts = content(walk, value) if content else map(UnsharedPart, _ARRAYS[name](value))
        return chain(_type(walk, value), parts or ())

    return reader


def _type(walk: Walk, value: Any) -> Iterator[Any]:
    """What its type says besides its name; the zone of times may be of a class of the user's."""
    dtype = value.dtype
    if has_base(type(dtype), find_imported("numpy", "dtype") or type):
        yield dtype
    elif _qualname(type(dtype)) == "CategoricalDtype":
        yield bool(dtype.ordered)
        yield dtype.categories
    elif _qualname(type(dtype)) == "DatetimeTZDtype":
        yield dtype.unit
        yield dtype.tz
    else:
        yield str(dtype)
    yield _frequency(value)


def _frequency(value: Any) -> str | None:
    """The step between the times of an array or an index, if they have one: newer versions of
    pandas note it at the index."""
    freq: Any = (attributes(value) or {}).get("_freq")
    known = freq is not None and module_of(type(freq)).startswith("pandas.")
    return str(freq.freqstr) if known else None


def _masked_values(walk: Walk, value: Any) -> Parts:
    """What stands where it is masked is nobody's content."""
    data, mask = value._data, value._mask
    if data.nbytes <= walk.whole and mask.any():
        data = data.copy()
        data[mask] = 0
    return UnsharedPart(data), UnsharedPart(mask)


def _sparse(walk: Walk, value: Any) -> Parts:
    places = UnsharedPart(value.sp_index.indices)
    return len(value), value.kind, UnsharedPart(value.sp_values), places, value.fill_value


def _arrow(walk: Walk, value: Any) -> Iterator[Any]:
    """Text by text, since one content may lie in memory in many ways."""
    held = value._pa_array
    size = len(held)
    walk.plain(size)
    if size <= walk.objects_left and held.nbytes <= walk.whole:
        yield from held.to_pylist()
        return
    walk.sample()
    for start in sample_starts(size, 4):
        yield from held.slice(start, 4).to_pylist()


_CONTENTS: dict[str, Callable[[Walk, Any], Parts]] = {
    "BaseMaskedArray": _masked_values,
    "SparseArray": _sparse,
    "ArrowExtensionArray": _arrow,
}
"""Where the arrays that it is made of are not its content as they are."""


def _index_attributes(walk: Walk, value: Any) -> dict[str, Any]:
    walk.atomic = False
    held = attributes(value) or {}
    walk.indexes[id(value)] = id(held.get("_name")), *map(id, held.get("_names", ()))
    return held


def _index(walk: Walk, value: Any) -> Parts:
    """Its elements never change, but the array that it was made of may, and its name."""
    held = _index_attributes(walk, value)
    walk.tag("index." + type(value).__name__)
    if walk.extents is not None:
        return _memory(walk, held["_data"], Holder(fixed=True))
    return held.get("_name"), _frequency(value), UnsharedPart(held["_data"])


def _range_index(walk: Walk, value: Any) -> Parts:
    held = _index_attributes(walk, value)
    walk.tag("index.RangeIndex")
    return held.get("_name"), held["_range"]


def _multi_index(walk: Walk, value: Any) -> Parts:
    held = _index_attributes(walk, value)
    walk.tag("index.MultiIndex", len(held["_levels"]))
    if walk.extents is not None:
        return chain(held["_levels"])
    levels = [attributes(level) or {} for level in held["_levels"]]  # they may be named, or not
    values = [level.get("_data", level.get("_range")) for level in levels]
    steps = map(_frequency, held["_levels"])
    arrays = map(UnsharedPart, (*values, *held["_codes"]))
    return chain(held["_names"], (held.get("sortorder"), *steps), arrays)


def _timestamp(walk: Walk, value: Any) -> Parts:
    walk.tag("Timestamp")
    walk.plain((int(value._value), value.unit, value.fold))
    return (value.tzinfo,)


def _timedelta(walk: Walk, value: Any) -> None:
    walk.tag("Timedelta")
    walk.plain((int(value._value), value.unit))


def _missing_value(walk: Walk, value: Any) -> None:
    walk.tag(type(value).__name__)


def _period(walk: Walk, value: Any) -> None:
    walk.tag("Period")
    walk.plain((value.ordinal, value.freqstr))


def _offset(walk: Walk, value: Any) -> Parts:
    """A step of time. Its class, which is one of pandas, names its attributes in any order."""
    walk.tag(name_of(type(value)))
    named = {name: getattr(value, name, None) for name in value._attributes if name != "calendar"}
    held = sorted((named | (attributes(value) or {})).items())
    return chain((value.freqstr,), chain.from_iterable(held))


def _interval(walk: Walk, value: Any) -> Parts:
    walk.tag("Interval." + value.closed)
    return value.left, value.right


_FIXED: dict[str, Reader] = {
    "RangeIndex": _range_index,
    "MultiIndex": _multi_index,
    "Index": _index,
    "Timestamp": _timestamp,
    "Timedelta": _timedelta,
    "NaTType": _missing_value,
    "NAType": _missing_value,
    "Period": _period,
    "Interval": _interval,
    "BaseOffset": _offset,
}
