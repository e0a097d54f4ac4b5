"""a folder of this machine -> how it is told: from the notebook, or from `~`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wfnb.errors import RepositoryNone

from .python_files import readable_path

_QUOTED = re.compile(r"'(/[^']+)'")  # as git names a path


def display_path(path: str, folder: Path) -> str:
    """By its way from the folder, where it lies in it; else from the user's own; else the way up
    and down again, as files are told."""
    from_here = os.path.relpath(os.path.realpath(path), os.path.realpath(folder))
    if from_here.split(os.sep)[0] != os.pardir:
        return readable_path(from_here)
    from_home = os.path.relpath(os.path.realpath(path), os.path.realpath(Path.home()))
    if from_home.split(os.sep)[0] != os.pardir:
        return readable_path(os.path.join("~", from_home)).removesuffix("/.")
    return readable_path(from_here)


@contextmanager
def told_from(folder: Path, typed: Sequence[str] = ()) -> Iterator[None]:
    """What git refuses inside names no path of this machine, nor does what git says of it. One that
    was `typed` is named as it was."""
    try:
        yield
    except RepositoryNone as error:
        why = _QUOTED.sub(lambda found: f"'{display_path(found[1], folder)}'", error.why)
        real = os.path.realpath(error.path)
        same = (each for each in typed if _real(each, folder) == real)
        raise RepositoryNone(next(same, None) or display_path(error.path, folder), why) from None


def _real(path: str, folder: Path) -> str | None:
    try:
        return os.path.realpath(folder / path)
    except ValueError:  # a name that cannot be one
        return None
