"""an action that failed -> the lines that say where and why, where it took more than one.

Of a file only the name is told: where it is differs from machine to machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wfnb.render.text import escape
from wfnb.views.step_words import cut

from .action_rows import Row

LINES, WIDTH = 16, 200
"""The most that is shown: the last lines of a traceback, the first of another error."""
_READ = 20_000  # characters that are looked at
_FRAME = re.compile(r'^  File "(.*)", (line \d+, in .*)$', re.MULTILINE)
_HEAD = "Traceback (most recent call last):"


def fault(row: Row) -> tuple[str, ...]:
    """Plain lines; none where nothing failed, or a line says all of it."""
    if row.last is None or row.error is None:
        return ()
    traceback = row.last.result.get("traceback")
    # One frame is the code itself, and the error's own line says that.
    if isinstance(traceback, str) and len(_FRAME.findall(traceback)) > 1:
        # Its end is where it failed; that of a recursion may be megabytes.
        lines = list(_steps(traceback[-_READ:]))
        return tuple(_cut(["…", *lines[1 - LINES :]] if len(lines) > LINES else lines))
    lines = row.error[:_READ].strip().splitlines()
    if len(lines) < 2:
        return ()
    return tuple(_cut([*lines[: LINES - 1], "…"] if len(lines) > LINES else lines))


def _steps(traceback: str) -> Iterator[str]:
    r"""
    >>> found = _steps('''Traceback (most recent call last):
    ...   File "<code>", line 2, in <module>
    ...     load("a")
    ...   File "/home/ada/readings.py", line 346, in load
    ...     return float(name)
    ... ValueError: no number: a''')
    >>> print(*found, sep="\n")
    line 2, in <module>
        load("a")
    readings.py, line 346, in load
        return float(name)
    ValueError: no number: a
    """
    for line in traceback.splitlines():
        frame = _FRAME.fullmatch(line)
        if frame is not None:
            # It may have been written on another system than it is read on.
            file = re.split(r"[/\\]", frame[1])[-1]
            yield frame[2] if file.startswith("<") else f"{file}, {frame[2]}"
        elif line != _HEAD:
            yield line


def _cut(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield cut(escape.printable(line).replace("\n", " "), WIDTH)
