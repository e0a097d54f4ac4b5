"""A folder, and what git says of it: real repositories."""

from pathlib import Path
from subprocess import run

import pytest

from tests.inspection.repositories import repository, written
from wfnb.errors import RepositoryNone
from wfnb.inspection import git


def test_a_folder_below_knows_the_top_of_its_repository(tmp_path: Path):
    run(["git", "init", "-q", str(tmp_path)], check=True)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)

    assert git.top(below).samefile(tmp_path)


def test_a_folder_in_no_repository_is_refused_in_gits_own_words(tmp_path: Path):
    with pytest.raises(RepositoryNone) as refused:
        git.top(tmp_path)

    assert str(refused.value).startswith(f"'{tmp_path}' is in no git repository (not a git repo")


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path):
    with pytest.raises(RepositoryNone, match="No such file or directory"):
        git.top(tmp_path / "gone")


def test_without_git_there_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(RepositoryNone, match="git cannot be asked: No such file or directory"):
        git.top(tmp_path)


def test_files_are_those_that_git_has_or_would_take(tmp_path: Path):
    folder = written(repository(tmp_path, a="", sub__b=""), new="", ignored="")
    (folder / ".gitignore").write_text("ignored.py\n")
    (folder / "sub" / "c.txt").touch()
    repository(folder / "nested", d="")

    assert sorted(git.files(folder, "*.py")) == ["a.py", "new.py", "sub/b.py"]
    assert git.files(folder / "sub", "*.py") == ("b.py",)


def test_an_answer_is_cut_and_counted_as_it_comes(tmp_path: Path):
    folder = repository(tmp_path)

    text, size = git.run_truncated(folder, "help", "-a", most=10)

    assert len(text) == 10
    assert size == len(git.run(folder, "help", "-a"))


def test_git_has_so_much_time_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 100\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")

    with pytest.raises(RepositoryNone, match=r"git did not answer in 0\.1 s"):
        git.run_truncated(tmp_path, "status", seconds=0.1)
