"""a magic's line -> words -> the engine: declare, parse, ask.

What the engine refuses is shown as it says it, here and nowhere else; a fault of ours keeps its
traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand

from wfnb.errors import WfnbError
from wfnb.interrupt_deferral import Deferral
from wfnb.render.message import Message
from wfnb.render.text.escape import printable

from .cell_output import show
from .ipython_compat import show_lines
from .magic_grammar import HELP, Grammar
from .magic_options import BRANCH, DEFINE, RUN, STEP
from .notebook import Notebook
from .step_command import open_branch, open_step
from .verbs import find_verb, overview


def show_refusals(magic: Callable[..., None]) -> Callable[..., None]:
    """What wfnb refuses is told in its own words, by the error itself: IPython's UsageError has no
    error output, so that a program which runs the notebook would not learn why it stopped."""

    @wraps(magic)
    def shown_to_user(self: Any, line: str, cell: str | None = None) -> None:
        try:
            magic(self, line) if cell is None else magic(self, line, cell)
        except WfnbError as refusal:
            text = "\n".join((str(refusal), *getattr(refusal, "__notes__", ())))
            show_lines(refusal, [printable(line) for line in text.split("\n")])
            # Without its context: a refusal is an answer, and what led to it inside is of no use to
            # the user.
            raise refusal from None

    return shown_to_user


@magics_class
class WfnbMagics(Magics):
    """The magics of one kernel."""

    def __init__(self, shell: InteractiveShell, notebook: Notebook) -> None:
        super().__init__(shell)
        self.kernel = shell
        self.notebook = notebook

    @no_var_expand
    @line_cell_magic
    @show_refusals
    def step(self, line: str, cell: str | None = None) -> None:
        if cell is not None:
            self._run_as_cell("step", line, cell)
        elif not self._show_help(STEP, line, self._empty(line)):
            open_step(self.notebook, STEP.read(line))

    @no_var_expand
    @line_cell_magic
    @show_refusals
    def branch(self, line: str, cell: str | None = None) -> None:
        if cell is not None:
            self._run_as_cell("branch", line, cell)
        elif not self._show_help(BRANCH, line, self._empty(line)):
            open_branch(self.notebook, BRANCH.read(line))

    @no_var_expand
    @line_cell_magic
    @show_refusals
    def run_workflow(self, line: str, cell: str | None = None) -> None:
        if not self._show_help(RUN, line, not line.strip() and not (cell or "").strip()):
            words = RUN.read(line)
            with Deferral():
                from .run_magics import run_workflow  # noqa: PLC0415  heavy: the runner

            run_workflow(self.notebook, words, cell)

    @no_var_expand
    @line_cell_magic
    @show_refusals
    def workflow(self, line: str, cell: str | None = None) -> None:
        if not self._show_help(DEFINE, line, not line.strip() and not (cell or "").strip()):
            words = DEFINE.read(line)
            with Deferral():
                from .run_magics import define_workflow  # noqa: PLC0415  heavy: the runner

            define_workflow(self.notebook, words, cell)

    @no_var_expand
    @line_magic
    @show_refusals
    def wfnb(self, line: str) -> None:
        name, _, rest = line.strip().partition(" ")
        if name in ("", HELP):
            show(self.kernel, Message(overview(), None, block=True))
            return
        verb = find_verb(name)
        if not self._show_help(verb.grammar, rest):
            show(self.kernel, verb.run(self.notebook, verb.grammar.read(rest)))

    def _show_help(self, grammar: Grammar[Any], line: str, empty: bool = False) -> bool:
        """Whether how it is written is what is shown: it was asked for, or all is `empty`."""
        explains = empty or grammar.explains(line)
        if explains:
            show(self.kernel, Message(grammar.help(), None, block=True))
        return explains

    def _empty(self, line: str) -> bool:
        return not line.strip() and not (self.notebook.body("") or "").strip()

    def _run_as_cell(self, name: str, line: str, cell: str) -> None:
        """Called by a program as a cell magic: run as the cell it would be."""
        run: Callable[[str], Any] = self.kernel.run_cell
        # As a cell of its own, since its body has to run in the user's namespace with all hooks.
        run(f"%%{name} {line}\n{cell}").raise_error()


WfnbMagics.step.__doc__ = STEP.help()
WfnbMagics.branch.__doc__ = BRANCH.help()
WfnbMagics.run_workflow.__doc__ = RUN.help()
WfnbMagics.workflow.__doc__ = DEFINE.help()
WfnbMagics.wfnb.__doc__ = overview()
