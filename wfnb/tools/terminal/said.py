"""bytes that came after an input -> the text that the program wrote since, for a pattern to be
looked for in.

Three things may be under way, as the program's own control sequences tell:

* *plain*: text is taken as it comes, without control sequences (`control.plain`) and echo (`Echo`);
* *a line is being edited* (bracketed paste is on, as shells and others have it at their prompt):
  the line is drawn as a person sees it, what was typed is taken from it, and when it is entered all
  of it is gone: it was a prompt and an echo;
* *the alternate screen is on*: text is taken as it comes, and nothing is an echo.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from itertools import takewhile

from wfnb.core.record import record

from .control import held, plain
from .echo import Echo, Typed, typed_lines
from .screen import Screen

_EDITING = "2004"
_EDITED = b"\x1b[?2004l"
_ALTERNATE = frozenset({"47", "1047", "1049"})
_SWITCH = re.compile(r"\x1b\[\?([0-9;]+)([hl])")
LONGEST_LINE = 262_144
"""Characters of a line with its drawing; more is output of something in the background."""


@record
class Input:
    """An input: where in the output it was sent, what was typed, and what was under way: the bytes
    of the line that was being edited, None for none."""

    place: int = 0
    typed: Typed = Typed()
    line: bytes | None = None
    alternate: bool = False


def without_echo(output: bytes, since: Input) -> int:
    """How many bytes of the output after an input are its echo: lines that are what was typed, or
    the line that was being edited, once it was entered."""
    if since.line is not None:
        end = output.find(_EDITED) if since.typed.ended else -1
        return end + len(_EDITED) if end >= 0 else 0
    place = 0
    for line in since.typed.lines if since.typed.ended else since.typed.lines[:-1]:
        end = output.find(b"\n", place) + 1
        if not end or typed_lines(output[place:end].decode("utf-8", "replace"))[0] != (line,):
            break
        place = end
    return place


class Said:
    """`feed` bytes, `take` what surely was said; `tail` may still change."""

    def __init__(self, since: Input) -> None:
        self._taken: list[str] = []
        self._echo = Echo(since.typed)
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._alternate = since.alternate
        self._said = False
        self._line: Screen | None = None
        self._before: str | None = None
        self._drawn: list[str] = []
        self._size = 0
        self._fresh = True  # at the beginning of a line
        if since.line is not None:
            self._open()
            self._take(since.line.decode("utf-8", "replace"))
            self._before = self._line.text() if self._line else None

    def feed(self, data: bytes) -> None:
        text = self._rest + self._decoder.decode(data)
        end = held(text)
        end -= end == len(text) and text.endswith("\r")  # its line feed may come
        text, self._rest = text[:end], text[end:]
        place = 0
        for found in _SWITCH.finditer(text):
            self._take(text[place : found.start()])
            place = found.end()
            self._switch(found[1].split(";"), found[2] == "h")
        self._take(text[place:])

    def take(self) -> str:
        """What surely was said, and was not taken yet."""
        said, self._taken = "".join(self._taken), []
        return said

    @property
    def tail(self) -> str:
        """What may be said, if the line that is not whole yet stays as it is."""
        if self._line is None:
            return self._echo.tail
        shown = self._line.text()
        if self._before is not None:
            pairs = zip(self._before, shown, strict=False)
            new = shown[sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)) :]
            own = self._echo.remains(new)
            if own is not None:
                return own
            shown = new  # its prompt came later than the input
        *whole, last = shown.split("\n")
        return "\n".join([*whole, self._echo.prompt(last)])

    def _switch(self, numbers: list[str], on: bool) -> None:
        if not _ALTERNATE.isdisjoint(numbers):
            self._alternate = on
            self._line = None
        if _EDITING in numbers and not self._alternate:
            if on and self._line is None:
                self._open()
            elif not on and self._line is not None:
                self._line = self._before = None
                self._echo.entered()
                if self._said and not self._fresh:
                    self._say("\n")
                self._fresh = True

    def _open(self) -> None:
        self._say(self._echo.flush())
        self._line, self._drawn, self._size = Screen(), [], 0

    def _take(self, text: str) -> None:
        if self._line is not None and self._size + len(text) <= LONGEST_LINE:
            self._draw(self._line, text)
            return
        if self._line is not None:
            self._line = self._before = None
            text = "".join(self._drawn) + text
        said = plain(text)
        if self._fresh:
            said = said.lstrip("\r")
        self._fresh = said.endswith("\n") if said else self._fresh
        self._say(said if self._alternate else self._echo.feed(said))

    def _draw(self, line: Screen, text: str) -> None:
        self._drawn.append(text)
        self._size += len(text)
        line.feed(text.encode())

    def _say(self, text: str) -> None:
        self._taken.append(text)
        self._said = self._said or bool(text)
