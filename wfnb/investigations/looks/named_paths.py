"""a folder or file as it was named, or the one that an investigation is about -> where it is."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from wfnb.errors import BadValue, FileMissing, FolderMissing, RepositoryNone
from wfnb.files import portable_path
from wfnb.inspection import git
from wfnb.inspection.repository import Repository
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind import Kind
from wfnb.session_log import SessionLog


def folder_path(path: str, start: Path) -> str:
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


def subject_folder(log: SessionLog, *holds: str) -> Path | None:
    """The folder that the investigation is about, where it says one."""
    now = investigation_of(log.session)
    names = (path_field(now.kind, each, now.fields) for each in holds) if now is not None else ()
    name = next(filter(None, names), None)
    return log.folder / folder_path(name, log.folder) if name else None


def named_folder(log: SessionLog, holds: str, targets: Sequence[str]) -> Path:
    """The folder that is named, else the one that the investigation is about, else here."""
    if len(targets) > 1:
        raise BadValue("folder", " ".join(targets), "one folder")
    if targets:
        return log.folder / folder_path(targets[0], log.folder)
    return subject_folder(log, holds) or log.folder


def named_repository(log: SessionLog, targets: Sequence[str]) -> tuple[Path, Path | None]:
    """The folder whose repository is asked, and what is told of it alone: the file or folder that
    is named."""
    if len(targets) > 1:
        raise BadValue("folder", " ".join(targets), "one folder, or one file")
    if not targets:
        return subject_folder(log, "repository") or log.folder, None
    only = log.folder / portable_path(targets[0], log.folder)
    return (only if only.is_dir() else only.parent), only


def revision_names(start: Path) -> tuple[str, ...]:
    """Branches and tags of the repository that a folder is in; none where it is in none."""
    try:
        return Repository(start).names()
    except RepositoryNone:
        return ()


def code_folder(log: SessionLog) -> Path:
    """Where names are searched for: the folder that the investigation is about, else the whole
    repository that the notebook lies in, else the notebook's folder."""
    found = subject_folder(log, "repository", "folder")
    if found is not None:
        return found
    with suppress(RepositoryNone):
        return git.top(log.folder)
    return log.folder


def exists(path: str, start: Path) -> bool:
    """Whether there is such a file or folder."""
    try:
        return (start / path).exists()
    except (OSError, ValueError):  # a name that cannot be one
        return False


def path_from_notebook(log: SessionLog, top: str, path: str) -> str:
    """A path in the repository at `top`, from the notebook's folder on."""
    start = os.path.realpath(log.folder)
    # Both resolved: git gives real paths, and the notebook may lie behind a link.
    real = os.path.realpath(os.path.join(start, top))
    return os.path.relpath(os.path.join(real, path), start).replace(os.sep, "/")
