"""What differs in a repository, as looks at it; and what of it counts as read."""

from pathlib import Path

import pytest

from tests.inspection.repositories import git, repository, written
from wfnb.core.findings import Look
from wfnb.errors import (
    RepositoryNone,
)
from wfnb.inspection.path_display import told_from
from wfnb.investigations.looks.look_commands import look
from wfnb.workspace import Workspace


def test_changes_are_four_looks_at_the_repository(here: Workspace):
    git(written(here.log.folder, a="x = 1\n"), "add", "a.py")

    shown, looks = look(here.log, "changes")

    assert "+x = 1" in shown.text
    assert looks == (
        Look(kind="git", what="status", conflict=False),
        Look(kind="git", what="staged: 1 file", files=("a.py",)),
        Look(kind="git", what="unstaged: nothing"),
        Look(kind="git", what="untracked: 1 file"),
    )


def torn(folder: Path) -> None:
    """A merge that stopped: `a.py` is in conflict."""
    git(folder, "checkout", "-q", "-b", "other")
    git(written(folder, a="x = 2\n"), "commit", "-qam", "Two")
    git(folder, "checkout", "-q", "main")
    git(written(folder, a="x = 3\n"), "commit", "-qam", "Three")
    git(folder, "merge", "other", check=False)


def test_what_is_in_conflict_is_a_look_of_its_own(here: Workspace):
    torn(here.log.folder)
    written(here.log.folder, pkg__b="x = 4\n")

    shown, looks = look(here.log, "changes")

    assert "++<<<<<<< HEAD" in shown.text
    assert looks[:4] == (
        Look(kind="git", what="status", conflict=True),
        Look(kind="git", what="conflict: 1 file", files=("a.py",)),
        Look(kind="git", what="staged: nothing"),
        Look(kind="git", what="unstaged: 1 file", files=("pkg/b.py",)),
    )


def test_what_may_hold_secrets_does_not_count_as_read(here: Workspace):
    (here.log.folder / "credentials.json").write_text("hunter2")

    shown, (*_, new) = look(here.log, "changes")

    assert "credentials.json" in shown.text
    assert "hunter2" not in shown.text
    assert (new.what, new.files) == ("untracked: 2 files", ())


def test_files_of_a_look_are_told_from_the_notebooks_folder(here: Workspace):
    written(here.log.folder, a="x = 1\n")
    here.log.folder = here.log.folder / "pkg"

    shown, looks = look(here.log, "changes")

    assert shown.text.startswith("repository .. · branch main")
    assert looks[2].files == ("../a.py",)


def test_repositories_below_and_beside_are_not_looked_at(here: Workspace):
    for folder in (here.log.folder / "inner", here.log.folder.parent / "beside"):
        repository(folder, c="")
        written(folder, c="1")

    shown, looks = look(here.log, "changes")

    assert "c.py" not in shown.text
    assert [each.what for each in looks[1:]] == [
        "staged: nothing",
        "unstaged: nothing",
        "untracked: 2 files",
    ]


def test_a_folder_with_repositories_is_none(here: Workspace, tmp_path: Path):
    repository(tmp_path / "all" / "one", c="")
    here.log.folder = tmp_path / "all"

    with pytest.raises(RepositoryNone):
        look(here.log, "changes")
    assert look(here.log, "changes", ["one"])[0].text.startswith("repository one · branch main")


def test_the_last_commit_is_one_look(here: Workspace):
    _, (seen,) = look(here.log, "last")

    assert (seen.kind, seen.files) == ("git", ("a.py", "pkg/b.py"))
    assert seen.what.endswith(": All of it")


def test_a_commit_and_the_commits_of_a_range_can_be_looked_at(here: Workspace):
    git(here.log.folder, "add", ".")
    git(here.log.folder, "commit", "-qm", "New")
    for text in ("y = 1\n", "y = 2\n"):
        git(written(here.log.folder, a=text, pkg__b=text), "commit", "-qam", text.strip())

    one, (commit,) = look(here.log, "commit", ["HEAD~2"])
    several, (commits,) = look(here.log, "changes", ["HEAD~2.."])
    narrow, (part,) = look(here.log, "changes", ["HEAD~2..HEAD", "pkg/b.py"])

    assert "new.py  committed  added" in one.text
    assert commit.what.endswith(": New")
    assert "2 commits of HEAD~2.. · 2 committed" in several.text
    assert [note.split("  ")[1] for note in several.notes] == ["y = 2", "y = 1"]
    assert (commits.what, commits.files) == ("commits HEAD~2..: 2", ("a.py", "pkg/b.py"))
    assert (part.what, part.files) == ("commits HEAD~2..HEAD in pkg/b.py: 2", ("pkg/b.py",))
    assert "in pkg/b.py alone" in narrow.text
    assert "a.py" not in narrow.body


def test_of_a_range_counts_what_was_done_since_it_left(here: Workspace):
    git(here.log.folder, "checkout", "-qb", "mine")
    git(written(here.log.folder, a="mine = 1\n"), "commit", "-qam", "Mine")
    git(here.log.folder, "checkout", "-q", "main")
    git(written(here.log.folder, pkg__b="theirs = 1\n"), "commit", "-qam", "Theirs")
    git(here.log.folder, "checkout", "-q", "mine")

    shown, _ = look(here.log, "changes", ["main.."])

    assert shown.notes[0].endswith("  Mine")
    assert "theirs" not in shown.body


def test_a_file_or_folder_narrows_what_is_looked_at(here: Workspace):
    written(here.log.folder, a="x = 2\n", pkg__b="x = 2\n")

    whole = look(here.log, "changes")[1]
    folder = look(here.log, "changes", ["pkg"])[1]
    file = look(here.log, "changes", ["a.py"])[1]

    assert [each[2].files for each in (whole, folder, file)] == [
        ("a.py", "pkg/b.py"),
        ("pkg/b.py",),
        ("a.py",),
    ]
    assert [each.what for each in folder] == [
        "status in pkg",
        "staged: nothing in pkg",
        "unstaged: 1 file in pkg",
        "untracked: nothing in pkg",
    ]


def test_only_the_files_whose_difference_is_shown_count_as_read(here: Workspace):
    many = {f"m{n:03}": "x = 1\n" * 300 for n in range(9)}
    git(written(here.log.folder, **many), "add", ".")

    shown, (_, staged, _, untracked) = look(here.log, "changes")

    assert staged.what == "staged: 10 files"
    assert [each for each in staged.files if f"b/{each}\n" not in shown.body] == []
    assert 0 < len(staged.files) < 10
    assert untracked.files == ()


def test_new_files_that_are_shown_count_as_read(here: Workspace):
    written(here.log.folder, more="z = 1\n")

    shown, (*_, new) = look(here.log, "changes")

    assert "# untracked\nnew file more.py\n+z = 1\n" in shown.body
    assert (new.what, new.files) == ("untracked: 2 files", ("more.py",))


def test_the_notebook_is_no_part_of_what_is_looked_at(here: Workspace):
    here.log.notebook = here.log.folder / "pkg" / "n.ipynb"
    here.log.notebook.write_text("{}")
    (here.log.folder / "other.ipynb").write_text("{}")

    shown, looks = look(here.log, "changes")

    assert looks[3].what == "untracked: 2 files"
    assert "other.ipynb" in shown.text
    assert "1 file left out: the notebook itself, checkpoints, exports, .wfnb" in shown.notes


def test_no_repository_is_refused_in_gits_words(here: Workspace, tmp_path: Path):
    here.log.folder = tmp_path / "none"
    here.log.folder.mkdir()

    with pytest.raises(RepositoryNone, match="not a git repository"):
        look(here.log, "changes")
    with pytest.raises(RepositoryNone, match="not a git repository"):
        look(here.log, "last")


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_revision_that_cannot_be_one_is_refused_without_a_repository(
    here: Workspace, tmp_path: Path, name: str
):
    here.log.folder = tmp_path / "none"
    here.log.folder.mkdir()

    with pytest.raises(RepositoryNone, match="not a git repository"):
        look(here.log, "commit", [name])


@pytest.mark.parametrize("words", [["changes"], ["last"], ["changes", "deep/down"]])
def test_a_folder_without_a_repository_is_told_from_the_notebook(
    here: Workspace, tmp_path: Path, words: list[str]
):
    here.log.folder = tmp_path / "none"
    (here.log.folder / "deep" / "down").mkdir(parents=True)

    with pytest.raises(RepositoryNone) as refused:
        look(here.log, words[0], words[1:])

    assert refused.value.path == (*words, ".")[1]
    assert str(tmp_path) not in str(refused.value)


def test_a_path_that_git_names_is_told_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "books").mkdir()

    with pytest.raises(RepositoryNone) as refused, told_from(tmp_path / "notes"):
        raise RepositoryNone(f"{tmp_path}/books", f"dubious ownership in '{tmp_path}/books'")

    assert (refused.value.path, refused.value.why) == (
        "~/books",
        "dubious ownership in '~/books'",
    )
