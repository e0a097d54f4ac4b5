"""event -> the session after it. Never refuses: what has happened has happened."""

from __future__ import annotations

from bisect import bisect, insort
from dataclasses import replace
from typing import assert_never

from . import found
from .events import (
    AdviceTaken,
    Backtracked,
    BranchAbandoned,
    BranchMerged,
    BranchOpened,
    BranchReopened,
    BranchScored,
    BranchSelected,
    Change,
    KeepingChosen,
    KindChosen,
    LookedAt,
    Outcome,
    SessionCleared,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StrategyChosen,
    TotalExtended,
    ValuesKept,
    Version,
)
from .questions import following, rivals, step_at
from .session import Line, LineState, Session, Step
from .strategy import recorded


def apply(session: Session, event: Change) -> None:
    """Change the session as the event says. `session.position` is already the event's own."""
    match event:
        case SessionStarted(name=name):
            session.name = name
        case SessionCleared():
            fresh = Session()
            session.steps, session.lines, session.total = fresh.steps, fresh.lines, None
            for index in (session.running, session.leaving, session.cells, session.sources):
                index.clear()
            session.stale.clear()
            session.over.clear()
            found.clear(session, event)
        case StrategyChosen(strategy=data):
            session.strategy = None if data is None else recorded(data)
            session.strategy_since = session.position
        case KindChosen():
            found.choose(session, event)
        case LookedAt(looks=looks):
            if session.investigation is not None:
                session.investigation.looks += looks
        case Backtracked():
            found.withdraw(session, event)
        case TotalExtended():
            found.extend(session, event)
        case AdviceTaken():
            found.advise(session, event)
        case BranchOpened(branch=branch, parent=parent, leaves=leaves):
            session.lines[branch] = Line(branch, parent=parent, leaves=leaves)
            origin = step_at(session, session.lines[parent], leaves)
            if origin is not None:
                same = session.leaving.setdefault(origin.key, [])
                if any(session.lines[rival].chosen for rival in same):
                    session.over.add(branch)
                same.append(branch)
        case BranchReopened(branch=branch):
            _settle(session, session.lines[branch], "open", None)
        case StepAdded():
            _add(session, event)
        case StepChanged():
            _change(session, event)
        case StepRepeated(branch=branch, number=number):
            step = _step(session, branch, number)
            step.attempts += 1
            _begin(session, step, event)
        case StepFinished(attempt=attempt, outcome=outcome):
            _end(session, session.steps[session.running.pop(attempt)[0]], outcome)
        case KeepingChosen():
            session.keeping = event
        case ValuesKept(step=key, kept=kept):
            step = session.steps[key]
            step.kept = kept
            if not kept.failed:
                step.kept_in = len(step.versions)
        case StepsConfirmed(branch=branch, numbers=numbers):
            for number in numbers:
                _hold(session, _step(session, branch, number))
        case BranchScored(branch=branch, score=score, reason=reason):
            session.lines[branch].score = score
            _because(session.lines[branch], "scored", reason)
        case BranchSelected(branch=branch, reason=reason):
            for rival in rivals(session, session.lines[branch]):
                if session.lines[rival].state == "selected":
                    session.lines[rival].state = "open"
            _settle(session, session.lines[branch], "selected", reason)
        case BranchMerged(branch=branch, into=into, after=after, reason=reason):
            _settle(session, session.lines[branch], "merged", reason)
            session.lines[branch].merged_into = into
            session.lines[branch].merged_after = after
        case BranchAbandoned(branch=branch, reason=reason):
            _settle(session, session.lines[branch], "abandoned", reason)
        case _:
            assert_never(event)


def _add(session: Session, event: StepAdded) -> None:
    step = Step(session.position, event.number, event.branch, [event])
    line = session.lines[event.branch]
    insort(line.numbers, event.number)
    line.keys[event.number] = step.key
    session.steps[step.key] = step
    _count(session, event)
    if session.investigation is not None:
        found.added(session, step)
    _begin(session, step, event)
    if event.revises is not None:
        _revise(session, step, event.revises)


def _change(session: Session, event: StepChanged) -> None:
    step = _step(session, event.branch, event.number)
    was = step.now.revises
    _remember(step)
    found.exclude(session, step)
    step.outcome = None
    step.versions.append(event)
    step.attempts += 1
    _count(session, event)
    found.changed(session, step)
    _begin(session, step, event)
    if not event.reworded:
        _outdate(session, step, event.branch, event.number)
    if was is not None and was != event.revises:
        _leave(session, step, was)
    if event.revises is not None and not (event.reworded and was == event.revises):
        _revise(session, step, event.revises)


def _step(session: Session, branch: str, number: int) -> Step:
    return session.steps[session.lines[branch].keys[number]]


def _count(session: Session, event: StepAdded | StepChanged) -> None:
    """The total is known from the first time that somebody gave one."""
    if event.total_given or session.total is not None:
        session.total = event.total


def _settle(session: Session, line: Line, state: LineState, reason: str | None) -> None:
    line.state = state
    line.merged_into = line.merged_after = None
    _because(line, state, reason)
    found.decide(session)


def _because(line: Line, what: str, reason: str | None) -> None:
    line.reasons[what] = reason or line.reasons.get(what)


def _begin(session: Session, step: Step, event: Version | StepRepeated) -> None:
    """The attempt at the session's position: where it was written, and its end if it is known."""
    cell = event.cell
    if cell is not None:
        if cell.id is not None:
            step.cell_id = cell.id
            session.cells[cell.id, cell.part] = step.key
        source = cell.source or (step.now.cell.source if step.now.cell else "")
        keys = session.sources.setdefault((source, cell.part), [])
        place = bisect(keys, step.key)
        if step.key not in keys[place - 1 : place]:
            keys.insert(place, step.key)
    step.still = event.still
    step.keep = event.keep
    if step.kept is not None and step.kept.failed:  # that was another attempt
        step.kept = replace(step.kept, failed=())
    if step.running is not None:  # an attempt that never ended: this one has the last word
        del session.running[step.running]
    if event.outcome is None:
        step.running = session.position
        session.running[session.position] = (step.key, event.process)
    else:
        _end(session, step, event.outcome)


def _end(session: Session, step: Step, outcome: Outcome) -> None:
    last = step.outcome
    if last is not None and (last.status, last.values) != (outcome.status, outcome.values):
        _remember(step)
    step.outcome = outcome
    step.running = None
    found.went(session, step)
    if outcome.status in ("ok", "unknown"):
        _hold(session, step, step.still)


def _remember(step: Step) -> None:
    """How the step had ended, before that is another."""
    if step.outcome is not None:
        step.past += ((len(step.versions), step.outcome),)


def _hold(session: Session, step: Step, still: tuple[int, ...] = ()) -> None:
    """The step is good again, but for the causes that it was still not built on."""
    step.causes = tuple(cause for cause in step.causes if cause in still)
    if not step.causes:
        session.stale.discard(step.key)


def _revise(session: Session, step: Step, number: int) -> None:
    """Step `number` of the step's line is marked revised, and what came after it is stale."""
    line = session.lines[step.branch]
    revised = step_at(session, line, number)
    if revised is not None:
        revised.revised_by = step.key
        _outdate(session, step, line.id, number if revised.branch == line.id else line.leaves)


def _leave(session: Session, step: Step, number: int) -> None:
    """The step no longer revises step `number`: the newest other that does has the word."""
    left = step_at(session, session.lines[step.branch], number)
    if left is not None and left.revised_by == step.key:
        others = (
            other.key
            for other in session.steps.values()
            if other.now.revises == number
            and step_at(session, session.lines[other.branch], number) is left
        )
        left.revised_by = max(others, default=None)


def _outdate(session: Session, cause: Step, branch: str, number: int) -> None:
    """What came after step `number` is stale, but for the step that is the cause."""
    for step in following(session, branch, number):
        if step.key != cause.key:
            step.causes = tuple(dict.fromkeys((*step.causes, cause.key)))
            session.stale.add(step.key)
