"""a new file -> its text as a difference would show it; and whether it is one of ours.

What is new in a repository may be anything: it is read to a bound, and no pipe is waited for.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from .python_files import readable_path
from .source_lines import lines

LETTERS = 20_000
"""Characters of one file."""
_OPENING = 400
_OURS = re.compile(
    rb'<!-- wfnb |[^\n]*\n<meta name="generator" content="wfnb">|\{\s*"wfnb": |// wfnb |%% wfnb '
    rb'|wfnb history\n|<svg [^>]*class="wfnb-graph"'
)
"""How the files begin that wfnb exports."""
_CHECKPOINTS, _RECORD = ".ipynb_checkpoints", ".wfnb"
_SECRET = re.compile(
    r".*(?:credential|secret|token(?!i[sz])).*|.*\.(?:pem|key)|\.env.*", re.IGNORECASE | re.DOTALL
)
"""Names of files that may hold secrets."""


def text(path: str, top: Path) -> tuple[str, bool]:
    """The lines of a new file, each after a `+`, under its name; and whether it is binary. Nothing
    of a hidden file: it may be somebody's own, and of one that is empty. Of one that may hold
    secrets there is its name, and why there is no more."""
    # A letter has at most four bytes of UTF-8.
    data = _beginning(top / path, 4 * LETTERS)
    if not data or b"\0" in data:
        return "", bool(data)
    # A line break in a name could make a line of the patch that looks like another file.
    name = readable_path(path).replace("\n", "\\n")
    if _SECRET.fullmatch(os.path.basename(path)):
        return f"new file {name}: not shown, its name is one of secrets\n", False
    if os.path.basename(path).startswith("."):
        return "", False
    letters = data.decode("utf-8", "replace")
    told = "\n".join(f"+{line}" for line in lines(letters[:LETTERS]))
    more = "\n(there is more of it)" * (len(letters) > LETTERS or len(data) == 4 * LETTERS)
    return f"new file {name}\n{told}{more}\n", False


def ours(path: str, top: Path, notebook: Path | None) -> bool:
    """Whether it is the notebook itself, a checkpoint of one, or what was exported from it."""
    if _CHECKPOINTS in path.split("/"):
        return True
    if notebook is not None and os.path.realpath(top / path) == os.path.realpath(notebook):
        return True
    return _OURS.match(_beginning(top / path, _OPENING)) is not None


def is_own_record(path: str) -> bool:
    """Whether it lies where steps are recorded."""
    return _RECORD in path.split("/")


def _beginning(file: Path, most: int) -> bytes:
    """Nothing of what is no file, or cannot be read."""
    try:
        # `lstat`: a link may lead to a file outside of the repository.
        if not stat.S_ISREG(file.lstat().st_mode):
            return b""
        with file.open("rb") as opened:
            return opened.read(most)
    except (OSError, ValueError):
        return b""
