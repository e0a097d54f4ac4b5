"""session, AddStep -> the step that it means again, or none: it is a new one.

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

Not taken: the title alone (people write `Plot` ten times), a similarity of all texts with all steps
(a wrong match is worse than a double, and costs grow with the history), and the execution count
(it starts again with each kernel).
"""

from __future__ import annotations

from collections.abc import Iterator

from . import validation
from .commands import AddStep
from .events import BY_PLACE, Cell
from .moved_cells import moved_step
from .session import Session, Step
from .validation import first_line


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
        return _step_of_shared_id(session, command, cell)
    key = session.cells.get((cell.id, cell.part)) if cell.id is not None else None
    if key is not None and command.branch in (None, session.steps[key].branch):
        step = session.steps[key]
        # T3: the id is this step's only while no other cell of the notebook has the step.
        if cells is None or step.cell_id == cell.id or not cells.holds(step):
            return step
    if cell.id is not None and cells is not None:
        # T4: the cells are known, so it shows which steps have lost theirs.
        return moved_step(session, command, cell, cells)
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
    last = None if key is None or key not in command.ran else session.steps[key]
    if last and (last.cell_id != id or command.branch not in (None, last.branch)):
        last = None
    same = [*_of_source(session, command, cell)]
    if last in same:
        return last
    # Nothing ran since the notebook was opened: the cells run in the order of their steps.
    new = [step for step in same if _is_waiting(step, command)]
    if new:
        return new[0]
    if last is not None:
        # Edited, unless another step has these words under another title: then that cell moved.
        return last if not same or title == _title(last) else same[0]
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


def _step_of_shared_id(session: Session, command: AddStep, cell: Cell) -> Step | None:
    """Several cells have the id: the step of one that has this source."""
    for key in session.sources.get((cell.source, cell.part), ()):
        step = session.steps[key]
        if step.cell_id == cell.id and command.branch in (None, step.branch):
            return step
    return None
