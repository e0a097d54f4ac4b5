"""a cell's source -> what a step says of it: the words under its title, its code, its result."""

from __future__ import annotations

import ast
import re
from inspect import cleandoc
from reprlib import Repr
from textwrap import dedent
from typing import Any

from .options import is_text

_MARK = re.compile(r"^%{1,2}(step|branch)(?!\S)(.*)")
_DIRECTIVE = re.compile(r"#\s*(NBVAL_|noqa|type:|pylint:|fmt:|pragma|%%|!|-\*-)|#\|")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
_LARGEST = 10**300  # as far as JSON's readers go
_SHORT = Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = 6
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 120


def body(source: str, part: int) -> str:
    """The lines under the `part`-th line (from 0) that opens a step, up to the next such line;
    under a first line with `--text`, all of them."""
    lines = dedent(source).splitlines()  # as IPython takes an indented cell
    marks = [(index, found) for index, line in enumerate(lines) if (found := _MARK.match(line))]
    if part >= len(marks):
        return ""
    begin, mark = marks[part]
    end = marks[part + 1][0] if part + 1 < len(marks) else len(lines)
    if part == 0 and is_text(mark[1], mark[2]):
        end = len(lines)
    return "\n".join(lines[begin + 1 : end])


def words(code: str) -> str:
    r"""The leading comment lines of the body, else its docstring, as Markdown.

    >>> words("# If the sensor aged,\n# residuals grow.\n\nx = 1  # no")
    'If the sensor aged,\nresiduals grow.'
    """
    said = []
    for line in code.strip().splitlines():
        if not line.startswith("#"):
            break
        if not _DIRECTIVE.match(line):
            said.append(line.lstrip("#").removeprefix(" ").rstrip())
    return "\n".join(said).strip() or _docstring(code)


def runs(code: str) -> bool:
    """Whether the body has anything but comments and blank lines."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in code.splitlines())


def first_line(code: str) -> str:
    """What stands for a title where there is none: the first line of code."""
    return next((line.strip() for line in code.splitlines() if line.strip()), "")


def brief(value: Any) -> str | None:
    """A result in a few words, the same in every run: no addresses, no tables, no times."""
    if value is None:
        return None
    try:
        return scrubbed(_words(value))
    except Exception:  # its own code fails: a `__repr__`, a `shape`, an int too long to print
        return type(value).__name__


def problem(error: BaseException) -> str:
    """An error by its name and, where it can say something, its words."""
    name = type(error).__name__
    try:
        return scrubbed(f"{name}: {error}".rstrip(": "))
    except Exception:  # its own `__str__` fails
        return name


def plain(value: Any) -> Any:
    """A named value as JSON holds it: a number, a bool or a short text; None: there is none."""
    if hasattr(value, "item") and getattr(value, "size", 1) == 1:
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < _LARGEST:
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    return _unicode(value[:200]) if isinstance(value, str) else brief(value)


def scrubbed(text: str) -> str:
    """Without memory addresses, which differ in every run; at most 300 characters."""
    shown = _ADDRESS.sub("0x…", _unicode(text))
    return shown if len(shown) <= 300 else f"{shown[:299]}…"


def _words(value: Any) -> str:
    if isinstance(value, bool | int | float | str | list | tuple | dict | set | frozenset | bytes):
        return _SHORT.repr(value)
    shape = getattr(value, "shape", None)
    name = type(value).__name__
    return f"{name} {shape}" if isinstance(shape, tuple) else name


def _unicode(text: str) -> str:
    """The text with what UTF-8 cannot hold (a lone surrogate) written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _docstring(code: str) -> str:
    if not re.match(r"\s*[rRuU]?['\"]", code):
        return ""
    try:
        first = ast.parse(code).body[0]
    except (SyntaxError, ValueError, RecursionError):
        return ""
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return cleandoc(first.value.value) if isinstance(first.value.value, str) else ""
    return ""
