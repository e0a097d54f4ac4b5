"""Real repositories, made by git itself, and what is compared of what is seen in them."""

from dataclasses import replace
from pathlib import Path
from subprocess import run

from wfnb.inspection.result_types import Changes

ME = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
HERE = ("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always")


def git(folder: Path, *words: str, check: bool = True) -> None:
    run(["git", "-C", str(folder), *ME, *HERE, *words], check=check, capture_output=True)


def repository(folder: Path, **files: str) -> Path:
    """A repository with one commit of these files (`a__b` is `a/b.py`), where there are any."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    if files:
        written(folder, **files)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "All of it")
    return folder


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def bare(seen: Changes) -> Changes:
    """Without what is another in every repository."""
    return replace(seen, commit=seen.commit and "c", patch="", size=0)
