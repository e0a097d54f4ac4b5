"""a table, a sentence -> lines that are no wider than a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from . import escape
from .tables import text_table
from .text_width import columns, cut, wrap

FREE, LEAST = 100, 8
"""Columns of the last cell where there is no width; what every cell has at least."""
LINES = 6
"""Of a sentence."""


def fit_table(heads: Sequence[str], cells: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """The lines of a table whose widest columns are cut to fit.

    >>> fit_table(("", "note"), [("a", "much too long to be shown")], 12)
    ['   note', 'a  much too…']
    >>> fit_table(("", "a-1", "a-2"), [("args", "one of two files", "another of them")], 26)
    ['      a-1        a-2', 'args  one of t…  another…']
    """
    if width is None:
        return text_table(heads, [(*row[:-1], cut(row[-1], FREE)) for row in cells]).splitlines()
    table = [[escape.line(cell) for cell in row] for row in (heads, *cells)]
    widths = [max(map(columns, column)) for column in zip(*table, strict=True)]
    room = width - 2 * (len(heads) - 1)
    while sum(widths) > room and max(widths) > LEAST:
        # Of equally wide ones the last: a row is known by what stands first.
        widest = len(widths) - 1 - widths[::-1].index(max(widths))
        widths[widest] -= 1
    shown = [[cut(cell, most) for cell, most in zip(row, widths, strict=True)] for row in table]
    return [cut(line, width) for line in text_table(shown[0], shown[1:]).splitlines()]


def wrap_sentence(text: str, width: int | None) -> list[str]:
    """A sentence, whole or nearly so, broken between its words."""
    line = escape.line(text)
    if not line:
        return []
    return [line] if width is None else wrap(line, width, LINES)
