"""session, a step of an investigation -> how many steps its kind plans, and what to say of it."""

from __future__ import annotations

from collections.abc import Mapping

from wfnb.core import validation
from wfnb.core.commands import AddStep
from wfnb.core.events import Json
from wfnb.core.session import Line, Session, Step
from wfnb.frozen_record import record
from wfnb.hints import Option

from .finding_parser import models
from .investigation import investigation_of
from .kind import Kind
from .requirements import Standing, floor, turn
from .step_estimate import Estimate, estimate


@record
class StepToPlan:
    """A step of an investigation that is being recorded, new or said again."""

    line: Line
    number: int
    command: AddStep
    level: str
    """Its level of confidence."""
    fields: Mapping[str, Json]
    """The kind's, as they hold with it."""
    old_total: int | None
    """Of a step that is said again, the total that it had: with other models it is another."""
    withdrawing: Mapping[int, Step]
    """The steps that are about to be withdrawn for it, by key."""
    returning: bool
    """It was withdrawn, and counts again."""


@record
class StepPlan:
    """`total` is the number of steps that the kind plans; None where the total stays, or the step
    gives it. `notes` are what to say of it."""

    total: int | None = None
    notes: tuple[str, ...] = ()


def plan_steps(session: Session, step: StepToPlan) -> StepPlan:
    """By the rule of the session's kind: a step for each file or model that a field names, the
    number that the step gives if it is enough, else the total there is, else an estimate."""
    now = investigation_of(session)
    if now is None:
        return StepPlan()
    kind, rule, number = now.kind, now.kind.total, step.number
    own_number = turn(session, step.line, number, step.withdrawing)
    before = number - own_number  # steps of the line that are none of the investigation
    if rule.count is not None and rule.count in step.fields:
        # A total by rule is worked out anew with each step: what was asked for comes on top of it.
        extra = sum(extension.new_total - extension.old_total for extension in now.extended)
        return _one_for_each(step, kind, rule.count, before + extra)
    guess = estimate(step.command.description, kind)
    least = floor(
        Standing(
            kind=kind, turn=own_number, total=guess.total, level=step.level, fields=step.fields
        )
    )
    if step.command.total is not None:
        least = rule.usual if rule.rule == "fixed" else least
        if validation.whole("total_steps", step.command.total) >= before + least:
            return StepPlan()
        note = f"{kind.name} takes {least} steps at least: {before + least} are planned"
        return StepPlan(total=before + least, notes=(note,))
    if session.total is None:
        return StepPlan(total=before + max(guess.total, least), notes=_estimate_note(guess, kind))
    used = sum(other.branch == step.line.id for other in step.withdrawing.values())
    used -= 1 if step.returning else 0
    # What is withdrawn has used up steps of the total, and is replaced.
    return StepPlan(total=max(session.total + used, number) if used else None)


def _one_for_each(step: StepToPlan, kind: Kind, field: str, others: int) -> StepPlan:
    """One step and one for each file that the field counts, or one for each of its models;
    `others` are beside these."""
    if kind.total.rule == "files":
        return StepPlan(total=others + 1 + parse_count(field, step.fields[field]))
    total = others + len(models(step.fields[field]))
    if step.command.total in (None, step.old_total, total):
        return StepPlan(total=total)
    note = f"{kind.name} takes a step for each model: {total} are planned"
    return StepPlan(total=total, notes=(note,))


def _estimate_note(guess: Estimate, kind: Kind) -> tuple[str, ...]:
    """Nothing of a number that is the usual one."""
    if guess.total == kind.total.usual:
        return ()
    why = f"{kind.total.usual} are usual; {', '.join(guess.why)}"
    other = f"{Option('total')} says another number"
    return (f"{kind.name}: estimated {guess.total} steps ({why}); {other}",)


def parse_count(name: str, value: Json) -> int:
    """A field that counts: a whole number from 0, else BadValue."""
    return 0 if str(value).strip() == "0" else validation.whole(f"field {name!r}", value)
