"""what was kept, a namespace -> what is there already, as it was kept.

Theory of operation
-------------------

Going back to a step restores what it kept. A table of a gigabyte that nobody touched since need not
be read again, and should stay the same object: other names and other objects hold it. So before
anything is read, this module finds the values that can stay.

The rule: *a value is unchanged where writing it again would write the same*. A step keeps its
values in pickles, with large buffers beside them, each under the hash of its content. So the
values in the namespace are pickled again under the same names, nothing is stored, and the hashes
are compared:

 1. The names must be there, with the types that they had. A value that cannot be pickled now is a
    changed one.
 2. The pickle must be byte for byte the same, or make the same: texts that are equal may be one
    object or two, for example (`pickle_equivalence.py`).
 3. The buffers must be the same.

That is not enough, for three reasons, and each takes values away again:

 * Sharing. `a` and `b` were kept as two lists. Since then somebody wrote `b = a`. Each alone is
   unchanged, and yet restoring must give two lists. If two values share something that can change,
   which they did not share when they were kept, both are read.
 * Memory. The same for arrays: two views of one memory, which were apart, look unchanged.
 * Classes. An object may stay only where its class stays. If a class is read again, all values with
   objects of it are read, too; that may take away others, until nothing changes any more.

Nothing of what was kept is executed here. Code of the user's own classes runs (`__reduce__`) and
may do anything: whatever it raises makes the value a changed one.

Example: `df` (untouched, 800 MB) and `model` (fitted again). `df` is hashed and stays; only `model`
is read.

Not taken: comparing modification counters or `id` (in-place changes leave both alone), and
comparing values with `==` (user code, NaN, and arrays that answer with arrays)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from wfnb.core.kept_values import KeptValues, size_of
from wfnb.errors import BLOB_ERRORS

from .memory_overlap import differing_owners, shared_memory
from .pickle_bundles import New, dump_values, picklers
from .pickle_equivalence import MAX_BYTES, are_equivalent
from .pickle_sharing import MutableIds, groups
from .pickler import Pickler
from .store import Store, name_of
from .value_text import kind_of


def find_unchanged(
    store: Store, kept: KeptValues, places: Iterable[int], namespace: Mapping[str, Any]
) -> frozenset[int]:
    """Of some pickles the places of those whose values can stay as they are, with all that they
    hold. Runs what pickling the values of the namespace runs, and nothing of what was
    kept. Raises nothing but KeyboardInterrupt."""
    asked = frozenset(places)
    with picklers(namespace) as new:
        same: dict[int, Pickler] = {}
        for place in sorted(asked):
            pickler = _repickle(kept, place, namespace, new)
            if pickler is not None and _is_as_kept(store, kept.groups[place].blobs, pickler):
                same[place] = pickler
        try:
            lost = _sharing(kept, same, asked, namespace, new)
        except KeyboardInterrupt:
            raise
        except BaseException:  # of a class of the user's, that could be pickled a moment ago
            lost = set(same)
        return frozenset(_of_same_classes(kept, same, asked, lost))


def _of_same_classes(
    kept: KeptValues, same: Mapping[int, Pickler], asked: frozenset[int], lost: set[int]
) -> set[int]:
    """The places that can stay where some cannot: objects of a class that is read are read, too."""
    stay = same.keys() - lost
    while True:
        read = {name for place in asked - stay for name in kept.members(place)}
        left = {place for place in stay if same[place].classes.isdisjoint(read)}
        if left == stay:
            return stay
        stay = left


def _is_as_kept(store: Store, blobs: Sequence[str], pickler: Pickler) -> bool:
    """Whether a pickle with its buffers makes the same as the one that was kept."""
    head, *beside = blobs
    if beside != [name_of([buffer.raw()]) for buffer in pickler.buffers]:
        return False
    if name_of(pickler.chunks) == head:
        return True
    if size_of(head) > MAX_BYTES:
        return False
    try:
        return are_equivalent(store.peek(head), b"".join(pickler.chunks))
    except (*BLOB_ERRORS, MemoryError):
        return False


def _repickle(
    kept: KeptValues, place: int, namespace: Mapping[str, Any], new: New
) -> Pickler | None:
    """The pickle of what has the names of one now; None where it cannot be the same."""
    was = {value.name: value.type for value in kept.values if value.group == place}
    if not was or not kept.groups[place].blobs:
        return None
    if any(name not in namespace or kind_of(namespace[name]) != was[name] for name in was):
        return None
    left = {need for value in kept.values if value.name in was for need in value.needs}
    try:
        values = {name: namespace[name] for name in was}
        return dump_values(values, partial(new, never=left.__contains__))
    except KeyboardInterrupt:
        raise
    except BaseException:  # what is there now cannot be kept: it is something else
        return None


def _sharing(
    kept: KeptValues,
    same: Mapping[int, Pickler],
    asked: frozenset[int],
    namespace: Mapping[str, Any],
    new: New,
) -> set[int]:
    """The places of those that now share what can be changed with another that was kept, and did
    not then: it would have been one pickle. Arrays that lie in one memory, and did not lie there so
    then, come back as two, as whatever is read does."""
    picklers = dict(same)
    groups_of_names = map(kept.members, range(len(kept.groups)))
    names = {name for members in groups_of_names for name in members} & namespace.keys()
    ids = MutableIds(new, (namespace[name] for name in names))

    def mutable_ids(at: int) -> set[int]:
        values = (namespace[name] for name in kept.members(at))
        return {one for value in values for one in ids.met(value, picklers[at])[0]}

    # Within one pickle sharing is as it was kept: that pickle would be another otherwise.
    sets = {at: mutable_ids(at) for at in same} if len(kept.groups) > 1 else {}
    if any(sets.values()) or any(pickler.places.extents for pickler in same.values()):
        # What is not asked for may share with what is: it is pickled again, to see that.
        for at in set(range(len(kept.groups))) - asked:
            other = _repickle(kept, at, namespace, new)
            if other is not None:
                picklers[at] = other
                sets[at] = mutable_ids(at)
    places = list(sets)
    together = [met for met in groups(list(sets.values())) if len(met) > 1]
    lost = {places[at] for met in together for at in met}
    now = shared_memory((at, pickler.places.extents) for at, pickler in picklers.items())
    return lost | differing_owners(kept.memory, now)
