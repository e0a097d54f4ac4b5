"""what a program wrote to a terminal -> the last lines of it as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wfnb.views.text import escape
from wfnb.views.text.measure import cut

LINES, WIDTH = 8, 160
_READ = 4_000  # characters of a piece that are looked at: the last ones
_CODES = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]"  # colours, cursor moves
    "|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?"  # titles, links: to their end
    "|\x1b[ -/]*[0-~]?"  # all others
    "|\x9b[0-?]*[ -/]*[@-~]"
)


def tail(pieces: Sequence[str], lines: int = LINES, width: int = WIDTH) -> list[str]:
    r"""The last lines, each cut to a width in columns; what steers a terminal is taken out, other
    strange characters are shown as signs. A line that was written over is as it was last.

    >>> tail(["\x1b[32mok\x1b[0m 1 of 2\rok 2 of 2\n", "\x1b]0;title\x07done\x00\n"])
    ['ok 2 of 2', 'done␀']
    """
    found: list[str] = []
    for piece in reversed(pieces):
        found += reversed(list(_plain(piece, width)))
        if len(found) >= lines:
            break
    return found[:lines][::-1]


def _plain(piece: str, width: int) -> Iterator[str]:
    text = _CODES.sub("", piece[-_READ:]).replace("\r\n", "\n")
    for line in text.split("\n"):
        written = line.rstrip("\r").rpartition("\r")[2].rstrip()
        if written:
            yield cut(escape.line(written) if not written[0].isspace() else _kept(written), width)


def _kept(text: str) -> str:
    """With the spaces it begins with."""
    return escape.printable(text).replace("\t", "    ").replace("\n", " ")
