"""two namespaces -> whether they hold the same, with the same objects shared by the same names."""

from __future__ import annotations

import copy
from array import array
from collections import deque
from collections.abc import Mapping
from enum import Enum
from types import BuiltinMethodType
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd


def copied(values: dict[str, Any]) -> dict[str, Any]:
    """A copy of all, in which a method of an object (`rows.append`) is one of its copy."""

    def method(value: Any, memo: dict[int, Any]) -> Any:
        return getattr(copy.deepcopy(value.__self__, memo), value.__name__)

    with patch.dict(copy._deepcopy_dispatch, {BuiltinMethodType: method}):  # type: ignore[attr-defined]
        return copy.deepcopy(values)


def difference(before: Any, after: Any) -> str | None:
    """Where the two are not the same: another value, or an alias that is none in the other."""
    return _walk(before, after, "", {}, {})


_CHANGING = (list, dict, set, bytearray, array, deque, np.ndarray, pd.DataFrame)


def _walk(a: Any, b: Any, path: str, there: dict[int, int], back: dict[int, int]) -> str | None:
    if type(a) is not type(b):
        return f"{path}: {type(a).__name__}, not {type(b).__name__}"
    if isinstance(a, Enum):  # what it holds is told apart
        return None if a is b else f"{path}: {a} and {b}"
    if isinstance(a, BuiltinMethodType):
        if a.__name__ != b.__name__:
            return f"{path}: {a.__name__} and {b.__name__}"
        return _walk(a.__self__, b.__self__, f"{path}.__self__", there, back)
    if isinstance(a, _CHANGING) or hasattr(a, "__dict__"):
        if id(a) in there or id(b) in back:
            shared = there.get(id(a)) == id(b) and back.get(id(b)) == id(a)
            return None if shared else f"{path}: shared in one and not in the other"
        there[id(a)], back[id(b)] = id(b), id(a)
    if isinstance(a, np.ndarray):
        if a.dtype != b.dtype or a.shape != b.shape or a.flags.writeable != b.flags.writeable:
            return f"{path}: another kind of array"
        if a.dtype.hasobject:
            elements = tuple(a.ravel().tolist()), tuple(b.ravel().tolist())
            return _walk(*elements, path, there, back)
        return None if np.array_equal(a, b, equal_nan=a.dtype.kind == "f") else f"{path}: elements"
    if isinstance(a, pd.DataFrame):
        return None if a.equals(b) else f"{path}: {a} {b}"
    if isinstance(a, Mapping):
        if list(a) != list(b):
            return f"{path}: keys {list(a)} and {list(b)}"
        pairs = [(key, a[key], b[key]) for key in a]
    elif isinstance(a, list | tuple | deque):
        if len(a) != len(b):
            return f"{path}: {len(a)} elements and {len(b)}"
        pairs = [(at, *both) for at, both in enumerate(zip(a, b, strict=True))]
    elif hasattr(a, "__dict__"):
        pairs = [("vars", vars(a), vars(b))]
        if isinstance(a, int) and int(a) != int(b):
            return f"{path}: {a} and {b}"
    else:
        return None if a == b or (a != a and b != b) else f"{path}: {a!r} and {b!r}"
    found = (_walk(one, other, f"{path}[{key!r}]", there, back) for key, one, other in pairs)
    return next((where for where in found if where), None)
