"""arrays and numbers of NumPy -> their content on a walk, and where they lie in memory.

NumPy is never imported for this: who has no such object need not have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from .builtin_and_stdlib_types import Reader, Reading, sample_starts
from .introspection import attributes, find_imported, has_base, is_library_class, name_of, slots
from .object_parts import Parts, UnsharedPart
from .walk_state import Extent, Holder, Walk

_CHUNK = 1024
"""Bytes of a sample."""
_ELEMENTS = 256
"""Objects that are read of an array that has more than the budget."""
_ARRAYS = ("matrix", "recarray", "memmap", "chararray", "MaskedArray")
"""Classes of NumPy whose arrays have attributes of which it is known whether they are content."""
_OWN = frozenset(
    (
        *("_mmap", "filename", "offset", "mode", "_getitem", "_mask", "_fill_value", "_hardmask"),
        *("_sharedmask", "_isfield", "_baseclass", "_optinfo", "_basedict"),
    )
)
"""These attributes."""


def find_reader(kind: type) -> Reading | None:
    """None where the class is not one of NumPy, or derived from that of arrays."""
    plain = find_imported("numpy", "ndarray")
    if plain is None:
        return None
    if has_base(kind, plain):
        own = is_library_class(kind) and name_of(kind).rpartition(".")[2] in _ARRAYS
        return _array_reader(kind, plain), False, _OWN if own else frozenset()
    if not is_library_class(kind):
        return None
    for module, name, reader, fixed in _READERS:
        base = find_imported(module, name)
        if base is not None and has_base(kind, base):
            return reader, fixed, frozenset()
    return None


def _array_reader(kind: type, plain: type[Any]) -> Reader:
    if kind is plain:
        return array
    if name_of(kind).endswith(".MaskedArray") and is_library_class(kind):
        return _masked_array
    name = name_of(kind)

    def reader(walk: Walk, value: Any) -> Parts:
        walk.tag("array." + name)
        if slots(kind):
            walk.skip()
        return array(walk, plain.view(value, plain))

    return reader


def _masked_array(walk: Walk, value: Any) -> Parts:
    """What stands where it is masked can be seen again, and so it is content."""
    plain: Any = find_imported("numpy", "ndarray")
    data = plain.view(value, plain)
    walk.tag("masked")
    held = attributes(value) or {}
    mask: Any = held.get("_mask")
    fill: Any = held.get("_fill_value")
    if type(mask) is plain and walk.extents is None and mask.dtype.names is None:
        mask = mask if mask.any() else None  # it is made when something is masked first
    elif type(mask) is not plain:
        mask = None
    if fill is None and not data.dtype.hasobject:  # it is made when the array is shown first
        default: Any = find_imported("numpy.ma", "default_fill_value")
        asarray: Any = find_imported("numpy", "asarray")
        fill = asarray(default(data.dtype), data.dtype)
    return chain(array(walk, data) or (), (mask, held.get("_hardmask"), fill))


def array(walk: Walk, value: Any) -> Parts:
    """One of NumPy's own class."""
    walk.atomic = False
    walk.out.append(b"\xffarray;")
    if walk.extents is not None:
        note_memory(walk, value, walk.holder)
    elif not walk.bare:
        _note_view(walk, value)
    return elements(walk, value)


def _note_view(walk: Walk, value: Any) -> None:
    """Of an array that lies in the memory of one that was met, where: a change of one is a change
    of the other."""
    owner = value if value.base is None else memory_owner(value)
    # Not the id, which stands for the array as an object: `~` stands for its memory.
    if (name := walk.met.get(~id(owner))) is None:
        walk.met[~id(owner)] = b"\xff#%d;" % len(walk.met)
        walk.alive.append(owner)
        return
    walk.out.append(name)
    walk.plain(value.strides)
    if type(owner) is type(value):
        at, start = (each.__array_interface__["data"][0] for each in (value, owner))
        walk.plain(at - start)


def memory_owner(value: Any) -> Any:
    """Whose memory an array lies in."""
    plain: Any = find_imported("numpy", "ndarray")
    owner = value
    while (type(owner) is plain or has_base(type(owner), plain)) and owner.base is not None:
        owner = owner.base
    return owner.obj if type(owner) is memoryview else owner


def elements(walk: Walk, value: Any) -> Parts:
    """Their type, the shape, and what they are; whether they can be written, and lie by columns:
    that decides how they are summed up. More of how they lie is lost in a copy."""
    dtype, flags = value.dtype, value.flags
    if not walk.bare and walk.extents is None:
        # not `flags.writeable`, which warns of what `broadcast_arrays` gives
        read_only = value.__array_interface__["data"][1]
        walk.plain((not read_only, flags.f_contiguous and not flags.c_contiguous))
    if dtype.names is not None:
        walk.tag("fields", len(dtype.names))
        walk.plain(value.shape)
        # between the fields may lie what is nobody's content
        parts = chain.from_iterable((name, UnsharedPart(value[name])) for name in dtype.names)
        return chain(_layout(dtype), parts)
    walk.plain((dtype.str, *value.shape))
    if dtype.hasobject or dtype.kind == "T":
        return objects(walk, value)
    if walk.extents is None:
        _data(walk, value)
    return None if dtype.metadata is None else (dtype.metadata,)


def _layout(dtype: Any) -> Iterator[Any]:
    """Where the fields of a type lie, their titles, and what was noted of it."""
    yield (dtype.itemsize, dtype.isalignedstruct)
    yield from (part for name in dtype.names or () for part in dtype.fields[name][1:])
    yield dtype.metadata


def objects(walk: Walk, value: Any) -> Iterator[Any]:
    """The elements of an array of objects, as many as the budget allows."""
    size, flat = value.size, value.flat
    if walk.closely and walk.extents is None:
        return iter((value.ravel().tolist(),))
    if size <= walk.objects_left:
        return walk.held_parts(flat, Holder())
    walk.skip()
    return walk.held_parts((flat[at] for at in range(0, size, -(-size // _ELEMENTS))), Holder())


def _data(walk: Walk, value: Any) -> None:
    size, item = value.nbytes, value.dtype.itemsize
    if size <= walk.whole and walk.take(size):
        # Of a small array the copy that `tobytes` makes is cheaper than two views.
        plain = size > 4096 and value.flags.c_contiguous
        walk.data(value.reshape(-1).view("u1") if plain else value.tobytes())
        return
    walk.sample()
    if item > walk.whole:
        return
    length = max(1, _CHUNK // item)
    # of other arrays `reshape` makes a copy
    flat = value.reshape(-1) if value.flags.c_contiguous else value.flat
    starts = sample_starts(value.size, length)
    walk.data(b"".join(flat[start : start + length].tobytes() for start in starts))


def _number(walk: Walk, value: Any) -> None:
    walk.out.append(b"\xffnumber;")
    walk.plain((value.dtype.str, value.tobytes()))


def _record(walk: Walk, value: Any) -> Parts:
    """It may be a view of an array."""
    walk.atomic = walk.followed = False
    walk.tag("record")
    if value.dtype.names is None:
        walk.plain(bytes(value.tobytes()))
        return None
    return chain.from_iterable((name, value[name]) for name in value.dtype.names)


def _type(walk: Walk, value: Any) -> Parts:
    """The names of fields can be set."""
    walk.tag("dtype")
    walk.plain(value.str)
    if value.names is None:
        return (value.subdtype, value.metadata)
    walk.atomic = False
    kinds = chain.from_iterable((name, value.fields[name][0]) for name in value.names)
    return chain(_layout(value), kinds)


def _generator(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    walk.tag("Generator")
    return (value.bit_generator,)


def _bits(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    walk.tag(type(value).__name__)
    spawned = getattr(getattr(value, "seed_seq", None), "n_children_spawned", 0)
    return (value.state, spawned)


def _seeds(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    walk.tag("SeedSequence")
    return (value.entropy, value.spawn_key, value.n_children_spawned)


def _random_state(walk: Walk, value: Any) -> Parts:
    walk.atomic = False
    walk.tag("RandomState")
    return (value.get_state(legacy=False),)


_READERS: tuple[tuple[str, str, Reader, bool], ...] = (
    ("numpy", "void", _record, False),
    ("numpy", "generic", _number, True),
    ("numpy", "dtype", _type, True),
    ("numpy.random", "Generator", _generator, False),
    ("numpy.random", "BitGenerator", _bits, False),
    ("numpy.random", "SeedSequence", _seeds, False),
    ("numpy.random", "RandomState", _random_state, False),
)
"""By the module and the name of a class; and whether its objects never change."""


def note_memory(walk: Walk, value: Any, holder: Holder) -> None:
    """Where an array lies, and who else has that memory."""
    if walk.extents is None or not value.size:
        return
    plain: Any = find_imported("numpy", "ndarray")
    owner = memory_owner(value)
    # A `bytearray` or a `mmap` under an array is changed with it; `bytes` never are.
    if holder == Holder() and type(owner) is not bytes and not has_base(type(owner), plain):
        walk.met.setdefault(id(owner), b"")
        walk.alive.append(owner)
    low = high = value.__array_interface__["data"][0]
    for size, stride in zip(value.shape, value.strides, strict=True):
        far = (size - 1) * stride
        low, high = low + min(far, 0), high + max(far, 0)
    walk.extents.append(Extent(low, high + value.dtype.itemsize, holder))
