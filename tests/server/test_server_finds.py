"""Which history a notebook has, also when it was renamed, moved or copied."""

import json
from pathlib import Path

import nbformat
import pytest

from tests.server.conftest import Server, serving, session
from wfnb.core.events import Cell, Outcome
from wfnb.home_folder import Home
from wfnb.server.notebook_histories import ELSEWHERE


@pytest.fixture
def uid(folder: Path) -> str:
    """The id of the session of `drift.ipynb`, which recorded one of its cells."""
    write(folder / "drift.ipynb", "c1")
    return start(folder, "Load")


def write(path: Path, *cells: str, uid: str | None = None) -> None:
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("1", id=id) for id in cells],
        metadata={} if uid is None else {"wfnb": {"session": uid}},
    )
    path.parent.mkdir(exist_ok=True)
    path.write_text(nbformat.writes(made))


def titles(server: Server, path: Path, uid: str | None = None) -> list[str] | None:
    """Of the steps that a page is told which has this notebook open; None where there are none."""
    given = {} if uid is None else {"session": uid}
    told = server.snapshot(str(path.relative_to(server.work)), **given)
    return None if told["kind"] == "gone" else [row["title"] for row in told["rows"]]


@pytest.mark.parametrize("place", ["renamed.ipynb", "deeper/moved.ipynb"])
def test_a_notebook_that_was_renamed_or_moved_keeps_its_history(
    server: Server, folder: Path, uid: str, place: str
):
    assert titles(server, folder / "drift.ipynb", uid) == ["Load"]
    (folder / "drift.ipynb").unlink()
    write(folder / place, "c1", uid=uid)

    assert titles(server, folder / place, uid) == ["Load"]


def test_a_notebook_that_was_moved_beside_others_with_histories_keeps_its_own(tmp_path: Path):
    """Its kernel finds it by the folders that this user's notebooks have: so does the server."""
    with serving(tmp_path, XDG_STATE_HOME=str(tmp_path)) as server:
        own, moved = (server.work / name / "drift.ipynb" for name in ("own", "other"))
        write(own, "c1")
        places = {"own": own.parent, "other": moved.parent, "far": tmp_path / "far"}
        uids = {name: start(place, f"Of {name}") for name, place in places.items()}
        write(own, "c1", uid=uids["own"])
        own.rename(moved)
        before = server.snapshot("other/drift.ipynb", session=uids["own"])
        (tmp_path / "wfnb").mkdir()
        known = (f"{places[name] / '.wfnb'}\n" for name in ("far", "own"))
        (tmp_path / "wfnb" / "homes").write_text("".join(known))

        after = titles(server, moved, uids["own"])
        outside = server.snapshot("other/drift.ipynb", session=uids["far"])
        write(own, "c1", uid=uids["own"])
        note = server.snapshot("other/drift.ipynb", session=uids["own"])["note"]

    assert after == ["Of own"]
    assert before["says"] == outside["says"] == ELSEWHERE
    assert note.startswith("This notebook is a copy of drift.ipynb")


def start(folder: Path, title: str) -> str:
    """The id of a session of a notebook there."""
    home = Home(folder / ".wfnb")
    workspace = home.start("drift", notebook=folder / "drift.ipynb")
    cell = Cell(id="c1", source="%%step Load")
    workspace.steps.begin(workspace.steps.command_for(title, cell=cell, outcome=Outcome()))
    found = home.sessions()[0].uid
    assert found is not None
    return found


def test_a_copy_is_told_of_what_it_is_a_copy_for_as_long_as_the_original_is_there(
    server: Server, folder: Path, uid: str
):
    write(folder / "copy.ipynb", "c1", uid=uid)
    path = str((folder / "copy.ipynb").relative_to(server.work))

    original = server.snapshot(str((folder / "drift.ipynb").relative_to(server.work)), session=uid)
    copy = server.snapshot(path, session=uid)
    same = server.snapshot(path, session=uid, version=copy["version"])
    (folder / "drift.ipynb").unlink()
    moved = server.snapshot(path, session=uid, version=copy["version"])

    assert "note" not in original
    assert copy["note"] == (
        "This notebook is a copy of drift.ipynb: its first step asks which history to use."
    )
    assert same is None
    assert "note" not in moved


def test_an_open_page_knows_the_session_before_the_file_was_saved(
    server: Server, folder: Path, uid: str
):
    (folder / "drift.ipynb").unlink()
    write(folder / "renamed.ipynb", "c2")

    assert titles(server, folder / "renamed.ipynb") is None
    assert titles(server, folder / "renamed.ipynb", uid) == ["Load"]


def test_a_new_notebook_of_an_old_name_inherits_nothing(server: Server, folder: Path, uid: str):
    write(folder / "drift.ipynb", "another")

    assert titles(server, folder / "drift.ipynb") is None


def test_the_history_of_a_notebook_may_be_in_a_folder_above_it(server: Server, folder: Path):
    session(folder, "deep", "Load")
    write(folder / "below" / "deep.ipynb", "c1")

    assert titles(server, folder / "below" / "deep.ipynb") == ["Load"]


def test_a_folder_above_that_of_the_server_is_not_read(server: Server):
    session(server.work.parent, "above", "A secret plan")
    write(server.work / "above.ipynb", "c1")

    assert titles(server, server.work / "above.ipynb") is None


def test_what_was_found_is_looked_for_again_when_the_notebook_is_another(
    server: Server, folder: Path, uid: str
):
    before = titles(server, folder / "drift.ipynb")
    write(folder / "drift.ipynb", "another")
    data = json.loads((folder / "drift.ipynb").read_text())

    assert [cell["id"] for cell in data["cells"]] == ["another"]
    assert (before, titles(server, folder / "drift.ipynb")) == (["Load"], None)


@pytest.mark.parametrize("uid", ["x", "../../etc", "0" * 4000, "\0"])
def test_an_id_of_no_session_finds_none(server: Server, folder: Path, uid: str):
    session(folder, "drift", "Load")
    write(folder / "another.ipynb", "c1")

    assert titles(server, folder / "another.ipynb", uid) is None
