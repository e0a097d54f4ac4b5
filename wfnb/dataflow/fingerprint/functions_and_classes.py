"""functions, classes and modules -> their content on a walk: never all that they do.

What can be imported is known by its name, what the notebook defines by what it is made of.
"""

from __future__ import annotations

import enum
import functools
import sys
import types
from collections import deque, namedtuple
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from .builtin_and_stdlib_types import Reader
from .introspection import (
    attributes,
    bases,
    has_base,
    is_library_class,
    module_of,
    mro,
    name_of,
    namespace,
    origin,
    registered,
    registered_names,
)
from .object_parts import Parts
from .walk_state import Walk


def _mark_incomplete(walk: Walk) -> None:
    walk.complete = walk.atomic = False


def function(walk: Walk, value: types.FunctionType) -> Parts:
    """The names that it looks up when it is called are not followed, but for those that no module
    has."""
    _mark_incomplete(walk)
    name = origin(value)
    walk.tag("function." + (name or ""))
    if name is not None:
        return None
    names = value.__name__, value.__doc__
    held = *names, value.__code__, value.__defaults__, value.__kwdefaults__, attributes(value)
    own = *held, _annotations(value)
    looked_up = names_of_no_module(value)
    if looked_up:
        walk.atomic = False
        walk.attributes(value.__globals__)  # another function of that script may bind them
    around = value.__closure__ or ()
    return (value.__module__, value.__qualname__, *own, *around, *chain(*looked_up.items()))


def names_of_no_module(value: types.FunctionType) -> dict[str, Any]:
    """What a function has under the names that it looks up in a script that `%run` ran, or in a
    dict that was given to `exec`: they are its own, as those of the function around another."""
    space = value.__globals__
    if "__name__" in space:
        return {}
    names: set[str] = set()
    waiting = [value.__code__]
    while waiting:
        code = waiting.pop()
        names.update(code.co_names)
        waiting += [const for const in code.co_consts if type(const) is types.CodeType]
    return {name: space[name] for name in sorted(names & space.keys())}


def _annotations(value: types.FunctionType) -> Any:
    """What tools read of its signature. From Python 3.14 on that is code, which is not run."""
    if sys.version_info >= (3, 14):
        found: Any = value.__annotate__
        return found and found.__code__
    return value.__annotations__ or None


def cell(walk: Walk, value: types.CellType) -> Parts:
    """What a function has from the one around it."""
    walk.atomic = False
    walk.tag("cell")
    try:
        return (value.cell_contents,)
    except ValueError:  # nothing is in it yet
        return None


def code(walk: Walk, value: types.CodeType) -> Parts:
    """Where it stands in a file is not of it."""
    walk.tag("code", value.co_flags)
    # Beside the instructions: which of them stand in a `try` shows in this table alone.
    walk.data(value.co_code + value.co_exceptiontable)
    walk.plain((value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount))
    names = value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars
    return value.co_name, *names, *value.co_consts


def method(walk: Walk, value: types.MethodType) -> Parts:
    _mark_incomplete(walk)
    walk.tag("method")
    return value.__func__, value.__self__


def built_in(walk: Walk, value: Any) -> Parts:
    """A function of C; bound to an object, it holds it."""
    _mark_incomplete(walk)
    name = origin(value)
    walk.tag("builtin." + (name or value.__name__))
    return None if name is not None else (value.__self__,)


def descriptor(walk: Walk, value: Any) -> None:
    """A method of a type of C, as it stands in that type."""
    _mark_incomplete(walk)
    walk.tag(f"descriptor.{name_of(value.__objclass__)}.{value.__name__}")


def tuple_field(walk: Walk, value: Any) -> Parts:
    """A field of a named tuple, as it stands in its class: its place, and what is said of it."""
    _mark_incomplete(walk)
    walk.tag("field")
    return value.__reduce__()[1]  # type: ignore[no-any-return]


def partial(walk: Walk, value: Any) -> Parts:
    _mark_incomplete(walk)
    walk.tag("partial")
    return value.func, value.args, value.keywords, attributes(value)


def module(walk: Walk, value: Any) -> Parts:
    _mark_incomplete(walk)
    name = origin(value)
    walk.tag("module." + (name or ""))
    if name is not None:
        return None
    walk.followed = False
    # Names with two underscores are the loader's: where the file lies, its spec.
    held = (attributes(value) or {}).items()
    return chain.from_iterable(
        (name, part)
        for name, part in held
        if type(name) is str and (name == "__name__" or not name.startswith("__"))
    )


def class_(walk: Walk, value: Any) -> Parts:
    """What stands in a class of the notebook, but for what Python writes there."""
    _mark_incomplete(walk)
    walk.tag("class." + name_of(value))
    if is_library_class(value):
        return None
    if module_of(value) != "__main__":  # a part of a library, made while it runs
        walk.followed = False
        return None
    # Where names that share objects are asked for, it holds them: one that is made anew is another.
    also = registered(value) if walk.extents is not None else ()
    held = namespace(value)
    own = ((name, part) for name, part in held.items() if _is_content(name, part))
    notes = held.get(_ANNOTATIONS) or None
    notes = getattr(notes, "__code__", notes)
    return chain(
        (registered_names(value), *also, type(value), *bases(value), notes),
        chain.from_iterable(own),
    )


_ANNOTATIONS = "__annotate_func__" if sys.version_info >= (3, 14) else "__annotations__"
"""What has them in a class; from Python 3.14 on that is code, which is not run."""
_OF_PYTHON = frozenset(
    (
        *("__module__", "__qualname__", "__firstlineno__", "__static_attributes__", "__dict__"),
        *("__weakref__", "__abstractmethods__", "__annotations_cache__", "_field_defaults"),
    )
)
"""What Python writes into a class, and can be seen otherwise; the defaults of a named tuple stand
in its method."""


def _is_content(name: Any, part: Any) -> bool:
    """Of `_value_`, `__doc__` and their like methods are, what is plain, and the fields of a data
    class. A text that Python made may show where an object lies."""
    if type(name) is not str or name in _OF_PYTHON or name == _ANNOTATIONS:
        return False
    if name[:1] == "_" and name[-1:] == "_":
        kind = type(part)
        if kind is str:
            return " at 0x" not in part
        return name == "__dataclass_fields__" or any(kind is one for one in _SHOWN)
    return True


def class_data(kind: type) -> Iterator[tuple[str, Any]]:
    """What objects of a class of the notebook share, but for what they do: `C.rate`, what a
    descriptor of the notebook's own keeps, and data that methods have from a function around
    them."""
    for base in mro(kind):
        if module_of(base) == "__main__":
            for name, part in namespace(base).items():
                if type(name) is not str:
                    continue
                of = type(part)
                if any(of is each for each in _METHODS):
                    yield from ((name, data) for data in _method_data(part))
                elif not (name[:1] == "_" and name[-1:] == "_") and _is_content(name, part):
                    binds = any("__get__" in namespace(each) for each in mro(of))
                    if not has_base(of, type) and (not binds or module_of(of) == "__main__"):
                        yield name, part


_METHODS = (types.FunctionType, staticmethod, classmethod, property)
_DATA = (int, float, str, bytes, list, dict, set, bytearray, deque)


def _method_data(part: Any) -> Iterator[Any]:
    """Data that a method keeps between its calls: what it has from a function around it, and the
    values that it takes where it is given none."""
    if type(part) is property:
        functions = [part.fget, part.fset, part.fdel]
    else:
        functions = [getattr(part, "__func__", part)]
    for each in functions:
        if type(each) is types.FunctionType:
            for around in each.__closure__ or ():
                with suppress(ValueError):  # nothing is in it yet
                    if _is_data(around.cell_contents):
                        yield around.cell_contents
            yield from filter(_is_data, each.__defaults__ or ())


def _is_data(value: object) -> bool:
    kind = type(value)
    return any(kind is each for each in _DATA) or module_of(kind) == "__main__"


_SHOWN = (
    *(types.FunctionType, staticmethod, classmethod, property),
    *(int, float, bool, bytes, tuple, type(None), enum.FlagBoundary),
)


def bound_slot(walk: Walk, value: Any) -> Parts:
    """A method of C of an object, `ids.__next__`: it holds that."""
    _mark_incomplete(walk)
    walk.tag("slot." + value.__name__)
    return (value.__self__,)


def static(walk: Walk, value: Any) -> Parts:
    """A method that is bound otherwise."""
    _mark_incomplete(walk)
    walk.tag(type(value).__name__)
    return (value.__func__,)


def property_(walk: Walk, value: property) -> Parts:
    _mark_incomplete(walk)
    walk.tag("property")
    return value.fget, value.fset, value.fdel


READERS: dict[type, Reader] = {
    types.FunctionType: function,
    types.CellType: cell,
    types.MethodType: method,
    types.BuiltinFunctionType: built_in,
    types.MethodDescriptorType: descriptor,
    types.WrapperDescriptorType: descriptor,
    types.MethodWrapperType: bound_slot,
    types.MemberDescriptorType: descriptor,
    types.GetSetDescriptorType: descriptor,
    types.ModuleType: module,
    type(vars(namedtuple("_", "at"))["at"]): tuple_field,
    functools.partial: partial,
    staticmethod: static,
    classmethod: static,
    property: property_,
}
