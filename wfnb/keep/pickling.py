"""names, values -> pickles, one for all names that share what can be changed; and the way back."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import walk
from .atoms import Known
from .memory import Extent
from .pickler import Pickler
from .refused import why
from .sharing import changing, groups
from .store import name_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Beside:
    """A large buffer that is beside a pickle. It is the memory of a value."""

    def __init__(self, buffer: pickle.PickleBuffer) -> None:
        self._raw = buffer.raw()
        held = self._raw.obj
        self.known = held if isinstance(held, Known) else None

    @property
    def blob(self) -> str:
        """The name of its bytes, which are read for it where it is not known."""
        return name_of([self._raw]) if self.known is None else self.known.blob

    def content(self) -> ReadableBuffer:
        return self._raw if self.known is None else self.known.content()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The pickle of a tuple with the values of `names`, in that order: its bytes in pieces, and the
    large buffers that are beside it: write them before the values change. `modules` are the
    packages it refers to, `needs` names that functions in it look up, `memory` where arrays are."""

    names: tuple[str, ...]
    chunks: Sequence[bytes]
    buffers: Sequence[Beside]
    modules: frozenset[str]
    needs: frozenset[str]
    memory: Sequence[Extent]


def packed(
    values: Mapping[str, Any], namespace: Mapping[str, Any]
) -> tuple[list[Bundle], dict[str, str]]:
    """Pickles, and the names that cannot be pickled, each with a reason that follows it."""
    made: list[tuple[Mapping[str, Any], Pickler]] = []
    reasons: dict[str, str] = {}
    for same in _same(values):
        try:
            made.append((same, dumped(same, namespace)))
        except Exception as error:
            reasons |= {name: why(error, value) for name, value in same.items()}
    bundles = []
    for places in _together(made, namespace):
        together: dict[str, Any] = {}
        for place in places:
            together |= made[place][0]
        pickler = made[places[0]][1] if len(places) == 1 else None
        try:
            bundles.append(_bundle(together, pickler, namespace))
        except Exception as error:
            reasons |= {name: why(error, value) for name, value in together.items()}
    return bundles, reasons


def unpacked(head: ReadableBuffer, buffers: Iterable[ReadableBuffer]) -> tuple[Any, ...]:
    """The values of a bundle. Runs code of the pickle: only within `binding.scope`, and only where
    the user made it. Raises whatever that raises."""
    values = pickle.loads(head, buffers=buffers)
    if not isinstance(values, tuple):
        raise pickle.UnpicklingError("no pickle of kept values")
    return values


def _same(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Names of one object together."""
    found: dict[object, dict[str, Any]] = {}
    for name, value in values.items():
        key = name if type(value) in walk.ATOMS else id(value)
        found.setdefault(key, {})[name] = value
    return list(found.values())


def _together(
    made: Sequence[tuple[Mapping[str, Any], Pickler]], namespace: Mapping[str, Any]
) -> list[list[int]]:
    """The places of those that share something. What a class of the notebook holds is not counted:
    it is one class for all its objects anyway."""
    if len(made) == 1:
        return [[0]]
    outlines: list[Pickler] = []  # they live until all are compared: else an id would come again
    sets = []
    for same, pickler in made:
        found = walk.changing(next(iter(same.values())))
        if found is None:
            outlines.append(dumped(same, namespace, outline=True) if pickler.defines else pickler)
            found = changing(outlines[-1])
        sets.append(found)
    return groups(sets)


def dumped(
    values: Mapping[str, Any], namespace: Mapping[str, Any], *, outline: bool = False
) -> Pickler:
    pickler = Pickler(namespace, outline=outline)
    pickler.dump(tuple(values.values()))
    return pickler


def _bundle(
    values: Mapping[str, Any], pickler: Pickler | None, namespace: Mapping[str, Any]
) -> Bundle:
    pickler = pickler or dumped(values, namespace)
    return Bundle(
        names=tuple(values),
        chunks=pickler.chunks,
        buffers=[Beside(buffer) for buffer in pickler.buffers],
        modules=frozenset(pickler.modules),
        needs=frozenset(pickler.needs),
        memory=pickler.memory,
    )
