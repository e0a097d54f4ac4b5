"""an object that a library or the process has one of -> where it is, and what it holds.

`from matplotlib import rcParams` names the one object that matplotlib looks at. A copy of it would
be seen by nobody. So it is written as its module and its name there, with what it holds beside it;
whoever restores it gives that back to the one that is there. What belongs to the process
(`os.environ`, `sys.path`) is written without what it holds: that is of this machine, and may be
secret.
"""

from __future__ import annotations

import decimal
import os
import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import repeat
from operator import is_
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from wfnb.type_names import full_name, is_a, package_of

CONTAINERS = (dict, list, set)
PROCESS = frozenset(
    ("IPython", "asyncio", "builtins", "ipykernel", "multiprocessing", "os", "posix", "signal")
) | {"site", "sys", "threading"}
"""Packages whose objects belong to the process."""
_OF_PROCESS: Mapping[str, tuple[str, ...]] = {"matplotlib.RcParams": ("backend", "interactive")}
"""Keys of a library's object that are of the process: what draws, and where."""
ModulePlace = tuple[str, str]
"""A module, and the name of an object there."""
CONTEXT: ModulePlace = ("decimal", "getcontext()")


class ModuleObjects:
    """What modules have, for those who pickle at the same time."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace
        self._is_read = False

    def place_of(self, value: object) -> ModulePlace | None:
        """Where a plain list, dict or set is, or an object of a library's class that a module of
        that library has."""
        if is_a(value, decimal.Context):
            return CONTEXT if value is decimal.getcontext() else None
        if not self._is_read:
            self._is_read = True
            _read_modules()
        places = [place for place in _places.get(id(value), ()) if self._has(place, value)]
        # Packages hand the same object on to each other: the place that everybody imports from is
        # meant.
        return min(places, key=_rank, default=None)

    def has_environment(self, chunks: Sequence[bytes]) -> bool:
        """Whether most of the environment is written in a pickle, in whatever object it is. Of all
        pickles, few have one of its longest values: in no other is more looked for."""
        # Two long values first: to look for all of the environment in each pickle would cost more
        # than it.
        if not any(_is_in(value, chunks) for value in self._longest):
            return False
        variables = self._environment
        same = sum(_is_in(name, chunks) and _is_in(value, chunks) for name, value in variables)
        return same >= 3 and 2 * same > len(variables)

    @cached_property
    def _environment(self) -> list[tuple[bytes, bytes]]:
        return [
            (name.encode(errors="replace"), value.encode(errors="replace"))
            for name, value in os.environ.items()
            if min(len(name), len(value)) >= _SAYS
        ]

    @cached_property
    def _longest(self) -> list[bytes]:
        return sorted((value for _, value in self._environment), key=len)[-2:]

    def _has(self, place: ModulePlace, value: object) -> bool:
        module = sys.modules.get(place[0])
        space = vars(module) if type(module) is ModuleType else {}
        # What the notebook itself has is no library's: it is to be kept as it is.
        is_library = place[0] not in ("__main__", "__mp_main__") and space is not self._namespace
        return is_library and space.get(place[1]) is value


_places: dict[int, set[ModulePlace]] = {}
"""By the id of an object, where modules had it when they were read: it may be gone from there."""
_states: dict[str, tuple[int, int, int]] = {}
"""Of modules that were read: which object it was, how many names it had, and which its `__spec__`
was, which a reload replaces. To read all of them takes as long as to keep many small values, so
that it is done once, and again of those that changed in this. One whose own code gives another
object to a name that it had is not seen."""
_loaded: _LoadedModules | None = None
"""All that were loaded when they were read last: as a rule nothing has changed since."""
_NEVER = frozenset(
    (type, ModuleType, FunctionType, BuiltinFunctionType, type(None), bool, int, float, str, tuple)
)
_packages: WeakKeyDictionary[type, str] = WeakKeyDictionary()


@dataclass(frozen=True)
class _LoadedModules:
    """The modules that are loaded, by what tells that one has changed. To compare two takes a tenth
    of the time that the states of all take."""

    names: list[str]
    modules: list[object]
    spaces: list[dict[str, Any]]
    sizes: list[int]
    specs: list[int]

    @classmethod
    def capture(cls) -> _LoadedModules:
        loaded = dict(sys.modules)
        spaces = [vars(each) for each in loaded.values() if type(each) is ModuleType]
        return cls([*loaded], [*loaded.values()], spaces, *_measure(spaces))

    def is_so_still(self) -> bool:
        loaded = dict(sys.modules)
        return (
            self.names == [*loaded]
            and all(map(is_, self.modules, loaded.values()))
            and (self.sizes, self.specs) == _measure(self.spaces)
        )


def _measure(spaces: list[dict[str, Any]]) -> tuple[list[int], list[int]]:
    return [*map(len, spaces)], [*map(id, map(dict.get, spaces, repeat("__spec__")))]


def _read_modules() -> None:
    global _loaded
    if _loaded is not None and _loaded.is_so_still():
        return
    _loaded = _LoadedModules.capture()
    states = {
        name: (id(module), len(module.__dict__), id(module.__dict__.get("__spec__")))
        for name, module in tuple(sys.modules.items())
        if type(module) is ModuleType  # another kind may load itself when it is asked
    }
    for name in [name for name, state in states.items() if _states.get(name) != state]:
        _states[name] = states[name]
        package = name.partition(".")[0]
        # A copy, as another thread may import something meanwhile.
        for called, one in tuple(vars(sys.modules[name]).items()):
            kind = type(one)
            plain = kind in CONTAINERS or kind is object
            if kind not in _NEVER and (plain or _package(kind) == package):
                _places.setdefault(id(one), set()).add((name, called))


def _package(kind: type) -> str:
    """The same as `package_of`, remembered."""
    package = _packages.get(kind)
    if package is None:
        package = _packages[kind] = package_of(kind)
    return package


def _rank(place: ModulePlace) -> tuple[int, int, str]:
    """What everybody uses is in a module whose name is short; a private one is of nobody."""
    return any(part.startswith("_") for part in place[0].split(".")), len(place[0]), place[1]


def is_of_process(place: ModulePlace) -> bool:
    return place[0].partition(".")[0] in PROCESS


_SAYS = 3
"""Characters of a name or a value that is told from others."""


def _is_in(words: bytes, chunks: Sequence[bytes]) -> bool:
    return any(words in chunk for chunk in chunks)


def content(value: Any) -> Any:
    """What it holds, in plain containers; None where it says that it holds nothing."""
    if is_a(value, dict):
        of_process = _OF_PROCESS.get(full_name(type(value)), ())
        return {key: one for key, one in dict.items(value) if key not in of_process}
    if is_a(value, list):
        return list.copy(value)
    if is_a(value, set):
        return set.copy(value)
    if is_a(value, decimal.Context):
        flags = {name: dict(getattr(value, name)) for name in ("flags", "traps")}
        return {name: getattr(value, name) for name in _CONTEXT} | flags
    reduced = value.__reduce_ex__(4)
    return reduced[2] if type(reduced) is tuple and len(reduced) > 2 else None


_CONTEXT = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


def find(place: ModulePlace) -> Any:
    """The one that is there. ImportError, AttributeError."""
    return decimal.getcontext() if place == CONTEXT else getattr(import_module(place[0]), place[1])


def fill(target: Any, held: Any) -> None:
    """Give it back what it held. What is in it stays the same object, as others may have that."""
    if is_a(target, dict):
        _fill_dict(target, held, {})
    elif is_a(target, list):
        # By the type's own methods here and below: a library's object may refuse or convert in its
        # own.
        list.__setitem__(target, slice(None), held)
    elif is_a(target, set):
        set.clear(target)
        set.update(target, held)
    elif is_a(target, decimal.Context):
        for name, one in held.items():
            setattr(target, name, one)
    elif hasattr(target, "__setstate__"):
        target.__setstate__(held)
    else:
        attributes, slots = held if type(held) is tuple else (held, {})
        if attributes:
            _fill_dict(vars(target), attributes, {})
        for name, one in (slots or {}).items():
            object.__setattr__(target, name, one)


def _fill_dict(target: dict[Any, Any], held: dict[Any, Any], done: dict[int, object]) -> None:
    """`done` are those that were begun, by their ids: one may hold itself."""
    done[id(target)] = target
    kind: type[dict[Any, Any]] = OrderedDict if is_a(target, OrderedDict) else dict
    of_process = _OF_PROCESS.get(full_name(type(target)), ())
    for key in [key for key in dict.keys(target) if key not in held and key not in of_process]:
        kind.__delitem__(target, key)
    for key, one in held.items():
        current = dict.get(target, key)
        if type(current) is dict is type(one) and current is not one:
            if id(current) not in done:
                _fill_dict(current, one, done)
        elif current is not one or key not in target:
            kind.__setitem__(target, key, one)
