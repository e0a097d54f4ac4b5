"""A copy has the digest of what it was copied from, in whatever process it is."""

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dataflow.graphs import Graph, atoms, classes, graphs, keys
from wfnb.dataflow.fingerprint import fingerprint


class Child:
    """Another process, with other hashes of texts."""

    def __init__(self, seed: str, python: str = sys.executable) -> None:
        command = [python, str(Path(__file__).with_name("child.py"))]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )

    def fingerprint(self, value: Any) -> tuple[str, bool, bool]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(pickle.dumps(value, 4))
        self.process.stdin.flush()
        digest, *rest = self.process.stdout.readline().decode().split()
        complete, atomic = (word == "True" for word in rest)
        return digest, complete, atomic


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    found = Child("1234", os.environ.get("FINGERPRINT_PYTHON", sys.executable))
    with found.process:
        yield found
        assert found.process.stdin is not None
        found.process.stdin.close()


def parts(value: Any) -> tuple[str, bool, bool]:
    found = fingerprint(value)
    return found.digest, found.complete, found.atomic


@given(graphs())
def test_a_deep_copy_has_the_same_digest(graph: Graph):
    assert parts(copy.deepcopy(graph.nodes)) == parts(graph.nodes)


@given(graphs())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_another_process_finds_the_same_digest(child: Child, graph: Graph):
    assert child.fingerprint(graph.nodes) == parts(graph.nodes)


@given(st.sets(st.one_of(keys, st.frozensets(keys, max_size=3)), max_size=8))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_a_set_is_no_content(child: Child, value: set[Any]):
    assert child.fingerprint(value) == parts(value) == parts({*list(value)[::-1]})


@given(graphs(), st.integers(2, 4))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_elements_share_is_named_alike_in_any_order(child: Child, graph: Graph, size: int):
    """Elements that cannot be told apart, and after them the objects that they hold."""
    shared = graph.nodes[0]
    value = [{classes.Node(shared, number % 2) for number in range(size)}, shared, *graph.nodes]
    assert child.fingerprint(value) == parts(value)


@given(st.recursive(atoms, lambda inner: st.tuples(inner, inner) | st.frozensets(keys)))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_atomic_value_is_complete_and_the_same_everywhere(child: Child, value: Any):
    assert child.fingerprint(value) == parts(value)
    assert parts(value)[1:] == (True, True)


TABLES = (
    np.arange(6).reshape(2, 3),
    np.array(["a", None, 2.5], object),
    np.array([("a", 1.5)], [("name", "U3"), ("size", "f8")]),
    np.array(["2020-01-01"], "M8[D]"),
    np.ma.masked_array([1, 2], [True, False]),
    np.float32(1.5),
    pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": [1.5, 2.5], "d": [True, False]}),
    pd.DataFrame(np.arange(12.0).reshape(4, 3), columns=["x", "y", "x"]),
    pd.DataFrame({"a": pd.Categorical(["u", "v"]), "b": pd.array([1, None], dtype="Int64")}),
    pd.Series(["a", "b"], index=pd.date_range("2020", periods=2, tz="Europe/Berlin"), name="s"),
    pd.Series(pd.arrays.SparseArray([0, 0, 1])),
    pd.MultiIndex.from_product([[1, 2], ["a", "b"]], names=["n", "t"]),
    pd.interval_range(0, 3),
    pd.period_range("2020", periods=2, freq="D"),
    pd.Timestamp("2020-01-01 12:00", tz="UTC"),
    *(pd.Timedelta("1D"), pd.NaT, pd.Period("2020-01", "M"), pd.Interval(1, 2)),
)


@pytest.mark.parametrize("value", TABLES, ids=lambda value: type(value).__name__)
def test_a_table_is_complete_and_has_the_same_digest_everywhere(child: Child, value: Any):
    assert parts(value)[1]
    assert parts(copy.deepcopy(value)) == parts(value)
    assert child.fingerprint(value) == parts(value)


def test_a_frame_has_one_digest_in_whatever_blocks_it_lies():
    whole = pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=["a", "b"])
    single = pd.DataFrame({"a": [0.0, 2.0, 4.0]})
    single["b"] = [1.0, 3.0, 5.0]

    assert len(single._mgr.blocks) == 2
    assert fingerprint(whole).complete
    assert fingerprint(single) == fingerprint(whole)


def test_a_large_array_has_one_digest_with_gaps_and_without():
    rows = np.arange(600_000.0).reshape(600, 1000)

    assert fingerprint(rows) != fingerprint(np.asfortranarray(rows))
    assert fingerprint(rows) == fingerprint(np.repeat(rows, 2, axis=1)[:, ::2])
    assert not fingerprint(rows).complete
