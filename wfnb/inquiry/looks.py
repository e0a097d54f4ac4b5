"""a word, names -> what there is to see, and the looks that it counts as."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wfnb.core.findings import LONGEST_NAME, Look
from wfnb.core.kind import Kind
from wfnb.core.values import whole
from wfnb.errors import BadValue, FileMissing, LookUnknown
from wfnb.files import kept
from wfnb.looking import calls, git, python
from wfnb.looking import changes as repository
from wfnb.looking.places import told_from
from wfnb.looking.sources import python_files, shown
from wfnb.looking.undocumented import undocumented
from wfnb.views.inquiry import seen
from wfnb.views.inquiry.seen import Seen, SeenTogether
from wfnb.views.text import escape
from wfnb.workspace import Workspace

LARGEST_FILE = 2_000_000
"""Bytes of a file that are shown."""
_MOST_FILES = 100
"""Files that one look names."""
_LINES = re.compile(r"(\d{1,9})(?:-(\d{0,9}))?")
Sight = tuple[Seen, tuple[Look, ...]]
Way = Callable[[Workspace, Sequence[str], Path | None], Sight]


def look(
    workspace: Workspace,
    what: str | None = None,
    targets: Sequence[str] = (),
    cache: Path | None = None,
) -> Sight:
    """Look: `changes [FOLDER]`, `last [FOLDER]` (the last commit), `outline [FILE …]`, `calls
    NAME`, `undocumented [FOLDER]`, or a file (`a.py 10-40`). Without a word: at what the kind of
    the investigation offers. Nothing is recorded here; `cache` is where counts may be kept.

    Raises LookUnknown, FileMissing, RepositoryNone, NameNowhere, BadValue.
    """
    what = what or _offered(workspace)
    if what in LOOKS:
        with told_from(workspace.folder):
            return LOOKS[what](workspace, targets, cache)
    try:
        path = kept(what, workspace.folder)
    except FileMissing:
        if re.search(r"[./\\]", what):
            raise
        raise LookUnknown(what, tuple(LOOKS)) from None
    return _file(workspace, path, targets)


def fill(
    kind: Kind,
    fields: Mapping[str, Any],
    folder: Path,
    first: bool,
    ending: bool,
    known: Mapping[str, Any] = MappingProxyType({}),
    cache: Path | None = None,
) -> dict[str, Any]:
    """The fields that a step says, checked against what is on disk, with those that can be counted
    there: at the first step how many files have something undocumented, at one that would end how
    many of these have no longer. `known` are the fields that earlier steps said. Raises FileMissing
    for a folder and RepositoryNone for a repository that is none."""
    filled = dict(fields)
    for name, field in kind.fields.items():
        if field.holds in ("folder", "repository") and name in filled:
            path = filled[name]
            if not isinstance(path, str):
                raise BadValue(name, repr(path)[:80], "the path of a folder")
            filled[name] = _folder(path, folder)
            if field.holds == "repository":
                with told_from(folder):
                    git.top(folder / filled[name])
    total, done = kind.total.count, kind.total.done
    if kind.total.rule != "files" or total is None or done is None:
        return filled
    if (first and total not in filled) or (ending and done not in filled):
        where = folder / str(_said(kind, "folder", {**known, **filled}) or ".")
        left = len(undocumented(where, cache).files)
        if first and total not in filled:
            filled[total] = left
        if ending and done not in filled:
            before = filled.get(total, known.get(total, left))
            filled[done] = max(0, whole(total, before) - left)
    return filled


def _changes(workspace: Workspace, targets: Sequence[str], _cache: Path | None) -> Sight:
    """Of the one repository that the folder is in: those below or beside it are others' own."""
    where = _place(workspace, "repository", targets)
    found = repository.changes(where, start=workspace.folder)
    looks = [Look(kind="git", what="status")]
    for name in ("staged", "unstaged", "untracked"):
        files = [_beside(found.top, each.path) for each in found.changed if each.where == name]
        count = "nothing" if not files else f"{len(files)} file{'s' * (len(files) > 1)}"
        read = () if name == "untracked" else tuple(files[:_MOST_FILES])  # their names were seen
        looks.append(Look(kind="git", what=f"{name}: {count}", files=read))
    return seen.changes(found), tuple(looks)


def _last(workspace: Workspace, targets: Sequence[str], _cache: Path | None) -> Sight:
    where = _place(workspace, "repository", targets)
    found = repository.last(where, start=workspace.folder)
    files = [_beside(found.top, changed.path) for changed in found.changed[:_MOST_FILES]]
    what = _line(f"commit {found.commit}: {found.subject}")
    return seen.changes(found), (Look(kind="git", what=what, files=tuple(files)),)


def _outline(workspace: Workspace, targets: Sequence[str], _cache: Path | None) -> Sight:
    now = workspace.session.investigation
    relevant = [path for path in now.found.relevant if path.endswith(".py")] if now else []
    names = targets or relevant
    if not names:
        raise BadValue("outline", "", "the name of a file: `%wfnb look outline FILE`")
    files = [file for name in names for file in _python(workspace, kept(name, workspace.folder))]
    found = [python.outline(workspace.folder / file, workspace.folder) for file in files]
    looks = (
        Look(kind="code", what=_line(f"outline {each.path}"), files=(each.path,)) for each in found
    )
    return seen.outlines(found), tuple(looks)


def _calls(workspace: Workspace, targets: Sequence[str], _cache: Path | None) -> Sight:
    names = targets or _targets(workspace)
    if not names:
        raise BadValue("calls", "", "the name of a function: `%wfnb look calls NAME`")
    found = [calls.path(name, workspace.folder) for name in names]
    looks = (
        Look(kind="code", what=_line(f"calls {each.target}"), files=(each.path,)) for each in found
    )
    return _several([seen.calls(each) for each in found]), tuple(looks)


def _undocumented(workspace: Workspace, targets: Sequence[str], cache: Path | None) -> Sight:
    folder = _place(workspace, "folder", targets)
    name = shown(os.path.relpath(folder, workspace.folder))
    found = replace(undocumented(folder, cache), folder="this folder" if name == "." else name)
    return seen.undocumented(found), (Look(kind="code", what=_line(f"undocumented {name}")),)


LOOKS: Mapping[str, Way] = {
    "changes": _changes,
    "last": _last,
    "outline": _outline,
    "calls": _calls,
    "undocumented": _undocumented,
}


def _offered(workspace: Workspace) -> str:
    """The first that the kind offers and that there is a target for."""
    now = workspace.session.investigation
    if now is not None:
        targets = {"calls": _targets(workspace), "outline": now.found.relevant}
        for what in now.kind.looks:
            if what not in targets or targets[what]:
                return what
    return "changes"


def _targets(workspace: Workspace) -> list[str]:
    """What an investigation says that it traces."""
    now = workspace.session.investigation
    target = now.fields.get("target") if now else None
    return [target] if isinstance(target, str) and target.strip() else []


def _file(workspace: Workspace, path: str, targets: Sequence[str]) -> Sight:
    """A text file, or the lines of it that are wanted."""
    file = workspace.folder / path
    first, last = _wanted(targets)
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise BadValue("look", path, "a file, not a folder: `%wfnb look outline FOLDER`")
        with file.open("rb") as opened:
            data = opened.read(LARGEST_FILE)
    except OSError as error:
        raise BadValue("look", path, f"a file that can be read: {error.strerror}") from None
    lines = data.decode("utf-8", "replace").splitlines()
    if first > max(1, len(lines)):
        raise BadValue("lines", " ".join(targets), f"a line up to {len(lines)}")
    part = lines[first - 1 : last]
    look = Look(kind="file", what=_line(path), files=(shown(path),))
    return seen.file(shown(path), part, first, len(lines)), (look,)


def _wanted(targets: Sequence[str]) -> tuple[int, int | None]:
    """`10-40`, `10-`, `10`: the lines that are wanted."""
    if not targets:
        return 1, None
    found = _LINES.fullmatch(targets[0])
    if found is None or len(targets) > 1 or int(found[1]) < 1:
        raise BadValue("lines", " ".join(targets), "two numbers, as 10-40")
    if found[2] is None:
        return int(found[1]), int(found[1])
    last = int(found[2]) if found[2] else None
    if last is not None and last < int(found[1]):
        raise BadValue("lines", " ".join(targets), "two numbers, as 10-40")
    return int(found[1]), last


def _place(workspace: Workspace, holds: str, targets: Sequence[str]) -> Path:
    """The folder that is named, else the one that the investigation is about, else here."""
    now = workspace.session.investigation
    said = _said(now.kind, holds, now.fields) if now else None
    if len(targets) > 1:
        raise BadValue("folder", " ".join(targets), "one folder")
    name = targets[0] if targets else said
    return workspace.folder / _folder(name, workspace.folder) if name else workspace.folder


def _said(kind: Kind, holds: str, fields: Mapping[str, Any]) -> str | None:
    """The field of a kind that holds such a place, as it was said."""
    for name, field in kind.fields.items():
        if field.holds == holds:
            said = fields.get(name, field.default)
            return said if isinstance(said, str) else None
    return None


def _folder(path: str, folder: Path) -> str:
    named = kept(path, folder)
    if not (folder / named).is_dir():
        raise BadValue("folder", path, "a folder, not a file")
    return named


def _python(workspace: Workspace, path: str) -> list[str]:
    """A file, or the Python files of a folder."""
    folder = workspace.folder / path
    if not folder.is_dir():
        return [path]
    return [_beside(path, name) for name in python_files(folder)[0][:_MOST_FILES]]


def _several(parts: Sequence[Seen]) -> Seen:
    return parts[0] if len(parts) == 1 else SeenTogether(parts)


def _beside(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def _line(text: str) -> str:
    return escape.line(text)[:LONGEST_NAME]
