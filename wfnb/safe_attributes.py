"""a value -> what a library's class offers of it; whether only a library's code runs when asked.

Whoever looks at a value of the user's must not change it: its class may count, cache or make an
attribute at each question, and the notebook would go on with another value than without wfnb. So a
class is asked, and never the object; and what a class of the user's says is not run.
"""

from __future__ import annotations

import gc
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from wfnb.type_names import bases_of, full_name, package_of

class_namespace = vars(type)["__dict__"].__get__
_PATHS = sysconfig.get_paths()
_INSTALLED = tuple(_PATHS[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_PACKAGES = ("/site-packages/", "/dist-packages/")
_MAX_OBJECTS = 10_000
"""Objects that are looked at, to know whose code the repr of one runs."""
_MAKING = frozenset(
    (
        *("__init__", "__new__", "__del__", "__init_subclass__", "__set_name__"),
        *("__class_getitem__", "__subclasshook__", "__abstractmethods__"),
    )
)
"""What runs when objects and classes are made, and not when they are asked."""
_ASKING = frozenset(("__getattr__", "__getattribute__"))
_ATOMS = (str, int, float, bool, type(None), bytes, complex, type)
_OF_C = (
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
_LEAVES = (type, ModuleType, FunctionType)
"""What these hold, their repr does not say."""


def is_of_library(kind: type) -> bool:
    """Whether a class is Python's, of an installed package or of wfnb.

    >>> is_of_library(dict), is_of_library(type("Own", (), {"__module__": "__main__"}))
    (True, False)
    """
    return _is_library(package_of(kind))


def class_attribute(kind: type, name: str) -> Any:
    """What a class or one of its bases has under a name, as it is there; None where it has none.

    >>> class_attribute(bool, "__repr__") is vars(bool)["__repr__"]
    True
    """
    return next((own[name] for own in map(class_namespace, bases_of(kind)) if name in own), None)


def offer(value: Any, name: str) -> Any:
    """An attribute that a library's class gives its objects; None where it gives none, or a class
    of the user's has a say in it.

    >>> import numpy
    >>> offer(numpy.zeros(3), "shape"), offer(3, "shape")
    ((3,), None)
    """
    for base in bases_of(type(value)):
        if name in class_namespace(base):
            asks = is_of_library(base) and is_asked_of_library(type(value))
            return getattr(value, name, None) if asks else None
    return None


def own_attributes(value: Any) -> Mapping[str, Any]:
    """What an object holds in its `__dict__` and its slots; no code of its class runs."""
    found: dict[str, Any] = {}
    for base in reversed(bases_of(type(value))):
        for name, member in class_namespace(base).items():
            kind = type(member)
            if kind is not MemberDescriptorType and (
                kind is not GetSetDescriptorType or name != "__dict__"
            ):
                continue
            with suppress(AttributeError):  # nothing is in it
                held = member.__get__(value)
                found |= held if name == "__dict__" and type(held) is dict else {name: held}
    return found


def is_asked_of_library(kind: type) -> bool:
    """Whether what a library asks of objects of a class is answered by a library's code: a class of
    the user's may stand before it, as long as it replaces nothing."""
    theirs: set[str] = set()
    for base in reversed(bases_of(kind)):
        own = class_namespace(base)
        if is_of_library(base):
            theirs |= own.keys()
        elif _ASKING & own.keys() or any(map(_is_code, _replaced(own, theirs))):
            return False
    return True


def _replaced(own: Mapping[str, Any], theirs: set[str]) -> Iterator[Any]:
    return (own[name] for name in own.keys() & theirs - _MAKING)


def _is_code(found: Any) -> bool:
    """Whether something runs when it is asked for or called; a class that does is another's."""
    while type(found) in (staticmethod, classmethod):
        found = found.__func__
    kind = type(found)
    if kind is FunctionType:
        return not _is_library(str(found.__globals__.get("__name__", "")).partition(".")[0])
    return class_attribute(kind, "__get__") is not None and kind not in _OF_C


def runs_library_code(value: Any) -> bool:
    """Whether the repr of a value runs no code of the user's: neither its class nor that of
    anything in it is one that could be asked. Not for what holds too much to know.

    >>> from types import SimpleNamespace
    >>> own = type("Own", (), {"__module__": "__main__", "__getattr__": None})
    >>> runs_library_code(SimpleNamespace(a=1)), runs_library_code(SimpleNamespace(a=own()))
    (True, False)
    """
    seen: dict[int, Any] = {}  # alive, that no id comes again
    kinds: dict[int, bool] = {}
    waiting = [value]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if id(one) in seen or any(kind is atom for atom in _ATOMS):
            continue
        if id(kind) not in kinds:
            kinds[id(kind)] = is_asked_of_library(kind)
        if len(seen) > _MAX_OBJECTS or not kinds[id(kind)]:
            return False
        seen[id(one)] = one
        if issubclass(kind, _LEAVES):
            continue
        if kind is not BuiltinFunctionType or type(one.__self__) is not ModuleType:
            waiting += gc.get_referents(one)
        if "numpy.ndarray" in map(full_name, bases_of(kind)) and one.dtype.hasobject:
            # An array does not tell the garbage collector what it holds.
            waiting.append(one.tolist())
    return True


def _is_library(package: str) -> bool:
    if package in sys.stdlib_module_names or package == "wfnb":
        return True
    found = sys.modules.get(package)
    if type(found) is not ModuleType or package == "__main__":
        return False
    held = vars(found)
    file = held.get("__file__")
    places = [file] if type(file) is str else [*held.get("__path__", ())]
    return bool(places) and all(type(place) is str and is_installed(place) for place in places)


@lru_cache(maxsize=4096)
def is_installed(place: str) -> bool:
    """Whether a file is Python's or of an installed package, and not of the user's own."""
    return place.startswith(_INSTALLED) or any(part in place for part in _PACKAGES)
