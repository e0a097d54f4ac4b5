"""a magic's line -> words -> the engine: declare, parse, ask.

What the engine refuses becomes one line of IPython's own UsageError, here and nowhere else; a
fault of ours keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand

from wfnb.errors import WfnbError
from wfnb.views.said import Said

from .notebook import Notebook
from .options import BRANCH, RUN, STEP
from .show import show
from .steps import open_branch, open_step
from .table import overview, verb


def told(magic: Callable[..., None]) -> Callable[..., None]:
    """What wfnb refuses is told in one line."""

    @wraps(magic)
    def asked(self: Any, line: str, cell: str | None = None) -> None:
        try:
            magic(self, line) if cell is None else magic(self, line, cell)
        except WfnbError as refusal:
            raise UsageError(str(refusal)) from None

    return asked


@magics_class
class WfnbMagics(Magics):
    """The magics of one kernel."""

    def __init__(self, shell: InteractiveShell, notebook: Notebook) -> None:
        super().__init__(shell)
        self.kernel = shell
        self.notebook = notebook

    @no_var_expand
    @line_cell_magic
    @told
    def step(self, line: str, cell: str | None = None) -> None:
        if cell is not None:
            self._nested("step", line, cell)
        elif not line.strip() and not (self.notebook.body("") or "").strip():
            show(self.kernel, Said(STEP.help(), None, block=True))
        else:
            open_step(self.notebook, STEP.read(line))

    @no_var_expand
    @line_cell_magic
    @told
    def branch(self, line: str, cell: str | None = None) -> None:
        if cell is not None:
            self._nested("branch", line, cell)
        elif not line.strip() and not (self.notebook.body("") or "").strip():
            show(self.kernel, Said(BRANCH.help(), None, block=True))
        else:
            open_branch(self.notebook, BRANCH.read(line))

    @no_var_expand
    @line_cell_magic
    @told
    def run_workflow(self, line: str, cell: str | None = None) -> None:
        if not line.strip() and not (cell or "").strip():
            show(self.kernel, Said(RUN.help(), None, block=True))
        else:
            words = RUN.read(line)
            import_module("wfnb.jupyter.runs").run_workflow(self.notebook, words, cell)

    @no_var_expand
    @line_magic
    @told
    def wfnb(self, line: str) -> None:
        name, _, rest = line.strip().partition(" ")
        if not name:
            show(self.kernel, Said(overview(), None, block=True))
            return
        asked = verb(name)
        words = asked.grammar.read(rest)
        show(self.kernel, asked.run(self.notebook, words))

    def _nested(self, name: str, line: str, cell: str) -> None:
        """Called by a program as a cell magic: run as the cell it would be."""
        run: Callable[[str], Any] = self.kernel.run_cell
        run(f"%%{name} {line}\n{cell}").raise_error()


WfnbMagics.step.__doc__ = STEP.help()
WfnbMagics.branch.__doc__ = BRANCH.help()
WfnbMagics.run_workflow.__doc__ = RUN.help()
WfnbMagics.wfnb.__doc__ = overview()
