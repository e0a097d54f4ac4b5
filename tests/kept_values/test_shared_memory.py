"""Arrays that lie in one memory lie in one again, whichever names and steps they are of."""

from __future__ import annotations

import gc
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from weakref import ref

import numpy as np
import pandas as pd
import pytest

from wfnb.values import Keeper

from .notebook import gone_back

MADE: dict[str, Callable[[], Any]] = {
    "numbers": lambda: np.arange(12.0),
    "large": lambda: np.arange(20_000.0),
    "dates": lambda: np.arange(12).astype("M8[s]"),
    "texts": lambda: np.array(["a", "b", "c"] * 4),
    "objects": lambda: np.array([[1], None, "x"] * 4, dtype=object),
    "many objects": lambda: np.array([f"text {n}" for n in range(20_000)], dtype=object),
    "fields": lambda: np.zeros(12, [("x", "i4"), ("y", "f8")]),
}
PARTS: dict[str, Callable[[Any], Any]] = {
    "part": lambda a: a[2:7],
    "back": lambda a: a[::-2],
    "table": lambda a: a[:12].reshape(3, 4).T,
    "column": lambda a: a[:12].reshape(3, 4)[:, 1],
    "nested": lambda a: {"deep": [a[1:4]]},
}


def inner(value: Any) -> Any:
    return value["deep"][0] if isinstance(value, dict) else value


@pytest.mark.parametrize("kind", MADE)
def test_a_part_of_an_array_that_an_earlier_step_kept_is_a_part_again(keeper: Keeper, kind: str):
    space: dict[str, Any] = {"a": MADE[kind]()}
    keeper.keep(space, namespace=space)
    parts = {name: part(space["a"]) for name, part in PARTS.items()}
    space |= parts

    kept = keeper.keep(parts, namespace=space, beside={"a": space["a"]})
    back = keeper.restore(kept).values

    assert {*back} == {*space}
    for name in parts:
        mine, then = inner(back[name]), inner(space[name])
        assert np.array_equal(mine, then)
        assert (mine.dtype, mine.strides) == (then.dtype, then.strides)
        assert np.shares_memory(mine, back["a"])
    back["a"][:] = back["a"][0]
    assert (inner(back["nested"]) == back["a"][0]).all()


def test_what_lies_in_one_memory_and_does_not_overlap_stays_apart(keeper: Keeper):
    a = np.arange(20.0)

    kept = keeper.keep({"train": a[:9], "test": a[9:]})

    assert len(kept.groups) == 2


def test_parts_whose_array_is_gone_share_what_they_cover(keeper: Keeper):
    a = np.arange(1_000_000.0)
    kept = keeper.keep({"x": a[5:9], "y": a[7:12]})

    back = keeper.restore(kept).values
    back["x"][:] = 0

    assert back["y"].tolist() == [0, 0, 9, 10, 11]
    assert kept.size < 2_000


def test_one_that_may_not_be_written_is_that_again_and_sees_what_the_other_writes(keeper: Keeper):
    a = np.arange(4)
    fixed = a[1:]
    fixed.flags.writeable = False

    back = keeper.restore(keeper.keep({"fixed": fixed, "a": a})).values
    back["a"][2] = 9

    assert back["fixed"].tolist() == [1, 9, 3]
    assert not back["fixed"].flags.writeable


def test_parts_of_bytes_and_of_wider_numbers_are_where_the_machine_expects_them(keeper: Keeper):
    a = np.arange(8.0)
    raw = a.view("u1")[3:20]

    back = keeper.restore(keeper.keep({"raw": raw, "numbers": a[1:]})).values
    back["raw"][:] = 0

    assert back["numbers"].flags.aligned
    assert back["numbers"].tolist()[2:] == [3, 4, 5, 6, 7]
    assert back["numbers"][0] == 0


@pytest.mark.parametrize("dtype", ["f8", "datetime64[ns]", "Int64", "category"])
def test_frames_share_no_memory_that_pandas_would_copy(keeper: Keeper, dtype: str):
    frame = pd.DataFrame({"x": np.arange(4), "y": np.arange(4)}).astype(dtype)
    back = keeper.restore(keeper.keep({"frame": frame, "x": frame["x"]})).values

    before = back["x"].tolist()
    back["frame"].loc[0, "x"] = back["frame"].loc[1, "x"]

    assert back["x"].tolist() == before


def test_an_array_of_a_frame_lies_in_it_again(keeper: Keeper):
    frame = pd.DataFrame({"x": np.arange(4.0), "y": np.arange(4.0)})
    seen = frame["x"].to_numpy()

    back = keeper.restore(keeper.keep({"seen": seen, "frame": frame})).values
    for one in (frame, back["frame"]):
        one.loc[1, "x"] = 9

    assert back["seen"].tolist() == seen.tolist() == [0, 9, 2, 3]


def test_an_array_of_what_two_frames_have_comes_back_without_that_memory(keeper: Keeper):
    frame = pd.DataFrame({"x": np.arange(4.0), "y": np.arange(4.0)})
    space = {"frame": frame, "column": frame["x"], "seen": frame["x"].to_numpy()}

    kept = keeper.keep({"seen": space["seen"]}, namespace=space, beside=space)
    together = keeper.keep(space)

    assert kept.values[0].without == ("the memory that it shares with column, frame",)
    assert [one.name for one in together.values if one.without] == [*space]
    back = keeper.restore(together).values
    for one in (frame, back["frame"]):
        one.loc[1, "x"] = 9
    assert back["seen"].tolist() == space["seen"].tolist() == [0, 1, 2, 3]


def test_an_index_that_has_a_name_comes_back_as_that_of_its_frame(keeper: Keeper):
    frame = pd.DataFrame({"x": [1, 2]}, index=["a", "b"])
    space: dict[str, Any] = {"frame": frame}
    keeper.keep(space, namespace=space)
    labels = {"rows": frame.index, "columns": frame.columns}

    kept = keeper.keep(labels, namespace=space | labels, beside=space)
    back = keeper.restore(kept).values

    assert back["rows"] is back["frame"].index
    assert back["columns"] is back["frame"].columns
    assert not any(one.without for one in kept.values)
    assert {*gone_back(keeper, kept, dict(back)).left} == {*back}


@pytest.mark.parametrize("labels", [None, ["a", "b"]])
def test_frames_that_have_an_index_in_common_have_one_again(keeper: Keeper, labels: Any):
    frame = pd.DataFrame({"x": [1, 2]}, index=labels)
    space = {"frame": frame, "other": pd.DataFrame({"y": [3, 4]}, index=frame.index)}

    back = keeper.restore(keeper.keep(space)).values

    assert back["other"].index is back["frame"].index


@pytest.mark.parametrize(
    ("whole", "part", "kind"),
    [
        (pd.DataFrame({"x": [1, 2]}), lambda whole: whole.attrs, "DataFrame"),
        (pd.Series([1, 2]), lambda whole: whole.attrs, "Series"),
        (SimpleNamespace(x=1), vars, "SimpleNamespace"),
    ],
)
def test_a_dict_that_an_object_has_comes_back_without_it(
    keeper: Keeper, whole: Any, part: Callable[[Any], Any], kind: str
):
    kept = keeper.keep({"whole": whole, "part": part(whole), "other": {}})

    said = {one.name: one.without for one in kept.values}
    lost = (f"what part has in common with a {kind}",)
    assert said == {"whole": lost, "part": lost, "other": ()}


def test_frames_of_one_memory_alone_come_back_whole(keeper: Keeper):
    frame = pd.DataFrame({"x": np.arange(4.0), "y": np.arange(4.0)})

    kept = keeper.keep({"frame": frame, "column": frame["x"], "same": frame.copy(deep=False)})

    assert not any(one.without for one in kept.values)


def test_what_was_kept_is_held_by_nobody_afterwards(keeper: Keeper):
    """pandas would copy what another has, too."""
    space = {"frame": pd.DataFrame({"x": np.arange(4.0)})}
    space["column"] = space["frame"]["x"]
    seen = [ref(one) for one in (*space.values(), space["column"]._mgr.blocks[0])]  # type: ignore[attr-defined]
    gc.disable()
    try:
        kept = keeper.keep({"frame": space["frame"]}, namespace=space, beside=space)
        keeper.go_back(kept, namespace=space)
        space.clear()

        assert [type(one()) for one in seen] == [type(None)] * 3
    finally:
        gc.enable()


def test_an_array_in_the_memory_of_what_an_earlier_step_kept_lies_there_again(keeper: Keeper):
    raw = bytearray(6)
    space = {"raw": raw, "numbers": np.frombuffer(raw, "u1")}

    kept = keeper.keep({"numbers": space["numbers"]}, namespace=space, beside={"raw": raw})
    back = keeper.restore(kept).values
    back["raw"][2] = 9

    assert back["numbers"].tolist() == [0, 0, 9, 0, 0, 0]


@pytest.mark.parametrize("beside", [True, False])
def test_of_what_comes_back_with_a_memory_of_its_own_that_is_said(keeper: Keeper, beside: bool):
    a = np.arange(6)
    space = {"masked": np.ma.array(a), "a": a, "other": np.arange(3)}
    values = {"masked": space["masked"], "other": space["other"]} if beside else space

    kept = keeper.keep(values, namespace=space, beside={"a": a} if beside else None)

    assert {one.name: one.without for one in kept.values if one.without} == {
        "masked": ("the memory that it shares with a",),
        **({} if beside else {"a": ("the memory that it shares with masked",)}),
    }
    alone = keeper.keep({"box": [space["masked"], a]})
    assert alone.values[0].without == ("memory that its parts share",)


def test_where_there_is_no_room_for_what_is_shared_that_is_said(keeper: Keeper):
    rows = ["x" * 4000]
    space = {"rows": rows, "box": {"in": rows}, "n": [1]}
    large = {"rows": [rows, "y" * 90_000]}

    kept = keeper.keep({"box": space["box"], "n": space["n"]}, beside=large, budget=10_000)

    assert {one.name: one.without for one in kept.values} == {
        "box": ("the objects that it shares with rows",),
        "n": (),
    }
