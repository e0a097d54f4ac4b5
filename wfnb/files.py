"""a text and a path -> the file with all of the text, or the file as it was; a path as it was typed
-> as it is kept; a folder -> its `.wfnb`; a path in `.wfnb` -> that path, for its owner alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from wfnb.errors import FileMissing

FOLDER = ".wfnb"
LINK = "it is a link, and what it leads to is not in this folder"
PRIVATE = 0o600
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


def home_path(folder: str | os.PathLike[str] | None = None, start: Path | None = None) -> Path:
    """The `.wfnb` folder to use: `folder` itself, else WFNB_HOME, else `.wfnb` in `start` (where
    this process runs) or in the nearest folder above that has one and the same owner; in `start`,
    where none has. Another's `.wfnb` above (in a shared `/tmp`) is not used. A folder that is a
    link is where it leads, but for a `.wfnb`: that may have come from a stranger."""
    named, start = folder or os.environ.get("WFNB_HOME"), start or Path.cwd()
    # `expanduser` of Path raises for `~nobody`.
    path = Path.cwd() / os.path.expanduser(named or next(homes_above(start), start / FOLDER))
    return path.resolve() if path.is_symlink() and path.name != FOLDER else path


def homes_above(folder: Path) -> Iterator[Path]:
    """Every `.wfnb` that is in a folder or above it, the nearest first."""
    if (folder / FOLDER).is_dir():
        yield folder / FOLDER
    for parent in folder.parents:
        found = parent / FOLDER
        with suppress(OSError):
            if found.is_dir() and _is_own(found):
                yield found


def _is_own(path: Path) -> bool:
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


def refuse_link(path: Path) -> Path:
    """A file or folder in `.wfnb`. OSError where it is a link: what that leads to is not in the
    folder, and a folder that came from elsewhere could so name any file of the user."""
    if path.is_symlink():
        raise OSError(errno.ELOOP, LINK, str(path))
    return path


def real_path(path: str | os.PathLike[str]) -> Path:
    """What a path leads to. Unlike Path.resolve, it raises nothing where links lead in a circle: as
    of any file that is not there, that is said when the file is read."""
    return Path(os.path.realpath(path))


def make_private(folder: Path) -> bool:
    """Make a folder, for its owner alone, and those that it is in; whether it was made. OSError,
    also where it is a link."""
    if refuse_link(folder).is_dir():
        return False
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return True


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
