"""session, a step's number and what it says -> how many steps are planned, and if more follow."""

from __future__ import annotations

from collections.abc import Mapping

from . import validation
from .commands import AddStep
from .estimate import Estimate, estimate
from .findings import Findings, Json, models
from .kind import Kind
from .requirements import NONE, Standing, floor, turn
from .session import Line, Session, Step


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


def planned_total(
    session: Session,
    line: Line,
    number: int,
    command: AddStep,
    says: Findings,
    said: Mapping[str, Json],
    before: int | None = None,
    gone: Mapping[int, Step] = NONE,
    again: bool = False,
) -> tuple[int | None, tuple[str, ...]]:
    """The total that the rule of the session's kind gives, and what to say of it; None: the one
    there is, or that the step says. `said` are the kind's fields as they hold; `before` is the
    total that a step had which is said again: with other models it is another. `gone` are steps
    that are about to be withdrawn, by key; `again`: the step was withdrawn, and counts again."""
    now = session.investigation
    if now is None:
        return None, ()
    kind, rule, at = now.kind, now.kind.total, turn(session, line, number, gone)
    extended = sum(more.new_total - more.old_total for more in now.extended)
    if rule.count is not None and rule.count in said:
        if rule.rule == "files":
            return number - at + 1 + count(rule.count, said[rule.count]) + extended, ()
        total = number - at + len(models(said[rule.count])) + extended
        if command.total in (None, before, total):
            return total, ()
        return total, (f"{kind.name} takes a step for each model: {total} are planned",)
    guess = estimate(command.description, kind)
    level = says.confidence or kind.confidence.default
    stands = Standing(kind=kind, turn=at, total=guess.total, level=level, fields=said)
    least = floor(stands)
    if command.total is not None:
        least = rule.usual if rule.rule == "fixed" else least
        low = number - at + least
        if validation.whole("total_steps", command.total) >= low:
            return None, ()
        return low, (f"{kind.name} takes {least} steps at least: {low} are planned",)
    if session.total is not None:
        moved = sum(step.branch == line.id for step in gone.values()) - again
        return (max(session.total + moved, number) if moved else None), ()
    return number - at + max(guess.total, least), _estimate_note(guess, kind)


def _estimate_note(guess: Estimate, kind: Kind) -> tuple[str, ...]:
    """Nothing of a number that is the usual one."""
    if guess.total == kind.total.usual:
        return ()
    why = f"{kind.total.usual} are usual; {', '.join(guess.why)}"
    return (f"{kind.name}: estimated {guess.total} steps ({why}); --total says another number",)


def count(name: str, value: Json) -> int:
    """A field that counts: a whole number from 0, else BadValue."""
    return 0 if str(value).strip() == "0" else validation.whole(f"field {name!r}", value)
