"""Where names are to be those of the step, one is removed only if that is safe."""

from pathlib import Path

import pytest

from tests.values.cells import file_of, run
from wfnb.core.commands import KeepValues
from wfnb.core.kept_values import KeptValues
from wfnb.errors import NamesUnknown
from wfnb.workspace import Workspace


def test_nothing_is_removed_where_it_is_not_known_what_was_there(ws: Workspace):
    ws.step("By a program", keep={"x": 1})
    namespace = {"x": 2, "precious": 3}

    for look in (ws.values.plan, ws.values.prepare):
        with pytest.raises(NamesUnknown, match="Which names were there at step 1 is not known"):
            look(1, (), namespace, exact=True)
    assert namespace == {"x": 2, "precious": 3}


def test_the_last_is_none_before_one_that_was_interrupted_where_names_are_to_go(ws: Workspace):
    run(ws, "A", {"x": 1}, "x")
    ws.step("B")
    ws.log.do(KeepValues(step=ws.log.find(2).key, values=KeptValues(asked=("y",))))

    with pytest.raises(NamesUnknown, match="step 2 is not known"):
        ws.values.prepare("last", (), {"x": 2, "work": 3}, exact=True)
    assert ws.values.prepare("last", (), {"x": 2}).restoration.sentence == "step 1 · A · 1 replaced"
    assert ws.values.prepare(1, (), {"x": 2, "work": 3}, exact=True).gone == ("work",)


def test_nothing_is_removed_while_a_value_is_not_back(ws: Workspace, tmp_path: Path):
    run(ws, "Fit", {"x": [1], "y": [2]}, "x", "y")
    file_of(tmp_path, ws, "x").unlink()
    namespace = {"x": 0, "y": 0, "precious": 3}

    dry = ws.values.plan(1, (), namespace, exact=True)
    told = ws.values.prepare(1, (), namespace, exact=True).put()
    other = ws.values.prepare(1, ["y"], namespace, exact=True).put()

    assert told.sentence == "step 1 · Fit · 1 replaced · 1 not back"
    assert told.notes == dry.notes == ["no name is removed while a value is not back"]
    assert other.sentence == "step 1 · Fit · 1 unchanged · 1 removed"
    assert namespace == {"x": 0, "y": [2]}


def test_a_value_that_could_not_be_kept_is_in_nobodys_way(ws: Workspace):
    run(ws, "Fit", {"x": [1], "log": (n for n in ())}, "x", "log")
    namespace = {"x": 0, "precious": 3}

    told = ws.values.prepare(1, (), namespace, exact=True).put()

    assert told.sentence == "step 1 · Fit · 1 replaced · 1 not back · 1 removed"
    assert namespace == {"x": [1]}
