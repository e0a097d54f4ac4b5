"""what was kept, what of it is there and may be read -> what restoring does, name by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import ModuleType
from typing import Any

from wfnb.core.kept_values import KeptValue, KeptValues, Plan, PlanEntry
from wfnb.type_names import is_a

from .name_selection import OWN, names_in
from .package_versions import version_differences
from .readable_pickles import OpenedPickles
from .value_description import describe


def plan(
    opened: OpenedPickles,
    unchanged: frozenset[int],
    kept: KeptValues,
    wanted: Collection[str],
    namespace: Mapping[str, Any],
    exact: bool,
) -> Plan:
    reasons = {name: why for place, why in opened.reasons.items() for name in kept.members(place)}
    same = {name for place in unchanged for name in kept.members(place)}
    entries = [
        _plan_entry(kept, value, namespace, reasons, same, opened.runs)
        for value in kept.values
        if value.name in wanted
    ]
    return Plan(
        names=(*entries, *_others(kept, namespace, exact)),
        differs=version_differences(kept.environment),
    )


def _plan_entry(
    kept: KeptValues,
    value: KeptValue,
    namespace: Mapping[str, Any],
    reasons: Mapping[str, str],
    same: set[str],
    runs: Mapping[int, tuple[str, ...]],
) -> PlanEntry:
    if value.group is None:
        why = value.why_not
    elif 0 <= value.group < len(kept.groups):
        why = reasons.get(value.name)
    else:
        why = "it is not in the store"
    entry: dict[str, Any] = {"name": value.name, "type": value.type, "says": value.says}
    if why is not None:
        return PlanEntry(way="cannot", why=why, **entry)
    if value.name in same:
        return PlanEntry(way="same", **entry)
    entry["runs"] = runs.get(value.group or 0, ())
    if value.name not in namespace:
        return PlanEntry(way="comes back", **entry)
    return PlanEntry(way="replaces", now=describe(namespace[value.name]).says, **entry)


def _others(kept: KeptValues, namespace: Mapping[str, Any], exact: bool) -> Iterator[PlanEntry]:
    then = {*kept.there, *(value.name for value in kept.values)}
    for name in names_in(namespace):
        # Imports stay: to take `np` away would help nobody.
        hidden = name in OWN or is_a(namespace[name], ModuleType)
        if not hidden and name not in then:
            if exact:
                yield PlanEntry(name=name, way="removed", now=describe(namespace[name]).says)
            else:
                yield PlanEntry(name=name, way="left")
