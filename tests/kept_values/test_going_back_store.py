"""Going back and the store: what is read, remembered or lost of it, and what another user kept."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wfnb.core.kept_values import size_of
from wfnb.errors import StoreForeign
from wfnb.values import Keeper, object_arrays
from wfnb.values.fast_read import LARGE, content
from wfnb.values.store import Store

from .large import MANY, frame, set_number, set_word, strings, words
from .notebook import gone_back


def test_nothing_of_what_stays_is_read(keeper: Keeper, monkeypatch: pytest.MonkeyPatch):
    space: dict[str, Any] = {"frame": frame(), "n": [1]}
    kept = keeper.keep(space)
    read = []
    monkeypatch.setattr(Store, "read", lambda store, blob: read.append(blob))

    gone_back(keeper, kept, space)

    assert read == []


def test_what_has_changed_takes_the_strings_that_have_not_from_what_is_there(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
):
    space = {
        "value": pd.DataFrame(
            {"word": pd.Series(strings(), dtype=object), "x": np.arange(MANY * 1.0)}
        )
    }
    kept = keeper.keep(space)
    first, was = space["value"], space["value"].copy(deep=True)
    set_number(first)
    blobs, read = list[str](), Store.read
    monkeypatch.setattr(Store, "read", lambda store, blob: blobs.append(blob) or read(store, blob))

    gone_back(keeper, kept, space)
    set_word(first)

    assert [size_of(blob) for blob in kept.blobs() if blob not in blobs] == [
        len(object_arrays.pickle_flat(strings()))
    ]
    pd.testing.assert_frame_equal(space["value"], was)


def test_what_is_lost_from_the_store_is_said_to_be_so_also_where_it_is_there(
    keeper: Keeper, tmp_path: Path
):
    space = {"a": [1], "b": [2]}
    kept = keeper.keep(space)
    (tmp_path / "values" / kept.groups[0].blobs[0]).unlink()

    back = gone_back(keeper, kept, space)

    assert [one.name for one in back.missing] == ["a"]
    assert (back.left, space) == (("b",), {"a": [1], "b": [2]})


def test_what_another_user_kept_is_refused_only_where_it_would_be_read(tmp_path: Path):
    space: dict[str, Any] = {"a": [1]}
    kept = Keeper(tmp_path, tmp_path / "his").keep(space)
    mine = Keeper(tmp_path, tmp_path / "mine")

    assert gone_back(mine, kept, space).left == ("a",)
    with pytest.raises(StoreForeign):
        gone_back(mine, kept, {"a": [2]})


def test_what_is_remembered_of_an_array_goes_with_it(keeper: Keeper):
    gc.collect()
    before = len(object_arrays._written)
    space = {"value": strings()}
    keeper.keep(space)
    assert len(object_arrays._written) == before + 1

    space.clear()
    gc.collect()

    assert len(object_arrays._written) == before


def test_strings_that_are_remembered_are_written_again_where_their_file_is_gone(keeper: Keeper):
    space = {"value": strings()}
    kept = keeper.keep(space)
    keeper.gc(tuple)

    assert keeper.keep(space) == kept

    assert keeper.restore(kept).values["value"].tolist() == words()


@pytest.mark.parametrize("size", [10, LARGE + 10, 2 * LARGE])
@pytest.mark.parametrize("had", [0, 4, 9, 10])
def test_a_file_is_read_as_far_as_it_goes(tmp_path: Path, size: int, had: int):
    there = os.urandom(size * had // 10)
    (tmp_path / "file").write_bytes(there)
    file = os.open(tmp_path / "file", os.O_RDONLY)
    try:
        found, count = content(file, size)
    finally:
        os.close(file)

    assert (len(found), count) == (size, len(there))
    assert bytes(found)[:count] == there


def test_a_large_array_that_comes_back_is_its_own(keeper: Keeper, tmp_path: Path):
    space: dict[str, Any] = {"a": np.zeros(LARGE // 4)}
    kept = keeper.keep(space)
    space["a"] = None
    gone_back(keeper, kept, space)
    first = space["a"]
    first[:] = 1

    gone_back(keeper, kept, space)

    assert (space["a"].sum(), first.sum()) == (0, first.size)
