"""arrays -> where their memory is; several such places -> which of them are one memory.

Two arrays may be different objects and yet one memory: a part of an array is, and its transpose.
Addresses are those of one process; what is recorded counts from the first of those that overlap, so
that any later kernel can tell whether they lie as they did.

`part = a[2:5]` is an array of its own in the memory of `a`: to write into the one is to write into
the other. Where both are in one pickle, what they cover together is written once, as an array of
bytes (of objects, where they hold such), and each of them as a place in it.

What is in a frame or a series of pandas lies beside other frames, too, and nobody sees that: pandas
copies it before it writes. After a restore it would not know that it has to. So of those no two
get one memory again; an array of the user's that lies in one alone does. One that lies in what
several have comes back without that memory, which is said.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from xxhash import xxh3_64

from wfnb.core.kept_values import KeptMemory
from wfnb.type_names import full_name

LENDERS = (bytearray, array)
MAX_PLACES = 1_000
"""Places in memory that are recorded of what was kept at once."""


class Extent(NamedTuple):
    """Its first address, and the one after its last; `fixed`: nobody changes what is there; `steps`
    from one element to the next, of each dimension. `moving`: pandas copies what is there before it
    writes, as another frame has it, too."""

    low: int
    high: int
    fixed: bool = False
    steps: tuple[int, ...] = ()
    moving: bool = False


def extent(numbers: Any, fixed: bool, moving: bool = False) -> Extent | None:
    """Of an array of NumPy; None where it is empty."""
    if not numbers.size:
        return None
    low = high = numbers.__array_interface__["data"][0]
    # A stride may be negative (`a[::-1]`), so that the first element is not at the lowest address.
    for size, stride in zip(numbers.shape, numbers.strides, strict=True):
        far = (size - 1) * stride
        low, high = low + min(far, 0), high + max(far, 0)
    return Extent(low, high + numbers.itemsize, fixed, numbers.strides, moving)


def element_extent(element: Any) -> Extent | None:
    """Of one of a structured array, that is a view into it; None where it is a copy."""
    if element.base is None or not element.nbytes:
        return None
    low = element.__array_interface__["data"][0]
    return Extent(low, low + element.nbytes)


def buffer_extent(found: Any) -> Extent | None:
    """Of what another object exports to arrays; None where there are none, and nothing can be."""
    numpy: Any = sys.modules.get("numpy")
    try:
        return numpy and extent(numpy.frombuffer(found, "u1"), memoryview(found).readonly)
    except Exception:  # it exports none, or one with gaps; of a class of the user's anything
        return None


def tensor_extent(tensor: Any) -> Extent | None:
    """Of all that a tensor of PyTorch may be a part of."""
    memory = tensor.untyped_storage()
    low, size = memory.data_ptr(), memory.nbytes()
    return Extent(low, low + size) if size else None


def shared_memory(extents: Iterable[tuple[int, Sequence[Extent]]]) -> tuple[KeptMemory, ...]:
    """Of owners by number, each with its extents in their order: which of them lie in one memory;
    not where all that lies there is fixed.

    >>> lies = (1, [Extent(8, 12)]), (2, [Extent(0, 4), Extent(0, 4)]), (5, [Extent(9, 10)])
    >>> [(one.memory, one.group, one.offset) for one in shared_memory(lies)]
    [(0, 2, 0), (1, 1, 0), (1, 5, 1)]
    """
    found = ((one, owner, at) for owner, mine in extents for at, one in enumerate(mine))
    several = (met for met in overlapping_groups(found) if not all(one.fixed for one, _, _ in met))
    return tuple(lies for number, met in enumerate(several) for lies in _place_owners(number, met))


def torn_memory(extents: Iterable[tuple[int, Sequence[Extent]]]) -> Iterator[set[int]]:
    """Of owners by number those that lie in one memory and will not when they are made again: of
    what can be, `shared_parts` has made one."""
    found = ((one, owner, at) for owner, mine in extents for at, one in enumerate(mine))
    for met in overlapping_groups(found):
        owners = [owner for where, owner, _ in met if not where.fixed or where.moving]
        if len(owners) > 1 and not all(where.fixed for where, _, _ in met):
            yield {*owners}


Lies = tuple[Extent, int, int]
"""Where it is, whose it is, and which of its owner's."""


def overlapping_groups(found: Iterable[Lies]) -> Iterator[list[Lies]]:
    """Those that overlap, each with the next, from the first address on."""
    met: list[Lies] = []
    end = 0
    # One pass over the sorted ends: to compare each with each takes the square of a frame's
    # columns.
    for lies in sorted(found):
        if lies[0].low >= end:
            if len(met) > 1:
                yield met
            met = []
        met.append(lies)
        end = max(end, lies[0].high)
    if len(met) > 1:
        yield met


def _place_owners(number: int, met: Sequence[Lies]) -> Iterator[KeptMemory]:
    mine: dict[int, list[tuple[int, Extent]]] = {}
    for one, owner, at in met:
        mine.setdefault(owner, []).append((at, one))
    for owner, placed in mine.items():
        low = placed[0][1].low
        said = sorted((at, one.low - low, one.high - low, one.steps) for at, one in placed)
        yield KeptMemory(
            group=owner,
            memory=number,
            offset=low - met[0][0].low,
            layout=xxh3_64(repr(said).encode()).hexdigest(),
        )


def differing_owners(then: Iterable[KeptMemory], now: Iterable[KeptMemory]) -> set[int]:
    """The owners of what lies in one memory now, and did not then, or lay there otherwise."""
    was = {(one.group, one.layout): one for one in then}
    places: dict[int, set[tuple[int, int] | None]] = {}
    owners: dict[int, set[int]] = {}
    for one in now:
        old = was.get((one.group, one.layout))
        place = None if old is None else (old.memory, old.offset - one.offset)
        places.setdefault(one.memory, set()).add(place)
        owners.setdefault(one.memory, set()).add(one.group)
    strange = (number for number, met in places.items() if None in met or len(met) > 1)
    return {owner for number in strange for owner in owners[number]}


class Lying(NamedTuple):
    """An object that lies in memory, and where."""

    where: Extent
    what: Any


class Region(NamedTuple):
    """One memory as an array, and the address where it begins."""

    room: Any
    low: int


def is_part(what: Any) -> bool:
    """Whether it can be written as a place in a memory: an array, or an element of one that is a
    view into it; not of a subclass, which may have more than its elements. What lends its memory
    (`memory_lenders.py`) is that memory."""
    if isinstance(what, LENDERS):
        return True
    kind = full_name(type(what))
    if kind == "numpy.ndarray":
        return what.dtype == object or not what.dtype.hasobject
    return kind == "numpy.void" and not what.dtype.hasobject


def shared_parts(lying: Sequence[Lying]) -> list[list[int]]:
    """The places of those that are to be written as parts of one memory."""
    parts = ((one.where, 0, at) for at, one in enumerate(lying) if is_part(one.what))
    found = []
    for met in overlapping_groups(parts):
        own = [at for where, _, at in met if not where.fixed]
        others = [at for where, _, at in met if where.fixed]
        # What moves leaves its memory to who stays, and nobody knows that once it is made again.
        moves = any(where.moving for where, _, _ in met)
        together = sorted(own + others if len(others) == 1 and not moves else own)
        if own and len(together) > 1 and _are_alike(lying[at].what for at in together):
            found.append(together)
    return found


def _are_alike(parts: Iterable[Any]) -> bool:
    """Whether all hold objects, or none does."""
    return len({getattr(one, "dtype", None) == "O" for one in parts}) == 1


def regions(lying: Sequence[Lying]) -> dict[int, Region]:
    """By the ids of those that share a memory."""
    found: dict[int, Region] = {}
    for together in shared_parts(lying):
        parts = [lying[at] for at in together]
        region = _region(parts)
        found |= {id(one.what): region for one in parts}
    return found


def _region(parts: Sequence[Lying]) -> Region:
    low = min(one.where.low for one in parts)
    # An element has to be where the machine expects one when all of it lies elsewhere.
    low -= low % max(one.what.dtype.alignment for one in parts)
    size = max(one.where.high for one in parts) - low
    held = parts[0].what.dtype == object
    length = size // parts[0].what.dtype.itemsize if held else size
    numpy: Any = sys.modules["numpy"]
    return Region(numpy.asarray(_Memory(low, length, "|O" if held else "|u1", parts)), low)


class _Memory:
    """It is there as long as what lies in it."""

    def __init__(self, low: int, length: int, kind: str, parts: Sequence[Lying]) -> None:
        self._parts = parts
        self.__array_interface__ = {
            "version": 3,
            "data": (low, False),
            "shape": (length,),
            "typestr": kind,
        }
