"""a repository -> what differs in it now: staged, not staged, untracked, in conflict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import untracked_files
from .repository import DIFF, HOW, PATCH, Repository, add_line_counts
from .result_types import ChangedFile, Changes

_CONFLICTS = {
    "DD": "both deleted",
    "AU": "added by us",
    "UD": "deleted by them",
    "UA": "added by them",
    "DU": "deleted by us",
    "AA": "both added",
    "UU": "both modified",
}
_MAX_NEW = 200
"""Untracked files that are read."""


def changes(
    folder: Path,
    patch: int = PATCH,
    start: Path | None = None,
    only: Path | None = None,
    notebook: Path | None = None,
) -> Changes:
    """What is staged, not staged, untracked and in conflict; `top` is told from `start` on, and of
    the files those in `only`. The `notebook` itself, checkpoints and exports are left out.
    RepositoryNone where there is no repository."""
    asked = Repository(folder, start, only)
    heads, found = _status(
        # Porcelain is the form that git promises to keep; with -z, names are not quoted.
        asked.parts(
            *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"),
            *("--find-renames", "--ignore-submodules=dirty", "--", *asked.only),
        )
    )
    ours = {
        each.path
        for each in found
        if (
            each.where == "untracked" and untracked_files.is_own_record(each.path)
        )  # who staged it has to see
        or untracked_files.ours(each.path, asked.top, notebook)
    }
    changed = [each for each in found if each.path not in ours]
    commit = subject = None
    if heads.get("branch.oid") not in (None, "(initial)"):
        commit, subject, _ = asked.commit()
    # Untracked files are in no difference of git's: only others have to be excluded by name.
    known = {each.path for each in found if each.path in ours and each.where != "untracked"}
    changed, text, size = _changed_files(asked, changed, known, patch)
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
        patch=text,
        size=size,
        part=asked.part,
        left_out=len(ours),
    )


def _changed_files(
    asked: Repository, changed: list[ChangedFile], ours: set[str], patch: int
) -> tuple[list[ChangedFile], str, int]:
    """The files with their lines counted, and what differs in them: under a mark what is staged,
    what is not (what is in conflict is not, either), and what is new; the first `patch` characters
    of it, and how many there are."""
    others = [f":(exclude,top,literal){path}" for path in sorted(ours)]
    texts: list[str] = []
    size = 0
    for name, places, words in (
        ("staged", ("staged",), ("--cached",)),
        ("unstaged", ("unstaged", "conflict"), ()),
    ):
        if not any(each.where in places for each in changed):
            continue
        way = (*words, "--", *asked.only, *others)
        lines = asked.lines(*way)
        changed = [add_line_counts(each, lines) if each.where == name else each for each in changed]
        mark = f"# {'staged' if name == 'staged' else 'not staged'}\n"
        # Asked for even where nothing of it is kept: its length is part of the size that is told.
        text, length = asked.difference_text(*DIFF, *way, most=max(0, patch - size - len(mark)))
        texts += [mark[: max(0, patch - size)], text]
        size += len(mark) + length
    new, told = _new(asked, changed)
    texts.append(told[: max(0, patch - size)])
    return new, "".join(texts), size + len(told)


def _new(asked: Repository, changed: Sequence[ChangedFile]) -> tuple[list[ChangedFile], str]:
    """The text of the first new files, with a mark before it; those that are binary are told so."""
    found, texts = [], []
    for at, each in enumerate(changed):
        if each.where == "untracked" and at < _MAX_NEW:
            text, binary = untracked_files.text(each.path, asked.top)
            texts += [text] if text else []
            each = replace(each, binary=binary)
        found.append(each)
    return found, "".join(["# untracked\n", *texts] if texts else [])


def _status(parts: Sequence[str]) -> tuple[dict[str, str], list[ChangedFile]]:
    """Git's porcelain format, version 2: its heads, and the files in it."""
    heads: dict[str, str] = {}
    found: list[ChangedFile] = []
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
                # Of a rename the old name is a part of its own.
                found += _entries(words[1], words[2], words[9], next(rest, None))
            case "u ":
                words = part.split(" ", 10)
                how = _CONFLICTS.get(words[1], "in conflict")
                found.append(ChangedFile(path=words[10], where="conflict", how=how))
            case "? ":
                found.append(ChangedFile(path=part[2:], where="untracked", how="new"))
    return heads, found


def _entries(both: str, submodule: str, path: str, was: str | None) -> Iterator[ChangedFile]:
    """What is staged of a file, and what is not."""
    for where, letter in (("staged", both[0]), ("unstaged", both[1])):
        if letter != ".":
            how = HOW.get(letter, "changed") + " submodule" * (submodule[0] == "S")
            before = was if letter in "RC" else None
            yield _make_change(path=path, where=where, how=how, was=before)


def _make_change(**fields: Any) -> ChangedFile:
    return ChangedFile(**fields)
