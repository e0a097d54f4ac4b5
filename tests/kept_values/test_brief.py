"""What is not shown of a value is not asked for."""

from __future__ import annotations

from collections import deque, namedtuple
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wfnb.values import Keeper, describe
from wfnb.values.short_repr import brief


@dataclass
class Plain:
    rows: list[int]
    name: str = "a"


Point = namedtuple("Point", "x y")


class Asked:
    """Counts how often its repr is asked for."""

    times = 0

    def __repr__(self) -> str:
        type(self).times += 1
        return "asked"


@pytest.mark.parametrize(
    "value",
    [
        [],
        (),
        {},
        set(),
        frozenset(),
        frozenset({1}),
        (1,),
        [1, (2, [3]), {"a": {4}, 5: None}],
        deque([1, 2], maxlen=3),
        "it's",
        b"abc",
        Plain([1, 2]),
        Point(1, [2]),
        [Plain([])],
        np.arange(3),
        [np.float64(0.5)],
        Path("a"),
    ],
)
def test_a_short_value_is_said_as_repr_says_it(value: Any):
    assert brief(value, 200) == repr(value)


def test_of_a_long_value_only_the_beginning_is_asked():

    long = {number: [number] for number in range(10**6)}

    assert brief([long], 40).startswith("[{0: [0], 1: [1]")
    assert len(brief([long], 40)) < 60


def test_a_repr_of_the_user_s_own_is_not_asked():
    Asked.times = 0
    held = np.array([Asked()], dtype=object)
    frame = pd.DataFrame({"x": held})

    assert brief([Asked(), Plain([Asked()]), {1: Asked()}], 90) == (  # type: ignore[list-item]
        "[<Asked>, Plain(rows=[<Asked>], name='a'), {1: <Asked>}]"
    )
    assert brief([held, SimpleNamespace(one=frame)], 60) == "[<ndarray>, <SimpleNamespace>]"
    assert Asked.times == 0


def test_a_frame_in_a_list_is_only_named():
    assert brief([pd.DataFrame({"x": [1]}), np.zeros(1000)], 80) == "[<DataFrame>, <ndarray>]"


def test_what_holds_itself_has_an_end():
    value: list[Any] = []
    value.append(value)

    assert brief(value, 80) == "[" * 7 + "…" + "]" * 7


def test_a_plan_asks_nothing_of_what_it_does_not_show(tmp_path: Path):
    keeper = Keeper(tmp_path / "home", own=tmp_path / "own")
    kept = keeper.keep({"a": [1], "b": 2}, namespace={"a": [1], "b": 2})
    Asked.times = 0

    plan = keeper.plan(kept, namespace={"a": [1], "b": 2, "other": Asked()})

    assert [(entry.name, entry.way) for entry in plan.names] == [
        ("a", "same"),
        ("b", "same"),
        ("other", "left"),
    ]
    assert Asked.times == 0


def test_a_list_of_long_lists_is_described_by_its_first_numbers():
    assert describe([list(range(10**5))] * 3).says == "3 elements"


def test_a_function_is_described_without_addresses_and_with_a_sign_where_it_is_cut():
    def short(x=object()):  # noqa: B008
        return x

    def long(first_of_all_parameters, second_of_all_parameters, third_of_all_parameters, more):
        return more

    assert describe(short).says == "short(x=<object object>)"
    assert describe(long).says.endswith("…")
    assert len(describe(long).says) == 80
