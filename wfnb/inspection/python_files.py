"""a folder -> the Python files in it that somebody wrote."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from errno import EINVAL
from itertools import islice
from pathlib import Path

from wfnb.errors import RepositoryNone

from . import git

MAX_FILES = 20_000
MAX_FILE_BYTES = 2_000_000
_LEFT_OUT = ("node_modules", "__pycache__", "site-packages")


def python_files(folder: Path) -> tuple[list[str], str | None]:
    """Their paths from there, in order, and why these are not all. Git says which they are; without
    it all are taken, but those of environments, packages and hidden folders."""
    try:
        found = list(git.files(folder, "*.py"))
    except RepositoryNone:
        found = list(islice(_walk_files(folder), MAX_FILES + 1))
    cut = f"only the first {MAX_FILES:,} of the Python files" if len(found) > MAX_FILES else None
    return sorted(found)[:MAX_FILES], cut


def content(file: Path) -> bytes:
    """What a file has, up to a byte over MAX_FILE_BYTES. OSError, ValueError where it is none: a
    pipe would be waited for."""
    # Asked before opening: opening a pipe already waits for who writes into it.
    if not stat.S_ISREG(file.stat().st_mode):
        raise OSError(EINVAL, "it is no file")
    with file.open("rb") as opened:
        # One byte more tells that there is more.
        return opened.read(MAX_FILE_BYTES + 1)


def readable_path(path: str) -> str:
    r"""A path as it can be read and kept: bytes that are no UTF-8 as `\xff`, with `/`."""
    named = path.replace(os.sep, "/")
    return named.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _walk_files(folder: Path) -> Iterator[str]:
    for place, inside, names in os.walk(folder):
        inside[:] = sorted(
            name
            for name in inside
            if name[0] != "."
            and name not in _LEFT_OUT
            # An environment may have any name; each has this file.
            and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))
        )
        for name in sorted(names):
            if name.endswith(".py"):
                yield os.path.relpath(os.path.join(place, name), folder)
