"""two values -> whether a change of one in place may be a change of the other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from .content import read
from .introspection import mro, name_of, origin
from .walk import Extent, Holder, Walk

_FIXED = frozenset(("numpy.dtype", "re.Pattern"))


def shares(a: Any, b: Any, budget: int = 4096) -> bool | None:
    """Whether an object that can be changed is reached from both, or is one memory of arrays; None
    where not all that they hold is known. Two frames that copy before they change have nothing in
    common.

    >>> rows = [[1]]
    >>> shares(rows, rows[0]), shares(rows, [[1]]), shares("a", "a")
    (True, False, False)
    """
    try:
        one, other = _walk(a, budget), _walk(b, budget)
        if _common(one, other):
            return True
        return False if one.followed and other.followed else None
    except Exception:  # never the user's concern: it is not known
        return None


def sharers(value: Any, others: Mapping[str, Any], budget: int = 4096) -> set[str]:
    """Those of the others, by name, that surely share an object with the value, as `shares` has it;
    an instance shares its class."""
    found = set()
    try:
        one = _walk(value, budget)
        for name, other in others.items():
            walk = _walk(other, budget)
            if _common(one, walk) or _is_class_of(value, walk.alive):
                found.add(name)
    except Exception:  # as above
        pass
    return found


def hides(value: Any, budget: int = 64) -> bool:
    """Whether it holds objects that cannot be looked at, or more than a few."""
    try:
        return not _walk(value, budget).followed
    except Exception:  # as above
        return True


def sharing(values: Mapping[str, Any], budget: int = 1024) -> dict[str, tuple[str, ...]]:
    """By name, the others of the values that surely share an object with it."""
    try:
        walks = {name: _walk(value, budget) for name, value in values.items()}
        pairs = [(a, b) for a, b in combinations(sorted(walks), 2) if _common(walks[a], walks[b])]
    except Exception:  # as above
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for a, b in pairs:
        found[a] = (*found.get(a, ()), b)
        found[b] = (*found.get(b, ()), a)
    return found


def _is_class_of(value: Any, parts: list[Any]) -> bool:
    kinds = {id(kind): kind for kind in map(type, parts)}
    return any(base is value for kind in kinds.values() for base in mro(kind))


def _common(one: Walk, other: Walk) -> bool:
    common = one.met.keys() & other.met.keys()
    if any(id(part) in common and _changes(part) for part in one.alive):
        return True
    return _overlap(one.extents or [], other.extents or [])


def _walk(value: Any, budget: int) -> Walk:
    walk = Walk(budget, [])
    read(walk, value)
    return walk


def _changes(part: Any) -> bool:
    return origin(part) is None and not any(name_of(base) in _FIXED for base in mro(type(part)))


def _overlap(one: list[Extent], other: list[Extent]) -> bool:
    """Whether an array of the one lies where an array of the other does."""
    if not one or not other:
        return False
    rows = [(*extent, 0) for extent in one] + [(*extent, 1) for extent in other]
    before: tuple[list[Extent], list[Extent]] = [], []
    for low, high, holder, side in sorted(rows, key=lambda row: row[:2]):
        for extents in before:
            extents[:] = [extent for extent in extents if extent.high > low]
        if any(_in_common(holder, extent.holder) for extent in before[1 - side]):
            return True
        before[side].append(Extent(low, high, holder))
    return False


def _in_common(one: Holder, other: Holder) -> bool:
    if one.fixed and other.fixed:
        return False
    return one.tracked is None or one.tracked is not other.tracked
