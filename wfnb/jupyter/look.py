"""a cell's source -> what it is called where it counts as something that was looked at."""

from __future__ import annotations

import ast
import re

from wfnb.core.values import MARK
from wfnb.views.text.escape import printable

_OURS = re.compile(r"%(wfnb|run_workflow|(re|un)?load_ext +wfnb)(?!\S)")
_STRING = re.compile(r"(['\"])((?:\\.|(?!\1).)*)(\1|$)")
_IMPORT = re.compile(r"(import|from)\s")
_PREPARING = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Pass,
)
_LONGEST_STRING, _LONGEST = 20, 120


def look(source: str) -> str | None:
    r"""Its first line of code that imports nothing, long strings left out: they may be secrets.
    None where it has no code beside wfnb's own, or a step in it.

    >>> look("%wfnb status\n# why\nimport re\nparse('x' * 3, key='0123456789abcdef0123456789')")
    "parse('x' * 3, key='…')"
    """
    lines = [line.strip() for line in source.splitlines()]
    if any(MARK.match(line) or line.startswith("%%run_workflow") for line in lines):
        return None
    code = (line for line in lines if line and not line.startswith("#") and not _OURS.match(line))
    written = sorted(code, key=lambda line: _IMPORT.match(line) is not None)
    if not written:
        return None
    first = written[0]
    shown = _STRING.sub(_masked, first).encode("utf-8", "backslashreplace").decode()
    shown = printable(shown)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def prepares(source: str) -> bool:
    r"""Whether it only imports, defines and names constants: nothing is seen by it.

    >>> prepares("import sys\nLIMIT = 3"), prepares("import sys\nsys.path"), prepares("!ls")
    (True, False, False)
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    *before, last = body or [ast.Pass()]
    return all(map(_prepares, (*filter(_speaks, before), last)))


def _prepares(said: ast.stmt) -> bool:
    if isinstance(said, ast.Assign | ast.AnnAssign):
        return said.value is None or _constant(said.value)
    return isinstance(said, _PREPARING)


def _speaks(said: ast.stmt) -> bool:
    """Whether it is more than a text that nothing shows, as a docstring is."""
    return not (isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant))


def _constant(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _masked(string: re.Match[str]) -> str:
    return string[0] if len(string[2]) <= _LONGEST_STRING else f"{string[1]}…{string[3]}"
