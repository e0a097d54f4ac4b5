"""what was kept, its pickles that may be read -> the values; what cannot be read is named, and the
others come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.core.kept_values import KeptValues
from wfnb.errors import BLOB_ERRORS

from . import binding
from .enum_members import changes
from .keep_refusals import short_error
from .package_versions import version_differences
from .pickle_bundles import unpack_values
from .readable_pickles import OpenedPickles, why_not
from .restore_result import RestoredValues, RestoreFailure
from .store import Store


def restore(
    store: Store,
    opened: OpenedPickles,
    kept: KeptValues,
    wanted: Sequence[str],
    namespace: dict[str, Any],
    same: frozenset[int] = frozenset(),
    apart: frozenset[type] = frozenset(),
    copies: bool = False,
    above: Mapping[str, Any] | None = None,
) -> RestoredValues:
    """Those of the places `same` are there already, and are not read. `apart` are classes to be
    made anew; `copies`: so is what belongs to libraries. `above` is what will be put into the
    namespace before it. StoreForeign: then nothing was unpickled."""
    opened.check(store, kept, wanted)
    left = {name for place in same for name in kept.members(place)}
    reasons = {value.name: value.why_not or "" for value in kept.not_kept}
    for place, why in opened.reasons.items():
        reasons |= dict.fromkeys(kept.members(place), why)
    found: dict[str, Any] = {}
    groups = [kept.members(place) for place in opened.heads]
    sharing = {name for names in groups if len(names) > 1 for name in names}
    with binding.scope(namespace, {*wanted} - left, sharing, apart, copies, above) as scope:
        for place, head in opened.heads.items():
            scope.making.clear()  # of one that could not be read
            scope.names[:] = kept.members(place)
            # If this pickle fails halfway, what it had begun to give back is taken off the lists
            # again.
            before, alive = len(scope.held), len(scope.live)
            try:
                values = unpack_values(head, map(store.read, kept.groups[place].blobs[1:]))
                found |= dict(zip(kept.members(place), values, strict=True))
                for name in kept.members(place):
                    if name in scope.wanted:
                        scope.covered.add(name)
                        # Later pickles may need it while they are read; `binding.scope` takes it
                        # out at the end.
                        namespace[name] = found[name]
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # code of a class of the user's: it may exit
                reasons |= dict.fromkeys(kept.members(place), _read_failure(error))
                del scope.held[before:], scope.live[alive:]
    return RestoredValues(
        values={name: found[name] for name in wanted if name in found},
        also={name: value for name, value in scope.also.items() if name not in found},
        left=tuple(name for name in wanted if name in left),
        missing=tuple(
            RestoreFailure(name=name, why=reasons.get(name) or "it is not in the store")
            for name in wanted
            if name not in found and name not in left
        ),
        differs=version_differences(kept.environment) if found else (),
        classes=tuple(sorted(scope.classes - found.keys())),
        constants=tuple(sorted(scope.constants - found.keys())),
        held=tuple(one for one in scope.held if changes(*one)),
        live=tuple(scope.live),
    )


def _read_failure(error: BaseException) -> str:
    if isinstance(error, (*BLOB_ERRORS, MemoryError)):
        return why_not(error)
    return f"it cannot be read here ({short_error(error)})"
