"""the `.wfnb` folders that this user's notebooks were used with -> where a moved one may belong.

A text file of the user's own, a path a line, the one used last at the end. It is a help and no
record: where it cannot be read or written, notebooks that are moved far away are not found, and
nothing else changes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_MAX_HOMES = 200
"""Folders that are remembered: those used last."""


def state_file() -> Path:
    """`$XDG_STATE_HOME/wfnb/homes`, by default in `~/.local/state`. RuntimeError where the user has
    no home."""
    state = os.environ.get("XDG_STATE_HOME")
    folder = Path(state) if state else Path.home() / ".local" / "state"
    return folder / "wfnb" / "homes"


def known_homes() -> list[Path]:
    """The folders that are still there, the one used last first."""
    return [path for path in reversed(list(_lines())) if (path / "journal.db").is_file()]


def remember(home: Path) -> None:
    """Put a folder last."""
    known = list(_lines())
    # The file has a path a line: a folder with a line break in its name would read as two.
    if (known and known[-1] == home) or "\n" in str(home):
        return
    kept = [*(path for path in known if path != home), home][-_MAX_HOMES:]
    with suppress(OSError, RuntimeError, UnicodeError):
        file = state_file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Several kernels may write at once: each its own part, which takes the file's place as a
        # whole.
        part = file.with_name(f"homes.{os.getpid()}")
        opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as lines:
            lines.writelines(f"{path}\n" for path in kept)
        os.replace(part, file)


def _lines() -> Iterator[Path]:
    with suppress(OSError, RuntimeError, UnicodeError):
        for line in state_file().read_text(encoding="utf-8").splitlines():
            # A relative path would mean another folder in each process.
            if os.path.isabs(line):
                yield Path(line)
