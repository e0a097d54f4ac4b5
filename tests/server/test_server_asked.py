"""What the server answers of a notebook's history: what its kernel would."""

import json
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from tests.server.conftest import Server, session
from wfnb import panel
from wfnb.core.events import Cell, Outcome
from wfnb.core.shown_figures import Figure
from wfnb.views.figures import left_out

OLD = Path(__file__).parents[1] / "journal"


def path_of(folder: Path, name: str) -> str:
    return f"{folder.name}/{name}.ipynb"


def test_a_snapshot_is_the_one_that_a_kernel_tells(server: Server, folder: Path):
    workspace = session(folder, "drift", "Load", "Fit")
    workspace.step("Another loss", branch="robust", branch_from=1)

    told = server.snapshot(path_of(folder, "drift"))

    assert told.pop("now") > 0
    assert told.pop("version")
    assert told == json.loads(json.dumps(panel.snapshot(workspace.session)))


def test_no_step_ran_in_the_server(server: Server, folder: Path):
    session(folder, "drift", "Load")

    told = server.snapshot(path_of(folder, "drift"))

    assert [row.get("here", False) for row in told["rows"]] == [False]


def test_nothing_is_told_again_until_somebody_records_something(server: Server, folder: Path):
    workspace = session(folder, "drift", "Load")
    first = server.snapshot(path_of(folder, "drift"))

    same = server.snapshot(path_of(folder, "drift"), version=first["version"])
    workspace.step("Fit")
    after = server.snapshot(path_of(folder, "drift"), version=first["version"])
    workspace.undo()
    undone = server.snapshot(path_of(folder, "drift"), version=after["version"])

    assert same is None
    assert [row["title"] for row in after["rows"]] == ["Load", "Fit"]
    assert [row["title"] for row in undone["rows"]] == ["Load"]


def test_hidden_steps_are_left_out_and_only_rows_of_hidden_steps_have_them(
    server: Server, folder: Path
):
    workspace = session(folder, "drift", "Load", "Load again", "Fit")
    workspace.hide(2)
    path, history = path_of(folder, "drift"), workspace.session

    told = server.snapshot(path)
    hidden = server.ask("rows", path, first=0, count=9, hidden="true")

    assert (told["count"], told["head"]["hidden"]) == (2, 1)
    assert [row["title"] for row in told["rows"]] == ["Load", "Fit"]
    assert hidden == (200, panel.rows_page(history, 0, 9, {"hidden": True}))
    assert [row["title"] for row in hidden[1]["rows"]] == ["Load again"]


def test_the_source_of_a_step_is_the_one_that_a_kernel_tells(server: Server, folder: Path):
    workspace = session(folder, "drift", "Load")
    ran = Cell(id="a", source="%%step Fit --done\nfit(data)", part=0)
    workspace.steps.begin(workspace.steps.command_for("Fit", cell=ran, outcome=Outcome()))

    found = server.ask("source", path_of(folder, "drift"), key=3)
    none = server.ask("source", path_of(folder, "drift"), key=2)

    assert found == (200, {"source": ran.source, "code": "fit(data)"})
    assert none == (200, None)


def test_what_a_step_showed_is_read_from_beside_the_journal(server: Server, folder: Path):
    workspace = session(folder, "drift", "Load")
    data = b"\x89PNG\r\n\x1a\n and more"
    kept = workspace.views.figures.keep([("image/png", data)])
    foreign = Figure(form="text/html", blob="0" * 32 + "-9")
    ended = Outcome(figures=(*kept, foreign), figures_left=1)
    workspace.steps.begin(workspace.steps.command_for("Plot", outcome=ended))
    path = path_of(folder, "drift")

    def figure(key: int, name: str) -> object:
        return server.ask("figure", path, key=key, name=name)

    shown, html = server.snapshot(path)["rows"][1]["figures"]
    assert figure(3, shown) == (200, {"form": "image/png", "data": b64encode(data).decode()})
    assert [figure(3, html), figure(3, "other"), figure(2, shown)] == [(200, None)] * 3
    assert "figures" not in server.snapshot(path)["rows"][0]
    said = {"name": "not kept", "value": left_out(workspace.session.steps[3])}
    assert said in server.ask("card", path, key=3)[1]["facts"]

    (folder / ".wfnb" / "figures" / kept[0].blob).unlink()
    assert figure(3, shown) == (200, None)


def test_rows_cards_and_comparisons_are_those_of_a_kernel(server: Server, folder: Path):
    workspace = session(folder, "drift", *(f"Step {n}" for n in range(1, 8)))
    workspace.step("Another", branch="alt", branch_from=2, values={"rmse": 0.3})
    path, history = path_of(folder, "drift"), workspace.session

    page = server.ask("rows", path, first=2, count=3)
    filtered = server.ask("rows", path, first=0, count=9, branch="alt")
    card = server.ask("card", path, key=2)
    compared = server.ask("compare", path, lines=["main", "alt"])

    assert page == (200, panel.rows_page(history, 2, 3))
    assert [row["title"] for row in filtered[1]["rows"]] == ["Another"]
    at = card[1].pop("at")
    assert card == (200, panel.card(history, 2))
    assert at > 0
    assert compared == (200, panel.comparison(history, ["main", "alt"]))


@pytest.mark.parametrize("form", ["md", "html", "json", "svg", "dot", "mmd", "txt"])
def test_an_export_has_the_bytes_that_the_kernel_writes(server: Server, folder: Path, form: str):
    workspace = session(folder, "drift", "Load", "Fit")

    status, answer = server.ask("report", path_of(folder, "drift"), form=form)

    assert status == 200
    assert answer == {"name": f"drift.{form}", "text": workspace.views.export_text(f".{form}")}


def test_runs_are_told_with_their_states_and_reported_with_their_actions(
    server: Server, folder: Path
):
    workspace = session(folder, "drift", "Load")
    definition = {"name": "hello", "steps": [{"tool": "shell", "args": {"command": "echo hi"}}]}
    workspace.run(definition)
    path = path_of(folder, "drift")

    told = server.snapshot(path)
    status, opened = server.ask("run", path, run=told["runs"][0]["name"])
    _, report = server.ask("report", path, form="md")

    assert [(run["workflow"], run["status"], run["here"]) for run in told["runs"]] == [
        ("hello", "success", False)
    ]
    assert (status, opened["tail"][0]["text"]) == (200, "hi")
    assert report["text"] == workspace.views.export_text(".md")


def test_a_notebook_without_a_history_has_none_and_gets_none(server: Server, folder: Path):
    told = server.snapshot(path_of(folder, "new"))

    assert (told["kind"], told["empty"]) == ("gone", True)
    assert list(folder.iterdir()) == []


def test_a_notebook_gets_no_history_of_another_one(server: Server, folder: Path):
    session(folder, "drift", "Load")

    assert server.snapshot(path_of(folder, "other"))["kind"] == "gone"


@pytest.mark.parametrize(
    ("word", "arguments", "status"),
    [
        ("undo", {}, 400),
        ("rows", {}, 400),
        ("rows", {"first": "-1", "count": 1}, 400),
        ("rows", {"first": "1e3", "count": 1}, 400),
        ("rows", {"first": "9" * 400, "count": 1}, 400),
        ("card", {"key": 77}, 409),
        ("card", {"key": "x"}, 400),
        ("source", {"key": 77}, 409),
        ("figure", {"key": 77, "name": "0"}, 409),
        ("figure", {"key": 2}, 400),
        ("run", {"run": "deploy-1"}, 409),
        ("report", {"form": "exe"}, 400),
    ],
)
def test_what_cannot_be_answered_is_refused_in_a_sentence(
    server: Server, folder: Path, word: str, arguments: dict[str, object], status: int
):
    session(folder, "drift", "Load")

    got, answer = server.ask(word, path_of(folder, "drift"), **arguments)

    assert got == status
    assert answer["message"].endswith(".")
    assert "\n" not in answer["message"]


def test_a_step_whose_kernel_was_killed_was_interrupted_also_before_the_next_one_records_that(
    server: Server, folder: Path
):
    code = (
        "import os, wfnb\n"
        f"ws = wfnb.open('drift', home_folder={str(folder / '.wfnb')!r})\n"
        "ws.step('Load'); ws.steps.begin(ws.steps.command_for('Fit'))\n"
        "os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)

    killed = server.snapshot(path_of(folder, "drift"))
    workspace = session(folder, "drift", "Again")
    resumed = server.snapshot(path_of(folder, "drift"), version=killed["version"])

    assert [row["outcome"] for row in killed["rows"]] == ["ok", "interrupted"]
    assert resumed["rows"] == json.loads(json.dumps(panel.snapshot(workspace.session)["rows"]))


@pytest.mark.parametrize(
    ("file", "name"),
    [("v1", "churn"), ("values1", "prices"), ("investigations1", "crash"), ("runs2", "churn")],
)
def test_a_journal_of_an_older_version_is_read_and_left_as_it_is(
    server: Server, folder: Path, file: str, name: str
):
    (folder / ".wfnb").mkdir()
    copy = folder / ".wfnb" / "journal.db"
    shutil.copy(OLD / f"{file}.db", copy)
    before = copy.read_bytes()

    told = server.snapshot(path_of(folder, name))

    assert told["kind"] == "snapshot"
    assert copy.read_bytes() == before
