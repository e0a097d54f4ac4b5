"""heads and rows of plain strings -> a table as HTML, as Markdown and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import escape
from .measure import columns

Rows = Sequence[Sequence[str]]

_CELL = "padding:3px 10px 3px 0;text-align:left;vertical-align:top;overflow-wrap:anywhere"
_LINE = "border-bottom:1px solid var(--jp-border-color2,rgba(128,128,128,.35))"


def html_table(heads: Sequence[str], rows: Rows) -> str:
    """The first column names the row. A cell that ends in ` *` is the best of its row: bold."""
    return "".join(_html(heads, rows))


def _html(heads: Sequence[str], rows: Rows) -> Iterable[str]:
    yield (
        '<table class="wfnb-table" style="border-collapse:collapse;font-family:var('
        "--jp-ui-font-family,system-ui,sans-serif);font-size:13px;"
        'font-variant-numeric:tabular-nums;margin:0;text-align:left"><thead><tr>'
    )
    for head in heads:
        yield f'<th scope="col" style="{_CELL};{_LINE};font-weight:600">{escape.html(head)}</th>'
    yield "</tr></thead><tbody>"
    for name, *cells in rows:
        yield (
            f'<tr style="background:none"><th scope="row" style="{_CELL};{_LINE};font-weight:400;'
            f'opacity:.72;white-space:nowrap">{escape.html(name)}</th>'
        )
        for cell in cells:
            best = cell.endswith(" *")
            shown = escape.html(cell.removesuffix(" *"))
            yield f'<td style="{_CELL};{_LINE}">{f"<b>{shown}</b>" if best else shown}</td>'
        yield "</tr>"
    yield "</tbody></table>"


def text_table(heads: Sequence[str], rows: Rows) -> str:
    """Aligned by the columns of a terminal; a cell of several lines is folded into one.

    >>> print(text_table(("", "main"), [("steps", "4")]))
           main
    steps  4
    """
    table = [[escape.line(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(columns(row[index]) for row in table) for index in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    )


def markdown_table(heads: Sequence[str], rows: Rows) -> str:
    """A table of GitHub's Markdown; a cell that ends in ` *` is bold."""
    return "\n".join(
        "| " + " | ".join(cells) + " |"
        for cells in (
            [escape.markdown(head) or " " for head in heads],
            ["---"] * len(heads),
            *([_marked(cell) for cell in row] for row in rows),
        )
    )


def _marked(cell: str) -> str:
    shown = escape.markdown(cell.removesuffix(" *"))
    return f"**{shown}**" if cell.endswith(" *") else shown
