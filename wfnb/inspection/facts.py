"""What looking at files and repositories gives: values that views draw. Paths are relative to the
folder that was looked at, with `/`."""

from __future__ import annotations

from typing import Literal

from wfnb.record import record


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
    """What differs in the repository at `top`, a path from the folder that was looked at; `patch`
    may be cut: `size` is that of all of it, in characters. A line of it that is `# staged`, `# not
    staged` or `# untracked` says what comes after it. `commit` and `subject` are those of the
    last one, None before there is one; `branch` is None where none is checked out. `ahead` and
    `behind` count commits against `upstream`. Of a range, `between` is how it was written and
    `commits` are its own, the newest first: `count` in all. `part` is the file or folder that is
    told alone; `left_out` counts the notebook itself, its checkpoints and exports. `newest`:
    the commit is the one that is checked out."""

    top: str
    branch: str | None = None
    upstream: str | None = None
    ahead: int = 0
    behind: int = 0
    commit: str | None = None
    subject: str | None = None
    changed: tuple[ChangedFile, ...] = ()
    patch: str = ""
    size: int = 0
    between: str | None = None
    commits: tuple[tuple[str, str], ...] = ()
    count: int = 0
    part: str | None = None
    left_out: int = 0
    newest: bool = True


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
