"""Arrays and frames come back as they were, their columns as files of their own."""

from __future__ import annotations

import os
import pickle
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wfnb.core.kept_values import KeptValues, size_of
from wfnb.values import Keeper
from wfnb.values.store import Store, name_of

MANY = 50_000
WORDS = np.array([f"word {at}" for at in range(MANY)], dtype=object)


def back(keeper: Keeper, value: Any) -> Any:
    restored = keeper.restore(keeper.keep({"value": value}))
    assert restored.missing == ()
    return restored.values["value"]


@pytest.mark.parametrize(
    "array",
    [
        WORDS,
        WORDS.reshape(100, 500),
        np.asfortranarray(WORDS.reshape(100, 500)),
        WORDS.reshape(100, 500)[:, ::2],
        np.array(["a", None, 1, 2.5, True, b"b", 1j, -0.0] * 10_000, dtype=object),
        np.arange(MANY).astype("M8[ns]"),
        np.arange(MANY).astype("m8[D]").reshape(100, 500).T[::3],
        np.arange(MANY, dtype=">i4"),
        np.arange(MANY * 2).reshape(2, 100, 500).transpose(1, 0, 2),
        np.zeros((0, 3)),
        np.array(7),
        np.array(["å", "bc"] * MANY),
    ],
    ids=lambda array: f"{array.dtype} {array.shape}",
)
def test_an_array_comes_back_as_it_was(keeper: Keeper, array: Any):
    found = back(keeper, array)

    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert found.tolist() == array.tolist()
    assert [type(one) for one in found.flat[:8]] == [type(one) for one in array.flat[:8]]
    found[...] = array  # it can be written to


@pytest.mark.parametrize(
    "array",
    [
        np.broadcast_to(1.0, (20_000, 20_000)),
        np.broadcast_to(np.arange(5.0), (MANY, 5)),
        np.broadcast_to(np.arange(6).reshape(2, 1, 3), (4, 2, 5, 3)),
        np.broadcast_to(np.array(["M8", "x"], dtype=object), (3, 2)),
        np.broadcast_to(np.datetime64("2026-01-01", "ns"), (MANY,)),
    ],
    ids=lambda array: f"{array.dtype} {array.shape}",
)
def test_a_view_that_repeats_its_elements_takes_the_room_of_one_and_stays_such(
    keeper: Keeper, array: Any
):
    kept = keeper.keep({"value": array})

    restored = keeper.restore(kept)

    found = restored.values["value"]
    assert sum(map(size_of, kept.pieces())) < 1_000
    assert (found.dtype, found.shape, found.strides) == (array.dtype, array.shape, array.strides)
    assert found[:2, ...].tolist() == array[:2, ...].tolist()
    assert not found.flags.writeable


def test_an_array_of_objects_that_hold_others_still_shares_them(keeper: Keeper):
    shared = [1]
    array = np.empty(MANY, dtype=object)
    array[:2] = [shared, {"s": shared}]

    found = back(keeper, array)

    assert found[1]["s"] is found[0]


def test_strings_that_are_one_object_are_one_again(keeper: Keeper):
    array = np.array(["north of the river", "south"] * MANY, dtype=object)

    found = back(keeper, array)

    assert len({id(one) for one in found}) == 2


def test_a_column_of_strings_is_not_written_again_when_another_changes(keeper: Keeper):
    frame = pd.DataFrame({"word": pd.Series(WORDS, dtype=object), "x": np.zeros(MANY)})
    first = keeper.keep({"frame": frame})
    frame["x"] = np.ones(MANY)

    second = keeper.keep({"frame": frame})

    new = sorted(size_of(blob) for blob in set(second.pieces()) - set(first.pieces()))
    assert new[-1] == MANY * 8
    assert sum(new[:-1]) < 3_000
    assert keeper.restore(second).values["frame"].equals(frame)


def test_a_column_of_strings_runs_no_code_when_it_is_read(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What is beside a pickle is not signed, and its hash can be forged."""

    class Bomb:
        def __reduce__(self) -> tuple[object, ...]:
            return os.mkdir, (str(tmp_path / "boom"),)

    kept = keeper.keep({"words": WORDS})
    strings = kept.groups[0].blobs[1]
    bomb = bytearray(pickle.dumps([Bomb()], 5))
    read = Store.read
    monkeypatch.setattr(
        Store, "read", lambda store, blob: bomb if blob == strings else read(store, blob)
    )

    restored = keeper.restore(kept)

    assert restored.missing[0].why == (
        "it cannot be read here (UnpicklingError: there is code where none should be)"
    )
    assert not (tmp_path / "boom").exists()


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
def test_a_frame_of_pandas_comes_back_as_it_was(keeper: Keeper, storage: str):
    if storage == "pyarrow":
        pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "s": pd.Series(WORDS, dtype=pd.StringDtype(storage)),
            "c": pd.Categorical(["a", "b"] * (MANY // 2)),
            "t": pd.date_range("2024", periods=MANY, freq="s", tz="UTC"),
            "n": pd.array([1, None] * (MANY // 2), dtype="Int64"),
            "f": np.arange(MANY, dtype="f4"),
        },
        index=pd.MultiIndex.from_arrays([np.arange(MANY) // 10, np.arange(MANY)]),
    )

    found = back(keeper, frame)

    pd.testing.assert_frame_equal(found, frame)
    found.iloc[0, 4] = 3.0


def test_a_frame_of_polars_comes_back_as_it_was_and_its_columns_are_files(keeper: Keeper):
    pl = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    half = MANY // 2
    frame = pl.DataFrame(
        {
            "i": pl.Series([1, None] * half, dtype=pl.Int8),
            "f": np.arange(MANY, dtype="f8"),
            "s": ["å", None] * half,
            "b": [True, None] * half,
            "d": [date(2024, 1, 1)] * MANY,
            "t": pl.Series(
                [datetime(2024, 1, 1, tzinfo=UTC)] * MANY, dtype=pl.Datetime("ms", "UTC")
            ),
            "u": pl.Series([timedelta(1)] * MANY, dtype=pl.Duration("ns")),
            "y": [b"x"] * MANY,
            "h": [time(1)] * MANY,
        }
    )
    other = frame.with_columns(pl.col("s").cast(pl.Categorical), l=pl.lit([1, 2]))

    for one in (frame, other, frame.head(3), frame.head(0)):
        found = back(keeper, one)
        assert found.schema == one.schema
        assert found.equals(one)
    first, second = (_blobs(keeper.keep({"f": one})) for one in (frame, frame.with_columns(f=0.5)))
    assert sum(map(size_of, second - first)) < MANY * 8 + 3_000


def test_a_table_of_pyarrow_is_written_without_a_copy(keeper: Keeper):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"x": np.arange(MANY), "s": [f"word {at}" for at in range(MANY)]})

    kept = keeper.keep({"table": table})

    assert keeper.restore(kept).values["table"].equals(table)
    assert size_of(kept.groups[0].blobs[0]) < 3_000
    assert name_of([memoryview(np.arange(MANY)).cast("B")]) in _blobs(kept)


def _blobs(kept: KeptValues) -> set[str]:
    return set(kept.pieces())


def test_a_range_of_rows_is_not_filled(keeper: Keeper):
    frame = pd.DataFrame({"x": [1, 2, 3]})

    keeper.keep({"frame": frame})

    assert "_data" not in frame.index._cache
