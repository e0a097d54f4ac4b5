"""session, a branch and a number -> the line and the step that they mean, or a refusal."""

from __future__ import annotations

from wfnb.errors import (
    BranchLeavesElsewhere,
    BranchUnknown,
    MainIsFirst,
    StepAmbiguous,
    StepUnknown,
)

from .queries import head, line_steps, step_at
from .session import Line, Session, Step
from .validation import MAIN, StepPlace


def line_of(session: Session, branch: str) -> Line:
    """The line of that name. BranchUnknown lists the ones there are."""
    if branch not in session.lines:
        raise BranchUnknown(branch, tuple(session.lines))
    return session.lines[branch]


def find(session: Session, place: StepPlace, chosen: str) -> Step:
    """The step of that number on the chosen line, else the only one anywhere (rule 2).

    Raises StepUnknown with the steps there are, or StepAmbiguous with the branches to choose from.
    """
    line = line_of(session, place.branch or chosen)
    step = step_at(session, line, place.number)
    if step is not None:
        return step
    if place.branch is None:
        others = [other for other in session.lines.values() if place.number in other.keys]
        if len(others) == 1:
            return session.steps[others[0].keys[place.number]]
        if others:
            raise StepAmbiguous(place.number, tuple(other.id for other in others))
    raise StepUnknown(place.number, line.id, numbers(session, line))


def numbers(session: Session, line: Line) -> tuple[int, ...]:
    """The numbers of the steps that the line sees."""
    return tuple(step.number for step in line_steps(session, line))


def new_line(session: Session, branch: str, leaves: StepPlace | None, chosen: str) -> Line:
    """A branch that is being opened: it leaves the step named, else the last of the chosen line."""
    if leaves is None:
        line = line_of(session, chosen)
        origin = head(session, line)
        if origin is None:
            raise StepUnknown(1, line.id, ())
    else:
        origin = find(session, leaves, chosen)
    return Line(branch, parent=origin.branch, leaves=origin.number)


def check_origin(session: Session, line: Line, wanted: StepPlace | None) -> None:
    """A line that exists may be named with the step it left, and with no other (rule 4)."""
    if wanted is None:
        return
    if line.parent is None:
        raise MainIsFirst("made again")
    origin = step_at(session, session.lines[line.parent], line.leaves)
    named = origin
    if wanted.branch is not None:
        named = step_at(session, line_of(session, wanted.branch), wanted.number)
    if wanted.number != line.leaves or named is not origin:
        right = StepPlace(number=line.leaves, branch=None if line.parent == MAIN else line.parent)
        raise BranchLeavesElsewhere(line.id, str(right), str(wanted))
