"""session -> the table of what its strategy keeps of a line's steps, as it is sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wfnb.core.session import Session
from wfnb.core.strategy_ledgers import ledger
from wfnb.render.text import escape
from wfnb.render.text.text_width import cut
from wfnb.views.step_words import ledger_fields

MAX_ROWS = 100
"""Rows that are sent, the last ones."""

_CELL = 32
"""Columns of a cell: a panel is narrow."""


def strategy_table(session: Session, line: str) -> dict[str, Any] | None:
    """None where nothing is kept, or not yet. It takes the time of the line's steps."""
    strategy_ledger = ledger(session, session.lines[line])
    if strategy_ledger is None:
        return None
    fields = ledger_fields(replace(strategy_ledger, rows=strategy_ledger.rows[-MAX_ROWS:]))
    rows = [[cut(escape.line(cell), _CELL) for cell in row] for row in fields["rows"]]
    return {**fields, "heads": [*map(escape.line, fields["heads"])], "rows": rows}
