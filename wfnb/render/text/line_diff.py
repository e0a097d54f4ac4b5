"""two texts -> the lines that one has and the other has not, each with some around it."""

from __future__ import annotations

from difflib import unified_diff

GAP = "…"
_HEADS = 2  # of the names of files, which there are none of


def line_diff(before: str, after: str) -> str:
    r"""Each line begins with `-`, `+` or a space; `…` stands for lines that are in both. Nothing
    where the texts have the same lines.

    >>> line_diff("x = 1\ny = 2", "x = 1\ny = 3")
    ' x = 1\n-y = 2\n+y = 3'
    >>> line_diff("x", "x")
    ''
    """
    diff = list(unified_diff(before.splitlines(), after.splitlines(), lineterm=""))[_HEADS:]
    return "\n".join(GAP if line.startswith("@@") else line for line in diff[1:])
