"""session, AddStep -> events: another attempt, a new version, or a new step of a line.

The rules are those of docs/rules.md, by number.

Theory of operation: which step does a cell mean?
-------------------------------------------------

A cell does not say which step it is: `%%step Load the data` has a title and code. The same cell
runs again after an edit, after a restart, after it was moved, and from a program that sends no
cell ids. Each time it must be the same step, or the history has doubles. What is known:

    the number      of `%%step 3 Load`, where one is written
    the cell's id   from JupyterLab and nbformat 4.5; stable over edits, new after paste. That of
                    VS Code is given by place whenever it opens the notebook
    the part        a cell may hold several steps; this is the place of the step in its cell
    the source      the text of the step, as it was recorded last
    the notebook    which cells it has now, where a front end says so: some ids are gone, and a
                    copied file or a merge may have an id twice

The order of the tests; the first that matches decides. They are T1 to T7 below; a *rule* is one of
docs/rules.md, and this is rule 7:

 T1. A number means the step of that number on its line, whatever cell it comes from.
 T2. An id that two cells of the notebook have tells nothing: among the steps with this id, the one
     with this source is meant.
 T3. An id that recorded a step means that step. It does not where the step has another cell now,
     which is still in the notebook: then this cell is an older one that came back.
 T4. Any other id, where the notebook's cells are known: a step whose own cell is gone and whose
     words are nearly these (`moved_cells.py`). It was cut and pasted, split or merged.
 T5. No id, or nothing known of the notebook: the first step with exactly this source that was there
     when this process opened the session and that it has not run yet. So a script that runs twice
     repeats its steps in order, and two cells with equal text stay two steps.
 T6. No id, and this process has run as many steps with exactly this source as the notebook has
     cells with it: the one of them that has the fewest attempts. Where no file is known, a person
     has one such cell, and runs it again. A program runs a notebook once: each cell that it sends
     is a step of its own, and so are those of a loop.
 T7. Otherwise the step is new.

An id by place says which cell it is as long as the notebook stays open, and what it was before is
only a hint (`_by_words`): the source says more, then the title.

A step that is found is then a repetition where source and meaning are unchanged (StepRepeated: one
more attempt), else a new version (StepChanged). A cell that runs a version again, as it was, which
backtracking has withdrawn, takes nothing back: it is a repetition.

Not taken: the title alone (people write `Plot` ten times), a similarity of all texts with all steps
(a wrong match is worse than a double, and costs grow with the history), and the execution count
(it starts again with each kernel).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

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
from .editing import tags
from .events import (
    BY_PLACE,
    REMARKS,
    BranchOpened,
    BranchReopened,
    BranchSelected,
    Cell,
    Event,
    StepAdded,
    StepChanged,
    StepRepeated,
)
from .extension import amend_step
from .moved_cells import copied_step, moved_step
from .queries import next_number, stage_named, step_at
from .session import Line, Session, Step
from .stage_effects import effects
from .stages import check_required_fields, choose_stage, collect_answers, foreign
from .step_lookup import check_origin, line_of, new_line, numbers
from .step_totals import totals
from .strategy_ledgers import fill_fields
from .validation import first_line
from .yaml_header import code_without_headers

_COUNTS = re.compile(r"(?:out )?of\b|%|percent\b|times\b", re.IGNORECASE)
"""How a title goes on after a number that is a part of it."""


def add_step(session: Session, command: AddStep) -> list[Event]:
    """The events of one step. Raises Refused for everything that the rules do not allow."""
    description = validation.sentence("step_description", command.description)
    if command.leaves is not None and command.branch is None:
        raise BadValue("branch_id", "", f"the name of the branch that leaves step {command.leaves}")
    known = recognise(session, command)
    is_declared = command.next_step_needed is not None
    if known is not None and command.cell is None:
        is_declared = is_declared or known.current.declared
        command = _with_unsaid_as_before(known, command)
    fields = validation.fields(command.fields)
    if known is not None and known.written == description:  # its cell runs with the words it had
        description = known.current.description
    named_tags = tags(command.tags)
    # Mostly it says what it said: a command has many fields, and is not made anew for nothing.
    if fields or (description, named_tags) != (command.description, command.tags):
        command = replace(command, description=description, fields=fields, tags=named_tags)
    opening: list[Event] = []
    if known is not None:
        line, number = session.lines[known.branch], known.number
        check_origin(session, line, command.leaves)
    else:
        line, opening = _line(session, command)
        number = next_number(line) if command.number is None else command.number
    if command.numeral is not None:
        _check_numeral(line, number, known, command)
    revised = _revised_step(session, line, number, command)
    total, needed, warnings = totals(session, number, command, known=known)
    if known is not None and (
        _same(known, total, command) or _repeats_withdrawn_version(known, command)
    ):
        return [_repeat_event(known, command)]
    # After the test for a repetition: a cell that only runs again is asked for nothing.
    amended = amend_step(session, line, number, known, command)
    if amended is not None:
        total, needed, warnings = amended.total, amended.needed, [*amended.warnings]
        opening += amended.opening
    stage_name = choose_stage(session, line, number, known, revised, command.stage)
    stage = stage_named(session, stage_name)
    fields, answer_notes = collect_answers(session, stage, fields)
    if stage is not None:
        if stage.branch_as is not None and line.parent is not None:
            # What the step says itself stands.
            fields = {stage.branch_as: line.id, **fields}
        fields, fill_notes = fill_fields(session, line, number, stage, fields, description)
        answer_notes += fill_notes
    check_required_fields(session, stage_name, fields)
    warnings += [*foreign(session, stage, fields), *answer_notes]
    final = stage is not None and not stage.next and command.next_step_needed is None
    if final:
        needed = False  # the strategy ends here, and the line with it
    follow_ups, effect_notes = effects(session, line, stage, fields)
    warnings += [
        *effect_notes,
        *(_number_warnings(known, command) if known else _gaps(line, number)),
    ]
    warnings += _doubles(session, known, command)
    content: dict[str, Any] = {
        **{name: getattr(command, name) for name in REMARKS},
        "branch": line.id,
        "number": number,
        "total": total,
        "total_given": amended.given if amended else command.total is not None,
        "description": description,
        "next_step_needed": needed,
        "revises": None if revised is None else revised.number,
        "stage": stage_name,
        "fields": fields,
        "cell": command.cell,
        "warnings": tuple(warnings),
        "still": _unmet_revisions(known, command),
        "process": command.process,
        "outcome": command.outcome,
        "findings": amended.findings if amended else command.findings,
        "end": amended.end if amended else None,
        "keep": command.keep,
        "flow": command.flow,
        "declared": final or is_declared or (amended is not None and amended.declares),
        "asked": amended.asked if amended else None,
        "planned": amended.planned if amended else None,
        "selects": ", ".join(e.branch for e in follow_ups if isinstance(e, BranchSelected)) or None,
        "tags": command.tags,
    }
    if known is not None:
        return [StepChanged(**content, reworded=_is_reworded(known, command)), *follow_ups]
    return [*opening, StepAdded(**content), *follow_ups]


def recognise(session: Session, command: AddStep) -> Step | None:
    """The step that this command means again (rule 7). None: a new step."""
    if command.number is not None:
        # T1: a person who writes a number means it.
        validation.whole("step_number", command.number)
        line = session.lines.get(command.line if command.branch is None else command.branch)
        return (
            session.steps[line.keys[command.number]]
            if line and command.number in line.keys
            else None
        )
    cell, cells = command.cell, command.cells
    if cell is None:
        return None
    if cell.id is not None and cell.id.startswith(BY_PLACE):
        # Such an id is another one whenever the notebook is opened.
        return _by_words(session, command, cell, cell.id)
    if cell.id is not None and cells is not None and cell.id in cells.twice:
        # T2: the id tells nothing, the source does.
        return _step_of_shared_id(session, command)
    key = session.cells.get((cell.id, cell.part)) if cell.id is not None else None
    if key is not None and command.branch in (None, session.steps[key].branch):
        step = session.steps[key]
        # T3: the id is this step's only while no other cell of the notebook has the step.
        if cells is None or step.cell_id == cell.id or not cells.holds(step):
            return step
    if cell.id is not None and cells is not None:
        # T4: the cells are known, so it shows which steps have lost theirs.
        return moved_step(session, command, cells)
    for key in session.sources.get((cell.source, cell.part), ()):
        # T5. Positions go up: what follows was recorded by this process, and is another cell's.
        if key > command.opened:
            break
        step = session.steps[key]
        now = step.current.cell
        mine = key not in command.ran and command.branch in (None, step.branch)
        if mine and now is not None and now.source == cell.source:
            return step
    # T6 and T7.
    return None if command.alike is None else _ran_again(session, command, cell)


def _ran_again(session: Session, command: AddStep, cell: Cell) -> Step | None:
    """No cell has an id, and each that has this source has run: the step of the next of them."""
    ran = [step for step in _of_source(session, command, cell) if step.key in command.ran]
    if len(ran) < max(1, command.alike or 1):
        return None
    # Cells with equal source run in the order of the notebook, so the next is the least run one.
    return min(ran, key=lambda step: (step.attempts, step.key))


def _by_words(session: Session, command: AddStep, cell: Cell, id: str) -> Step | None:
    """The cell's id is given by place. It tells what this process ran in the cell, unless other
    words stand there that another cell had: then the notebook was opened again. What an earlier one
    ran is found by its source, else by its title, where one step has it or had this id, too."""
    title = first_line(command.description)
    key = session.cells.get((id, cell.part))
    known = None if key is None or key not in command.ran else session.steps[key]
    if known and (known.cell_id != id or command.branch not in (None, known.branch)):
        known = None
    same = [*_of_source(session, command, cell)]
    if known in same:
        return known
    # Nothing ran since the notebook was opened: the cells run in the order of their steps.
    new = [step for step in same if _is_waiting(step, command)]
    if new:
        return new[0]
    if known is not None:
        # Edited, unless another step has these words under another title: then that cell moved.
        return known if not same or title == _title(known) else same[0]
    moved = [step for step in same if _has_lost_its_cell(session, step)]
    if moved:
        return moved[0]
    steps = (session.steps[key] for key in session.titles.get(title, ()))
    titled = [step for step in steps if title == _title(step) and _is_waiting(step, command)]
    # The title alone decides only where it is no guess.
    near = [step for step in titled if step.cell_id == id]
    return near[0] if near else titled[0] if len(titled) == 1 else None


def _has_lost_its_cell(session: Session, step: Step) -> bool:
    """Whether the id of the cell that it ran in is that of another cell now."""
    part = step.current.cell.part if step.current.cell else 0
    return step.cell_id is not None and session.cells.get((step.cell_id, part)) != step.key


def _of_source(session: Session, command: AddStep, cell: Cell) -> Iterator[Step]:
    """Steps that have exactly this source now, on the command's branch, where it names one."""
    for key in session.sources.get((cell.source, cell.part), ()):
        step = session.steps[key]
        now = step.current.cell
        if now and now.source == cell.source and command.branch in (None, step.branch):
            yield step


def _is_waiting(step: Step, command: AddStep) -> bool:
    """Whether it was there when this process opened the session, and was not run since."""
    return step.key <= command.opened and step.key not in command.ran


def _title(step: Step) -> str:
    return first_line(step.written or step.current.description)


def _step_of_shared_id(session: Session, command: AddStep) -> Step | None:
    """Several cells have the id: the step of one that has this source."""
    cell = command.cell
    for key in session.sources.get((cell.source, cell.part), ()) if cell else ():
        step = session.steps[key]
        if cell and step.cell_id == cell.id and command.branch in (None, step.branch):
            return step
    return None


def _doubles(session: Session, known: Step | None, command: AddStep) -> list[str]:
    """Words that another cell has too, and an id that several cells have: said, not refused."""
    cell, cells = command.cell, command.cells
    if cell is None or cells is None:
        return []
    said = []
    if cell.id in cells.twice:
        said.append(
            f"several cells of this notebook have the id {cell.id[:40]!r}: they are told apart by "
            "their source"
        )
    other = copied_step(session, command, cells) if known is None else None
    if other is not None:
        where = validation.place_text(other.branch, other.number)
        said.append(f"same words as step {where}; copied?")
    return said


def _with_unsaid_as_before(known: Step, command: AddStep) -> AddStep:
    """Without a cell that says everything, what is not said again stays as it was."""
    now = known.current
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


def _same(known: Step, total: int, command: AddStep) -> bool:
    """Unchanged: the same source, or without a cell nothing said that was not so already."""
    now = known.current
    if command.cell is not None and now.cell is not None:
        return now.cell.source == command.cell.source
    return (
        _content_same(known, command)
        and command.next_step_needed in (None, now.next_step_needed)
        and all(getattr(command, name) in (None, getattr(now, name)) for name in REMARKS)
        and (command.total is None or (now.total_given and now.total == total))
    )


def _repeats_withdrawn_version(known: Step, command: AddStep) -> bool:
    """Whether it is an attempt of a version that was withdrawn: its cell runs again, as it was, and
    takes nothing back. Without a cell's id: where this process has not run the step."""
    cell = command.cell
    if cell is None or (cell.id is None and known.key in command.ran):
        return False
    old = (known.versions[at].cell for at in known.withdrawn_versions)
    return any(it is not None and (it.id, it.source) == (cell.id, cell.source) for it in old)


def _is_reworded(known: Step, command: AddStep) -> bool:
    """The code is the same, or where there is none what the step says; so what came after it
    still holds."""
    now = _code(command.cell)
    return now == _code(known.current.cell) and (now != "" or _content_same(known, command))


def _content_same(known: Step, command: AddStep) -> bool:
    now = known.current
    says = (command.description, command.fields, command.revises)
    found = command.findings
    if found is not None and now.findings is not None:  # a level that was not said is as it was
        found = replace(found, confidence=found.confidence or now.findings.confidence)
    return (
        command.stage in (None, now.stage)
        and found in (None, now.findings)
        and says == (now.description, now.fields, now.revises)
    )


def _repeat_event(known: Step, command: AddStep) -> StepRepeated:
    """Its source is not recorded again where it is the step's already."""
    cell, now = command.cell, known.current.cell
    if cell is not None and now is not None and cell.source == now.source:
        # A cell that runs a thousand times is in the journal once.
        cell = replace(cell, source="")
    return StepRepeated(
        branch=known.branch,
        number=known.number,
        cell=cell,
        still=_unmet_revisions(known, command),
        process=command.process,
        outcome=command.outcome,
        keep=command.keep,
        flow=command.flow,
    )


def _unmet_revisions(known: Step | None, command: AddStep) -> tuple[int, ...]:
    """The revisions that this attempt of a stale step is not built on: those of before this
    process opened the session that it has not run (rule 8)."""
    causes = () if known is None else known.made_stale_by
    return tuple(key for key in causes if key <= command.opened and key not in command.ran)


def _code(cell: Cell | None) -> str:
    """The source without the lines that say which step it is, and what it found."""
    return "" if cell is None else code_without_headers(cell.source)


def _line(session: Session, command: AddStep) -> tuple[Line, list[Event]]:
    """The line of a new step, and the events that open it (rules 2, 4 and 5)."""
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


def _check_numeral(line: Line, number: int, known: Step | None, command: AddStep) -> None:
    """A number that leaps, counts something ("2 of them"), or is that of another cell's step of
    another title, may be the beginning of a title: NumberOrTitle asks (rule 5)."""
    numeral, title = str(command.numeral), first_line(command.description)
    expected = next_number(line)
    if known is None:
        leaps = "/" not in numeral and number > expected + 1
        doubt = f"Step {expected} is next." if leaps else ""
        if not leaps and (counts := _COUNTS.match(title)):
            doubt = f"Few titles begin with {counts[0]!r}."
    else:
        words = first_line(known.current.description)
        other = _of_another_cell(known, command) and title != words
        doubt = f"Step {number} is {words[:60]!r}, of another cell." if other else ""
    if doubt:
        raise NumberOrTitle(numeral, title, doubt, command.branch or "")


def _of_another_cell(known: Step, command: AddStep) -> bool:
    id = command.cell.id if command.cell else None
    if id is None or known.cell_id in (None, id):
        return False
    # An id by place proves nothing of an earlier opening: only what ran in this process does.
    return known.key in command.ran or not id.startswith(BY_PLACE)


def _number_warnings(known: Step, command: AddStep) -> list[str]:
    """A number that another cell has is a new version of its step; a title may have been meant."""
    others = _of_another_cell(known, command)
    if command.number is None or not others or command.description == known.current.description:
        return []
    title = first_line(known.current.description)[:60]
    return [
        f"this is a new version of step {known.number}, {title!r}, of another cell; "
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
