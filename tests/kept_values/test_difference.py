"""Nothing that differs between two values is called the same."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wfnb.values import difference

from .notebook import namespace


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x: object) -> None:
        self.x = x


class Node:
    def __init__(self, under: object) -> None:
        self.under = under


def text_column(*values: object) -> Any:
    return pd.array(values, dtype="string")


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (
            pd.Series([1, 2], index=["a", "b"]),
            pd.Series([1, 2], index=["a", "c"]),
            ("the index differs",),
        ),
        (pd.Series([1], name="a"), pd.Series([1], name="b"), ("named 'a' → 'b'",)),
        (
            np.ma.array([1, 2], mask=[False, True]),
            np.ma.array([1, 2], mask=[False, False]),
            ("the mask differs at 1 of 2 elements",),
        ),
        (
            np.ma.array([1, 2, 3], mask=[False, True, False]),
            np.ma.array([1, 9, 5], mask=[False, True, False]),
            ("1 of 3 elements differ, by up to 2 (mean 2 → 3)",),
        ),
        (
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            pd.DataFrame([[1, 9]], columns=["a", "a"]),
            ("a (#2): 1 of 1 element differ, by up to 7 (mean 2 → 9)",),
        ),
        (
            pd.DataFrame([[1]], columns=["a"]),
            pd.DataFrame([[1, 2]], columns=["a", "a"]),
            ("a (#2): new, int64",),
        ),
        (
            pd.DataFrame([[1, 2]], columns=[1, "1"]),
            pd.DataFrame([[9, 3]], columns=[1, "1"]),
            (
                "1: 1 of 1 element differ, by up to 8 (mean 1 → 9)",
                "'1': 1 of 1 element differ, by up to 1 (mean 2 → 3)",
            ),
        ),
        (
            pd.DataFrame([[1]], columns=[1]),
            pd.DataFrame([[1]], columns=["1"]),
            ("'1': new, int64", "1: gone, int64"),
        ),
        (
            pd.DataFrame({"x": [1]}, index=pd.Index([1], name="i")),
            pd.DataFrame({"x": [1]}, index=pd.Index([1], name="j")),
            ("the index: named 'i' → 'j'",),
        ),
        (
            pd.DataFrame({"x": text_column("a", None), "n": [1, 2]}),
            pd.DataFrame({"x": text_column("a", None), "n": [1, 5]}),
            ("n: 1 of 2 elements differ, by up to 3 (mean 1.5 → 3)",),
        ),
        (
            pd.DataFrame({"x": text_column("a", None, "c")}),
            pd.DataFrame({"x": text_column("b", None, None)}),
            ("x: 2 of 3 elements differ, 1 is missing now",),
        ),
        (
            pd.DataFrame({"x": np.array(["a", pd.NA], dtype=object)}),
            pd.DataFrame({"x": np.array(["a", pd.NA], dtype=object)}),
            (),
        ),
        (
            pd.DataFrame({"x": [1.0, np.nan]}),
            pd.DataFrame({"x": [1.0, 2.0]}),
            ("x: 1 of 2 elements differ, 1 was missing (mean 1 → 1.5)",),
        ),
        (
            np.array([2**63, 5], dtype="u8"),
            np.array([2**63 + 1, 5], dtype="u8"),
            ("1 of 2 elements differ, by up to 1 (mean 4.612e+18 → 4.612e+18)",),
        ),
        (
            np.array([np.arange(2), np.arange(3)], dtype=object),
            np.array([np.arange(2), np.arange(4)], dtype=object),
            ("1 of 2 elements differ",),
        ),
        ({"a": 1}, {"a": 1.0}, ("['a']: int 1 → float 1",)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ("the keys are in another order",)),
        (float("nan"), 3.0, ("nan → 3",)),
        (Slotted(1), Slotted(1), ()),
        ([Slotted(1)], [Slotted(2)], ("[0].x: 1 → 2 (+1, +100.0%)",)),
        (
            Node(Node(Node(Node(Node(1))))),
            Node(Node(Node(Node(Node(2))))),
            (".under.under.under.under.under: 1 → 2 (+1, +100.0%)",),
        ),
        (
            datetime.date(2020, 1, 1),
            datetime.date(2020, 1, 2),
            ("datetime.date(2020, 1, 1) → datetime.date(2020, 1, 2)",),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_easily_overlooked_is_said(before: Any, after: Any, lines: tuple[str, ...]):
    assert difference(before, after) == lines


def test_a_column_that_cannot_be_compared_leaves_the_others_compared():
    class Odd:
        def __ne__(self, other: object) -> bool:
            raise RuntimeError("no")

        __hash__ = None  # type: ignore[assignment]

    before = pd.DataFrame({"odd": [Odd()], "n": [1]})
    after = pd.DataFrame({"odd": [Odd()], "n": [2]})

    assert difference(before, after) == (
        "odd: cannot be compared",
        "n: 1 of 1 element differ, by up to 1 (mean 1 → 2)",
    )


def test_two_equal_forests_do_not_differ():
    ensemble = pytest.importorskip("sklearn.ensemble")
    first, same, other = (
        ensemble.RandomForestClassifier(3, random_state=seed).fit(
            [[1], [2], [3], [4]], [0, 1, 0, 1]
        )
        for seed in (0, 0, 1)
    )

    assert difference(first, same) == ()
    assert difference(first, other) != ()


def test_functions_and_classes_of_the_notebook_are_compared_by_their_code():
    first = namespace(
        "\n\ndef f(x): return x + 1\nclass C:\n    size = 1\n    def g(self): return 1"
    )
    same = namespace("def f(x): return x + 1\nclass C:\n    size = 1\n    def g(self): return 1")
    other = namespace("def f(x): return x + 2\nclass C:\n    size = 2\n    def g(self): return 1")

    assert [difference(first[name], same[name]) for name in ("f", "C")] == [(), ()]
    assert difference(first["f"], other["f"])[0].startswith(".code")
    assert difference(first["C"], other["C"]) == (".size: 1 → 2 (+1, +100.0%)",)


def test_what_stands_in_a_try_tells_two_functions_apart():
    start = "def f():\n    try:\n        a()\n"
    inside = namespace(start + "        b()\n    except E:\n        c()")
    behind = namespace(start + "    except E:\n        c()\n    else:\n        b()")

    assert difference(inside["f"], behind["f"])[0].startswith(".code")


def test_what_holds_itself_is_gone_through_once():
    before: list[Any] = [1]
    after: list[Any] = [2]
    before.append(before)
    after.append(after)

    assert difference(before, after) == ("[0]: 1 → 2 (+1, +100.0%)",)
