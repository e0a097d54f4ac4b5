"""zones of times of pytz, that have a class each -> their content on a walk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .builtin_and_stdlib_types import Reading
from .introspection import attributes, module_of, mro, name_of, namespace
from .object_parts import Parts
from .walk_state import Walk

_BASE = "pytz.tzinfo.BaseTzInfo"
_OWN = frozenset(("_utcoffset", "_dst", "_tzname", "_tzinfos", "zone"))
"""Attributes that pytz sets."""


def find_reader(kind: type) -> Reading | None:
    """None where the class is not one of pytz; of others, that their objects never change."""
    own = module_of(kind).partition(".")[0] == "pytz"
    is_zone = own and any(name_of(base) == _BASE for base in mro(kind))
    return (_zone, True, _OWN) if is_zone else None


def _zone(walk: Walk, value: Any) -> Parts:
    """One zone has an object for each of its offsets."""
    walk.tag("pytz")
    held: Mapping[str, Any] = attributes(value) or {}
    offset = held.get("_utcoffset"), held.get("_dst"), held.get("_tzname")
    names = (namespace(base).get("zone") for base in mro(type(value)))
    return next((name for name in names if name is not None), None), *offset
