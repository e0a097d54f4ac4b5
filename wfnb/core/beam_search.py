"""the branches of a session with their scores -> which go on, and which are pruned.

The field `beam` of a step that selects says how many of the best go on; one, where it says nothing.
"""

from __future__ import annotations

from .ledger import Ledger
from .session import Line, Session

FIELD = "beam"


def ranked(session: Session) -> list[Line]:
    """The branches that have a score and are in play, the best first; of equals the older first."""
    scored = [
        line
        for line in session.lines.values()
        if line.score is not None and line.state in ("open", "selected")
    ]
    return sorted(scored, key=lambda line: -(line.score or 0.0))


def ledger(session: Session, line: Line) -> Ledger | None:
    """A row a branch: its score, and what became of it."""
    branches = [each for each in session.lines.values() if each.parent is not None]
    if not branches:
        return None
    branches.sort(key=lambda each: (each.score is None, -(each.score or 0.0)))
    return Ledger(
        title="beam",
        heads=("branch", "score", "so far"),
        rows=tuple((each.id, each.score, _fate(session, each)) for each in branches),
    )


def _fate(session: Session, line: Line) -> str:
    if line.is_chosen:
        return "selected"
    if line.id in session.passed_over:
        return "pruned"
    return "in play" if line.score is not None else "not scored"
