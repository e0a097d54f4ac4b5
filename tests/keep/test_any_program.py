"""For any program of assignments, changes and aliases, a step's values come back as they were."""

from __future__ import annotations

import pickle
from array import array
from collections import deque
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import BuiltinMethodType, SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from wfnb.core.kept import Kept
from wfnb.keep import Keeper

from . import child
from .isomorphic import copied, difference
from .notebook import namespace

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


def subset(space: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: space[name] for name in space if name in names}


@settings(max_examples=150)
@given(st.lists(operation, min_size=3, max_size=25))
def test_a_step_gives_back_what_a_copy_of_the_whole_namespace_had(program: list[tuple[Any, ...]]):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        steps: list[tuple[Kept, dict[str, Any]]] = []

        for what, *arguments in [*program, ("keep", set(NAMES))]:
            if what == "keep":
                wanted = subset(space, arguments[0])
                steps.append((keeper.keep(wanted), subset(copied(space), arguments[0])))
            else:
                perform(space, what, *arguments)

        for kept, then in steps:
            restored = keeper.restore(kept)
            assert restored.missing == ()
            assert difference(then, {name: restored.values[name] for name in then}) is None


@settings(max_examples=100)
@given(
    st.permutations(["frame", "box", "same", "rows"]),
    st.lists(st.sampled_from(["box", "same", "rows"]), unique=True),
)
def test_values_come_back_under_their_own_names_in_whatever_order_they_are_named(
    order: list[str], sharing: list[str]
):
    frame = [1]
    values = {"frame": frame, "box": {"in": [1]}, "same": [2], "rows": [[3]]}
    values |= {
        name: {"box": {"in": frame}, "same": frame, "rows": [frame]}[name] for name in sharing
    }
    space = {name: values[name] for name in order}
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")

        kept = keeper.keep(space, namespace=space)

        assert difference(space, keeper.restore(kept).values) is None
        assert {one.way for one in keeper.plan(kept, namespace=space).names} == {"same"}


@settings(max_examples=100)
@given(st.lists(operation, min_size=3, max_size=15), st.sets(name, min_size=1))
def test_some_names_of_a_step_come_back_with_what_they_share(
    program: list[tuple[Any, ...]], names: set[str]
):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        for what, *arguments in program:
            if what != "keep":
                perform(space, what, *arguments)
        kept, then = keeper.keep(space), subset(copied(space), names)

        restored = keeper.restore(kept, sorted(then))

        assert difference(then, {name: restored.values[name] for name in then}) is None


@settings(max_examples=150)
@given(st.lists(operation, min_size=3, max_size=25), st.lists(operation, max_size=8))
def test_going_back_through_the_steps_gives_what_a_copy_had_of_each(
    program: list[tuple[Any, ...]], between: list[tuple[Any, ...]]
):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        steps: list[tuple[Kept, dict[str, Any], set[frozenset[str]], set[frozenset[str]]]] = []
        for what, *arguments in [*program, ("keep", set(NAMES))]:
            if what == "keep":
                wanted = subset(space, arguments[0])
                kept = keeper.keep(wanted, namespace=space)
                then = subset(copied(space), arguments[0])
                steps.append((kept, then, sharing_memory(wanted), lending(wanted)))
            else:
                perform(space, what, *arguments)

        for kept, then, one_memory, memory_lent in [*reversed(steps), *steps]:
            _, back = keeper.go_back(kept, namespace=space)
            space.update(back.also | back.values)
            back.give_back()

            now = {name: space[name] for name in then}
            assert {*back.values, *back.left} == {*then}
            assert difference(then, now) is None
            assert sharing_memory(now) <= one_memory
            assert lending(now) == memory_lent
            for what, *arguments in between:
                perform(space, what, *arguments)


@settings(max_examples=100)
@given(st.lists(operation, min_size=3, max_size=25))
def test_going_back_to_what_is_there_leaves_the_very_same_objects(program: list[tuple[Any, ...]]):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        for what, *arguments in program:
            if what != "keep":
                perform(space, what, *arguments)
        kept = keeper.keep(space, namespace=space)

        _, back = keeper.go_back(kept, namespace=space)

        assert (back.values, back.missing, {*back.left}) == ({}, (), {*space})


@settings(max_examples=100)
@given(st.lists(operation, min_size=3, max_size=25))
def test_what_has_not_changed_is_not_written_again(program: list[tuple[Any, ...]]):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space: dict[str, Any] = {}
        for what, *arguments in program:
            if what != "keep":
                perform(space, what, *arguments)
        first = keeper.keep(space)
        usage = keeper.usage()

        again = keeper.keep(space)

        assert (again, keeper.usage()) == (first, usage)


NOTEBOOK = """
from enum import Enum
class Kind(Enum):
    ONE, TWO = [1], (2, [3])
    def __init__(self, *_): self.seen = []
one, two, a, b = Kind.ONE, Kind.TWO, Kind.ONE.value, {"box": Kind.TWO.seen}
"""
PLACES = ("a", "b", "one", "two")
step = st.one_of(
    st.tuples(st.just("hold"), st.sampled_from(["one", "two"]), st.sampled_from("ab")),
    st.tuples(st.just("take"), st.sampled_from("ab"), st.sampled_from(["one", "two"])),
    st.tuples(st.just("box"), st.sampled_from("ab"), st.sampled_from(PLACES)),
    st.tuples(st.just("add"), st.sampled_from(PLACES), number),
    st.tuples(st.just("set"), st.sampled_from(["one", "two"]), number),
    st.just(("keep",)),
)


def perform_with_members(space: dict[str, Any], what: str, to: str, of: Any) -> None:
    if what == "hold":
        space[to].seen = space[of]
    elif what == "take":
        space[to] = space[of].value
    elif what == "box":
        space[to] = [space[of]]
    elif what == "set":
        setattr(space[to], f"at{of % 3}", [of])
    elif what == "add":
        into = getattr(space[to], "seen", space[to])
        put(into[-1] if isinstance(into, tuple) else into, of)


def with_what_members_hold(space: dict[str, Any]) -> dict[str, Any]:
    held = {
        name: [
            (key, None if key == "__objclass__" else one) for key, one in vars(space[name]).items()
        ]
        for name in ("one", "two")
    }
    return {"held": held, **{name: space[name] for name in PLACES}}


@settings(max_examples=150)
@given(st.lists(step, min_size=3, max_size=20), st.lists(step, max_size=6))
def test_members_of_an_enumeration_and_what_they_share_come_back_for_any_program(
    program: list[tuple[Any, ...]], between: list[tuple[Any, ...]]
):
    with TemporaryDirectory() as folder:
        keeper = Keeper(Path(folder), Path(folder) / "own")
        space = namespace(NOTEBOOK)
        steps = []
        for what, *arguments in [*program, ("keep",)]:
            if what == "keep":
                kept = keeper.keep({name: space[name] for name in PLACES}, namespace=space)
                steps.append((kept, copied(with_what_members_hold(space))))
                assert {*keeper.go_back(kept, namespace=space)[1].left} == {*PLACES}
            else:
                perform_with_members(space, what, *arguments)

        for kept, then in [*reversed(steps), *steps]:
            _, back = keeper.go_back(kept, namespace=space)
            space.update(back.also | back.values)
            back.give_back()

            assert back.missing == ()
            assert difference(then, with_what_members_hold(space)) is None
            for what, *arguments in between:
                if what != "keep":
                    perform_with_members(space, what, *arguments)


def test_what_any_program_kept_comes_back_in_a_fresh_kernel(tmp_path: Path):
    chance, kept = Random(7), []
    keeper = Keeper(tmp_path, tmp_path / "own")
    for _ in range(60):
        space: dict[str, Any] = {}
        for _ in range(25):
            to, of, n = chance.choice(NAMES), chance.choice(NAMES), chance.randrange(10)
            kind = chance.choice(sorted(MAKE))
            perform(space, "assign", to, kind, n) if to not in space else None
            what = chance.choice(["alias", "part", "view", "put", "change"])
            perform(space, what, to, n if what == "change" else of)
        kept.append((keeper.keep(space, namespace=space), copied(space), lending(space)))
    (tmp_path / "kept").write_bytes(pickle.dumps(kept))

    said = child.asked(
        """
        import json, pickle, sys
        from pathlib import Path
        from tests.keep.isomorphic import difference
        from tests.keep.test_any_program import lending
        from wfnb.keep import Keeper

        folder, said = Path(sys.argv[1]), []
        keeper = Keeper(folder, folder / "own")
        for kept, then, lent in pickle.loads((folder / "kept").read_bytes()):
            back = keeper.restore(kept, namespace={}).values
            said += [difference(then, {name: back.get(name) for name in then})]
            said += [None if lending(back) == lent else "memory"]
        print(json.dumps(said))
        """,
        tmp_path,
    )

    assert said == [None] * 120
