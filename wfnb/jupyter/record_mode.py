"""a plain cell that is a step -> the step, by the same way as `%%step` opens it.

The hook before a cell opens it, not a transformer of its text: a line more would move the lines of
tracebacks, and IPython calls transformers more often than it runs cells.
"""

from __future__ import annotations

from . import cell_text
from .magic_grammar import QuotedWord, Words
from .magic_options import StepOptions
from .notebook import Notebook
from .step_command import open_step


def record_cell(notebook: Notebook, heading: str, quiet: bool) -> None:
    """Open the step that the running cell is. Its title is the heading above it, else its first
    comment, else its first line of code."""
    body = notebook.body(None) or ""
    comment = cell_text.words(body)
    if heading == comment.partition("\n")[0]:
        heading = ""
    title = heading or ("" if comment else cell_text.title_line(body))
    options = StepOptions(quiet=True) if quiet else StepOptions()
    open_step(notebook, Words(words=(QuotedWord(title),) if title else (), options=options))
