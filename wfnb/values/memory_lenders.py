"""what a pickler has met -> the objects that lend their memory; an array -> whose memory it is in.

`numpy.frombuffer(rows)` is an array in the memory of `rows`, a `bytearray` or an `array.array`: to
write into the one is to write into the other. Where both are in one pickle, the array is written as
a place in that object.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from ctypes import addressof, c_char
from functools import cached_property
from typing import Any

from .memory_overlap import LENDERS, Extent, Lying

_HEADER = re.compile(rb"(?=\x96[\0-\xff]{5}\0\0\0)")
"""How bytes that can be changed begin in a pickle: a pickler is not asked about a `bytearray`."""
_FRAME = 1 << 18
"""Bytes: what is written at once and is longer is content of one object."""


class Lenders:
    """Objects that lend their memory, by where it is, which is looked up when it is asked for:
    there may be very many."""

    def __init__(self, objects: Iterable[Any] = ()) -> None:
        self.objects = [*objects]

    def __len__(self) -> int:
        return len(self.objects)

    @property
    def extents(self) -> list[Extent]:
        """In the order of the objects."""
        return [where for where, _ in self._lenders]

    def find_lender(self, where: Extent) -> tuple[Any, int] | None:
        """Whose memory something lies in, and where that begins."""
        at = bisect_right(self._lows, where.low) - 1
        if at < 0 or where.low >= self._sorted_lenders[at][0].high:
            return None
        return self._sorted_lenders[at][1], self._lows[at]

    @property
    def lying(self) -> list[Lying]:
        return [Lying(where, one) for where, one in self._lenders]

    @cached_property
    def _lenders(self) -> list[tuple[Extent, Any]]:
        found = ((_extent(one), one) for one in self.objects)
        return [(where, one) for where, one in found if where is not None]

    @cached_property
    def _sorted_lenders(self) -> list[tuple[Extent, Any]]:
        return sorted(self._lenders, key=lambda found: found[0].low)

    @cached_property
    def _lows(self) -> list[int]:
        return [where.low for where, _ in self._sorted_lenders]


def _extent(one: Any) -> Extent | None:
    """Where it is, as `buffer_extent` says, in a tenth of the time: there may be very many."""
    if isinstance(one, array):
        low, length = one.buffer_info()
        size = length * one.itemsize
    else:
        size = len(one)
        low = addressof(_NOTHING.from_buffer(one)) if size else 0
    return Extent(low, low + size, steps=(1,)) if size else None


_NOTHING = c_char * 0
NOBODY = Lenders()


def may_lend(chunks: Iterable[bytes], others: int) -> bool:
    """Whether there may be a `bytearray` in a pickle, besides the content of other objects that can
    be changed: to look for one takes longer."""
    frames = (chunk for chunk in chunks if len(chunk) <= _FRAME)
    return sum(len(_HEADER.findall(chunk)) for chunk in frames) > others


def lenders(memo: dict[int, tuple[int, Any]]) -> Lenders:
    """Of what a pickler has met, in its order."""
    found = [placed for placed in memo.values() if issubclass(type(placed[1]), LENDERS)]
    return Lenders(one for _, one in sorted(found, key=lambda placed: placed[0])) or NOBODY


def lent_of(lying: Iterable[Lying], lenders: Lenders) -> Lenders:
    """Those in whose memory something lies."""
    if lenders is NOBODY:
        return NOBODY
    met = (lenders.find_lender(one.where) for one in lying)
    found = {id(place[0]): place[0] for place in met if place is not None}
    return Lenders(found.values()) if found else NOBODY
