"""a workflow that is about to be replaced -> a file of what it was, found again as NAME@HASH.

A file for each content, in `versions/NAME/` of the folder. Those of one name change under the
folder's lock, as the workflow itself does.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from wfnb.errors import WorkflowBroken
from wfnb.files import write
from wfnb.home_path import refuse_link

from .saved_workflow import SUFFIX, SavedWorkflow, read

FOLDER = "versions"
AT = "@"


def keep(folder: Path, saved: SavedWorkflow) -> None:
    """Keep the file of a workflow as it is now. Raises OSError."""
    text = (folder / f"{saved.name}{SUFFIX}").read_bytes().decode()
    place = refuse_link(folder / FOLDER)
    if not place.exists():
        write(place / ".gitignore", "*\n")
    refuse_link(place / saved.name)
    # A file that somebody wrote by hand may be no workflow, and has no hash of its content.
    version = saved.hash or sha256(text.encode()).hexdigest()[:16]
    write(place / saved.name / f"{version}{SUFFIX}", text)


def read_versions(folder: Path, name: str) -> list[SavedWorkflow]:
    """The versions of a name that read, in the order in which they were written."""
    return sorted(_read(folder, name), key=lambda saved: (saved.changed, saved.hash))


def load(folder: Path, name: str, hash: str) -> dict[str, Any] | None:
    """The definition of the one version whose hash begins so; None: there is no such one."""
    versions = read_versions(folder, name) if hash else []
    matches = [version for version in versions if version.hash.startswith(hash)]
    # Some first digits that two versions have mean neither.
    if len(matches) != 1:
        return None
    return read(folder / FOLDER / name / f"{matches[0].hash}{SUFFIX}", name)[0]


def rename(folder: Path, name: str, new: str) -> None:
    """The versions of a name are those of another from now on. Raises OSError."""
    for path in _files(folder, name):
        target = folder / FOLDER / new / path.name
        target.parent.mkdir(exist_ok=True)
        path.replace(target)
    with suppress(OSError):  # on a disk that does not tell capitals apart it may be the same
        (folder / FOLDER / name).rmdir()


def put_back(folder: Path, name: str, text: str) -> bool:
    """The version whose file is this text is the workflow again, which takes no room of a disk that
    may be full. Whether there is one. Raises OSError."""
    same = [path for path in _files(folder, name) if path.read_bytes() == text.encode()]
    for path in same:
        path.replace(folder / f"{name}{SUFFIX}")
    with suppress(OSError):  # there are others, or none were
        (folder / FOLDER / name).rmdir()
    return bool(same)


def forget(folder: Path, name: str) -> None:
    """The versions of a name are gone."""
    shutil.rmtree(folder / FOLDER / name, ignore_errors=True)


def _read(folder: Path, name: str) -> Iterator[SavedWorkflow]:
    for path in _files(folder, name):
        try:
            yield replace(read(path, name)[1], hash=path.stem)
        except (WorkflowBroken, OSError):
            continue


def _files(folder: Path, name: str) -> list[Path]:
    place = folder / FOLDER / name
    if place.is_symlink() or place.parent.is_symlink():
        return []
    return sorted(path for path in place.glob(f"[!.]*{SUFFIX}") if not path.is_symlink())
