"""a file, lines of it -> what there is to see, and the look that it counts as."""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from pathlib import Path

from wfnb.core.findings import Look
from wfnb.errors import BadValue
from wfnb.hints import Command
from wfnb.inspection import source_lines
from wfnb.inspection.python_files import readable_path
from wfnb.investigations.core.finding_parser import MAX_NAME
from wfnb.investigations.views import code_evidence
from wfnb.investigations.views.evidence_view import MAX_LETTERS, EvidenceView
from wfnb.render.text import escape

_LINES = re.compile(r"(\d{1,9})(?:-(\d{0,9}))?")


def read(folder: Path, path: str, targets: Sequence[str]) -> tuple[EvidenceView, tuple[Look, ...]]:
    """A text file, or the lines of it that are wanted. BadValue where it cannot be read, or has no
    such lines."""
    file = folder / path
    first, last = _line_range(targets)
    try:
        # A pipe would be waited for.
        if not stat.S_ISREG(file.stat().st_mode):
            raise BadValue(
                "look", path, f"a file, not a folder: `{Command('look', 'outline', 'FOLDER')}`"
            )
        part = source_lines.read(file, first, last, MAX_LETTERS)
    except OSError as error:
        raise BadValue("look", path, f"a file that can be read: {error.strerror}") from None
    if first > max(1, part.total):
        raise BadValue("lines", " ".join(targets), f"a line up to {part.total:,}")
    look = Look(kind="file", what=line(path), files=(readable_path(path),))
    sight = code_evidence.part(
        readable_path(path), part.lines, part.first, part.wanted, part.size, part.total
    )
    return sight, (look,)


def _line_range(targets: Sequence[str]) -> tuple[int, int | None]:
    """`10-40`, `10-`, `10`: the lines that are wanted."""
    if not targets:
        return 1, None
    found = _LINES.fullmatch(targets[0])
    if found is None or len(targets) > 1 or int(found[1]) < 1:
        raise BadValue("lines", " ".join(targets), "two numbers, as 10-40")
    if found[2] is None:
        return int(found[1]), int(found[1])
    last = int(found[2]) if found[2] else None
    if last is not None and last < int(found[1]):
        raise BadValue("lines", " ".join(targets), "two numbers, as 10-40")
    return int(found[1]), last


def line(text: str) -> str:
    """What a look is of, on a line."""
    return escape.line(text)[:MAX_NAME]
