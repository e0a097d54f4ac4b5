"""a repository -> what differs in it now, or what its last commit changed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wfnb.core.seen import Changed, Changes
from wfnb.errors import RepositoryNone

from . import git
from .sources import shown

PATCH = 200_000
"""Characters of a difference that are kept."""
_DIFF = (
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--find-renames"),
    "--ignore-submodules=dirty",  # git would run in them, by their settings
)
_HOW = {
    "M": "modified",
    "T": "type changed",
    "A": "added",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
}
_CONFLICTS = {
    "DD": "both deleted",
    "AU": "added by us",
    "UD": "deleted by them",
    "UA": "added by them",
    "DU": "deleted by us",
    "AA": "both added",
    "UU": "both modified",
}
Lines = dict[str, tuple[int | None, int | None]]


class _Repository:
    """Git, asked in one repository; nothing of the repository's is run."""

    def __init__(self, folder: Path, start: Path) -> None:
        self.top = git.top(folder)
        self._filters = git.filters(self.top)
        self.seen = shown(os.path.relpath(os.path.realpath(self.top), os.path.realpath(start)))

    def heard(self, *words: str, most: int = git.LARGEST) -> tuple[str, int]:
        """Bytes that are no UTF-8 are shown as `\\xff`: it is all to be read, not to be opened."""
        return git.heard(self.top, *self._filters, *words, most=most, errors="backslashreplace")

    def parts(self, *words: str) -> list[str]:
        """An answer of parts that end with NUL; one that was cut off is left out."""
        return self.heard(*words)[0].split("\0")[:-1]

    def lines(self, *which: str) -> Lines:
        """How many lines were added and removed in each file."""
        found: Lines = {}
        parts = iter(self.parts(*_DIFF, "--numstat", "-z", *which))
        for part in parts:
            added, removed, path = part.split("\t", 2)
            if not path:  # a rename: the old name and the new one are parts of their own
                next(parts, None)
                path = next(parts, "")
            found[path] = (_number(added), _number(removed))
        return found

    def commit(self) -> tuple[str, str, tuple[str, ...]]:
        """The last commit, its subject and its parents. RepositoryNone where there is none."""
        said = self.heard("log", "-1", "--no-color", "--format=%h%x00%s%x00%P", "HEAD", "--")[0]
        short, subject, parents = said.rstrip("\n").split("\0", 2)
        return short, subject, tuple(parents.split())


def changes(folder: Path, patch: int = PATCH, start: Path | None = None) -> Changes:
    """What is staged, not staged, untracked and in conflict; `top` is told from `start` on.
    RepositoryNone where there is no repository."""
    asked = _Repository(folder, start or folder)
    heads, changed = _status(
        asked.parts(
            *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"),
            *("--find-renames", "--ignore-submodules=dirty"),
        )
    )
    commit = subject = None
    if heads.get("branch.oid") not in (None, "(initial)"):
        commit, subject, _ = asked.commit()
    where = {each.where for each in changed}
    texts: list[str] = []
    size = 0
    for name, words in (("staged", ("--cached",)), ("unstaged", ())):
        if name not in where:
            continue
        counted = asked.lines(*words)
        changed = [_counted(each, counted) if each.where == name else each for each in changed]
        text, length = asked.heard(*_DIFF, *words, most=max(0, patch - size))
        texts.append(text)
        size += length
    branch = heads.get("branch.head")
    ahead, _, behind = heads.get("branch.ab", "+0 -0").partition(" ")
    return Changes(
        top=asked.seen,
        branch=None if branch == "(detached)" else branch,
        upstream=heads.get("branch.upstream"),
        ahead=int(ahead),
        behind=-int(behind),
        commit=commit,
        subject=subject,
        changed=tuple(changed),
        patch="".join(texts),
        size=size,
    )


def last(folder: Path, patch: int = PATCH, start: Path | None = None) -> Changes:
    """What the last commit changed; of a merge, what it brought into the branch. RepositoryNone
    where there is no repository, or nothing was committed."""
    asked = _Repository(folder, start or folder)
    try:
        commit, subject, parents = asked.commit()
    except RepositoryNone:
        raise RepositoryNone(str(folder), "it has no commit yet") from None
    nothing = asked.heard("hash-object", "-t", "tree", os.devnull)[0].strip()
    which = (parents[0] if parents else nothing, "HEAD")
    counted = asked.lines(*which)
    parts = iter(asked.parts(*_DIFF, "--name-status", "-z", *which))
    changed = tuple(
        _counted(
            _committed(letter, [next(parts, "") for _ in range(1 + (letter[0] in "RC"))]), counted
        )
        for letter in parts
    )
    text, size = asked.heard(*_DIFF, *which, most=patch)
    branch = asked.heard("branch", "--show-current")[0].strip()
    return Changes(
        top=asked.seen,
        branch=branch or None,
        commit=commit,
        subject=subject,
        changed=changed,
        patch=text,
        size=size,
    )


def _status(parts: Sequence[str]) -> tuple[dict[str, str], list[Changed]]:
    """Git's porcelain format, version 2: its heads, and the files in it."""
    heads: dict[str, str] = {}
    found: list[Changed] = []
    rest = iter(parts)
    for part in rest:
        match part[:2]:
            case "# ":
                name, _, value = part[2:].partition(" ")
                heads[name] = value
            case "1 ":
                words = part.split(" ", 8)
                found += _entries(words[1], words[2], words[8], None)
            case "2 ":
                words = part.split(" ", 9)
                found += _entries(words[1], words[2], words[9], next(rest, None))
            case "u ":
                words = part.split(" ", 10)
                how = _CONFLICTS.get(words[1], "in conflict")
                found.append(Changed(path=words[10], where="conflict", how=how))
            case "? ":
                found.append(Changed(path=part[2:], where="untracked", how="new"))
    return heads, found


def _entries(both: str, submodule: str, path: str, was: str | None) -> Iterator[Changed]:
    """What is staged of a file, and what is not."""
    for where, letter in (("staged", both[0]), ("unstaged", both[1])):
        if letter != ".":
            how = _HOW.get(letter, "changed") + " submodule" * (submodule[0] == "S")
            before = was if letter in "RC" else None
            yield _changed(path=path, where=where, how=how, was=before)


def _committed(letter: str, names: Sequence[str]) -> Changed:
    was = names[0] if len(names) > 1 else None
    return _changed(path=names[-1], where="committed", how=_HOW.get(letter[0], "changed"), was=was)


def _changed(**fields: Any) -> Changed:
    return Changed(**fields)


def _counted(changed: Changed, lines: Lines) -> Changed:
    added, removed = lines.get(changed.path, (None, None))
    return replace(changed, added=added, removed=removed)


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None
