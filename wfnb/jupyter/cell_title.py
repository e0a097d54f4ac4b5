"""a cell's source -> what it is called where it counts as something that was looked at."""

from __future__ import annotations

import re

from wfnb.core.validation import MARK
from wfnb.render.text.escape import printable

from .cell_text import title_line

_OURS = re.compile(r"%(wfnb|run_workflow|(re|un)?load_ext +wfnb)(?!\S)")
_STRING = re.compile(r"(['\"])((?:\\.|(?!\1).)*)(\1|$)")
_MAX_STRING, _MAX_TITLE = 20, 120
"""Letters of a string within a title, and of the title."""


def cell_title(source: str) -> str | None:
    r"""Its first line of code that imports nothing, long strings left out: they may be secrets.
    None where it has no code beside wfnb's own, or a step in it.

    >>> cell_title("%wfnb status\n# why\nimport re\nparse('x', key='0123456789abcdef0123456789')")
    "parse('x', key='…')"
    """
    lines = [line.strip() for line in source.splitlines()]
    if any(MARK.match(line) or line.startswith("%%run_workflow") for line in lines):
        return None
    code = [line for line in lines if line and not line.startswith("#") and not _OURS.match(line)]
    if not code:
        return None
    first = title_line("\n".join(code))
    shown = _STRING.sub(_mask_string, first).encode("utf-8", "backslashreplace").decode()
    shown = printable(shown)
    return shown if len(shown) <= _MAX_TITLE else f"{shown[: _MAX_TITLE - 1]}…"


def _mask_string(string: re.Match[str]) -> str:
    return string[0] if len(string[2]) <= _MAX_STRING else f"{string[1]}…{string[3]}"
