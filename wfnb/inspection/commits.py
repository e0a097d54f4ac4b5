"""a revision, a range -> what these commits changed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wfnb.errors import RepositoryNone

from .repository import DIFF, HOW, PATCH, Repository, add_line_counts
from .result_types import ChangedFile, Changes

MAX_COMMITS = 100
_RANGE = re.compile(r"(.*?)\.\.\.?(.*)", re.DOTALL)


def last(
    folder: Path, patch: int = PATCH, start: Path | None = None, only: Path | None = None
) -> Changes:
    """What the last commit changed; of a merge, what it brought into the branch. `top` is told from
    `start` on, and of the files those in `only`. RepositoryNone where there is no repository, or
    nothing was committed."""
    asked = Repository(folder, start, only)
    try:
        return _commit(asked, "HEAD", patch)
    except RepositoryNone:
        raise RepositoryNone(str(folder), "it has no commit yet") from None


def commit(name: str, folder: Path, start: Path | None = None, only: Path | None = None) -> Changes:
    """What that commit changed. BadValue where there is none of that name."""
    asked = Repository(folder, start, only)
    return _commit(asked, asked.revision(name), PATCH)


def range_changes(
    range_: str, folder: Path, start: Path | None = None, only: Path | None = None
) -> Changes:
    """What the commits of `main..` or `a..b` brought: those that the second has and the first has
    not, compared with where they left the first. BadValue where one is none."""
    asked = Repository(folder, start, only)
    found = _RANGE.fullmatch(range_)
    names = (found[1] or "HEAD", found[2] or "HEAD") if found else (range_, "HEAD")
    first, second = map(asked.revision, names)
    try:
        # Compared with where they parted: else what `main` got meanwhile would look as if it were
        # undone.
        left = asked.difference_text("merge-base", first, second, "--")[0].split()[0]
    except (RepositoryNone, IndexError):  # they have nothing in common
        left = first
    way = (f"{first}..{second}", "--", *asked.only)
    listed = asked.parts(
        "log", "-z", f"--max-count={MAX_COMMITS}", "--no-color", "--format=%h%x09%s", *way
    )
    commits = [each.partition("\t")[::2] for each in listed]
    return _tree_difference(
        asked,
        second,
        (left, second),
        PATCH,
        between=range_,
        commits=tuple(commits),
        count=int(asked.difference_text("rev-list", "--count", *way)[0]),
    )


def is_range(name: str) -> bool:
    """
    >>> is_range("main.."), is_range("v1...HEAD~2"), is_range("../a"), is_range("a/../b")
    (True, True, False, False)
    """
    ways = name.replace("\\", "/").split("/")
    return ".." in name and ".." not in ways and not name.startswith(".")


def _commit(asked: Repository, revision: str, patch: int) -> Changes:
    _, _, parents = asked.commit(revision)
    # The number of the empty tree, asked for as it differs by the hash that the repository uses.
    nothing = asked.difference_text("hash-object", "-t", "tree", os.devnull)[0].strip()
    return _tree_difference(asked, revision, (parents[0] if parents else nothing, revision), patch)


def _tree_difference(
    asked: Repository, revision: str, which: tuple[str, str], patch: int, **more: Any
) -> Changes:
    """The difference of two trees; `revision` is the second's."""
    way = (*which, "--", *asked.only)
    lines = asked.lines(*way)
    parts = iter(asked.parts(*DIFF, "--name-status", "-z", *way))
    changed = tuple(
        add_line_counts(
            # A rename and a copy have two names, each a part of its own.
            _changed_file(letter, [next(parts, "") for _ in range(1 + (letter[0] in "RC"))]),
            lines,
        )
        for letter in parts
    )
    text, size = asked.difference_text(*DIFF, *way, most=patch)
    short, subject, _ = asked.commit(revision)
    branch = asked.difference_text("branch", "--show-current")[0].strip()
    return Changes(
        top=asked.seen,
        branch=branch or None,
        commit=short,
        subject=subject,
        changed=changed,
        patch=text,
        size=size,
        part=asked.part,
        newest=short == asked.commit()[0],
        **more,
    )


def _changed_file(letter: str, names: Sequence[str]) -> ChangedFile:
    was = names[0] if len(names) > 1 else None
    return ChangedFile(
        path=names[-1], where="committed", how=HOW.get(letter[0], "changed"), was=was
    )
