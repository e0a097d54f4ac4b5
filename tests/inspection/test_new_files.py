"""New files: how much of them is told, and of which no more than the name, or nothing."""

import os
from pathlib import Path

import pytest

from tests.inspection.repositories import git, repository, written
from wfnb.inspection.git_status import changes


def test_of_new_files_no_more_than_a_part_is_told_and_nothing_of_binary_or_hidden_ones(
    tmp_path: Path,
):
    folder = written(repository(tmp_path, a="1\n"), long="x = 1\n" * 10_000)
    (folder / "b.bin").write_bytes(b"\0\1")
    (folder / ".env").write_text("KEY=abc")
    (folder / "to").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe")
    (folder / "odd\n# staged").write_text("x")

    seen = changes(folder)

    told = {each.path: each.binary for each in seen.changed}
    assert told["b.bin"]
    assert not told[".env"]
    assert "KEY" not in seen.patch
    assert "new file to" not in seen.patch
    assert "(there is more of it)" in seen.patch
    assert "# staged" not in seen.patch.split("\n")
    assert 20_000 < len(seen.patch) < 30_000


@pytest.mark.parametrize(
    "name",
    [
        "credentials.json",
        "AWS_Credential",
        "a.pem",
        "id.KEY",
        ".env",
        ".env.local",
        "my-secret.txt",
        "apiToken.json",
        "tokens.txt",
    ],
)
def test_of_new_files_that_may_hold_secrets_there_is_the_name_alone(tmp_path: Path, name: str):
    folder = repository(tmp_path, a="1\n")
    (folder / name).write_text("hunter2\n")

    seen = changes(folder)

    assert [each.path for each in seen.changed] == [name]
    assert seen.patch == f"# untracked\nnew file {name}: not shown, its name is one of secrets\n"


@pytest.mark.parametrize(
    "name", ["tokenizer.py", "Tokenise.java", "confirmation_prompts.py", "envoy.yaml"]
)
def test_of_a_new_file_that_only_sounds_so_there_are_the_lines(tmp_path: Path, name: str):
    folder = repository(tmp_path, a="1\n")
    (folder / name).write_text("split\n")

    assert changes(folder).patch == f"# untracked\nnew file {name}\n+split\n"


def test_the_notebook_its_checkpoints_and_exports_are_left_out(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    exports = {
        "a.md": "<!-- wfnb report -->\n",
        "a.html": '<!doctype html><html><head>\n<meta name="generator" content="wfnb">',
        "a.json": '{\n "wfnb": 1',
        "a.svg": '<svg xmlns="http://www.w3.org/2000/svg" class="wfnb-graph"',
        "a.dot": "// wfnb history",
        "a.mmd": "%% wfnb history",
        "a.txt": "wfnb history\n",
    }
    for name, text in exports.items():
        (folder / name).write_text(text)
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "n-checkpoint.ipynb").write_text("{}")
    (folder / ".wfnb").mkdir()
    (folder / ".wfnb" / "history.db").write_text("x")
    (folder / ".wfnb" / "staged.db").write_text("x")
    (folder / "n.ipynb").write_text("{}")
    git(folder, "add", "n.ipynb", ".wfnb/staged.db")
    (folder / "kept.md").write_text("# wfnb is a word here")

    seen = changes(folder, notebook=folder / "n.ipynb")

    assert [each.path for each in seen.changed] == [".wfnb/staged.db", "kept.md"]
    assert seen.left_out == len(exports) + 3
    assert "n.ipynb" not in seen.patch
