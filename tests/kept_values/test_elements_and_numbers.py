"""Elements of structured arrays, and numbers with attributes, can be changed, and so be shared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wfnb.core.kept_values import KeptValues
from wfnb.values import Keeper, RestoredValues

from .notebook import namespace

FIELDS = [("x", "i4"), ("y", "O")]


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, tmp_path / "own")


def gone_back(keeper: Keeper, kept: KeptValues, space: dict[str, Any]) -> RestoredValues:
    _, back = keeper.go_back(kept, namespace=space)
    space.update(back.also | back.values)
    return back


@pytest.mark.parametrize("fields", [FIELDS, FIELDS[:1]])
def test_an_element_of_an_array_comes_back_as_it_was(keeper: Keeper, fields: Any):
    space: dict[str, Any] = {"a": np.zeros(3, fields)}
    space |= {"first": space["a"][0], "firsts": [space["a"][0]]}
    kept = keeper.keep(space)
    space["a"]["x"] = 5

    gone_back(keeper, kept, space)
    space["a"]["x"] = 7

    # Of one that holds objects it is said that it comes back with a memory of its own.
    now = 0 if fields is FIELDS else 7
    assert (space["first"]["x"], space["firsts"][0]["x"]) == (now, now)


@pytest.mark.parametrize("fields", [FIELDS, FIELDS[:1]])
def test_an_element_that_has_become_part_of_an_array_comes_back_apart(keeper: Keeper, fields: Any):
    a = np.zeros(3, fields)
    space: dict[str, Any] = {"a": a, "first": a[0].copy(), "other": a[0].copy()}
    kept = keeper.keep(space)
    assert set(gone_back(keeper, kept, space).left) == {"a", "first", "other"}
    space["first"] = a[0]

    back = gone_back(keeper, kept, space)
    space["a"]["x"] = 7

    assert "first" not in back.left
    assert space["first"]["x"] == 0
    space["a"]["x"] = 0
    assert set(gone_back(keeper, kept, space).left) == {"a", "first", "other"}


def test_an_element_in_the_memory_of_another_object_is_named(keeper: Keeper):
    raw = bytearray(8)
    a = np.frombuffer(raw, FIELDS[:1])

    kept = keeper.keep({"raw": raw, "a": a, "first": a[0]})

    assert {one.name: one.why_not for one in kept.not_kept} == {
        "first": "it is a view of another object's memory"
    }


def test_an_element_that_two_names_have_is_one_again(keeper: Keeper):
    fields = np.dtype(FIELDS[:1])
    first = np.zeros(1, fields)[0].copy()
    space: dict[str, Any] = {"first": first, "box": [first]}
    kept = keeper.keep(space)
    first["x"] = 5

    gone_back(keeper, kept, space)

    assert len(kept.groups) == 1
    assert space["first"] is space["box"][0]
    assert space["first"]["x"] == 0


@pytest.mark.parametrize("slots", ["'x',", "'x', '__dict__'"])
def test_a_number_with_slots_that_two_names_have_is_one_again(keeper: Keeper, slots: str):
    space = namespace(
        f"class M(float):\n    __slots__ = ({slots})\nclass N(M):\n    __slots__ = ()",
        "m, n = M(1), N(2)\nm.x = n.x = 1\nbox = [m, n]",
    )
    kept = keeper.keep({name: space[name] for name in ("m", "n", "box")}, namespace=space)
    exec("m.x = 5", space)

    gone_back(keeper, kept, space)

    assert (space["box"][0] is space["m"], space["box"][1] is space["n"]) == (True, True)
    assert (space["m"].x, space["m"]) == (1, 1.0)
