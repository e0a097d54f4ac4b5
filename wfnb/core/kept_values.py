"""what a step kept of its values: names, where their pickles are, and why some are not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Literal

from wfnb.frozen_record import record

JOIN = "+"
"""Between the names of the pieces of one blob."""
NOT_HELD = "as it is there: what it holds is not kept"
"""Of a value that is of the process, and comes back as it is there."""


@record
class KeptValue:
    """One name that was asked for. `group` is the place of its pickle in `KeptValues.groups`; None
    where it was not kept, and then `why_not` says why, in words that follow the name ("model: it
    holds an open file"). `type` is as in "pandas.DataFrame", `says` a short line about it ("1,000
    rows × 3 columns"), `size` its bytes in the store (shared ones counted for each name). `needs`
    are names that it looks up when it is used and that are not kept with it. `along`: nobody asked
    for it here, but it was kept before, and shares objects with what was asked for. `without` says
    what of it does not come back."""

    name: str
    type: str
    says: str = ""
    size: int = 0
    group: int | None = None
    why_not: str | None = None
    needs: tuple[str, ...] = ()
    along: bool = False
    without: tuple[str, ...] = ()

    @property
    def is_held(self) -> bool:
        """Whether what it holds is kept with it."""
        return self.says != NOT_HELD


@record
class KeptGroup:
    """One pickle, of all names that share what can be changed. `blobs[0]` is the pickle, the others
    are its buffers in order; the name of a long one is those of its pieces (`pieces_of`).
    `signature` shows to the user who kept it that it was him."""

    blobs: tuple[str, ...]
    signature: str


@record
class KeptMemory:
    """Arrays of one pickle that lie in one memory with others, as parts of an array do. `group` is
    the place of the pickle, `memory` a number for that memory, `offset` where the first of them
    begins there, in bytes, `layout` a hash that tells which they are and how they lie."""

    group: int
    memory: int
    offset: int
    layout: str


@record
class KeptValues:
    """The values of one attempt of a step. `asked` is what was asked for, as it was typed;
    `environment` the versions that reading it needs: `{"python": "3.11.7", "numpy": "2.4.6"}`;
    `there` all names that the namespace had, kept or not, but those that begin with `_`; empty
    where that is not known. `failed` is what a later attempt was to keep where nothing of it could
    be: what this one kept stays. `notes` are sentences that were worth saying then. `memory` is
    where arrays shared their memory; each comes back with its own."""

    values: tuple[KeptValue, ...] = ()
    groups: tuple[KeptGroup, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    there: tuple[str, ...] = ()
    failed: tuple[KeptValue, ...] = ()
    notes: tuple[str, ...] = ()
    memory: tuple[KeptMemory, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Those that were kept."""
        return tuple(value.name for value in self.values if value.group is not None)

    @property
    def asked_names(self) -> tuple[str, ...]:
        """Those that were kept because they were asked for."""
        return tuple(one.name for one in self.values if one.group is not None and not one.along)

    @property
    def not_kept(self) -> tuple[KeptValue, ...]:
        return tuple(value for value in self.values if value.group is None)

    @property
    def size(self) -> int:
        """Bytes in the store, what is shared counted once."""
        return sum(map(size_of, set(self.pieces())))

    def get(self, name: str) -> KeptValue | None:
        return next((value for value in self.values if value.name == name), None)

    def members(self, group: int) -> tuple[str, ...]:
        """The names of one pickle, in the order of its values."""
        return tuple(value.name for value in self.values if value.group == group)

    def pieces(self) -> Iterator[str]:
        """What `gc` has to leave where this is to be restored."""
        for group in self.groups:
            yield from pieces_of(group.blobs)


def pieces_of(blobs: Iterable[str]) -> Iterator[str]:
    """The files that blobs are in: a long one is in several.

    >>> list(pieces_of(["99aa-4194304+6d30-17", "0147-2"]))
    ['99aa-4194304', '6d30-17', '0147-2']
    """
    for blob in blobs:
        yield from blob.split(JOIN)


def size_of(blob: str) -> int:
    """The bytes of a blob: the name of each piece is their hash and their number. 0 for what is no
    such name.

    >>> size_of("99aa-17"), size_of("99aa-4194304+6d30-17"), size_of("../other")
    (17, 4194321, 0)
    """
    size = 0
    for piece in pieces_of([blob]):
        digits = piece.rpartition("-")[2]
        # The name comes from a journal that may have been changed: a number of a million digits
        # takes long.
        if digits.isascii() and digits.isdigit() and len(digits) < 19:
            size += int(digits)
    return size


def size_said(size: int) -> str:
    """
    >>> size_said(812), size_said(1_400), size_said(80_400_000), size_said(1_000_000_000)
    ('812 bytes', '1.4 kB', '80 MB', '1 GB')
    """
    if size < 1_000:
        return f"{size} bytes"
    amount = float(size)
    for unit in ("kB", "MB", "GB"):
        amount /= 1_000
        # 999.6 would be rounded to "1000 kB".
        if amount < 999.5 or unit == "GB":
            break
    return f"{amount:.2g} {unit}" if amount < 10 else f"{amount:.0f} {unit}"


RestoreEffect = Literal["comes back", "replaces", "same", "cannot", "removed", "left"]


@record
class PlanEntry:
    """What restoring does to one name. `comes back`: it is not there now. `replaces`: another value
    is there (`now` is a short line about it). `same`: what is there is what was kept, and it stays,
    with all that shares with it. `cannot`: `why` says why. `removed`: no such name was there at
    that step, and it goes (`exact`). `left`: it stays. `runs` are methods of the notebook's
    classes that may run when it is read, where that was looked at."""

    name: str
    way: RestoreEffect
    type: str = ""
    says: str = ""
    now: str = ""
    why: str | None = None
    runs: tuple[str, ...] = ()


@record
class Differs:
    """A version that differs from the one that kept: `now` is None where it is not installed."""

    name: str
    then: str
    now: str | None


@record
class Plan:
    """What restoring would do, name by name, and what is different from then."""

    names: tuple[PlanEntry, ...]
    differs: tuple[Differs, ...] = ()
