"""pickles that were made at once -> which of them share what can be changed.

What a pickler has met is in its memo, with the objects themselves: as long as the picklers live, an
id means one object. Strings, dates, classes and the like may be shared by anything; nobody sees it.
Functions of the notebook count: `handlers["f"] is f`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from wfnb.type_names import base_names, bases_of, is_a, module_of, package_of

from . import mutable_objects
from .class_digest import is_own
from .immutable_types import FIXED
from .memory_lenders import Lenders
from .memory_overlap import Lying, extent
from .pickler import Pickler

_FIXED_PACKAGES = ("pyarrow",)
"""Of which no object changes either."""
_OF_CYTHON = "cython_function_or_method"
"""A function, whose class each module has for itself, by the version of Cython that made it."""


def groups(sets: Sequence[set[int]]) -> list[list[int]]:
    """The places of sets, those that share an element together, in the order of the first."""
    first = list(range(len(sets)))  # of each, the first that it is together with
    owner: dict[int, int] = {}
    for place, mine in enumerate(sets):
        met = {_root(first, owner[one]) for one in mine & owner.keys()}
        root = min(met, default=place)
        for other in (*met, place):
            first[other] = root
        owner.update(dict.fromkeys(mine, place))
    found: dict[int, list[int]] = {}
    for place in range(len(sets)):
        found.setdefault(_root(first, place), []).append(place)
    return list(found.values())


def _root(first: list[int], place: int) -> int:
    while first[place] != place:
        place = first[place]
    return place


def outline(value: Any, new: Callable[..., Pickler]) -> Pickler:
    """What is met in a value, without what functions look up, and what the classes of others hold.
    Raises whatever pickling raises."""
    pickler = new(outline=True, whole=value)
    pickler.dump(value)
    return pickler


class MutableIds:
    """The ids of what can be changed in values. What a class of the notebook holds counts for the
    class alone: it is one class for all its objects anyway. An index of pandas counts where it is
    one of the `values` itself: who has it by a name may give it another one, and two frames that
    have one in common need not come back together. The picklers that met it live as long as this:
    else an id would come again."""

    def __init__(self, new: Callable[..., Pickler], values: Iterable[Any]) -> None:
        self._new = new
        self._values = {*map(id, values)}
        self._found: dict[Pickler, set[int]] = {}

    def met(self, value: Any, pickler: Pickler | None = None) -> tuple[set[int], Sequence[Lying]]:
        """With what lies in memory in it. `pickler` has pickled the value, as it is now. Raises
        whatever pickling raises."""
        found = None if is_a(value, type) else mutable_objects.mutable_ids(value)
        if found is not None:
            ids, arrays = found
            lenders = Lenders(one for one in arrays if type(one) is bytearray)
            places = (
                (extent(one, fixed=False), one) for one in arrays if type(one) is not bytearray
            )
            lying = [Lying(where, one) for where, one in places if where is not None]
            return ids, lying + lenders.lying
        if pickler is None or pickler.defines:
            pickler = outline(value, self._new)
        if pickler not in self._found:
            indexes = self._values & pickler.places.indexes
            self._found[pickler] = _pickled_ids(pickler) | indexes
        return self._found[pickler], pickler.places.lying + pickler.places.lenders.lying


def _pickled_ids(pickler: Pickler) -> set[int]:
    """Slow: a microsecond for each object that was met."""
    memo = pickler.memo.copy()
    met = {one: type(found) for one, (_, found) in memo.items() if type(found) is not str}
    changes = {kind: _changes(kind) for kind in set(met.values())}
    changing = {one for one, kind in met.items() if changes[kind] or one in pickler.functions}
    return changing - pickler.defining - pickler.places.fixed


def _changes(kind: type) -> bool:
    if issubclass(kind, type) or package_of(kind) in _FIXED_PACKAGES or kind.__name__ == _OF_CYTHON:
        return False
    bases = base_names(kind)
    if "numpy.void" in bases:  # an element of a structured array
        return True
    is_derived = module_of(kind) != "builtins" and "enum.Enum" not in bases
    if is_derived and _has_attributes(kind) and is_own(kind):
        return True  # `class Metres(int)`: what its objects are never changes, their attributes do
    return FIXED.isdisjoint(bases)


def _has_attributes(kind: type) -> bool:
    return bool(kind.__dictoffset__) or any(vars(base).get("__slots__") for base in bases_of(kind))
