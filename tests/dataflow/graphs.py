"""random graphs of objects of Python, and the classes of a notebook that are in them."""

from __future__ import annotations

import gc
import sys
import types
from array import array
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from hypothesis import strategies as st

NOTEBOOK = '''
import collections, dataclasses, enum

class Point:
    """With a dict."""

class Slotted:
    __slots__ = ("left", "right")

class Both(Slotted):
    """Slots, and a dict."""

class Items(list):
    pass

class Table(dict):
    pass

@dataclasses.dataclass
class Node:
    value: object = None
    next: object = None

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = object.__hash__

class Colour(enum.Enum):
    RED = 1

Pair = collections.namedtuple("Pair", "a b", module="__main__")
'''


def notebook() -> types.SimpleNamespace:
    """The classes of a notebook: those of `__main__`, so that they can be pickled."""
    main = sys.modules["__main__"].__dict__
    if "Slotted" not in main:
        held: dict[str, Any] = {"__name__": "__main__"}
        exec(NOTEBOOK, held)
        del held["__builtins__"], held["__name__"]
        main.update(held)
    return types.SimpleNamespace(**main)


classes = notebook()

atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.decimals(),
    st.fractions(),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.timedeltas(),
    st.uuids(),
    st.builds(range, st.integers(-3, 3), st.integers(-3, 3)),
    st.sampled_from([..., Decimal("-0"), Fraction(1, 3), PurePosixPath("a/b"), types.CodeType]),
).filter(lambda value: value is not types.CodeType)
keys = st.one_of(st.integers(-5, 5), st.text(max_size=3), st.tuples(st.integers(0, 2), st.text()))

MAKERS: tuple[Callable[[], Any], ...] = (
    *(list, dict, set, deque, OrderedDict, Counter, types.SimpleNamespace),
    *(lambda: defaultdict(list), lambda: bytearray(b"ab"), lambda: array("i", [1, 2])),
    *(classes.Point, classes.Slotted, classes.Both, classes.Items, classes.Table, classes.Node),
)


@dataclass
class Graph:
    nodes: list[Any]


def link(node: Any, key: Any, part: Any) -> bool:
    """Put a part into an object, in the way of that; False where it cannot be."""
    if isinstance(node, Counter) and not isinstance(part, int):  # it cannot be copied in a circle
        return False
    if isinstance(node, list | deque):
        node.append(part)
    elif isinstance(node, dict):
        node[key] = part
    elif isinstance(node, set):
        try:
            node.add(part)
        except TypeError:
            return False
    elif isinstance(node, types.SimpleNamespace | classes.Point | classes.Both):
        setattr(node, f"a{key}", part)
    elif isinstance(node, classes.Slotted):
        node.left = part
    elif isinstance(node, classes.Node):
        node.next = part
    else:
        return False
    return True


@st.composite
def graphs(draw: Any, most: int = 8) -> Graph:
    """Objects that can be changed, with tuples among them, and edges in all directions."""
    nodes = [draw(st.sampled_from(MAKERS))() for _ in range(draw(st.integers(1, most)))]
    for _ in range(draw(st.integers(0, 3 * most))):
        node = draw(st.sampled_from(nodes))
        part = draw(st.one_of(atoms, st.sampled_from(nodes)))
        shape = draw(st.sampled_from(("plain", "plain", "tuple", "pair", "frozen")))
        if shape == "tuple":
            part = (part, draw(atoms))
        elif shape == "pair":
            part = classes.Pair(part, draw(atoms))
        elif shape == "frozen":
            part = frozenset(draw(st.lists(keys, max_size=3)))
        link(node, draw(keys), part)
    return Graph(nodes)


_CHANGES = (list, dict, set, deque, bytearray, array, types.SimpleNamespace)


def changeable(root: Any) -> dict[int, Any]:
    """All objects that are reached from one and can be changed, by the collector's own account; the
    dict of an object is not one beside it."""
    found: dict[int, Any] = {}
    todo, met = [root], {id(root)}
    while todo:
        part = todo.pop()
        own = type(part).__module__ == "__main__" and not isinstance(part, type | classes.Pair)
        if own or isinstance(part, _CHANGES):
            found[id(part)] = part
        elif not isinstance(part, tuple | frozenset):  # a path has a list of its own
            continue
        for other in gc.get_referents(part):
            if id(other) not in met:
                met.add(id(other))
                todo.append(other)
    dicts = {id(part.__dict__) for part in found.values() if hasattr(part, "__dict__")}
    return {key: part for key, part in found.items() if key not in dicts}
