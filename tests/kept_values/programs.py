"""Programs of assignments, changes and aliases, as a user writes them over many cells: their
operations, what those do to a namespace, and what shares memory in it."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable
from itertools import combinations
from types import BuiltinMethodType, SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d", "e")
MAKE: dict[str, Callable[[int], Any]] = {
    "list": lambda n: [n, str(n)],
    "nested": lambda n: [[n], {"in": [n]}],
    "dict": lambda n: {"n": n, n: [n]},
    "set": lambda n: {n, "s"},
    "tuple": lambda n: (n, [n], (n, {"deep": [n]})),
    "deque": lambda n: deque([n, [n]], maxlen=9),
    "bytes": lambda n: bytearray(b"%d" % n),
    "object": lambda n: SimpleNamespace(n=n, items=[n]),
    "own": lambda n: Own(n),
    "own list": lambda n: OwnList([n, [n]]),
    "array": lambda n: np.arange(n + 1.0),
    "large": lambda n: np.full(20_000, float(n)),  # beside the pickle
    "objects": lambda n: np.array([[n], {"n": n}, None], dtype=object),
    "frame": lambda n: pd.DataFrame({"x": np.arange(3) + n, "y": ["p", "q", str(n)]}),
    "raw": lambda n: bytearray(bytes([n]) * 16),
    "numbers": lambda n: array("i", [n] * 4),
    "own number": lambda n: OwnNumber(n),
    "method": lambda n: [n].append,
    "number": lambda n: n,
    "text": lambda n: f"text {n}" * n,
    "nothing": lambda n: None,
}


LENDERS = bytearray | array


class Own:
    """An object of a class that says nothing of how it is pickled."""

    def __init__(self, n: int) -> None:
        self.n, self.items, self.table = n, [n], {"n": [n]}


class OwnList(list[Any]):
    """What it holds is not only in its `__dict__`."""


class OwnNumber(int):
    """It never changes, its attributes do."""


name = st.sampled_from(NAMES)
number = st.integers(0, 9)
operation = st.one_of(
    st.tuples(st.just("assign"), name, st.sampled_from(sorted(MAKE)), number),
    st.tuples(st.just("alias"), name, name),
    st.tuples(st.just("part"), name, name),
    st.tuples(st.just("view"), name, name),
    st.tuples(st.just("put"), name, name),
    st.tuples(st.just("change"), name, number),
    st.tuples(st.just("delete"), name),
    st.tuples(st.just("keep"), st.sets(name, min_size=1)),
)


def perform(space: dict[str, Any], what: str, *arguments: Any) -> None:
    if what == "assign":
        name, kind, value = arguments
        space[name] = MAKE[kind](value)
        return
    if not {one for one in arguments if isinstance(one, str)} <= space.keys():
        return
    if what == "alias":
        space[arguments[0]] = space[arguments[1]]
    elif what == "part":
        parts = inside(space[arguments[1]])
        if parts:
            space[arguments[0]] = parts[-1]
    elif what == "view":
        if isinstance(space[arguments[1]], np.ndarray):
            space[arguments[0]] = space[arguments[1]][:]
        elif isinstance(space[arguments[1]], bytearray | array):
            space[arguments[0]] = np.frombuffer(space[arguments[1]], "u1")
        elif isinstance(space[arguments[1]], list):
            space[arguments[0]] = space[arguments[1]].append
    elif what == "put":
        put(space[arguments[0]], space[arguments[1]])
    elif what == "change":
        change(space[arguments[0]], arguments[1])
    elif what == "delete":
        del space[arguments[0]]


def inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, SimpleNamespace | Own | OwnNumber):
        return list(vars(value).values())
    if isinstance(value, BuiltinMethodType):
        return [value.__self__]
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return []
    return list(value) if isinstance(value, list | tuple | deque | np.ndarray) else []


def put(into: Any, value: Any) -> None:
    if isinstance(into, list | deque):
        into.append(value)
    elif isinstance(into, dict):
        into["put"] = value
    elif isinstance(into, SimpleNamespace | Own | OwnNumber):
        into.put = value
    elif isinstance(into, BuiltinMethodType):
        into(value)
    elif isinstance(into, np.ndarray) and into.dtype.hasobject and not inside(value):
        into[0] = value  # what holds itself in an array cannot be copied deeply


def change(value: Any, by: int) -> None:
    if isinstance(value, pd.DataFrame):
        value["x"] = value["x"] + by
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        value += by
    elif isinstance(value, set):
        value.add(by)
    elif isinstance(value, bytearray | array):
        value[by % len(value)] = by
    else:
        put(value, by)


def sharing_memory(space: dict[str, Any]) -> set[frozenset[str]]:
    """The pairs of names that are one memory, and not one object."""
    seen = {
        name: np.frombuffer(value, "u1") if isinstance(value, LENDERS) else value
        for name, value in space.items()
        if isinstance(value, np.ndarray | LENDERS)
    }
    return {
        frozenset(pair)
        for pair in combinations(sorted(seen), 2)
        if space[pair[0]] is not space[pair[1]] and np.may_share_memory(*map(seen.get, pair))
    }


def lending(space: dict[str, Any]) -> set[frozenset[str]]:
    """Those of them where one is the memory of the other."""
    lenders = {name for name, value in space.items() if isinstance(value, LENDERS)}
    return {pair for pair in sharing_memory(space) if pair & lenders}
