"""Looking at a repository runs nothing that it names, and changes nothing in it."""

import os
from pathlib import Path

import pytest

from tests.inspection.repositories import git, repository, written
from wfnb.inspection.commits import last
from wfnb.inspection.git_status import changes
from wfnb.inspection.result_types import ChangedFile


def test_a_submodule_is_a_line_and_nothing_is_run_in_it(tmp_path: Path):
    inner = repository(tmp_path / "inner", a="1\n")
    folder = repository(tmp_path / "outer", b="1\n")
    git(folder, "submodule", "add", "-q", str(inner), "part")
    git(folder, "commit", "-q", "-m", "A part")
    git(written(folder / "part", a="2\n"), "commit", "-qam", "Two")
    hostile(folder / "part", tmp_path / "ran")
    written(folder / "part", a="3\n")

    assert changes(folder).changed == (
        ChangedFile(path="part", where="unstaged", how="modified submodule", added=1, removed=1),
    )
    assert not (tmp_path / "ran").exists()


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
