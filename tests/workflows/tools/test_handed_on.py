"""What a tool made is what the next one is called with, or nothing is: never how it is printed."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import TextCut, ValuePrinted
from wfnb.workflows.definition.condition import Condition, holds, pattern_captures
from wfnb.workflows.definition.template import fill
from wfnb.workflows.definition.truncation import part_in, restore_marks, sizes
from wfnb.workflows.tools.result_fields import outcome


@dataclass
class Point:
    x: int
    y: Any


class Level(IntEnum):
    HIGH = 3


EQUAL = {"field_equals": {"made": "x"}}
REFUSED = object()
"""What has no value that could be handed on."""

TABLE = [
    (None, None),
    (True, True),
    (3, 3),
    (10**300, 10**300),
    (10**400, REFUSED),
    (-0.0, -0.0),
    (1e308, 1e308),
    (math.nan, REFUSED),
    (math.inf, REFUSED),
    (1j, REFUSED),
    (Fraction(1, 3), REFUSED),
    ("grün 🌾\n", "grün 🌾\n"),
    ("\ud800", REFUSED),
    (b"abc", REFUSED),
    (bytearray(b"abc"), REFUSED),
    ((1, (2,)), [1, [2]]),
    ({3, 1, 2}, [1, 2, 3]),
    (range(3), [0, 1, 2]),
    (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    ({1: "a"}, REFUSED),
    ({1: "a", "1": "b"}, REFUSED),
    ({None: 1}, REFUSED),
    ({"a": {(1, 2): 3}}, REFUSED),
    (Point(1, [2]), {"x": 1, "y": [2]}),
    (Point(1, math.nan), REFUSED),
    (Level.HIGH, 3),
    (Decimal("1.10"), "1.10"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (Path("a/b"), "a/b"),
    (date(2024, 2, 29), "2024-02-29"),
    (time(1, 2), "01:02:00"),
    (datetime(2024, 2, 29, 1, tzinfo=UTC), "2024-02-29T01:00:00+00:00"),
    (timedelta(minutes=1.5), 90.0),
    (object(), REFUSED),
    (len, REFUSED),
    ((n for n in "ab"), REFUSED),
    (ValueError("x"), REFUSED),
    (numpy.int64(7), 7),
    (numpy.float32(0.5), 0.5),
    (numpy.float64("nan"), REFUSED),
    (numpy.bool_(True), True),
    (numpy.str_("a"), "a"),
    (numpy.datetime64("2024-01-02"), "2024-01-02"),
    (numpy.datetime64("2024-01-02T00:00:00.000000001"), REFUSED),
    (numpy.datetime64("NaT"), REFUSED),
    (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    (numpy.array([1.0, math.nan]), REFUSED),
    (numpy.array(["2024-01-02"], dtype="datetime64[ns]"), REFUSED),
    (numpy.zeros(100_001), REFUSED),
    (pandas.DataFrame({"a": range(3)}), REFUSED),
    (pandas.Series([1, 2]), REFUSED),
    (pandas.Timestamp("2024-01-02"), "2024-01-02T00:00:00"),
    (pandas.NaT, REFUSED),
    (pandas.NA, REFUSED),
    ([1, {"rows": [pandas.DataFrame()]}], REFUSED),
]


def through_json(value: Any) -> dict[str, Any]:
    """The result of a tool that gave it, as a run has it after the journal."""
    fields = outcome({"made": value})
    text = json.dumps([fields, sizes(fields)], allow_nan=False)
    data, marks = json.loads(text.encode().decode())
    return dict(restore_marks(data, marks))


@pytest.mark.parametrize(("value", "handed"), TABLE, ids=range(len(TABLE)))
@pytest.mark.parametrize("written", ["{a.made}", "see {a.made}", "{a}"])
def test_a_value_is_handed_on_as_it_is_or_refused_by_its_name_and_type(value, handed, written):
    scope = {"a": through_json(value)}

    if handed is REFUSED:
        with pytest.raises(ValuePrinted) as refused:
            fill({"to": written}, scope)
        assert refused.value.subject.endswith(written if written != "see {a.made}" else "{a.made}")
    elif written == "{a.made}":
        assert repr(fill({"to": written}, scope)) == repr({"to": handed})
    else:
        fill({"to": written}, scope)


@pytest.mark.parametrize("condition", [EQUAL, {"field_contains": {"made": "x"}}])
@pytest.mark.parametrize(("value", "handed"), TABLE, ids=range(len(TABLE)))
def test_so_is_what_a_condition_asks_of(value, handed, condition):
    result = through_json(value)

    if handed is REFUSED:
        with pytest.raises(ValuePrinted, match="Field 'made'"):
            holds(Condition(**condition), result)
    else:
        assert holds(Condition(**condition), result) is (condition != EQUAL and "x" in str(handed))


def test_what_is_beside_it_is_handed_on():
    scope = {"a": through_json({"frame": pandas.DataFrame(), "rows": 3, 5: "n"})}

    assert fill({"to": "{a.made.rows} {a.made.5} {a.success}"}, scope) == {"to": "3 n true"}
    with pytest.raises(ValuePrinted, match=r"\{a.made.frame\} is a DataFrame, which JSON cannot"):
        fill({"to": "{a.made.frame}"}, scope)


SAID = [
    (math.nan, "{x} is nan, which JSON cannot hold, so it is not passed on. JSON has no such "),
    (
        {"b": b"x"},
        "b in {x} is a bytes, which JSON cannot hold, so it is not passed on. `.decode()`",
    ),
    (
        {"b": [{1: 2}]},
        "b.0 in {x} is a mapping with keys that are no texts (int), as keys of JSON ",
    ),
    (
        pandas.Series([1]),
        "{x} is a Series, which JSON cannot hold, so it is not passed on. Make it ",
    ),
]


@pytest.mark.parametrize(("value", "said"), SAID, ids=range(len(SAID)))
def test_the_refusal_says_what_it_is_and_what_to_do(value, said):
    with pytest.raises(ValuePrinted) as refused:
        fill({"to": "{x}"}, {"x": through_json(value)["made"]})

    assert str(refused.value).startswith(said)


def test_a_pattern_looks_in_what_is_text_and_says_where_nothing_is():
    frame = outcome({"result": pandas.DataFrame()})
    printed = outcome({"result": pandas.DataFrame(), "stdout": "READY 3"})
    pattern = r"READY (?P<n>\d)"

    assert pattern_captures([pattern], printed) == {"n": "3"}
    for asked in (Condition(pattern_match="Empty"), Condition(pattern_not_match="Empty")):
        for made in (frame, printed):
            with pytest.raises(ValuePrinted, match="Field 'result' is a DataFrame"):
                holds(asked, made)
    with pytest.raises(ValuePrinted):
        pattern_captures([pattern], frame)


JSON_LIKE = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
OTHER = (
    st.floats()
    | st.binary()
    | st.decimals()
    | st.datetimes()
    | st.complex_numbers()
    | st.text(st.characters())
    | st.just(pandas.NA)
    | st.timedeltas()
)
VALUES = st.recursive(
    JSON_LIKE | OTHER,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(st.characters()) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


def handed(value: Any) -> Any:
    """What is handed on, by the table in docs/workflows.md; raises where nothing is."""
    match value:
        case None | bool():
            return value
        case int() if value.bit_length() <= 1024:
            return value
        case float() if math.isfinite(value):
            return value
        case str():
            value.encode()
            return value
        case list() | tuple():
            return [handed(item) for item in value]
        case Mapping():
            if not all(isinstance(key, str) for key in value):
                raise ValueError
            return {handed(key): handed(item) for key, item in value.items()}
        case Decimal():
            return str(value)
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
    raise ValueError


@given(VALUES)
def test_any_value_goes_through_a_run_as_it_is_or_not_at_all(value):
    scope = {"a": through_json(value)}
    try:
        wanted = handed(value)
    except ValueError:
        with pytest.raises((ValuePrinted, TextCut)):
            fill({"to": "{a.made}"}, scope)
    else:
        assert repr(fill({"to": "{a.made}"}, scope)["to"]) == repr(wanted)


@given(VALUES)
def test_what_is_marked_is_marked_alike_after_json(value):
    fields = outcome({"made": value})

    again = through_json(value)

    assert sizes(again) == sizes(fields)
    assert part_in(again) == part_in(fields)
