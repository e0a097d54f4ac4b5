"""Two pickles are told apart by what they make, and nothing of them is run."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from wfnb.values import Keeper
from wfnb.values.pickle_equivalence import are_equivalent

from .notebook import namespace


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path / "home", own=tmp_path / "own")


def model() -> dict[str, Any]:
    linear = pytest.importorskip("sklearn.linear_model")
    return {"model": linear.LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0])}


def own_class() -> dict[str, Any]:
    return namespace(
        "class O:\n    def __init__(s): s.name = 'abc'; s.k = {'name': 1}\no = O()\ndel O"
    )


def frames() -> dict[str, Any]:
    frame = pd.DataFrame({"x": range(10)})
    return {"one": frame, "two": frame.copy()}


def figure() -> dict[str, Any]:
    drawn = Figure()
    drawn.subplots().plot([1, 2])
    return {"figure": drawn}


@pytest.mark.parametrize("make", [model, own_class, frames, figure])
def test_what_was_just_restored_is_what_was_kept(
    make: Callable[[], dict[str, Any]], keeper: Keeper
):
    values = {name: value for name, value in make().items() if not name.startswith("__")}
    kept = keeper.keep(values, namespace=values)

    back = keeper.restore(kept, namespace={}).values

    assert {entry.way for entry in keeper.plan(kept, namespace=back).names} == {"same"}


def test_a_change_in_one_of_them_is_seen(keeper: Keeper):
    values = {**frames(), **figure()}
    kept = keeper.keep(values, namespace=values)
    back = keeper.restore(kept, namespace={}).values
    back["figure"].axes[0].set_title("another")
    back["one"].loc[0, "x"] = 99

    ways = {entry.name: entry.way for entry in keeper.plan(kept, namespace=back).names}

    assert (ways["figure"], ways["one"]) == ("replaces", "replaces")


shared = [1]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["ab", "".join(("a", "b"))], ["ab"] * 2, True),
        ([shared, shared], [[1], [1]], False),
        ([shared, [1], shared], [shared, shared, [1]], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, False),
        ({1, 2, 3}, {3, 2, 1}, True),
        ({1, 2}, {1, 3}, False),
        ([1], [1.0], False),
        ([1], [True], False),
        ([0.0], [-0.0], False),
        ([float("nan")], [float("nan")], True),
        ((1, (2, [3])), (1, (2, [3])), True),
        ((1, (2, [3])), (1, (2, [4])), False),
        (bytearray(b"a"), bytearray(b"b"), False),
        (np.dtype("f8"), np.dtype("f4"), False),
        ([np.dtype("f8")] * 2, [np.dtype("f8"), np.dtype("f8", copy=True)], True),
        (range(3), range(4), False),
        ("x" * 200_000, "x" * 200_000, False),
    ],
)
def test_two_pickles_are_alike_where_no_program_sees_a_difference(
    one: object, other: object, same: bool
):
    assert are_equivalent(pickle.dumps(one, 5), pickle.dumps(other, 5)) is same


def test_a_list_that_holds_itself_is_read():
    one: list[Any] = [1]
    one.append(one)
    other: list[Any] = [1]
    other.append([1, other])

    assert are_equivalent(pickle.dumps(one, 5), pickle.dumps(one, 5))
    assert not are_equivalent(pickle.dumps(one, 5), pickle.dumps(other, 5))


@pytest.mark.parametrize(
    "broken", [b"", b"\x80\x05", b"\x80\x05.", b"no pickle", b"\x80\x05h\x07."]
)
def test_what_is_no_pickle_is_like_nothing(broken: bytes):
    assert not are_equivalent(broken, broken)


@pytest.mark.parametrize("kind", ["class O: pass", "class O(int): pass", "from types import *"])
def test_the_order_of_attributes_is_a_fact_of_an_object_as_that_of_keys_is_of_a_dict(
    keeper: Keeper, kind: str
):
    made = "O" if "class" in kind else "SimpleNamespace"
    space = namespace(kind, f"o = {made}()\no.a, o.b = 'a b'.split()")
    kept = keeper.keep({"o": space["o"]}, namespace=space)
    space["o"].a = vars(space["o"]).pop("a")
    (planned,) = keeper.plan(kept, namespace=space).names

    back = keeper.go_back(kept, namespace=space)[1].values["o"]

    assert planned.way == "replaces"
    assert list(vars(back).items()) == [("a", "a"), ("b", "b")]


def test_nothing_is_run(tmp_path: Path):
    mark = tmp_path / "ran"
    evil = b"\x80\x05\x8c\x05posix\x8c\x06system\x93\x8c%c" % (len(str(mark)) + 6)
    evil += f"touch {mark}".encode() + b"\x85R."

    assert are_equivalent(evil, evil)
    assert not mark.exists()
