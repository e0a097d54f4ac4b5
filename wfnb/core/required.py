"""session, step -> what an investigation asks for after it: its status, actions, and the pause."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TypeVar

from .findings import Findings, Json, Look
from .found import counts, news
from .investigation import Found, Investigation
from .kind import Action, Kind, Rule, Status, When
from .questions import lineage
from .record import record
from .session import Line, Session, Step

_Ruled = TypeVar("_Ruled", Rule, Status)


@record
class Standing:
    """Where a step stands: its own number in the investigation, how many are planned, its level of
    confidence, and the kind's fields as they were said last."""

    kind: Kind
    turn: int
    total: int
    level: str
    fields: Mapping[str, Json]


@record
class Pause:
    """The step after which something has to be looked at, and what."""

    step: Step
    status: str
    actions: tuple[Action, ...]


def turn(session: Session, line: Line, number: int) -> int:
    """Step `number` of the line, counted from the one at which the kind was chosen: 1 is the
    first."""
    return max(1, number - _base(session, line))


def earlier(session: Session, line: Line, number: int) -> bool:
    """Whether step `number` of the line is from before the kind was chosen."""
    return number <= _base(session, line)


def _base(session: Session, line: Line) -> int:
    """The number of the line's last step of before the kind was chosen. A line that was opened
    since goes on from the step that it left."""
    now = session.investigation
    bases = {} if now is None else now.bases
    lines = lineage(session, line)
    return next((min(bases[part.id], upto) for part, upto in lines if part.id in bases), 0)


def standing(session: Session, step: Step) -> Standing | None:
    """None for a step that is none of the investigation that is on."""
    now = session.investigation
    if now is None or step.counted is None or step.counted.since != now.since:
        return None
    says = step.now.findings
    line = session.lines[step.branch]
    return Standing(
        kind=now.kind,
        turn=turn(session, line, step.number),
        total=turn(session, line, max(session.total or step.now.total, step.number)),
        level=level(now.kind, None if says is None else says.confidence),
        fields=fields(now),
    )


def level(kind: Kind, said: str | None) -> str:
    """A level of the kind's scale: the one said before, where this kind has it."""
    return said if said in kind.confidence.levels and said else kind.confidence.default


def fields(
    now: Investigation,
    said: Mapping[str, Json] | None = None,
    before: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """The kind's fields: as said now, else as said before (None: as the session knows), else their
    defaults."""
    asked = now.kind.fields
    defaults = {n: field.default for n, field in asked.items() if field.default is not None}
    told = {name: value for name, value in (said or {}).items() if name in asked}
    return {**defaults, **(now.fields if before is None else before), **told}


def holds(when: When, at: Standing) -> bool:
    """Whether all that the rule says is so."""
    first, last = when.steps
    return (
        first <= at.turn
        and (last is None or at.turn <= last)
        and at.total >= when.total
        and when.end in (None, at.turn >= at.total)
        and (not when.confidence or at.level in when.confidence)
        and all(str(at.fields.get(name)) == value for name, value in when.fields.items())
    )


def first(rules: Sequence[_Ruled], at: Standing) -> _Ruled:
    """The first rule that holds. The last of a kind's rules always does."""
    return next((rule for rule in rules if holds(rule.when, at)), rules[-1])


def rule(at: Standing) -> Rule:
    """The rule that says what is to be looked at after the step."""
    return first(at.kind.actions, at)


def status(at: Standing, ended: bool) -> str:
    return first(at.kind.complete if ended else at.kind.pauses, at).status


def actions(session: Session, step: Step) -> tuple[Action, ...]:
    """What is to be looked at after the step; none outside an investigation."""
    at = standing(session, step)
    return () if at is None else rule(at).do


def ticked(
    asked: Sequence[Action], looks: Sequence[Look]
) -> tuple[tuple[Action, Look | None], ...]:
    """Each action with what ticks it: a look ticks the first that is open and takes it, and no
    other."""
    found: dict[int, Look] = {}
    for look in looks:
        at = (index for index, each in enumerate(asked) if index not in found and _by(each, look))
        if (index := next(at, None)) is not None:
            found[index] = look
    return tuple((each, found.get(index)) for index, each in enumerate(asked))


def _by(action: Action, look: Look) -> bool:
    """`git:staged` takes looks of git whose name begins so."""
    ways = (by.partition(":") for by in action.by)
    return any(kind == look.kind and look.what.startswith(begin) for kind, _, begin in ways)


def awaited(session: Session) -> Step | None:
    """The step after which the next one is awaited: the last new one, where it counts and does not
    end its line."""
    now = session.investigation
    step = session.steps.get(now.awaiting) if now is not None and now.awaiting is not None else None
    if step is None or not step.now.next_step_needed or not counts(session, step):
        return None
    return step


def paused(
    session: Session,
    wanted: bool | None,
    says: Findings,
    found: Found,
    but: Container[int] = (),
) -> Pause | None:
    """Why a new step that found this has to wait; None: it need not. `wanted`: whether it may be
    made to wait (None: as the session says). `found` is what was found before it, without the
    steps whose keys are in `but`: it withdraws them."""
    now = session.investigation
    if now is None or not now.kind.paused or not (now.pause if wanted is None else wanted):
        return None
    step = awaited(session)
    if step is None or step.key in but or now.looks or news(found, says):
        return None
    at = standing(session, step)
    if at is None:
        return None
    return Pause(step=step, status=status(at, ended=False), actions=rule(at).do)
