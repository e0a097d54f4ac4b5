"""many values -> which of them, if changed in place, change others of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .content import read
from .introspection import constants, mro, name_of, origin
from .walk_state import Extent, Holder, Walk

_FIXED = frozenset(("numpy.dtype", "re.Pattern"))


class Sharing:
    """Which of the values of these names have an object in common that can be changed, or memory of
    arrays. Two frames that copy before they change have nothing in common.

    Each is looked through once, as far as `budget` objects; while this is used, no code may run
    that changes them. `hiding` are those that are not known whole: they may share with any.
    """

    def __init__(self, values: Mapping[str, Any], names: Iterable[str], budget: int = 4096) -> None:
        self.hiding: set[str] = set()
        self._values = values
        self._walks = {name: Walk(budget, []) for name in names}
        self._met: dict[int, list[str]] = defaultdict(list)
        self._constants: dict[int, set[int]] = {}
        for name, walk in self._walks.items():
            try:
                read(walk, values[name])
            except Exception:  # never the user's concern: it is not known
                walk.followed = False
            if not walk.followed:
                self.hiding.add(name)
            for part in walk.met:
                self._met[part].append(name)
        self._indexes: dict[int, set[str]] = defaultdict(set)
        for name, walk in self._walks.items():
            for index in walk.indexes:
                self._indexes[index].add(name)
        self._overlaps: dict[str, set[str]] = defaultdict(set)
        arrays = {name: walk.extents for name, walk in self._walks.items() if walk.extents}
        for one, other in _overlaps(arrays) if arrays else ():
            self._overlaps[one].add(other)
            self._overlaps[other].add(one)

    def of(self, name: str) -> set[str]:
        """The others that surely share something with it."""
        found = {*self._overlaps.get(name, ())}
        for part in self._walks[name].alive:
            holders = self._met[id(part)]
            if len(holders) > 1 and self._changes(part, holders):
                found.update(holders)
        return found - {name}

    def _changes(self, part: Any, holders: Iterable[str]) -> bool:
        """Whether it can be changed, and is none that a library has for all objects of a kind, as
        `configparser` has a default for each parser: that two hold it says nothing of the rest."""
        kind = type(part)
        if origin(part) is not None or any(name_of(base) in _FIXED for base in mro(kind)):
            return False
        held = self._constants.get(id(kind))
        if held is None:
            held = self._constants[id(kind)] = {*map(id, constants(kind))}
        return id(part) not in held or any(self._values[name] is part for name in holders)

    def by_index(self, name: str) -> set[str]:
        """The others that have an index of pandas in common with it: what can change of that, its
        names above all, is a small part of both, and always read."""
        found = (self._indexes[index] for index in self._walks[name].indexes)
        return set[str]().union(*found) - {name}

    def unsure(self, name: str) -> set[str]:
        """The others of which it is not known whether they share something with it."""
        may = self._walks.keys() if name in self.hiding else self.hiding
        return may - self.of(name) - {name}

    def instances(self, name: str) -> set[str]:
        """The others that hold an instance of it, which is a class."""
        value = self._values[name]
        return {
            other
            for other, walk in self._walks.items()
            if other != name and any(base is value for kind in _kinds(walk) for base in mro(kind))
        }

    def kin(self, name: str) -> set[str]:
        """The others that hold an object of a class of the notebook of which it holds one."""
        kinds = {kind for kind in _kinds(self._walks[name]) if _is_own(kind)}
        return {
            other
            for other, walk in self._walks.items()
            if other != name and kinds and not kinds.isdisjoint(_kinds(walk))
        }


def shares(a: Any, b: Any, budget: int = 4096) -> bool | None:
    """Of two values; None where not all that they hold is known.

    >>> rows = [[1]]
    >>> shares(rows, rows[0]), shares(rows, [[1]]), shares("a", "a")
    (True, False, False)
    """
    found = Sharing({"a": a, "b": b}, "ab", budget)
    return None if found.unsure("a") else bool(found.of("a"))


def hides(value: Any) -> bool:
    """Whether it holds objects that cannot be looked at, or more than a few."""
    return bool(Sharing({"": value}, ("",), 64).hiding)


def _kinds(walk: Walk) -> Iterable[type]:
    return {id(kind): kind for kind in map(type, walk.alive)}.values()


def _is_own(kind: type) -> bool:
    return origin(kind) is None and vars(kind).get("__module__") == "__main__"


def _overlaps(arrays: Mapping[str, list[Extent]]) -> Iterator[tuple[str, str]]:
    """The pairs of which an array of the one lies where an array of the other does."""
    rows = [(*extent, name) for name, extents in arrays.items() for extent in extents]
    open_rows: list[tuple[Extent, str]] = []
    # By address alone: what holds an array has no order.
    for low, high, holder, name in sorted(rows, key=lambda row: row[:2]):
        # What ends before this one begins meets none of those that follow.
        open_rows = [row for row in open_rows if row[0].high > low]
        for extent, other in open_rows:
            if other != name and _in_common(holder, extent.holder):
                yield name, other
        open_rows.append((Extent(low, high, holder), name))


def _in_common(one: Holder, other: Holder) -> bool:
    if one.fixed and other.fixed:
        return False
    return one.tracked is None or one.tracked is not other.tracked
