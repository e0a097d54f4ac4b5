"""Who may ask the server, and for what: who may read its notebooks, and nothing outside of them."""

from pathlib import Path

import pytest

import wfnb
from tests.server.conftest import Server, serving, session

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("token", [None, "another"])
@pytest.mark.parametrize("word", ["snapshot", "card", "report", "nothing"])
def test_who_is_not_logged_in_learns_nothing(
    server: Server, folder: Path, token: str | None, word: str
):
    session(folder, "drift", "A secret plan")

    status, answer = server.ask(word, f"{folder.name}/drift.ipynb", token=token, key=2, form="md")

    assert status == 403
    assert "secret" not in str(answer)


def test_who_may_not_read_notebooks_may_not_read_their_histories(tmp_path: Path):
    denied = "--ServerApp.authorizer_class=tests.server.nobody.Nobody"
    with serving(tmp_path, denied, PYTHONPATH=str(ROOT)) as server:
        session(server.work, "drift", "A secret plan")

        status, answer = server.ask("snapshot", "drift.ipynb")

    assert (status, "secret" in str(answer)) == (403, False)


@pytest.mark.parametrize(
    "path",
    [
        "../outside/drift.ipynb",
        "a/../../outside/drift.ipynb",
        "..\\outside\\drift.ipynb",
        "drift",
        "drift.txt",
        "",
        "/",
        "\0.ipynb",
        "linked/drift.ipynb",
        "escaped.ipynb",
    ],
)
def test_nothing_outside_of_the_folder_is_read(server: Server, path: str):
    outside = server.work.parent / "outside"
    linked, escaped = server.work / "linked", server.work / "escaped.ipynb"
    if not outside.exists():
        outside.mkdir()
        session(outside, "drift", "A secret plan")
        session(outside, "escaped", "A secret plan")
        linked.symlink_to(outside)
        escaped.symlink_to(outside / "escaped.ipynb")

    status, answer = server.ask("snapshot", path)

    assert (status, "secret" in str(answer)) == (404, False)


def test_a_journal_that_is_a_link_out_of_the_folder_is_not_read(server: Server, folder: Path):
    outside = server.work.parent / "elsewhere"
    outside.mkdir()
    session(outside, "drift", "A secret plan")
    (folder / ".wfnb").symlink_to(outside / ".wfnb")

    status, answer = server.ask("snapshot", f"{folder.name}/drift.ipynb")

    assert (status, "secret" in str(answer)) == (404, False)


def test_an_absolute_path_is_one_in_the_folder(server: Server, folder: Path):
    session(folder, "drift", "Load")

    inside = server.snapshot(f"/{folder.name}/drift.ipynb")
    absolute = server.snapshot(f"{folder}/drift.ipynb")

    assert (inside["count"], absolute["kind"]) == (1, "gone")


def test_the_folder_that_the_owner_of_the_server_chose_is_read(tmp_path: Path):
    chosen = tmp_path / "sessions"
    with serving(tmp_path, WFNB_HOME=str(chosen)) as server:
        session(server.work, "drift", "In the wrong place")
        wfnb.open("drift", home_folder=chosen).step("In the chosen place")
        told = server.snapshot("deep/down/drift.ipynb")

    assert [row["title"] for row in told["rows"]] == ["In the chosen place"]


def test_asking_keeps_no_server_awake(server: Server, folder: Path):
    """A page that is open and asks is no activity for which a server would go on."""
    quiet = "api/status?no_track_activity=1"
    server.get("api/status")
    before = server.get(quiet)[1]["last_activity"]

    server.snapshot(f"{folder.name}/drift.ipynb")

    assert server.get(quiet)[1]["last_activity"] == before
