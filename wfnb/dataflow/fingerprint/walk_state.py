"""What one walk through a value has written, and how much it may still read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from marshal import dumps
from typing import Any, NamedTuple

from xxhash import xxh3_64_digest

WHOLE = 1 << 20
"""Bytes of an array that are read whole; of a larger one samples are."""
MAX_BYTES_READ = 1 << 24
"""Bytes of texts and arrays that one walk reads, all in all."""


class Holder(NamedTuple):
    """Of an array. `fixed`: it does not write to it. `tracked`: what counts who else has that
    memory, so that the holder copies it before it changes it."""

    fixed: bool = False
    tracked: Any = None


class Extent(NamedTuple):
    """Where an array lies: its first address, and the one after its last."""

    low: int
    high: int
    holder: Holder


Indexes = dict[int, tuple[int, ...]]


class Walk:
    """The state of one walk, in four parts.

    What is written. `out` is the content: all of it is delimited by itself, plain objects as
    `marshal` writes them (its codes are ASCII), all else after a byte that is not ASCII. `met` are
    the names of the objects that can be met again, by id; `alive` keeps those, so that no id is
    given twice.

    What is known of it by now. `complete`: all content is written. `followed`: all objects that it
    refers to were met. `atomic`: the value is immutable through and through. `exhausted`: the
    budget did not reach the end. `unread`: not all content is written that was met, of what is no
    code. `extents`: where the arrays lie; None where that is not asked. `indexes`: those of pandas
    that were met, by id, each with the ids of its names: all of it that can change.

    What it may still read. `objects_left`, and `bytes_left` of texts and arrays. `whole`: bytes of
    an array that are read whole. `closely`: large containers are read whole, too. `opens`: objects
    of libraries are read with all that they hold.

    Where it is. `depth`: how many sets are being read, one within another; `within`: how many
    objects of libraries are. `bare`: of arrays the elements count alone, as a library has them.
    `holder`: who holds the arrays that are read now."""

    __slots__ = (
        *("out", "met", "alive"),
        *("complete", "followed", "atomic", "exhausted", "unread", "extents", "indexes"),
        *("objects_left", "bytes_left", "whole", "closely", "opens"),
        *("depth", "within", "bare", "holder"),
    )

    def __init__(self, budget: int, extents: list[Extent] | None = None, scale: int = 1) -> None:
        self.out: list[bytes] = []
        self.met: dict[int, bytes] = {}
        self.alive: list[Any] = []
        self.objects_left = budget
        self.whole, self.bytes_left = WHOLE * scale, MAX_BYTES_READ * scale
        self.complete = self.followed = self.atomic = True
        self.depth = self.within = 0
        self.extents = extents
        self.indexes: Indexes = {}
        self.holder = Holder()
        self.exhausted = self.bare = self.unread = self.opens = False
        self.closely = scale > 1

    def tag(self, name: str, size: int = 0) -> None:
        """The kind of what follows, and how many there are of it."""
        self.out.append(b"\xff%s:%d;" % (name.encode("utf-8", "surrogatepass"), size))

    def attributes(self, held: dict[Any, Any]) -> None:
        """The dict of an object, which `vars` gives: it is no part of the content, and who has it
        shares the object."""
        if self.extents is not None:
            self.met.setdefault(id(held), b"")
            self.alive.append(held)

    def plain(self, value: Any) -> None:
        """A short text, a number, a tuple of these."""
        # `marshal` from version 3 on writes what else refers to an object, which is no content.
        self.out.append(dumps(value, 2))

    def data(self, content: Any) -> None:
        """Anything with a buffer."""
        self.out.append(xxh3_64_digest(content))

    def take(self, size: int) -> bool:
        """Whether so many bytes may be read."""
        if size > self.bytes_left:
            return False
        self.bytes_left -= size
        return True

    def skip(self) -> None:
        """Something that is not written, and may refer to anything."""
        self.complete = self.followed = self.atomic = False
        self.miss()

    def sample(self) -> None:
        """Something of which not all is written."""
        self.complete = False
        self.miss()

    def miss(self) -> None:
        """Content that is left out. A walk that is to read all (`opens`) ends here: what it would
        read further proves nothing any more."""
        self.unread = True
        if self.opens:
            self.objects_left = 0

    def library_parts(self, parts: Iterable[Any]) -> Iterator[Any]:
        """The parts of an object of a library; each is read before the next is asked for."""
        self.within += 1
        try:
            yield from parts
        finally:
            self.within -= 1

    def held_parts(self, parts: Iterable[Any], holder: Holder) -> Iterator[Any]:
        """Parts of which the arrays are held by this."""
        outer, self.holder = self.holder, holder
        try:
            yield from parts
        finally:
            self.holder = outer
