"""what pickles call when they are read, to put what the notebook defined in its place.

The names here are in every store there is: they may not change. A function of the notebook gets the
user's namespace for its globals, not a copy of what it looked up when it was kept, so that it sees
what is defined later. What it needs and the namespace does not have is handed out beside it.
"""

from __future__ import annotations

import argparse
import io
import pickle
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property as _cached_property
from functools import lru_cache
from importlib import import_module
from random import Random
from types import CellType, CodeType, FunctionType
from typing import Any
from weakref import WeakSet

from . import cloudpickle_compat, singletons
from .class_digest import classes, digest, is_own
from .enum_members import give_back
from .object_arrays import remember

known: WeakSet[type] = WeakSet()
"""Classes by value that this process has already as they should be: defined, or read before. They
are live, and reading an instance does not turn them back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where what is read looks up names, and the names that are to come back.

    While pickles are read, code of the notebook runs (`__hash__`, `__setstate__`) and finds in the
    namespace what it needs.
    """

    namespace: dict[str, Any]
    wanted: Collection[str] = ()
    """The names that are to come back."""
    also: dict[str, Any] = field(default_factory=dict)
    """When all is read: what it needs and did not find in the namespace."""
    classes: set[str] = field(default_factory=set)
    """The names of classes that it has, and that are others in the namespace."""
    constants: set[str] = field(default_factory=set)
    made: dict[str, type] = field(default_factory=dict)
    """Its classes, by the id that cloudpickle gave them."""
    making: list[type] = field(default_factory=list)
    """Those made anew whose content is being read."""
    anew: set[type] = field(default_factory=set)
    """All that are made anew."""
    held: list[tuple[Any, dict[str, Any]]] = field(default_factory=list)
    """What members of other enumerations held."""
    names: list[str] = field(default_factory=list)
    """Those of the pickle that is read."""
    sharing: frozenset[str | None] = frozenset()
    """Names that are in one pickle with others."""
    separate_classes: frozenset[type] = frozenset()
    """Classes that are made anew though they are live."""
    live: list[tuple[Any, Any]] = field(default_factory=list)
    """Objects of libraries with what they held."""
    copied: list[Any] = field(default_factory=list)
    """Copies of such objects, or what stands for one that no module has."""
    copies: bool = False
    """Whether all objects of libraries are copied."""
    held_before: Mapping[str, Any] = field(default_factory=dict)
    """What the namespace had before, and what will be put into it and was read before."""
    covered: set[str] = field(default_factory=set)
    """The names under which what code needs lies in the namespace meanwhile."""

    def is_requested(self, place: int) -> bool:
        return self.names[place] in self.wanted


_CONSTANTS = frozenset((type(None), bool, int, float, complex, str, bytes))
_SCOPE: ContextVar[Scope] = ContextVar("scope")


@contextmanager
def scope(
    namespace: dict[str, Any],
    wanted: Collection[str] = (),
    sharing: Iterable[str] = (),
    apart: frozenset[type] = frozenset(),
    copies: bool = False,
    above: Mapping[str, Any] | None = None,
) -> Iterator[Scope]:
    """Pickles are read in this block."""
    # The namespace is put back after the block: restoring only says what came back, and the caller
    # decides what goes in.
    before, above = dict(namespace), above or {}
    given = Scope(
        namespace=namespace,
        wanted=wanted,
        sharing=frozenset(sharing),
        separate_classes=apart,
        copies=copies,
        held_before={**before, **above},
        covered={*above},
    )
    token = _SCOPE.set(given)
    try:
        namespace.update(above)
        yield given
    finally:
        _SCOPE.reset(token)
        for name in given.covered:
            if name in before:
                namespace[name] = before[name]
            else:
                namespace.pop(name, None)


def make_function(
    code: CodeType, closure: tuple[CellType, ...] | None, module: str
) -> FunctionType:
    """A function that looks up names in a module, or in the user's namespace where that is ""."""
    space = vars(import_module(module)) if module else _SCOPE.get().namespace
    return FunctionType(code, space, None, None, closure)


def bind_function(function: FunctionType, state: tuple[dict[str, Any], dict[str, Any]]) -> None:
    attributes, slots = state
    function.__dict__.update(attributes)
    slots = cloudpickle_compat.function_slots(slots)
    for name, value in slots.pop("__globals__").items():
        _offer(name, value)
    for cell, old_cell in zip(
        function.__closure__ or (), slots.pop("__closure__") or (), strict=True
    ):
        try:
            cell.cell_contents = old_cell.cell_contents
        except ValueError:  # it was empty then
            continue
    for name, value in slots.items():
        setattr(function, name, value)


def make_class(
    make: Callable[..., type], arguments: tuple[Any, ...], name: str | None, definition: str
) -> type:
    """The class for the objects that are restored, by the first rule that holds:

    1. the class that the namespace has under `name`, if its digest is that of `definition`: a cell
       has defined it again;
    2. the class that the objects were made of, as it is now, unless another took its name or the
       class itself is to be restored;
    3. a new class, made from the pickle, and so are the classes in it.

    A class that is restored with what it shares with other names is always a new one."""
    now = _SCOPE.get()
    identity = cloudpickle_compat.identity_of(arguments)
    if identity in now.made:
        return now.made[identity]
    live = cloudpickle_compat.live_class(identity)
    names = now.held_before
    bound = names.get(name) if name is not None else live
    wanted = name in now.wanted
    inner = name is None and bool(now.making)
    certain = not ((wanted or inner) and definition.endswith("?"))
    own = (
        one for one in (bound, live) if certain and is_own(one) and one not in now.separate_classes
    )
    same = (one for one in own if digest(one) == definition and not (wanted and _shares(one, name)))
    other = wanted or inner or live is not bound or live in now.separate_classes
    cls = next(same, None if other else live)
    # Marked as known, so that reading an instance does not fill the live class with old content.
    if cls is not None:
        known.add(cls)
    else:
        cls = cloudpickle_compat.new_class(make, arguments, track=live is None)
        now.making.append(cls)
        now.anew.add(cls)
    now.made[identity] = cls
    if name in names and bound is not cls and not wanted:
        now.classes.add(str(name))
    return cls


def _shares(kind: type, name: str | None) -> bool:
    """Whether a class shares something with other names that come back, or refers to one that does.
    What is shared with members of an enumeration is given back to them."""
    sharing = _SCOPE.get().sharing
    plain = bool(sharing) and not issubclass(kind, Enum)
    return plain and not sharing.isdisjoint({name, *(one.__name__ for one in classes(kind))})


def bind_class(cls: type, state: tuple[Any, ...]) -> None:
    """`state` is its content, the name that the namespace had for the class, if it had one, and of
    an enumeration what its members hold."""
    content, name, *members = state
    now = _SCOPE.get()
    if now.making and now.making[-1] is cls:
        now.making.pop()
    anew = cls not in known
    if anew or (cls in now.anew and name in now.names):  # it was met in the pickle of another
        known.add(cls)
        cloudpickle_compat.fill_class(cls, content)
    if anew or name in now.wanted:
        for one, held in members[0].items() if members else ():
            bind_member(member(cls, one), held)
    if name is not None:
        _offer(name, cls)


def atoms(content: Any, shape: tuple[int, ...], order: str) -> Any:
    """An array of strings and other plain objects, from a pickle beside the pickle."""
    import numpy  # noqa: PLC0415  (there for who has such an array)

    values = _Plain(io.BytesIO(content)).load()
    objects: Any = numpy.empty(len(values), dtype=object)
    # `numpy.array(values)` would make something of nested lists and of strings of one length.
    objects[:] = values
    # A copy: what is remembered has to stay as it was read when the user changes the array.
    array = objects.copy().reshape(shape, order=order)
    remember(array, objects, bytes(content))
    return array


def belonging(module: str, name: str, kind: str) -> Any:
    """The one object of that name that a module has. A plain container (`kind`) that it no longer
    has is made anew."""
    now, place = _SCOPE.get(), (module, name)
    try:
        target = singletons.find(place)
    except (ImportError, AttributeError):
        if not kind:
            raise
        target = {one.__name__: one for one in singletons.CONTAINERS}[kind]()
        now.copied.append(target)
        return target
    if now.copies and not singletons.is_of_process(place):
        target = copy(target)
        now.copied.append(target)
    return target


def bind_belonging(target: Any, held: Any) -> None:
    """It gets what it held when it is put into the namespace."""
    now = _SCOPE.get()
    if any(one is target for one in now.copied):
        singletons.fill(target, held)
    else:
        now.live.append((target, held))


def member(kind: Any, name: str) -> Any:
    return kind._member_map_[name]


def holding(
    values: tuple[Any, ...], held: list[tuple[Any, dict[str, Any], tuple[int, ...]]]
) -> tuple[Any, ...]:
    """With each member of an enumeration come the places of the values that it is in."""
    for one, state, places in held:
        if any(_SCOPE.get().is_requested(place) for place in places):
            bind_member(one, state)
    return values


def bind_member(target: Any, held: dict[str, Any]) -> None:
    """One of a class that is live gets it when it is put into the namespace."""
    now = _SCOPE.get()
    if type(target) in now.anew:
        give_back(target, held)
    else:
        now.held.append((target, held))


class _Plain(pickle.Unpickler):
    """Reads what needs no code: what is beside a pickle is not signed."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == ("builtins", "complex"):
            return complex  # the one plain number that is written as a call
        raise pickle.UnpicklingError("there is code where none should be")


def lent(
    lender: Any,
    dtype: Any,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    at: int,
    written: bool,
) -> Any:
    """An array in the memory of another object, that lies there from byte `at` on."""
    import numpy  # noqa: PLC0415  (as above)

    is_memory = type(lender) is numpy.ndarray
    # This holds the memory, that nobody moves it.
    room = lender if is_memory else numpy.frombuffer(lender, "u1")
    array = numpy.ndarray(shape, dtype, room, at, strides)
    array.flags.writeable = written
    return array


def lent_element(*place: Any) -> Any:
    """One with fields is a view into the memory where it is."""
    return lent(*place)[()]


def new(kind: Any) -> Any:
    return object.__new__(kind)


def set_attributes(target: Any, state: dict[str, Any]) -> None:
    # Past the class, whose own `__getattribute__` may need what is only being set.
    object.__getattribute__(target, "__dict__").update(state)


def begun(kind: Any, plain: dict[str, Any]) -> Any:
    """With a part of its attributes: its hash may be asked for before it has the others."""
    target = object.__new__(kind)
    set_attributes(target, plain)
    return target


def set_again(target: Any, state: dict[str, Any]) -> None:
    """All of them, in their order."""
    object.__getattribute__(target, "__dict__").clear()
    set_attributes(target, state)


def raised(kind: Any, arguments: tuple[Any, ...]) -> Any:
    return BaseException.__new__(kind, *arguments)


def set_chain(error: Any, state: tuple[Any, tuple[Any, Any, bool]]) -> None:
    """Its own state, and the exceptions before it."""
    held, (cause, context, suppresses) = state
    if held is not None:
        error.__setstate__(held)
    error.__cause__, error.__context__ = cause, context
    error.__suppress_context__ = suppresses


def value_of(kind: Any, built_in: Any, held: tuple[Any, ...]) -> Any:
    return built_in.__new__(kind, *held)


def made_by_base(kind: Any, base: Any, content: tuple[Any, ...]) -> Any:
    target = base.__new__(kind, *content)
    if base.__init__ is not object.__init__:
        base.__init__(target, *content)
    return target


def fill(target: Any, state: tuple[Any, tuple[Any, ...], Any]) -> None:
    """`state` is a base, the content that it is filled with, and what the class adds to it."""
    base, content, added = state
    _FILL.get(base, base.__init__)(target, *content)
    if added is not None:
        set_added(target, added)


def _fill_ordered(target: Any, items: list[tuple[Any, Any]]) -> None:
    for key, value in items:
        OrderedDict.__setitem__(target, key, value)


_FILL: Mapping[Any, Callable[..., None]] = {
    Counter: dict.update,
    OrderedDict: _fill_ordered,
    Random: Random.setstate,
}
"""Bases whose `__init__` asks the class for its methods."""


def set_added(target: Any, added: Any) -> None:
    of_random = vars(Random)["__setstate__"]
    if getattr(type(target), "__setstate__", of_random) is not of_random:
        target.__setstate__(added)
        return
    attributes, slots = added if type(added) is tuple else (added, {})
    if attributes:
        set_attributes(target, attributes)
    set_slots(target, (slots, {}))


def set_slots(target: Any, state: tuple[dict[str, Any] | None, dict[str, Any]]) -> None:
    for held in filter(None, state):
        for name, value in held.items():
            object.__setattr__(target, name, value)


def cached_property(function: Any, name: str | None) -> Any:
    made = _cached_property(function)
    made.attrname = name
    return made


def set_suppressed(target: Any, state: dict[str, Any]) -> None:
    """What argparse tells from all other texts by its identity."""
    for name, value in state.items():
        sign = type(value) is str and value == argparse.SUPPRESS
        target.__dict__[name] = argparse.SUPPRESS if sign else value


def polars_frame(table: Any) -> Any:
    import polars  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415  (as above)

    return polars.from_arrow(table)


def view(base: Any, name: str, mapping: Any) -> Any:
    return getattr(base, name)(mapping)


def viewed(array: Any, dtype: Any) -> Any:
    return array.view(dtype)


def set_array(array: Any, state: tuple[tuple[Any, ...], dict[str, Any]]) -> None:
    elements, attributes = state
    array.__setstate__(elements)
    set_attributes(array, attributes)


def repeated(array: Any, shape: tuple[int, ...]) -> Any:
    import numpy  # noqa: PLC0415  (as above)

    return numpy.broadcast_to(array, shape)


def cached(function: Callable[..., Any], parameters: dict[str, Any]) -> Callable[..., Any]:
    again: Callable[..., Any] = lru_cache(**parameters)(function)
    return again


def _offer(name: str, value: Any) -> None:
    now = _SCOPE.get()
    names = now.held_before
    if name not in now.covered and (name not in names or name in now.wanted):
        now.covered.add(name)
        now.namespace[name] = value
    if name not in names:
        now.also.setdefault(name, value)
    elif type(value) in _CONSTANTS:
        bound = names[name]
        if type(bound) is not type(value) or repr(bound) != repr(value):  # nan is not nan
            now.constants.add(name)
