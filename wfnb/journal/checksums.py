"""what a row says -> a number that is another where a bit of it is.

A disk may change a letter, and what is read still looks like an event. So each event has a sum of
what it says and of the sum before it: one that is changed, lost, or of another history does not
fit. It stands in the column `version`, above the lowest eight bits, which are the version itself:
an older wfnb that has the file open takes that for an event of a newer one, and what it writes
has none.

Anybody can make sums. So above the sum of an event of a run is a tag: a part of the signature of
the user who wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from zlib import crc32

from .codec import Row

_MADE = 1 << 32
"""In every sum: none is 0, which says that there is none."""
_VERSION = 8
"""Bits."""
_DIGITS = 32
_SUM = 2 * _MADE - 1
"""The bits of a sum. Above them is the tag of whoever wrote the event, if there is one."""


def sum_of(*says: object, before: int = 0) -> int:
    """A CRC-32, of which any error of up to 32 bits in a row is found, and of others all but one in
    four thousand million."""
    # repr and a separator, so that no two rows of different fields make the same text.
    text = "\0".join(map(repr, says))
    return _MADE | crc32(text.encode("utf-8", "surrogatepass"), before & (_MADE - 1))


def rows_with_sums(rows: Sequence[Row], before: int) -> list[tuple[Row, int]]:
    """Rows with the sum of each, after one whose sum is `before`."""
    summed = []
    for row in rows:
        before = sum_of(*row, before=before)
        summed.append((row, before))
    return summed


def pack_row(row: Row, sum: int) -> Row:
    """As it is kept."""
    position, first, name, version, body, at = row
    return position, first, name, version | sum << _VERSION, body, at


def unpack_row(row: tuple[Any, ...]) -> tuple[Row, int]:
    """As it was before, and its sum; 0: it has none."""
    position, first, name, version, body, at = row
    if not isinstance(version, int):  # the disk made something else of it
        return (position, first, name, version, body, at), -1
    return (position, first, name, version & 0xFF, body, at), version >> _VERSION


def plain_sum(sum_and_tag: int) -> int:
    """Without the tag."""
    return sum_and_tag & _SUM


def with_tag(sum: int, tag: str) -> int:
    """A sum with as much of a signature as there is room for, 22 bits: nobody who has not the key
    can try what fits, and a chance of one in four million is no way to write an event."""
    return sum | int(tag[:6], 16) >> 2 << _SUM.bit_length()


def digest_of(rows: Sequence[tuple[object, ...]]) -> str:
    """What stands for all of the rows. A sum finds what a disk has changed; this finds also what
    somebody has, who made the sums anew, where it was noted elsewhere."""
    return sha256(repr([tuple(row) for row in rows]).encode("utf-8", "surrogatepass")).hexdigest()[
        :_DIGITS
    ]


def wrong(summed: Sequence[tuple[Row, int]], before: int) -> int | None:
    """The place of the first row that does not have its sum. One without a sum was written by an
    older wfnb."""
    for place, (row, sum) in enumerate(summed):
        if sum and (sum < 0 or plain_sum(sum) != sum_of(*row, before=before)):
            return place
        before = sum
    return None
