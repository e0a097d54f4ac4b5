"""What a step kept before it was changed, failed, or could keep nothing: what is said of it, and
what does not go on from it."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

import wfnb
from wfnb.core.events import Outcome
from wfnb.core.session import Step
from wfnb.errors import BadValue, KeptBefore, NotRestored
from wfnb.views.kept_value_words import kept_warnings
from wfnb.workspace import KeepRequest, Workspace


def ran(
    ws: Workspace, title: str, names: str = "", how: Outcome | None = None, **values: Any
) -> Step:
    """Step 1 ran, and was to keep these names."""
    asked = tuple(names.split())
    step = ws.steps.begin(ws.steps.command_for(title, number=1, keep=asked))
    assert step.running is not None
    wanted = (
        KeepRequest(patterns=asked, names=asked, namespace=values)
        if asked and how is None
        else None
    )
    return ws.steps.finish(step.running, how or Outcome(), wanted)


@pytest.mark.parametrize(
    ("again", "how"),
    [
        (lambda ws: ran(ws, "Load anew"), "by version 1 of step 1, which is now at 2"),
        (
            lambda ws: ran(ws, "Load", "x", Outcome(status="failed")),
            "by an earlier attempt of step 1: the last one failed",
        ),
        (
            lambda ws: ran(ws, "Load", "x", x=(n for n in ())),
            "by an earlier attempt of step 1: the last one could keep nothing",
        ),
        (
            lambda ws: ran(ws, "Load"),
            "by an earlier attempt of step 1: the last one was to keep nothing",
        ),
    ],
    ids=("changed", "failed", "kept nothing", "was to keep nothing"),
)
def test_nothing_goes_on_from_what_a_step_kept_before(ws: Workspace, again: Any, how: str):
    ran(ws, "Load", "x", x=[1])
    again(ws)
    names: dict[str, Any] = {"x": [100]}

    with pytest.raises(KeptBefore) as refused:
        ws.values.prepare(1, (), names, whole=True)

    assert str(refused.value) == (
        f"The values to restore were kept {how}. Nothing was changed. Run step 1 again with "
        "`--keep`; or `%wfnb restore 1`, and go on without --restore."
    )
    assert names == {"x": [100]}
    assert ws.values.prepare(1, (), names).put().notes == [f"kept {how}"]
    assert names == {"x": [1]}

    assert (dict(ws.restore(1)), ws.restore(1).notes) == ({"x": [1]}, [f"kept {how}"])

    ws.step("Other", keep={"x": [1]})
    told = ws.values.differences(1, 2)
    assert (told.to_dict()["same"], told.to_dict()["notes"]) == (["x"], [f"kept {how}"])
    assert told.text.splitlines()[-1] == f"! kept {how}"


def test_what_an_earlier_attempt_could_not_keep_is_said_of_that_one_alone(ws: Workspace):
    ran(ws, "Load", "x", x=[1])

    lost = ran(ws, "Load", "x", x=(n for n in ()))
    said = list(kept_warnings(lost))
    later = ran(ws, "Load anew")

    assert said == ["not kept: x: it is a generator", "what was kept before it is still there: x"]
    assert list(kept_warnings(later)) == []
    assert ws.restore(1) == {"x": [1]}


def test_a_step_that_was_revised_says_so_when_it_is_restored(ws: Workspace):
    ws.step("Load", keep={"x": 1})
    ws.step("Load better", revises=1, keep={"x": 2})

    told = ws.values.prepare(1, (), {}).put()

    assert told.notes == ["step 1 was revised by step 2"]


def test_all_that_could_not_be_kept_is_named_with_its_reason(ws: Workspace):
    ws.step("Load", keep={"x": 1, "rows": (n for n in ()), "api_token": "t"})

    with pytest.raises(NotRestored) as refused:
        ws.values.prepare(1, (), {}, whole=True)

    assert str(refused.value).startswith(
        "rows of step 1 cannot be restored: it is a generator; nor api_token: "
        "its name is that of a secret. Nothing was changed."
    )


def test_a_name_that_is_nearly_right_is_offered(ws: Workspace):
    step = ran(ws, "Mean", "typicl", typical=2.9, _typicl=1)

    assert list(kept_warnings(step)) == [
        "not kept: typicl: there was no such name (did you mean 'typical'?)"
    ]


def test_a_step_names_what_it_made_stale_and_nothing_else(ws: Workspace):
    ws.step("Load")
    ws.step("Try", branch="t", branch_from=1)
    ws.step("Go on", branch="main")

    first = ws.step("Load anew", number=1, branch="main").to_dict().get("next_actions", [])
    second = ws.step("Go on anew", number=2, branch="main").to_dict().get("next_actions", [])

    assert first == [
        "steps t:2, 2 are stale: run them again, or `%wfnb confirm t:2 2`",
    ]
    assert second == []


def test_values_of_archived_sessions_are_removed_where_that_is_asked(tmp_path: Path):
    home = wfnb.home(tmp_path / "home")
    home.open("nightly").step("Load", keep={"x": [1]})
    ws = home.start("nightly", fresh=True)
    ws.step("Load", keep={"x": [2]})

    usual, asked = ws.values.gc(), ws.values.gc(archived=True)

    assert (usual.blobs, asked.blobs) == (0, 1)
    assert ws.restore(1) == {"x": [2]}


def test_kept_values_stay_out_of_git(tmp_path: Path):
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    wfnb.home(tmp_path / ".wfnb").open("demo").step("Load", keep={"x": [1]})

    shown = subprocess.run(
        ["git", "-C", str(tmp_path), "status", "--porcelain", "--untracked-files=all"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout

    assert "values" not in shown
    assert any((tmp_path / ".wfnb" / "values").glob("*-*"))


def test_what_is_no_namespace_is_refused(ws: Workspace):
    ws.step("Load", keep={"x": 1})

    with pytest.raises(BadValue, match="into"):
        ws.restore(1, into=[1])  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="values by name"):
        ws.step("Load", keep={1: 1})  # type: ignore[dict-item]


def test_a_later_step_of_the_same_title_is_named(ws: Workspace):
    """Without ids of cells an edited cell is a new step: its old one is easily meant by mistake."""
    ws.step("Load", keep={"x": 1})
    ws.step("Look")
    ws.step("Load", keep={"x": 2})

    first, last = (ws.values.prepare(step, (), {}).put() for step in (1, 3))

    assert first.notes == ["step 3 has the same title, and comes later"]
    assert last.notes == []
