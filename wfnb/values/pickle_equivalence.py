"""two pickles -> whether they make the same values. Nothing of them is run.

A restored value is often written otherwise than it was: what nobody can change (texts, types of
numbers) may be one object or two. So the pickles are read as graphs, and of what can be changed
alone it counts whether it is one. The order of a dict is a fact of it, and so is that of
attributes: `vars` shows it.
"""

from __future__ import annotations

import pickletools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

MAX_BYTES = 100_000
"""Bytes of a pickle that is read so: a third of a second at most."""

_FIXED = {
    tuple((str, repr(word)) for word in pair)
    for pair in (
        *(("numpy", "dtype"), ("builtins", "slice"), ("builtins", "range"), ("_codecs", "encode")),
        *(("datetime", "date"), ("datetime", "datetime"), ("datetime", "timedelta")),
        *(("decimal", "Decimal"), ("fractions", "Fraction"), ("uuid", "UUID")),
    )
}
"""Who makes what cannot be changed."""


@dataclass(slots=True, eq=False)
class _Node:
    """`parts` in their order. `free`: their order is none, and they are pairs or single ones.
    `own`: it can be changed, so that it counts whether it is one or two. `passing` are keys of no
    account."""

    kind: str
    fact: Any = None
    parts: list[_Node] = field(default_factory=list)
    own: bool = False
    free: bool = False
    passing: frozenset[Any] = frozenset()


_PASSING = {
    "matplotlib": frozenset((str, repr(name)) for name in ("_cid_gen", "_invalid", "_number"))
}
"""Attributes by package that are another after each reading: counters, and what is drawn anew. In
these packages attributes have no order: reading sets some of them anew."""


_MAKING, _CLASS = (
    tuple((str, repr(word)) for word in ("wfnb.values.binding", name))
    for name in ("make_class", "bind_class")
)
"""What makes a class of the notebook, and what gives it its content."""


class _UnknownPickle(Exception):
    pass


def are_equivalent(
    one: bytes | bytearray | memoryview, other: bytes | bytearray | memoryview
) -> bool:
    """False also where they are too large to be looked at, or not understood."""
    if max(len(one), len(other)) > MAX_BYTES:
        return False
    try:
        return _same(_graph(one), _graph(other))
    except (_UnknownPickle, ValueError, IndexError, KeyError):
        return False


def _same(one: _Node, other: _Node) -> bool:
    there: dict[int, int] = {}
    back: dict[int, int] = {}
    met: set[tuple[int, int]] = set()
    left = [(one, other)]
    while left:
        old, new = left.pop()
        if (id(old), id(new)) in met:
            continue
        met.add((id(old), id(new)))
        if (old.kind, old.fact, len(old.parts)) != (new.kind, new.fact, len(new.parts)):
            return False
        # One to one in both directions: `[a, a]` and `[a, b]` look alike from one side.
        if old.own or new.own:
            pair = there.setdefault(id(old), id(new)), back.setdefault(id(new), id(old))
            if pair != (id(new), id(old)):
                return False
        if old.free and new.free:
            olds, news = _named_parts(old), _named_parts(new)
            if olds.keys() != news.keys():
                return False
            left += ((olds[key], news[key]) for key in olds)
        else:
            left += zip(old.parts, new.parts, strict=True)
    return True


def _named_parts(node: _Node) -> dict[Any, _Node]:
    """The parts by what they are called: values by their keys, members of a set by themselves."""
    step = 2 if node.kind == "dict" else 1
    keys = node.parts[::step]
    # Keys that are objects have no text to find them by: then the order counts.
    if any(key.kind != "atom" for key in keys):
        return dict(enumerate(node.parts))
    return {
        key.fact: node.parts[at * step + step - 1]
        for at, key in enumerate(keys)
        if key.fact not in node.passing
    }


_MADE = {"EMPTY_LIST": "list", "EMPTY_DICT": "dict", "EMPTY_SET": "set"}
_TUPLES = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_ADDING = {"APPEND": 1, "SETITEM": 2}
_CALLS = {"REDUCE": 2, "NEWOBJ": 2, "NEWOBJ_EX": 3}
_NAMED = ("MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT")
_AGAIN = ("BINGET", "LONG_BINGET", "GET")
_NOTHING = ("PROTO", "FRAME")
_CONSTANTS = {"NONE": "None", "NEWTRUE": "True", "NEWFALSE": "False"}


def _graph(pickle: bytes | bytearray | memoryview) -> _Node:
    """What a pickle makes, as far as it says."""
    stack: list[_Node] = []
    marks: list[int] = []
    memo: dict[int, _Node] = {}
    buffers = 0
    argument: Any
    for opcode, argument, _ in pickletools.genops(bytes(pickle)):
        name = opcode.name
        if name in _NOTHING:
            continue
        if name in _NAMED:
            memo[len(memo) if argument is None else argument] = stack[-1]
        elif name in _AGAIN:
            stack.append(memo[argument])
        elif name == "MARK":
            marks.append(len(stack))
        elif name == "STOP":
            return stack[-1]
        elif name in _MADE:
            stack.append(_Node(_MADE[name], own=True, free=name == "EMPTY_SET"))
        elif name in _TUPLES:
            stack.append(_Node("tuple", parts=_pop_nodes(stack, _TUPLES[name])))
        elif name in ("TUPLE", "FROZENSET"):
            parts = _pop_nodes(stack, len(stack) - marks.pop())
            stack.append(_Node(name.lower(), parts=parts, free=name == "FROZENSET"))
        elif name in _ADDING:
            parts = _pop_nodes(stack, _ADDING[name])
            stack[-1].parts += parts
        elif name in ("APPENDS", "SETITEMS", "ADDITEMS"):
            parts = _pop_nodes(stack, len(stack) - marks.pop())
            stack[-1].parts += parts
        elif name in _CALLS:
            stack.append(_call_node(name, _pop_nodes(stack, _CALLS[name])))
        elif name == "BUILD":
            (state,) = _pop_nodes(stack, 1)
            _attributes([state, *state.parts] if state.kind == "tuple" else [state], stack[-1])
            stack[-1].parts.append(state)
        elif name == "STACK_GLOBAL":
            stack.append(_Node("global", tuple(part.fact for part in _pop_nodes(stack, 2))))
        elif name == "GLOBAL":
            stack.append(_Node("global", argument))
        elif name == "BINPERSID":
            stack.append(_Node("elsewhere", parts=_pop_nodes(stack, 1)))
        elif name == "NEXT_BUFFER":
            stack.append(_Node("buffer", buffers, own=True))
            buffers += 1
        # Cloudpickle sets the state of what it made by a call, whose result it drops.
        elif name == "POP":
            _attach_state(stack.pop())
        elif name == "READONLY_BUFFER":
            stack[-1] = _Node("read-only buffer", stack[-1].fact, own=True)
        elif name == "BYTEARRAY8":
            stack.append(_Node("bytearray", argument, own=True))
        elif name in _CONSTANTS or isinstance(argument, int | float | str | bytes):
            stack.append(_Node("atom", _CONSTANTS.get(name) or (type(argument), repr(argument))))
        else:
            raise _UnknownPickle(name)
    raise _UnknownPickle("the end is missing")


def _attach_state(done: _Node) -> None:
    """What was called with an object, once that was made, belongs to it: a function gets its
    defaults so, a class what it holds."""
    of = done.parts[1].parts if done.kind == "object" and len(done.parts) == 2 else []
    if not of:
        raise _UnknownPickle("POP")
    if done.parts[0].fact == _CLASS and len(of) > 1 and of[1].parts:
        for content in of[1].parts[0].parts:
            content.free = content.kind == "dict"  # reading sets some of them anew
    of[0].parts.append(_Node("then", parts=[done.parts[0], *of[1:]]))


def _call_node(name: str, parts: list[_Node]) -> _Node:
    if parts[0].fact == _MAKING:  # the number of a class is another when it is made anew
        _, made, *_ = parts[1].parts
        made.parts[-2:-1] = [_Node("atom")]
    fixed = parts[0].kind == "global" and parts[0].fact in _FIXED
    return _Node("object", name, parts, own=not fixed)


def _attributes(states: Iterable[_Node], of: _Node) -> None:
    """They have the order that `vars` shows, as any dict has, but where reading makes another."""
    maker = of.parts[0].fact if of.parts and of.parts[0].kind == "global" else None
    package = maker[0][1].strip("'").partition(".")[0] if isinstance(maker, tuple) else ""
    for state in states:
        if state.kind == "dict" and package in _PASSING:
            state.free, state.passing = True, _PASSING[package]


def _pop_nodes(stack: list[_Node], count: int) -> list[_Node]:
    if not count:
        return []
    if count > len(stack):
        raise _UnknownPickle("too little")
    taken = stack[-count:]
    del stack[-count:]
    return taken
