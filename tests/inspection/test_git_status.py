"""What differs in a repository from its last commit, staged and not."""

import os
from pathlib import Path

import pytest

from tests.inspection.repositories import bare, git, repository, written
from wfnb.errors import RepositoryNone
from wfnb.inspection.commits import last
from wfnb.inspection.git_status import changes
from wfnb.inspection.result_types import ChangedFile, Changes


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
            ChangedFile(path="a.py", where="staged", how="modified", added=2, removed=1),
            ChangedFile(path="a.py", where="unstaged", how="modified", added=1, removed=0),
            ChangedFile(path="b.py", where="unstaged", how="deleted", added=0, removed=1),
            ChangedFile(path="c.py", where="staged", how="deleted", added=0, removed=1),
            ChangedFile(path="sub/d.py", where="untracked", how="new"),
        ),
    )
    assert seen.size == len(seen.patch)
    assert "+3\n+4\n" in seen.patch
    assert "+5\n" in seen.patch


def test_before_the_first_commit_all_that_is_staged_is_new(tmp_path: Path):
    folder = written(repository(tmp_path), a="1\n")
    git(folder, "add", "a.py")

    seen = changes(folder)

    staged = ChangedFile(path="a.py", where="staged", how="added", added=1, removed=0)
    assert bare(seen) == Changes(top=".", branch="main", changed=(staged,))
    with pytest.raises(RepositoryNone, match="it has no commit yet"):
        last(folder)


def test_a_renamed_file_keeps_its_old_name(tmp_path: Path):
    folder = repository(tmp_path, old="".join(f"{line}\n" for line in range(50)))
    git(folder, "mv", "old.py", "new name.py")

    assert changes(folder).changed == (
        ChangedFile(
            path="new name.py", where="staged", how="renamed", added=0, removed=0, was="old.py"
        ),
    )
    git(folder, "commit", "-q", "-m", "Rename")
    assert last(folder).changed == (
        ChangedFile(
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

    assert seen.changed == (ChangedFile(path="a.py", where="conflict", how="both modified"),)
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
        ChangedFile(path="a.py", where="unstaged", how="modified", binary=True),
    )


def test_a_long_difference_is_cut_with_its_true_size_noted(tmp_path: Path):
    folder = repository(tmp_path, a="")
    whole = changes(written(folder, a="é\n" * 300_000))

    cut = changes(folder, patch=1_000)

    assert (len(whole.patch), whole.size) == (200_000, cut.size)
    assert whole.size > 900_000
    assert cut.patch == whole.patch[:1_000]


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


def test_the_top_is_told_from_where_one_stands(tmp_path: Path):
    folder = repository(tmp_path / "r", a__b="1\n")

    assert changes(folder / "a").top == ".."
    assert changes(folder, start=tmp_path).top == "r"


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
