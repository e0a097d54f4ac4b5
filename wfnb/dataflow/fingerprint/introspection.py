"""an object of any class -> its attributes, its names, its origin; none of its class's code runs.

A class may answer `getattr`, `isinstance` or `len` as it likes, and may do anything meanwhile. So
everything is read by the descriptors of `type` itself, and by those that Python puts into a class.
"""

from __future__ import annotations

import abc
import functools
import gc
import io
import random
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_TYPE: Any = vars(type)
mro: Callable[[Any], tuple[type, ...]] = _TYPE["__mro__"].__get__
namespace: Callable[[Any], Mapping[str, Any]] = _TYPE["__dict__"].__get__
bases: Callable[[Any], tuple[type, ...]] = _TYPE["__bases__"].__get__
_base: Callable[[Any], type | None] = _TYPE["__base__"].__get__
_flags: Callable[[Any], int] = _TYPE["__flags__"].__get__
_module: Callable[[Any], Any] = _TYPE["__module__"].__get__
_qualname: Callable[[Any], Any] = _TYPE["__qualname__"].__get__
_basicsize: Callable[[Any], int] = _TYPE["__basicsize__"].__get__
_module_namespace: Callable[[Any], Any] = vars(types.ModuleType)["__dict__"].__get__
_MEMBER, _GETSET = types.MemberDescriptorType, types.GetSetDescriptorType
_registry: Any = vars(abc)["_get_dump"]
_HEAP = 1 << 9
"""The flag of a type that is made while the program runs, as all classes of Python are."""
_dictoffset: Callable[[Any], int] = _TYPE["__dictoffset__"].__get__
_itemsize: Callable[[Any], int] = _TYPE["__itemsize__"].__get__
_POINTER = tuple.__itemsize__


def has_base(kind: type, base: type) -> bool:
    return any(one is base for one in mro(kind))


def module_of(kind: type) -> str:
    """Empty where the class does not have a text there."""
    try:
        name = _module(kind)
    except AttributeError:
        return ""
    # A class may set its module to anything.
    return name if type(name) is str else ""


def name_of(kind: type) -> str:
    """
    >>> name_of(dict), name_of(random.Random)
    ('builtins.dict', 'random.Random')
    """
    return f"{module_of(kind)}.{_qualname(kind)}"


def is_python_class(kind: type) -> bool:
    return bool(_flags(kind) & _HEAP)


def attributes(value: Any) -> dict[Any, Any] | None:
    """The dict of an object; None where it has none, or its class has hidden it."""
    for kind in mro(type(value)):
        if _reads_dict(kind):
            held = namespace(kind)["__dict__"].__get__(value)
            return held if type(held) is dict else None
    return None


def has_attributes(kind: type) -> bool:
    """Whether its objects have a dict that can be read."""
    return any(map(_reads_dict, mro(kind)))


def _reads_dict(kind: type) -> bool:
    """Whether a class has the dict of its objects as Python puts it there."""
    found: Any = type(namespace(kind).get("__dict__"))
    return found is _GETSET or found is _MEMBER


def slots(kind: type) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Of a class: the names of its slots, and what reads each; bases first."""
    return tuple(
        (name, member.__get__)
        for base in reversed(mro(kind))
        for name, member in namespace(base).items()
        if type(member) is _MEMBER and name != "__dict__"
    )


def hides_content(kind: type, known: frozenset[int]) -> bool:
    """Whether its objects hold more than slots and a dict: the fields of a C type. `known` are the
    ids of the types of which it is known how to read them.

    >>> class Point: __slots__ = "x", "y"
    >>> hides_content(Point, frozenset()), hides_content(type(iter([])), frozenset())
    (False, True)
    """
    if _dictoffset(kind) and not any(_reads_dict(base) for base in mro(kind)):
        return True
    at: type | None = kind
    while at is not None and id(at) not in known:
        below = _base(at)
        if below is not None:
            own = namespace(at)
            fields = sum(type(one) is _MEMBER for one in own.values())
            fields += sum(type(own.get(name)) is _GETSET for name in ("__dict__", "__weakref__"))
            # A slot is a pointer, and so are the dict and the weak references: more are fields of
            # C.
            if _basicsize(at) - _basicsize(below) > _POINTER * fields:
                return True
            if _itemsize(at) != _itemsize(below):
                return True
        at = below
    return False


def state_method(kind: type) -> Callable[[Any], Any] | None:
    """Of a type of C in Python's own library: what gives the content of an object for a copy.

    >>> from xml.etree.ElementTree import Element
    >>> state_method(Element)(Element("a"))["tag"], state_method(dict)
    ('a', None)
    """
    own = namespace(kind).get("__getstate__")
    is_known = module_of(kind).partition(".")[0] in sys.stdlib_module_names
    return own if is_known and type(own) is types.MethodDescriptorType else None


def reduction(kind: type) -> Callable[[Any], Any] | None:
    """Of a type of C: what gives the content of an object for a pickle, if that is C, too. An
    iterator has none that may be asked: it may go on by it.

    >>> import datetime
    >>> reduction(datetime.date)(datetime.date(1, 1, 1))[1], reduction(type(iter([])))
    ((b'\\x00\\x01\\x01\\x01',), None)
    """
    for base in mro(kind):
        own = namespace(base)
        if base is object or own.get("__next__") is not None or has_base(kind, io.IOBase):
            return None
        for name in ("__reduce__", "__reduce_ex__", "__getstate__", "__reduce_cython__"):
            found: Any = own.get(name)
            if found is not None and type(found) is not types.FunctionType:
                return _reducer(found, name)
            if found is not None:
                return None
    return None


def _reducer(method: Any, name: str) -> Callable[[Any], Any]:
    if name == "__reduce_ex__":
        # Protocol 4, and not the newest, so that all Pythons give the same.
        return lambda value: method.__get__(value)(4)
    if name == "__getstate__":
        return lambda value: (None, method.__get__(value)())
    return lambda value: method.__get__(value)()


def origin(value: Any) -> str | None:
    """Where a module, function or class can be imported from; None for everything else, and for
    what the notebook defines.

    >>> import math
    >>> origin(math.sqrt), origin(math), origin(dict), origin(math.pi), origin(lambda: 1)
    ('math.sqrt', 'math', 'builtins.dict', None, None)
    """
    try:
        return _origin(value)
    except Exception:  # attributes that are not what they are named for
        return None


def _origin(value: Any) -> str | None:
    kind = type(value)
    if has_base(kind, types.ModuleType):
        name = _module_namespace(value).get("__name__")
        known = type(name) is str and name != "__main__" and sys.modules.get(name) is value
        return name if known else None
    for module, qualname in _names(value, kind):
        if type(module) is not str or type(qualname) is not str or module == "__main__":
            continue
        if find_imported(module, qualname) is value:
            return f"{module}.{qualname}"
    return None


def _names(value: Any, kind: type) -> Iterator[tuple[Any, Any]]:
    """The modules that may have it, each with the name under which."""
    if has_base(kind, type):
        yield module_of(value), _qualname(value)
    elif kind is types.FunctionType:
        yield value.__module__, value.__qualname__
    elif kind is types.BuiltinFunctionType:
        if value.__self__ is None or type(value.__self__) is types.ModuleType:
            yield value.__module__, value.__name__
    elif kind is types.MethodDescriptorType or kind is types.WrapperDescriptorType:
        owner = value.__objclass__
        yield module_of(owner), f"{_qualname(owner)}.{value.__name__}"
    elif kind is functools._lru_cache_wrapper or name_of(kind) == "numpy._ArrayFunctionDispatcher":
        held = attributes(value) or {}
        yield held.get("__module__"), held.get("__qualname__")
    elif name_of(kind) == "numpy.ufunc" and find_imported("numpy", "ufunc") is kind:
        # A ufunc does not say its module: these two have those that people use.
        yield "numpy", value.__name__
        yield "scipy.special", value.__name__
    elif _qualname(kind) == "cython_function_or_method" and hides_content(kind, frozenset()):
        yield value.__module__, value.__qualname__


def find_imported(module: str, qualname: str) -> Any:
    """What a module has under a name, if it was imported; None where there is nothing.

    >>> find_imported("random", "Random.seed") is random.Random.seed
    True
    >>> from enum import Enum
    >>> find_imported("enum", "Enum.__new__") is Enum.__new__
    True
    >>> find_imported("random", "dice")
    """
    # What was not imported is not imported for this: an import runs code.
    found: Any = sys.modules.get(module)
    if not has_base(type(found), types.ModuleType):
        return None
    held: Mapping[str, Any] = _module_namespace(found)
    *outer, last = qualname.split(".")
    for part in outer:
        owner = held.get(part)
        if not has_base(type(owner), type):
            return None
        held = namespace(owner)
    found = held.get(last)
    return found.__func__ if type(found) in (staticmethod, classmethod) else found


def constants(kind: type) -> Iterator[Any]:
    """What the module of a library's class holds, and its classes.

    >>> from configparser import Interpolation, RawConfigParser
    >>> RawConfigParser._DEFAULT_INTERPOLATION in [*constants(Interpolation)]
    True
    """
    if is_library_class(kind):
        held: Any = _module_namespace(sys.modules[module_of(kind)])
        for value in (*held.values(),):
            yield value
            if has_base(type(value), type) and module_of(value) == module_of(kind):
                yield from namespace(value).values()


def registered(kind: type) -> list[type]:
    """The classes that count as subclasses of an abstract one because they were registered."""
    if "_abc_impl" not in namespace(kind):
        return []
    # The registry has weak references: a class that is gone counts no more.
    found = (held() for held in _registry(kind)[0])
    return [each for each in found if each is not None]


def registered_names(kind: type) -> tuple[str, ...]:
    """What they are called."""
    return tuple(sorted(map(name_of, registered(kind))))


def is_library_class(kind: type) -> bool:
    """Whether it can be imported from where it says."""
    return module_of(kind) != "__main__" and find_imported(module_of(kind), _qualname(kind)) is kind


_STATEFUL = frozenset((id(io.IOBase), id(random.Random), id(types.CoroutineType)))
_STATEFUL_NAMES = frozenset(
    (
        *("numpy.random._generator.Generator", "numpy.random.bit_generator.BitGenerator"),
        *("numpy.random.mtrand.RandomState", "tempfile._TemporaryFileWrapper"),
    )
)


def is_iterator(value: Any) -> bool:
    """Whether use changes it: iterators, generators, files, generators of random numbers.

    >>> is_iterator(iter([])), is_iterator([])
    (True, False)
    """
    for base in mro(type(value)):
        own = namespace(base)
        if own.get("__next__") is not None or own.get("__anext__") is not None:
            return True
        if id(base) in _STATEFUL or name_of(base) in _STATEFUL_NAMES:
            return True
    return False


def kept_results(cache: Any) -> Iterator[object]:
    """What a function with a cache keeps. CPython's own traversal is the only way to it: before the
    function that is called comes the dict with the results, or with links; before it, where it is
    limited, a key and a result in turn."""
    parts = gc.get_referents(cache)
    at = next((i for i, part in enumerate(parts) if part is cache.__dict__.get("__wrapped__")), 0)
    if at and type(parts[at - 1]) is dict:
        links = [part for part in parts[: at - 1] if not _is_of_functools(part)]
        held = parts[at - 1].values()
        yield from (*links[1::2], *(value for value in held if not _is_of_functools(type(value))))


def _is_of_functools(part: object) -> bool:
    return type(part) is type and part.__module__ == "functools"
