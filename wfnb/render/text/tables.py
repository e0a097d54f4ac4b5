"""heads and rows of plain strings -> a table as HTML, as Markdown and as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set

from . import escape
from .text_width import columns

Rows = Sequence[Sequence[str]]
Places = Set[tuple[int, int]]  # row, column; the heads are no row, the names are column 0
Form = Callable[[str], str]
NOWHERE: Places = frozenset()

_CELL = "padding:3px 10px 3px 0;text-align:left;vertical-align:top"
_FIRM = ";white-space:nowrap"
_ONE = re.compile(r"\s*([^\w\s]\s+)?\S*\s*")
"""A word, perhaps with a sign before it."""
_LONG = re.compile(r"\S{25}")
"""A word that takes too much of a table's width."""
_MANY = 25
"""Letters of a cell whose column may be narrowed, but not to a word a line."""
# On the row, where it is stored once, and not in each of its cells.
_LINE = "border-bottom:1px solid var(--jp-border-color2,rgba(128,128,128,.35))"


def html_table(
    heads: Sequence[str],
    rows: Rows,
    best: Places = NOWHERE,
    firm: Set[int] = frozenset(),
    form: Form = escape.html,
) -> str:
    """The first column names the row. The best cells are bold. The columns in `firm` are not
    broken, however little room there is; nor is a word, unless it is long. `form` escapes."""
    return "".join(_html(heads, rows, best, firm, form))


def _html(
    heads: Sequence[str], rows: Rows, best: Places, firm: Set[int], form: Form
) -> Iterator[str]:
    yield (
        '<table class="wfnb-table" style="table-layout:auto;border-collapse:collapse;font-family:'
        "var(--jp-ui-font-family,system-ui,sans-serif);font-size:13px;"
        'font-variant-numeric:tabular-nums;margin:0;text-align:left"><thead><tr style="'
        f'{_LINE}">'
    )
    for column, head in enumerate(heads):
        look = _look(head, column in firm)
        yield f'<th scope="col" style="{look};font-weight:600">{escape.html(head)}</th>'
    yield "</tr></thead><tbody>"
    for row, (name, *cells) in enumerate(rows):
        yield (
            f'<tr style="background:none;{_LINE}"><th scope="row" style="{_look(name, True)};'
            f'font-weight:400;opacity:.72">{escape.html(name)}</th>'
        )
        for column, cell in enumerate(cells, 1):
            shown = form(cell)
            shown = f"<b>{shown}</b>" if (row, column) in best else shown
            yield f'<td style="{_look(cell, column in firm)}">{shown}</td>'
        yield "</tr>"
    yield "</tbody></table>"


def _look(cell: str, firm: bool) -> str:
    """A word keeps together, a dash or a slash in it does not part it, nor is it parted from its
    sign (`◌ stale`). A long one is broken where the room ends."""
    if firm and not _LONG.search(cell):
        return _CELL + _FIRM
    if len(cell) >= _MANY:
        return f"{_CELL};overflow-wrap:anywhere;min-width:10em"
    return _CELL + _FIRM * (_ONE.fullmatch(cell) is not None)


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


def markdown_table(
    heads: Sequence[str], rows: Rows, best: Places = NOWHERE, form: Form = escape.markdown
) -> str:
    """A table of GitHub's Markdown; the best cells are bold. `form` escapes."""
    return "\n".join(
        "| " + " | ".join(cells) + " |"
        for cells in (
            [escape.markdown(head) or " " for head in heads],
            ["---"] * len(heads),
            *(
                [
                    _mark_best(form(cell), (number, column) in best)
                    for column, cell in enumerate(row)
                ]
                for number, row in enumerate(rows)
            ),
        )
    )


def _mark_best(shown: str, best: bool) -> str:
    return f"**{shown}**" if best else shown
