"""what a program writes to a terminal -> its text and its control sequences, told apart.

The grammar is that of ECMA-48 as xterm speaks it, in UTF-8: the 8-bit controls are not used.
"""

from __future__ import annotations

import re

_STRING = r"(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\)"
"""A title, a colour's name, an answer: text that is for the terminal, not for its user."""
_OTHER = r"[ -/]*[0-~]"
SEQUENCE = rf"\x1b(?:\[[0-?]*[ -/]*[@-~]|{_STRING}|(?![\[\]PX^_]){_OTHER})"
UNSEEN = re.compile(rf"\x1b(?:\[[0-9;:]*m|{_STRING})")
"""Colours, and what is not for the screen."""
_HELD = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]+)?\Z")
MAX_LENGTH = 65_536
"""Characters of a sequence; what is longer is no sequence."""

_ALL = re.compile(SEQUENCE)
_PLACED = re.compile(r"\x1b\[(?:[0-9;]*[Hfd]|([0-9]*)C)")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+")
_ENDS = re.compile(r"\r*\n\r*")


def incomplete_start(text: str) -> int:
    """Where a sequence begins that goes on after the end of the text; its length if none does."""
    found = _HELD.search(text) if "\x1b" in text[-MAX_LENGTH:] else None
    return found.start() if found and len(text) - found.start() <= MAX_LENGTH else len(text)


def plain(text: str) -> str:
    """The text without its control sequences and characters. A jump to another place is a new line,
    one to the right is blanks; every end of a line is `\\n`.

    >>> plain("\\x1b[1;31mred\\x1b[m\\r\\n\\x1b]0;title\\x07\\rdone\\x07")
    'red\\ndone'
    """
    if "\x1b" in text:
        text = _ALL.sub("", _PLACED.sub(_place, UNSEEN.sub("", text)))
    return _ENDS.sub("\n", _CONTROLS.sub("", text)) if not text.isprintable() else text


def _place(found: re.Match[str]) -> str:
    return "\n" if found[1] is None else " " * min(int(found[1] or 1), 500)
