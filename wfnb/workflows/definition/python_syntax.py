"""Python code -> the line of it that does not read, if one does not; nothing of it is run."""

from __future__ import annotations

import ast
import warnings

_MAX_LINE = 80
"""Characters of a line of code that are shown."""


def mistake(code: str) -> str | None:
    """What is wrong with the grammar of the code, as `line 2: x = = 1 — invalid syntax`. It may
    `await` where no function is, as the cells of a notebook may.

    >>> mistake("x = 1\\nawait x"), mistake("x = = 1")
    (None, 'line 1: x = = 1 — invalid syntax')
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # said when it is run
            compile(code, "<code>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return f"{line(error.lineno or 1, error.text or '')} — {error.msg}"
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return str(error) or "it is nested too deep"
    return None


def line(number: object, source: str) -> str:
    """How a line of code is named.

    >>> line(3, "  x = = 1"), line(3, "")
    ('line 3: x = = 1', 'line 3')
    """
    source = source.strip()
    source = source if len(source) <= _MAX_LINE else f"{source[:_MAX_LINE]}…"
    return f"line {number}: {source}" if source else f"line {number}"
