"""Arrays in the memory of a bytearray, or of another object that exports its own, come back so."""

from __future__ import annotations

import array
import ctypes
import gc
import mmap
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wfnb.values import Keeper

from . import child


class Grows(bytearray):
    pass


LENDERS: dict[str, Any] = {
    "bytearray": lambda: bytearray(range(48)),
    "large": lambda: bytearray(480_000),
    "array": lambda: array.array("i", range(12)),
    "own": lambda: Grows(range(48)),
}


def borrowed(raw: Any) -> dict[str, Any]:
    """Whatever way an array can lie there."""
    numbers = np.frombuffer(raw, "i4")
    fixed = numbers[2:]
    fixed.flags.writeable = False
    return {
        "part": numbers[3:7],
        "back": [numbers[::-2]],
        "table": numbers[:12].reshape(3, 4).T,
        "dates": np.frombuffer(raw, "M8[s]"),
        "fixed": fixed,
        "series": pd.Series(numbers[:12], copy=False),
        "whole": numbers,
    }


@pytest.mark.parametrize("kind", LENDERS)
def test_an_array_in_the_memory_of_an_object_comes_back_there(keeper: Keeper, kind: str):
    raw = LENDERS[kind]()
    space = {**borrowed(raw), "raw": raw, "apart": np.frombuffer(bytearray(raw), "i4")}
    kept = keeper.keep(space, namespace=space)
    assert sorted(len(kept.members(at)) for at in range(len(kept.groups))) == [1, 8]
    assert {*keeper.go_back(kept, namespace=space)[1].left} == {*space}
    copied = {name: pickle.loads(pickle.dumps(value)) for name, value in space.items()}
    memoryview(raw).cast("B")[16:20] = b"\xff" * 4

    for there in (space, {}):
        _, back = keeper.go_back(kept, namespace=there)
        found = back.values

        assert ({*found}, back.missing) == ({*space} - {"apart"} if there else {*space}, ())
        for name in ("part", "table", "dates", "fixed", "series", "whole"):
            assert np.array_equal(found[name], copied[name])
            assert np.shares_memory(found[name], np.frombuffer(found["raw"], "u1"))
        assert np.array_equal(found["back"][0], copied["back"][0])
        assert (type(found["raw"]), found["fixed"].flags.writeable) == (type(raw), False)
        found["part"][2] = 77
        assert np.frombuffer(found["raw"], "i4")[5] == found["whole"][5] == found["series"][5] == 77
        assert found["back"][0][::-1].tolist().count(77) == 1
        with pytest.raises(BufferError):
            found["raw"].extend([1])


def test_in_a_fresh_kernel_too(keeper: Keeper, tmp_path: Path):
    raw = bytearray(8)
    kept = keeper.keep({"raw": raw, "box": {"numbers": [np.frombuffer(raw, "u1")]}})
    (tmp_path / "kept").write_bytes(pickle.dumps(kept))

    said = child.asked(
        """
        import json, pickle, sys
        from pathlib import Path
        from wfnb.values import Keeper

        folder = Path(sys.argv[1])
        back = Keeper(folder, folder / "own").restore(pickle.loads((folder / "kept").read_bytes()))
        back.values["raw"][3] = 9
        print(json.dumps(back.values["box"]["numbers"][0].tolist()))
        """,
        tmp_path,
    )

    assert said == [0, 0, 0, 9, 0, 0, 0, 0]


@pytest.mark.parametrize("kind", LENDERS)
def test_what_has_become_one_memory_comes_back_as_two(keeper: Keeper, kind: str):
    raw = LENDERS[kind]()
    space = {"raw": raw, "numbers": np.frombuffer(bytearray(raw), "i4"), "box": {}}
    space["box"] = {"raw": LENDERS[kind](), "numbers": space["numbers"].copy()}
    kept = keeper.keep(space, namespace=space)
    space["numbers"] = np.frombuffer(raw, "i4")
    space["box"]["numbers"] = np.frombuffer(space["box"]["raw"], "i4")

    _, back = keeper.go_back(kept, namespace=space)

    assert {*back.values} == {"raw", "numbers", "box"}
    for found in (back.values, back.values["box"]):
        found["numbers"][:] = 7
        assert np.frombuffer(found["raw"], "i4")[4] != 7


def test_what_was_one_memory_and_has_become_two_comes_back_as_one(keeper: Keeper):
    raw = bytearray(8)
    space = {"raw": raw, "numbers": np.frombuffer(raw, "u1")}
    kept = keeper.keep(space, namespace=space)
    space["numbers"] = space["numbers"].copy()

    _, back = keeper.go_back(kept, namespace=space)
    back.values["raw"][3] = 9

    assert back.values["numbers"][3] == 9


def test_an_array_whose_object_is_not_kept_comes_back_with_its_own_memory(keeper: Keeper):
    raw = bytearray(8)
    space = {"raw": raw, "numbers": np.frombuffer(raw, "u1")}
    kept = keeper.keep({"numbers": space["numbers"]}, namespace=space)
    raw[3] = 9

    _, back = keeper.go_back(kept, namespace=space)

    assert back.values["numbers"].tolist() == [0] * 8
    assert raw[3] == 9


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda raw: (ctypes.c_byte * 8).from_buffer(raw), "it is"),
        (lambda raw: np.frombuffer(raw, "u1").view(np.recarray), "it is"),
        (lambda raw: np.ma.array(np.frombuffer(raw, "u1"), copy=False), "it is"),
        (lambda raw: [np.frombuffer(raw, "u1").view(np.matrix)], "it holds"),
        (memoryview, "it is"),
    ],
)
def test_what_lies_there_otherwise_is_named_and_the_rest_is_kept(
    keeper: Keeper, made: Any, why: str
):
    raw = bytearray(8)
    space = {"other": made(raw), "raw": raw, "numbers": np.frombuffer(raw, "u1")}

    kept = keeper.keep(space, namespace=space)
    alone = keeper.keep({"box": [raw, made(raw)], "n": 1})

    told = "a view of another object's memory"
    assert [(one.name, one.why_not) for one in kept.not_kept] == [("other", f"{why} {told}")]
    assert [(one.name, one.why_not) for one in alone.not_kept] == [("box", f"it holds {told}")]
    back = keeper.restore(kept).values
    back["raw"][3] = 9
    assert back["numbers"][3] == 9


def test_of_an_object_of_ctypes_and_an_array_in_its_memory_it_is_told_whether_they_were_one(
    keeper: Keeper,
):
    numbers = (ctypes.c_int * 4)(1, 2, 3, 4)
    space = {"numbers": numbers, "seen": np.frombuffer(numbers, "i4")}
    kept = keeper.keep(space, namespace=space)
    apart = keeper.keep({"numbers": numbers, "seen": space["seen"].copy()}, namespace=space)

    assert {*keeper.go_back(kept, namespace=space)[1].left} == {*space}
    assert {*keeper.go_back(apart, namespace=space)[1].values} == {*space}


def test_memory_of_a_file_is_named_and_an_array_in_it_comes_back_with_its_own(keeper: Keeper):
    with mmap.mmap(-1, 8) as room:
        space = {"room": room, "numbers": np.frombuffer(room, "u1")}
        kept = keeper.keep(space, namespace=space)
        del space
        gc.collect()

    assert [(one.name, one.why_not) for one in kept.not_kept] == [
        ("room", "it is memory of a file")
    ]
    assert keeper.restore(kept).values["numbers"].tolist() == [0] * 8
