"""session, a step's number and what it says -> how many steps are planned, and if more follow."""

from __future__ import annotations

from collections.abc import Mapping

from wfnb.errors import BadValue

from . import values
from .commands import AddStep
from .estimate import estimate
from .findings import Findings, Json, models
from .required import Standing, holds, turn
from .session import Line, Session


def totals(
    session: Session, number: int, command: AddStep, planned: int | None = None
) -> tuple[int, bool, list[str]]:
    """total_steps, next_step_needed and what to say of them (rule 1 and the option table).
    `planned` is the total where the step says none and something else than the session does."""
    given = None if command.total is None else values.whole("total_steps", command.total)
    total = given or max(planned or session.total or number, number)
    warnings = []
    if total < number:
        warnings = [f"total_steps was {total}, below step {number}: it is {number} now"]
        total = number
    needed = command.next_step_needed
    if needed is None:
        never_given = given is None and planned is None and session.total is None
        needed = never_given or number < total
    return total, needed, warnings


def planned(
    session: Session,
    line: Line,
    number: int,
    command: AddStep,
    says: Findings,
    said: Mapping[str, Json],
    before: int | None = None,
) -> tuple[int | None, tuple[str, ...]]:
    """The total that the rule of the session's kind gives, and what to say of it; None: the one
    there is, or that the step says. `said` are the kind's fields as they hold; `before` is the
    total that a step had which is said again: with other models it is another."""
    now = session.investigation
    if now is None:
        return None, ()
    kind, rule, at = now.kind, now.kind.total, turn(session, line, number)
    extended = sum(more.new_total - more.old_total for more in now.extended)
    if rule.count is not None and rule.count in said:
        if rule.rule == "files":
            return number - at + 1 + count(rule.count, said[rule.count]) + extended, ()
        total = number - at + len(models(said[rule.count])) + extended
        if command.total not in (None, before, total):
            raise BadValue("total_steps", str(command.total), f"{total}: one for each model")
        return total, ()
    if command.total is not None or session.total is not None:
        return None, ()
    guess = estimate(command.description, kind)
    level = says.confidence or kind.confidence.default
    stands = Standing(kind=kind, turn=at, total=guess.total, level=level, fields=said)
    steps = max(guess.total, rule.least if holds(rule.when, stands) else 1)
    how = f"{steps} steps are usual"
    if rule.rule != "estimate":
        how = f"{steps} steps belong to it"
    elif guess.why:
        how = f"estimated {steps} steps ({rule.usual} are usual; {', '.join(guess.why)})"
    return number - at + steps, (f"{kind.name}: {how}; --total says another number",)


def count(name: str, value: Json) -> int:
    """A field that counts: a whole number from 0, else BadValue."""
    return 0 if str(value).strip() == "0" else values.whole(f"field {name!r}", value)
