"""a session in memory -> the folder of what it keeps, which goes when its process does.

A process that is killed has no time for that: the next that makes such a folder, or frees values,
removes those of processes that are gone.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from weakref import finalize

from wfnb.process_identity import has_ended, process

_PREFIX = "wfnb-scratch-"
_OWNER = ".process"


def temporary_folder(owner: object) -> Path:
    """A new folder, for as long as the owner is there."""
    remove_left()
    folder = Path(mkdtemp(prefix=_PREFIX))
    (folder / _OWNER).write_text(process(), "utf-8")
    finalize(owner, _remove, folder, os.getpid())
    return folder


def remove_left() -> None:
    """Remove the folders of this user's processes that are gone."""
    for folder in Path(gettempdir()).glob(f"{_PREFIX}*"):
        try:
            mine = folder.lstat().st_uid == (folder / _OWNER).lstat().st_uid == os.geteuid()
            name = (folder / _OWNER).read_text("utf-8") if mine else None
        except (OSError, ValueError, AttributeError):  # it is being made, or of another user
            continue
        if not folder.is_symlink() and has_ended(name):
            shutil.rmtree(folder, ignore_errors=True)


def _remove(folder: Path, process: int) -> None:
    """In the process that made it: one that it forked ends without."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
