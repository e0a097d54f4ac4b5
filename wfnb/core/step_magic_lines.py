"""a cell's source -> the lines in it that open a step, and what each says."""

from __future__ import annotations

import re
from textwrap import dedent
from tokenize import TokenError, generate_tokens

from wfnb.frozen_record import record

from .validation import MARK

_ESCAPED = re.compile(r"(\s*)[%!?].*")


@record
class Mark:
    """A line that opens a step: `magic` is `step` or `branch`, `words` what follows it; `row` and
    `column` count from 0."""

    magic: str
    words: str
    row: int = 0
    column: int = 0


def mark(line: str, row: int = 0) -> Mark | None:
    """The mark that stands on the line, if one does.

    >>> found = mark("%%step 3 Why?")
    >>> found.magic, found.words
    ('step', '3 Why?')
    """
    column = len(line) - len(line.lstrip())
    match = MARK.match(line, column)
    if match is None:
        return None
    return Mark(magic=match[1], words=line[match.end() :].strip(), row=row, column=column)


_LONG = ('"""', "'''", "\\\n")  # what a string of several lines cannot do without


def lines_of(source: str) -> list[str]:
    """The lines of a cell, as IPython takes an indented one."""
    return dedent(source).splitlines()


def marks(source: str) -> list[Mark]:
    r"""The marks of a cell in order; a line of a string is none.

    >>> [found.words for found in marks('%%step One\n"\""\n%step no\n"\""\nif x:\n  %step Two')]
    ['One', 'Two']
    """
    lines = lines_of(source)
    every = [it for row, line in enumerate(lines) if (it := mark(line, row)) is not None]
    # To tell strings from code takes the tokenizer: only for a source that may have long ones.
    if not any(long in source for long in _LONG):
        return every
    code = _code_rows(lines)
    return every if code is None else [it for it in every if it.row in code]


TO_WFNB = re.compile(
    r"^\s*%{1,2}(wfnb|run_workflow|workflow|step|branch|(re|un)?load_ext\s+wfnb)(?!\S)"
    r"|\brun_(line|cell)_magic\(",
    re.MULTILINE,
)
"""What speaks to wfnb itself."""


def is_plain(source: str) -> bool:
    r"""Whether a cell has code, and none of it speaks to wfnb: with record mode it is a step.

    >>> [is_plain(text) for text in ("x = 1", "# why", "%wfnb status", "%%step Why?\nx = 1")]
    [True, False, False, False]
    """
    return runs(source) and not TO_WFNB.search(source)


def runs(code: str) -> bool:
    """Whether the code has anything but comments and blank lines."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in code.splitlines())


def lines_under(source: str, step_marks: list[Mark], mark: Mark) -> str:
    """The lines under a mark, up to the next of those found that is not indented."""
    lines = lines_of(source)
    later = (other.row for other in step_marks if other.row > mark.row and not other.column)
    return "\n".join(lines[mark.row + 1 : next(later, None)])


def _code_rows(lines: list[str]) -> set[int] | None:
    """The rows on which a token begins: a line of a string is none. None where it cannot be told.

    A magic or a shell line is no Python, so that a word is put in its place.
    """
    python = iter([_ESCAPED.sub(r"\1pass", line) + "\n" for line in lines])
    try:
        tokens = list(generate_tokens(python.__next__))
    except (TokenError, SyntaxError):
        return None
    return {it.start[0] - 1 for it in tokens}
