"""A change in place changes the digest."""

from array import array
from collections import deque
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dataflow.graphs import Graph, atoms, changeable, classes, graphs, keys, link
from wfnb.dataflow.fingerprint import fingerprint


def same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and repr(one) == repr(other))


def change(draw: Any, node: Any) -> bool:
    """Change an object once; False where it stays as it was."""
    part = draw(st.one_of(atoms, st.just([]), st.just({})))
    if isinstance(node, bytearray | array):
        node[0] ^= 1
        return True
    if isinstance(node, list | deque) and len(node) and draw(st.booleans()):
        at = draw(st.integers(0, len(node) - 1))
        if same(node[at], part):
            return False
        node[at] = part
        return True
    if isinstance(node, dict) and len(node) and draw(st.booleans()):
        del node[draw(st.sampled_from(list(node)))]
        return True
    if isinstance(node, list | deque):
        node.insert(draw(st.integers(0, len(node))), part)
        return True
    if isinstance(node, set):
        size = len(node)
        return link(node, None, part) and len(node) > size
    key = draw(keys)
    if isinstance(node, dict):
        changes = key not in node or not same(node[key], part)
    elif isinstance(node, classes.Slotted) and not isinstance(node, classes.Both):
        changes = not hasattr(node, "left") or not same(node.left, part)
    elif isinstance(node, classes.Node):
        changes = not same(node.next, part)
    else:
        name = f"a{key}"
        changes = not hasattr(node, name) or not same(getattr(node, name), part)
    return changes and link(node, key, part)


@given(graphs(), st.data())
def test_one_change_of_any_object_in_a_complete_value_changes_its_digest(graph: Graph, data: Any):
    before = fingerprint(graph.nodes)
    node = data.draw(st.sampled_from(list(changeable(graph.nodes).values())))

    if change(data.draw, node) and before.complete:
        assert fingerprint(graph.nodes) != before


FRAME = {"a": [1, 2, 3], "b": [1.5, 2.5, None], "c": ["x", "y", None]}


DAYS = ["2020-01-01", "2020-01-02"]


def annotated(value: int = 0) -> int:
    return value


def plain(value=0):
    return value


plain.__name__ = plain.__qualname__ = annotated.__name__ = annotated.__qualname__ = "same"
plain.__code__ = annotated.__code__
for each in (annotated, plain):
    each.__module__ = "__main__"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pd.DatetimeIndex(DAYS), pd.date_range(DAYS[0], periods=2)),
        (pd.to_timedelta([1, 2], unit="D"), pd.timedelta_range("1D", periods=2)),
        (pd.Series([1], index=pd.DatetimeIndex(DAYS[:1])), pd.Series([1])),
        (annotated, plain),
    ],
)
def test_what_else_can_be_asked_of_a_value_is_content(one: Any, other: Any):
    assert fingerprint(one).digest != fingerprint(other).digest


@pytest.mark.parametrize("kind", [pd.DataFrame, pd.Series])
def test_notes_and_flags_of_a_frame_are_content(kind: Any):
    value = kind([1, 2])
    before = fingerprint(value)
    assert value.attrs == {}
    assert fingerprint(value) == before

    value.attrs["unit"] = "cm"
    noted = fingerprint(value)
    value.flags.allows_duplicate_labels = False

    assert len({before.digest, noted.digest, fingerprint(value).digest}) == 3


@pytest.mark.filterwarnings("ignore:The inplace keyword")
@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.loc.__setitem__((0, "a"), 9),
        lambda frame: frame.iloc.__setitem__((2, 2), "z"),
        lambda frame: frame.insert(0, "d", 0),
        lambda frame: frame.drop(columns="a", inplace=True),
        lambda frame: frame.rename(columns={"a": "A"}, inplace=True),
        lambda frame: frame.sort_values("a", ascending=False, inplace=True),
        lambda frame: frame.dropna(inplace=True),
        lambda frame: frame.__setitem__("a", frame["a"].astype("float64")),
        lambda frame: frame.__setitem__("c", frame["c"].astype("category")),
        lambda frame: setattr(frame, "index", [7, 8, 9]),
        lambda frame: setattr(frame.index, "name", "rows"),
        lambda frame: frame.update(pd.DataFrame({"b": [7.0]})),
    ],
)
def test_a_change_of_a_frame_in_place_changes_its_digest(change: Any):
    frame = pd.DataFrame(FRAME)
    before = fingerprint(frame)

    change(frame)

    assert before.complete
    assert fingerprint(frame) != before


def test_reading_a_frame_does_not_change_its_digest():
    frame = pd.DataFrame(FRAME)
    for number in range(4):
        frame[f"n{number}"] = float(number)
    before = fingerprint(frame)

    repr(frame), frame.values, frame.describe(), frame["a"], frame.sum(numeric_only=True)
    frame._mgr._consolidate_inplace()
    frame.index.is_unique, frame.columns.get_loc("a"), list(frame.groupby("a")), frame.T

    assert fingerprint(frame) == before


def test_showing_a_masked_array_does_not_change_its_digest():
    masked = np.ma.masked_array([1.5, 2.5], [True, False])
    before = fingerprint(masked)

    repr(masked), masked.sum(), masked.fill_value

    assert fingerprint(masked) == before
    masked[0] = np.ma.masked
    masked.mask[1] = True
    assert fingerprint(masked) != before


@pytest.mark.parametrize("size", [10, 1000, 131_072])
def test_every_element_of_an_array_up_to_a_mebibyte_counts(size: int):
    numbers = np.zeros(size)
    before = fingerprint(numbers)

    for at in (0, size // 2, size - 1):
        numbers[at] = -0.0
        assert fingerprint(numbers) != before
        numbers[at] = 0.0

    assert before.complete
    assert fingerprint(numbers) == before


def test_a_column_that_was_taken_out_has_its_own_digest():
    frame = pd.DataFrame(FRAME)
    column = frame["a"]
    before, whole = fingerprint(column), fingerprint(frame)

    frame.loc[0, "a"] = 99

    assert fingerprint(frame) != whole
    if pd.__version__ >= "3" or pd.options.mode.copy_on_write:
        assert fingerprint(column) == before
    else:
        assert fingerprint(column) != before


def test_a_column_that_was_taken_out_is_changed_apart():
    frame = pd.DataFrame(FRAME)
    column = frame["a"].copy()
    before = fingerprint(frame)

    column.iloc[0] = 99

    assert fingerprint(frame) == before


def test_a_model_that_is_fitted_has_another_digest_and_its_use_changes_nothing():
    pipeline = pytest.importorskip("sklearn.pipeline")
    linear_model = pytest.importorskip("sklearn.linear_model")
    model = pipeline.make_pipeline(linear_model.LinearRegression())
    rows, wanted = np.arange(8.0).reshape(4, 2), np.arange(4.0)
    before = fingerprint(model)

    model.fit(rows, wanted)
    fitted = fingerprint(model)
    model.predict(rows)

    assert fitted != before
    assert fingerprint(model) == fitted


def test_a_change_in_what_a_function_or_class_of_the_notebook_holds_shows():
    held = {"__name__": "__main__"}
    exec("def f(x, rows=[]): return rows\nclass Config:\n    size = 1", held)
    before = fingerprint([held["f"], held["Config"]])

    held["f"](0).append(1)
    grown = fingerprint([held["f"], held["Config"]])
    held["Config"].size = 2

    assert not before.complete
    assert len({before, grown, fingerprint([held["f"], held["Config"]])}) == 3


@pytest.mark.parametrize("code", ["x + 1", "x - 1", "(x, {1, 'a'})", "[y + 1 for y in x]"])
def test_the_code_of_a_function_counts(code: str):
    def define(body: str) -> Any:
        held = {"__name__": "__main__"}
        exec(f"\n\nf = lambda x: {body}", held)
        return held["f"]

    assert fingerprint(define(code)) == fingerprint(define(code))
    assert fingerprint(define(code)) != fingerprint(define("x"))


def test_beyond_the_budget_lengths_alone_count():
    rows = [[number] for number in range(100)]
    before = fingerprint(rows, budget=50)

    rows[90][0] = "another"
    assert fingerprint(rows, budget=50) == before
    rows.append([1])
    assert fingerprint(rows, budget=50) != before
    assert not before.complete


def test_a_set_beyond_the_budget_has_a_digest_that_does_not_depend_on_its_order():
    one = {str(number) for number in range(100)}
    other: set[str] = set()
    for text in sorted(one, reverse=True):
        other.add(text)

    assert fingerprint([one, 1], budget=50) == fingerprint([other, 1], budget=50)
    nested = frozenset((str(number), (number,)) for number in range(100))
    assert fingerprint(nested, budget=150) == fingerprint(frozenset(list(nested)[::-1]), budget=150)
    assert not fingerprint(nested, budget=150).complete


def test_the_state_of_a_generator_of_random_numbers_counts():
    numbers = np.random.default_rng(1)
    before = fingerprint(SimpleNamespace(rng=numbers))

    numbers.random()

    assert fingerprint(SimpleNamespace(rng=numbers)) != before
