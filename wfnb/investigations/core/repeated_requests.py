"""session, a cell -> whether it asked for the same before, so that it changes nothing when it runs
again."""

from __future__ import annotations

from collections.abc import Sequence

from wfnb.core.events import Cell
from wfnb.core.session import Session

from .investigation import InvestigationState, state_of


def ask(state: InvestigationState, position: int, cell: Cell | None, what: str) -> None:
    """A cell asked for something that it asks for once."""
    if cell is not None:
        state.requests[cell.id, cell.source, what] = position


def was_requested(session: Session, cell: Cell | None, what: str, opened: int) -> bool:
    """Whether the cell asked for it before. Without a cell's id: whether one of the same source did
    before this process opened the session."""
    if cell is None:
        return False
    known = state_of(session).requests.get((cell.id, cell.source, what))
    # Without an id two cells may be alike, so only what another process recorded is this cell's.
    return known is not None and (cell.id is not None or known <= opened)


def advice_request(names: Sequence[str]) -> str:
    """What a cell asks for that asks advisers; none named: those who are to be asked."""
    return f"advise {' '.join(names)}"


def backtrack_request(branch: str, number: int) -> str:
    """What a cell asks for that withdraws a step."""
    return f"backtrack {branch}:{number}"
