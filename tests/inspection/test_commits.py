"""Commits of a repository: the last one, one by its name, what is between two."""

from pathlib import Path

import pytest

from tests.inspection.repositories import bare, git, repository, written
from wfnb.errors import BadValue
from wfnb.inspection.commits import commit, last, range_changes
from wfnb.inspection.result_types import ChangedFile, Changes


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
        changed=(ChangedFile(path="a.py", where="committed", how="modified", added=1, removed=1),),
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

    seen = range_changes("main..other", folder)

    assert [each.path for each in seen.changed] == ["b.py"]
    assert (seen.count, seen.between) == (1, "main..other")
