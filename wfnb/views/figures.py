"""a figure of a step and its bytes -> what shows it: JSON for a page, a part of a report."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

from wfnb.core.kept_values import size_said
from wfnb.core.session import Step
from wfnb.core.shown_figures import IMAGES, MAX_FIGURE_BYTES, MAX_FIGURES, Figure
from wfnb.render.document import Part, image, quiet, table
from wfnb.render.text.html_table_reader import COLUMNS, ROWS, TableText
from wfnb.render.text.tables import html_table, markdown_table

Read = Callable[[Figure], bytes | None]
"""The bytes of a figure; None where they are not there any more."""
GONE = "a figure that is not kept any more"


def table_bytes(text_table: TableText) -> bytes:
    """A table, as it is kept."""
    return json.dumps(text_table._asdict(), ensure_ascii=False).encode(errors="replace")


def table_of(data: bytes) -> TableText | None:
    """A table that was kept; None for bytes that are none."""
    try:
        fields = json.loads(data)
        heads, rows, says = fields["heads"], fields["rows"], fields["says"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    width = len(heads) if isinstance(heads, list) else 0
    lists = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
    if not lists or not 0 < width <= COLUMNS or len(rows) > ROWS:
        return None
    texts = [*heads, *(cell for row in rows for cell in row), says]
    if any(len(row) != width for row in rows) or not all(isinstance(one, str) for one in texts):
        return None
    return TableText(heads, rows, says)


def figure_data(figure: Figure, data: bytes | None) -> dict[str, Any] | None:
    """What a page shows it by; None where there is nothing to show."""
    if data is None:
        return None
    if figure.form in IMAGES:
        return {"form": figure.form, "data": b64encode(data).decode()}
    text_table = table_of(data)
    return None if text_table is None else {"form": figure.form, **text_table._asdict()}


def left_out(step: Step) -> str:
    """Of what it showed, what is not kept, in words; "" where all is."""
    more = step.ended.figures_left if step.ended else 0
    if not more:
        return ""
    count, size = f"{more} more figure{'s' * (more != 1)}", size_said(MAX_FIGURE_BYTES)
    return f"{count}: at most {MAX_FIGURES} of a step are kept, of at most {size} each"


class FigureRoom:
    """The figures of a report, as long as there is room for them."""

    def __init__(self, read: Read | None, room: int) -> None:
        self._read = read
        self._room = self._left = room

    def afresh(self) -> FigureRoom:
        """The same for another form of the report: with all the room."""
        return FigureRoom(self._read, self._room)

    def parts(self, step: Step) -> Iterator[Part]:
        """What the step showed, as it ended last."""
        for place, figure in enumerate(step.ended.figures if step.ended else (), 1):
            if self._read is None:
                return
            data = self._read(figure)
            yield self._part(figure, data, f"figure {place} of step {step.number}")
        if self._read is not None and (more := left_out(step)):
            yield quiet(more)

    def _part(self, figure: Figure, data: bytes | None, says: str) -> Part:
        if data is None:
            return quiet(GONE)
        if figure.form in IMAGES:
            if len(data) > self._left:
                return quiet(f"{says} is left out: a report holds {size_said(self._room)} of them")
            self._left -= len(data)
            return image(figure.form, data, says)
        text_table = table_of(data)
        return quiet(GONE) if text_table is None else table(_Shown(text_table))


class _Shown:
    def __init__(self, text_table: TableText) -> None:
        self._found = text_table

    @property
    def html(self) -> str:
        return html_table(self._found.heads, self._found.rows)

    @property
    def markdown(self) -> str:
        return markdown_table(self._found.heads, self._found.rows)
