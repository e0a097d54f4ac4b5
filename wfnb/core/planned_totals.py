"""session, a step's number and what it says -> how many steps are planned, and if more follow."""

from __future__ import annotations

from . import validation
from .commands import AddStep
from .session import Session, Step


def totals(
    session: Session,
    number: int,
    command: AddStep,
    planned: int | None = None,
    known: Step | None = None,
) -> tuple[int, bool, list[str]]:
    """total_steps, next_step_needed and what to say of them (rule 1 and the option table).
    `planned` is the total where the step says none and something else than the session does;
    `known` is the step as it was, where it is one again."""
    given = None if command.total is None else validation.whole("total_steps", command.total)
    total = given or max(planned or session.total or number, number)
    warnings = []
    if total < number:
        warnings = [f"total_steps was {total}, below step {number}: it is {number} now"]
        total = number
    needed = command.next_step_needed
    if needed is None:
        unsaid = given is None and planned is None
        beyond = session.total is None or number > session.total or _went_beyond(known)
        needed = (unsaid and beyond) or number < total
    return total, needed, warnings


def _went_beyond(known: Step | None) -> bool:
    """Whether the step went on beyond the estimate, and so raised it to its own number."""
    now = None if known is None else known.current
    return (
        now is not None
        and now.next_step_needed
        and now.number == now.total
        and not (now.total_given or now.declared)
    )
