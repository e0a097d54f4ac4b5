"""A step keeps what it is given, or what its cell has at the end, and says what it does not."""

from pathlib import Path

import pytest

import wfnb
from tests.values.cells import Model, run
from wfnb.core.events import Outcome
from wfnb.errors import BadValue, NothingKept
from wfnb.workspace import KeepRequest, Workspace


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
    assert [step.current.description for step in ws.session.steps.values()] == ["Load"]
    assert ws.redo() == "step 2 added: Fit"

    assert ws.restore(2) == {"x": 1}


def test_values_are_kept_with_a_step_that_is_there(ws: Workspace):
    ws.step("Fit")

    kept = ws.keep(1, {"x": [1], "f": (n for n in ())})

    assert kept.names == ("x",)
    assert [(value.name, value.why_not) for value in kept.not_kept] == [("f", "it is a generator")]
    back = ws.restore(1)
    assert (dict(back), back.missing) == ({"x": [1]}, {"f": "it is a generator"})


def test_what_a_step_kept_before_does_not_count_when_it_keeps_again(ws: Workspace):
    ws.values.choose_keeping(budget=1_000)
    other = wfnb.home(Path(ws.log.journal.place).parent).open("other")
    other.step("A", keep={"x": "z" * 900})
    ws.step("A", number=1, keep={"x": "a" * 900})

    again = ws.step("A", number=1, keep={"x": "b" * 900})
    more = ws.step("B", keep={"y": "c" * 900})

    assert again.to_dict()["kept"] == {"names": ["x"]}
    assert "1 kB are used" in more.to_dict()["kept"]["not_kept"]["y"]
    assert ws.restore(1) == {"x": "b" * 900}


def test_a_value_that_does_not_fit_any_more_leaves_the_one_that_did(ws: Workspace):
    ws.step("A", number=1, keep={"x": [1]})
    ws.values.choose_keeping(budget=10)

    again = ws.step("A", number=1, keep={"x": "b" * 900})

    assert "it takes 9" in again.to_dict()["kept"]["not_kept"]["x"]
    assert again.to_dict()["warnings"][-1] == "what was kept before it is still there: x"
    assert ws.restore(1) == {"x": [1]}


def test_of_all_that_a_step_assigns_only_names_that_were_said_are_missed(ws: Workspace):
    ended = run(ws, "A", {"x": 1}, "said", "x", "never", asked=("said", "all"))

    assert ended.kept is not None
    assert [value.name for value in ended.kept.not_kept] == ["said"]


def test_a_session_says_what_its_cells_keep(ws: Workspace):
    chosen = ws.values.choose_keeping("df", "m*", budget=10**9)

    assert (chosen.keep, chosen.budget) == (("df", "m*"), 10**9)
    assert ws.step("By a program").to_dict().get("kept") is None


def test_what_is_kept_in_memory_only_goes_with_the_process(tmp_path: Path):
    scratch = wfnb.open("notes", home_folder=tmp_path / "home", scratch=True)

    scratch.step("A", keep={"x": [1]})

    assert scratch.restore(1) == {"x": [1]}
    assert not (tmp_path / "home" / "values").exists()


def test_a_step_that_runs_keeps_patterns_of_a_namespace_at_its_end(ws: Workspace):
    step = ws.steps.begin(ws.steps.command_for("Fit", keep=("m*", "x")))
    assert step.running is not None
    wanted = KeepRequest(
        patterns=("m*", "x"), names=("m*", "x"), namespace={"m1": 1, "n": 2, "m-": 3}
    )

    ended = ws.steps.finish(step.running, Outcome(), wanted)

    assert ended.kept is not None
    assert [(value.name, value.why_not) for value in ended.kept.values] == [
        ("m1", None),
        ("x", "there was no such name"),
    ]


def test_what_the_session_keeps_says_nothing_of_names_that_are_not_there(ws: Workspace):
    step = ws.steps.begin(ws.steps.command_for("Fit", keep=("m*",)))
    assert step.running is not None

    ended = ws.steps.finish(
        step.running,
        Outcome(),
        KeepRequest(patterns=("m*",), names=("m*",), namespace={"n": 1}, strict=False),
    )

    assert ended.kept is None
    assert ws.views.answer(ended).warnings == []


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
