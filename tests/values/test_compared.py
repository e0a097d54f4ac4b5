"""What two steps kept is compared."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from tests.values.cells import run
from wfnb.core.commands import KeepValues
from wfnb.workspace import Workspace


def test_a_record_that_names_no_place_of_the_store_is_told_of(ws: Workspace):
    ws.step("A", keep={"x": [1]})
    kept = ws.keep(1, {"x": [2]})
    wrong = replace(kept, values=(replace(kept.values[0], group=9),))
    ws.step("B")
    ws.log.do(KeepValues(step=ws.log.find(2).key, values=wrong))

    found = ws.values.differences(1, 2).to_dict()

    assert found["values"] == {"x": ["cannot be read: it is not in the store"]}


@pytest.mark.parametrize("shared", [False, True])
def test_of_what_is_of_the_process_it_is_not_said_that_it_is_the_same(ws: Workspace, shared: bool):
    """`shared`: it is kept in one file with something else, which differs."""
    logger = logging.getLogger("tests.values.compared")
    for level in (10, 30):
        logger.setLevel(level)
        y = [logger, level] if shared else [level]
        ws.step(f"Level {level}", keep={"logger": logger, "x": 1, "y": y})

    found = ws.values.differences(1, 2)

    assert found.to_dict()["unclear"] == ["logger"]
    assert found.to_dict()["same"] == ["x"]
    assert "no difference found, though they may differ: logger" in repr(found)


def test_two_steps_are_compared(ws: Workspace):
    ws.step("One", keep={"a": 1, "b": [1], "gone": 2})
    ws.step("Two", keep={"a": 2, "b": [1], "new": 3})

    found = ws.values.differences(1, 2)

    assert found.to_dict() == {
        "before": "1",
        "after": "2",
        "values": {
            "a": ["1 → 2 (+1, +100.0%)"],
            "gone": ["gone: int · 2"],
            "new": ["new: int · 3"],
        },
        "same": ["b"],
    }


@pytest.mark.parametrize("live", [True, False])
def test_what_a_member_of_an_enumeration_held_is_compared_and_comes_back_only_where_it_is_put(
    ws: Workspace, live: bool, monkeypatch: pytest.MonkeyPatch
):
    """`live`: the program has that class."""
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(
        "from enum import Enum\nclass Kind(Enum):\n    A, B = [1], 2\na, b = Kind.A, Kind.B", space
    )
    if live:
        monkeypatch.setattr("__main__.Kind", space["Kind"], raising=False)
    run(ws, "One", space, "a", "b")
    space["a"].value.append(2)
    space["b"].seen = True
    run(ws, "Two", space, "a", "b")
    space["a"].value.append(3)

    found = ws.values.differences(1, 2)
    read = ws.restore(1)
    told = ws.values.prepare(1, (), space)

    a, b = ("['Kind.A']['value']", "['Kind.B']['seen']") if live else (".value", ".seen")
    assert {one.name: one.lines for one in found.values} == {
        "a": (f"{a}: 1 → 2 elements", f"{a}[1]: new, 2"),
        "b": (f"{b}: new, True",),
    }
    assert (read["a"].value, space["a"].value) == ([1], [1, 2, 3])
    told.put()
    assert (space["a"].value, hasattr(space["b"], "seen")) == ([1], False)
    assert {one.name: one.way for one in told.restoration.names} == {
        "a": "replaces",
        "b": "replaces",
    }
    assert ws.restore(2, into=space)["b"].seen
    assert {one.way for one in ws.values.prepare(2, (), space).restoration.names} == {"same"}


def test_what_only_was_written_otherwise_is_the_same_and_what_cannot_be_told_is_not(ws: Workspace):
    text = "a text"
    rows = [1.5] * 10_000
    ws.step("One", keep={"texts": [text, text], "zero": 0.0, "rows": rows, "box": {"rows": rows}})
    other = "".join(("a ", "text"))
    again = list(rows)
    ws.step("Two", keep={"texts": [text, other], "zero": -0.0, "rows": again, "box": 1})

    found = ws.values.differences(1, 2)

    assert (set(found.same), found.unclear) == ({"texts", "rows"}, ("zero",))
    assert [value.name for value in found.values] == ["box"]
