"""what programs wrote to a terminal -> the last lines of it as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wfnb.render.text import escape
from wfnb.render.text.text_width import cut

LINES, WIDTH = 8, 160
_READ = 4_000  # characters of a piece that are looked at: the last ones
_CODES = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]"  # colours, cursor moves
    "|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?"  # titles, links: to their end
    "|\x1b[ -/]*[0-~]?"  # all others
    "|\x9b[0-?]*[ -/]*[@-~]"
)


Piece = str | tuple[str, str]
"""A text, or who wrote it and the text."""


def tail(pieces: Sequence[Piece], lines: int = LINES, width: int = WIDTH) -> list[str]:
    r"""The last lines, each cut to a width in columns; what steers a terminal is taken out, other
    strange characters are shown as signs. A line that was written over is as it was last, one in
    which nothing can be seen is left out. Where several wrote, each line says who.

    >>> tail(["\x1b[32mok\x1b[0m 1 of 2\rok 2 of 2\n", "\x1b]0;title\x07done\x00\n"])
    ['ok 2 of 2', 'done␀']
    >>> tail([("a", "one\n"), ("b", "\n"), ("b", "two")])
    ['a: one', 'b: two']
    """
    found: list[tuple[str, str]] = []
    # From the end, and no further than needed: this is done at each redraw.
    for piece in reversed(pieces):
        who, text = piece if isinstance(piece, tuple) else ("", piece)
        found += reversed([(who, line) for line in _plain(text)])
        if len(found) >= lines:
            break
    newest = found[:lines][::-1]
    several = len({who for who, _ in newest}) > 1
    said = (f"{escape.line(who)}: {line}" if several and who else line for who, line in newest)
    return [cut(line, width) for line in said]


def _plain(piece: str) -> Iterator[str]:
    # `\r\n` is a line's end, a lone `\r` goes back to its beginning: programs draw progress so.
    text = _CODES.sub("", piece[-_READ:]).replace("\r\n", "\n")
    for line in text.split("\n"):
        written = line.rstrip("\r").rpartition("\r")[2].rstrip()
        if written:
            yield escape.line(written) if not written[0].isspace() else _trim(written)


def _trim(text: str) -> str:
    """With the spaces it begins with."""
    return escape.printable(text).replace("\t", "    ").replace("\n", " ")
