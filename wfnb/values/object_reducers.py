"""a class -> the reducer that makes its objects again, where pickle would make others, or fail.

Theory of operation
-------------------

Pickle recreates an object without calling `__init__`. It calls `cls.__new__(cls)`, or with the
content for subclasses of built-in values, and then fills in the attributes. For exceptions it calls
the class with `args`. That is right for most classes and fails for seven kinds, which a notebook
easily has. This module finds them by looking at the class, when a value is kept and not when it is
restored: a failure at restore loses the value.

    an exception with its own `__init__`
        pickle   calls the class with `args`, which may be too few
        here     it is made without `__init__`, with its `args` and attributes
    a tuple, str, int … with its own `__new__`
        pickle   calls that with the content, and so changes it a second time
        here     the built-in's `__new__` makes it
    a dict, list, set, deque … with its own `__setitem__`, `append`, `__init__`, `items` …
        pickle   reads and fills it by these, and so changes the content a second time
        here     the base's methods read and fill it (`builtin_subclass_content.py`)
    a subclass of `Counter`, `defaultdict`, `Decimal`, `datetime`, a path …
        pickle   asks the base, which calls the class and knows nothing of its attributes
        here     the base makes it, and its attributes are set
    its own `__hash__`, in a set or a dictionary that it refers to itself
        pickle   asks for its hash before it has attributes
        here     those that refer to nothing are set as it is made
    `__slots__` beside its own `__setattr__`
        pickle   sets the slots through it, and a frozen object refuses
        here     they are set past `__setattr__`
    its own `__new__` with needed arguments
        pickle   calls it without them, which fails
        here     it is refused when it is kept

A class that says itself how it is pickled (`__reduce__`, `__reduce_ex__`, `__getnewargs__`,
`__getnewargs_ex__`) is left alone.

Example:

    class Celsius(float):
        def __new__(cls, fahrenheit):
            return super().__new__(cls, (fahrenheit - 32) / 1.8)

Pickle would call `Celsius(100.0)` for an object that *is* 100.0, and give back 37.8. Here
`float.__new__(Celsius, 100.0)` is called.

The classes themselves, where they come from cells, are pickled by cloudpickle; whether a class is
still the same after its cell ran again is decided in `definition.py`.

Not taken: calling `__init__` with remembered arguments (it may read files, or count), and
`copyreg` for the user's classes (it changes them for everybody else in the process).
"""

from __future__ import annotations

import copyreg
from collections.abc import Container
from inspect import signature
from types import FunctionType
from typing import Any

from wfnb.type_names import bases_of, full_name, module_of

from . import binding
from .array_and_frame_reductions import Reduce
from .builtin_subclass_content import FILLED, FORGETFUL, MADE, Content
from .keep_refusals import NotKept

_VALUES = (tuple, str, int, float, complex, bytes, frozenset)
_OWN = {
    *("__getnewargs__", "__getnewargs_ex__", "__reduce__", "__reduce_ex__"),
    *("getstate", "setstate"),  # of a generator of random numbers
}
_STATE = {"__getstate__", "__new__", "__setattr__", "__setstate__", "__slots__"}
_PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes))
_FILLING = frozenset(
    ("__init__", "__iter__", "__new__", "__setitem__", "append", "extend", "items", "update")
)
"""By what pickle reads and fills containers."""


def reducer_for(kind: type) -> Reduce | None:
    """How objects of a class written in Python are reduced; None: as pickle does it."""
    bases = bases_of(kind)
    built_in = next(base for base in bases if _is_base(base))
    written = [base for base in bases if base not in bases_of(built_in)]
    said = {name: one for base in reversed(written) for name, one in vars(base).items()}
    if not written or not _OWN.isdisjoint(said):
        return None
    name = full_name(built_in)
    if name in MADE:
        return _made_by_base(built_in, MADE[name], said)
    if name in FILLED and (name in FORGETFUL or not _FILLING.isdisjoint(said)):
        return _filled_by_base(built_in, FILLED[name], said)
    if issubclass(built_in, BaseException):
        # A larger one (OSError) has fields in C that only its own `__init__` sets.
        plain = built_in.__basicsize__ == BaseException.__basicsize__
        return _reduce_error if plain and "__init__" in said and "__new__" not in said else None
    if built_in in _VALUES and type(_new(kind)) is FunctionType:
        return _value_of(built_in)
    if built_in is object and _asks_for_more(kind):
        return _refuse
    if built_in is object and type(kind.__hash__) is FunctionType and _STATE.isdisjoint(said):
        return _with_hash
    slots = any(one for name, one in said.items() if name == "__slots__")
    if slots and "__setattr__" in said and "__setstate__" not in said:
        return _with_slots
    return None


def _is_base(kind: type) -> bool:
    name = full_name(kind)
    return module_of(kind) == "builtins" or name in FILLED or name in MADE


def _new(kind: type) -> Any:
    return kind.__new__


def _asks_for_more(kind: type) -> bool:
    """Whether its own `__new__` needs what nobody gives it."""
    new = _new(kind)
    if type(new) is not FunctionType:
        return False
    try:
        signature(new).bind(kind)
    except TypeError:
        return True
    except ValueError:
        return False
    return False


def _reduce_error(error: Any) -> Any:
    return binding.raised, (type(error), error.args), error.__dict__ or None


def _value_of(built_in: type) -> Reduce:
    """Of a tuple, a number or a text with more: what is in it, and its attributes."""

    def reduce(value: Any) -> Any:
        state = object.__reduce_ex__(value, 5)[2]
        if built_in is frozenset:
            held: Any = (frozenset.union(frozenset(), value),)
        else:
            held = built_in.__getnewargs__(value)  # type: ignore[attr-defined]
        return binding.value_of, (type(value), built_in, held), state

    return reduce


def _with_hash(obj: Any) -> Any:
    attributes = object.__getattribute__(obj, "__dict__")
    plain = {name: value for name, value in attributes.items() if _is_plain(value)}
    if len(plain) == len(attributes):
        return NotImplemented
    return binding.begun, (type(obj), plain), attributes, None, None, binding.set_again


def _is_plain(value: Any) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_plain, value))
    return type(value) in _PLAIN


def _filled_by_base(base: type, content: Content, said: Container[str]) -> Reduce:
    def reduce(found: Any) -> Any:
        state = base, content(base, found), _added(base, found, said)
        return binding.value_of, (type(found), base, ()), state, None, None, binding.fill

    return reduce


def _made_by_base(base: type, content: Content, said: Container[str]) -> Reduce:
    def reduce(found: Any) -> Any:
        made = binding.made_by_base, (type(found), base, content(base, found))
        state = _added(base, found, said)
        return made if state is None else (*made, state, None, None, binding.set_added)

    return reduce


def _added(base: type, found: Any, said: Container[str]) -> Any:
    """What an object has besides its base: all that its class says, or its attributes and slots."""
    if "__getstate__" in said:
        return found.__getstate__()
    state = object.__getstate__(found)
    if type(state) is not tuple:
        return state
    attributes, slots = state
    of_base = copyreg._slotnames(base)  # type: ignore[attr-defined]
    slots = {name: value for name, value in slots.items() if name not in of_base}
    return (attributes, slots) if slots else attributes


def _with_slots(obj: Any) -> Any:
    """Pickle would set them by the class, which may not let it."""
    made, arguments, state, *_ = obj.__reduce_ex__(5)
    if made is not copyreg.__newobj__ or type(state) is not tuple:  # type: ignore[attr-defined]
        return NotImplemented
    return made, arguments, state, None, None, binding.set_slots


def _refuse(obj: Any) -> Any:
    raise NotKept(
        f"a {type(obj).__name__}, which is not made again without what it was made of", obj
    )
