"""a class of the notebook -> a digest of what it says: equal for a class that a cell defined again.

Where it was defined, and what it was called with, is not in it: a cell that runs again, also in
another kernel, makes another class of the same definition. What is of no type that is known here to
be looked into whole counts by its pickle.
"""

from __future__ import annotations

import enum
import functools
import io
import sys
import types
import typing
from abc import ABC
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import BuiltinFunctionType, CodeType, FunctionType, MappingProxyType
from typing import Any, TypeGuard

from xxhash import xxh3_128

from wfnb.type_names import bases_of, full_name, is_a, module_of, package_of

from .cloudpickle_compat import CloudPickler, is_by_reference
from .immutable_types import says, without_place
from .keep_refusals import NotKept, refusal_reason
from .mutable_objects import ATOMS, are_atoms

_FLAGS = 0x3FF
"""Of code, what kind of function it is; not what was imported from `__future__`."""
_SIGNS = frozenset(
    (
        *("__dict__", "__weakref__", "__module__", "__firstlineno__", "__static_attributes__"),
        *("__annotate__", "__annotate_func__", "__annotations_cache__", "_abc_impl"),
        "__slotnames__",
        *("__abstractmethods__", "_member_map_", "_member_names_", "_value2member_map_"),
        *("_unhashable_values_", "_unhashable_values_map_", "_hashable_values_"),
    )
)
"""What Python adds to a class."""


_SAID = ("dataclasses", "enum")
"""Modules of what belongs to a definition: its attributes say all of it."""
_ATTRIBUTES = (
    *(types.SimpleNamespace, types.DynamicClassAttribute, functools.partialmethod),
    *(functools.singledispatchmethod, functools._lru_cache_wrapper),
)
"""Others of which that is so."""
_CONTENT: dict[type, Callable[[Any], Any]] = {
    **{kind: kind for kind in (list, tuple, set, frozenset, int, float, complex, str, bytes)},
    dict: lambda value: dict(dict.items(value)),
}
"""What an object of the notebook's subclass has besides its attributes."""
_CHANGEABLE = (list, dict, set, bytearray)
"""Plain objects that code may change."""
_BASES = frozenset((object, ABC, typing.Generic, typing.Protocol, *_CONTENT))
"""Bases that add nothing else to an object."""


def digest(kind: type) -> str:
    """32 hexadecimal digits; with a `?` where it has something that is not looked into, so that the
    same digest is no proof that all in it is the same."""
    outline = _Outline()
    try:
        found = outline.of_class(kind)
    except (RecursionError, ValueError):  # a number of many thousands of digits
        return "?"
    return f"{found}?" if outline.opaque else found


def classes(kind: type) -> list[type]:
    """A class of the notebook, and those that are met in it, also by objects of them."""
    outline = _Outline()
    outline.kinds.append(kind)
    with suppress(RecursionError, ValueError):
        while outline.kinds:
            if is_own(found := outline.kinds.pop()):
                outline.of_class(found)
    return [one for one, _ in outline.met.values() if is_own(one)]


def content(value: object) -> tuple[str, list[object]] | None:
    """A digest of all that a value holds, of what the notebook defined by what it says, and the
    objects that were met in it. None where something was not looked into."""
    outline = _Outline(whole=True)
    try:
        found = [outline.outline(value)]
        while outline.kinds:
            if is_own(kind := outline.kinds.pop()):
                found.append(outline.of_class(kind))
    except Exception:  # whatever a class of the user's raises
        return None
    met = [value, *(one for one, _ in outline.met.values())]
    return None if outline.opaque else (_hash(found), met)


def is_own(kind: object) -> TypeGuard[type]:
    """Whether that is a class by value: of the notebook, not of a module."""
    return is_a(kind, type) and not is_by_reference(kind)


class _Outline:
    """What is met, once each; `opaque` when something was not looked into. `kinds` are the classes
    of it, of modules, too. `whole`: also what a class is the same without, as the annotations of
    its methods."""

    def __init__(self, whole: bool = False) -> None:
        self.opaque = False
        self._whole = whole
        self._places: dict[int, int] = {}
        self.kinds: list[type] = []
        self.met: dict[int, tuple[object, str]] = {}

    def of_class(self, kind: type) -> str:
        if id(kind) not in self.met:
            self.kinds.append(type(kind))
            # Before the content: a class may hold itself, or objects of itself.
            self.met[id(kind)] = kind, "itself"
            self.met[id(kind)] = kind, _hash(self._in_class(kind))
        return self.met[id(kind)][1]

    def _in_class(self, kind: type) -> Any:
        bases = [
            self.of_class(base) if is_own(base) else _class_name(base) for base in kind.__bases__
        ]
        content = {name: value for name, value in vars(kind).items() if name not in _SIGNS}
        members: Any = ()
        if issubclass(kind, enum.Enum):
            members = [(name, self.outline(one._value_)) for name, one in kind.__members__.items()]
            # Members are said by their values; as attributes they would lead back to the class.
            content = {name: content[name] for name in content if name not in kind.__members__}
        said = {name: self.outline(value) for name, value in content.items()}
        return (
            _class_name(type(kind)),
            # The name may have been set by itself.
            (kind.__qualname__, kind.__name__) if self._whole else kind.__qualname__,
            bases,
            members,
            sorted(said.items(), key=repr),
        )

    def outline(self, value: Any) -> Any:
        """Short, however much there is in it."""
        kind = type(value)
        if kind in ATOMS:
            return kind.__name__, repr(value)
        if is_own(value):
            return self.of_class(value)
        if id(value) in self.met:
            # One list in two places is not two lists: what changes one of them shows which.
            again = self._whole and kind in _CHANGEABLE
            return ("again", self._places[id(value)]) if again else self.met[id(value)][1]
        self.kinds.append(kind)
        self._places[id(value)] = len(self._places)
        # The object is kept with its id, which could be given to another while this goes on.
        self.met[id(value)] = value, "itself"
        self.met[id(value)] = value, _hash((_class_name(kind), self._content(value, kind)))
        return self.met[id(value)][1]

    def _content(self, value: Any, kind: type) -> Any:
        if kind is CodeType:
            return self._code(value)
        if kind is FunctionType:
            return self._function(value)
        if kind in (types.MethodType, BuiltinFunctionType, types.MethodWrapperType):
            return self._method(value)
        if is_a(value, type):
            return _class_name(value)
        if kind in (staticmethod, classmethod):
            return self.outline(value.__func__)
        if kind is property:
            return self._all((value.fget, value.fset, value.fdel, value.__doc__))
        if kind is functools.cached_property:
            return self.outline(value.func)
        if kind is functools.partial:
            return self._all((value.func, value.args, value.keywords, vars(value)))
        if kind in (list, tuple):
            return repr(value) if are_atoms(value) else self._all(value)
        if kind in (set, frozenset):
            # The order of a set differs from process to process.
            return sorted(map(repr, self._all(value)))
        if kind in (dict, MappingProxyType):
            return self._all(value), self._all(value.values())
        return self._other(value, kind)

    def _other(self, value: Any, kind: type) -> Any:
        if self._whole and kind is types.ModuleType and not is_by_reference(value):
            return self._all(vars(value)), self._all(vars(value).values())
        if (said := says(value)) is not None:
            return said
        if _class_name(kind) == "numpy.ndarray":
            return self._array(value)
        if kind in _ATTRIBUTES or module_of(kind) in _SAID:
            return self._attributes(value)
        if all(map(_adds_nothing, bases_of(kind))):
            held = [make(value) for base, make in _CONTENT.items() if is_a(value, base)]
            return self._attributes(value), self._all(held)
        return self._pickle_digest(value)

    def _method(self, method: Any) -> Any:
        bound, function = method.__self__, getattr(method, "__func__", None)
        if bound is None or isinstance(bound, types.ModuleType):
            return without_place(method)
        return self.outline(bound), method.__name__, self.outline(function)

    def _array(self, array: Any) -> Any:
        if array.dtype.hasobject:
            return repr(array.dtype), array.shape, self._all(array.ravel().tolist())
        content = array.ravel().view("u1") if array.nbytes else b""
        # The order decides what `ravel('K')` gives, and the last bits of a sum.
        lies = (array.flags.c_contiguous, array.flags.f_contiguous, array.flags.writeable)
        more = lies if self._whole else ()
        return repr(array.dtype), array.shape, xxh3_128(content).hexdigest(), *more

    def _pickle_digest(self, value: Any) -> str | None:
        """None where that fails."""
        written = io.BytesIO()
        try:
            _Pickler(written, self).dump(value)
        except KeyboardInterrupt:
            raise
        except BaseException:  # of a class of the user's: it may exit
            self.opaque = True
            return None
        return str(xxh3_128(written.getbuffer()).hexdigest())

    def _function(self, function: FunctionType) -> Any:
        if is_by_reference(function):
            return function.__module__, function.__qualname__
        cells = []
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # empty
                cells.append(self.outline(cell.cell_contents))
        said = {  # but for what wfnb adds to a tool
            name: value
            for name, value in function.__dict__.items()
            if package_of(type(value)) != "wfnb"
        }
        given: tuple[Any, ...] = (function.__defaults__, function.__kwdefaults__, said)
        if self._whole:
            given = *given, function.__doc__, _annotations(function)
        return function.__name__, self._code(function.__code__), self._all(given), cells

    def _code(self, code: CodeType) -> Any:
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
        # Which instructions stand in a `try` shows in the table of exceptions alone.
        runs = code.co_code + code.co_exceptiontable
        return runs, self._all(code.co_consts), names, counts, code.co_flags & _FLAGS

    def _attributes(self, value: Any) -> Any:
        state = getattr(value, "__dict__", None)
        found: dict[str, Any] = dict(state) if type(state) is dict else {}
        for base in bases_of(type(value)):
            slots = vars(base).get("__slots__", ())
            for name in {*((slots,) if isinstance(slots, str) else slots)} - _SIGNS:
                private = name.startswith("__") and not name.endswith("__")
                attribute = f"_{base.__name__.lstrip('_')}{name}" if private else name
                with suppress(AttributeError):
                    found[attribute] = getattr(value, attribute)
        return sorted((name, repr(self.outline(one))) for name, one in found.items())

    def _all(self, values: Iterable[Any]) -> list[Any]:
        return [self.outline(value) for value in values]


class _Pickler(CloudPickler):
    """Writes what the notebook defined as what it says: where it was defined is no part of that."""

    def __init__(self, file: io.BytesIO, outline: _Outline) -> None:
        super().__init__(file, 5)
        self._of = outline.outline

    def reducer_override(self, obj: Any) -> Any:
        if what := refusal_reason(type(obj)):
            raise NotKept(what, obj)
        if is_own(obj) or (isinstance(obj, FunctionType) and not is_by_reference(obj)):
            return str, (self._of(obj),)
        return super().reducer_override(obj)


def _annotations(function: FunctionType) -> Any:
    """What tools read of its signature. From Python 3.14 on that is code, which is not run."""
    if sys.version_info >= (3, 14):
        return getattr(function.__annotate__, "__code__", None)
    return function.__annotations__


def _adds_nothing(base: type) -> bool:
    """Whether what an object has of that base is in its attributes, or in `_CONTENT`."""
    module = module_of(base)
    cells = is_own(base) and (module == "__main__" or module not in sys.modules)
    return base in _BASES or module in _SAID or cells


def _hash(found: Any) -> str:
    return str(xxh3_128(repr(found).encode("utf-8", "surrogatepass")).hexdigest())


def _class_name(kind: type) -> str:
    return full_name(kind)
