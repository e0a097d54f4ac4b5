"""session -> whether it is solved, by which step, and else why it is not, in a clause."""

from __future__ import annotations

from wfnb.errors import listing, spoken
from wfnb.hints import Command, Option

from .events import WENT_WELL
from .extension import active
from .queries import (
    answer_step,
    counting_head,
    deciding_step,
    open_lines,
    stage_choices,
    stage_of,
)
from .session import Session, Step
from .strategy_ledgers import ledger
from .validation import MAIN, place_text


def is_solved(session: Session) -> bool:
    """Whether a step holds the answer, and neither a slice nor what the strategy keeps has anything
    that is missing."""
    step = answer_step(session)
    return step is not None and not missing_at_end(session) and not _lacks(session, step)


def _lacks(session: Session, step: Step) -> tuple[str, ...]:
    """What the strategy keeps that the answer lacks; nothing where the step says that the problem
    is solved as it is."""
    table = ledger(session, session.lines[step.branch])
    return () if table is None or step.current.needs_more_steps is False else table.lacks


def missing_at_end(session: Session) -> tuple[str, ...]:
    """What slices have that is missing for the answer; nothing where no step holds one."""
    step = answer_step(session)
    if step is None:
        return ()
    return tuple(
        lack for extension in active(session) for lack in extension.missing_at_end(session, step)
    )


def holds_answer(session: Session, step: Step) -> bool:
    """Whether the session is solved, and this step is its answer."""
    return answer_step(session) is step and is_solved(session)


def awaited_reason(session: Session) -> str:
    """Why no step holds the answer, where an end was promised: by a strategy, a slice, a number of
    steps, or a step that was marked as the last of its line. Who only records misses none: ""."""
    promised = session.strategy is not None or session.total is not None or bool(session.ends)
    return unsolved_reason(session) if promised or any(active(session)) else ""


def unsolved_reason(session: Session) -> str:
    """Why no step holds the answer, in a few words; "" where one does, or there are no steps. An
    answer that lacks what its strategy keeps is none: "question 2 is open".
    What the evidence of an investigation lacks is not looked at.

    "no step is marked as the last (`--done`)", "step 4 is stale", "2 of 5 steps",
    "after answer collection comes consistency analysis"
    """
    if (last := answer_step(session)) is not None:
        lacks = listing(_lacks(session, last), "")
        return f"{lacks} (`{Option('no-more', True)}` answers without)" if lacks else ""
    step = deciding_step(session)
    if step is None:
        return "no step counts" if session.steps else ""
    now, name = step.current, _step(step)
    if now.next_step_needed:
        # The most telling first: that a stage is still to come says what to do, a count says only
        # how much.
        if now.findings is None and (stands := _stage_reason(session, step.branch)):
            return stands
        if _below_total(session, step):
            return f"{step.number} of {session.total} steps"
        return _endless(session, step.branch)
    if step.running is not None:
        return f"{name} is running"
    if step.outcome is None or step.outcome.status not in WENT_WELL:
        failed = step.outcome is not None and step.outcome.status == "failed"
        return f"{name} {'failed' if failed else 'was interrupted'}"
    if step.stale:
        return f"{name} is stale"
    if now.needs_more_steps:
        return f"{name} says that more is needed"
    if step.number < now.total and now.end is None:
        return f"{step.number} of {now.total} steps"
    stale = [session.steps[key] for key in sorted(session.stale)]
    stale = [each for each in stale if each.branch not in session.passed_over]
    if stale:
        return f"{_step(stale[0])} is stale" if len(stale) == 1 else f"{len(stale)} steps are stale"
    others = [line.id for line in open_lines(session) if line.id != step.branch]
    if others[:1] == [MAIN]:
        stage, stands = stage_of(session, step), _stage_reason(session, MAIN)
        if stands and stage is not None and not stage.next:
            return f"{stands}; `{Command('select', step.branch)}` settles it"
        return stands or _endless(session, MAIN)
    if len(others) > 1:
        return f"branches {listing([f'`{name}`' for name in others], '')} are open"
    return f"branch `{others[0]}` is open"


def _stage_reason(session: Session, branch: str) -> str:
    """Which stages the strategy still has for the line; "" where there are none."""
    line = session.lines[branch]
    following = [spoken(name) for name in stage_choices(session, line)]
    if not following:
        return ""
    at = counting_head(session, line)
    stage = at.current.stage if at is not None and stage_of(session, at) else None
    on = f" on {_line(branch)}" if len(session.lines) > 1 else ""
    if len(following) > 1:  # which, is said beside
        return f"it stands at {spoken(stage or 'the start')}{on}"
    after = f"after {spoken(stage)}" if stage else "first"
    return f"{after} comes {following[0]}{on}"


def _below_total(session: Session, step: Step) -> bool:
    """Whether the count says why; an investigation counts its steps its own way."""
    counted = step.current.findings is None and step.branch == MAIN
    return counted and session.total is not None and step.number < session.total


def _step(step: Step) -> str:
    return f"step {place_text(step.branch, step.number)}"


def _line(branch: str) -> str:
    return MAIN if branch == MAIN else f"branch `{branch}`"


def _endless(session: Session, branch: str) -> str:
    of = f" of {_line(branch)}" if len(session.lines) > 1 else ""
    return f"no step{of} is marked as the last (`{Option('done', True)}`)"
