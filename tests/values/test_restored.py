"""What comes back: names and places that are asked for, and objects that are there still."""

from pathlib import Path

import pytest

import wfnb
from tests.values.cells import Model, file_of, run
from wfnb.core.events import Outcome
from wfnb.errors import BadValue, NothingKept, NotRestored, StepUnknown, ValueNotKept
from wfnb.session_log import SessionLog
from wfnb.workspace import KeepRequest, Workspace


def test_values_come_back_into_a_namespace(ws: Workspace):
    ws.step("Fit", keep={"x": 1, "y": 2})
    namespace = {"x": 10, "z": 3}

    ws.restore(1, into=namespace)

    assert namespace == {"x": 1, "y": 2, "z": 3}


def test_what_is_in_the_namespace_as_it_was_kept_stays_the_same_object(ws: Workspace):
    rows, model = [1, 2], Model([3])
    ws.step("Fit", keep={"rows": rows, "model": model})
    namespace = {"rows": rows, "model": model}
    rows.append(3)

    back = ws.restore(1, into=namespace)
    new = ws.restore(1)

    assert back == namespace == new == {"rows": [1, 2], "model": Model([3])}
    assert list(back) == ["rows", "model"]
    assert namespace["model"] is model
    assert namespace["rows"] is not rows
    assert new["model"] is not model


def test_names_and_patterns_choose_what_comes_back(ws: Workspace):
    ws.step("Fit", keep={"m1": 1, "m2": 2, "x": 3})

    assert ws.restore(1, "m*") == {"m1": 1, "m2": 2}
    assert ws.restore(1, "x") == {"x": 3}
    with pytest.raises(ValueNotKept):
        ws.restore(1, "y")


@pytest.mark.parametrize("how", ["hidden", "withdrawn"])
def test_what_no_longer_counts_is_not_what_the_line_kept_last(ws: Workspace, how: str):
    ws.investigation.choose("planner", pause=False)
    ws.step("Load", keep={"rows": [1], "n": 1}, total=9)
    ws.step("Leak", keep={"rows": ["leak"]})
    if how == "hidden":
        ws.hide(2)
    else:
        ws.investigation.backtrack(2)

    assert ws.restore() == ws.restore("main") == {"rows": [1], "n": 1}
    assert ws.restore(2, alone=True) == {"rows": ["leak"]}


def test_the_last_step_of_a_line_that_kept_something_is_last(ws: Workspace):
    ws.step("Load", keep={"x": 1})
    ws.step("Try", branch="alt", branch_from=1, keep={"x": 2})
    ws.step("Look", branch="alt")
    ws.step("On", keep={"x": 3})

    assert [ws.restore(place)["x"] for place in ("last", "alt", "alt:2", "main", 1)] == [
        3,
        2,
        2,
        3,
        1,
    ]
    ws.switch("alt")
    assert ws.restore() == {"x": 2}


def test_where_nothing_was_kept_the_steps_that_kept_are_named(ws: Workspace):
    with pytest.raises(NothingKept, match="Steps that kept values: none yet"):
        ws.restore()
    ws.step("Load", keep={"x": 1})
    ws.step("Look")

    assert ws.restore(2) == {"x": 1}
    with pytest.raises(NothingKept, match=r"Step 2 kept nothing.*values: 1\."):
        ws.restore(2, alone=True)
    with pytest.raises(StepUnknown):
        ws.restore(3)


def test_a_value_that_is_lost_is_named_and_the_others_come_back(ws: Workspace, tmp_path: Path):
    ws.step("Fit", keep={"x": [1], "y": [2]})
    file_of(tmp_path, ws, "x").unlink()

    back = ws.restore(1)

    assert dict(back) == {"y": [2]}
    assert "is missing" in back.missing["x"]
    with pytest.raises(NotRestored, match="x of step 1 cannot be restored"):
        ws.values.prepare(1, (), {}, whole=True)


def test_nothing_is_put_anywhere_before_it_is_asked_for(ws: Workspace):
    run(ws, "Fit", {"x": [1]}, "x")
    namespace = {"x": [2], "new": 1}

    prepared = ws.values.prepare(1, (), namespace, exact=True)
    assert namespace == {"x": [2], "new": 1}
    told = prepared.put()

    assert namespace == {"x": [1]}
    assert told.sentence == "step 1 · Fit · 1 replaced · 1 removed"


def test_what_is_the_same_stays_the_object_that_it_is(ws: Workspace):
    rows, more = [1], [2]
    run(ws, "Load", {"rows": rows, "more": more}, "rows", "more")
    namespace = {"rows": rows, "more": [3], "holds": {"rows": rows}}

    ws.values.prepare(1, (), namespace).put()

    assert namespace["rows"] is rows
    assert namespace["more"] == [2]


def test_a_step_that_could_keep_nothing_is_not_the_last_that_kept(ws: Workspace):
    ws.step("A", keep={"x": 1})
    ws.step("B", keep={"f": (n for n in ())})

    assert ws.restore() == {"x": 1}
    assert ws.restore(2).missing == {"f": "it is a generator"}
    ws.step("C", branch="alt", branch_from=1)
    with pytest.raises(NothingKept, match=r"values: 1\."):
        ws.restore("alt:2", alone=True)


def test_another_process_reads_what_was_kept(ws: Workspace, tmp_path: Path):
    ws.step("Fit", keep={"x": [1]})

    log = SessionLog(ws.log.journal, ws.log.id)
    other = Workspace(log, keeper=wfnb.home(tmp_path / "home").keeper)

    assert other.restore(1) == {"x": [1]}


def test_what_could_not_be_kept_stops_what_needs_all_of_it(ws: Workspace):
    ws.step("Fit", keep={"x": [1], "f": (n for n in ())})

    with pytest.raises(NotRestored) as refused:
        ws.values.prepare(1, (), {}, whole=True)

    assert str(refused.value) == (
        "f of step 1 cannot be restored: it is a generator. Nothing was changed. "
        "`%wfnb restore 1` brings back the others; then go on without --restore."
    )
    assert ws.values.prepare(1, (), {}).put().done


def test_what_is_no_step_and_no_branch_is_told_both(ws: Workspace):
    ws.step("Load", keep={"x": 1})
    ws.step("Try", branch="alt", branch_from=1)

    with pytest.raises(BadValue) as refused:
        ws.restore("nosuch")

    assert str(refused.value) == (
        "step is 'nosuch'. It needs the number of a step (2, or alt:3), last, "
        "or a branch: main, alt."
    )


def test_a_part_that_needs_another_says_so(ws: Workspace):
    space: dict[str, object] = {"__name__": "__main__", "models": [1], "other": 2}
    exec("def lookup(i): return [models[i] for _ in (1,)]", space)
    step = ws.steps.begin(ws.steps.command_for("Fit", keep=("lookup", "models")))
    assert step.running is not None
    names = ("lookup", "models")
    ws.steps.finish(
        step.running, Outcome(), KeepRequest(patterns=names, names=names, namespace=space)
    )

    alone = ws.values.prepare(1, ["lookup"], {"__name__": "__main__"}).put()
    both = ws.values.prepare(1, names, {"__name__": "__main__"}).put()

    assert alone.notes == ["lookup needs models: `%wfnb restore 1 lookup models`"]
    assert both.notes == []


def test_names_that_shared_objects_and_are_restored_one_at_a_time_say_so(ws: Workspace):
    rows = [1]
    run(ws, "Load", {"rows": rows, "box": {"in": rows}, "n": [3]}, "rows", "box", "n")
    fresh: dict[str, object] = {}

    first = ws.values.prepare(1, ["rows"], fresh).put()
    second = ws.values.prepare(1, ["box"], fresh)
    other = ws.values.prepare(1, ["n"], fresh).put()
    into = ws.restore(1, "box", into=fresh)

    said = "box no longer shares objects with rows: `%wfnb restore 1 box rows` restores all of them"
    assert (first.notes, second.restoration.notes, other.notes) == ([], [said], [])
    assert into.notes == [said]
    assert ws.values.prepare(1, ["rows", "box"], fresh).put().notes == []
    assert fresh["box"] == {"in": fresh["rows"]}
