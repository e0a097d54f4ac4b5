"""what was kept, a store -> the pickles that may be read; of the others why not. Runs none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wfnb.core.kept_values import KeptValues, pieces_of, size_of
from wfnb.errors import BLOB_ERRORS, StoreForeign, ValueNotKept
from wfnb.hints import Command
from wfnb.trust import Trust

from .cloudpickle_compat import CODE_SIGNS, MADE_METHODS, METHODS_RUN
from .package_versions import PYTHON, minor, python_here
from .store import Store

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_LONG = 1 << 22
"""Bytes of a pickle that is read at once; of a longer one it is told first whose it is."""
LOOKED = 16_000_000
"""Bytes of a value that are read only to say whether it can be restored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedPickles:
    """By the places of pickles: `heads` are the bytes of those that may be read, `reasons` why one
    may not, `foreign` the places that another user kept, `runs` the methods of classes of the
    notebook that reading one may run, where that was asked."""

    heads: Mapping[int, ReadableBuffer]
    reasons: Mapping[int, str]
    foreign: frozenset[int]
    runs: Mapping[int, tuple[str, ...]]

    def check(self, store: Store, kept: KeptValues, wanted: Iterable[str]) -> None:
        """StoreForeign."""
        names = set(wanted)
        met = [n for place in sorted(self.foreign) for n in kept.members(place) if n in names]
        if met:
            raise StoreForeign(str(store.folder), tuple(met))


def open_pickles(
    store: Store, trust: Trust, kept: KeptValues, places: Iterable[int], *, dry: bool = False
) -> OpenedPickles:
    """The pickles themselves are read; of their buffers only the size is looked at. `dry`: they are
    read, too, where that is quick, and nothing in the store changes, also where one is damaged."""
    read = store.peek if dry else store.read
    heads: dict[int, ReadableBuffer] = {}
    reasons: dict[int, str] = {}
    foreign: set[int] = set()
    for place in places:
        group = kept.groups[place]
        blob = next(iter(group.blobs), "")
        try:
            # One piece, of which there is one file, may be named thousands of times.
            head = read(blob) if size_of(blob) <= _LONG else None
            parts = map(read, pieces_of([blob])) if head is None else [head]
            # Before anything is unpickled: a pickle is a program, and this one may be of anybody.
            is_own = trust.holds(parts, group.signature)
            head = read(blob) if head is None and is_own else head
        except (*BLOB_ERRORS, MemoryError) as error:
            reasons[place] = why_not(error)
            continue
        if head is None or not is_own:
            foreign.add(place)
            reasons[place] = _foreign()
        elif (
            why := _other_python(kept, place, head) or missing_reason(store, group.blobs, dry=dry)
        ) is not None:
            reasons[place] = why
        else:
            heads[place] = head
    runs = {place: _methods_run(head) for place, head in heads.items()} if dry else {}
    return OpenedPickles(heads=heads, reasons=reasons, foreign=frozenset(foreign), runs=runs)


def _methods_run(head: ReadableBuffer) -> tuple[str, ...]:
    """As far as the texts in the pickle tell. What is None, as the hash of a data class, runs
    nothing."""
    content = bytes(head)
    found = (
        name
        for name in METHODS_RUN
        if re.search(rb"\x8c%c%b\x94?[^N\x94]" % (len(name), name.encode()), content)
    )
    made = any(sign in content for sign in MADE_METHODS)
    return tuple(name for name in found if "state" in name or "reduce" in name or not made)


def _other_python(kept: KeptValues, place: int, head: ReadableBuffer) -> str | None:
    """Why code in a pickle cannot run here: that of another minor version of Python is nonsense,
    which Python does not find out, and may end the process. Data has none, and crosses, where it
    shares no object with a value that has."""
    then, here = kept.environment.get(PYTHON), python_here()
    if then is None or minor(then) == minor(here):
        return None
    found = bytes(head)
    if not all(sign in found for sign in CODE_SIGNS):
        return None
    shares = sum(value.group == place for value in kept.values) > 1
    which = "it, or a value that shares an object with it," if shares else "it"
    return (
        f"{which} has code of Python {minor(then)}, and {minor(here)} is here: "
        "run the cell that makes it again"
    )


def missing_reason(store: Store, blobs: Sequence[str], *, dry: bool = False) -> str | None:
    """Why one of them cannot be read, as far as that can be told without reading it, or, `dry`,
    without reading much."""
    whole = dry and sum(map(size_of, set(blobs))) <= LOOKED
    try:
        for blob in blobs:
            store.check(blob, whole=whole)
    except (*BLOB_ERRORS, MemoryError) as error:
        return why_not(error)
    return None


def places_of(kept: KeptValues, names: Iterable[str]) -> tuple[int, ...]:
    """The pickles that have some of the names."""
    wanted = set(names)
    found = {value.group for value in kept.values if value.name in wanted}
    return tuple(place for place in range(len(kept.groups)) if place in found)


def names_to_restore(kept: KeptValues, names: Iterable[str] | None) -> tuple[str, ...]:
    """The names to restore, those that could not be kept among them. ValueNotKept."""
    there = tuple(value.name for value in kept.values)
    wanted = there if names is None else tuple(dict.fromkeys(names))
    for name in wanted:
        if name not in there:
            raise ValueNotKept(name, kept.names, "", "")
    return wanted


def why_not(error: Exception) -> str:
    return "there is not enough memory for it" if isinstance(error, MemoryError) else str(error)


def _foreign() -> str:
    return f"another user kept it, or another machine: `{Command('trust')}` lets it be read"
