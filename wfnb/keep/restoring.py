"""what was kept, a store -> the values; what cannot be read is named, and the others come back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wfnb.core.kept import Kept
from wfnb.errors import BLOB_ERRORS, StoreForeign, ValueNotKept

from . import binding
from .environment import differing
from .pickling import unpacked
from .refused import said
from .restored import NotBack, Restored
from .store import Store
from .trust import Trust


def restore(
    store: Store, trust: Trust, kept: Kept, names: Iterable[str] | None, namespace: dict[str, Any]
) -> Restored:
    """ValueNotKept, StoreForeign: then nothing was unpickled."""
    wanted = asked(kept, names)
    reasons = {value.name: value.why_not or "" for value in kept.not_kept}
    heads: dict[int, bytearray] = {}
    foreign: list[str] = []
    for place, group in enumerate(kept.groups):
        mine = [name for name in kept.members(place) if name in wanted]
        if not mine:
            continue
        try:
            head = store.read(next(iter(group.blobs), ""))
        except (*BLOB_ERRORS, MemoryError) as error:
            reasons |= dict.fromkeys(mine, _why(error))
            continue
        if trust.holds(head, group.signature):
            heads[place] = head
        else:
            foreign += mine
    if foreign:
        raise StoreForeign(str(store.folder), tuple(foreign))
    found: dict[str, Any] = {}
    with binding.scope(namespace, wanted) as scope:
        for place, head in heads.items():
            try:
                found |= _read(store, kept, place, head)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # code of a class of the user's: it may exit
                reasons |= dict.fromkeys(kept.members(place), _why(error))
    return Restored(
        values={name: found[name] for name in wanted if name in found},
        also={name: value for name, value in scope.also.items() if name not in found},
        missing=tuple(
            NotBack(name=name, why=reasons.get(name) or "it is not in the store")
            for name in wanted
            if name not in found
        ),
        differs=differing(kept.environment) if found else (),
        classes=tuple(sorted(scope.classes - found.keys())),
    )


def asked(kept: Kept, names: Iterable[str] | None) -> tuple[str, ...]:
    """The names to restore, those that could not be kept among them. ValueNotKept."""
    there = tuple(value.name for value in kept.values)
    wanted = there if names is None else tuple(dict.fromkeys(names))
    for name in wanted:
        if name not in there:
            raise ValueNotKept(name, kept.names)
    return wanted


def _read(store: Store, kept: Kept, place: int, head: bytearray) -> dict[str, Any]:
    buffers = [store.read(blob) for blob in kept.groups[place].blobs[1:]]
    return dict(zip(kept.members(place), unpacked(head, buffers), strict=True))


def _why(error: BaseException) -> str:
    if isinstance(error, BLOB_ERRORS):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    return f"it cannot be read here ({said(error)})"
