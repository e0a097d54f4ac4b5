"""a folder -> the `.wfnb` used there; a path in a `.wfnb` -> that path, for its owner alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

FOLDER = ".wfnb"
LINK = "it is a link, and what it leads to is not in this folder"
PRIVATE = 0o600


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


def make_private(folder: Path) -> bool:
    """Make a folder, for its owner alone, and those that it is in; whether it was made. OSError,
    also where it is a link."""
    if refuse_link(folder).is_dir():
        return False
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return True
