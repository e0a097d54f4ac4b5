"""HTML with a table in it, as `DataFrame` shows itself -> the texts of its cells, and no more.

Nothing of the HTML is kept: not a tag, not an attribute, not what a style or script holds. So it
need not be read as a browser does, which `html.parser` takes ten times as long for: HTML that is
odd gives odd texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple, TypeVar

T = TypeVar("T")

ROWS, COLUMNS, WIDTH = 12, 12, 80
"""Of a larger table the first and the last; letters of a cell."""
CUT = "…"
_TOKEN = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>|<!--|[^<]+|<")
_UNSEEN = {"style": "</style", "script": "</script", "template": "</template"}
_SPAN = re.compile(r"\b(col|row)span\s*=\s*[\"']?([1-9][0-9]?)\b")


class TableText(NamedTuple):
    """All rows are as wide as the heads; `says` is how large the whole is, where this is a part."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    says: str = ""


def read_table(html: str) -> TableText | None:
    """
    >>> read_table("<table><tr><th></th><th>a</th></tr><tr><th>0</th><td><b>1</b></td></tr>")
    TableText(heads=('', 'a'), rows=(('0', '1'),), says='')
    """
    reader = _Reader()
    reader.read(html)
    width = max((len(row) for row in (*reader.heads, *reader.rows)), default=0)
    if not width:
        return None
    rows = [(*row, *[""] * (width - len(row))) for row in reader.rows]
    tops = [(*row, *[""] * (width - len(row))) for row in reader.heads] or [rows.pop(0)]
    heads = tuple(" ".join(filter(None, texts)) for texts in zip(*tops, strict=True))
    is_part = len(rows) > ROWS or width > COLUMNS
    whole = f"{len(rows):,} rows × {width - 1:,} columns" if is_part else ""
    return TableText(
        tuple(_ends(heads, COLUMNS, CUT)),
        tuple(tuple(_ends(row, COLUMNS, CUT)) for row in _ends(rows, ROWS, (CUT,) * width)),
        reader.says or whole,
    )


def _ends(items: Sequence[T], most: int, sign: T) -> Sequence[T]:
    """The first and last of what is too many, with a sign between them."""
    if len(items) <= most:
        return items
    last = (most - 1) // 2
    return [*items[: most - 1 - last], sign, *items[-last:]]


class _Reader:
    """The rows of all tables, those of a `thead` apart; `says` is what stands under them, as pandas
    has it: "200 rows × 4 columns"."""

    def __init__(self) -> None:
        self.heads: list[list[str]] = []
        self.rows: list[list[str]] = []
        self.says = ""
        self._row: list[str] | None = None
        self._text: list[str] | None = None
        self._into = self.rows
        self._after = False
        self._spans: dict[int, int] = {}
        """Columns that a cell of a row above reaches into, and how many rows further."""
        self._wide = self._high = 1

    def read(self, html: str) -> None:
        place, small = 0, html.lower()
        while token := _TOKEN.match(html, place):
            place = token.end()
            end, name, facts = token.groups()
            if name is None:
                text = token[0]
                if text == "<!--":
                    place = _after(html, "-->", place)
                elif self._text is not None:
                    self._text.append(text)
            elif end:
                self._end(name.lower())
            else:
                self._begin(name.lower(), facts)
                if name.lower() in _UNSEEN:
                    place = _after(small, _UNSEEN[name.lower()], place)
        self._end_row()

    def _begin(self, name: str, facts: str) -> None:
        if name == "thead":
            self._into = self.heads
        elif name == "tr":
            self._end_row()
            self._row = []
        elif name in ("td", "th") and self._row is not None:
            self._end_cell()
            spans = {way: int(number) for way, number in _SPAN.findall(facts)}
            self._wide, self._high = spans.get("col", 1), spans.get("row", 1)
            self._text = []
        elif name == "p" and self._after and not self.says:
            self._text = []
        elif name == "br" and self._text is not None:
            self._text.append(" ")

    def _end(self, name: str) -> None:
        if name in ("td", "th"):
            self._end_cell()
        elif name in ("tr", "thead", "tbody", "table"):
            self._end_row()
            if name == "thead":
                self._into = self.rows
                self._spans.clear()
            self._after |= name == "table"
        elif name == "p" and self._text is not None and self._row is None:
            self.says, self._text = self._words(), None

    def _words(self) -> str:
        words = " ".join(unescape("".join(self._text or ())).split())
        return words if len(words) <= WIDTH else words[: WIDTH - 1] + CUT

    def _end_cell(self) -> None:
        if self._row is None or self._text is None:
            return
        self._fill(self._row)
        for place in range(self._wide):
            if self._high > 1:
                self._spans[len(self._row)] = self._high - 1
            self._row.append("" if place else self._words())
        self._text = None

    def _fill(self, row: list[str]) -> None:
        while self._spans.get(len(row), 0) > 0:
            self._spans[len(row)] -= 1
            row.append("")

    def _end_row(self) -> None:
        self._end_cell()
        if self._row is not None:
            self._fill(self._row)
            if self._row:
                self._into.append(self._row)
        self._row = None


def _after(html: str, end: str, place: int) -> int:
    """Where what ends so has ended; without an end it goes on to the end of all."""
    start = html.find(end, place)
    return len(html) if start < 0 else start + len(end) * (end == "-->")
