"""What shares an object or memory, and what does not, is so again after going back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import TypeAdapter

from wfnb.core.kept_values import KeptValues
from wfnb.values import Keeper

from .large import MANY, frame
from .notebook import gone_back, namespace


def test_two_names_that_have_become_one_object_come_back_as_two(keeper: Keeper):
    space = {"a": [1], "b": [1]}
    kept = keeper.keep(space)
    space["b"] = space["a"]

    gone_back(keeper, kept, space)

    assert space == {"a": [1], "b": [1]}
    assert space["a"] is not space["b"]


@pytest.mark.parametrize("kind", ["int(3)", "str('x')", "tuple((1,))", "frozenset((1,))"])
def test_an_object_with_attributes_is_one_and_changes_also_where_its_base_never_does(
    keeper: Keeper, kind: str
):
    base, content = kind.split("(", 1)
    space = namespace(f"class T({base}): pass\nt = T({content}", "box, apart = [t], T(t)")
    kept = keeper.keep({name: space[name] for name in ("t", "box", "apart")}, namespace=space)
    assert len(kept.groups) == 2
    assert set(gone_back(keeper, kept, space).left) == {"t", "box", "apart"}

    space["t"].n = 5
    gone_back(keeper, kept, space)
    assert space["box"][0] is space["t"]
    assert vars(space["t"]) == {}

    space["apart"] = space["t"]
    gone_back(keeper, kept, space)
    assert space["apart"] is not space["t"]


def test_one_object_that_has_become_two_comes_back_as_one(keeper: Keeper):
    shared = [1]
    space = {"a": shared, "b": shared}
    kept = keeper.keep(space)
    space["b"] = [1]

    gone_back(keeper, kept, space)

    assert space["a"] is space["b"]


def test_two_arrays_that_have_become_one_memory_come_back_as_two(keeper: Keeper):
    space = {"a": np.zeros(MANY), "b": np.zeros(MANY), "c": np.zeros(4), "d": [np.zeros(4)]}
    kept = keeper.keep(space)
    space["b"], space["d"][0] = space["a"][:], space["c"][:]

    gone_back(keeper, kept, space)
    space["b"][0] = space["d"][0][0] = 1

    assert (space["a"].sum(), space["c"].sum()) == (0, 0)


def views(frame: pd.DataFrame) -> dict[str, Any]:
    return {"frame": frame, "x": frame["x"], "rest": frame["x"].to_numpy()[9:]}


def test_parts_of_a_frame_that_were_parts_when_they_were_kept_stay(keeper: Keeper):
    space = views(frame())
    kept = keeper.keep(space)

    assert set(gone_back(keeper, kept, space).left) == {*space}


def test_parts_of_an_array_that_were_none_when_they_were_kept_come_back_as_none(keeper: Keeper):
    array = np.zeros(MANY)
    space = {"array": array, "first": array[:9], "last": array[9:]}
    kept = keeper.keep({name: value.copy() for name, value in space.items()})

    gone_back(keeper, kept, space)
    space["array"][:] = 1

    assert space["first"].sum() == space["last"].sum() == 0


def test_a_later_kernel_tells_arrays_that_were_one_memory_from_those_that_have_become_one(
    keeper: Keeper, tmp_path: Path
):
    array = np.zeros(MANY)
    whole = {"array": array, "first": array[:9], "last": [array[9:], array[::-1]], "apart": [1]}
    parted = {"array": array, "first": array[:9].copy(), "last": [array[9:].copy(), array.copy()]}
    adapter = TypeAdapter(KeptValues)
    then = [keeper.keep(space, namespace=space) for space in (whole, parted)]
    shared, apart = (adapter.validate_json(adapter.dump_json(kept)) for kept in then)
    later, elsewhere = Keeper(tmp_path, tmp_path / "own"), np.zeros(MANY + 2)[1:-1]
    space = {"array": elsewhere, "first": elsewhere[:9], "apart": [1]}
    space["last"] = [elsewhere[9:], elsewhere[::-1]]
    later.keep({name: space[name] for name in parted}, namespace=space)

    assert set(gone_back(later, shared, dict(space)).left) == {*whole}
    assert gone_back(later, apart, dict(space)).left == ()
    space["first"] = elsewhere[8::-1]
    assert gone_back(later, shared, space).left == ("apart",)
    space["array"][:] = 1
    assert (space["first"].sum(), space["last"][0].sum()) == (9, MANY - 9)


def test_what_has_changed_in_an_array_is_undone_in_its_parts(keeper: Keeper):
    array = np.zeros(MANY)
    space = {"array": array, "first": array[:9], "last": array[9:]}
    kept = keeper.keep(space)
    array[3] = 1

    back = gone_back(keeper, kept, space)

    assert back.left == ()
    assert space["array"].sum() == space["first"].sum() == 0


def test_a_name_alone_shares_nothing_with_another_that_was_kept_apart(keeper: Keeper):
    space = {"a": [1], "b": [1], "c": np.zeros(9), "d": np.zeros(9)}
    kept = keeper.keep(space)
    space["b"], space["d"] = space["a"], space["c"][:]

    gone_back(keeper, kept, space, "a", "c")
    space["b"].append(2)
    space["d"][0] = 1

    assert space["a"] == [1]
    assert space["c"].sum() == 0
