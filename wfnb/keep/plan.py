"""what was kept, a namespace -> what restoring would do to it. Runs nothing of what was kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

from wfnb.core.kept import Kept, KeptValue, Plan, Planned, size_of
from wfnb.errors import BLOB_ERRORS

from .alike import LARGEST, alike
from .describe import describe
from .environment import differing
from .pickling import together
from .restoring import asked
from .store import Store, name_of
from .trust import Trust

OWN = frozenset(("In", "Out", "exit", "get_ipython", "open", "quit"))
"""Names that IPython puts into the user's namespace."""


def plan(
    store: Store,
    trust: Trust,
    kept: Kept,
    names: Iterable[str] | None,
    namespace: Mapping[str, Any],
    exact: bool,
) -> Plan:
    """ValueNotKept."""
    wanted = asked(kept, names)
    places = [
        place
        for place in range(len(kept.groups))
        if not set(kept.members(place)).isdisjoint(wanted)
    ]
    reasons = {
        name: why
        for place in places
        if (why := _why_not(store, trust, kept, place))
        for name in kept.members(place)
    }
    same = {name for place in places for name in _unchanged(store, kept, place, namespace)}
    entries = [
        _planned(kept, value, namespace, reasons, same)
        for value in kept.values
        if value.name in wanted
    ]
    return Plan(
        names=(*entries, *_others(kept, namespace, exact)),
        differs=differing(kept.environment),
    )


def _planned(
    kept: Kept,
    value: KeptValue,
    namespace: Mapping[str, Any],
    reasons: Mapping[str, str],
    same: set[str],
) -> Planned:
    if value.group is None:
        why = value.why_not
    elif 0 <= value.group < len(kept.groups):
        why = reasons.get(value.name)
    else:
        why = "it is not in the store"
    entry = {"name": value.name, "type": value.type, "says": value.says}
    if why is not None:
        return Planned(way="cannot", why=why, **entry)
    if value.name not in namespace:
        return Planned(way="comes back", **entry)
    if value.name in same:
        return Planned(way="same", **entry)
    return Planned(way="replaces", now=describe(namespace[value.name]).says, **entry)


def _why_not(store: Store, trust: Trust, kept: Kept, place: int) -> str | None:
    """Why a pickle would not be read: its own bytes are looked at, of its buffers only the size."""
    head, *buffers = kept.groups[place].blobs or ("",)
    try:
        for blob in buffers:
            store.check(blob)
        if trust.holds(store.read(head), kept.groups[place].signature):
            return None
    except BLOB_ERRORS as error:
        return str(error)
    except MemoryError:
        return "there is not enough memory for it"
    return "another user kept it, or another machine: `%wfnb trust` lets it be read"


def _unchanged(
    store: Store, kept: Kept, place: int, namespace: Mapping[str, Any]
) -> tuple[str, ...]:
    """The names of a pickle, where writing their values again would write the same."""
    names = kept.members(place)
    if not all(name in namespace for name in names):
        return ()
    try:
        bundle = together({name: namespace[name] for name in names}, namespace)
    except Exception:  # what is there now cannot be kept: it is something else
        return ()
    blobs = (name_of(bundle.chunks), *(name_of([buffer]) for buffer in bundle.buffers))
    head, *buffers = kept.groups[place].blobs or ("",)
    if blobs == kept.groups[place].blobs:
        return names
    if blobs[1:] != tuple(buffers) or size_of(head) > LARGEST:
        return ()
    try:
        return names if alike(store.read(head), b"".join(bundle.chunks)) else ()
    except BLOB_ERRORS:
        return ()


def _others(kept: Kept, namespace: Mapping[str, Any], exact: bool) -> Iterator[Planned]:
    then = {*kept.there, *(value.name for value in kept.values)}
    for name, value in namespace.items():
        hidden = name.startswith("_") or name in OWN or isinstance(value, ModuleType)
        if not hidden and name not in then:
            if exact:
                yield Planned(name=name, way="removed", now=describe(value).says)
            else:
                yield Planned(name=name, way="left")
