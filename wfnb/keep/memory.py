"""arrays -> where their memory is; several such places -> which of them overlap.

Two arrays may be different objects and yet one memory: a part of an array is, and its transpose.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

MOST = 10_000
"""Places in memory that are remembered of what was kept at once."""


class Extent(NamedTuple):
    """Its first address, and the one after its last; `fixed`: nobody changes what is there."""

    low: int
    high: int
    fixed: bool = False


def extent(array: Any, fixed: bool) -> Extent | None:
    """Of an array of NumPy; None where it is empty."""
    if not array.size:
        return None
    low = high = array.__array_interface__["data"][0]
    for size, stride in zip(array.shape, array.strides, strict=True):
        far = (size - 1) * stride
        low, high = low + min(far, 0), high + max(far, 0)
    return Extent(low, high + array.itemsize, fixed)


def tensor_extent(tensor: Any) -> Extent | None:
    """Of all that a tensor of PyTorch may be a part of."""
    memory = tensor.untyped_storage()
    low, size = memory.data_ptr(), memory.nbytes()
    return Extent(low, low + size) if size else None


def overlapping(extents: Iterable[tuple[Extent, int]]) -> Iterator[tuple[int, int]]:
    """Of extents, each with the number of its owner: the pairs of owners that overlap, and an owner
    with itself where two of its own do; not of what is fixed both times.

    >>> at = [(Extent(0, 4), 1), (Extent(8, 9), 2), (Extent(3, 5), 3), (Extent(4, 5), 3)]
    >>> list(overlapping(at))
    [(1, 3), (3, 3)]
    """
    ends: dict[tuple[int, bool], int] = {}  # of each owner, the last that has begun
    for one, owner in sorted(extents):
        ends = {key: end for key, end in ends.items() if end > one.low}
        yield from ((other, owner) for other, fixed in ends if not (fixed and one.fixed))
        key = owner, one.fixed
        ends[key] = max(ends.get(key, 0), one.high)


class Layouts:
    """Where the arrays of what was kept lay in this process, where some overlapped. As long as they
    lie there, to leave them is to leave them as they were."""

    def __init__(self) -> None:
        self._lay: dict[Hashable, tuple[tuple[Extent, ...], ...]] = {}

    def note(self, key: Hashable, memory: Sequence[Sequence[Extent]]) -> None:
        """Of all pickles that were kept at once; `key` is what they are known by. What was kept
        twice, and lay elsewhere the other time, is not known."""
        extents = ((one, owner) for owner, mine in enumerate(memory) for one in mine)
        few = sum(map(len, memory)) <= MOST
        overlap = few and next(overlapping(extents), None) is not None
        found = tuple(map(tuple, memory)) if overlap else ()
        self._lay[key] = found if self._lay.get(key, found) == found else ()

    def lay(self, key: Hashable, owner: int, memory: Sequence[Extent]) -> bool:
        """Whether one of those pickles was made of what lies there."""
        found = self._lay.get(key, ())
        return bool(found) and found[owner] == tuple(memory)
