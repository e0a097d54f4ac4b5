"""a folder -> its repository, asked by git: what differs in it, and how many lines."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from wfnb.errors import BadValue, RepositoryNone, nearest

from . import git
from .python_files import readable_path
from .result_types import ChangedFile

PATCH = 200_000
"""Characters of a difference that are kept."""
DIFF = (
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--find-renames"),
    "--ignore-submodules=dirty",  # git would run in them, by their settings
)
HOW = {
    "M": "modified",
    "T": "type changed",
    "A": "added",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
}
Lines = dict[str, tuple[int | None, int | None]]


class Repository:
    """Git, asked in one repository; nothing of the repository's is run. `only` is a file or folder
    in it that is told alone: its `part`."""

    def __init__(self, folder: Path, start: Path | None = None, only: Path | None = None) -> None:
        self.top = git.top(folder)
        self._filters = git.filters(self.top)
        self.seen = readable_path(_way(self.top, start or folder))
        whole = only is None or os.path.realpath(only) == os.path.realpath(self.top)
        # The folder's links are followed, the name itself is not: git keeps a link as a link.
        path = "." if only is None or whole else _way(only.parent, self.top, only.name)
        self.part = None if path == "." else readable_path(path)
        self.only = () if path == "." else (f":(top,literal){path}",)

    def difference_text(self, *words: str, most: int = git.MAX_ANSWER_LENGTH) -> tuple[str, int]:
        """Bytes that are no UTF-8 are shown as `\\xff`: it is all to be read, not to be opened."""
        return git.run_truncated(
            self.top, *self._filters, *words, most=most, errors="backslashreplace"
        )

    def parts(self, *words: str) -> list[str]:
        """An answer of parts that end with NUL; one that was cut off is left out."""
        return self.difference_text(*words)[0].split("\0")[:-1]

    def lines(self, *which: str) -> Lines:
        """How many lines were added and removed in each file; None in a binary one."""
        found: Lines = {}
        parts = iter(self.parts(*DIFF, "--numstat", "-z", *which))
        for part in parts:
            added, removed, path = part.split("\t", 2)
            if not path:  # a rename: the old name and the new one are parts of their own
                next(parts, None)
                path = next(parts, "")
            found[path] = (_number(added), _number(removed))
        return found

    def revision(self, name: str) -> str:
        """The commit that a branch, a tag, `HEAD~2` or a part of its number means. BadValue where
        there is none."""
        # A name that begins with `-` would be an option of git's.
        if name and not name.startswith("-") and "\0" not in name and "\n" not in name:
            try:
                words = ("rev-parse", "--quiet", "--verify", f"{name}^{{commit}}", "--")
                return self.difference_text(*words)[0].split()[0]
            except (RepositoryNone, IndexError):
                pass
        known = self.names()
        some = ", ".join(known[:5]) + (", …" if len(known) > 5 else "")
        be = "is" if len(known) == 1 else "are"
        near = nearest(name, known).strip() or (f"there {be} {some}" if known else "there is none")
        raise BadValue("revision", name[:80], f"a commit, branch or tag of the repository: {near}")

    def names(self) -> tuple[str, ...]:
        """Branches and tags."""
        words = ("for-each-ref", "--count=1000", "--format=%(refname:short)")
        return tuple(
            self.difference_text(*words, "refs/heads", "refs/tags", "refs/remotes")[0].split()
        )

    def commit(self, revision: str = "HEAD") -> tuple[str, str, tuple[str, ...]]:
        """A commit, its subject and its parents. RepositoryNone where there is none."""
        words = ("log", "-1", "--no-color", "--format=%h%x00%s%x00%P")
        said = self.difference_text(*words, revision, "--")[0]
        short, subject, parents = said.rstrip("\n").split("\0", 2)
        return short, subject, tuple(parents.split())


def add_line_counts(changed: ChangedFile, lines: Lines) -> ChangedFile:
    """With the lines that git counts in it."""
    added, removed = lines.get(changed.path, (None, None))
    binary = changed.path in lines and added is None
    return replace(changed, added=added, removed=removed, binary=binary)


def _way(path: Path, start: Path, *name: str) -> str:
    """From `start` to a folder, and to what has that name in it: that may be a link."""
    way = os.path.relpath(os.path.realpath(path), os.path.realpath(start))
    return os.path.normpath(os.path.join(way, *name))


def _number(text: str) -> int | None:
    # Git writes `-` for a binary file.
    return int(text) if text.isdigit() else None
