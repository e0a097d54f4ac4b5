"""Values kept and brought back by a program: the same rules without a notebook."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import wfnb
from wfnb.core.commands import KeepValues
from wfnb.core.events import Outcome
from wfnb.core.kept import Kept
from wfnb.core.session import Step
from wfnb.errors import (
    BadValue,
    NamesUnknown,
    NothingKept,
    NotRestored,
    StepUnknown,
    ValueNotKept,
)
from wfnb.workspace import Wanted, Workspace


@pytest.fixture(autouse=True)
def _his_own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return wfnb.home(tmp_path / "home").open("demo")


@dataclass
class Model:
    rows: list[int]


def run(
    ws: Workspace, title: str, namespace: dict[str, Any], *names: str, asked: tuple[str, ...] = ()
) -> Step:
    """A step of a cell, which ends with that namespace."""
    asked = asked or names
    step = ws.begin(ws.add_step(title, keep=asked))
    assert step.running is not None
    return ws.finish(step.running, Outcome(), Wanted(asked=asked, names=names, namespace=namespace))


def test_a_step_keeps_what_it_is_given(ws: Workspace):
    rows = [1, 2]

    told = ws.step("Fit", keep={"rows": rows, "model": Model(rows)})
    rows.append(3)
    back = ws.restore(1)

    assert told.to_dict()["kept"] == {"names": ["rows", "model"]}
    assert back == {"rows": [1, 2], "model": Model([1, 2])}
    assert back["model"].rows is back["rows"]
    assert back.missing == {}


def test_a_step_that_failed_keeps_nothing(ws: Workspace):
    told = ws.step("Fit", keep={"x": 1}, outcome="failed")

    assert told.to_dict()["kept"] == {"names": [], "not_kept": {"x": "the step failed"}}
    with pytest.raises(NothingKept):
        ws.restore(1)


def test_undoing_the_step_is_one_undo(ws: Workspace):
    ws.step("Load")
    ws.step("Fit", keep={"x": 1})

    assert ws.undo() == "step 2 added: Fit"
    assert [step.now.description for step in ws.session.steps.values()] == ["Load"]
    assert ws.redo() == "step 2 added: Fit"

    assert ws.restore(2) == {"x": 1}


def test_values_are_kept_with_a_step_that_is_there(ws: Workspace):
    ws.step("Fit")

    kept = ws.keep(1, {"x": [1], "f": (n for n in ())})

    assert kept.names == ("x",)
    assert [(value.name, value.why_not) for value in kept.not_kept] == [("f", "it is a generator")]
    back = ws.restore(1)
    assert (dict(back), back.missing) == ({"x": [1]}, {"f": "it is a generator"})


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

    with pytest.raises(NothingKept, match=r"Step 2 kept nothing.*values: 1\."):
        ws.restore(2)
    with pytest.raises(StepUnknown):
        ws.restore(3)


def test_a_value_that_is_lost_is_named_and_the_others_come_back(ws: Workspace, tmp_path: Path):
    ws.step("Fit", keep={"x": [1], "y": [2]})
    _file(tmp_path, ws, "x").unlink()

    back = ws.restore(1)

    assert dict(back) == {"y": [2]}
    assert "is missing" in back.missing["x"]
    with pytest.raises(NotRestored, match="x of step 1 cannot be restored"):
        ws.prepare(1, (), {}, whole=True)


def _file(tmp_path: Path, ws: Workspace, name: str) -> Path:
    kept = ws.session.steps[2].kept
    assert kept is not None
    value = kept.get(name)
    assert value is not None
    assert value.group is not None
    blob = kept.groups[value.group].blobs[0]
    (found,) = (tmp_path / "home" / "values").rglob(f"*{blob}*")
    return found


def test_nothing_is_put_anywhere_before_it_is_asked_for(ws: Workspace):
    run(ws, "Fit", {"x": [1]}, "x")
    namespace = {"x": [2], "new": 1}

    prepared = ws.prepare(1, (), namespace, exact=True)
    assert namespace == {"x": [2], "new": 1}
    told = prepared.put()

    assert namespace == {"x": [1]}
    assert told.sentence == "step 1 · Fit · 1 replaced · 1 removed"


def test_nothing_is_removed_where_it_is_not_known_what_was_there(ws: Workspace):
    ws.step("By a program", keep={"x": 1})
    namespace = {"x": 2, "precious": 3}

    for look in (ws.plan, ws.prepare):
        with pytest.raises(NamesUnknown, match="Which names were there at step 1 is not known"):
            look(1, (), namespace, exact=True)
    assert namespace == {"x": 2, "precious": 3}


def test_the_last_is_none_before_one_that_was_interrupted_where_names_are_to_go(ws: Workspace):
    run(ws, "A", {"x": 1}, "x")
    ws.step("B")
    ws.do(KeepValues(step=ws.find(2).key, kept=Kept(asked=("y",))))

    with pytest.raises(NamesUnknown, match="step 2 is not known"):
        ws.prepare("last", (), {"x": 2, "work": 3}, exact=True)
    assert ws.prepare("last", (), {"x": 2}).told.sentence == "step 1 · A · 1 replaced"
    assert ws.prepare(1, (), {"x": 2, "work": 3}, exact=True).gone == ("work",)


def test_nothing_is_removed_while_a_value_is_not_back(ws: Workspace, tmp_path: Path):
    run(ws, "Fit", {"x": [1], "y": [2]}, "x", "y")
    _file(tmp_path, ws, "x").unlink()
    namespace = {"x": 0, "y": 0, "precious": 3}

    dry = ws.plan(1, (), namespace, exact=True)
    told = ws.prepare(1, (), namespace, exact=True).put()
    other = ws.prepare(1, ["y"], namespace, exact=True).put()

    assert told.sentence == "step 1 · Fit · 1 replaced · 1 not back"
    assert told.notes == dry.notes == ["no name is removed while a value is not back"]
    assert other.sentence == "step 1 · Fit · 1 unchanged · 1 removed"
    assert namespace == {"x": 0, "y": [2]}


def test_a_value_that_could_not_be_kept_is_in_nobodys_way(ws: Workspace):
    run(ws, "Fit", {"x": [1], "log": (n for n in ())}, "x", "log")
    namespace = {"x": 0, "precious": 3}

    told = ws.prepare(1, (), namespace, exact=True).put()

    assert told.sentence == "step 1 · Fit · 1 replaced · 1 not back · 1 removed"
    assert namespace == {"x": [1]}


def test_what_is_the_same_stays_the_object_that_it_is(ws: Workspace):
    rows, more = [1], [2]
    run(ws, "Load", {"rows": rows, "more": more}, "rows", "more")
    namespace = {"rows": rows, "more": [3], "holds": {"rows": rows}}

    ws.prepare(1, (), namespace).put()

    assert namespace["rows"] is rows
    assert namespace["more"] == [2]


def test_what_a_step_kept_before_does_not_count_when_it_keeps_again(ws: Workspace):
    ws.keeping(budget=1_000)
    other = wfnb.home(Path(ws.journal.place).parent).open("other")
    other.step("A", keep={"x": "z" * 900})
    ws.step("A", number=1, keep={"x": "a" * 900})

    again = ws.step("A", number=1, keep={"x": "b" * 900})
    more = ws.step("B", keep={"y": "c" * 900})

    assert again.to_dict()["kept"] == {"names": ["x"]}
    assert "1 kB are used" in more.to_dict()["kept"]["not_kept"]["y"]
    assert ws.restore(1) == {"x": "b" * 900}


def test_a_value_that_does_not_fit_any_more_leaves_the_one_that_did(ws: Workspace):
    ws.step("A", number=1, keep={"x": [1]})
    ws.keeping(budget=10)

    again = ws.step("A", number=1, keep={"x": "b" * 900})

    assert "it takes 9" in again.to_dict()["kept"]["not_kept"]["x"]
    assert again.to_dict()["warnings"][-1] == "what was kept before it is still there: x"
    assert ws.restore(1) == {"x": [1]}


def test_a_step_that_could_keep_nothing_is_not_the_last_that_kept(ws: Workspace):
    ws.step("A", keep={"x": 1})
    ws.step("B", keep={"f": (n for n in ())})

    assert ws.restore() == {"x": 1}
    assert ws.restore(2).missing == {"f": "it is a generator"}
    ws.step("C", branch="alt", branch_from=1)
    with pytest.raises(NothingKept, match=r"values: 1\."):
        ws.restore("alt:2")


def test_of_all_that_a_step_assigns_only_names_that_were_said_are_missed(ws: Workspace):
    ended = run(ws, "A", {"x": 1}, "said", "x", "never", asked=("said", "all"))

    assert ended.kept is not None
    assert [value.name for value in ended.kept.not_kept] == ["said"]


def test_a_record_that_names_no_place_of_the_store_is_told_of(ws: Workspace):
    ws.step("A", keep={"x": [1]})
    kept = ws.keep(1, {"x": [2]})
    wrong = replace(kept, values=(replace(kept.values[0], group=9),))
    ws.step("B")
    ws.do(KeepValues(step=ws.find(2).key, kept=wrong))

    found = ws.differences(1, 2).to_dict()

    assert found["values"] == {"x": ["cannot be read: it is not in the store"]}


def test_another_process_reads_what_was_kept(ws: Workspace, tmp_path: Path):
    ws.step("Fit", keep={"x": [1]})

    other = Workspace(ws.journal, ws.id, keeper=wfnb.home(tmp_path / "home").keeper)

    assert other.restore(1) == {"x": [1]}


def test_two_steps_are_compared(ws: Workspace):
    ws.step("One", keep={"a": 1, "b": [1], "gone": 2})
    ws.step("Two", keep={"a": 2, "b": [1], "new": 3})

    found = ws.differences(1, 2)

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

    found = ws.differences(1, 2)
    read = ws.restore(1)
    told = ws.prepare(1, (), space)

    a, b = ("['Kind.A']['value']", "['Kind.B']['seen']") if live else (".value", ".seen")
    assert {one.name: one.lines for one in found.values} == {
        "a": (f"{a}: 1 → 2 elements", f"{a}[1]: new, 2"),
        "b": (f"{b}: new, True",),
    }
    assert (read["a"].value, space["a"].value) == ([1], [1, 2, 3])
    told.put()
    assert (space["a"].value, hasattr(space["b"], "seen")) == ([1], False)
    assert {one.name: one.way for one in told.told.names} == {"a": "replaces", "b": "replaces"}
    assert ws.restore(2, into=space)["b"].seen
    assert {one.way for one in ws.prepare(2, (), space).told.names} == {"same"}


def test_what_only_was_written_otherwise_is_the_same_and_what_cannot_be_told_is_not(ws: Workspace):
    text = "a text"
    rows = [1.5] * 10_000
    ws.step("One", keep={"texts": [text, text], "zero": 0.0, "rows": rows, "box": {"rows": rows}})
    other = "".join(("a ", "text"))
    again = list(rows)
    ws.step("Two", keep={"texts": [text, other], "zero": -0.0, "rows": again, "box": 1})

    found = ws.differences(1, 2)

    assert (set(found.same), found.unclear) == ({"texts", "rows"}, ("zero",))
    assert [value.name for value in found.values] == ["box"]


def test_a_session_says_what_its_cells_keep(ws: Workspace):
    chosen = ws.keeping("df", "m*", budget=10**9)

    assert (chosen.keep, chosen.budget) == (("df", "m*"), 10**9)
    assert ws.step("By a program").to_dict().get("kept") is None


def test_garbage_is_what_no_session_refers_to(tmp_path: Path):
    place = wfnb.home(tmp_path / "home")
    one, two = place.open("one"), place.open("two")
    one.step("A", keep={"x": [1]})
    two.step("B", keep={"x": [2]})
    two.step("C", keep={"x": [3]})
    two.undo()

    spared, gone = one.gc(), one.gc(undone=True)

    assert (spared.blobs, gone.blobs) == (0, 1)
    assert one.usage().blobs == 2
    assert (one.restore(1), two.restore(1)) == ({"x": [1]}, {"x": [2]})


def test_what_can_be_redone_is_no_garbage_and_what_cannot_is(ws: Workspace):
    ws.step("A", keep={"x": [1]})
    ws.step("B", keep={"x": [2]})
    ws.undo()

    assert ws.gc().blobs == 0
    ws.redo()
    assert ws.restore(2) == {"x": [2]}
    ws.undo()
    ws.step("Another")

    assert ws.gc().blobs == 1
    assert ws.restore(1) == {"x": [1]}


def test_what_could_not_be_kept_stops_what_needs_all_of_it(ws: Workspace):
    ws.step("Fit", keep={"x": [1], "f": (n for n in ())})

    with pytest.raises(NotRestored) as refused:
        ws.prepare(1, (), {}, whole=True)

    assert str(refused.value) == (
        "f of step 1 cannot be restored: it is a generator. Nothing was changed. "
        "`%wfnb restore 1` brings back the others; then go on without --restore."
    )
    assert ws.prepare(1, (), {}).put().done


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
    step = ws.begin(ws.add_step("Fit", keep=("lookup", "models")))
    assert step.running is not None
    names = ("lookup", "models")
    ws.finish(step.running, Outcome(), Wanted(asked=names, names=names, namespace=space))

    alone = ws.prepare(1, ["lookup"], {"__name__": "__main__"}).put()
    both = ws.prepare(1, names, {"__name__": "__main__"}).put()

    assert alone.notes == ["lookup needs models: `%wfnb restore 1 lookup models`"]
    assert both.notes == []


def test_what_is_kept_in_memory_only_goes_with_the_process(tmp_path: Path):
    scratch = wfnb.open("notes", home_folder=tmp_path / "home", scratch=True)

    scratch.step("A", keep={"x": [1]})

    assert scratch.restore(1) == {"x": [1]}
    assert not (tmp_path / "home" / "values").exists()


def test_a_step_that_runs_keeps_patterns_of_a_namespace_at_its_end(ws: Workspace):
    step = ws.begin(ws.add_step("Fit", keep=("m*", "x")))
    assert step.running is not None
    wanted = Wanted(asked=("m*", "x"), names=("m*", "x"), namespace={"m1": 1, "n": 2, "m-": 3})

    ended = ws.finish(step.running, Outcome(), wanted)

    assert ended.kept is not None
    assert [(value.name, value.why_not) for value in ended.kept.values] == [
        ("m1", None),
        ("x", "there was no such name"),
    ]


def test_what_the_session_keeps_says_nothing_of_names_that_are_not_there(ws: Workspace):
    step = ws.begin(ws.add_step("Fit", keep=("m*",)))
    assert step.running is not None

    ended = ws.finish(
        step.running,
        Outcome(),
        Wanted(asked=("m*",), names=("m*",), namespace={"n": 1}, strict=False),
    )

    assert ended.kept is None
    assert ws.answer(ended).warnings == []


def test_the_file_that_a_session_is_written_to_tells_what_was_kept(ws: Workspace, tmp_path: Path):
    ws.step("Fit", keep={"x": [1], "f": (n for n in ())})

    for ending in ("md", "html", "json"):
        ws.export(tmp_path / f"report.{ending}")

    told = {path.suffix: path.read_text("utf-8") for path in tmp_path.glob("report.*")}
    assert "kept x" in told[".md"]
    assert "not kept: f" in told[".html"]
    assert '"not_kept"' in told[".json"]


def test_names_alone_are_no_values_to_keep(ws: Workspace):
    with pytest.raises(BadValue, match=r"keep is .*df.*It needs values by name"):
        ws.step("Names", keep=["df"])  # type: ignore[arg-type]

    assert not ws.session.steps
