"""a value -> the objects in it that can be changed, where that is quick to see.

Most values are plain containers, arrays and objects of classes that say nothing about how they are
pickled. What is in them can be walked through without a copy of all that the pickler has met.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import BuiltinFunctionType, ModuleType
from typing import Any

from wfnb.type_names import bases_of, full_name, module_of

from .cloudpickle_compat import dispatch_table

ATOMS = frozenset((type(None), bool, int, float, complex, str, bytes))
"""Of these nobody sees whether two are one."""
_FIXED = ATOMS | {range, ModuleType, type}
_SPECIAL = (
    "__reduce_ex__",
    "__reduce__",
    "__getstate__",
    "__getnewargs__",
    "__getnewargs_ex__",
    "__slots__",
)


def mutable_ids(value: Any) -> tuple[set[int], list[Any]] | None:
    """The ids of what can be changed in a value, and the arrays and bytes among it; None where that
    cannot be seen from outside."""
    found: set[int] = set()
    arrays: list[Any] = []
    seen: set[int] = set()
    plain: dict[type, bool] = {}
    left = [value]
    while left:
        one = left.pop()
        kind = type(one)
        if kind in _FIXED or id(one) in seen:
            continue
        seen.add(id(one))
        if kind is BuiltinFunctionType:  # of an object, as `rows.append`, or of a module
            if not issubclass(type(one.__self__), type):
                left.append(one.__self__)
            continue
        # What is in them may change; they themselves do not, and may be shared without a
        # difference.
        if kind is not tuple and kind is not frozenset:
            found.add(id(one))
        if kind in (list, tuple, set, frozenset):
            _queue_values(left, one)
        elif kind is dict:
            _queue_values(left, one)
            _queue_values(left, one.values())
        elif kind is bytearray or _is_array_of_atoms(one):
            arrays.append(one)
        else:
            if kind not in plain:
                plain[kind] = _is_plain(kind)
            if not plain[kind]:
                return None
            # Not `getattr`: a class of the user's may answer that with code of its own.
            state = object.__getattribute__(one, "__dict__")
            if type(state) is not dict:
                return None
            left.append(state)
    return found, arrays


def are_atoms(values: Iterable[Any]) -> bool:
    return ATOMS.issuperset(map(type, values))


def _queue_values(left: list[Any], values: Iterable[Any]) -> None:
    if not are_atoms(values):
        left.extend(one for one in values if type(one) not in ATOMS)


def _is_array_of_atoms(value: Any) -> bool:
    if full_name(type(value)) != "numpy.ndarray":
        return False
    return not value.dtype.hasobject or are_atoms(value.ravel().tolist())


def _is_plain(kind: type) -> bool:
    """Whether its objects, which could be pickled, are pickled by their `__dict__` alone."""
    if kind in dispatch_table or type(kind) is not type or not kind.__dictoffset__:
        return False
    bases = bases_of(kind)[:-1]
    # A class with one of these may give pickle something else than its attributes.
    special = any(name in vars(base) for base in bases for name in _SPECIAL)
    return not special and all(module_of(base) != "builtins" for base in bases)
