"""a step's body -> the YAML between its `---` lines, and the rest.

    ---                          or, where the cell is to stay plain Python:    # ---
    finding: the loop never ends                                                # finding: …
    ---                                                                         # ---

The lines of a header become empty ones, so that those of the code keep their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from wfnb.errors import BadOption

from .validation import MARK

_FENCES = ("---", "# ---")


def split_header(body: str) -> tuple[str | None, str]:
    r"""The header without its fences (None: there is none), and the body with empty lines for it.
    BadOption where it is not closed.

    >>> split_header("---\nconfidence: low\n---\nx = 1")
    ('confidence: low', '\n\n\nx = 1')
    """
    lines = body.split("\n")
    fences = fence_rows(lines)
    if fences is None:
        return None, body
    first, last = fences
    if last == len(lines):
        what = f"the header that begins with {lines[first].strip()} is not closed"
        raise BadOption("%%step", what, "Write the same line again under it.")
    inside = lines[first + 1 : last]
    if lines[first].strip() == "# ---":
        inside = [line.strip().removeprefix("#").removeprefix(" ") for line in inside]
    rest = [*lines[:first], *[""] * (last + 1 - first), *lines[last + 1 :]]
    return "\n".join(inside), "\n".join(rest)


def fence_rows(lines: Sequence[str]) -> tuple[int, int] | None:
    """The rows of the two fences; the number of lines for the second, where it is missing. None
    where the first line that is not blank is no fence."""
    first = next((row for row, line in enumerate(lines) if line.strip()), None)
    if first is None or lines[first].rstrip() not in _FENCES:
        return None
    fence = lines[first].rstrip()
    later = range(first + 1, len(lines))
    return first, next((row for row in later if lines[row].rstrip() == fence), len(lines))


def code_without_headers(source: str) -> str:
    r"""A cell without what says which steps are in it, and what they found.

    >>> code_without_headers("%%step 2 Why?\n---\nconfidence: low\n---\nx = 1")
    'x = 1'
    """
    code, lines = [], source.splitlines()
    row = 0
    while row < len(lines):
        if MARK.match(lines[row]):
            fences = fence_rows(lines[row + 1 :])
            row += 2 + fences[1] if fences else 1
        else:
            code.append(lines[row])
            row += 1
    return "\n".join(code).strip()
