"""session, AddStep -> events: another attempt, a new version, or a new step of a line.

The rules are those of docs/rules.md, by number. Which step a cell means is told by
`step_recognition.py` (rule 7). A step that is found is then a repetition where source and meaning
are unchanged (StepRepeated: one more attempt), else a new version (StepChanged). A cell that runs a
version again, as it was, which backtracking has withdrawn, takes nothing back: it is a repetition.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

from wfnb.errors import (
    BadValue,
    BranchNear,
    NumberBelowBranch,
    NumberOrTitle,
    RevisionNotEarlier,
    RevisionWithoutTarget,
    StepUnknown,
)

from . import validation
from .branch_names import similar_name
from .commands import AddStep
from .events import (
    BY_PLACE,
    REMARKS,
    BranchOpened,
    BranchReopened,
    Cell,
    Event,
    StepAdded,
    StepChanged,
    StepRepeated,
)
from .extension import amend_step
from .moved_cells import copied_step
from .queries import next_number, step_at
from .session import Line, Session, Step
from .stage_effects import effects_at_end
from .stages import choose_stage, take_stage
from .step_lookup import check_origin, line_of, new_line, numbers
from .step_recognition import recognise
from .validation import first_line
from .yaml_header import code_without_headers

_COUNTS = re.compile(r"(?:out )?of\b|%|percent\b|times\b", re.IGNORECASE)
"""How a title goes on after a number that is a part of it."""


def add_step(session: Session, command: AddStep) -> list[Event]:
    """The events of one step. Raises Refused for everything that the rules do not allow."""
    if command.leaves is not None and command.branch is None:
        raise BadValue("branch_id", "", f"the name of the branch that leaves step {command.leaves}")
    existing = recognise(session, command)
    is_declared = command.next_step_needed is not None
    if existing is not None and command.cell is None:
        is_declared = is_declared or existing.current.declared
        command = _with_unsaid_as_before(existing, command)
    command = _with_valid_words(existing, command)
    line, number, opening = _place(session, existing, command)
    revised = _revised_step(session, line, number, command)
    total, needed, warnings = totals(session, number, command, existing=existing)
    if existing is not None and (
        _same(existing, total, command) or _repeats_withdrawn_version(existing, command)
    ):
        return _repeat_events(session, existing, command)
    # After the test for a repetition: a cell that only runs again is asked for nothing.
    amended = amend_step(session, line, number, existing, command)
    if amended is not None:
        total, needed, warnings = amended.total, amended.needed, [*amended.warnings]
        opening += amended.opening
    stage_name = choose_stage(session, line, number, existing, revised, command.stage)
    by_stage = take_stage(session, line, number, stage_name, command)
    warnings += by_stage.warnings
    warnings += _number_warnings(existing, command) if existing else _gaps(line, number)
    warnings += _doubles(session, existing, command)
    is_declared |= by_stage.ends_line or (amended is not None and amended.declares)
    content: dict[str, Any] = {
        **{name: getattr(command, name) for name in REMARKS},
        "branch": line.id,
        "number": number,
        "total": total,
        "total_given": amended.given if amended else command.total is not None,
        "description": command.description,
        "next_step_needed": needed and not by_stage.ends_line,
        "revises": None if revised is None else revised.number,
        "stage": stage_name,
        "fields": by_stage.fields,
        "cell": command.cell,
        "warnings": tuple(warnings),
        "still": _unmet_revisions(existing, command),
        "process": command.process,
        "outcome": command.outcome,
        "findings": amended.findings if amended else command.findings,
        "end": amended.end if amended else None,
        "keep": command.keep,
        "flow": command.flow,
        "declared": is_declared,
        "asked": amended.wants_end if amended else None,
        "planned": amended.planned if amended else None,
        "tags": command.tags,
    }
    if existing is not None:
        return [
            StepChanged(**content, reworded=_is_reworded(existing, command)),
            *by_stage.follow_ups,
        ]
    return [*opening, StepAdded(**content), *by_stage.follow_ups]


def _with_valid_words(existing: Step | None, command: AddStep) -> AddStep:
    """The command with what it says in the form in which it is recorded. Raises BadValue."""
    description = validation.description(command.description)
    fields, tags = validation.fields(command.fields), validation.tags(command.tags)
    if (
        existing is not None and existing.written == description
    ):  # its cell runs with the words it had
        description = existing.current.description
    # Mostly it says what it said: a command has many fields, and is not made anew for nothing.
    if fields or (description, tags) != (command.description, command.tags):
        command = replace(command, description=description, fields=fields, tags=tags)
    return command


def _doubles(session: Session, existing: Step | None, command: AddStep) -> list[str]:
    """Words that another cell has too, and an id that several cells have: said, not refused."""
    cell, cells = command.cell, command.cells
    if cell is None or cells is None:
        return []
    notes = []
    if cell.id in cells.twice:
        notes.append(
            f"several cells of this notebook have the id {cell.id[:40]!r}: they are told apart by "
            "their source"
        )
    other = copied_step(session, command, cell, cells) if existing is None else None
    if other is not None:
        where = validation.place_text(other.branch, other.number)
        notes.append(f"same words as step {where}; copied?")
    return notes


def _with_unsaid_as_before(existing: Step, command: AddStep) -> AddStep:
    """Without a cell that says everything, what is not said again stays as it was."""
    now = existing.current
    needed, total = command.next_step_needed, command.total
    keeps = command.revises is None and command.is_step_revision is not False
    unsaid = [name for name in REMARKS if getattr(command, name) is None]
    return replace(
        command,
        **{name: getattr(now, name) for name in unsaid},
        fields=command.fields or now.fields,
        findings=now.findings if command.findings is None else command.findings,
        revises=now.revises if keeps else command.revises,
        next_step_needed=now.next_step_needed if needed is None else needed,
        total=now.total if total is None and now.total_given else total,
    )


def _same(existing: Step, total: int, command: AddStep) -> bool:
    """Unchanged: the same source, or without a cell nothing said that was not so already."""
    now = existing.current
    if command.cell is not None and now.cell is not None:
        return now.cell.source == command.cell.source
    return (
        _content_same(existing, command)
        and command.next_step_needed in (None, now.next_step_needed)
        and all(getattr(command, name) in (None, getattr(now, name)) for name in REMARKS)
        and (command.total is None or (now.total_given and now.total == total))
    )


def _repeats_withdrawn_version(existing: Step, command: AddStep) -> bool:
    """Whether it is an attempt of a version that was withdrawn: its cell runs again, as it was, and
    takes nothing back. Without a cell's id: where this process has not run the step."""
    cell = command.cell
    if cell is None or (cell.id is None and existing.key in command.ran):
        return False
    old = (existing.versions[at].cell for at in existing.withdrawn_versions)
    return any(it is not None and (it.id, it.source) == (cell.id, cell.source) for it in old)


def _is_reworded(existing: Step, command: AddStep) -> bool:
    """The code is the same, or where there is none what the step says; so what came after it
    still holds."""
    now = _code(command.cell)
    return now == _code(existing.current.cell) and (now != "" or _content_same(existing, command))


def _content_same(existing: Step, command: AddStep) -> bool:
    now = existing.current
    says = (command.description, command.fields, command.revises)
    findings = command.findings
    if findings is not None and now.findings is not None:  # a level that was not said is as it was
        findings = replace(findings, confidence=findings.confidence or now.findings.confidence)
    return (
        command.stage in (None, now.stage)
        and findings in (None, now.findings)
        and says == (now.description, now.fields, now.revises)
    )


def _repeat_events(session: Session, existing: Step, command: AddStep) -> list[Event]:
    """Its source is not recorded again where it is the step's already."""
    cell, now = command.cell, existing.current.cell
    if cell is not None and now is not None and cell.source == now.source:
        # A cell that runs a thousand times is in the journal once.
        cell = replace(cell, source="")
    follow_ups, warnings = effects_at_end(session, existing, command.outcome)
    repeated = StepRepeated(
        branch=existing.branch,
        number=existing.number,
        cell=cell,
        still=_unmet_revisions(existing, command),
        process=command.process,
        outcome=command.outcome,
        keep=command.keep,
        flow=command.flow,
        warnings=tuple(warnings),
    )
    return [repeated, *follow_ups]


def _unmet_revisions(existing: Step | None, command: AddStep) -> tuple[int, ...]:
    """The revisions that this attempt of a stale step is not built on: those of before this
    process opened the session that it has not run (rule 8)."""
    causes = () if existing is None else existing.made_stale_by
    return tuple(key for key in causes if key <= command.opened and key not in command.ran)


def _code(cell: Cell | None) -> str:
    """The source without the lines that say which step it is, and what it found."""
    return "" if cell is None else code_without_headers(cell.source)


def _place(
    session: Session, existing: Step | None, command: AddStep
) -> tuple[Line, int, list[Event]]:
    """The line of the step, its number, and the events that open the line (rules 2, 4 and 5)."""
    opening: list[Event] = []
    if existing is not None:
        line, number = session.lines[existing.branch], existing.number
        check_origin(session, line, command.leaves)
    else:
        line, opening = _line(session, command)
        number = next_number(line) if command.number is None else command.number
    if command.numeral is not None:
        _check_numeral(line, number, existing, command)
    return line, number, opening


def _line(session: Session, command: AddStep) -> tuple[Line, list[Event]]:
    """The line of a new step, and the events that open it."""
    branch = validation.branch(command.line if command.branch is None else command.branch)
    opening: list[Event] = []
    if branch in session.lines or command.branch is None:
        line = line_of(session, branch)
        check_origin(session, line, command.leaves)
        if line.state in ("merged", "abandoned"):
            # Whoever goes on with a branch takes back what was decided about it.
            opening = [BranchReopened(branch=branch)]
    else:
        # With a place to leave, a new branch is meant: a slip of the pen does not name one.
        meant = similar_name(branch, session.lines) if command.leaves is None else None
        if meant is not None:
            raise BranchNear(branch, meant)
        line = new_line(session, branch, command.leaves, command.line)
        opening = [BranchOpened(branch=branch, parent=line.parent or "", leaves=line.leaves)]
    if command.number is not None and command.number <= line.leaves:
        raise NumberBelowBranch(command.number, branch, line.leaves + 1)
    return line, opening


def _revised_step(session: Session, line: Line, number: int, command: AddStep) -> Step | None:
    """The step of its own line that this one revises (rules 2 and 3)."""
    if command.revises is None:
        if command.is_step_revision:
            raise RevisionWithoutTarget(numbers(session, line))
        return None
    if command.is_step_revision is False:
        needs = f"true, or no step that it revises (revises_step is {command.revises})"
        raise BadValue("is_step_revision", "False", needs)
    wanted = validation.whole("revises_step", command.revises)
    step = step_at(session, line, wanted)
    if step is None and wanted != number:
        raise StepUnknown(wanted, line.id, numbers(session, line))
    if step is None or wanted >= number:
        raise RevisionNotEarlier(number, wanted)
    return step


def _check_numeral(line: Line, number: int, existing: Step | None, command: AddStep) -> None:
    """A number that leaps, counts something ("2 of them"), or is that of another cell's step of
    another title, may be the beginning of a title: NumberOrTitle asks (rule 5)."""
    numeral, title = str(command.numeral), first_line(command.description)
    expected = next_number(line)
    if existing is None:
        leaps = "/" not in numeral and number > expected + 1
        doubt = f"Step {expected} is next." if leaps else ""
        if not leaps and (counts := _COUNTS.match(title)):
            doubt = f"Few titles begin with {counts[0]!r}."
    else:
        words = first_line(existing.current.description)
        other = _of_another_cell(existing, command) and title != words
        doubt = f"Step {number} is {words[:60]!r}, of another cell." if other else ""
    if doubt:
        raise NumberOrTitle(numeral, title, doubt, command.branch or "")


def _of_another_cell(existing: Step, command: AddStep) -> bool:
    id = command.cell.id if command.cell else None
    if id is None or existing.cell_id in (None, id):
        return False
    # An id by place proves nothing of an earlier opening: only what ran in this process does.
    return existing.key in command.ran or not id.startswith(BY_PLACE)


def _number_warnings(existing: Step, command: AddStep) -> list[str]:
    """A number that another cell has is a new version of its step; a title may have been meant."""
    others = _of_another_cell(existing, command)
    if command.number is None or not others or command.description == existing.current.description:
        return []
    title = first_line(existing.current.description)[:60]
    return [
        f"this is a new version of step {existing.number}, {title!r}, of another cell; "
        "a title that begins with a number goes in quotes"
    ]


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


class StepTotals(NamedTuple):
    """How many steps there are to be, whether more are needed, and what to say of both."""

    total: int
    needed: bool
    warnings: list[str]


def totals(
    session: Session,
    number: int,
    command: AddStep,
    planned: int | None = None,
    existing: Step | None = None,
) -> StepTotals:
    """As rule 1 and the option table have it.
    `planned` is the total where the step says none and something else than the session does;
    `existing` is the step as it was, where it is one again."""
    given = None if command.total is None else validation.whole("total_steps", command.total)
    total = given or max(planned or session.total or number, number)
    warnings = []
    if total < number:
        warnings = [f"total_steps was {total}, below step {number}: it is {number} now"]
        total = number
    needed = command.next_step_needed
    if needed is None:
        unsaid = given is None and planned is None
        beyond = session.total is None or number > session.total or _went_beyond(existing)
        needed = (unsaid and beyond) or number < total
    return StepTotals(total, needed, warnings)


def _went_beyond(existing: Step | None) -> bool:
    """Whether the step went on beyond the estimate, and so raised it to its own number."""
    now = None if existing is None else existing.current
    return (
        now is not None
        and now.next_step_needed
        and now.number == now.total
        and not (now.total_given or now.declared)
    )
