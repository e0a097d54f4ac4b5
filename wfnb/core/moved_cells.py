"""session, a cell with an id that no step has -> the step that this cell goes on with, or copies.

A cell that was cut and pasted, split, merged, or put back has a new id and the words of a step
whose own cell is gone: it is that step. Where the step's own cell is still there, the new one is a
copy, and a step of its own. Words are a title and the code under it. Under the same title it is
enough that the lines of one stand together in the other: a split cell has some lines of the step,
one at least, and a merged cell has more than it.
"""

from __future__ import annotations

from collections.abc import Iterator

from .commands import AddStep, NotebookCells
from .events import Cell
from .session import Session, Step
from .step_magic_lines import lines_of, lines_under, marks
from .validation import first_line
from .yaml_header import code_without_headers


def moved_step(session: Session, command: AddStep, cell: Cell, cells: NotebookCells) -> Step | None:
    """The step that the cell goes on with: of the same source first, else of nearly the same words,
    the oldest of several."""
    similar = _similar_steps(session, command, cell)
    free = [(step, theirs) for step, theirs in similar if not cells.holds(step)]
    same = (step for step, theirs in free if theirs.source == cell.source)
    return next(same, free[0][0] if free else None)


def copied_step(
    session: Session, command: AddStep, cell: Cell, cells: NotebookCells
) -> Step | None:
    """The step whose words the cell has, though that step has its own cell still."""
    for step, theirs in _similar_steps(session, command, cell) if cell.id is not None else ():
        same = own_code(theirs) == own_code(cell)
        if same and step.cell_id != cell.id and cells.holds(step):
            return step
    return None


def own_source(cell: Cell) -> str:
    """The lines of a cell that are one step's: all, where it has no other."""
    magics = marks(cell.source)
    if len(magics) < 2 or cell.part >= len(magics):
        return cell.source
    mine = magics[cell.part]
    return f"{lines_of(cell.source)[mine.row]}\n{lines_under(cell.source, magics, mine)}".rstrip()


def own_code(cell: Cell) -> str:
    """The same without the lines that say which step it is, and what it found."""
    return "\n".join(
        line.rstrip() for line in code_without_headers(own_source(cell)).split("\n")
    ).strip()


def _similar_steps(session: Session, command: AddStep, cell: Cell) -> Iterator[tuple[Step, Cell]]:
    """Steps of cells with the title of the command, on its branch, where it names one; their code
    is that of the cell, a part of it, or has it as a part. Each with the cell that it has now."""
    mine, title = own_code(cell), first_line(command.description)
    for key in session.titles.get(title, ()):
        step = session.steps[key]
        other = step.current.cell
        words = step.written or step.current.description
        # One that runs is being run by its own cell.
        if other is None or step.running is not None:
            continue
        if command.branch not in (None, step.branch) or first_line(words) != title:
            continue
        theirs = own_code(other)
        if mine == theirs or _part(mine, theirs) or _part(theirs, mine):
            yield step, other


def _part(part: str, whole: str) -> bool:
    """Whether the lines of one stand together in the other."""
    return part != "" and f"\n{part}\n" in f"\n{whole}\n"
