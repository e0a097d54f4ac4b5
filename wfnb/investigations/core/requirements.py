"""session, step -> what an investigation asks for after it: its status, actions, and the pause."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from wfnb.core.events import Json
from wfnb.core.findings import Findings, Look
from wfnb.core.queries import counting_head, lineage
from wfnb.core.session import Line, Session, Step
from wfnb.frozen_record import record

from .investigation import (
    FindingsIndex,
    Investigation,
    current_evidence,
    evidence_of,
    investigation_of,
    state_of,
)
from .kind import Action, Kind, Rule, RuleCondition, Status
from .missing_evidence import missing_evidence, missing_looks
from .reducer import counts, new_looks, news

_Ruled = TypeVar("_Ruled", Rule, Status)
NONE: Mapping[int, Step] = MappingProxyType({})
MIN_LOOKS = 1
"""Looks after which the next step need not wait, whatever else its list asks for."""


@record
class Standing:
    """Where a step stands in the investigation."""

    kind: Kind
    turn: int
    """Its own number in it."""
    total: int
    """How many steps are planned."""
    level: str
    """Its level of confidence."""
    fields: Mapping[str, Json]
    """The kind's, as they were said last."""
    issues: frozenset[str] = frozenset()
    """How severe the open ones are."""
    has_findings: bool = False
    """Whether anything was found."""
    unseen: bool = False
    """Whether a look that the kind asks for was not there."""
    proven: bool = False
    """Whether there is enough evidence."""


@record
class Pause:
    """The step after which something has to be looked at, and what."""

    step: Step
    status: str
    actions: tuple[Action, ...]


def turn(session: Session, line: Line, number: int, but: Mapping[int, Step] = NONE) -> int:
    """Step `number` of the line, counted from the one at which the kind was chosen: 1 is the
    first. What is withdrawn uses up none, nor what is in `but`, by key: it is about to be."""
    state = state_of(session)
    bases = {} if state.now is None else state.now.bases
    base, gone = 0, 0
    for part, upto in lineage(session, line, number - 1):
        # A branch that left before the kind was chosen has nothing of what its line had until then.
        base = min(bases.get(part.id, 0), upto)
        withdrawn = state.withdrawn.get(part.id, [])
        gone += bisect(withdrawn, upto) - bisect(withdrawn, min(base, upto))
        gone += sum(
            step.branch == part.id and base < step.number <= upto and not step.is_withdrawn
            for step in but.values()
        )
        if part.id in bases:
            break
    return max(1, number - base - gone)


def precedes_kind(session: Session, line: Line, number: int) -> bool:
    """Whether step `number` of the line is from before the kind was chosen."""
    return number <= _base(session, line)


def _base(session: Session, line: Line) -> int:
    """The number of the line's last step of before the kind was chosen. A line that was opened
    since goes on from the step that it left."""
    now = investigation_of(session)
    bases = {} if now is None else now.bases
    lines = lineage(session, line)
    return next((min(bases[part.id], upto) for part, upto in lines if part.id in bases), 0)


def standing(session: Session, step: Step) -> Standing | None:
    """None for a step that is none of the investigation that is on."""
    now = investigation_of(session)
    if now is None or current_evidence(session, step) is None:
        return None
    says = step.current.findings
    line = session.lines[step.branch]
    return Standing(
        kind=now.kind,
        turn=turn(session, line, step.number),
        total=turn(session, line, max(session.total or step.current.total, step.number)),
        level=level(now.kind, None if says is None else says.confidence),
        fields=fields(now),
        issues=severities(now.found),
        has_findings=bool(now.found.findings or now.found.relevant or now.found.issues),
        unseen=bool(missing_looks(session, now.found)),
        proven=not missing_evidence(session, now.found),
    )


def severities(found: FindingsIndex) -> frozenset[str]:
    """How severe the issues are that count."""
    return frozenset(found.severities)


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


def holds(when: RuleCondition, at: Standing) -> bool:
    """Whether all that the rule says is so."""
    first, last = when.steps
    return (
        first <= at.turn
        and (last is None or at.turn <= last)
        and at.total >= when.total
        and when.end in (None, at.turn >= at.total)
        and (when.left is None or at.total - at.turn <= when.left)
        and (not when.confidence or at.level in when.confidence)
        and when.found in (None, at.has_findings)
        and when.unseen in (None, at.unseen)
        and when.proven in (None, at.proven)
        and (not when.issues or not at.issues.isdisjoint(when.issues))
        and all(str(at.fields.get(name)) == value for name, value in when.fields.items())
    )


def first(rules: Sequence[_Ruled], at: Standing) -> _Ruled:
    """The first rule that holds. The last of a kind's rules always does."""
    return next((rule for rule in rules if holds(rule.when, at)), rules[-1])


def floor(at: Standing) -> int:
    """The least number of steps: no step before it ends early."""
    total = at.kind.total
    return total.least if holds(total.when, at) else 1


def rule(at: Standing) -> Rule:
    """The rule that says what is to be looked at after the step."""
    return first(at.kind.actions, at)


def status(at: Standing, ended: bool) -> str:
    return first(at.kind.complete if ended else at.kind.pauses, at).status


def actions(session: Session, step: Step) -> tuple[Action, ...]:
    """What is to be looked at after the step; none outside an investigation."""
    at = standing(session, step)
    return () if at is None else rule(at).do


def tick_actions(
    asked: Sequence[Action], looks: Sequence[Look]
) -> tuple[tuple[Action, Look | None], ...]:
    """Each action with what ticks it: a look ticks the first that is open, one that asks for it by
    its name before the others, and no other."""
    found: dict[int, Look] = {}
    for look in looks:
        open_still = [index for index in range(len(asked)) if index not in found]
        named = (index for index in open_still if _can_tick(asked[index], look, named=True))
        other = (index for index in open_still if _can_tick(asked[index], look, named=False))
        # The narrow ask first: a look that fits it must not be used up by one that takes any.
        index = next(named, None)
        if index is None and look.ticks == "any":
            index = next(other, None)
        if index is not None and look.ticks != "nothing":
            found[index] = look
    return tuple((each, found.get(index)) for index, each in enumerate(asked))


def _can_tick(action: Action, look: Look, named: bool) -> bool:
    """`git:staged` takes looks of git whose name begins so; `test` is what a cell or a tool did."""
    ways = (by.partition(":") for by in action.by)
    return any(
        way in (look.kind, *look.acts) and bool(begin) == named and look.what.startswith(begin)
        for way, _, begin in ways
    )


def last_attempt_failed(step: Step) -> bool:
    """Whether its last attempt failed or was interrupted: it is to be run again."""
    went = None if step.running is not None or step.outcome is None else step.outcome.status
    return went in ("failed", "interrupted")


def ends(step: Step) -> bool:
    """Whether its line ends with the step. One that failed ends nothing until it ran."""
    return not step.current.next_step_needed and not last_attempt_failed(step)


def awaiting_step(session: Session) -> Step | None:
    """The step after which the next one is awaited: the last new one, where it counts and does not
    end its line."""
    now = investigation_of(session)
    step = session.steps.get(now.awaiting) if now is not None and now.awaiting is not None else None
    return None if step is None or ends(step) or not counts(session, step) else step


def step_awaiting_looks(session: Session) -> Step | None:
    """The step whose list is open: the awaited one; where that counts no more, the last of its
    line that does, for which nothing has to wait."""
    now = investigation_of(session)
    step = session.steps.get(now.awaiting) if now is not None and now.awaiting is not None else None
    if step is None or step.is_counting:
        return awaiting_step(session)
    last = counting_head(session, session.lines[step.branch])
    if last is None or ends(last) or not counts(session, last):
        return None
    return None if precedes_kind(session, session.lines[last.branch], last.number) else last


def step_looks(session: Session, step: Step) -> tuple[Look, ...]:
    """What was looked at for the list of the step: since it, and before it where it is the
    first."""
    now, counted = investigation_of(session), evidence_of(session, step)
    if now is None or counted is None:
        return ()
    # Nothing asked for looks before the first step, so those before it count for its list.
    began = turn(session, session.lines[step.branch], step.number) == 1
    return (*(counted.looks if began else ()), *now.looks)


def required_pause(
    session: Session,
    wanted: bool | None,
    says: Findings,
    found: FindingsIndex,
    but: Container[int] = (),
) -> Pause | None:
    """Why a new step that found this has to wait; None: it need not. `wanted`: whether it may be
    made to wait (None: as the session says). `found` is what was found before it, without the
    steps whose keys are in `but`: it withdraws them."""
    now = investigation_of(session)
    if now is None or not now.kind.paused or not (now.pause if wanted is None else wanted):
        return None
    step = awaiting_step(session)
    if step is None or step.key in but:
        return None  # nothing to look at is asked for: no step is awaited, or it is withdrawn
    if len(new_looks(now)) >= MIN_LOOKS or news(found, says):
        return None  # something was looked at, or what the new step says shows that it was
    at = standing(session, step)
    if at is None:
        return None
    return Pause(step=step, status=status(at, ended=False), actions=rule(at).do)
