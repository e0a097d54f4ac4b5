"""a text, a file -> its lines, counted as Python counts them.

A line ends with \\n, \\r\\n or \\r, and with nothing else: a form feed or U+2028 stands inside.
"""

from __future__ import annotations

import sys
from pathlib import Path

from wfnb.frozen_record import record

LETTERS = 60_000
"""Characters of a file that are kept."""
_CHUNK = 1 << 18


@record
class Part:
    """Lines of a file from `first` on. `total` counts those of the file, `wanted` those that were
    asked for and are there, `size` their characters: `lines` are fewer where that is too much."""

    first: int
    lines: tuple[str, ...]
    wanted: int
    size: int
    total: int


def unify_line_ends(text: str) -> str:
    """The text with its lines ended by \\n."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines(text: str) -> list[str]:
    r"""
    >>> lines("a\fb\r\nc\u2028d\re\n")
    ['a\x0cb', 'c\u2028d', 'e']
    """
    parts = unify_line_ends(text).split("\n")
    return parts[:-1] if parts[-1] == "" else parts


def read(file: Path, first: int = 1, last: int | None = None, most: int = LETTERS) -> Part:
    """The lines that are wanted, `most` characters of them, read piece by piece: a file of any size
    takes no more memory than that. OSError where it cannot be read."""
    end = sys.maxsize if last is None else last
    kept: list[str] = []
    before, room, size = 0, most, 0  # lines that have ended, characters that are still kept
    open_ = False  # whether a line has begun that has not ended
    with file.open(encoding="utf-8", errors="replace", newline=None) as opened:  # \n, \r\n, \r
        while chunk := opened.read(_CHUNK):
            open_ = chunk[-1] != "\n"
            ended = chunk.count("\n")
            # A chunk that has none of the wanted lines is only counted, not split.
            if before + ended + 1 < first or before + 1 > end:
                before += ended
                continue
            pieces = chunk.split("\n")
            low, high = max(0, first - 1 - before), min(ended + 1, end - before)
            text = "\n".join(pieces[low:high])
            text += "\n" * (high <= ended)
            kept.append(text[:room])
            room -= len(kept[-1])
            size += len(text)
            before += ended
    total = before + open_
    wanted = max(0, min(end, total) - first + 1)
    return Part(
        first=first, lines=_whole("".join(kept), size), wanted=wanted, size=size, total=total
    )


def _whole(text: str, size: int) -> tuple[str, ...]:
    """Its lines. The last is left out where it was cut, if there are others."""
    found = tuple(lines(text))
    cut = len(text) < size and not text.endswith("\n")
    return found[:-1] if cut and len(found) > 1 else found
