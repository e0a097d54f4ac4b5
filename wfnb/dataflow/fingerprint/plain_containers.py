"""containers of many plain objects -> their content at once, where a walk reads closely.

`marshal` writes a million numbers in the time in which a walk visits ten thousand. It also writes
what has a buffer, though, an array of objects too: so all that lies in a container, or in the
containers in it, has to be plain.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, Final

from .builtin_and_stdlib_types import KEYS
from .walk_state import Walk

_CONTAINERS: Final = {id(kind): kind for kind in (list, tuple, dict)}
_PER_OBJECT: Final = 16
"""Plain objects that take the time of a container."""
_FEW: Final = 64
_TEXT: Final = 1 << 26
"""Characters and bytes that are written at once."""


def write(walk: Walk, value: Any) -> bool:
    """Whether it was a container of many plain objects, and is written."""
    kind = _CONTAINERS.get(id(type(value)))
    if kind is None or kind.__len__(value) < _FEW:
        return False
    cost = text = 0
    # Layer by layer: a step of Python for each object would take longer than all else.
    layer: list[Any] = [value]
    while layer:
        cost += len(layer)
        if cost > walk.objects_left:
            return False
        parts = [*chain.from_iterable(map(_parts, layer))]
        kinds = {*map(type, parts)}
        cost += len(parts) // _PER_OBJECT
        if kinds & {str, bytes}:
            text += sum(len(part) for part in parts if type(part) is str or type(part) is bytes)
        if cost > walk.objects_left or text > _TEXT:
            return False
        others = [each for each in kinds if id(each) not in KEYS]
        if any(id(each) not in _CONTAINERS for each in others):
            return False
        layer = [part for part in parts if id(type(part)) in _CONTAINERS] if others else []
    walk.objects_left -= cost
    walk.tag(kind.__name__, kind.__len__(value))
    walk.plain(value)
    return True


def _parts(value: Any) -> Iterable[Any]:
    return [*value.keys(), *value.values()] if type(value) is dict else [*value]
