"""objects of classes of a notebook or of a library -> their content on a walk."""

from __future__ import annotations

import ast
import enum
import functools
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from . import opaque_builtins
from .builtin_and_stdlib_types import CONTENT, Reader
from .functions_and_classes import class_data
from .introspection import (
    attributes,
    has_base,
    hides_content,
    is_library_class,
    is_python_class,
    kept_results,
    module_of,
    mro,
    name_of,
    namespace,
    origin,
    reduction,
    slots,
    state_method,
)
from .library_content import attributes_of_node, caches_of, node_parts, pixels_of
from .object_parts import Parts
from .walk_state import Walk

_CACHE: type = functools._lru_cache_wrapper
"""What it keeps is no content."""
_ESTIMATOR = "sklearn.base.BaseEstimator"
_ENUM_PASSING = frozenset(("__objclass__", "_sort_order_", "_inverted_"))
"""What Python adds to a member of an enumeration."""


class _Plan(NamedTuple):
    """How objects of a class are read. `base`: what they have from a type of Python. `hidden`: they
    hold more than that. `passing`: attributes that are no content."""

    name: str
    base: Reader | None
    slots: tuple[tuple[str, Callable[[Any], Any]], ...]
    hidden: bool
    passing: frozenset[str]

    def parts(self, walk: Walk, value: Any) -> Iterator[Any]:
        base = self.base(walk, value) if self.base else None
        held = attributes(value) or {}
        walk.attributes(held)
        pairs = held.items()
        if self.passing:
            # Only texts are looked up: another key may run code of its own when it is compared.
            pairs = [one for one in pairs if type(one[0]) is not str or one[0] not in self.passing]  # type: ignore[assignment]
        filled = list(_filled_members(value, self.slots)) if self.slots else ()
        walk.plain((len(pairs), len(filled)))
        return chain(base or (), chain.from_iterable(pairs), filled)


def find_reader(kind: type, sets: Mapping[type, Reader]) -> tuple[Reader, bool]:
    """How objects of a class that has no reader of its own are read, and whether they never change.
    `sets` reads what has no order."""
    if has_base(kind, ast.AST):
        return opaque_builtins.syntax, False
    if has_base(kind, BaseException) and module_of(kind) == "builtins":
        return opaque_builtins.exception, False
    every = (*CONTENT.items(), *opaque_builtins.CONTENT.items(), *sets.items())
    # By identity: what `==` and `hash` of a class do is a matter of its metaclass.
    readers = {id(base): reader for base, reader in every}
    base = next((readers[id(base)] for base in mro(kind) if id(base) in readers), None)
    hidden = hides_content(kind, frozenset((id(object), *readers)))
    plan = _Plan(name_of(kind), base, slots(kind), hidden, frozenset())
    if has_base(kind, enum.Enum):
        shared = is_library_class(kind) and not hidden
        return _member(plan._replace(passing=_ENUM_PASSING), shared), shared
    if module_of(kind) == "__main__":
        return _own(plan), False
    if has_base(kind, tuple) and is_library_class(kind) and _is_bare(kind):
        return _tuple(plan), True
    # A cached property writes into its object when it is read first, which is no change of it.
    computed = (
        key
        for base in mro(kind)
        for key, one in namespace(base).items()
        if type(one) is functools.cached_property
    )
    return _foreign(kind, plan._replace(passing=frozenset((*computed, *caches_of(kind))))), False


def _is_bare(kind: type) -> bool:
    """Whether its objects have no attributes that can be set."""
    return not slots(kind) and not any("__dict__" in namespace(base) for base in mro(kind))


def _filled_members(value: Any, members: tuple[tuple[str, Any], ...]) -> Iterator[Any]:
    for name, read in members:
        try:
            found = read(value)
        except AttributeError:  # nothing is in it
            continue
        yield from (name, found)


def _own(plan: _Plan) -> Reader:
    """A class of the notebook."""
    name = b"\xffobject.%b;" % plan.name.encode("utf-8", "surrogatepass")

    def reader(walk: Walk, value: Any) -> Parts:
        walk.atomic = False
        walk.out.append(name)
        if plan.hidden:
            walk.skip()
        shared = [*chain.from_iterable(class_data(type(value)))]
        walk.plain(len(shared))
        return chain(shared, plan.parts(walk, value))

    return reader


def _tuple(plan: _Plan) -> Reader:
    """A named tuple of a library."""

    def reader(walk: Walk, value: Any) -> Parts:
        walk.tag("tuple." + plan.name)
        return plan.base(walk, value) if plan.base else None

    return reader


def _foreign(kind: type, plan: _Plan) -> Reader:
    """A class of a library: what it holds is its own affair. So only what lies open is read, and of
    that neither what it computed once, nor what lies within another such object: it may be a cache
    that changes when it is used. A model within a model is read, and so is what
    `library_content` knows."""
    pixels, names = pixels_of(kind), attributes_of_node(kind)
    everything = plan._replace(passing=frozenset())
    nested = pixels is not None or any(name_of(base) == _ESTIMATOR for base in mro(kind))
    opens = is_python_class(kind)
    state = state_method(kind)
    reduced = reduction(kind) if plan.hidden and state is None else None

    def reader(walk: Walk, value: Any) -> Parts:
        walk.tag("object." + plan.name)
        walk.complete = walk.atomic = False
        if not opens and (known := origin(value)) is not None:  # a function of C
            walk.tag(known)
            return None
        if walk.extents is not None:  # what it shares lies anywhere in it
            walk.followed &= not plan.hidden or state is not None
            held = kept_results(value) if kind is _CACHE else ()
            told = () if state is None else (state(value),)
            return chain(everything.parts(walk, value), held, told)
        if names is not None:
            base = plan.base(walk, value) if plan.base else None
            return chain(base or (), node_parts(value, names, plan.slots))
        # A type of C in Python's own library tells all that a copy of it would need.
        if state is not None:
            return (state(value),)
        if walk.opens and reduced is not None:
            return chain(reduced(value)[1:], plan.parts(walk, value))
        is_closed = not opens or (walk.within and not nested and not walk.opens)
        if kind is not _CACHE and (plan.hidden or (opens and is_closed)):
            walk.miss()
        if is_closed:
            return None
        if pixels is not None:
            pixels(walk, value)
        return walk.library_parts(plan.parts(walk, value))

    return reader


def _member(plan: _Plan, shared: bool) -> Reader:
    """A member of an enumeration."""

    def reader(walk: Walk, value: Any) -> Parts:
        walk.atomic &= shared
        walk.tag("enum." + plan.name)
        if plan.hidden:
            walk.skip()
        return plan.parts(walk, value)

    return reader
