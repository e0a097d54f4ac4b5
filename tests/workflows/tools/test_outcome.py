"""Whatever a tool returns or raises becomes fields that JSON can hold."""

import json
import pickle
from collections import deque, namedtuple
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from uuid import UUID

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from wfnb.errors import ToolUnknown, ValuePrinted
from wfnb.workflows.definition.template import whole
from wfnb.workflows.tools.result_fields import ToolFailed, outcome, outcome_of, plain


@dataclass
class Found:
    path: Path
    success: bool = True


class Model(BaseModel):
    names: set[str]


class Colour(Enum):
    RED = "red"


class Mute:
    def __repr__(self):
        raise RuntimeError("no")


class Loud:
    def __repr__(self):
        return "x" * 2000


Point = namedtuple("Point", "x y")

VALUES = [
    (None, {"success": True}),
    (3, {"success": True, "result": 3}),
    ({}, {"success": True}),
    ({"a": 1}, {"success": True, "a": 1}),
    ({"success": False, "a": 1}, {"success": False, "a": 1}),
    ({"success": 0}, {"success": False}),
    (Found(path=Path("a/b")), {"success": True, "path": "a/b"}),
    (Found(path=Path("a"), success=False), {"success": False, "path": "a"}),
    (Model(names={"b", "a"}), {"success": True, "names": ["a", "b"]}),
    ([1, (2, {3})], {"success": True, "result": [1, [2, [3]]]}),
]


@pytest.mark.parametrize(("value", "fields"), VALUES)
def test_what_is_returned_becomes_fields(value, fields):
    assert outcome(value) == fields


PLAIN = [
    (float("nan"), "nan"),
    (float("inf"), "inf"),
    (-float("inf"), "-inf"),
    (2**70, 2**70),
    (10**5000, "<int that cannot be shown>"),
    (b"gr\xc3\xbcn\xff", "grün\ufffd"),
    ("lone \ud800", "lone ?"),
    ({"\ud800": 1}, {"?": 1}),
    ({1: "a", None: "b", (2,): "c"}, {"1": "a", "None": "b", "(2,)": "c"}),
    ({3, "a"}, ["a", 3]),
    (frozenset({2, 1}), [1, 2]),
    (deque([1]), [1]),
    (range(3), [0, 1, 2]),
    (Point(1, 2), [1, 2]),
    (Colour.RED, "red"),
    (Decimal("1.10"), "1.10"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (datetime(2024, 1, 2, tzinfo=UTC), "2024-01-02T00:00:00+00:00"),
    (timedelta(minutes=1), 60.0),
    (numpy.float32(0.5), 0.5),
    (numpy.float64("nan"), "nan"),
    (numpy.int64(7), 7),
    (numpy.bool_(True), True),
    (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    (numpy.datetime64("2024-01-02"), "2024-01-02"),
    (Mute(), "<Mute that cannot be shown>"),
    (Loud(), f"{'x' * 1000}… (2,000 characters)"),
]


@pytest.mark.parametrize(("value", "shown"), PLAIN, ids=range(len(PLAIN)))
def test_what_json_does_not_know_says_what_it_can(value, shown):
    assert plain(value) == shown


@pytest.mark.parametrize(
    "value", [{1: "a", "1": "b"}, {"1": "a", 1: "b"}, {(1,): "a", "(1,)": "b"}]
)
def test_what_stands_under_two_keys_is_not_passed_on(value):
    (shown,) = plain(value).values()

    with pytest.raises(ValuePrinted, match="is a value under two keys, which JSON cannot hold"):
        whole(shown, "{it}", "it")


def test_an_array_that_is_too_large_is_shown_as_it_shows_itself():
    assert plain(numpy.zeros(100_001)).startswith("array([0., 0., 0., ..., 0., 0., 0.]")


@pytest.mark.parametrize("end", [1_000_001, 10**30])
def test_a_range_that_is_too_long_is_shown_and_not_made_a_list(end):
    assert plain(range(end)) == f"range(0, {end})"
    assert plain(range(3)) == [0, 1, 2]


def test_a_list_that_holds_itself_ends():
    ring = [1]
    ring.append(ring)

    assert "[...]" in json.dumps(plain(ring))


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.decimals()
    | st.datetimes()
    | st.complex_numbers(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.integers() | st.text(st.characters()), inner)
        | st.tuples(inner, inner)
    ),
    max_leaves=20,
)


@given(ANYTHING)
def test_everything_becomes_strict_json_and_stays_what_it_became(value):
    said = plain(value)

    assert json.loads(json.dumps(said, allow_nan=False).encode()) == said
    assert plain(said) == said


RAISED = [
    (ToolFailed("no", host="a", at=Path("b")), {"error": "no", "host": "a", "at": "b"}),
    (ValueError("bad"), {"error": "ValueError: bad", "error_type": "ValueError"}),
    (KeyError("k"), {"error": "KeyError: 'k'", "error_type": "KeyError"}),
    (AssertionError(), {"error": "AssertionError", "error_type": "AssertionError"}),
    (SystemExit(3), {"error": "SystemExit: 3", "error_type": "SystemExit"}),
    (
        ToolUnknown("a", ("b",)),
        {"error": "No tool is called 'a'. Tools: b.", "error_type": "ToolUnknown"},
    ),
    (
        ExceptionGroup("tasks", [ExceptionGroup("more", [ValueError("bad")])]),
        {"error": "ValueError: bad (ExceptionGroup: tasks)", "error_type": "ValueError"},
    ),
    (
        ExceptionGroup("tasks", [ToolFailed("no", host="a")]),
        {"error": "no (ExceptionGroup: tasks)", "host": "a"},
    ),
    (
        BaseExceptionGroup(
            "tasks", [KeyError(1), BaseExceptionGroup("", [OSError(), SystemExit()])]
        ),
        {
            "error": "KeyError: 1; OSError; SystemExit (BaseExceptionGroup: tasks)",
            "error_type": "BaseExceptionGroup",
        },
    ),
    (
        ExceptionGroup("tasks", [ValueError(n) for n in range(5)]),
        {
            "error": "ValueError: 0; ValueError: 1; ValueError: 2; … and 2 more "
            "(ExceptionGroup: tasks)",
            "error_type": "ExceptionGroup",
        },
    ),
]


@pytest.mark.parametrize(("error", "fields"), RAISED)
def test_what_is_raised_becomes_a_failure(error, fields):
    assert outcome_of(error) == {"success": False, **fields}


def test_a_failure_can_say_that_it_was_none():
    assert outcome_of(ToolFailed("odd", success=True)) == {"success": True, "error": "odd"}


def test_a_failure_travels():
    again = pickle.loads(pickle.dumps(ToolFailed("no", host="a")))

    assert outcome_of(again) == {"success": False, "error": "no", "host": "a"}


@pytest.mark.parametrize("said", [True, False, None, 1, 0, numpy.bool_(False), numpy.int64(1)])
def test_a_success_is_what_a_tool_says_it_is(said):
    assert outcome({"success": said, "n": 1}) == {"success": bool(said), "n": 1}


@pytest.mark.parametrize("said", ["false", "", 12, -1, [], {}, float("nan"), b"", Found(Path())])
def test_what_is_neither_true_nor_false_is_no_success(said):
    fields = outcome({"success": said, "n": 1})

    assert (fields["success"], fields["n"]) == (False, 1)
    assert "and not true or false" in fields["error"]
