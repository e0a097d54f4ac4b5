"""a word, names -> what there is to see, and the looks that it counts as."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from wfnb.core.findings import Look
from wfnb.errors import BadValue, FileMissing, LookUnknown, RepositoryNone
from wfnb.files import portable_path
from wfnb.hints import Command
from wfnb.inspection import call_graph, commits, python_outline
from wfnb.inspection import git_status as repository
from wfnb.inspection.path_display import told_from
from wfnb.inspection.python_files import python_files, readable_path
from wfnb.inspection.result_types import Changes, Outline
from wfnb.inspection.undocumented import find_undocumented
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.views import code_evidence
from wfnb.investigations.views.evidence_view import MAX_ROWS, CombinedEvidence, EvidenceView
from wfnb.session_log import SessionLog

from . import file_view, named_paths
from .file_view import line as _line

_MAX_FILES = 100
"""Files of which one look tells what they define, and names that one look has."""
Sight = tuple[EvidenceView, tuple[Look, ...]]
LookCommand = Callable[[SessionLog, Sequence[str], Path | None], Sight]


def look(
    log: SessionLog,
    what: str | None = None,
    targets: Sequence[str] = (),
    cache: Path | None = None,
) -> Sight:
    """Look: `changes [RANGE] [PATH]`, `last [PATH]` (the last commit), `commit REVISION [PATH]`,
    `outline [FILE …]`, `calls NAME`, `undocumented [FOLDER]`, or a file (`a.py 10-40`). Without a
    word: at what the kind of the investigation offers. Nothing is recorded here; `cache` is where
    counts may be kept.

    Raises LookUnknown, FileMissing, RepositoryNone, NameNowhere, BadValue.
    """
    what = what or _default_look(log)
    if what in LOOK_COMMANDS:
        with told_from(log.folder, targets):
            return LOOK_COMMANDS[what](log, targets, cache)
    try:
        path = portable_path(what, log.folder)
    except FileMissing:
        # What looks like a path was meant as a file; any other word may be a slip for a verb.
        if re.search(r"[./\\]", what):
            raise
        raise LookUnknown(what, tuple(LOOK_COMMANDS)) from None
    return file_view.read(log.folder, path, targets)


def _changes(log: SessionLog, targets: Sequence[str], _cache: Path | None) -> Sight:
    """Of the one repository that the folder is in: those below or beside it are others' own. With
    a range, what its commits brought."""
    if targets and commits.is_range(targets[0]) and not named_paths.exists(targets[0], log.folder):
        folder, only = named_paths.named_repository(log, targets[1:])
        return _commit_sight(log, commits.range_changes(targets[0], folder, log.folder, only))
    folder, only = named_paths.named_repository(log, targets)
    found = repository.changes(folder, start=log.folder, only=only, notebook=log.notebook)
    sight = code_evidence.changes(found)
    inside = f" in {found.part}" if found.part else ""
    has_conflict = any(each.where == "conflict" for each in found.changed)
    # A part tells nothing of the rest.
    conflict = None if found.part and not has_conflict else has_conflict
    looks = [Look(kind="git", what=_line(f"status{inside}"), conflict=conflict)]
    for name in ("conflict", "staged", "unstaged", "untracked"):
        count = sum(each.where == name for each in found.changed)
        if name == "conflict" and not count:
            continue
        many = "nothing" if not count else f"{count} file{'s' * (count > 1)}"
        read = code_evidence.shown_files(found, sight, name)[:_MAX_FILES]
        files = tuple(named_paths.path_from_notebook(log, found.top, path) for path in read)
        looks.append(Look(kind="git", what=_line(f"{name}: {many}{inside}"), files=files))
    return sight, tuple(looks)


def _last(log: SessionLog, targets: Sequence[str], _cache: Path | None) -> Sight:
    folder, only = named_paths.named_repository(log, targets)
    return _commit_sight(log, commits.last(folder, start=log.folder, only=only))


def _commit(log: SessionLog, targets: Sequence[str], _cache: Path | None) -> Sight:
    if not targets:
        raise BadValue("commit", "", f"a revision: `{Command('look', 'commit', 'HEAD~1')}`")
    folder, only = named_paths.named_repository(log, targets[1:])
    return _commit_sight(log, commits.commit(targets[0], folder, log.folder, only))


def _commit_sight(log: SessionLog, found: Changes) -> Sight:
    """What a commit changed, or those of a range: one look."""
    sight = code_evidence.changes(found)
    read = code_evidence.shown_files(found, sight, "committed")[:_MAX_FILES]
    files = tuple(named_paths.path_from_notebook(log, found.top, path) for path in read)
    inside = f" in {found.part}" if found.part else ""
    what = f"commit {found.commit}{inside}: {found.subject}"
    if found.between is not None:
        what = f"commits {found.between}{inside}: {found.count}"
    return sight, (Look(kind="git", what=_line(what), files=files),)


def _outline(log: SessionLog, targets: Sequence[str], _cache: Path | None) -> Sight:
    now = investigation_of(log.session)
    relevant = [path for path in now.found.relevant if path.endswith(".py")] if now else []
    names = targets or relevant
    if not names:
        raise BadValue("outline", "", f"the name of a file: `{Command('look', 'outline', 'FILE')}`")
    parts = [_python(log, portable_path(name, log.folder)) for name in names]
    files = list(dict.fromkeys(file for part, _ in parts for file in part))
    found = _outlines(log, files)
    cuts = tuple(cut for _, cut in parts if cut)
    what = f"outline {', '.join(names)}"
    if len(found) != 1 or len(files) != 1:
        what = f"{what}: {len(found)} of {len(files)} files"
    read = tuple(each.path for each in found if not each.error)
    look = Look(kind="code", what=_line(what), files=read)
    return code_evidence.outlines(found, len(files) - len(found), cuts), (look,)


def _outlines(log: SessionLog, files: Sequence[str]) -> list[Outline]:
    """As many files as are shown."""
    found: list[Outline] = []
    rows = 0
    for file in files[:_MAX_FILES]:
        outline = python_outline.outline(log.folder / file, log.folder)
        rows += len(outline.definitions)
        # At least one file is shown, however long.
        if found and rows > MAX_ROWS:
            break
        found.append(outline)
    return found


def _calls(log: SessionLog, targets: Sequence[str], _cache: Path | None) -> Sight:
    names = targets or _targets(log)
    if not names:
        raise BadValue("calls", "", f"the name of a function: `{Command('look', 'calls', 'NAME')}`")
    folder = named_paths.code_folder(log)
    found = [call_graph.path(name, folder, start=log.folder) for name in names]
    files = tuple(dict.fromkeys(each.path for each in found))
    told = ", ".join(each.target for each in found)
    look = Look(kind="code", what=_line(f"calls {told}"), files=files, drawn=tuple(found))
    return _several([code_evidence.calls(each) for each in found]), (look,)


def _undocumented_sight(log: SessionLog, targets: Sequence[str], cache: Path | None) -> Sight:
    folder = named_paths.named_folder(log, "folder", targets)
    name = readable_path(os.path.relpath(folder, log.folder))
    found = replace(find_undocumented(folder, cache), folder="this folder" if name == "." else name)
    return code_evidence.undocumented_view(found), (
        Look(kind="code", what=_line(f"undocumented {name}")),
    )


LOOK_COMMANDS: Mapping[str, LookCommand] = {
    "changes": _changes,
    "last": _last,
    "commit": _commit,
    "outline": _outline,
    "calls": _calls,
    "undocumented": _undocumented_sight,
}
"""All that can be asked for, beside a file."""
LOOKS = tuple(word for word in LOOK_COMMANDS if word != "commit")
"""What a kind may offer: it needs no more words."""


def _default_look(log: SessionLog) -> str:
    """The first that the kind offers and that there is a target for."""
    now = investigation_of(log.session)
    if now is not None:
        targets = {"calls": _targets(log), "outline": now.found.relevant}
        for what in now.kind.looks:
            # Nothing changed: then the last commit is what the review is about.
            if what == "changes" and "last" in now.kind.looks and _clean(log):
                continue
            if what not in targets or targets[what]:
                return what
    return "changes"


def _clean(log: SessionLog) -> bool:
    """Whether nothing differs from a commit: that is what there is to see."""
    folder, _ = named_paths.named_repository(log, ())
    try:
        found = repository.changes(folder, patch=0, notebook=log.notebook)
    except RepositoryNone:  # it is told where it is looked at
        return False
    return not found.changed and found.commit is not None


def _targets(log: SessionLog) -> list[str]:
    """What an investigation says that it traces."""
    now = investigation_of(log.session)
    target = now.fields.get("target") if now else None
    return [target] if isinstance(target, str) and target.strip() else []


def _python(log: SessionLog, path: str) -> tuple[list[str], str | None]:
    """A file, or the Python files of a folder, and why these are not all."""
    folder = log.folder / path
    if not folder.is_dir():
        return [path], None
    files, cut = python_files(folder)
    return [_join_path(path, name) for name in files], cut


def _several(parts: Sequence[EvidenceView]) -> EvidenceView:
    return parts[0] if len(parts) == 1 else CombinedEvidence(parts)


def _join_path(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))
