"""a session and a step's number -> the code of the step's cell, for a tool that runs it again."""

from __future__ import annotations

from wfnb.core.events import Cell
from wfnb.core.session import Session
from wfnb.core.step_lookup import find
from wfnb.core.step_magic_lines import is_plain, lines_under, marks
from wfnb.core.validation import MAX_SOURCE, StepPlace
from wfnb.core.yaml_header import split_header
from wfnb.workflows.tools.call_context import StepCode
from wfnb.workflows.tools.result_fields import ToolFailed


def code_of(session: Session, line: str, number: int, branch: str | None = None) -> StepCode:
    """What the newest version of a step ran: of that number on the branch, else as the line sees
    it.

    Raises Refused where there is no such step, ToolFailed where it has no code that is known whole.
    """
    step = find(session, StepPlace(number=number, branch=branch), line)
    cell = step.current.cell
    if cell is None or step.current.outcome is not None:  # it ran nothing: it was done at once
        raise ToolFailed(f"Step {number} is words only: it has no code to run.")
    if len(cell.source) > MAX_SOURCE:
        most = f"{MAX_SOURCE:,} characters"
        raise ToolFailed(f"The cell of step {number} is kept up to {most} only, and cannot be run.")
    code = _body(cell)
    if code is None:
        way = "Open each step of that cell by a `%step` line of its own that is not indented."
        raise ToolFailed(f"It cannot be told which lines of its cell are step {number}. {way}")
    return StepCode(code=code, step=number, version=len(step.versions), hidden=step.hidden)


def _body(cell: Cell) -> str | None:
    """The lines under the mark of the step, on the lines where they are in the cell. None where a
    program opened it, or a mark is indented, so that it may have run never or often."""
    found = marks(cell.source)
    if cell.part == 0 and is_plain(cell.source):
        return cell.source
    if cell.part >= len(found) or any(mark.column for mark in found):
        return None
    mark = found[cell.part]
    # Empty lines in front, so that line numbers in a traceback are those of the cell.
    return "\n" * (mark.row + 1) + split_header(lines_under(cell.source, found, mark))[1]
