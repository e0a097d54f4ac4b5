"""A value is described in a few words, and two are compared, for people."""

from __future__ import annotations

import sys
import threading
from collections import deque
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from wfnb.values import describe, difference, figure_png

from . import child
from .notebook import namespace


class Rude:
    """Nothing of it can be asked."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("no")

    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    __hash__ = None  # type: ignore[assignment]


class Model:
    """With what it learned, as models have it."""

    def __init__(self, rounds: int, weights: object) -> None:
        self.rounds, self.weights = rounds, weights


@pytest.mark.parametrize(
    ("value", "kind", "says"),
    [
        (None, "NoneType", "None"),
        (3, "int", "3"),
        (10**5000, "int", ""),
        ("abc", "str", "'abc'"),
        ("x" * 1000, "str", f"'{'x' * 40}… (1,000 characters)"),
        ("\x1b[31mred\ud800", "str", "'\\x1b[31mred\\ud800'"),
        (b"abc", "bytes", "3 bytes"),
        ([1, 2], "list", "[1, 2]"),
        (list(range(1000)), "list", "1,000 elements"),
        ({"a": 1, "b": 2}, "dict", "2 keys: 'a', 'b'"),
        (deque([1]), "collections.deque", "deque([1])"),
        (object(), "object", ""),
        (Rude(), "tests.kept_values.test_describe.Rude", ""),
        (threading.Lock(), "_thread.lock", "<unlocked _thread.lock object>"),
        (sys, "module", "sys"),
        (np.zeros((1000, 3)), "numpy.ndarray", "1,000 × 3 float64"),
        (np.float64(0.5), "numpy.float64", "0.5"),
        (pd.DataFrame({"x": [1, 2]}), "pandas.DataFrame", "2 rows × 1 column"),
        (pd.Series([1, 2]), "pandas.Series", "2 int64"),
        (Figure(figsize=(4, 3), dpi=100), "matplotlib.figure.Figure", "400 × 300 pixels, 0 plots"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_described_in_a_few_words(value: object, kind: str, says: str):
    found = describe(value, lines=True)

    assert (found.type, found.says) == (kind, says)


def test_a_function_and_an_object_of_the_notebook_are_named_without_addresses():
    space = namespace("class Own: pass\nx = Own()\ny = [x]\ndef f(a, *, b=2): pass")

    assert [describe(space[name]).says for name in "xyf"] == [
        "",
        "[<Own object>]",
        "f(a, *, b=2)",
    ]
    assert describe(space["x"]).type == "Own"


def test_a_frame_and_an_array_are_summed_up_where_asked():
    frame = pd.DataFrame({"x": [1.0, None, 3.0], "word": ["a", "b", None]})

    assert describe(frame).lines == ()
    assert describe(frame, lines=True).lines == (
        "x: float64 · min 1 · mean 2 · max 3 · 1 missing",
        "word: str · min 'a' · max 'b' · 1 missing",
    )
    assert describe(np.array([1, 5]), lines=True).lines == ("min 1 · mean 3 · max 5",)
    assert describe(np.zeros((2, 3))).size == 48


def test_a_figure_has_a_picture_and_nothing_else_has():
    figure = Figure(figsize=(1, 1))
    axes = figure.subplots()

    assert (figure_png(figure) or b"")[:8] == b"\x89PNG\r\n\x1a\n"
    assert figure_png(axes) == figure_png(figure)
    assert [figure_png(value) for value in (3, "x", Rude(), SimpleNamespace(figure=3))] == [
        None
    ] * 4


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (3, 3, ()),
        (3, 4, ("3 → 4 (+1, +33.3%)",)),
        (0.5, 0.25, ("0.5 → 0.25 (-0.25, -50.0%)",)),
        (0, 2.5, ("0 → 2.5 (+2.5)",)),
        (float("nan"), float("nan"), ()),
        (True, False, ("True → False",)),
        ("a", "b", ("'a' → 'b'",)),
        (None, 3, ("NoneType None → int 3",)),
        (
            [1, 2, 3],
            [1, 5, 3, 4],
            ("3 → 4 elements", "[1]: 2 → 5 (+3, +150.0%)", "[3]: new, 4"),
        ),
        (
            {"a": 1, "b": [2]},
            {"b": [3], "c": 0},
            ("['c']: new, 0", "['a']: gone, 1", "['b'][0]: 2 → 3 (+1, +50.0%)"),
        ),
        ({1, 2}, {2, 3}, ("new: 3", "gone: 1")),
        (np.arange(4), np.arange(4), ()),
        (np.arange(4), np.arange(5), ("4 → 5",)),
        (np.arange(4), np.arange(4.0), ("int64 → float64",)),
        (
            np.array([1.0, np.nan, 3.0]),
            np.array([1.0, np.nan, 5.0]),
            ("1 of 3 elements differ, by up to 2 (mean nan → nan)",),
        ),
        (np.array(["a", "b"]), np.array(["a", "c"]), ("1 of 2 elements differ",)),
        (
            np.uint8([0, 9]),
            np.uint8([255, 9]),
            ("1 of 2 elements differ, by up to 255 (mean 4.5 → 132)",),
        ),
        (
            pd.DataFrame({"x": [1, 2], "y": ["a", None], "z": [1, 2]}),
            pd.DataFrame({"x": [1, 5], "y": ["a", None], "w": [True, False]}),
            (
                "w: new, bool",
                "z: gone, int64",
                "x: 1 of 2 elements differ, by up to 3 (mean 1.5 → 3)",
            ),
        ),
        (pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"x": [1, 2, 3]}), ("2 → 3 rows",)),
        (
            pd.DataFrame({"x": [1]}, index=[1]),
            pd.DataFrame({"x": [1]}, index=[2]),
            ("the index differs",),
        ),
        (
            Model(10, np.zeros(3)),
            Model(12, np.array([0, 0, 0.5])),
            (
                ".rounds: 10 → 12 (+2, +20.0%)",
                ".weights: 1 of 3 elements differ, by up to 0.5 (mean 0 → 0.1667)",
            ),
        ),
        ("x\n" * 40, "x\n" * 39 + "y\n", ("80 → 80 characters", "-x", "+y")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_differs_between_two_values_is_said(before: Any, after: Any, lines: tuple[str, ...]):
    assert difference(before, after) == lines


def test_two_values_that_cannot_be_compared_are_said_to_be():
    (line,) = difference(Rude(), Rude())

    assert line.startswith("cannot be compared")


def test_many_differences_are_counted():
    lines = difference(dict.fromkeys(range(50), 0), dict.fromkeys(range(50), 1))

    assert len(lines) == 12
    assert lines[-1] == "… 39 more differences"


def test_frames_of_polars_and_pyarrow_are_described_and_compared_too():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    first = pl.DataFrame({"x": [1, 2], "y": ["a", None]})
    second = first.with_columns(x=pl.Series([1, 4]))

    assert describe(first, lines=True).says == "2 rows × 2 columns"
    assert describe(first, lines=True).lines[0] == "x: Int64 · min 1 · mean 1.5 · max 2"
    assert difference(first, second) == ("x: 1 of 2 elements differ, by up to 2 (mean 1.5 → 2.5)",)
    table = pa.table({"x": [1, 2]})
    assert describe(table).says == "2 rows × 1 column"
    assert difference(table, pa.table({"x": [1, 3]}))[0].startswith("x: 1 of 2 elements differ")


def test_describing_imports_no_library_that_is_not_there_yet():
    loaded = child.asked(
        """
        import json, sys
        from wfnb.values import describe, difference
        for value in (3, [1], {"a": 1}, open, sys):
            describe(value, lines=True)
            difference(value, [2])
        heavy = ("numpy", "pandas", "polars", "pyarrow", "matplotlib", "sklearn", "torch")
        print(json.dumps([name for name in heavy if name in sys.modules]))
        """
    )

    assert loaded == []


def test_two_figures_differ_by_their_pictures_and_not_by_what_draws_them():
    figure = pytest.importorskip("matplotlib.figure").Figure
    line, same, other = figure(), figure(), figure()
    for one, heights in ((line, [1, 2]), (same, [1, 2]), (other, [2, 1])):
        one.add_subplot().plot(heights)

    assert difference(line, same) == ()
    assert difference(line, other) == ("another picture",)
