"""what was typed, the text that followed -> the text that the program wrote itself.

A terminal shows what is typed to it, so the text after an input begins, more or less, with that
input. What is taken for the echo of a line that was typed:

* *anchored*: the text right after the input, if it is what was typed, to the end of the line;
* *behind a prompt*: a line that ends with what was typed, with nothing before it but a prompt
  (`>>> `, `(Pdb) `, `$ `, or the text that stood before the cursor). A line editor shows so what
  was typed while its program was busy. Each line that was typed is looked for once;
* *amid output*: a line that ends with what was typed, if the terminal itself echoes and has not
  done so at the beginning, because a program was writing. Once for each line too.

Blanks do not count, for a line that is too long is broken somewhere. A line that is not yet whole
and may become an echo is held back. Lines are looked for in the first 256 KB after an input.

Nothing is looked for where nothing is echoed: when the program takes whole lines and has turned the
echo off (a password), has the alternate screen, or has turned everything off and is sent a single
key.
"""

from __future__ import annotations

import re
from collections import deque

from wfnb.core.record import record

from .control import plain

REACH = 262_144
"""Characters after an input in which its echo is looked for."""
_PROMPT = re.compile(r"\S{0,60}[>$#%❯➜»]|\.\.\.|\(\S{1,40}\)|In \[\d+\]:")


@record
class Typed:
    """What was typed, in lines; `ended` says whether the last of them was. `shown` says whether the
    terminal itself shows it; `prompt` is what stood before the cursor. `earlier` are lines that
    were typed before and may not have been shown by a line editor yet."""

    lines: tuple[str, ...] = ()
    ended: bool = True
    shown: bool = False
    prompt: str = ""
    earlier: tuple[str, ...] = ()


def typed_lines(text: str) -> tuple[tuple[str, ...], bool]:
    """The lines of an input, without its control sequences, and whether the last one was ended."""
    *lines, last = re.split(r"\r\n|\r|\n", text)
    lines = [_squeezed(plain(line)) for line in (*lines, last)]
    return tuple(lines if lines[-1] else lines[:-1]), not lines[-1]


class Echo:
    """Text goes in with `feed`, and comes out without the echo as soon as its lines are whole;
    `tail` is what can be said of the line that is not."""

    def __init__(self, typed: Typed) -> None:
        self._typed = typed
        self._anchored = deque(typed.lines)
        self._prompted = [line for line in (*typed.earlier, *typed.lines) if line]
        self._amid = set(typed.lines) if typed.shown and typed.ended else set()
        self._line = ""
        self._loose = False  # the rest of this line is let through
        self._left = REACH

    def feed(self, text: str) -> str:
        """The next text -> what of it, and of what was held back, is to be let through."""
        self._left -= len(text)
        if self._left < 0:
            self._anchored.clear()
            self._prompted.clear()
        text, self._line = self._line + text, ""
        out = []
        while self._anchored or self._prompted:
            line, end, rest = text.partition("\n")
            if not end:
                break
            out.append(line + end if self._loose else self._whole(line))
            self._loose, text = False, rest
        else:
            return "".join(out) + text
        if self._loose or len(text) > 2 * max(map(len, self._prompted), default=0) + 500:
            self._loose = bool(text) or self._loose
            return "".join(out) + text
        self._line = text
        return "".join(out)

    def entered(self) -> None:
        """A line editor has taken a line: it has shown the one that was typed first."""
        if not self._typed.shown:
            self._anchored.clear()
        if self._prompted:
            del self._prompted[0]

    @property
    def tail(self) -> str:
        """The line that is not whole yet, without what may become an echo."""
        line = _squeezed(self._line)
        if not line:
            return self._line
        if self._anchored:
            first = self._anchored[0]
            if first.startswith(line):
                return ""
            if self._last and line.startswith(first):
                return _after(self._line, len(first))
        for typed in self._prompted:
            for size in range(min(len(typed), len(line)), 0, -1):
                if line.endswith(typed[:size]) and self._is_prompt(_before(self._line, size)):
                    return _before(self._line, size)
        return self._line

    def flush(self) -> str:
        """What can be said of the line that is not whole, which is given up."""
        said, self._line, self._loose = self.tail, "", False
        return said

    def prompt(self, line: str) -> str:
        """A line that is being edited, without what was typed into it."""
        shown = _squeezed(line)
        for typed in self._prompted:
            for size in range(min(len(typed), len(shown) - 1), 0, -1):
                if shown.endswith(typed[:size]):
                    return _before(line, size)
        return line

    def remains(self, text: str) -> str | None:
        """What a line editor shows after what stood there before, without what was typed; None: it
        does not begin with that."""
        typed = "".join([*self._typed.earlier, *self._typed.lines])
        shown = _squeezed(text)
        if typed.startswith(shown):
            return ""
        return _after(text, len(typed)) if shown.startswith(typed) else None

    @property
    def _last(self) -> bool:
        """Whether the line looked for is the last one and was not ended."""
        return len(self._anchored) == 1 and not self._typed.ended

    def _whole(self, line: str) -> str:
        shown = _squeezed(line)
        if self._anchored:
            first = self._anchored[0]
            if shown == first or (self._last and shown.startswith(first)):
                whole = not self._last
                self._anchored.popleft()
                self._amid.discard(first)
                if not self._typed.shown and first in self._prompted:
                    self._prompted.remove(first)
                return "" if whole else _after(line, len(first)) + "\n"
            self._anchored.clear()
        for place, typed in enumerate(self._prompted):
            if shown.endswith(typed):
                before = _before(line, len(typed))
                if self._is_prompt(before):
                    del self._prompted[: place + 1]
                    return before + "\n"
                if typed in self._amid:
                    self._amid.discard(typed)
                    return before + "\n" if before.strip() else ""
        return line + "\n"

    def _is_prompt(self, text: str) -> bool:
        said = text.strip()
        return bool(said) and (said == self._typed.prompt or bool(_PROMPT.fullmatch(said)))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _after(text: str, count: int) -> str:
    """The text after so many characters that are no blanks."""
    for place, character in enumerate(text):
        if not count:
            return text[place:]
        count -= not character.isspace()
    return ""


def _before(text: str, count: int) -> str:
    """The text before its last so many characters that are no blanks."""
    for place in range(len(text), 0, -1):
        if not count:
            return text[:place]
        count -= not text[place - 1].isspace()
    return ""
