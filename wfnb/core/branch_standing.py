"""decisions about branches, in order -> how each line stands.

What a step's stage decided (a score, a selection) holds as long as the step does: not where its
code failed, was interrupted or is another by now, nor where the step is hidden or withdrawn. The
lines then stand as if that had not been decided, and again as before where the step holds again.
"""

from __future__ import annotations

from .events import (
    BranchAbandoned,
    BranchDecision,
    BranchMerged,
    BranchReopened,
    BranchScored,
    BranchSelected,
)
from .queries import rivals
from .session import Decision, Line, LineState, Session, Step


def merge_of(line: Line) -> tuple[str | None, int | None, int]:
    """Where it was merged, and when."""
    return line.merged_into, line.merged_after, line.merged_at


def new_decision(session: Session, event: BranchDecision, step: Step | None) -> Decision:
    """The decision, which is among the session's from here on; `step` is the one whose stage took
    it."""
    decision = Decision(
        event=event,
        at=session.position,
        # Of now: a parent that goes on by itself later was one of them all the same.
        rivals=tuple(rivals(session, session.lines[event.branch])),
        step=None if step is None else step.key,
        version=0 if step is None else len(step.versions),
    )
    session.decisions.append(decision)
    if step is not None:
        step.decisions += (decision,)
    return decision


def holds(session: Session, decision: Decision) -> bool:
    if decision.step is None:
        return True
    step = session.steps[decision.step]
    return step.is_done and decision.version == len(step.versions)


def take(session: Session, decision: Decision) -> None:
    """The lines as they stand after it."""
    event, line = decision.event, session.lines[decision.event.branch]
    match event:
        case BranchScored(score=score, reason=reason):
            line.score = score
            _set_reason(line, "scored", reason)
        case BranchReopened():
            _settle(line, "open", None)
        case BranchAbandoned(reason=reason):
            _settle(line, "abandoned", reason)
        case BranchSelected(reason=reason, beside=beside):
            for rival in map(session.lines.__getitem__, decision.rivals):
                # Of rivals one is chosen, unless this one is chosen beside them.
                if rival.state == "selected" and rival.id not in beside:
                    rival.state = "open"
                    rival.reasons.pop("selected", None)
            _settle(line, "selected", reason)
            if decision.step is not None:
                session.steps[decision.step].selects += (event.branch,)
        case BranchMerged(into=into, after=after, reason=reason):
            _settle(line, "merged", reason)
            line.merged_into, line.merged_after, line.merged_at = into, after, decision.at


def take_again(session: Session) -> None:
    """The lines as all decisions that hold make them."""
    for line in session.lines.values():
        line.state, line.score = "open", None
        line.merged_into, line.merged_after, line.merged_at = None, None, 0
        line.reasons.clear()
    for step in {each.step for each in session.decisions if each.step is not None}:
        session.steps[step].selects = ()
    for decision in session.decisions:
        if holds(session, decision):
            take(session, decision)


def _settle(line: Line, state: LineState, reason: str | None) -> None:
    line.state, line.merged_into, line.merged_after = state, None, None
    if state in ("open", "abandoned"):  # a merge that comes later is none of a selected branch
        line.reasons.pop("selected", None)
    _set_reason(line, state, reason)


def _set_reason(line: Line, what: str, reason: str | None) -> None:
    line.reasons[what] = reason or line.reasons.get(what)
