"""a value -> its content, by a walk through all that it holds, within a budget."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from itertools import chain, islice
from marshal import dumps
from typing import Any, NamedTuple
from weakref import ref

from xxhash import xxh3_64_digest

from . import (
    arrays,
    builtin_and_stdlib_types,
    frames,
    functions_and_classes,
    instances,
    iterators,
    opaque_builtins,
    plain_containers,
    polars,
    time_zones,
)
from .builtin_and_stdlib_types import SHORT, SMALL, Reader
from .introspection import attributes, has_attributes, has_base
from .object_parts import Parts, UnsharedPart
from .walk_state import Walk

_DEPTH = 20
"""Sets within sets that are read."""
_REST = 64
"""Of what is not read any more, so much is counted."""


def read(walk: Walk, value: Any) -> None:
    """Write the content of a value. It ends when the budget is used up."""
    # No recursion: lists a thousand deep would end Python's own stack.
    stack: list[Iterator[Any]] = [iter((value,))]
    out, met = walk.out, walk.met
    while stack:
        try:
            for part in stack[-1]:
                if walk.objects_left <= 0:
                    _count_rest(walk, chain((part,), *reversed(stack)))
                    return
                walk.objects_left -= 1
                kind = type(part)
                key = id(kind)
                # Most parts are such: no reader is looked up for them, and nothing is kept.
                if key in SMALL or (kind is str and len(part) <= SHORT):
                    out.append(dumps(part, 2))
                    continue
                if walk.closely and plain_containers.write(walk, part):
                    walk.atomic = False
                    continue
                reader = _FIXED.get(key)
                if reader is None:
                    reader, fixed = _MUTABLE.get(key) or _reader(kind)
                    if not fixed:
                        if (name := met.get(id(part))) is not None:
                            out.append(name)
                            continue
                        met[id(part)] = b"\xff@%d;" % len(met)
                        # Kept alive: else another object may get its id before the walk ends.
                        walk.alive.append(part)
                try:
                    parts = reader(walk, part)
                except Exception:  # it is not what its type says, or it is being changed
                    walk.skip()
                    continue
                if parts is not None:
                    stack.append(iter(parts))
                    break
            else:
                stack.pop()
        except Exception:  # it is being changed by another thread, or not as its type says
            walk.skip()
            stack.pop()


_LENGTHS: dict[type, Callable[[Any], int]] = {
    kind: kind.__len__ for kind in (list, tuple, dict, set, frozenset, str, bytes, bytearray)
}


def _count_rest(walk: Walk, rest: Iterator[Any]) -> None:
    """Of what the budget does not reach, how long it is."""
    walk.skip()
    walk.exhausted = True
    for part in islice(rest, _REST):
        for kind, length in _LENGTHS.items():
            if type(part) is kind:
                walk.tag(kind.__name__, length(part))


def _set(walk: Walk, value: Any) -> None:
    walk.atomic = False
    _read_unordered(walk, value, set)


def _frozenset(walk: Walk, value: Any) -> None:
    _read_unordered(walk, value, frozenset)


def _read_unordered(walk: Walk, value: Any, kind: type[set[Any] | frozenset[Any]]) -> None:
    """Each element is read by itself, and the elements are in the order of their content. So an
    object that two of them hold is met anew in the second, and has the lesser of its two names
    behind the set: which element came first is no content."""
    size = kind.__len__(value)
    walk.tag(kind.__name__, size)
    # A part of a set would be those elements that happen to come first.
    if size > walk.objects_left or walk.depth >= _DEPTH:
        walk.skip()
        walk.exhausted = True
        return
    outer, known, pieces = walk.out, len(walk.met), []
    inner: dict[int, bytes] = {}
    walk.depth += 1
    try:
        for part in kind.__iter__(value):
            walk.out = []
            read(walk, part)
            content = xxh3_64_digest(b"".join(walk.out))
            pieces.append(content)
            while len(walk.met) > known:
                key, name = walk.met.popitem()
                name = b"\xff%b%b" % (content, name)
                walk.complete &= key not in inner
                inner[key] = min(name, inner.get(key, name))
    except RuntimeError:  # it is being changed by another thread
        walk.skip()
    finally:
        walk.out, walk.depth = outer, walk.depth - 1
    walk.met |= inner
    if not walk.exhausted:  # else it depends on their order which were read
        walk.out += sorted(pieces)


def _read_unshared(walk: Walk, part: UnsharedPart) -> Parts:
    kind = type(part.value)
    key = id(kind)
    reader = _FIXED.get(key) or (_MUTABLE.get(key) or _reader(kind))[0]
    outer, walk.bare = walk.bare, True
    try:
        return reader(walk, part.value)
    finally:
        walk.bare = outer


def _with_attributes(kind: type, reader: Reader, passing: frozenset[str] = frozenset()) -> Reader:
    """A reader that knows nothing of attributes, and those that a user has set (`df.unit`): all but
    the `passing`, which the library itself sets."""
    if not has_attributes(kind):
        return reader

    def whole(walk: Walk, value: Any) -> Parts:
        parts = reader(walk, value)
        held = attributes(value) or {}
        if held.keys() <= passing:
            return parts
        walk.atomic = False
        # a list: what reads the parts may fill caches among the attributes
        more = [pair for pair in held.items() if pair[0] not in passing]
        return chain(parts or (), chain.from_iterable(more))

    return whole


_SETS: dict[type, Reader] = {set: _set, frozenset: _frozenset}
_IMMUTABLE: dict[type, Reader] = {
    **builtin_and_stdlib_types.READERS,
    frozenset: _frozenset,
    types.CodeType: functions_and_classes.code,
    UnsharedPart: _read_unshared,
}
_FIXED: dict[int, Reader] = {id(kind): reader for kind, reader in _IMMUTABLE.items()}
_MUTABLE: dict[int, tuple[Reader, bool]] = {
    id(kind): (reader, False)
    for kind, reader in {
        **builtin_and_stdlib_types.MUTABLE_READERS,
        **{
            kind: _with_attributes(kind, reader)
            for kind, reader in builtin_and_stdlib_types.OPEN_READERS.items()
        },
        **opaque_builtins.READERS,
        **functions_and_classes.READERS,
        **iterators.READERS,
        set: _set,
    }.items()
}


class _Entry(NamedTuple):
    kind: ref[type]
    reader: Reader
    fixed: bool


_entries: dict[int, _Entry] = {}
"""By the id of a class, that another may have when it is gone."""


def _reader(kind: type) -> tuple[Reader, bool]:
    """How objects of a class are read, and whether they never change."""
    entry = _entries.get(id(kind))
    if entry is not None and entry.kind() is kind:
        return entry.reader, entry.fixed
    reader, fixed = _find_reader(kind)
    key = id(kind)

    def forget(gone: ref[type]) -> None:
        found = _entries.get(key)
        # Another class may have the id by now, and an entry of its own.
        if found is not None and found.kind is gone:
            del _entries[key]

    _entries[key] = _Entry(ref(kind, forget), reader, fixed)
    return reader, fixed


def _find_reader(kind: type) -> tuple[Reader, bool]:
    for find in (
        arrays.find_reader,
        frames.find_reader,
        polars.find_reader,
        time_zones.find_reader,
    ):
        found = find(kind)
        if found is not None:
            reader, fixed, passing = found
            return _with_attributes(kind, reader, passing), fixed
    if has_base(kind, type):
        return functions_and_classes.class_, False
    if has_base(kind, types.ModuleType):
        return functions_and_classes.module, False
    return instances.find_reader(kind, _SETS)
