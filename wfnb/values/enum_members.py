"""a member of an enumeration of the notebook -> what it holds, and back.

There is one of each, and it is live, as its class is. What it holds can be changed (a list as its
value, attributes), so that who puts it back into a namespace gives it back what it held.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, Flag
from typing import Any

from wfnb.type_names import base_names, bases_of

from .immutable_types import FIXED
from .mutable_objects import ATOMS, are_atoms

_SIGNS = ("_name_", "_sort_order_", "__objclass__")
"""What Python adds, and nothing changes."""
_CACHED = "_inverted_"


def is_plain(kind: type) -> bool:
    """Whether the members of a class are written by their names, however it says they are."""
    return issubclass(kind, Enum)


def holds_more(kind: type[Enum]) -> bool:
    """Whether its members have more that changes than their attributes: they are lists, or have
    slots."""
    if issubclass(kind, tuple | frozenset) and not all(map(are_atoms, kind)):
        return True
    bases = {*base_names(kind)} - {"enum.Enum"}
    larger = kind.__basicsize__ > Enum.__basicsize__ and FIXED.isdisjoint(bases)
    return larger or any(vars(base).get("__slots__") for base in bases_of(kind))


def is_named(member: Enum) -> bool:
    return type(member)._member_map_.get(member._name_) is member


def state(member: Enum) -> dict[str, Any] | None:
    """What it holds, in its order; None where its class does not find it."""
    found = isinstance(member, Flag) and type(member)._value2member_map_.get(member._value_)
    if not is_named(member) and found is not member:
        return None
    held = vars(member).items()
    return {name: None if name in _SIGNS else one for name, one in held if name != _CACHED}


def states(kind: type[Enum]) -> dict[str, dict[str, Any]]:
    """Of all members, each by its first name."""
    found = {member._name_: state(member) for member in kind._member_map_.values()}
    return {name: held for name, held in found.items() if held is not None}


def give_back(member: Enum, held: Mapping[str, Any]) -> None:
    if changes(member, held):
        wanted, old = _wanted_state(vars(member), held), member._value_
        for values in _values(type(member)):
            values[:] = [wanted["_value_"] if one is old else one for one in values]
        _find(type(member)._value2member_map_, old, wanted["_value_"])
        # Cleared, not only updated: the order of attributes counts when it is compared with what
        # was kept.
        vars(member).clear()
        vars(member).update(wanted)


def _find(members: dict[Any, Enum], old: Any, value: Any) -> None:
    """By the new value instead, in the same order: it may be one that is equal to itself alone."""
    if old is not value and any(key is old for key in members):
        found = {value if key is old else key: one for key, one in members.items()}
        members.clear()
        members.update(found)


def _values(kind: type[Enum]) -> Iterator[list[Any]]:
    """Where the class itself has the values of members, besides the table of those."""
    found = (vars(kind).get(name) for name in ("_unhashable_values_", "_hashable_values_"))
    yield from (values for values in found if values)
    yield from vars(kind).get("_unhashable_values_map_", {}).values()


def changes(member: Enum, held: Mapping[str, Any]) -> bool:
    """Whether to give that back would change something."""
    return _differ(vars(member), _wanted_state(vars(member), held))


def own_state(held: Mapping[str, Any]) -> dict[str, Any]:
    """Without what Python adds."""
    own = {name: one for name, one in held.items() if name not in (*_SIGNS, _CACHED, "_value_")}
    return {"value": held.get("_value_"), **own}


def _wanted_state(now: Mapping[str, Any], held: Mapping[str, Any]) -> dict[str, Any]:
    """Its value, where that is one by which the class finds it, stays."""
    found = {name: now.get(name) if name in _SIGNS else one for name, one in held.items()}
    if type(found.get("_value_")) in ATOMS:
        found["_value_"] = now.get("_value_")
    return found | ({_CACHED: now[_CACHED]} if _CACHED in now else {})


def _differ(now: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    def same(name: str) -> bool:
        one, other = now[name], wanted[name]
        atoms = type(one) in ATOMS and type(one) is type(other) and repr(one) == repr(other)
        return one is other or atoms

    order = [name for name in now if name != _CACHED]
    return order != [name for name in wanted if name != _CACHED] or not all(map(same, order))
