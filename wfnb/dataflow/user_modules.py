"""modules of the user's own -> their code, and the data that functions of them read and change.

A function of an installed library is known by its name. One of a module that the user writes is
not: its file changes, and it keeps registers and counters in its module and in its classes. So the
code that the notebook may call is followed there as in the notebook itself (`compiled`); what it
reads are data of its module, `settings.rate`.

Of a module counts the source that is loaded, not what has been written since. It is read when the
module is met first, and again after each reload, which changes its specification or its functions;
that of IPython's `autoreload` may change data alone, and notes which file it has loaded.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from importlib.machinery import PathFinder
from importlib.util import resolve_name
from itertools import accumulate, islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from wfnb.safe_attributes import is_installed

from .bytecode_effects import ATOMS, CACHE, Uses, uses
from .fingerprint import Fingerprint, find_imported, fingerprint, namespace
from .fingerprint import module_of as home
from .fingerprint.introspection import attributes
from .harmless_stdlib_calls import may_set
from .known_functions import LOADERS, OPAQUE_NAMES
from .module_attribute_mentions import TAKES_NAMES, Pair
from .source_effects import UNREADABLE, normalize

_MAX_FUNCTIONS: Final = 3000
"""Functions that are followed from those that are called."""
_MODULES: Final = 1000
"""Modules whose code counts, from those that are used."""
_MAX_ELEMENTS: Final = 1000
"""Elements of one container that are looked at."""
_WRAPPED: Final = 10
"""Functions, each of which wraps the next."""
_LOOKED_AT: Final = 200
"""Elements of containers among which functions and objects of own modules are looked for."""
_NEVER: Final = frozenset({"__main__", "__mp_main__"})
_FOREIGN: Final = frozenset({"logging", "threading", "_thread", "weakref", "contextvars", "typing"})
"""Libraries whose objects change whenever they are used, which changes no result."""
_NOTHING: Final = object()
_BUILTINS: Final = vars(builtins)


def is_own(module: str) -> bool:
    """Whether a module is neither Python's nor an installed library's, nor wfnb itself, which may
    be installed from where it is written."""
    never = module in _NEVER or module.partition(".")[0] == "wfnb"
    found = None if never else sys.modules.get(module)
    file = found.__dict__.get("__file__") if type(found) is ModuleType else None
    return type(file) is str and not is_installed(file)


def owner(value: object) -> str | None:
    """The module of the user's own that a value is, or comes from, or that has its class."""
    kind = type(value)
    if kind is ModuleType:
        name = value.__dict__.get("__name__")
    elif kind is FunctionType:
        # Not `__module__`, which `functools.wraps` takes from the function that is wrapped.
        name = value.__globals__.get("__name__")  # type: ignore[attr-defined]
    elif kind is CACHE:
        name = value.__dict__.get("__module__")
    elif kind is MethodType:
        return owner(value.__func__)  # type: ignore[attr-defined]
    else:
        name = home(value if issubclass(kind, type) else kind)  # type: ignore[arg-type]
    return name if type(name) is str and is_own(name) else None


# data


@dataclass(slots=True, eq=False)
class Use:
    """What code may do in modules. Data is named by its module and its name there."""

    reads: set[Pair] = field(default_factory=set)
    """Data that it reads."""
    writes: set[Pair] = field(default_factory=set)
    """Data that it writes."""
    changes: set[Pair] = field(default_factory=set)
    """Data that it changes in place."""
    attributes: set[Pair] = field(default_factory=set)
    """What it reads in any module."""
    assigned: set[Pair] = field(default_factory=set)
    """What it binds, deletes or changes in any module."""
    words: set[str] = field(default_factory=set)
    seeds: bool = False
    caches: list[object] = field(default_factory=list)
    """Functions that keep results."""
    names: set[str] = field(default_factory=set)
    """All that the code says."""
    suspect: bool = False
    """Whether it changes what it is called with."""
    sets: set[tuple[str, str]] = field(default_factory=set)
    """What of libraries it may set, and the method in which that is done, if it is one that runs
    where it is named."""
    library_values: list[object] = field(default_factory=list)
    """What it has of libraries: modules, functions, classes."""
    modules: list[ModuleType] = field(default_factory=list)
    """Of libraries, those of which it uses more than an attribute."""
    open: set[str] = field(default_factory=set)
    """Own modules of which it takes all names at once, so that it may read and bind any."""
    perhaps: set[Pair] = field(default_factory=set)
    """Data of these."""

    def copy(self) -> Use:
        return Use(
            {*self.reads}, {*self.writes}, {*self.changes}, {*self.attributes}, {*self.assigned},
            {*self.words}, self.seeds, [*self.caches], {*self.names}, self.suspect,
            {*self.sets}, [*self.library_values], [*self.modules], {*self.open},
        )  # fmt: skip

    def data(self) -> set[Pair]:
        return self.reads | self.writes | self.changes | self.perhaps


@dataclass(slots=True, eq=False)
class _LoadedModule:
    """The source of a module as it was loaded: the module's specification and its code then, when
    the file was written (None: not known), a version of its source, and the other own modules that
    it uses."""

    spec: object
    written: float | None
    parts: list[object]
    version: str
    others: tuple[str, ...]


def use_of(values: Iterable[object], whole: Iterable[object] = ()) -> Use:
    """What code does that has these values: functions, classes and objects of own modules, and
    modules of which it may use anything. Worked out once for the same functions and classes, until
    a module of theirs is another."""
    roots = {id(root): root for value in values for root in _roots(value)}
    roots |= {id(module): module for module in whole}
    modules = tuple(_modules(roots.values()).values())
    key = frozenset(roots)
    known = _used.get(key)
    if known is None or known[1] != modules:
        if len(_used) >= _MAX_FUNCTIONS:
            _used.clear()
        known = _used[key] = tuple(roots.values()), modules, _walk(roots.values())
    use = known[2].copy()  # who asks adds to it
    for name in use.open:
        use.perhaps.update(_all_data(name))
    return use


def _roots(value: Any) -> Iterator[object]:
    """The functions and classes of own modules by which a value is used."""
    kind = type(value)
    if kind is MethodType:
        yield from (*_roots(value.__func__), *_roots(value.__self__))
    elif kind is partial:
        yield from _roots(value.func)
    elif id(kind) in _CONTAINERS:
        for part in _contained_objects(value):
            yield from _roots(part)
    elif kind is not ModuleType and owner(value) is not None:
        code = kind is FunctionType or kind is CACHE or issubclass(kind, type)
        yield value if code else kind


def _contained_objects(container: object) -> Iterator[object]:
    """The first of the objects in a container, and in those that it contains, but for numbers and
    texts."""
    waiting, left = [container], _LOOKED_AT
    while waiting and left > 0:
        outer: Any = waiting.pop()
        for part in islice(dict.values(outer) if type(outer) is dict else outer, left):
            left -= 1
            if part is _BUILTINS:  # `exec` puts it into every namespace
                continue
            if id(type(part)) in _CONTAINERS:
                waiting.append(part)
            elif id(type(part)) not in ATOMS:
                yield part


_used: dict[frozenset[int], tuple[tuple[object, ...], tuple[_LoadedModule, ...], Use]] = {}
"""By the ids of functions and classes, which are held, so that no other has the same."""


def _walk(roots: Iterable[object]) -> Use:
    found, waiting = Use(), list(roots)
    met: set[int] = set()
    left, alive = _MAX_FUNCTIONS, list[object]()
    while waiting and left:
        value = waiting.pop()
        if id(value) in met:
            continue
        met.add(id(value))
        kind = type(value)
        if kind is FunctionType:
            if owner(value) is not None:
                left -= 1
                waiting += _follow(value, found)  # type: ignore[arg-type]
                waiting += _given(value)
                found.reads.update(_names_with_data(value))  # type: ignore[arg-type]
        elif kind is ModuleType:
            waiting += _whole_module(value, found)  # type: ignore[arg-type]
        elif issubclass(kind, type):
            waiting += _class_parts(value, found)
        else:
            alive.append(value)
            found.caches += [value] if kind is CACHE else []
            waiting += (*_roots(value), *_held_parts(value))
    return found


def _whole_module(module: ModuleType, found: Use) -> list[object]:
    """Of a module that is handed on as an object, anything may be used."""
    name = module.__dict__.get("__name__")
    if type(name) is not str or not is_own(name):
        found.modules.append(module)
        return []
    found.open.add(name)
    # Python puts its own names into each, and the shell's among them.
    parts = (part for part in module.__dict__.values() if part is not _BUILTINS)
    return [part for part in parts if type(part) is not ModuleType]


def _all_data(module: str) -> Iterator[Pair]:
    pairs = [*getattr(sys.modules.get(module), "__dict__", {}).items()]
    return ((module, n) for n, value in pairs if n[:2] != "__" and is_data(value))


def _held_parts(value: Any) -> Iterator[object]:
    """What an object holds that may be called: of a container, of an object of an own class."""
    kind = type(value)
    if kind is CACHE:
        yield value.__dict__.get("__wrapped__")
    elif kind is partial:
        yield from (value.func, *value.args, *value.keywords.values())
    elif id(kind) in _CONTAINERS and value is not sys.modules:
        parts = dict.values(value) if kind is dict else value
        yield from (part for part in islice(parts, _MAX_ELEMENTS) if id(type(part)) not in ATOMS)
    elif is_own(home(kind)):
        yield from (attributes(value) or {}).values()


def _follow(function: FunctionType, found: Use) -> Iterator[object]:
    space = function.__globals__
    module = str(space.get("__name__"))
    code = uses(function.__code__)
    found.words |= code.words
    found.names |= code.names
    found.seeds = found.seeds or code.seeds
    found.sets |= settings_of(code, space)
    found.suspect = found.suspect or (bool(code.mutated_parameters) and not code.only_makes)
    if TAKES_NAMES in code.words or not code.reads.isdisjoint(OPAQUE_NAMES):
        found.open.add(module)
    for name in code.reads | code.mutates:
        value = space.get(name, _NOTHING)
        # Where nothing is, a cell may put something.
        if is_data(value) or (value is _NOTHING and name not in _BUILTINS):
            found.reads.add((module, name))
        elif value is not _NOTHING:  # a cell may put another one there
            found.attributes.add((module, name))
        if _is_of_library(value):
            found.library_values.append(value)
        # Of a module that is only named before a dot, the attribute is used, and not all of it.
        if value is not _NOTHING and (type(value) is not ModuleType or name in code.bare):
            yield value
    yield from _imported(function, code.reaches)
    if not code.names.isdisjoint(LOADERS):
        yield from (sys.modules[each] for each in code.names & sys.modules.keys() if is_own(each))
    found.writes.update((module, name) for name in code.writes | code.deletes)
    found.changes.update((module, n) for n in code.mutates if is_data(space.get(n, _NOTHING)))
    for root, chain in code.attributes:
        end = resolve_chain(space, root, chain)
        if end is not None:
            found.attributes.add(end)
            if not is_own(end[0]):
                found.library_values.append(sys.modules[end[0]])
            value = value_given(end)
            if is_own(end[0]) and is_data(value):
                found.reads.add(end)
            yield value
    for root, chain in code.assigned:
        end = resolve_chain(space, root, chain)
        part: Any = space.get(root)
        if end is not None:
            found.assigned.add(end)
        elif issubclass(type(part), (type, FunctionType)) and owner(part) is not None:
            found.changes.add((str(owner(part)), part.__qualname__))


def settings_of(code: Uses, space: Mapping[str, Any]) -> set[tuple[str, str]]:
    """What of libraries the code may set for the whole process, as `Use` has it: by a call or a
    change of what stands in a module, or of a logger, which all code of the process finds."""
    method = code.name if code.is_method else ""
    pairs = (
        (root, chain)
        for root, chain in code.sets | code.assigned
        if (_reaches_library(space, root, chain) if root else not _names_own(chain))
        and not is_own((resolve_chain(space, root, chain) or ("", ""))[0])
    )
    called = (each for each in code.called if may_set(_path(space, *each)))
    return {(method, ".".join(filter(None, pair))) for pair in (*pairs, *called)}


def _path(space: Mapping[str, Any], root: str, chain: str) -> str:
    """The dotted name of what a chain means, with that of the module that it is of; empty where it
    is of none."""
    if not root:
        return chain
    value: Any = space.get(root)
    if type(value) is ModuleType:
        found = value.__dict__.get("__name__")
    elif id(type(value)) in _FUNCTIONS or issubclass(type(value), type):
        module = home(value) if issubclass(type(value), type) else value.__module__
        module = str(module).lstrip("_")
        found = f"{_HOMES.get(module, module)}.{value.__qualname__}"
    else:
        return ""
    return f"{found}.{chain}".rstrip(".")


_FUNCTIONS: Final = frozenset(map(id, (FunctionType, BuiltinFunctionType)))
_CONTAINERS: Final = frozenset(map(id, (dict, list, tuple, set, frozenset)))
_HOMES: Final = {"posix": "os", "nt": "os"}


def _reaches_library(space: Mapping[str, Any], root: str, chain: str) -> bool:
    """Whether a name is of a library, or what an attribute is taken of that is a part of it."""
    value = space.get(root, _NOTHING)
    if _is_of_library(value):
        return True
    for attribute in chain.split(".")[:-1]:
        value = (attributes(value) or {}).get(attribute)
        if _is_of_library(value):
            return True
    if type(value) is dict:
        value = [*value.values()]
    kind = type(value)
    return bool(chain) and (kind is list or kind is tuple) and any(map(_is_of_library, value[:100]))


def _names_own(chain: str) -> bool:
    """Whether a module that code imports itself, or what it takes of one, is of the user's own."""
    return any(map(is_own, accumulate(chain.split("."), "{}.{}".format)))


def _is_of_library(value: object) -> bool:
    """Whether that is a module or a logger, or a function or a class that is not the user's."""
    kind = type(value)
    if kind is FunctionType:
        return value.__globals__.get("__name__") not in _NEVER and owner(value) is None  # type: ignore[attr-defined]
    if issubclass(kind, type):
        return home(value) not in _NEVER and owner(value) is None  # type: ignore[arg-type]
    return (
        kind is ModuleType
        or kind is BuiltinFunctionType
        or home(kind).partition(".")[0] == "logging"
    )


def _given(function: Any) -> Iterator[object]:
    """What a function has from the one around it, and by default."""
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # nothing is in it yet
            yield cell.cell_contents


def _function_data(function: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """What a function keeps from call to call: in its closure, in a default that can be changed,
    and in attributes; with what the function keeps that it wraps."""
    for name, value in _held_by_function(function):
        if type(value) is FunctionType:
            yield from _function_data(value, depth + 1) if depth < _WRAPPED else ()
        elif is_data(value):
            yield name, value


def _names_with_data(function: FunctionType) -> Iterator[Pair]:
    """The names in its module of a function that keeps something."""
    if any(True for _ in _function_data(function)):
        space = [*function.__globals__.items()]
        yield from ((str(owner(function)), name) for name, value in space if value is function)


def _held_by_function(function: Any) -> Iterator[tuple[str, Any]]:
    names = function.__code__.co_freevars
    for name, cell in zip(names, function.__closure__ or (), strict=False):
        with suppress(ValueError):  # nothing is in it yet
            yield name, cell.cell_contents
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        if id(type(value)) not in ATOMS:
            yield "", value
    yield from function.__dict__.items()


def _imported(function: FunctionType, names: Iterable[str]) -> Iterator[object]:
    """Modules that a function imports itself."""
    package = function.__globals__.get("__package__")
    for name in names:
        with suppress(ImportError, ValueError, TypeError):
            whole = resolve_name(name, package)
            yield from (sys.modules.get(each) for each in (whole, whole.partition(".")[0]))


def _class_parts(kind: Any, found: Use) -> Iterator[object]:
    for base in kind.__mro__:
        # What is set on a class counts by its name in the module, and one made in a function has
        # none.
        if is_own(home(base)) and find_imported(home(base), base.__qualname__) is base:
            if any(True for _ in _class_data(base)):
                found.reads.add((home(base), base.__qualname__))
            yield from map(_function, namespace(base).values())
            yield from map(type, namespace(base).values())  # descriptors
            yield from (part for part in namespace(base).values() if type(part) is ModuleType)
            yield type(base)


def _function(part: Any) -> object:
    """The function that stands in a class."""
    if issubclass(type(part), (staticmethod, classmethod)):
        return part.__func__
    if type(part) is property:
        return part.fget
    return (
        part.func if type(part) is cached_property else part if type(part) is FunctionType else None
    )


def _class_data(kind: Any) -> Iterator[tuple[str, Any]]:
    for name, part in namespace(kind).items():
        if type(function := _function(part)) is FunctionType:
            yield from _function_data(function)
        elif not name.startswith("__") and is_data(part) and "__get__" not in dir(type(part)):
            yield name, part


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Of a class or a function, which have the same name whatever they hold, that."""
    if issubclass(type(value), type):
        return _class_data(value)
    return _function_data(value) if type(value) is FunctionType else iter(())


def is_data(value: object) -> bool:
    kind = type(value)
    if value is _NOTHING or issubclass(kind, (FunctionType, ModuleType, type, *_OTHERS)):
        return False
    return home(kind).partition(".")[0] not in _FOREIGN


_OTHERS: Final = (type(len), MethodType, staticmethod, classmethod, property, CACHE)


def resolve_chain(space: Mapping[str, Any], root: str, chain: str) -> Pair | None:
    """The module, and the attribute of it, that a chain leads to or through."""
    module, chain = chain_start(space, root, chain)
    for attribute in chain.split("."):
        if type(module) is not ModuleType:
            return None
        name = module.__dict__.get("__name__")
        # What an attribute is must be found again by the module's name.
        if type(name) is not str or sys.modules.get(name) is not module:
            return None
        value = module.__dict__.get(attribute)
        if type(value) is not ModuleType:
            # `matplotlib.rcParams` has other names in its package.
            whole = sys.modules.get(name.partition(".")[0])
            held = whole.__dict__.get(attribute, _NOTHING) if type(whole) is ModuleType else None
            is_one = held is value and id(type(value)) not in ATOMS and not is_own(name)
            return (name.partition(".")[0] if is_one else name), attribute
        module = value
    return None


def chain_start(space: Mapping[str, Any], root: str, chain: str) -> tuple[Any, str]:
    """What a chain begins with, and the rest of it: after no name, a module that is imported."""
    if root:
        return space.get(root, _NOTHING), chain
    name, _, rest = chain.rpartition(".")
    while name and name not in sys.modules:
        name, _, part = name.rpartition(".")
        rest = f"{part}.{rest}"
    return sys.modules.get(name, _NOTHING), rest


def content(pair: Pair) -> Fingerprint | None:
    """What data are now; None where they are not there."""
    value = value_of(pair)
    if value is _NOTHING:
        return None
    # Of a class or a function that can be imported a fingerprint has the name alone.
    return fingerprint(tuple(_parts(value)) if is_at_home(pair) else value)


def is_at_home(pair: Pair) -> bool:
    """Whether a function or a class is there that its module defines under this name."""
    value = value_of(pair)
    if type(value) is FunctionType:  # and no text that a cell has run there
        is_of_file = value.__code__.co_filename == value.__globals__.get("__file__")
    else:
        is_of_file = issubclass(type(value), type)
    return is_of_file and (owner(value), value.__qualname__) == pair


def public_names(module: object) -> Iterator[str]:
    """What `from MODULE import *` takes."""
    space = vars(module) if issubclass(type(module), ModuleType) else {}
    yield from space.get("__all__", [name for name in space if name[:1] != "_"])


def holders(objects: Iterable[object], modules: Iterable[str]) -> list[Pair]:
    """The names of these modules that hold one of the objects, where it can be changed: also as
    data of a class or a function."""
    ids = {id(each) for each in objects if id(type(each)) not in ATOMS and is_data(each)}
    spaces = [(n, sys.modules[n].__dict__) for n in (modules if ids else ()) if is_own(n)]
    return [
        (module, key)
        for module, space in spaces
        for key, value in [*space.items()]
        if id(value) in ids or any(id(part) in ids for _, part in _parts(value))
    ]


def value_of(pair: Pair) -> Any:
    module = sys.modules.get(pair[0])
    if type(module) is not ModuleType:
        return _NOTHING
    if pair[1] in module.__dict__:
        return module.__dict__[pair[1]]
    found = find_imported(*pair) if "." in pair[1] else None
    return _NOTHING if found is None else found


def value_given(pair: Pair) -> Any:
    """What an attribute is, or the function of its module that is asked for it."""
    value = value_of(pair)
    return value_of((pair[0], "__getattr__")) if value is _NOTHING else value


# code


_loaded: dict[str, _LoadedModule] = {}


def sources(values: Iterable[object]) -> dict[str, str]:
    """The own modules that these values come from, and those that these use, each with a version of
    its source."""
    return {name: loaded.version for name, loaded in _modules(values).items()}


def _modules(values: Iterable[object]) -> dict[str, _LoadedModule]:
    found: dict[str, _LoadedModule] = {}
    waiting = [name for name in {*map(owner, values)} if name is not None]
    reloader = _reloader() if waiting else None
    while waiting and len(found) < _MODULES:
        name = waiting.pop()
        if name not in found and is_own(name):
            found[name] = _look(name, reloader)
            waiting += found[name].others
    return found


def _look(name: str, reloader: Any) -> _LoadedModule:
    module = sys.modules[name]
    space = module.__dict__
    # what is held here keeps its id: nothing new is taken for it
    parts = _codes(list(space.values()), name)
    known = _loaded.get(name)
    if known is None or not _is_loaded(known, module, reloader) or known.parts != parts:
        version, imports = _source(module)
        others = {owner(value) for value in list(space.values())} | {*imports}
        used = tuple(sorted(filter(None, others - {name})))
        known = _LoadedModule(
            space.get("__spec__"), _loaded_from(module, reloader), parts, version, used
        )
        _loaded[name] = known
    return known


def source_version(name: str) -> str:
    """The version of a module's source: as it is loaded, else as an import would load it now."""
    if is_own(name):
        return _look(name, _reloader()).version
    file, within = None, None
    for length in accumulate(len(part) + 1 for part in name.split(".")):
        found = PathFinder.find_spec(name[: length - 1], within)
        if found is None:
            return ""
        file, within = found.origin, found.submodule_search_locations
    return _read_source(file)[0]


def reloaded(names: Iterable[str]) -> dict[str, str]:
    """Those of the modules that were loaded anew since they were met last, as `sources`."""
    found: dict[str, str] = {}
    reloader = _reloader()
    for name in names:
        module, known = sys.modules.get(name), _loaded.get(name)
        if type(module) is ModuleType and known and not _is_loaded(known, module, reloader):
            found[name] = _look(name, reloader).version
    return found


def _reloader() -> Any:
    """What loads modules anew for `autoreload`; None where it is not in use."""
    if "IPython.extensions.autoreload" not in sys.modules:
        return None
    shell = sys.modules["IPython.core.getipython"].get_ipython()
    magics = shell and shell.magics_manager.registry.get("AutoreloadMagics")
    return magics and magics._reloader


def _is_loaded(known: _LoadedModule, module: ModuleType, reloader: Any) -> bool:
    """Whether a module is as it was loaded then, but for functions that were put into it."""
    written = _loaded_from(module, reloader)
    if known.written is None:
        known.written = written
    return known.spec is module.__dict__.get("__spec__") and written in (None, known.written)


def _loaded_from(module: ModuleType, reloader: Any) -> float | None:
    """When the file was written that `autoreload` takes for loaded; None where it does not follow
    the module, or could not load it."""
    if reloader is None:
        return None
    space = module.__dict__
    written: float | None = reloader.modules_mtimes.get(space.get("__name__"))
    return None if reloader.failed.get(space.get("__file__")) == written else written


def _codes(values: list[Any], module: str) -> list[object]:
    """The code of functions and of methods among the values of a module, and its modules."""
    found: list[object] = [v.__code__ for v in values if type(v) is FunctionType]
    found += [value for value in values if type(value) is ModuleType]
    for value in values:
        if issubclass(type(value), type) and home(value) == module:
            functions = map(_function, tuple(namespace(value).values()))
            found += [each.__code__ for each in functions if type(each) is FunctionType]
    return found


def _source(module: ModuleType) -> tuple[str, Iterator[str]]:
    """A hash of the code in its file, without comments and layout; and the modules from which it
    imports something, be it a number."""
    version, imports = _read_source(module.__dict__.get("__file__"))
    return version, _resolved_names(imports, module.__dict__.get("__package__"))


def _read_source(path: object) -> tuple[str, tuple[str, ...]]:
    try:
        with open(str(path), "rb") as file:
            return _normal(file.read())
    except OSError:
        return "#", ()


def _resolved_names(names: Iterable[str], package: object) -> Iterator[str]:
    for name in names:
        with suppress(ImportError, ValueError, TypeError):
            yield resolve_name(name, package)  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _normal(text: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        tree = ast.parse(text)
        code = normalize(tree).encode("utf-8", "replace")
    except UNREADABLE:
        # It may not parse while somebody writes it.
        tree, code = ast.Module([], []), text
    names: set[str] = set()
    for node in ast.walk(tree):  # those of functions, too, which are no names of the module
        if isinstance(node, ast.ImportFrom):
            names.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return f"#{blake2b(code, digest_size=6).hexdigest()}", tuple(sorted(names))


def _is_alike(one: Any, other: Any) -> bool:
    """Whether two loads of a module have made the same of it: numbers, texts, and functions that do
    and have the same; of whatever else nobody knows what became of it."""
    if one is other or type(one) is not type(other):
        return one is other
    if type(one) is not FunctionType:
        return id(type(one)) in ATOMS and bool(one == other)
    if one.__code__ is other.__code__:
        return True
    pairs = zip(_all_held(one), _all_held(other), strict=False)
    is_as_long = len([*_all_held(one)]) == len([*_all_held(other)])
    return bool(one.__code__ == other.__code__ and is_as_long) and all(
        _is_alike(*pair) for pair in pairs
    )


def _all_held(function: Any) -> Iterator[Any]:
    yield from _given(function)
    yield from function.__dict__.values()


def _is_made_by_current(function: Any) -> bool:
    """Of a function that another one made, as a decorator does that hides what it wraps: whether
    those that the module has of it now are alike, or are made as it was of what is current."""
    space = getattr(sys.modules.get(str(owner(function))), "__dict__", {})
    every = [v for v in [*space.values()] if type(v) is FunctionType]
    now = [each for each in every if each.__qualname__ == function.__qualname__]
    if not now or any(_is_alike(function, each) for each in now):
        return True
    if all(each.__code__ != function.__code__ for each in now):
        return False
    known = [part for each in now for part in _all_held(each)]
    return all(
        is_current(part) or any(_is_alike(part, one) for one in known)
        for part in _all_held(function)
        if type(part) is FunctionType and owner(part) is not None
    )


def is_current(value: object) -> bool:
    """Whether the code of a value is that which its module has now: after a reload, a function
    that was imported before is not."""
    kind = type(value)
    if kind is FunctionType:
        current = find_imported(value.__module__, value.__qualname__)  # type: ignore[attr-defined]
        if type(current) is not FunctionType:
            return _is_made_by_current(value)
        return _is_alike(value, current)
    if kind is ModuleType or kind is MethodType or kind is CACHE:
        return True
    cls: Any = value if issubclass(kind, type) else kind
    current = find_imported(home(cls), cls.__qualname__)
    if current is cls or not issubclass(type(current), type):
        return True
    mine, now = _codes([cls], home(cls)), _codes([current], home(cls))
    # An exception, an enumeration without code of its own: it is another all the same.
    return bool(mine) and [*map(id, mine)] == [*map(id, now)]
