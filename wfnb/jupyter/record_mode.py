"""a plain cell -> whether it is a step; if so the step, by the same way as `%%step` opens it.

The hook before a cell opens it, not a transformer of its text: a line more would move the lines of
tracebacks, and IPython calls transformers more often than it runs cells.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

from wfnb.core.session import Step
from wfnb.core.step_magic_lines import is_plain, marks, runs
from wfnb.core.validation import source as kept_source
from wfnb.errors import WfnbError
from wfnb.identity.notebook_document import CodeCell
from wfnb.identity.session_resolver import SessionMatch

from . import cell_text
from .input_transform import plain_python
from .ipython_compat import request_part
from .magic_grammar import QuotedWord, Words
from .magic_options import StepOptions
from .notebook import Notebook
from .running_cell import Running
from .step_command import open_step

STEP_TAG = "wfnb-step"
"""A cell with this tag is a step, as one is that begins with `%%step`."""


class RecordMode:
    """Of one notebook: its plain cells that are steps."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._unopened: tuple[SessionMatch, bool] | None = None
        """Whether plain cells are steps in a session that is not open yet."""

    def is_on(self) -> bool:
        """Whether plain cells are steps: in the session in use, else in the one that would be."""
        notebook = self._notebook
        if notebook.workspace is not None and notebook.workspace.session.recording is not None:
            return notebook.workspace.session.plain_cells_are_steps
        if notebook.workspace is not None or notebook.keeps_going:
            return notebook.keeps_going
        with suppress(WfnbError):
            found = notebook.find_session()
            if found is None:
                return False
            # Replaying a session takes time, and plain cells come one after the other.
            if self._unopened is None or self._unopened[0] is not found:
                self._unopened = found, found.home.look(found.info).plain_cells_are_steps
            return self._unopened[1]
        return False

    def steps_in(self, cell: CodeCell) -> int:
        """How many steps a cell of the file opens."""
        is_whole = is_plain(cell.source) and (STEP_TAG in cell.tags or self.is_on())
        return len(marks(cell.source)) or int(is_whole)

    def is_step(self, running: Running, again: Step | None) -> bool:
        """Whether all of the cell is a step, though no line of it says so; `again`: of that step
        the cell is run once more."""
        if not runs(running.source):
            return False
        cell = None if again is None else again.current.cell
        if cell is not None:
            return cell.source == kept_source(running.source.rstrip())
        shell = self._notebook.shell
        is_silent = bool(request_part(shell, "content", "silent"))
        if running.outer is not None or running.is_front_ends_own or is_silent:
            return False
        if STEP_TAG in self._tags(running):
            return True
        return self.is_on() and not cell_text.only_shows(plain_python(shell, running.source))

    def record(self, running: Running) -> None:
        """Open the step that the cell is. Where it is refused, the cell runs as a plain one."""
        workspace = self._notebook.workspace
        chosen = None if workspace is None else workspace.session.recording
        quiet = self._notebook.keeps_going if chosen is None else chosen.quiet
        running.whole = True
        try:
            self._open(self._heading(running), quiet)
        except WfnbError as error:
            print(f"wfnb: this cell is not recorded. {error}", file=sys.stderr)
        # A program, or the reason of a refusal, may have recorded none.
        running.whole = bool(running.lines)
        running.tried = running.whole

    def _open(self, heading: str, quiet: bool) -> None:
        """Its title is the heading above it, else its first comment, else its first line of
        code."""
        body = self._notebook.body(None) or ""
        comment = cell_text.words(body)
        if heading == comment.partition("\n")[0]:
            heading = ""
        title = heading or ("" if comment else cell_text.title_line(body))
        options = StepOptions(quiet=True) if quiet else StepOptions()
        words = Words(words=(QuotedWord(title),) if title else (), options=options)
        open_step(self._notebook, words)

    def _tags(self, running: Running) -> Sequence[object]:
        """The cell's tags: as JupyterLab says them with it, else as the file has them."""
        tags = request_part(self._notebook.shell, "metadata", "tags")
        if isinstance(tags, list) or self._notebook.open_notebooks.says_cells():
            return tags if isinstance(tags, list) else ()
        found = self._notebook.location.cell_in_file(running)
        return () if found is None else found.tags

    def _heading(self, running: Running) -> str:
        """The heading of the Markdown cell right above it."""
        cells = self._notebook.cells
        if running.id is not None and cells is not None and running.id in cells.steps:
            return cells.headings.get(running.id, "")
        found = self._notebook.location.cell_in_file(running)
        return "" if found is None else found.heading
