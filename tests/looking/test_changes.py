"""What differs in a repository: real ones, some of them hostile."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.looking.repositories import git, repository, written
from wfnb.core.seen import Changed, Changes
from wfnb.errors import BadValue, RepositoryNone
from wfnb.looking.changes import changes
from wfnb.looking.commits import between, commit, last


def bare(seen: Changes) -> Changes:
    """Without what is another in every repository."""
    return replace(seen, commit=seen.commit and "c", patch="", size=0)


def test_what_is_staged_not_staged_and_untracked_is_told_apart(tmp_path: Path):
    folder = repository(tmp_path, a="1\n2\n", b="1\n", c="1\n")
    written(folder, a="1\n3\n4\n")
    git(folder, "add", "a.py")
    written(folder, a="1\n3\n4\n5\n", sub__d="new")
    (folder / "b.py").unlink()
    git(folder, "rm", "-q", "c.py")

    seen = changes(folder)

    assert bare(seen) == Changes(
        top=".",
        branch="main",
        commit="c",
        subject="All of it",
        changed=(
            Changed(path="a.py", where="staged", how="modified", added=2, removed=1),
            Changed(path="a.py", where="unstaged", how="modified", added=1, removed=0),
            Changed(path="b.py", where="unstaged", how="deleted", added=0, removed=1),
            Changed(path="c.py", where="staged", how="deleted", added=0, removed=1),
            Changed(path="sub/d.py", where="untracked", how="new"),
        ),
    )
    assert seen.size == len(seen.patch)
    assert "+3\n+4\n" in seen.patch
    assert "+5\n" in seen.patch


def test_before_the_first_commit_all_that_is_staged_is_new(tmp_path: Path):
    folder = written(repository(tmp_path), a="1\n")
    git(folder, "add", "a.py")

    seen = changes(folder)

    staged = Changed(path="a.py", where="staged", how="added", added=1, removed=0)
    assert bare(seen) == Changes(top=".", branch="main", changed=(staged,))
    with pytest.raises(RepositoryNone, match="it has no commit yet"):
        last(folder)


def test_a_renamed_file_keeps_its_old_name(tmp_path: Path):
    folder = repository(tmp_path, old="".join(f"{line}\n" for line in range(50)))
    git(folder, "mv", "old.py", "new name.py")

    assert changes(folder).changed == (
        Changed(
            path="new name.py", where="staged", how="renamed", added=0, removed=0, was="old.py"
        ),
    )
    git(folder, "commit", "-q", "-m", "Rename")
    assert last(folder).changed == (
        Changed(
            path="new name.py", where="committed", how="renamed", added=0, removed=0, was="old.py"
        ),
    )


def test_a_conflict_is_told_with_its_two_sides(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    git(folder, "checkout", "-q", "-b", "other")
    git(written(folder, a="2\n"), "commit", "-qam", "Two")
    git(folder, "checkout", "-q", "main")
    git(written(folder, a="3\n"), "commit", "-qam", "Three")
    git(folder, "merge", "other", check=False)

    seen = changes(folder)

    assert seen.changed == (Changed(path="a.py", where="conflict", how="both modified"),)
    assert seen.patch.startswith("# not staged\ndiff --cc a.py\n")
    assert "++<<<<<<< HEAD\n +3\n++=======\n+ 2\n++>>>>>>> other\n" in seen.patch


def test_odd_names_are_shown_so_that_they_can_be_kept(tmp_path: Path):
    folder = repository(tmp_path, a="1")
    odd = [b"line\nbreak", b'tab\tquote"', b"\xff\xfe", "残差".encode(), b"-c", b" "]
    for name in odd:
        Path(os.fsdecode(os.path.join(os.fsencode(folder), name))).write_text("x\n")

    names = [each.path for each in changes(folder).changed]
    git(folder, "add", "--", ".")
    staged = changes(folder)

    shown = [name.decode("utf-8", "backslashreplace") for name in odd]
    assert sorted(names) == sorted(each.path for each in staged.changed) == sorted(shown)
    assert {(each.added, each.removed) for each in staged.changed} == {(1, 0)}
    assert staged.patch.encode()


def test_a_binary_file_has_no_lines(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    (folder / "a.py").write_bytes(b"\0\1\2")

    assert changes(folder).changed == (
        Changed(path="a.py", where="unstaged", how="modified", binary=True),
    )


def test_a_long_difference_is_cut_with_its_true_size_noted(tmp_path: Path):
    folder = repository(tmp_path, a="")
    whole = changes(written(folder, a="é\n" * 300_000))

    cut = changes(folder, patch=1_000)

    assert (len(whole.patch), whole.size) == (200_000, cut.size)
    assert whole.size > 900_000
    assert cut.patch == whole.patch[:1_000]


def test_a_submodule_is_a_line_and_nothing_is_run_in_it(tmp_path: Path):
    inner = repository(tmp_path / "inner", a="1\n")
    folder = repository(tmp_path / "outer", b="1\n")
    git(folder, "submodule", "add", "-q", str(inner), "part")
    git(folder, "commit", "-q", "-m", "A part")
    git(written(folder / "part", a="2\n"), "commit", "-qam", "Two")
    hostile(folder / "part", tmp_path / "ran")
    written(folder / "part", a="3\n")

    assert changes(folder).changed == (
        Changed(path="part", where="unstaged", how="modified submodule", added=1, removed=1),
    )
    assert not (tmp_path / "ran").exists()


def test_a_branch_says_how_far_it_is_from_its_upstream(tmp_path: Path):
    far = repository(tmp_path / "far", a="1\n")
    git(tmp_path, "clone", "-q", str(far), "near")
    git(written(far, a="2\n"), "commit", "-qam", "Two")
    near = tmp_path / "near"
    git(written(near, a="3\n"), "commit", "-qam", "Three")
    git(written(near, a="4\n"), "commit", "-qam", "Four")
    git(near, "fetch", "-q")

    seen = changes(near)

    assert (seen.upstream, seen.ahead, seen.behind) == ("origin/main", 2, 1)


def test_without_a_branch_there_is_none(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    git(folder, "checkout", "-q", "--detach")

    assert changes(folder).branch is last(folder).branch is None


def test_the_last_commit_is_compared_with_the_one_before(tmp_path: Path):
    folder = repository(tmp_path, a="1\n", b="1\n")
    first = last(folder)
    git(written(folder, a="2\n"), "commit", "-qam", "Two: a")

    seen = last(folder / ".")

    assert [each.path for each in first.changed] == ["a.py", "b.py"]
    assert bare(seen) == Changes(
        top=".",
        branch="main",
        commit="c",
        subject="Two: a",
        changed=(Changed(path="a.py", where="committed", how="modified", added=1, removed=1),),
    )
    assert "-1\n+2\n" in seen.patch


def test_of_a_merge_the_last_commit_is_what_it_brought(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    git(folder, "checkout", "-q", "-b", "other")
    git(written(folder, b="2\n"), "add", "b.py")
    git(folder, "commit", "-qm", "B")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "Merge", "other")

    assert [each.path for each in last(folder).changed] == ["b.py"]


def test_the_top_is_told_from_where_one_stands(tmp_path: Path):
    folder = repository(tmp_path / "r", a__b="1\n")

    assert changes(folder / "a").top == ".."
    assert changes(folder, start=tmp_path).top == "r"


def hostile(folder: Path, proof: Path) -> None:
    """Settings of a repository that name programs to run at every turn."""
    script = proof.with_name(f"{folder.name}-evil.sh")
    script.write_text(f"#!/bin/sh\ntouch '{proof}'\ncat\n")
    script.chmod(0o755)
    hooks = proof.with_name(f"{folder.name}-hooks")
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman"):
        (hooks / name).write_text(script.read_text())
        (hooks / name).chmod(0o755)
    for name, value in {
        "core.fsmonitor": script,
        "core.hooksPath": hooks,
        "core.pager": script,
        "pager.status": script,
        "pager.diff": script,
        "diff.external": script,
        "diff.bad.textconv": script,
        "diff.bad.command": script,
        "filter.bad.clean": script,
        "filter.bad.smudge": script,
        "filter.bad.required": "true",
        "filter.a=b.process": script,
        "core.sshCommand": script,
        "gpg.program": script,
        "log.showSignature": "true",
    }.items():
        git(folder, "config", name, str(value))
    info = folder / ".git"
    if info.is_file():  # a submodule: it says where
        info = folder / info.read_text().removeprefix("gitdir:").strip()
    (info / "info").mkdir(exist_ok=True)
    (info / "info" / "attributes").write_text("*.py filter=bad diff=bad\n*.txt filter=a=b\n")


def test_nothing_that_a_repository_names_is_run(tmp_path: Path):
    folder = repository(tmp_path / "r", a="1\n", b="1\n")
    hostile(folder, tmp_path / "ran")
    written(folder, a="22\n")
    (folder / "new.txt").write_text("x")

    seen, before = changes(folder), last(folder)

    assert [each.path for each in seen.changed] == ["a.py", "new.txt"]
    assert "+22" in seen.patch
    assert [each.path for each in before.changed] == ["a.py", "b.py"]
    assert not (tmp_path / "ran").exists()


def test_the_settings_of_that_test_do_run_where_nobody_takes_care(tmp_path: Path):
    folder = repository(tmp_path / "r", a="1\n", b="1\n")
    hostile(folder, tmp_path / "ran")
    git(written(folder, a="22\n"), "status")

    assert (tmp_path / "ran").exists()


def test_a_repository_elsewhere_in_the_environment_is_not_the_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    other = repository(tmp_path / "other", a="1\n")
    folder = repository(tmp_path / "r", b="1\n")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))

    assert [each.path for each in last(folder).changed] == ["b.py"]


def test_looking_changes_nothing_on_disk(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    os.utime(folder / "a.py", (1, 1))  # git would note that it is the same all the same
    index = folder / ".git" / "index"
    before = index.read_bytes(), index.stat().st_mtime_ns

    changes(folder)

    assert (index.read_bytes(), index.stat().st_mtime_ns) == before


def test_what_is_staged_and_what_is_not_stand_under_marks(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    git(written(folder, a="1\n2\n"), "add", "a.py")
    written(folder, a="1\n2\n3\n", new="4\n")

    patch = changes(folder).patch

    marks = [line for line in patch.split("\n") if line[:1] == "#" or line[:4] == "diff"]
    assert marks == [
        "# staged",
        "diff --git a/a.py b/a.py",
        "# not staged",
        "diff --git a/a.py b/a.py",
        "# untracked",
    ]
    assert patch.endswith("# untracked\nnew file new.py\n+4\n")


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


@pytest.mark.parametrize("name", ["tokenizer.py", "Tokenise.java", "keyboard.py", "envoy.yaml"])
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


@pytest.mark.parametrize("name", ["-h", "--output=x", "", "no", "HEAD\0", "a\nb", "HEAD:a.py"])
def test_what_is_no_commit_is_refused_in_a_line(tmp_path: Path, name: str):
    folder = repository(tmp_path, a="1\n")

    with pytest.raises(BadValue) as refused:
        commit(name, folder)

    assert "needs a commit, branch or tag of the repository: there is main" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not list(folder.glob("x"))


def test_commits_that_have_nothing_in_common_are_compared(tmp_path: Path):
    folder = repository(tmp_path, a="1\n")
    git(folder, "checkout", "-q", "--orphan", "other")
    git(written(folder, b="1\n"), "add", ".")
    git(folder, "commit", "-qm", "B")

    seen = between("main..other", folder)

    assert [each.path for each in seen.changed] == ["b.py"]
    assert (seen.count, seen.between) == (1, "main..other")
