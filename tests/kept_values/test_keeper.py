"""Keeping and restoring: what is asked for, how it is written, what it would do."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wfnb.core.kept_values import Differs, KeptValues, PlanEntry, size_of
from wfnb.errors import ValueNotKept
from wfnb.values import Keeper, choose_values
from wfnb.values.store import Store

from .notebook import reasons


def test_names_that_share_something_are_one_pickle_and_the_others_their_own(keeper: Keeper):
    shared = [1]
    values = {"a": {"s": shared}, "b": (shared, 2), "c": [1], "d": "text", "e": "text"}

    kept = keeper.keep(values)

    assert [kept.members(place) for place in range(len(kept.groups))] == [
        ("a", "b"),
        ("c",),
        ("d",),
        ("e",),
    ]
    back = keeper.restore(kept).values
    assert back["a"]["s"] is back["b"][0]
    assert back == values


def test_a_change_of_one_writes_only_that_one(keeper: Keeper):
    values: dict[str, Any] = {"same": np.arange(100_000), "other": np.arange(100_000.0)}
    first = keeper.keep(values)
    values["other"][0] = 7

    again = keeper.keep(values)

    new = set(again.pieces()) - set(first.pieces())
    assert [size_of(blob) for blob in new] == [800_000]


def test_equal_arrays_take_the_place_of_one_and_come_back_as_two(keeper: Keeper):
    kept = keeper.keep(
        {"a": np.zeros(100_000), "b": np.zeros(100_000), "c": [np.zeros(100_000)] * 2}
    )

    back = keeper.restore(kept).values
    back["a"][0] = 1
    back["c"][0][1] = 2

    assert keeper.usage().size < 802_000
    assert back["b"].sum() == 0
    assert back["c"][1].sum() == 2


def test_an_array_that_cannot_be_written_to_comes_back_so(keeper: Keeper):
    array = np.arange(100_000)
    array.flags.writeable = False

    assert not keeper.restore(keeper.keep({"a": array})).values["a"].flags.writeable


def test_the_columns_of_a_frame_are_written_without_a_copy_in_the_pickle(keeper: Keeper):
    when = pd.date_range("2024", periods=100_000, freq="s")
    frame = pd.DataFrame({"x": np.arange(100_000.0), "n": np.arange(100_000), "when": when})

    kept = keeper.keep({"frame": frame})

    head, *buffers = map(size_of, kept.groups[0].blobs)
    assert head < 3_000
    assert buffers == [800_000, 800_000, 800_000]
    assert keeper.restore(kept).values["frame"].equals(frame)


def test_what_cannot_be_kept_does_not_stop_the_others(keeper: Keeper):
    kept = keeper.keep({"a": 1, "g": (x for x in ()), "b": [2]}, asked=["a", "g", "b"])

    assert reasons(kept) == {"a": None, "g": "it is a generator", "b": None}
    assert kept.names == ("a", "b")
    assert kept.asked == ("a", "g", "b")
    with pytest.raises(ValueNotKept, match=r"'x' was not kept. Kept: a, b"):
        keeper.restore(kept, ["x"])


def test_a_pattern_passes_over_the_names_of_ipython():
    space = dict.fromkeys(("In", "Out", "exit", "quit", "open", "get_ipython", "_", "x"), 1)

    assert choose_values(["*"], space)[0] == {"x": 1}
    assert choose_values(["open"], space)[0] == {"open": 1}


def test_a_pattern_means_the_names_that_it_matches():
    space = {"model_1": 1, "df": 2, "model_2": 3, "_model": 4}

    assert choose_values(["df", "model*", "nothing", "_model"], space) == (
        {"df": 2, "model_1": 1, "model_2": 3, "_model": 4},
        ("nothing",),
    )


def test_an_array_that_changes_while_it_is_kept_is_named(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
):
    """As another thread does it: here between its hash and its writing."""
    array, has = np.zeros(50_000), Store.has

    def changing(store: Store, blob: str) -> bool:
        array[-1] += 1
        return has(store, blob)

    monkeypatch.setattr(Store, "has", changing)
    kept = keeper.keep({"array": array, "n": 1})
    monkeypatch.undo()

    assert reasons(kept) == {"array": "it changed while it was kept", "n": None}
    again = keeper.keep({"array": array})
    assert keeper.restore(again).values["array"][-1] == array[-1]


def test_the_versions_that_a_value_needs_are_kept_and_one_that_differs_is_named(keeper: Keeper):
    kept = keeper.keep({"a": np.arange(3), "b": [1]})
    older = replace(kept, environment={**kept.environment, "numpy": "1.0", "gone_since": "2"})

    assert kept.environment["numpy"] == np.__version__
    assert sorted(kept.environment) == ["numpy", "python"]
    assert keeper.restore(kept).differs == ()
    found = (
        Differs(name="numpy", then="1.0", now=np.__version__),
        Differs(name="gone_since", then="2", now=None),
    )
    assert keeper.restore(older).differs == found
    assert keeper.plan(older, namespace={}).differs == found


def test_a_library_that_is_gone_keeps_only_its_values_back(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "their_library.py").write_text("class Thing:\n    pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import their_library  # type: ignore[import-not-found]  # noqa: PLC0415

    kept = keeper.keep({"thing": their_library.Thing(), "n": [1]})
    (tmp_path / "their_library.py").unlink()
    del sys.modules["their_library"]

    restored = keeper.restore(kept)

    assert restored.values == {"n": [1]}
    assert restored.missing[0].why == (
        "it cannot be read here (ModuleNotFoundError: No module named 'their_library')"
    )


def test_a_plan_says_what_would_happen_to_each_name(keeper: Keeper):
    shared = [1]
    space: dict[str, Any] = {"df": np.arange(3), "a": shared, "b": shared, "new": 1, "gen": 0}
    kept = keeper.keep({**space, "gen": iter(()), "g": (x for x in ())}, namespace=space)
    space |= {"df": np.arange(4), "later": 3, "_own": 1, "np": np}
    del space["new"]

    found = keeper.plan(kept, namespace=space)
    exact = keeper.plan(kept, ["df"], namespace=space, exact=True)

    ways = {one.name: one.way for one in found.names}
    assert ways == {
        "df": "replaces",
        "a": "same",
        "b": "same",
        "new": "comes back",
        "gen": "replaces",
        "g": "cannot",
        "later": "left",
    }
    assert exact.names == (
        PlanEntry(name="df", way="replaces", type="numpy.ndarray", says="3 int64", now="4 int64"),
        PlanEntry(name="later", way="removed", now="3"),
    )
    assert list(space) == ["df", "a", "b", "gen", "later", "_own", "np"]


def test_a_value_that_shares_now_what_it_did_not_share_then_is_not_the_same(keeper: Keeper):
    kept = keeper.keep({"a": [[1], [1]]})
    one = [1]

    (planned,) = keeper.plan(kept, namespace={"a": [one, one]}).names

    assert planned.way == "replaces"


def test_a_record_is_read_again_from_json(keeper: Keeper):
    from pydantic import TypeAdapter  # noqa: PLC0415  (as the journal writes it)

    adapter = TypeAdapter(KeptValues)
    kept = keeper.keep({"a": np.arange(3), "\ud800": 1, "g": (x for x in ())}, asked=["*"])
    kept = replace(kept, values=kept.values[::2], there=())

    assert adapter.validate_json(adapter.dump_json(kept)) == kept
