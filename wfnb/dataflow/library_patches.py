"""classes of libraries -> what code has put into them, and which code that concerns.

`pd.DataFrame.total = …` gives every frame a method, whatever its name and whoever made it. So each
attribute that is set on such a class is a place, which code reads that uses the library. That it is
set shows by the text, or, where it runs code (a method, a property, an accessor that a decorator
registers), by the class itself: those that were met are looked at before and after each cell.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from itertools import islice
from operator import is_
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from .fingerprint import (
    Fingerprint,
    attributes,
    fingerprint,
    is_library_class,
    module_of,
    mro,
    namespace,
    registered_names,
)
from .module_attribute_mentions import Pair
from .user_modules import chain_start, is_own

_MAX_CLASSES: Final = 300
_REGISTER: Final = "register"
"""What `numbers.Number.register(C)` changes goes by the name of this method."""
_ASKING: Final = ("getattr", "hasattr")
_NOTHING: Final = object()

# By identity: a metaclass may have an `==` and a hash of its own.
_ATOMS: Final = frozenset(map(id, (int, float, complex, str, bytes, bool, type(None))))
_CONTAINERS: Final = frozenset(map(id, (list, tuple, set, frozenset)))
_HOLDERS: Final = ("__main__", "types", "argparse")
"""Modules of objects that hold what the notebook gives them."""
_LOOKED_AT: Final = 30
_FIRST: Final = 10
"""Objects that are looked at from one value, and from one of those, for the library that each is
of."""

Attribute = tuple[type, str]


class _Place(NamedTuple):
    """`first` is what was there before code set it, and `library` that of its class."""

    library: str
    name: str
    first: Any


class LibraryClasses:
    """`_classes` has those that were met, by id (a class may not be hashable), each with what it
    held when it was last looked at."""

    def __init__(self) -> None:
        self._classes: dict[int, tuple[type, dict[str, Any]]] = {}
        self._places: dict[str, _Place] = {}

    def meet(self, values: Iterable[object]) -> None:
        """From now on, look at the classes among these values, and at those of the others."""
        for value in values:
            kind: Any = type(value)
            for base in mro(value if issubclass(kind, type) else kind):
                known = id(base) in self._classes or len(self._classes) >= _MAX_CLASSES
                if not known and is_library_class(base):
                    self._classes[id(base)] = base, dict(namespace(base))

    def changes(
        self, named: Iterable[Attribute], spoken: Container[str]
    ) -> dict[str, Fingerprint | None]:
        """The places that code has set which ended now: those that it names, and those where
        something else is that runs code, or of which it says the name, whatever it calls the class
        (`def mark(kind): kind.label = 3`). None: it is there no more."""
        found = dict[str, Fingerprint | None]()
        for kind, name in named:
            self._classes.setdefault(id(kind), (kind, {}))
            found |= self._look(kind, name) if name else {}
        for kind, before in [*self._classes.values()]:
            now = namespace(kind)
            # By identity: what stands in a class may have an `==` that runs anything.
            if len(now) == len(before) and all(map(is_, now.values(), before.values())):
                continue
            for name in now.keys() | before.keys():
                part = now.get(name, _NOTHING)
                is_mentioned = name in before or name in spoken or _runs(part)
                if is_mentioned and part is not before.get(name, _NOTHING):
                    found |= self._look(kind, name)
            self._classes[id(kind)] = kind, dict(now)
        return found

    def _look(self, kind: type, name: str) -> dict[str, Fingerprint | None]:
        module = module_of(kind)
        library = module.partition(".")[0]
        short = vars(sys.modules[library]).get(kind.__name__) if library in sys.modules else None
        place = f"{library if short is kind else module}.{kind.__qualname__}.{name}"
        _, before = self._classes[id(kind)]
        first = before.get(name, _NOTHING)
        first = self._places.setdefault(place, _Place(library, name, first)).first
        held = namespace(kind).get(name, _NOTHING)
        held = registered_names(kind) if name == _REGISTER else held
        return {place: None if held is first or held is _NOTHING else fingerprint(held)}

    def used(self, libraries: Iterable[str], names: Container[str]) -> set[str]:
        """The places that code uses with these libraries: of what was not there at first, those
        that it names."""
        found = {*libraries}
        return {
            key
            for key, place in self._places.items()
            if place.library in found
            and (place.first is not _NOTHING or place.name == _REGISTER or place.name in names)
        }

    def attributes(self, places: Iterable[str]) -> set[str]:
        """What these places are called on their class."""
        return {self._places[place].name for place in places}


def before_attributes(code: str, attributes: Collection[str], setters: Iterable[str]) -> str:
    """What the code does before it may set one of these attributes: before it binds it, names it in
    a text, or names a function that does so (`setters` are those of other cells).

    >>> before_attributes("x.n(); F.n = old(F.n); x.n()", {"n"}, ())
    'x.n()\\nold(F.n)\\npass'
    >>> before_attributes("def f(): F.n = 1\\nx.n(); f(); x.n()", {"n"}, ())
    'x.n()\\npass'
    """
    setting = {*setters}
    before: list[ast.stmt] = []
    for statement in ast.parse(code).body:
        sets = any(_sets(node, attributes, setting) for node in _nodes(statement))
        if not sets:
            before.append(statement)
        elif isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
            # A definition sets nothing until it is called; a decorator may call it at once.
            setting.add(statement.name)
        else:
            before += map(ast.Expr, _read_by_setting(statement))
            break
    return ast.unparse(ast.Module([*before, ast.Pass()], []))


def _read_by_setting(statement: ast.stmt) -> list[ast.expr]:
    """What is read before it sets something: what is assigned, and what has to be there to go."""
    if isinstance(statement, ast.Delete):
        return statement.targets
    return [statement.value] if isinstance(statement, ast.Assign) else []


def _nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """All but those that ask for an attribute by a text."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in _ASKING):
            yield node
            waiting += ast.iter_child_nodes(node)


def _sets(node: ast.AST, attributes: Collection[str], setting: Collection[str]) -> bool:
    if isinstance(node, ast.Attribute) and node.attr in attributes:
        # `register` changes a class by a call, all else by being bound.
        return node.attr == _REGISTER or not isinstance(node.ctx, ast.Load)
    named = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return named in attributes or getattr(node, "id", "") in setting


def attributes_named(pairs: Iterable[Pair], names: Mapping[str, Any]) -> Iterator[Attribute]:
    """The attributes of classes of libraries among attributes as they are written; of a class that
    a module has, none ("")."""
    for root, chain in pairs:
        value, chain = chain_start(names, root, chain)
        for attribute in chain.split("."):
            if type(value) is ModuleType:
                value = vars(value).get(attribute, _NOTHING)
                continue
            if issubclass(type(value), type) and is_library_class(value):
                yield value, attribute
            break
        else:
            if issubclass(type(value), type) and is_library_class(value):
                yield value, ""


def registers(attribute: Attribute) -> bool:
    """Whether to use it is to change the class."""
    kind, name = attribute
    return name == _REGISTER and bool(registered_names(kind))


def _runs(part: object) -> bool:
    """Whether it is a method, a property, an accessor, a class."""
    return issubclass(type(part), type) or any("__get__" in namespace(b) for b in mro(type(part)))


def libraries_of(values: Iterable[object]) -> set[str]:
    """The libraries that values come from, or what they hold, as far as that is looked at: of an
    object, those of all its classes."""
    found: set[str] = set()
    for value in values:
        waiting, met = [value], set[int]()
        while waiting and len(met) < _LOOKED_AT:
            each: Any = waiting.pop(0)
            kind = type(each)
            if id(each) in met or id(kind) in _ATOMS:
                continue
            met.add(id(each))
            waiting += _parts(each)
            if kind is ModuleType:
                found.add(str(each.__dict__.get("__name__")))
            elif kind is FunctionType or kind is BuiltinFunctionType:
                found.add(str(each.__module__))
            else:
                found.update(map(module_of, mro(each if issubclass(kind, type) else kind)))
    tops = {name.partition(".")[0] for name in found}
    return {name if name[:2] == "__" else name.removeprefix("_") for name in tops}


def _parts(value: object) -> list[object]:
    """Some of what it holds: of many, the first."""
    kind = type(value)
    if id(kind) in _CONTAINERS:
        return [*islice(value, _FIRST)]  # type: ignore[call-overload]
    if kind is dict:
        return [*islice(value.values(), _FIRST)]  # type: ignore[attr-defined]
    module = module_of(kind)
    held = attributes(value) if module in _HOLDERS or is_own(module) else None
    return [*islice(held.values(), _FIRST)] if held else []
