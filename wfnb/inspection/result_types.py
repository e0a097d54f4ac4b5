"""What looking at files and repositories gives: values that views draw. Paths are relative to the
folder that was looked at, with `/`."""

from __future__ import annotations

from typing import Literal

from wfnb.frozen_record import record


@record
class ChangedFile:
    """A file that differs. `where` is which of git's two steps it is in; lines are None where git
    counts none (a `binary` file, an untracked one); `was` is the name before."""

    path: str
    where: Literal["staged", "unstaged", "untracked", "conflict", "committed"]
    how: str = "modified"
    added: int | None = None
    removed: int | None = None
    was: str | None = None
    binary: bool = False


@record
class Changes:
    """What differs in a repository, or over a range of its commits."""

    top: str
    """Its folder, a path from the folder that was looked at."""
    branch: str | None = None
    """None where none is checked out."""
    upstream: str | None = None
    ahead: int = 0
    """Commits against `upstream`, as `behind`."""
    behind: int = 0
    commit: str | None = None
    """The last one; None before there is one."""
    subject: str | None = None
    """That of `commit`."""
    changed: tuple[ChangedFile, ...] = ()
    patch: str = ""
    """May be cut. A line of it that is `# staged`, `# not staged` or `# untracked` says what comes
    after it."""
    size: int = 0
    """That of all of the patch, in characters."""
    between: str | None = None
    """Of a range, how it was written."""
    commits: tuple[tuple[str, str], ...] = ()
    """Of a range, its own, the newest first."""
    count: int = 0
    """How many `commits` there are in all."""
    part: str | None = None
    """The file or folder that is told alone."""
    left_out: int = 0
    """Counts the notebook itself, its checkpoints and exports."""
    newest: bool = True
    """Whether the commit is the one that is checked out."""


@record
class Definition:
    """A function, method or class; `name` has those around it (`Parser.read`), lines count from
    1, `calls` are names as they are written."""

    name: str
    kind: Literal["function", "method", "class"]
    line: int
    end: int
    documented: bool = False
    calls: tuple[str, ...] = ()


@record
class Outline:
    """What a file defines; `error` says why it cannot be told."""

    path: str
    lines: int = 0
    documented: bool = False
    definitions: tuple[Definition, ...] = ()
    error: str | None = None


@record
class UndocumentedFiles:
    """Files with something public that has no docstring, each with how many; `read` is how many
    files were read, `broken` those whose definitions do not parse, `cut` says why not all were
    read."""

    folder: str
    files: tuple[tuple[str, int], ...] = ()
    read: int = 0
    broken: tuple[str, ...] = ()
    cut: str | None = None
