"""a new file -> its text as a difference would show it; and whether it is one of ours.

What is new in a repository may be anything: it is read to a bound, and no pipe is waited for.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from .sources import shown
from .texts import lines

LETTERS = 20_000
"""Characters of one file."""
_OPENING = 400
_OURS = re.compile(
    rb'<!-- wfnb |[^\n]*\n<meta name="generator" content="wfnb">|\{\s*"wfnb": |// wfnb |%% wfnb '
    rb'|wfnb history\n|<svg [^>]*class="wfnb-graph"'
)
"""How the files begin that wfnb exports."""


def text(path: str, top: Path) -> tuple[str, bool]:
    """The lines of a new file, each after a `+`, under its name; and whether it is binary. Nothing
    of a hidden file: it may be somebody's own, and of one that is empty."""
    data = _beginning(top / path, 4 * LETTERS)
    if not data or b"\0" in data:
        return "", bool(data)
    if os.path.basename(path).startswith("."):
        return "", False
    letters = data.decode("utf-8", "replace")
    told = "\n".join(f"+{line}" for line in lines(letters[:LETTERS]))
    more = "\n(there is more of it)" * (len(letters) > LETTERS or len(data) == 4 * LETTERS)
    name = shown(path).replace("\n", "\\n")
    return f"new file {name}\n{told}{more}\n", False


def ours(path: str, top: Path, notebook: Path | None) -> bool:
    """Whether it is the notebook itself, a checkpoint of one, or what was exported from it."""
    if ".ipynb_checkpoints" in path.split("/"):
        return True
    if notebook is not None and os.path.realpath(top / path) == os.path.realpath(notebook):
        return True
    return _OURS.match(_beginning(top / path, _OPENING)) is not None


def _beginning(file: Path, most: int) -> bytes:
    """Nothing of what is no file, or cannot be read."""
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return b""
        with file.open("rb") as opened:
            return opened.read(most)
    except (OSError, ValueError):
        return b""
