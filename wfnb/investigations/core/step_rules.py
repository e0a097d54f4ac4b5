"""session, command -> what an investigation makes of it: events, or a refusal.

What `stages.py` is to strategies, `assess_step` is to kinds.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from wfnb.core import validation
from wfnb.core.commands import AddStep, FinishStep
from wfnb.core.events import Json, Judged
from wfnb.core.extension import Amendment
from wfnb.core.findings import Findings
from wfnb.core.queries import counting_head
from wfnb.core.session import Line, Session, Step
from wfnb.core.step_addition import totals
from wfnb.core.step_lookup import find
from wfnb.core.validation import StepPlace
from wfnb.errors import (
    BadValue,
    FilesLeft,
    FirstStepNeeds,
    NoInvestigation,
    PauseHolds,
    listing,
    nearest,
)
from wfnb.hints import Option

from .decide import plan_withdrawal, values_of
from .end_rules import ending
from .events import Backtracked
from .finding_parser import NAMES, models
from .hypothesis_fates import hypothesis
from .investigation import FindingsIndex, Investigation, evidence_of, investigation_of
from .kind import Field, Kind
from .missing_evidence import missing_evidence
from .planned_step_count import StepToPlan, parse_count, plan_steps
from .reducer import (
    NOTHING,
    counts,
    findings_without,
    latest_fields,
    unsaid_fields,
    withdrawable,
)
from .requirements import (
    Standing,
    ends,
    fields,
    floor,
    level,
    precedes_kind,
    required_pause,
    severities,
    turn,
)
from .text_normalization import words


def assess_step(
    session: Session, line: Line, number: int, existing: Step | None, command: AddStep
) -> Amendment | None:
    """None where the step is no step of an investigation. Raises Refused for a step that it does
    not allow."""
    now = investigation_of(session)
    if now is None:
        _plain(session, existing, command)
        return None
    if existing is not None and command.findings is None and evidence_of(session, existing) is None:
        return None  # from before the investigation, and silent about it
    old = (
        NOTHING
        if existing is None or existing.current.findings is None
        else existing.current.findings
    )
    says = _with_hypotheses(session, command.findings or NOTHING)
    _check_says(now.kind, says, old, command.fields)
    # Only a new step takes others back: its cell may run again when they are long replaced.
    back = None if existing is not None else _plan_backtrack(session, line, command)
    gone = _withdrawn_steps(session, back)
    # Mostly nothing is taken back, and the index of findings is not built anew.
    left = findings_without(session, gone.values()) if gone else now.found
    but = {*gone}
    if existing is not None and unsaid_fields(now, existing.current.fields, command.fields):
        but.add(existing.key)
    kind_fields = fields(now, command.fields, latest_fields(session, but) if but else None)
    if not says.confidence:
        says = replace(says, confidence=_level(session, line, number, gone))
    at = turn(session, line, number, gone)
    if existing is None:
        _check_needs(now, at, says, kind_fields, left)
        _check_pause(session, now, command, says, left, gone)
    elif precedes_kind(session, line, number):
        return _unplanned(session, number, existing, command, says)
    old_total = None if existing is None else existing.current.total
    withdrawn = existing is not None and existing.is_withdrawn
    assert says.confidence is not None
    plan = plan_steps(
        session,
        StepToPlan(
            line=line, number=number, command=command, level=says.confidence, fields=kind_fields,
            old_total=old_total, withdrawing=gone, returning=withdrawn,
        ),
    )  # fmt: skip
    # The kind's own number has the word, not the one that the step says.
    ruled = command if plan.total is None else replace(command, total=None)
    total, _, notes = totals(session, number, ruled, plan.total)
    # A step that lowers the total would make itself the last: it is measured by what was planned.
    before_it = max(session.total or 0, total) if not (gone or withdrawn) else total
    last = turn(session, line, before_it, gone)
    counted = existing is not None and counts(session, existing)
    # What the step said before gives way to what it says now.
    lacks = missing_evidence(session, left, says, old if counted else NOTHING)
    stands = Standing(
        kind=now.kind, turn=at, total=last, level=says.confidence, fields=kind_fields,
        issues=severities(left) | {issue.severity for issue in says.issues},
    )  # fmt: skip
    wants_end = None if command.next_step_needed is None else not command.next_step_needed
    # A step whose code still runs may do the last file: `judge_again` decides at its end.
    undone = files_left(stands)
    if undone is not None and wants_end and command.outcome is not None:
        raise FilesLeft(*undone, command.left)
    needed, end = judge_end(stands, wants_end, lacks)
    prior = counting_head(session, line, number - 1, gone)
    return Amendment(
        findings=says,
        total=total,
        given=command.total is not None or plan.total is not None,
        needed=needed,
        end=end,
        warnings=(
            *plan.notes,
            *_unknown_field_warnings(session, command),
            *_wordless_warnings(says),
            *notes,
        ),
        opening=() if back is None else (back,),
        wants_end=wants_end,
        planned=last,
        declares=bool(end) and (wants_end is not None or prior is None or not ends(prior)),
    )


def _unplanned(
    session: Session, number: int, existing: Step, command: AddStep, says: Findings
) -> Amendment:
    """A step from before this kind, which plans nothing for it."""
    total, needed, notes = totals(session, number, command)
    return Amendment(
        findings=says,
        total=total,
        given=command.total is not None,
        needed=needed,
        end=existing.current.end,
        warnings=tuple(notes),
    )


def _with_hypotheses(session: Session, says: Findings) -> Findings:
    """With the words of the hypotheses that it names by their numbers. These are a step's verdicts;
    one without a step is `decide.judge`."""
    if not (says.confirms or says.refutes):
        return says
    return replace(
        says,
        confirms=tuple(hypothesis(session, each, says.hypothesis) for each in says.confirms),
        refutes=tuple(hypothesis(session, each, says.hypothesis) for each in says.refutes),
    )


def _check_says(kind: Kind, says: Findings, old: Findings, given: Mapping[str, Json]) -> None:
    """Raises BadValue for a level that the kind does not have, and the step did not have before;
    and for a field that does not read."""
    levels = kind.confidence.levels
    if says.confidence not in (None, old.confidence, *levels):
        raise BadValue("confidence", str(says.confidence)[:60], f"one of {', '.join(levels)}")
    for name, field in kind.fields.items():
        if name in given:
            _check(name, field, given[name])


def _check_pause(
    session: Session,
    now: Investigation,
    command: AddStep,
    says: Findings,
    left: FindingsIndex,
    gone: Mapping[int, Step],
) -> None:
    """Raises PauseHolds where something has to be looked at before the step."""
    pause = required_pause(session, command.pause, says, left, gone)
    if pause is not None:
        asks = tuple(action.do for action in pause.actions)
        raise PauseHolds(pause.step.number, now.kind.name, asks)


def _withdrawn_steps(session: Session, back: Backtracked | None) -> dict[int, Step]:
    """The steps by key that are withdrawn by this one."""
    if back is None:
        return {}
    line = session.lines[back.branch]
    return {step.key: step for step in withdrawable(session, line, back.number)}


def _level(session: Session, line: Line, number: int, but: Container[int]) -> str:
    """The confidence of a step that says none: as before it."""
    now, before = investigation_of(session), counting_head(session, line, number - 1, but)
    assert now is not None
    says = NOTHING if before is None or before.current.findings is None else before.current.findings
    return level(now.kind, says.confidence)


def _plain(session: Session, existing: Step | None, command: AddStep) -> None:
    """Without an investigation a step says nothing of one; one that was made in one may say again
    what it said."""
    if existing is None or evidence_of(session, existing) is None:
        if command.findings is not None:
            named = zip(NAMES, values_of(command.findings), strict=True)
            raise NoInvestigation(next((name for name, value in named if value), "finding"))
        if command.backtrack is not None:
            raise NoInvestigation("backtrack")


def _check(name: str, field: Field, value: Json) -> None:
    """Raise BadValue for a field that does not hold what the kind says it does."""
    if field.choices and str(value) not in field.choices:
        raise BadValue(f"field {name!r}", str(value)[:60], f"one of {', '.join(field.choices)}")
    if field.holds == "count":
        parse_count(name, value)
    elif field.holds == "models":
        models(value)
    elif not isinstance(value, str):
        validation.sentence(f"field {name!r}", value if value is None else str(value))


def _check_needs(
    now: Investigation,
    at: int,
    says: Findings,
    kind_fields: Mapping[str, Json],
    index: FindingsIndex,
) -> None:
    """The first step brings what the kind cannot do without."""
    if at > 1:
        return
    lacks = tuple(
        name
        for name in now.kind.needs
        if (
            not (says.relevant or index.relevant)
            if name == "relevant_files"
            else kind_fields.get(name) in (None, "", [], ())
        )
    )
    if lacks:
        ways = tuple(_way(now.kind, name) for name in lacks)
        raise FirstStepNeeds(now.kind.name, lacks, ways)


def _way(kind: Kind, name: str) -> str:
    """How a step says it."""
    if name == "relevant_files":
        return str(Option("relevant", "FILE"))
    holds = kind.fields[name].holds
    if holds == "models":
        return str(Option("model", "NAME:for"))
    value = "." if holds in ("repository", "folder") else "…"
    return str(Option("set", f"{name}={value}"))


def _plan_backtrack(session: Session, line: Line, command: AddStep) -> Backtracked | None:
    if command.backtrack is None:
        return None
    number = validation.whole("backtrack", command.backtrack)
    on = line.id if line.id in session.lines else command.line
    step = find(session, StepPlace(number=number), on)
    return plan_withdrawal(session, step, None)


def _unknown_field_warnings(session: Session, command: AddStep) -> Iterator[str]:
    """What to say of fields that neither the kind nor the strategy knows."""
    now, strategy = investigation_of(session), session.strategy
    if now is None or not now.kind.fields:
        return
    of_kind = tuple(now.kind.fields)
    stages = () if strategy is None else strategy.stages.values()
    others = {name for stage in stages for name in stage.fields}
    for name in command.fields:
        if name not in of_kind and name not in others:
            near = nearest(name, of_kind) or f"It knows {listing(of_kind, '')}. "
            yield f"{now.kind.name} has no field {name!r}, so it does nothing. {near}".rstrip()


def judge_again(session: Session, step: Step, command: FinishStep) -> Judged | None:
    """What the step comes to now that its code has ended: with what that opened and used, and what
    was counted since. None where nothing is another, or other steps came after it."""
    now, says = investigation_of(session), step.current
    if now is None or says.planned is None or not counts(session, step):
        return None
    line = session.lines[step.branch]
    # The step after it was judged by what this one came to as it began.
    if counting_head(session, line) is not step:
        return None
    given = {**says.fields, **command.fields}
    kind_fields = fields(now, given)
    at = Standing(
        kind=now.kind,
        turn=turn(session, line, step.number),
        total=says.planned,
        level=level(now.kind, (says.findings or NOTHING).confidence),
        fields=kind_fields,
        issues=severities(now.found),
    )
    needed, end = judge_end(
        at, says.asked, missing_evidence(session, now.found, looks=command.looks)
    )
    if (needed, end, given) == (says.next_step_needed, says.end, dict(says.fields)):
        return None
    return Judged(next_step_needed=needed, end=end, fields=given)


def _wordless_warnings(says: Findings) -> Iterator[str]:
    """What to say of findings that say nothing."""
    for text in says.findings:
        if not words(text):
            yield f"the finding {text[:40]!r} has no words, so it counts for nothing"


def judge_end(
    at: Standing, wants_end: bool | None, lacks: tuple[str, ...]
) -> tuple[bool, str | None]:
    """next_step_needed of a step that stands there, and why the line ends or does not. `wants_end`:
    whether an end was; `lacks` is what the evidence does."""
    by_models = at.kind.total.rule == "models"
    if by_models and at.turn == 1:
        lacks = ()  # the models are asked once it is recorded
    sure = at.level if at.kind.finding else None
    came = ending(at.kind.confidence, at.turn, at.total, sure, lacks, wants_end, floor(at))
    left = files_left(at)
    if left is not None and (came.ended or wants_end):
        return True, f"not ended: {left[0]} of {left[1]} files are documented"
    if by_models and at.turn < at.total:
        silent = at.total - at.turn
        return (
            True,
            f"not ended: {silent} of {at.total} models were not heard" if wants_end else None,
        )
    if came.ended or not came.why:
        return not came.ended, came.why or None
    return True, f"not ended: {came.why}"


def files_left(at: Standing) -> tuple[int, int] | None:
    """Files that are done, and those there are, where some are left."""
    rule, kind_fields = at.kind.total, at.fields
    if rule.rule != "files" or None in (rule.count, rule.done) or rule.count not in kind_fields:
        return None
    assert rule.count is not None
    assert rule.done is not None
    total = parse_count(rule.count, kind_fields[rule.count])
    done = parse_count(rule.done, kind_fields.get(rule.done, 0))
    return (done, total) if done < total else None
