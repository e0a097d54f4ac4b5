"""the principle of a line, and the steps after it -> where it was applied."""

from __future__ import annotations

from wfnb.errors import spoken

from .ledger import Ledger, counting_steps
from .queries import stage_of
from .session import Line, Session
from .validation import first_line

FIELD = "general_principle"


def ledger(session: Session, line: Line) -> Ledger | None:
    """The principle that was named last, and a row for each step that rests on it: those of stages
    that show the ledger, but the last."""
    steps = counting_steps(session, line)
    named = [step for step in steps if step.current.fields.get(FIELD) not in (None, "")]
    if not named:
        return None
    principle = named[-1]
    applied = [
        (spoken(step.current.stage or ""), step.number, first_line(step.current.description))
        for step in steps
        if step.number > principle.number
        and step.is_done
        and (stage := stage_of(session, step)) is not None
        and stage.effect == "show-ledger"
        and stage.next
    ]
    return Ledger(
        title="principle",
        heads=("", "step", "what"),
        rows=(("principle", principle.number, principle.current.fields[FIELD]), *applied),
        lacks=() if applied else ("the principle is applied nowhere",),
    )
