"""session, a step of an investigation -> how many steps its kind plans, and what to say of it."""

from __future__ import annotations

from collections.abc import Mapping

from wfnb.core import validation
from wfnb.core.commands import AddStep
from wfnb.core.events import Json
from wfnb.core.findings import Findings
from wfnb.core.session import Line, Session, Step
from wfnb.hints import Option

from .finding_parser import models
from .investigation import investigation_of
from .kind import Kind
from .requirements import NONE, Standing, floor, turn
from .step_estimate import Estimate, estimate


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
    now = investigation_of(session)
    if now is None:
        return None, ()
    kind, rule, at = now.kind, now.kind.total, turn(session, line, number, gone)
    # A total by rule is worked out anew with each step, and what was asked for comes on top of it.
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
    other = f"{Option('total')} says another number"
    return (f"{kind.name}: estimated {guess.total} steps ({why}); {other}",)


def count(name: str, value: Json) -> int:
    """A field that counts: a whole number from 0, else BadValue."""
    return 0 if str(value).strip() == "0" else validation.whole(f"field {name!r}", value)
