"""a text and a path -> the file with all of the text, or the file as it was; a path as it was typed
-> as it is kept."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path
from tempfile import NamedTemporaryFile

from wfnb.errors import FileMissing

_MAX_NAMES = 1_000
"""Names that are compared with one that is not there."""


def write(path: Path, text: str, mode: int = 0o666) -> None:
    """UTF-8, line breaks as they are in the text. Folders on the way are made. OSError, ValueError
    for a path that cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, so that the file is replaced at once: nobody reads half of it.
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
        try:
            part.write(text.encode())
            part.close()
            os.chmod(part.name, mode & ~_umask())
            os.replace(part.name, path)
        except BaseException:
            os.unlink(part.name)
            raise


def real_path(path: str | os.PathLike[str]) -> Path:
    """What a path leads to. Unlike Path.resolve, it raises nothing where links lead in a circle: as
    of any file that is not there, that is said when the file is read."""
    return Path(os.path.realpath(path))


def portable_path(path: str, folder: Path, known: Container[str] = ()) -> str:
    """A file or folder as it is kept: relative to `folder`, with `/`. FileMissing names one that is
    nearly so, for one that is neither there nor `known`."""
    found = folder / path
    try:
        name = Path(os.path.relpath(found, folder)).as_posix()
        if name in known or found.exists():
            return name
        near = found.parent if found.parent.is_dir() else folder
        beside = [os.path.relpath(entry, folder) for entry in sorted(near.iterdir())[:_MAX_NAMES]]
    except (OSError, ValueError):  # a name that cannot be one
        beside = []
    raise FileMissing(path, tuple(beside))


def _umask() -> int:
    """What new files are not allowed here: a temporary file is allowed less."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
