"""bytes that came after an input -> what a person sees of what the program wrote since, in lines.

They are drawn on a screen that was wiped at the input: what is written over is gone, as progress
bars and spinners are; what has left the screen at the top stays; a line that is too long for a row
is one line. Not seen is what was typed:

* the terminal's own *echo* is drawn in invisible ink (`Echo` says what it is);
* a *line editor* that says when it edits (bracketed paste, as shells and others have it at their
  prompt) draws a draft: what was typed is taken from its end, the prompt stays;
* a line editor that does not say so was waited for when the line was typed, before it was entered
  (`Terminal.send`): what was before its cursor then, is what was typed (`Mark`).

What is typed may be taller than the screen: rows of a draft that have left it are held until it is
entered. A line that was shown is used up, also for later inputs; the others of an input are
awaited, however many they are.

A program that has the screen for itself draws what has changed: what it shows counts as a whole,
once it has written anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from wfnb.frozen_record import record

from .echo import Echo, remove_blanks
from .screen import Screen
from .screen_cells import DRAFT, HIDDEN, Cells


@record
class Mark:
    """What was the case when the output had come to a place: so many characters before the cursor,
    blanks not counted, were typed; or the screen got another size. `edits`: from there on a line
    editor shows what keys do to the line, or it does so no more."""

    place: int
    typed: int = 0
    size: tuple[int, int] | None = None
    edits: bool | None = None


@dataclass(kw_only=True, slots=True)
class TerminalInput:
    """An input: where in the output it was sent, the screen then, wiped, by what the terminal shows
    it, and the lines that a line editor may show, these and earlier ones, without blanks; those
    that none has shown yet, as far as somebody has looked. `begun` are the bytes of its last line,
    where the terminal waits for the end of that."""

    place: int = 0
    screen: Screen = field(default_factory=Screen)
    echo: tuple[bytes, ...] = ()
    typed: tuple[str, ...] = ()
    ended: bool = True
    begun: int = 0
    marks: list[Mark] = field(default_factory=list)
    unshown: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.unshown = self.typed


class OutputSinceInput:
    """`feed` bytes, `take` the lines that have left the screen; `tail` are those on it."""

    def __init__(self, since: TerminalInput) -> None:
        self._since = since
        self._screen, self._echo = since.screen.copy(), Echo(since.echo)
        self._screen.edited = self._on_edit_mode
        self._place, self._marks, self._marked = since.place, since.marks, 0
        self._typed = [line for line in since.typed if line]
        self._within = since.screen.editing
        """Whether the line that is edited was begun before the input."""
        self._written = not since.screen.alternate
        self._set_pen(self._within)

    def feed(self, data: bytes, place: int | None = None) -> None:
        """What came next; `place` says where, if something before it was lost."""
        self._place = self._place if place is None else place
        self._hold()
        for mark in self._marks[self._marked :]:
            # It is in what is yet to come.
            if mark.place > self._place + len(data):
                break
            # Less than nothing where what stood before the mark was lost.
            size = max(mark.place - self._place, 0)
            self._draw(data[:size])
            data = data[size:]
            self._place += size
            if mark.size:
                self._screen.resize(*mark.size)
            elif mark.edits is not None:
                self._set_pen(self._screen.editing)
                if mark.edits:
                    self._screen.cells.pen = HIDDEN
            else:
                self._screen.cells.hide_before(mark.typed)
            self._marked += 1
        self._hold()
        self._draw(data)
        self._place += len(data)

    def take(self) -> str:
        """The lines that have left the screen, and were not taken yet."""
        said = "".join(self._screen.history)
        self._screen.history.clear()
        return said

    @property
    def tail(self) -> str:
        """What is seen, if it stays as it is."""
        if not self._written:
            return ""
        # Without a draft nothing has to be hidden, and a copy of the screen can be spared.
        if not self._screen.cells.pen:
            return self._screen.whole_text()
        seen = self._screen.copy()
        seen.history.clear()
        _hide_typed(seen.cells, self._typed, self._within, whole=False)
        return seen.whole_text()

    def _draw(self, data: bytes) -> None:
        for part, echo in self._echo.feed(data):
            self._written = self._written or not echo
            if echo and not self._screen.alternate:
                pen, self._screen.cells.pen = self._screen.cells.pen, HIDDEN
                self._screen.feed(part)
                self._screen.cells.pen = pen
            else:
                self._screen.feed(part)

    def _on_edit_mode(self, on: bool) -> None:
        cells = self._screen.cells
        if on:
            self._echo.stop()
        if not on and cells.pen:
            shown = _hide_typed(cells, self._typed, self._within, whole=True)
            # Used up: if the program shows the same line again, it is the program's.
            if shown in self._typed:
                self._typed.remove(shown)
                self._since.unshown = min(self._since.unshown, tuple(self._typed), key=len)
            self._within = False
        self._set_pen(on)

    def _set_pen(self, editing: bool) -> None:
        self._screen.cells.pen = DRAFT if editing and not self._screen.alternate else ""
        self._hold()

    def _hold(self) -> None:
        """Hold the rows of what may still turn out to have been typed."""
        cells = self._screen.cells
        cells.hold(cells.pen == DRAFT or self._marked < len(self._marks))


def _hide_typed(drawing: Cells, typed: list[str], within: bool, *, whole: bool) -> str:
    """Hide what was typed in a draft. `within` it the typing began: its prompt is older. `whole`:
    it was entered, so that it is no draft any more, and has a whole line. Returns what was hidden,
    without blanks."""
    rows = [*drawing.held, *drawing.lines]
    drawn = [row for row in rows if DRAFT in "".join(row)]  # of many rows that are blank, and long
    cells = [(row, x) for row in drawn for x, cell in enumerate(row) if cell[:1] == DRAFT]
    shown = remove_blanks("".join(row[x][1:] for row, x in cells))
    hidden = max(_endings(shown, typed, within, whole), key=len, default="")
    first = 0
    if within and not hidden:  # all of it is the line that was typed, in another form
        first = (
            len(shown) if whole else max((len(t) for t in typed if shown.startswith(t)), default=0)
        )
    last = len(shown) - len(hidden)
    place = 0
    for row, x in cells:
        character = row[x][1:]
        size = len(character.strip())
        row[x] = character if first <= place and place + size <= last else HIDDEN
        place += size
    return hidden


def _endings(shown: str, typed: list[str], within: bool, whole: bool) -> Iterator[str]:
    """What of a draft may have been typed: a whole line, or the beginning of one."""
    for line in typed:
        for size in (len(line),) if whole else range(len(line), 0, -1):
            if shown.endswith(line[:size]) and (within or whole or size < len(shown)):
                yield line[:size]
                break
