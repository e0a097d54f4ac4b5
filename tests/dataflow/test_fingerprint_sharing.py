"""Whether a change of one value may be a change of another."""

from array import array
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dataflow.graphs import Graph, changeable, graphs
from wfnb.dataflow.fingerprint import Sharing, fingerprint, shares

COPIES = pd.__version__ >= "3"
"""Whether pandas copies before it changes."""


@given(graphs(), st.data())
def test_values_share_what_the_collector_reaches_from_both(graph: Graph, data: Any):
    one, other = (data.draw(st.sampled_from(graph.nodes)) for _ in range(2))

    assert shares(one, other) is bool(changeable(one).keys() & changeable(other).keys())
    assert shares((1, one), {"a": other}) is shares(one, other)


ARRAYS = [np.arange(9.0), np.zeros(4), pd.DataFrame({"a": [1.0, 2.0]}), iter([])]


@given(graphs(), st.data())
def test_of_many_values_each_shares_with_those_that_it_shares_with_alone(graph: Graph, data: Any):
    parts = [*graph.nodes, *ARRAYS, ARRAYS[0][2:5], ARRAYS[0][:3], ARRAYS[2]["a"]]
    many = data.draw(st.lists(st.sampled_from(parts), max_size=6))
    values = {str(n): [value] for n, value in enumerate(many)}
    found = Sharing(values, values)

    for name, value in values.items():
        alone = {other: shares(value, values[other]) for other in values.keys() - {name}}
        assert found.of(name) == {other for other, shared in alone.items() if shared}
        assert found.unsure(name) == {other for other, shared in alone.items() if shared is None}


def test_what_the_budget_does_not_reach_is_not_known():
    rows = [[number] for number in range(100)]

    assert shares(rows, [[1]], budget=50) is None
    assert shares(rows, rows[3], budget=50) is True
    assert shares(rows, rows[99], budget=50) is None
    assert shares(rows, rows[99]) is True


def test_what_cannot_be_looked_into_is_not_known():
    iterator = zip([])

    assert shares([iterator], []) is None
    assert shares(iterator, [iterator]) is True


def test_functions_of_libraries_and_atomic_values_share_nothing():
    text = "a" * 5000

    assert shares([len, np, text, (1, 2), np.float64(1)], [len, np, text, (1, 2)]) is False


def test_functions_share_what_they_have_from_around_them():
    held: dict[str, Any] = {"__name__": "__main__"}
    exec(
        """
def counter(start, rows):
    def add(): nonlocal start; start += 1; return rows
    def show(): return start
    return add, show
""",
        held,
    )
    rows: list[int] = []
    add, show = held["counter"](0, rows)
    other, _ = held["counter"](0, [])

    assert shares(add, show) is True
    assert shares(add, rows) is True
    assert shares(add, other) is False
    assert shares(show, rows) is False


NUMBERS = np.arange(12.0)


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (NUMBERS, NUMBERS, True),
        (NUMBERS, NUMBERS[3:], True),
        (NUMBERS[:3], NUMBERS[3:], False),
        (NUMBERS[2:4], NUMBERS.reshape(3, 4).T, True),
        (NUMBERS[::-1], NUMBERS[:2], True),
        (NUMBERS, NUMBERS.copy(), False),
        ([NUMBERS[:2]], {"a": NUMBERS[1:3]}, True),
        (NUMBERS, NUMBERS.view("M8[ns]"), True),
        (NUMBERS, memoryview(NUMBERS), True),
        (NUMBERS[:0], NUMBERS, False),
    ],
)
def test_arrays_share_memory(one: Any, other: Any, wanted: bool | None):
    assert shares(one, other) is shares(other, one) is wanted


def test_an_array_shares_the_buffer_that_it_was_made_of():
    for buffer in (bytearray(16), array("d", [1.0, 2.0])):
        numbers = np.frombuffer(buffer, "u1")

        assert shares(buffer, numbers[2:]) is True
        assert shares(numbers[2:], [buffer]) is True
    assert shares(b"12345678", np.frombuffer(b"12345678", "u1")) is False


def test_a_column_is_a_part_of_its_frame_unless_pandas_copies_before_a_change():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3], "c": pd.Categorical(["x", "y", "x"])})
    for column in (frame["a"], frame["c"], frame[["a"]], frame[:2], frame.head(1)):
        before = fingerprint(column)
        shared = shares(frame, column)
        changed = frame.copy(deep=False) if COPIES else frame

        assert shared is not None
        assert not (COPIES and shared)
        changed.isetitem(0, [7, 8, 9])
        assert shared or fingerprint(column) == before


@pytest.mark.skipif(not COPIES, reason="what pandas shares depends on an option")
def test_a_change_in_place_does_not_reach_what_shares_nothing():
    frame = pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=["a", "b"])
    parts = frame["a"], frame[:2], frame.T, frame.copy(deep=False), frame.rename(columns=str.upper)
    assert [shares(frame, part) for part in parts] == [False] * 5
    before = [fingerprint(part) for part in parts]

    frame.loc[0, "a"] = 99
    frame.iloc[1] = -1
    frame["b"] += 1

    assert [fingerprint(part) for part in parts] == before


def test_a_frame_shares_the_array_that_it_was_made_of():
    numbers = np.arange(6.0).reshape(3, 2)
    frame = pd.DataFrame(numbers, copy=False)
    other = pd.DataFrame(numbers, copy=False)
    before = fingerprint(frame)

    assert shares(frame, numbers) is shares(numbers[1], frame) is shares(frame, other) is True
    numbers[0, 0] = 99
    assert fingerprint(frame) != before
    assert shares(frame, pd.DataFrame(numbers.copy())) is False


def test_frames_with_one_index_share_nothing():
    index = pd.Index([3, 4])
    one, other = pd.DataFrame({"a": [1, 2]}, index=index), pd.Series([1, 2], index=index)

    assert one.index is other.index
    assert shares(one, other) is False
    assert shares(one, one) is True


def test_frames_share_the_objects_in_them():
    rows = [[1], [2]]
    frame = pd.DataFrame({"a": rows})

    assert shares(frame, rows) is shares(rows[1], frame["a"]) is True
    assert shares(frame, pd.DataFrame({"a": [[1], [2]]})) is False
    assert shares(frame, frame["a"]) is True


def test_a_model_shares_nothing_with_what_it_was_fitted_to_but_what_it_holds():
    linear_model = pytest.importorskip("sklearn.linear_model")
    neighbors = pytest.importorskip("sklearn.neighbors")
    rows, wanted = np.arange(8.0).reshape(4, 2), np.arange(4.0)

    line = linear_model.LinearRegression().fit(rows, wanted)
    near = neighbors.KNeighborsRegressor(1, algorithm="brute").fit(rows, wanted)

    assert shares(line, rows) is False
    assert shares(line, {"model": line}) is True
    assert shares(near, rows) is True


@pytest.mark.parametrize(
    "index",
    [
        pd.Index(["a", "b"]),
        pd.RangeIndex(2),
        pd.date_range("2020", periods=2),
        pd.MultiIndex.from_tuples([(1, 2), (3, 4)]),
        pd.CategoricalIndex(["a", "b"]),
        pd.interval_range(0, 2),
    ],
    ids=lambda index: type(index).__name__,
)
def test_what_has_an_index_in_common_is_renamed_with_it(index: pd.Index):
    index = index.copy()
    values = {
        "frame": pd.DataFrame({"v": [1, 2]}, index=index),
        "columns": pd.DataFrame([[1, 2]], columns=index),
        "series": [pd.Series([1, 2], index=index)],
        "index": index,
        "copy": pd.Series([1, 2], index=index.copy()),
    }
    before = {name: fingerprint(value) for name, value in values.items()}
    found = Sharing(values, values).by_index("frame")

    values["frame"].index.names = ["n"] * index.nlevels

    renamed = {name for name, was in before.items() if fingerprint(values[name]) != was}
    assert found | {"frame"} == renamed == values.keys() - {"copy"}
