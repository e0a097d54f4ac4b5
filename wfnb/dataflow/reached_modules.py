"""code, the names and the values that it has -> the modules that it can reach, and what of them it
may use.

Where a module stands before a dot, its attribute is known: `math.pi` (`module_attribute_mentions`).
All other ways to a module are one: code has it as an object. It names it alone, hands it on, finds
it in a list, a default or a class, imports it in a function, or gets it by a text. Then it may use
what of the module any of its code says. It may use all of it where code takes attributes by a text,
or has the module under a name of the notebook and does something else than taking an attribute:
what that gives the module to is not seen.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from types import ModuleType
from typing import Final

from wfnb.frozen_record import record

from .known_functions import LOADERS, LOOKUPS
from .module_attribute_mentions import Pair
from .user_modules import is_data

_LEFT_OUT: Final = frozenset({"sys", "__main__", "__mp_main__"})


@record
class ReachedModules:
    """By name: modules of which all may be used, and those of which what the code says."""

    whole: Mapping[str, ModuleType]
    partly: Mapping[str, ModuleType]
    spoken: frozenset[str]
    """The names in the code."""

    @property
    def all(self) -> dict[str, ModuleType]:
        return {**self.partly, **self.whole}

    def pairs(self, places: Collection[str]) -> set[Pair]:
        """What it may use of them: those attributes that it names, and of those of which all may be
        used their data, too, and what some code has set (`places`, each with its module)."""
        found: set[Pair] = set()
        for name, module in self.all.items():
            space, used = module.__dict__, {*self.spoken}
            if name in self.whole:
                parts = ((key, part) for key, part in [*space.items()] if key[:1] != "_")
                used |= {key for key, part in parts if not callable(part) and is_data(part)}
            found |= {
                (name, key) for key in used & space.keys() if type(space[key]) is not ModuleType
            }
        named = (place.rpartition(".") for place in places if self.whole)
        return found | {(module, key) for module, _, key in named if module in self.whole}


def reached_modules(
    alone: Iterable[object],
    held: Iterable[object],
    imports: Iterable[str],
    spoken: Collection[str],
    places: Iterable[str],
) -> ReachedModules:
    """`alone` are values of names that stand alone, and `held` what values hold; `imports` are
    names of modules, and of what may be one, that functions import; `spoken` are the names in all
    the code, and `places` what code has set of modules."""
    names = {*imports}
    if not LOADERS.isdisjoint(spoken):  # which one it loads, a text says, which may be put together
        dotted = [name.replace(":", ".") for name in spoken if "." in name or ":" in name]
        spoken = {*spoken, *(part for name in dotted for part in name.split("."))}
        names |= {name.rpartition(".")[0] for name in dotted}
        names |= {*spoken, *(place.rpartition(".")[0] for place in places)}
    partly = _named([*held, *map(sys.modules.get, names)])
    whole = _named(alone)
    if not LOOKUPS.isdisjoint(spoken):
        whole, partly = {**partly, **whole}, {}
    return ReachedModules(whole=whole, partly=partly, spoken=frozenset(spoken))


def _named(values: Iterable[object]) -> dict[str, ModuleType]:
    """Those that are modules and can be found again by their names."""
    modules = (value for value in values if type(value) is ModuleType)
    named = ((module.__dict__.get("__name__"), module) for module in modules)
    return {
        name: module
        for name, module in named
        if type(name) is str and sys.modules.get(name) is module and name not in _LEFT_OUT
    }
