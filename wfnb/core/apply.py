"""event -> the session after it. Never refuses: what has happened has happened."""

from __future__ import annotations

from bisect import bisect, bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any, assert_never

from . import staleness
from .branch_standing import holds, merge_of, new_decision, take, take_again
from .data_flow import Flow, Staleness
from .events import (
    WENT_WELL,
    BranchAbandoned,
    BranchDecision,
    BranchMerged,
    BranchOpened,
    BranchReopened,
    BranchScored,
    BranchSelected,
    Change,
    ExtensionEvent,
    KeepingChosen,
    Outcome,
    PlainNamesChanged,
    RecordingChosen,
    SessionCleared,
    SessionRenamed,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepDescribed,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StepsHidden,
    StepsShown,
    StepTagged,
    StrategyChosen,
    ValuesKept,
    Version,
)
from .extension import EXTENSIONS, active
from .queries import counting_head, declares, own, passed_over, stage_of, step_at
from .run_all_order import comes_after
from .session import Line, Session, Step
from .staleness import update_stale_set
from .strategy import recorded_strategy
from .validation import first_line
from .yaml_header import code_without_headers


def apply(session: Session, event: Change) -> None:
    """Change the session as the event says. `session.position` is already the event's own."""
    match event:
        case SessionStarted(name=name, process=process):
            session.name = name
            session.staleness.processes.update(filter(None, (process,)))
        case SessionRenamed(name=name):
            session.name = name
        case SessionCleared():
            _clear(session)
        case StrategyChosen(strategy=data):
            session.strategy = None if data is None else recorded_strategy(data)
            session.strategy_since = session.position
        case BranchOpened():
            _open(session, event)
        case StepAdded():
            _add(session, event)
        case StepChanged():
            _change(session, event)
        case StepRepeated(branch=branch, number=number):
            step = _step(session, branch, number)
            session.acting = step.key
            step.attempts += 1
            _begin(session, step, event)
        case StepFinished(attempt=attempt, outcome=outcome, flow=flow, warnings=warnings):
            step = session.steps[session.running.pop(attempt)[0]]
            session.acting = step.key
            step.unrecorded = flow is None and outcome.status == "ok" and _has_code(step)
            for extension in active(session):
                extension.finish(session, step, event)
            _declare(session, step)
            _end(session, step, outcome, flow, warnings)
        case PlainNamesChanged(versions=versions):
            _pass_on(session, staleness.plain_names_changed(session, versions))
        case KeepingChosen():
            session.keeping = event
        case RecordingChosen():
            session.recording = event
        case ValuesKept(step=key, kept=kept, attempt=attempt):
            step = session.steps[key]
            step.kept = kept
            # Where nothing could be kept, what an earlier attempt kept stays, and is still that
            # attempt's.
            if not kept.failed:
                step.kept_in, step.keeps = len(step.versions), True
                # What a program keeps later may be anything.
                is_own = attempt is not None and step.certain
                step.kept_flow = step.flow if is_own else None
        case StepsConfirmed(branch=branch, numbers=numbers):
            _confirm(session, [_step(session, branch, number) for number in numbers])
        case StepsHidden(branch=branch, numbers=numbers):
            _hide(session, [_step(session, branch, number) for number in numbers])
        case StepsShown(branch=branch, numbers=numbers):
            _unhide(session, [_step(session, branch, number) for number in numbers])
        case StepDescribed(branch=branch, number=number, description=description):
            step = _step(session, branch, number)
            # By the words that its cell has, the cell is recognised when it runs again.
            step.written = step.written or step.current.description
            step.versions[-1] = replace(step.current, description=description)
        case StepTagged(branch=branch, number=number, tags=tags):
            _step(session, branch, number).tags = tags
        case (
            BranchReopened()
            | BranchScored()
            | BranchSelected()
            | BranchMerged()
            | BranchAbandoned()
        ):
            _decide(session, event)
        case ExtensionEvent():
            EXTENSIONS[event.extension].apply(session, event)
            if event.recounts_steps:
                _recount_steps(session)
        case _:
            assert_never(event)


def _clear(session: Session) -> None:
    """Emptied, not replaced: log, views and panel hold this object."""
    fresh = Session()
    session.steps, session.lines, session.total = fresh.steps, fresh.lines, None
    for index in (session.running, session.leaving, session.cells, session.sources):
        index.clear()
    session.titles.clear()
    session.hidden.clear()
    session.stale.clear()
    session.steps_without_flow.clear()
    session.passed_over.clear()
    session.staleness = Staleness()
    session.ends.clear()
    session.decisions.clear()
    for extension in active(session):
        extension.clear(session)


def _open(session: Session, event: BranchOpened) -> None:
    branch, parent = event.branch, event.parent
    line = Line(branch, parent=parent, leaves=event.leaves, begun=session.position)
    session.lines[branch] = line
    session.staleness.children.setdefault(parent, []).append(branch)
    origin = step_at(session, session.lines[parent], event.leaves)
    if origin is not None:
        same = session.leaving.setdefault(origin.key, [])
        # One of its rivals was chosen before: the new branch is passed over from the start.
        if any(session.lines[rival].is_chosen for rival in same):
            session.passed_over.add(branch)
        same.append(branch)


def _decide(session: Session, event: BranchDecision) -> None:
    acting = session.steps.get(session.acting) if session.acting is not None else None
    # Its opening may have been undone, and the end of the step was not.
    if acting is not None and event.branch not in session.lines:
        return
    decision, line = new_decision(session, event, acting), session.lines[event.branch]
    if holds(session, decision):
        before = merge_of(line)
        take(session, decision)
        if not isinstance(event, BranchScored):
            _pass_on_decisions(session, before != merge_of(line))


def _take_decisions_again(session: Session) -> None:
    """Steps hold no more, or again: so does what their stages decided."""
    before = [merge_of(line) for line in session.lines.values()]
    take_again(session)
    session.decided_again += 1
    now = [merge_of(line) for line in session.lines.values()]
    _pass_on_decisions(session, before != now)


def _pass_on_decisions(session: Session, merged: bool) -> None:
    """Lines stand otherwise: what came after a merge gets from its own line again what the branch
    had given, or from the branch."""
    if merged:
        _pass_on(session, staleness.rebuild(session))
    _pass_over(session)


def _add(session: Session, event: StepAdded) -> None:
    step = Step(
        session.position,
        event.number,
        event.branch,
        [event],
        tags=event.tags,
        warnings=event.warnings,
    )
    line = session.lines[event.branch]
    insort(line.numbers, event.number)
    line.keys[event.number] = step.key
    session.steps[step.key] = step
    session.acting = step.key
    # By position until its flow is known: then it is stale only by what it read.
    session.steps_without_flow.add(step.key)
    _count(session, event)
    _declare(session, step)
    for extension in active(session):
        extension.add(session, step)
    _begin(session, step, event)
    if event.revises is not None:
        _revise(session, step, event.revises)


def _change(session: Session, event: StepChanged) -> None:
    step = _step(session, event.branch, event.number)
    session.acting = step.key
    # Before the version is appended: `current` is another one from then on.
    was, was_withdrawn = step.current.revises, step.is_withdrawn
    _remember(step)
    for extension in active(session):
        # While it still says what it did: an extension takes out what it had counted by that.
        extension.exclude(session, step)
    step.outcome, step.warnings = None, event.warnings
    step.tags = _merge_tags(step.tags, step.current.tags, event.tags)
    # A step that was described by hand keeps that, as long as its cell says the same as before.
    if event.description != step.current.description:
        step.written = None
    step.versions.append(event)
    step.attempts += 1
    _count(session, event)
    _declare(session, step)
    for extension in active(session):
        extension.change(session, step)
    if step.is_withdrawn != was_withdrawn:
        _recount_steps(session)
    if step.decisions:
        _take_decisions_again(session)
    _begin(session, step, event)
    if not event.reworded:
        _outdate(session, step)
    if was is not None and was != event.revises:
        _leave(session, step, was)
    if event.revises is not None and not (event.reworded and was == event.revises):
        _revise(session, step, event.revises)
    if was != event.revises:
        _pass_on(session, staleness.rebuild(session))


def _merge_tags(
    tags: tuple[str, ...], before: tuple[str, ...], now: tuple[str, ...]
) -> tuple[str, ...]:
    """What the cell no longer says goes and what it says anew comes; the rest was chosen since."""
    remaining = (tag for tag in tags if tag in now or tag not in before)
    return tuple(dict.fromkeys((*remaining, *(tag for tag in now if tag not in before))))


def _confirm(session: Session, steps: Iterable[Step]) -> None:
    for step in steps:
        step.unrecorded = False
        _hold(session, step)
        _pass_on(session, staleness.confirm(session, step))


def _hide(session: Session, steps: Iterable[Step]) -> None:
    for step in steps:
        for extension in active(session):
            extension.exclude(session, step)
        step.hidden = True
        session.hidden.add(step.key)
    _recount(session)


def _unhide(session: Session, steps: Iterable[Step]) -> None:
    for step in steps:
        step.hidden = False
        session.hidden.discard(step.key)
        for extension in active(session):
            extension.include(session, step)
    _recount(session)


def _recount(session: Session) -> None:
    """Steps count no more, or again."""
    for extension in active(session):
        extension.recount(session)
    _recount_steps(session)


def _recount_steps(session: Session) -> None:
    _recount_revisions(session)
    _pass_on(session, staleness.rebuild(session))
    if any(each.step is not None for each in session.decisions):
        _take_decisions_again(session)


def _recount_revisions(session: Session) -> None:
    """A step is revised by the newest that does so and counts: one that is hidden or withdrawn has
    no word any more."""
    by: dict[int, int] = {}
    for step in session.steps.values():
        number = step.current.revises if step.is_counting else None
        revised = None if number is None else step_at(session, session.lines[step.branch], number)
        if revised is not None:
            by[revised.key] = step.key
    for step in session.steps.values():
        step.revised_by = by.get(step.key)


def _index(index: dict[Any, list[int]], name: Any, key: int) -> None:
    """The step is among those of that name, in order."""
    keys = index.setdefault(name, [])
    place = bisect(keys, key)
    if key not in keys[place - 1 : place]:
        keys.insert(place, key)


def _step(session: Session, branch: str, number: int) -> Step:
    return session.steps[session.lines[branch].keys[number]]


def _count(session: Session, event: StepAdded | StepChanged) -> None:
    """The total is known from the first time that somebody gave one."""
    if event.total_given or session.total is not None:
        session.total = event.total


def _declare(session: Session, step: Step) -> None:
    """Whether the step is one of those that declare the end of their line, as it is now."""
    # Kept sorted, so that a long session finds its last end without going through its steps.
    place = bisect_left(session.ends, step.key)
    is_declared = step.key in session.ends[place : place + 1]
    if declares(step) and not step.current.next_step_needed:
        session.ends[place : place + is_declared] = [step.key]
    elif is_declared:
        del session.ends[place]


def _pass_over(session: Session) -> None:
    """Branches may be decided against, or for, since then: their steps count no more, or again."""
    over, slices = passed_over(session), list(active(session))
    # The usual case: most changes of a branch decide against no other.
    if over == session.passed_over:
        return
    for extension, step in product(slices, _own(session, over - session.passed_over)):
        extension.exclude(session, step)
    back, session.passed_over = session.passed_over - over, over
    for extension, step in product(slices, _own(session, back)):
        extension.include(session, step)
    for extension in slices:
        extension.recount(session)


def _own(session: Session, lines: Iterable[str]) -> Iterator[Step]:
    return (step for name in lines for step in own(session, session.lines[name]))


def _begin(session: Session, step: Step, event: Version | StepRepeated) -> None:
    """The attempt at the session's position: where it was written, and its end if it is known."""
    # A step that runs is in use: nobody wants to see it disappear.
    if step.hidden:
        _unhide(session, [step])
    cell = event.cell
    if cell is not None:
        if cell.id is not None:
            step.cell_id = cell.id
            session.cells[cell.id, cell.part] = step.key
        step.notebook = cell.notebook or step.notebook
        # A repetition is recorded without its source, which is that of the version.
        source = cell.source or (step.current.cell.source if step.current.cell else "")
        _index(session.sources, (source, cell.part), step.key)
        if isinstance(event, Version):
            title = first_line(step.written or event.description)
            _index(session.titles, title, step.key)
    step.unmet_revisions, step.process = event.still, event.process
    step.keep, step.keeps = event.keep, bool(event.keep)
    if step.kept is not None and step.kept.failed:  # that was another attempt
        step.kept = replace(step.kept, failed=())
    if step.running is not None:  # an attempt that never ended: this one has the last word
        del session.running[step.running]
    if event.outcome is None:
        step.running = session.position
        session.running[session.position] = (step.key, event.process)
        session.staleness.processes.update(filter(None, (event.process,)))
    else:
        # A version that is recorded with its end has what there is to say of that among its own.
        warnings = () if isinstance(event, Version) else event.warnings
        _end(session, step, event.outcome, event.flow, warnings)


def _end(
    session: Session, step: Step, outcome: Outcome, flow: Flow | None, warnings: tuple[str, ...]
) -> None:
    last, before = step.outcome, step.flow
    # A run again that came to the same is no history.
    if last is not None and (last.status, last.values) != (outcome.status, outcome.values):
        _remember(step)
    step.outcome = outcome
    step.running = None
    step.end = session.position
    if step.effected < len(step.versions):  # else its stage did nothing now, and that still holds
        step.warnings = (*step.current.warnings, *warnings)
        step.effected = len(step.versions) if outcome.status in WENT_WELL else step.effected
    if step.decisions:
        _take_decisions_again(session)
    became = staleness.attempt_ended(session, step, flow)
    if flow is not None:
        step.made_stale_by, step.unrecorded = (), False
        session.steps_without_flow.discard(step.key)
        update_stale_set(session, step)
        if before is not None and last is not None and _differs(before, last, flow, outcome):
            _outdate(session, step, fresh=True)
    # Without a flow a failed attempt says nothing of what the step was built on.
    elif outcome.status in WENT_WELL:
        _hold(session, step, step.unmet_revisions)
        _rest_on_stale(session, step)
    _pass_on(session, became)


def _differs(before: Flow, last: Outcome, flow: Flow, outcome: Outcome) -> bool:
    """Whether an attempt came to something else than the one before it."""
    was = (before.writes, last.status, last.result, last.values)
    return was != (flow.writes, outcome.status, outcome.result, outcome.values)


def _has_code(step: Step) -> bool:
    cell = step.current.cell
    return cell is not None and bool(code_without_headers(cell.source))


def _remember(step: Step) -> None:
    """How the step had ended, before that is another."""
    if step.outcome is not None:
        step.past += ((len(step.versions), step.outcome),)


def _hold(session: Session, step: Step, still: tuple[int, ...] = ()) -> None:
    """The step is good again, but for the causes that it was still not built on."""
    step.made_stale_by = tuple(cause for cause in step.made_stale_by if cause in still)
    update_stale_set(session, step)


def _rest_on_stale(session: Session, step: Step) -> None:
    """A step of which no flow is known may rest on all before it, so on a stale one, too."""
    # One cause is enough to make it stale: the first that is found ends the search.
    for key in session.stale if step.flow is None else ():
        before = session.steps[key]
        if comes_after(session, step, before):
            step.made_stale_by = (*step.made_stale_by, key)
            update_stale_set(session, step)
            return


def _pass_on(session: Session, became_stale: Iterable[int]) -> None:
    """Steps became stale: so did those after them that go by position."""
    # In a session whose steps were all observed nothing goes by position: no sorting for nothing.
    if session.steps_without_flow:
        for key in sorted(became_stale):
            step = session.steps[key]
            _outdate(session, step)


def _revise(session: Session, step: Step, number: int) -> None:
    """Step `number` of the step's line is marked revised, and what came after it is stale."""
    line = session.lines[step.branch]
    revised = step_at(session, line, number)
    if revised is not None:
        revised.revised_by = step.key
        _outdate(session, step, but=_verdict(session, line, step, revised))


def _verdict(session: Session, line: Line, step: Step, revised: Step) -> Step | None:
    """The step that called for a revision: the one before it, where the strategy leads from there
    to a stage that corrects another. What it says of the step as it was still holds."""
    before = counting_head(session, line, step.number - 1)
    stage, corrects = stage_of(session, before), step.current.stage
    leads = stage is not None and corrects in stage.next and corrects != revised.current.stage
    return before if leads and before is not revised else None


def _leave(session: Session, step: Step, number: int) -> None:
    """The step no longer revises step `number`: the newest other that does has the word."""
    left = step_at(session, session.lines[step.branch], number)
    if left is not None and left.revised_by == step.key:
        others = (
            other.key
            for other in session.steps.values()
            if other.current.revises == number
            and other.is_counting
            and step_at(session, session.lines[other.branch], number) is left
        )
        left.revised_by = max(others, default=None)


def _outdate(session: Session, cause: Step, fresh: bool = False, but: Step | None = None) -> None:
    """What comes after the step is stale, where it is not known what it read, `but` one; `fresh`:
    one reason is enough, so that those which have one are passed over."""
    for key in session.steps_without_flow if cause.is_counting else ():
        step = session.steps[key]
        if step is but or (fresh and step.made_stale_by):
            continue
        if comes_after(session, step, cause):
            step.made_stale_by = tuple(dict.fromkeys((*step.made_stale_by, cause.key)))
            update_stale_set(session, step)
