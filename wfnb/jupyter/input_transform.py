"""a cell's lines -> the same lines, with the lines that open a step as calls.

Only those lines change, so the body below it is this notebook's own code: its tracebacks keep
their lines, its last value is shown, `await` works, and an error stops Run All. The function is
pure, because IPython calls it more often than it runs cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import dedent
from tokenize import TokenInfo

from IPython.core.inputtransformer2 import EscapedCommand
from IPython.core.interactiveshell import InteractiveShell

from wfnb.core.step_magic_lines import mark
from wfnb.core.validation import MARK
from wfnb.core.yaml_header import fence_rows
from wfnb.errors import BadOption

from .ipython_compat import prefilter, runs_once
from .magic_options import MAGICS

_SKIPPED = re.compile(r"\s*(#|$)")
_CALL = re.compile(r"get_ipython\(\)\.run_line_magic\('(step|branch)', ")
_ESCAPES = re.compile(r"^\s*[%!?]|\?\s*$|=\s*[%!]", re.MULTILINE)
"""What IPython may rewrite."""
_HELP = re.compile(r"%{1,2}\w+\?{1,2}\s*")


@runs_once
def rewrite_step_line(lines: list[str]) -> list[str]:
    r"""The cell with its first line `%%step …` (or `%step …`) as a call that opens the step.

    >>> rewrite_step_line(["%%step 3 Why?\n", "x = 1\n"])
    ["get_ipython().run_line_magic('step', '3 Why?')\n", 'x = 1\n']

    Comment lines may stand above it. A cell magic under it (`%%time`) is called as it would be
    alone, on its own line; a body that is text (`--text`) is not run, and a header (`---`) is none.
    """
    at = next((index for index, line in enumerate(lines) if not _SKIPPED.match(line)), None)
    if at is None or _HELP.fullmatch(lines[at]):
        return lines
    found = mark(lines[at])
    if found is None or found.column:
        return lines
    call = f"get_ipython().run_line_magic({found.magic!r}, {found.words!r})\n"
    body = dedent("".join(lines[at + 1 :])).splitlines(keepends=True)
    fences = fence_rows([line.rstrip("\n") for line in body])
    if fences is not None:  # what the step found is no Python; the magic reads it from the source
        under = fences[1] + 1
        # Blank lines in its place, so that the lines of the body keep their numbers in tracebacks.
        body = [*["\n"] * min(under, len(body)), *body[under:]]
    if is_text(found.magic, found.words):
        body = []
    blank = next((index for index, line in enumerate(body) if line.strip()), len(body))
    if blank < len(body) and body[blank].startswith("%%") and not _HELP.fullmatch(body[blank]):
        name, _, line = body[blank][2:].strip().partition(" ")
        inner = "".join(body[blank + 1 :])
        # IPython finds a cell magic only on the first line, which is the step's by now.
        magic = f"get_ipython().run_cell_magic({name!r}, {line.strip()!r}, {inner!r})\n"
        body = [*body[:blank], magic]
    return [*lines[:at], call, *body]


class OneLine:
    """The body of a step, where it is one line, as IPython takes a cell of one line: a magic
    without its `%`, a macro, a call without its parentheses."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell

    def __call__(self, lines: list[str]) -> list[str]:
        code = [index for index, line in enumerate(lines) if not _SKIPPED.match(line)]
        if len(code) == 2 and _CALL.match(lines[code[0]]):
            line = prefilter(self.shell, lines[code[1]])
            lines = [*lines[: code[1]], line.rstrip("\n") + "\n", *lines[code[1] + 1 :]]
        return lines


class LaterStep(EscapedCommand):
    """`%step Is it so?` below the first line: to IPython a `?` at the end asks for help."""

    priority = 1

    @classmethod
    def find(cls, tokens_by_line: Sequence[Sequence[TokenInfo]]) -> LaterStep | None:
        """The first such line. Tokens are asked, so that a string which holds one is left alone."""
        for tokens in tokens_by_line:
            first = next((token for token in tokens if token.string.strip()), None)
            if first is not None and MARK.match(first.line, first.start[1]):
                return cls(first.start)
        return None


def plain_python(shell: InteractiveShell, code: str) -> str:
    """Code as Python: what IPython rewrites is rewritten. Empty where it is no code."""
    code = dedent(code)
    return as_python(shell, code) if _ESCAPES.search(code) else code


def as_python(shell: InteractiveShell, code: str) -> str:
    """Code as IPython runs it. Empty where it is no code."""
    transform: Callable[[str], str] = shell.transform_cell
    try:
        return transform(code)
    except SyntaxError:
        return ""


def is_text(magic: str, line: str) -> bool:
    """Whether the body under this line is Markdown that is not run.

    >>> is_text("step", "Plan --text"), is_text("step", "-- How --text is used")
    (True, False)
    """
    if "--text" not in line.split():
        return False
    try:
        return bool(MAGICS[magic].read(line).options.text)
    except BadOption:
        return True
