"""names, values -> pickles, one for all names that share what can be changed; and the way back."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from wfnb.type_names import is_a

from . import binding, mutable_objects
from .enum_members import state
from .keep_refusals import NotKept, collect_refusals
from .memory_lenders import NOBODY, Lenders, lent_of
from .memory_overlap import Extent, Lying, regions, shared_parts, torn_memory
from .pickle_sharing import MutableIds, groups, outline
from .pickler import Pickler
from .singletons import ModuleObjects

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


Never = Callable[[str], bool]
"""Whether what a function looks up by a name may not be kept with it: it is a secret."""
New = Callable[..., Pickler]
"""Makes one of the picklers that work at the same time."""


@contextmanager
def picklers(namespace: Mapping[str, Any], never: Never = lambda name: False) -> Iterator[New]:
    """Those that work at the same time. Afterwards none holds what it has met: each is in a cycle,
    and pandas copies before it writes as long as another block of the same memory is alive."""
    made: list[Pickler] = []
    shared = ModuleObjects(namespace)
    try:
        yield partial(
            Pickler, namespace, never=never, digests={}, shared=shared, lost={}, made=made
        )
    finally:
        for one in made:
            one.clear_memo()
            one.__dict__.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The pickle of a tuple with the values of `names`, in that order: its bytes in pieces, and the
    large buffers that are beside it: they are the memory of the values, so write them before those
    change. `modules` are the packages it refers to, `needs` names that functions in it look up,
    `memory` where arrays are, `process` the names of what belongs to the process, `without` what
    does not come back."""

    names: tuple[str, ...]
    chunks: Sequence[bytes]
    buffers: Sequence[memoryview]
    modules: frozenset[str]
    needs: frozenset[str]
    memory: Sequence[Extent]
    process: frozenset[str]
    without: frozenset[str]


def pack_values(
    values: Mapping[str, Any],
    namespace: Mapping[str, Any],
    never: Never = lambda name: False,
    beside: Mapping[str, Any] | None = None,
) -> tuple[list[Bundle], dict[str, str]]:
    """Pickles, and the names that cannot be pickled, each with a reason that follows it. The names
    of a pickle are in the order of `values`: who reads it takes them from there
    (`KeptValues.members`). Those of classes are first: what a class holds is shared in the pickle
    of its own name. `beside` are other values: those that share what can be changed are pickled
    along, the last."""
    with picklers(namespace, never) as new:
        made: list[tuple[Mapping[str, Any], Pickler]] = []
        reasons: dict[str, str] = {}
        # Shared objects must be in one pickle, or they come back as two.
        along, left = _sharing_values(values, beside, new) if beside else ({}, {})
        values = {**values, **along}
        for same in _same(values):
            with collect_refusals(same, reasons):
                made.append((same, dump_values(same, new)))
        bundles = []
        borrowed = _borrowed_ids(made, new, reasons)
        made = [one for one in made if one[0].keys().isdisjoint(reasons)]
        for places in _sharing_groups(made, borrowed, new, reasons):
            mine = {name for place in places for name in made[place][0]}
            together = {name: value for name, value in values.items() if name in mine}
            pickler = made[places[0]][1] if len(places) == 1 else None
            with collect_refusals(together, reasons):
                # One that shares with nobody was pickled already; others have to be written
                # together, anew.
                bundles.append(_bundle(together, pickler, new))
        classes = {name for name, value in values.items() if is_a(value, type)}
        if any(bundle.memory for bundle in bundles):
            bundles = _with_torn(bundles, left)
        bundles.sort(key=lambda bundle: classes.isdisjoint(bundle.names))
        return bundles, reasons


def unpack_values(head: ReadableBuffer, buffers: Iterable[ReadableBuffer]) -> tuple[Any, ...]:
    """The values of a bundle. Runs code of the pickle: only within `binding.scope`, and only where
    the user made it. Raises whatever that raises."""
    values = pickle.loads(head, buffers=buffers)
    if not isinstance(values, tuple):
        raise pickle.UnpicklingError("no pickle of kept values")
    return values


def _same(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Names of one object together."""
    by_object: dict[object, dict[str, Any]] = {}
    for name, value in values.items():
        key = name if type(value) in mutable_objects.ATOMS else id(value)
        by_object.setdefault(key, {})[name] = value
    return list(by_object.values())


def _borrowed_ids(
    made: Sequence[tuple[Mapping[str, Any], Pickler]], new: New, reasons: dict[str, str]
) -> dict[str, set[int]]:
    """The ids of objects in whose memory arrays of a name lie, where those are kept, too. What lies
    there otherwise cannot be kept: `reasons` says so."""
    lenders = Lenders(one for _, pickler in made for one in pickler.places.lenders.objects)
    ids_by_name: dict[str, set[int]] = {}
    for same, pickler in made if lenders else ():
        lent = lent_of(pickler.places.lying, lenders)
        if lent is NOBODY:
            continue
        ids_by_name |= {name: set(map(id, lent.objects)) for name in same}
        with collect_refusals(same, reasons):
            dump_values(same, partial(new, lent=lent))
    return ids_by_name


def _sharing_values(
    values: Mapping[str, Any], beside: Mapping[str, Any], new: New
) -> tuple[Mapping[str, Any], Mapping[str, Sequence[Extent]]]:
    """Those of the others that share something with values, or with one that does; and where in
    memory the rest is."""
    ids = MutableIds(new, {**beside, **values}.values())
    ids_by_name: dict[str, set[int]] = {}
    lying: dict[str, Sequence[Lying]] = {}
    for name, value in {**beside, **values}.items():
        if type(value) not in mutable_objects.ATOMS and not is_a(value, ModuleType):
            with collect_refusals({}, {}):
                ids_by_name[name], lying[name] = ids.met(value)
    names = list(ids_by_name)
    sets = _with_shared(list(ids_by_name.values()), list(lying.values()))
    met = [{names[at] for at in places} for places in groups(sets)]
    along = {name for together in met if not together.isdisjoint(values) for name in together}
    others = [name for name in beside if name not in values]
    left = {
        name: [one.where for one in lying.get(name, ())] for name in others if name not in along
    }
    return {name: beside[name] for name in others if name in along}, left


def _with_torn(bundles: Sequence[Bundle], left: Mapping[str, Sequence[Extent]]) -> list[Bundle]:
    """With what is said of those that lie in one memory with each other, or with what was `left`,
    and come back with one of their own."""
    owners: list[tuple[tuple[str, ...], Sequence[Extent]]] = [
        *((bundle.names, bundle.memory) for bundle in bundles),
        *(((name,), memory) for name, memory in left.items()),
    ]
    reasons: dict[int, set[str]] = {}
    for torn in torn_memory(enumerate(memory for _, memory in owners)):
        for at in torn:
            others = sorted(name for other in torn - {at} for name in owners[other][0])
            with_whom = f"the memory that it shares with {', '.join(others)}"
            reasons.setdefault(at, set()).add(
                with_whom if others else "memory that its parts share"
            )
    return [
        replace(bundle, without=bundle.without.union(reasons.get(at, ())))
        for at, bundle in enumerate(bundles)
    ]


def _sharing_groups(
    made: Sequence[tuple[Mapping[str, Any], Pickler]],
    borrowed: Mapping[str, set[int]],
    new: New,
    reasons: dict[str, str],
) -> list[list[int]]:
    """The places of those that share something."""
    if len(made) == 1:
        return [[0]]
    ids = MutableIds(new, (value for same, _ in made for value in same.values()))
    sets: dict[int, set[int]] = {}
    for place, (same, pickler) in enumerate(made):
        with collect_refusals(same, reasons):
            met_ids, _ = ids.met(next(iter(same.values())), pickler)
            sets[place] = met_ids.union(*(borrowed.get(name, ()) for name in same))
    places = list(sets)
    lying = [made[place][1].places.lying for place in places]
    met = groups(_with_shared(list(sets.values()), lying))
    return [[places[at] for at in together] for together in met]


def _with_shared(sets: Sequence[set[int]], lying: Sequence[Sequence[Lying]]) -> list[set[int]]:
    """The ids of what can be changed in some values, each with numbers for the memories that it
    shares, where arrays lie in those: no ids, as these are above zero."""
    extended = [set(one) for one in sets]
    owners = [at for at, mine in enumerate(lying) for _ in mine]
    for number, together in enumerate(shared_parts([one for mine in lying for one in mine])):
        for at in together:
            extended[owners[at]].add(-1 - number)
    return extended


def dump_values(values: Mapping[str, Any], new: New) -> Pickler:
    """One pickle of all values. Raises whatever pickling raises."""
    pickler = new()
    pickler.dump(pickler.whole(values.values()))
    lent = lent_of(pickler.places.lying, pickler.places.lenders)
    lying = [one for one in pickler.places.lying if not lent or lent.find_lender(one.where) is None]
    shared = regions(lying) if len(lying) > 1 else {}
    members = _members(values.values(), new) if pickler.members else []
    if lent is not NOBODY or shared or members:
        pickler = new(lent=lent, regions=shared)
        whole = pickler.whole(values.values())
        pickler.dump(_Holding(whole, members) if members else whole)
    # Somebody's `dict(os.environ)` may hold every secret of the machine.
    if pickler.shared.has_environment(pickler.chunks):
        raise NotKept("a copy of the environment, where secrets may be", None)
    return pickler


def _members(values: Iterable[Any], new: New) -> list[tuple[Any, tuple[int, ...]]]:
    """Members of enumerations that are met in values, and not only in what classes hold, each with
    the places of those."""
    outlines = [outline(value, new).members for value in values]
    by_place = {at: one for made in outlines for at, one in made.items()}
    return [
        (one, tuple(place for place, made in enumerate(outlines) if at in made))
        for at, one in by_place.items()
    ]


class _Holding:
    """Stands for values, with what the members of enumerations hold that are among them."""

    def __init__(
        self, values: tuple[Any, ...], members: Iterable[tuple[Any, tuple[int, ...]]]
    ) -> None:
        self._values = values
        self._held = [(one, state(one), places) for one, places in members]

    def __reduce__(self) -> tuple[Any, ...]:
        return binding.holding, (self._values, self._held)


def _bundle(
    values: Mapping[str, Any],
    pickler: Pickler | None,
    new: New,
) -> Bundle:
    pickler = pickler or dump_values(values, new)
    dicts = {id(value): name for name, value in values.items() if type(value) is dict}
    parted = _parted(dicts, pickler) if dicts and len(values) > 1 else ()
    return Bundle(
        names=tuple(values),
        chunks=pickler.chunks,
        buffers=[buffer.raw() for buffer in pickler.buffers],
        modules=frozenset(pickler.modules),
        needs=frozenset(pickler.needs),
        memory=pickler.places.extents,
        process=frozenset(name for name, value in values.items() if id(value) in pickler.process),
        without=frozenset(pickler.without).union(parted),
    )


def _parted(dicts: dict[int, str], pickler: Pickler) -> Iterator[str]:
    """What is said of dicts that are the attributes of another value's object, or the `attrs` of a
    frame: pickle fills such a one anew."""
    for _, one in pickler.memo.copy().values():
        held = None
        with suppress(Exception):  # its class may say anything
            held = object.__getattribute__(one, "__dict__")
        if type(held) is dict:
            for part in (held, held.get("_attrs")):
                if id(part) in dicts:
                    name = dicts.pop(id(part))
                    yield f"what {name} has in common with a {type(one).__name__}"
