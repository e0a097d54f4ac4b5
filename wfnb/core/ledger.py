"""what a strategy keeps of the steps of a line: a table, and what the answer still lacks."""

from __future__ import annotations

from typing import Any

from wfnb.frozen_record import record

from .queries import line_steps
from .session import Line, Session, Step


@record
class Ledger:
    """`rows` hold values as they were recorded; the first column names the row. `lacks` are
    clauses: "question 2 is open"."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    lacks: tuple[str, ...] = ()


def counting_steps(session: Session, line: Line, below: int | None = None) -> list[Step]:
    """The line's steps that count, inherited ones first; those of a number `below` another."""
    steps = line_steps(session, line)
    return [step for step in steps if step.is_counting and (below is None or step.number < below)]
