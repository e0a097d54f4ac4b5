"""a folder or file as it was named, or the one that an investigation is about -> where it is."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from wfnb.core.kind import Kind
from wfnb.errors import BadValue, FileMissing, FolderMissing, RepositoryNone
from wfnb.files import portable_path
from wfnb.inspection import git
from wfnb.inspection.repository import Repository
from wfnb.workspace import Workspace


def folder(path: str, start: Path) -> str:
    """A folder as it is kept. FolderMissing; BadValue for a file."""
    try:
        named = portable_path(path, start)
    except FileMissing as missing:
        folders = (name for name in missing.names if os.path.isdir(start / name))
        raise FolderMissing(missing.path, tuple(folders)) from None
    if not (start / named).is_dir():
        raise BadValue("folder", path, "a folder, not a file")
    return named


def path_field(kind: Kind, holds: str, fields: Mapping[str, Any]) -> str | None:
    """The field of a kind that holds such a place, as it was said."""
    for name, field in kind.fields.items():
        if field.holds == holds:
            found = fields.get(name, field.default)
            return found if isinstance(found, str) else None
    return None


def subject_folder(workspace: Workspace, *holds: str) -> Path | None:
    """The folder that the investigation is about, where it says one."""
    now = workspace.session.investigation
    names = (path_field(now.kind, each, now.fields) for each in holds) if now is not None else ()
    name = next(filter(None, names), None)
    return workspace.folder / folder(name, workspace.folder) if name else None


def place(workspace: Workspace, holds: str, targets: Sequence[str]) -> Path:
    """The folder that is named, else the one that the investigation is about, else here."""
    if len(targets) > 1:
        raise BadValue("folder", " ".join(targets), "one folder")
    if targets:
        return workspace.folder / folder(targets[0], workspace.folder)
    return subject_folder(workspace, holds) or workspace.folder


def repository(workspace: Workspace, targets: Sequence[str]) -> tuple[Path, Path | None]:
    """The folder whose repository is asked, and what is told of it alone: the file or folder that
    is named."""
    if len(targets) > 1:
        raise BadValue("folder", " ".join(targets), "one folder, or one file")
    if not targets:
        return subject_folder(workspace, "repository") or workspace.folder, None
    only = workspace.folder / portable_path(targets[0], workspace.folder)
    return (only if only.is_dir() else only.parent), only


def revisions(start: Path) -> tuple[str, ...]:
    """Branches and tags of the repository that a folder is in; none where it is in none."""
    try:
        return Repository(start).names()
    except RepositoryNone:
        return ()


def code(workspace: Workspace) -> Path:
    """Where names are searched for: the folder that the investigation is about, else the whole
    repository that the notebook lies in, else the notebook's folder."""
    found = subject_folder(workspace, "repository", "folder")
    if found is not None:
        return found
    with suppress(RepositoryNone):
        return git.top(workspace.folder)
    return workspace.folder


def exists(path: str, start: Path) -> bool:
    """Whether there is such a file or folder."""
    try:
        return (start / path).exists()
    except (OSError, ValueError):  # a name that cannot be one
        return False


def path_from_notebook(workspace: Workspace, top: str, path: str) -> str:
    """A path in the repository at `top`, from the notebook's folder on."""
    start = os.path.realpath(workspace.folder)
    real = os.path.realpath(os.path.join(start, top))
    return os.path.relpath(os.path.join(real, path), start).replace(os.sep, "/")
