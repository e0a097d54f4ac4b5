"""a folder -> its files, each with its size and when it was written; what stands for those of them
that are source code.

What begins with a dot, caches and the folder of a journal are left out.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from .digest import digest

_MAX_FILES = 3_000
_LEFT_OUT = frozenset({"__pycache__", "node_modules"})
_SOURCES = re.compile(
    r"\.(bash|c|cc|cfg|clj|cpp|cs|css|cu|cxx|exs?|f90|go|h|hpp|hs|html|ini|java|jl|jsx?|kt|lua|m"
    r"|mjs|ml|php|pl|proto|ps1|py|pyi|pyx|r|rb|rs|scala|sh|sql|swift|toml|tsx?|vue|ya?ml)",
    re.IGNORECASE,
)


def list_files(
    folder: Path, *, but: Path | None = None, ends: re.Pattern[str] | None = None
) -> list[str]:
    """All but one, or those whose names end so."""
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        if "journal.db" in files:  # our own
            folders.clear()
            continue
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _LEFT_OUT)
        below = os.path.relpath(place, folder)
        for name in sorted(files):
            path = os.path.join(place, name)
            if name.startswith(".") or (but is not None and path == str(but)):
                continue
            if ends is not None and ends.fullmatch(os.path.splitext(name)[1]) is None:
                continue
            try:
                now = os.stat(path)
            except OSError:
                continue
            found.append(f"{below}/{name} {now.st_size} {now.st_mtime_ns}")
        if len(found) > _MAX_FILES:
            break
    return found


def source_state(folder: Path) -> str:
    """Another, where a file with code or settings is another. What programs write beside it (data,
    pictures, reports) does not count."""
    return digest(*list_files(folder, ends=_SOURCES))
