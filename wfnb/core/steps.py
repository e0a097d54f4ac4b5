"""session, AddStep -> events: another attempt, a new version, or a new step of a line.

The rules are those of the design's section 4, by number in the docstrings; where they are silent,
seed 000 holds.
"""

from __future__ import annotations

from typing import Any

from wfnb.errors import (
    BadValue,
    NumberBelowBranch,
    RevisionNotEarlier,
    RevisionWithoutTarget,
    StepUnknown,
)

from . import values
from .commands import AddStep
from .effects import effects
from .events import BranchOpened, BranchReopened, Cell, Event, StepAdded, StepChanged, StepRepeated
from .places import check_origin, line_of, new_line, numbers
from .questions import next_number, stage_named, step_at
from .session import Line, Session, Step
from .stages import required, staged

_MARKS = ("%step", "%%step", "%branch", "%%branch")


def add_step(session: Session, command: AddStep) -> list[Event]:
    """The events of one step. Raises Refused for everything that the rules do not allow."""
    description = values.sentence("step_description", command.description)
    fields = values.fields(command.fields)
    if command.leaves is not None and command.branch is None:
        raise BadValue("branch_id", "", f"the name of the branch that leaves step {command.leaves}")
    known = recognise(session, command)
    opening: list[Event] = []
    if known is not None:
        line, number = session.lines[known.branch], known.number
        check_origin(session, line, command.leaves)
        if _same(known, description, command):
            return [_repeated(known, command)]
    else:
        line, opening = _line(session, command)
        number = next_number(line) if command.number is None else command.number
    revised = _revised(session, line, number, command)
    stage = staged(session, line, known, revised, command.stage)
    required(session, stage, fields)
    total, needed, warnings = _totals(session, number, command)
    done, notes = effects(session, line, stage_named(session, stage), fields)
    warnings += [*notes, *([] if known else _gaps(line, number))]
    says: dict[str, Any] = {
        "branch": line.id,
        "number": number,
        "total": total,
        "total_given": command.total is not None,
        "description": description,
        "next_step_needed": needed,
        "needs_more_steps": command.needs_more_steps,
        "revises": None if revised is None else revised.number,
        "stage": stage,
        "fields": fields,
        "cell": command.cell,
        "warnings": tuple(warnings),
        "process": command.process,
        "outcome": command.outcome,
    }
    if known is not None:
        reworded = _code(known.now.cell) == _code(command.cell) != ""
        return [StepChanged(**says, reworded=reworded), *done]
    return [*opening, StepAdded(**says), *done]


def recognise(session: Session, command: AddStep) -> Step | None:
    """The step that this command means again (rule 7): by its number, else by its cell's id, else
    the first with the same source that this process found when it opened the session and has not
    run yet. None: a new step."""
    if command.number is not None:
        values.whole("step_number", command.number)
        line = session.lines.get(command.branch or command.line)
        return (
            session.steps[line.keys[command.number]]
            if line and command.number in line.keys
            else None
        )
    cell = command.cell
    if cell is None:
        return None
    key = session.cells.get((cell.id, cell.part)) if cell.id is not None else None
    if key is not None and command.branch in (None, session.steps[key].branch):
        return session.steps[key]
    for key in session.sources.get((cell.source, cell.part), ()):
        if key > command.opened:
            return None
        now = session.steps[key].now.cell
        if key not in command.ran and now is not None and now.source == cell.source:
            return session.steps[key]
    return None


def _same(known: Step, description: str, command: AddStep) -> bool:
    """Unchanged: the same source, or without a cell the same words, stage and fields."""
    now = known.now
    if command.cell is not None and now.cell is not None:
        return now.cell.source == command.cell.source
    fields, stage = command.fields or now.fields, command.stage or now.stage
    return (now.description, now.fields, now.stage) == (description, fields, stage)


def _repeated(known: Step, command: AddStep) -> StepRepeated:
    return StepRepeated(
        branch=known.branch,
        number=known.number,
        cell=command.cell,
        process=command.process,
        outcome=command.outcome,
    )


def _code(cell: Cell | None) -> str:
    """The source without the lines that say which step it is."""
    lines = "" if cell is None else cell.source
    return "\n".join(line for line in lines.splitlines() if not line.startswith(_MARKS)).strip()


def _line(session: Session, command: AddStep) -> tuple[Line, list[Event]]:
    """The line of a new step, and the events that open it (rules 2, 4 and 5)."""
    branch = values.branch(command.branch or command.line)
    opening: list[Event] = []
    if branch in session.lines or command.branch is None:
        line = line_of(session, branch)
        check_origin(session, line, command.leaves)
        if line.state in ("merged", "abandoned"):
            opening = [BranchReopened(branch=branch)]
    else:
        line = new_line(session, branch, command.leaves, command.line)
        opening = [BranchOpened(branch=branch, parent=line.parent or "", leaves=line.leaves)]
    if command.number is not None and command.number <= line.leaves:
        raise NumberBelowBranch(command.number, branch, line.leaves + 1)
    return line, opening


def _revised(session: Session, line: Line, number: int, command: AddStep) -> Step | None:
    """The step of its own line that this one revises (rules 2 and 3)."""
    if command.revises is None:
        if command.is_step_revision:
            raise RevisionWithoutTarget(numbers(session, line))
        return None
    wanted = values.whole("revises_step", command.revises)
    if wanted >= number:
        raise RevisionNotEarlier(number, wanted)
    step = step_at(session, line, wanted)
    if step is None:
        raise StepUnknown(wanted, line.id, numbers(session, line))
    return step


def _totals(session: Session, number: int, command: AddStep) -> tuple[int, bool, list[str]]:
    """total_steps, next_step_needed and what to say of them (rule 1 and the option table)."""
    given = None if command.total is None else values.whole("total_steps", command.total)
    total = given or max(session.total or number, number)
    warnings = []
    if total < number:
        warnings = [f"total_steps was {total}, below step {number}: it is {number} now"]
        total = number
    needed = command.next_step_needed
    if needed is None:
        never_given = given is None and session.total is None
        needed = never_given or number < total
    return total, needed, warnings


def _gaps(line: Line, number: int) -> list[str]:
    """Numbers go up by one (rule 5); where they do not, the answer says so."""
    expected = next_number(line)
    if number > expected + 1:
        return [f"steps {expected} to {number - 1} are missing before step {number}"]
    if number > expected:
        return [f"step {expected} is missing before step {number}"]
    if number < expected:
        return [f"step {number} fills a gap: step {line.numbers[-1]} was there before it"]
    return []
