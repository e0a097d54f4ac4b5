"""what a strategy keeps -> the fields that it fills in, and its ledger: one table of the kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import (
    beam_search,
    planned_calls,
    principle_ledger,
    state_ledger,
    subquestions,
    turn_ledger,
    vote_tally,
)
from .ledger import Ledger, counting_steps
from .session import Line, Session, Step
from .strategy import Keeps, Stage

Fill = Callable[
    [Sequence[Step], Mapping[str, Any], Mapping[str, str], str], tuple[dict[str, Any], list[str]]
]
LEDGERS: Mapping[Keeps, Callable[[Session, Line], Ledger | None]] = {
    "evidence": planned_calls.ledger,
    "rounds": state_ledger.ledger,
    "questions": subquestions.ledger,
    "votes": vote_tally.ledger,
    "beam": beam_search.ledger,
    "principle": principle_ledger.ledger,
    "turns": turn_ledger.ledger,
}
_FILLS: Mapping[Keeps, Fill] = {
    "evidence": planned_calls.check_plan,
    "rounds": state_ledger.keep_state,
    "questions": subquestions.number_question,
}


def ledger(session: Session, line: Line) -> Ledger | None:
    """What the session's strategy keeps of the line's steps; None: nothing, or not yet."""
    strategy = session.strategy
    keeps = None if strategy is None else strategy.keeps
    return None if keeps is None else LEDGERS[keeps](session, line)


def fill_fields(
    session: Session,
    line: Line,
    number: int,
    stage: Stage,
    fields: Mapping[str, Any],
    words: str,
) -> tuple[dict[str, Any], list[str]]:
    """The fields of step `number`, which says `words`, with what its strategy knows from the steps
    before, and what to say of them. Raises BadValue for what the strategy cannot keep."""
    strategy = session.strategy
    fill = _FILLS.get(strategy.keeps) if strategy and strategy.keeps else None
    if fill is None:
        return dict(fields), []
    return fill(counting_steps(session, line, below=number), fields, stage.fields, words)
