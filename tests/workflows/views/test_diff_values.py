"""Values that are recorded alike: two are the same only where Python sees no difference."""

from __future__ import annotations

import copy
import json
from collections import ChainMap, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from tests.workflows.views.given import Story, deploy
from wfnb.workflows.definition.truncation import marks_of, restore_field
from wfnb.workflows.tools.result_fields import plain
from wfnb.workflows.tools.value_passing import forget
from wfnb.workflows.views.run_diff import SAME, diff


@dataclass
class Point:
    x: int


class Odd(dict[str, Any]):
    pass


One, Other = Enum("Level", {"LOW": 1}), Enum("Level", {"LOW": 1, "HIGH": 2})
Mine = type("Decimal", (int,), {})
"""A class of somebody's own with the name of another."""
Numbers = type("number", (int,), {})


class Text(str):
    pass


def structured(*names: str) -> np.ndarray[Any, Any]:
    return np.array([(1, 2)], [(name, int) for name in names])


def masked(hidden: int, fill: int) -> np.ndarray[Any, Any]:
    return np.ma.array([1, hidden], mask=[0, 1], fill_value=fill)


def factory(make: Any) -> Mapping[str, int]:
    return defaultdict(make, a=1)


UTC_TIME = datetime(2020, 1, 1, tzinfo=UTC)
LOOK_ALIKES: list[list[Any]] = [
    [1, True, 1.0, np.int64(1), np.int8(1), np.uint8(1), np.float32(1), np.float64(1), "1"],
    [*map(Numbers, [1, 1]), Mine(1), One.LOW, Other.LOW, Decimal(1), Decimal("1.0")],
    [0.0, -0.0, 0, False, None, "", [], {}, (), set(), frozenset(), np.float64(-0.0)],
    [float("nan"), np.float64("nan"), np.float32("nan"), "nan", Decimal("nan")],
    [float("inf"), np.float64("inf"), "inf", Decimal("inf")],
    [[1], (1,), {1}, frozenset({1}), deque([1]), deque([1], 3), deque([1], 4), range(1, 2)],
    [range(1, 3, 2), range(1, 2, 5), range(1, 4, 3), (True,), (1.0,), [[1]], [(1,)], ([1],)],
    [np.array([1]), np.array([1], "i1"), np.array([1], ">i8"), np.array([1], object)],
    [np.array([1.0]), np.array([1.0], "f4"), np.array([1.0], object)],
    [np.array(["a"], "U1"), np.array(["a"], "U5"), np.array(["a"], object), ["a"], ("a",)],
    [structured("a", "b"), structured("b", "a"), [(1, 2)]],
    [masked(2, 5), masked(3, 5), masked(2, 6), [1, None]],
    [{"a": 1, "b": 2}, {"b": 2, "a": 1}, OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)],
    [{"a": 1}, Odd(a=1), factory(int), factory(list), ChainMap({"a": 1}), {Text("a"): 1}],
    [{1: "a", "2": "b"}, {"1": "a", 2: "b"}, {1: "a", 2: "b"}, {True: "a", 2: "b"}],
    [OrderedDict({1: "a"}), {1: "a"}, {1.0: "a"}, {"1": "a"}],
    [{"x": 1}, Point(1)],
    [datetime(2020, 1, 1), datetime(2020, 1, 1, fold=1), pd.Timestamp(2020, 1, 1)],
    [UTC_TIME, UTC_TIME.astimezone(ZoneInfo("Etc/UTC"))],
    [date(2020, 1, 1), "2020-01-01", np.datetime64("2020-01-01"), Text("2020-01-01")],
    [np.datetime64("2020-01-01T00"), np.datetime64("2020-01-01T00:00")],
    [time(1), time(1, fold=1)],
    [timedelta(1), pd.Timedelta(1, "D"), 86400.0, np.timedelta64(1, "D")],
    [timedelta.max, timedelta.max - timedelta(microseconds=1)],
    ["a", "a\n", Text("a"), np.str_("a"), b"a", bytearray(b"a"), PurePosixPath("a")],
    [PurePosixPath("\udcff"), PurePosixPath("?"), "?", "\udcff", "\ud800"],
    [UUID(int=1), str(UUID(int=1))],
    [ValueError("a"), ValueError("a")],
    [pd.Series([1]), pd.Series([1], dtype="i1"), pd.DataFrame({"a": [1]})],
]


def recorded(value: Any) -> Any:
    """As a run is read that recorded it, where nobody reads the value itself."""
    fields = forget({"value": plain(value)})
    marks = json.loads(json.dumps(marks_of(fields=fields)))
    return restore_field(json.loads(json.dumps(fields)), marks, "fields")["value"]


def found(one: Any, other: Any) -> Any:
    return diff(*(ran(each) for each in (one, other)), "x", "y")


def ran(value: Any) -> Any:
    return Story(deploy()).performs("upload", value=recorded(value)).run


@pytest.mark.parametrize("group", range(len(LOOK_ALIKES)))
def test_values_that_look_alike_are_not_called_the_same(group: int):
    values = LOOK_ALIKES[group]
    wrapped = [lambda value: value, lambda value: [value], lambda value: {"k": (value,)}]

    for one, other in combinations(values, 2):
        for wrap in wrapped:
            told = found(wrap(one), wrap(other))
            assert not told.same, (one, other)
            assert SAME not in told.text


@pytest.mark.parametrize("group", range(len(LOOK_ALIKES)))
def test_a_value_does_not_differ_from_itself(group: int):
    for value in LOOK_ALIKES[group]:
        told = found(value, copy.copy(value))
        assert told.to_dict()["differences"] == {}, value
        assert told.same or told.text.startswith("The same as far as it is recorded: "), value


WHOLE = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, -0.0, 1.0, 0.5])
    | st.sampled_from(["", "1", "a", "1.0"])
    | st.sampled_from([Decimal("1"), Decimal("1.0"), date(2020, 1, 1), UUID(int=1)])
    | st.sampled_from([np.int64(1), np.int8(1), np.float32(1), np.float64(1)])
)
KEYS = st.sampled_from("ab1")
NESTED = st.recursive(
    WHOLE,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)
IN_DOUBT = [
    lambda value: deque([value]),
    lambda value: OrderedDict(k=value),
    lambda value: {1: value},
    lambda value: np.array([value, None], object),
]


def as_python_shows(value: Any) -> Any:
    """All that Python tells of a value: types, order, signs of zero."""
    if isinstance(value, dict):
        return dict, [(key, as_python_shows(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [*map(as_python_shows, value)]
    return type(value), repr(value)


@settings(max_examples=times(300, 5_000), deadline=None)
@given(NESTED, NESTED, st.sampled_from(IN_DOUBT))
def test_what_is_recorded_whole_is_the_same_where_python_sees_no_difference(one, other, doubt):
    assert found(one, other).same is (as_python_shows(one) == as_python_shows(other))
    assert found(one, copy.deepcopy(one)).same
    assert not found(doubt(one), doubt(other)).same
    assert not found([one, doubt(one)], [one, doubt(one)]).same


def test_the_order_of_keys_is_told():
    told = found({"a": 1, "b": [2]}, {"b": [2], "a": 1})

    assert told.to_dict()["differences"] == {
        "upload": {"result.value: order": [["a", "b"], ["b", "a"]]}
    }


def test_the_order_of_variables_of_a_run_within_a_run_is_that_in_which_its_actions_ended():
    def ran(names: str, value: Any) -> Any:
        work = {"id": "a", "tool": "run_workflow", "args": {"workflow_name": "child"}}
        found = dict.fromkeys(names, value)
        return Story({"name": "parent", "steps": [work]}).performs("a", final_variables=found).run

    assert diff(ran("xy", 1), ran("yx", 1), "x", "y").same
    one, other = ran("x", {"a": 1, "b": 2}), ran("x", {"b": 2, "a": 1})
    assert not diff(one, other, "x", "y").same


def test_in_a_definition_and_among_parameters_the_order_of_keys_means_nothing():
    def ran(*names: str) -> Any:
        work = {"id": "a", "tool": "python", "args": dict.fromkeys(names, "1")}
        return Story({"name": "w", "steps": [work]}).performs("a").run

    assert diff(ran("code", "process"), ran("process", "code"), "x", "y").same
