"""heads and rows of plain strings -> a table as HTML, as Markdown and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from . import escape
from .measure import columns

Rows = Sequence[Sequence[str]]
Places = Set[tuple[int, int]]  # row, column; the heads are no row, the names are column 0
NOWHERE: Places = frozenset()

_CELL = "padding:3px 10px 3px 0;text-align:left;vertical-align:top;overflow-wrap:anywhere"
_FIRM = ";white-space:nowrap"
_LINE = "border-bottom:1px solid var(--jp-border-color2,rgba(128,128,128,.35))"


def html_table(
    heads: Sequence[str], rows: Rows, best: Places = NOWHERE, firm: Set[int] = frozenset()
) -> str:
    """The first column names the row. The best cells are bold. The columns in `firm` are not
    broken, however little room there is."""
    return "".join(_html(heads, rows, best, firm))


def _html(heads: Sequence[str], rows: Rows, best: Places, firm: Set[int]) -> Iterator[str]:
    yield (
        '<table class="wfnb-table" style="border-collapse:collapse;font-family:var('
        "--jp-ui-font-family,system-ui,sans-serif);font-size:13px;"
        'font-variant-numeric:tabular-nums;margin:0;text-align:left"><thead><tr>'
    )
    looks = [_CELL + _FIRM * (column in firm) for column in range(len(heads))]
    for head, look in zip(heads, looks, strict=True):
        yield f'<th scope="col" style="{look};{_LINE};font-weight:600">{escape.html(head)}</th>'
    yield "</tr></thead><tbody>"
    for row, (name, *cells) in enumerate(rows):
        yield (
            f'<tr style="background:none"><th scope="row" style="{_CELL};{_LINE};font-weight:400;'
            f'opacity:.72;white-space:nowrap">{escape.html(name)}</th>'
        )
        for column, cell in enumerate(cells, 1):
            shown = escape.html(cell)
            shown = f"<b>{shown}</b>" if (row, column) in best else shown
            yield f'<td style="{looks[column]};{_LINE}">{shown}</td>'
        yield "</tr>"
    yield "</tbody></table>"


def text_table(heads: Sequence[str], rows: Rows, best: Places = NOWHERE) -> str:
    """Aligned by the columns of a terminal; a cell of several lines is folded into one.
    The best cells are followed by a star, which the last line explains.

    >>> print(text_table(("", "main"), [("steps", "4")]))
           main
    steps  4
    >>> print(text_table(("", "main", "alt"), [("rmse", "4", "2")], {(0, 2)}))
          main  alt
    rmse  4     2 *
    * best
    """
    table = [[escape.line(head) for head in heads]] + [
        [escape.line(cell) + " *" * ((number, column) in best) for column, cell in enumerate(row)]
        for number, row in enumerate(rows)
    ]
    widths = [max(columns(row[index]) for row in table) for index in range(len(heads))]
    lines = (
        "  ".join(
            cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    )
    return "\n".join([*lines, "* best"] if best else lines)


def markdown_table(heads: Sequence[str], rows: Rows, best: Places = NOWHERE) -> str:
    """A table of GitHub's Markdown; the best cells are bold."""
    return "\n".join(
        "| " + " | ".join(cells) + " |"
        for cells in (
            [escape.markdown(head) or " " for head in heads],
            ["---"] * len(heads),
            *(
                [_marked(cell, (number, column) in best) for column, cell in enumerate(row)]
                for number, row in enumerate(rows)
            ),
        )
    )


def _marked(cell: str, best: bool) -> str:
    shown = escape.markdown(cell)
    return f"**{shown}**" if best else shown
