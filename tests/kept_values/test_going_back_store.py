"""Going back and the store: what is read, remembered or lost of it, and what another user kept."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wfnb.errors import StoreForeign
from wfnb.values import Keeper, object_arrays
from wfnb.values.store import Store

from .large import frame, strings, words
from .notebook import gone_back


def test_nothing_of_what_stays_is_read(keeper: Keeper, monkeypatch: pytest.MonkeyPatch):
    space: dict[str, Any] = {"frame": frame(), "n": [1]}
    kept = keeper.keep(space)
    read = []
    monkeypatch.setattr(Store, "read", lambda store, blob: read.append(blob))

    gone_back(keeper, kept, space)

    assert read == []


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


def test_a_large_array_that_comes_back_is_its_own(keeper: Keeper, tmp_path: Path):
    space: dict[str, Any] = {"a": np.zeros(1 << 20)}
    kept = keeper.keep(space)
    space["a"] = None
    gone_back(keeper, kept, space)
    first = space["a"]
    first[:] = 1

    gone_back(keeper, kept, space)

    assert (space["a"].sum(), first.sum()) == (0, first.size)
