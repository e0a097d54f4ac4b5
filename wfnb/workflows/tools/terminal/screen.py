"""bytes that a program wrote -> the screen as a person would see it, and the lines that left it.

Why not pyte: it reads 0.9 MB/s, knows no alternate screen, has no replies, and was last released in
2023. Here blocks of plain lines go past without being drawn (some hundred MB/s), colours are left
out (nobody sees them in text), and the rest is drawn at several MB/s. pyte and tmux tell in the
tests whether it is right.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable
from copy import copy

from .control_sequences import SEQUENCE, UNSEEN, incomplete_start
from .screen_cells import LINES, NARROW, Cells, Row
from .screen_edits import edit

COLUMNS, ROWS = 120, 30
HISTORY = 10_000
"""Lines kept of those that have left the screen."""
_PLAIN = re.compile(rf"[{NARROW}\r\n]+")
_ENDS = re.compile(r" *\r\n")
_TOKEN = re.compile(
    r"([^\x00-\x1f\x7f-\x9f]+)"
    r"|\r*(\n)"
    r"|\x1b\[([0-?]*)([ -/]*[@-~])"
    rf"|({SEQUENCE})"
    r"|([\x08\t\r\x0b\x0c\x0e\x0f])"
)


class Screen:
    """A screen; `replies` has what the terminal has to answer to the program's questions, `history`
    the lines that have left it: with their ends, but for those that go on in the next."""

    def __init__(self, rows: int = ROWS, columns: int = COLUMNS) -> None:
        self.history: deque[str] = deque(maxlen=HISTORY)
        self.replies: list[bytes] = []
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self.edited: Callable[[bool], None] = lambda on: None
        """Told when the program begins to edit a line, and when it was entered."""
        self._reset(rows, columns)

    def _reset(self, rows: int, columns: int) -> None:
        self.cells = Cells(rows, columns, self.history)
        self._behind: Cells | None = None
        self._saved: dict[bool, tuple[int, int, bool, list[bool], int]] = {}
        self._drawing = [False, False]  # of the two sets of characters, which one draws lines
        self._set = 0
        self._last = ""
        self.editing = False
        """Whether the program edits a line: it wants pasted text to be marked as such."""
        self._returns = False

    @property
    def alternate(self) -> bool:
        """Whether a program has the screen for itself, and the lines are put by meanwhile."""
        return self._behind is not None

    def text(self) -> str:
        """What is seen, without blanks at the ends of lines, but for those before the cursor, and
        without blank lines at the end."""
        return "\n".join(self.cells.text()).rstrip("\n")

    def lines(self) -> list[str]:
        """What is seen, after what has left the screen at the top."""
        return [*map(str.rstrip, self.history), *self.text().split("\n")]

    def whole_text(self) -> str:
        """The lines that are seen, each whole however many rows it has; where a program has the
        screen for itself, after those that are behind it."""
        if self._behind is None:
            return self.cells.trimmed_text()
        rows = [*self._behind.held, *self._behind.lines]
        behind = "".join(line.line() for line in rows).rstrip("\n")
        return f"{behind}\n{self.text()}" if behind else self.text()

    def copy(self, *, blank: bool = False) -> Screen:
        """The same, of which no change is seen here, with a history of its own that loses nothing;
        `blank`: what a person sees of what is written from now on, until a program that has the
        screen for itself gives it back."""
        other = copy(self)
        other.history = deque(() if blank else self.history)
        other.replies = []
        other._decoder = getincrementaldecoder("utf-8")("replace")
        # A letter may be cut in the middle: the copy waits for its rest as well.
        other._decoder.setstate(self._decoder.getstate())
        other._saved, other._drawing = {**self._saved}, [*self._drawing]
        other.cells = self.cells.copy(None if self.alternate else other.history)
        other._behind = self._behind and self._behind.copy(other.history)
        if blank:
            (other._behind or other.cells).hide()
        return other

    def resize(self, rows: int, columns: int) -> None:
        for cells in filter(None, (self.cells, self._behind)):
            cells.resize(rows, columns)

    def feed(self, data: bytes) -> None:
        """What the program wrote next. A sequence or character that is cut is waited for."""
        text = self._rest + self._decoder.decode(data)
        end = incomplete_start(text)
        # Not drawn yet: half a sequence would stand on the screen as letters.
        self._rest = text[end:]
        text = text[:end]
        if "\x1b" in text:
            text = UNSEEN.sub("", text)
        place = 0
        for found in _PLAIN.finditer(text):
            # the first line may have been begun before, or be the end of a sequence
            start = text.find("\n", found.start(), found.end()) + 1
            end = text.rfind("\n", found.start(), found.end()) + 1
            # Fewer lines are drawn as fast, and need no look at whether they may pass.
            if text.count("\n", start, end) > self.cells.rows + 1:
                self._draw(text[place:start])
                self._lines(text[start:end])
                place = end
        self._draw(text[place:])

    def _lines(self, block: str) -> None:
        """A block of more lines than the screen has, without control sequences."""
        ends = block.count("\r\n")
        if self._passes() and ends == block.count("\n") == block.count("\r"):
            self._pass(block)
        else:
            self._draw(block)

    def _passes(self) -> bool:
        """Whether lines written now run through from the bottom to the top."""
        cells = self.cells
        whole = cells.top == 0 and cells.bottom == cells.rows - 1 and not cells.x and not cells.full
        mere = not (cells.inserts or cells.pen or cells.holds or self.alternate)
        mere = mere and not self._drawing[self._set]
        blank = not any(cells.text()[cells.y :])
        return whole and mere and cells.wraps and cells.rows > 1 and blank

    def _pass(self, block: str) -> None:
        """Lines go up and past; only those that stay, here or in the history, are looked at."""
        cells, shown = self.cells, self.cells.rows - 1
        ends = _ENDS.sub("\n", block) if " \r" in block else block.replace("\r\n", "\n")
        rows = ends.splitlines(keepends=True)
        if len(max(rows, key=len)) > cells.columns + 1:
            rows = [row for line in rows for row in _rows(line, cells.columns)]
        self.history.extend(line.line() for line in cells.lines[: cells.y])
        self.history.extend(rows[:-shown])
        cells.lines = [_row(row, cells.columns) for row in rows[-shown:]]
        cells.lines.append(cells.blank())
        cells.move(0, cells.rows - 1)
        self._last = block[-3:-2].strip("\n") or self._last

    def _draw(self, text: str) -> None:
        for found in _TOKEN.finditer(text):
            match found.lastindex:
                case 1:
                    run = found[1]
                    # The set for drawing has lines and corners where letters are.
                    if self._drawing[self._set]:
                        run = run.translate(LINES)
                    self.cells.put(run)
                    self._last = run[-1]
                case 2:
                    if found[0] != "\n" or self._returns:
                        self.cells.move(0, self.cells.y)
                    self.cells.line_feed()
                case 4:
                    self._control(found[3], found[4])
                case 5:
                    self._escape(found[5][1:])
                case 6:
                    self._character(found[6])

    def _character(self, character: str) -> None:
        cells = self.cells
        match character:
            case "\r":
                cells.move(0, cells.y)
            case "\b":
                cells.move(cells.x - 1, cells.y)
            case "\t":
                cells.tab(1)
            case "\x0b" | "\x0c":
                cells.line_feed()
            case _:
                self._set = int(character == "\x0e")

    def _escape(self, said: str) -> None:
        cells = self.cells
        match said:
            case "7":
                self._save()
            case "8":
                self._restore()
            case "D":
                cells.line_feed()
            case "E":
                cells.move(0, cells.y)
                cells.line_feed()
            case "M":
                cells.reverse_line_feed()
            case "H":
                cells.tabs.add(cells.x)
            case "c":
                self._reset(cells.rows, cells.columns)
            case "#8":
                cells.align()
            case "(0" | "(B" | "(A" | ")0" | ")B" | ")A":
                self._drawing[said[0] == ")"] = said[1] == "0"

    def _save(self) -> None:
        cells = self.cells
        self._saved[self.alternate] = (cells.x, cells.y, cells.full, [*self._drawing], self._set)

    def _restore(self) -> None:
        nothing = (0, 0, False, [False, False], 0)
        x, y, full, drawing, which = self._saved.get(self.alternate, nothing)
        self.cells.move(x, y)
        self.cells.full, self._drawing, self._set = full, [*drawing], which

    def _switch(self, on: bool) -> None:
        old = self.cells
        if on and self._behind is None:
            self._behind, self.cells = old, Cells(old.rows, old.columns)
        elif not on and self._behind is not None:
            self.cells, self._behind = self._behind, None
        self.cells.take_over(old)

    def _mode(self, number: int, on: bool) -> None:
        match number:
            case 6:
                self.cells.relative = on
                self.cells.place(0, 0)
            case 7:
                self.cells.wraps = on
            case 2004:
                self.editing = on
                self.edited(on)
            case 47 | 1047:
                self._switch(on)
            case 1048:
                self._save() if on else self._restore()
            # 1049 is 1047 and 1048 at once; a second one would save the cursor of the other screen.
            case 1049 if on:
                if not self.alternate:
                    self._save()
                    self._switch(True)
            case 1049:
                if self.alternate:
                    self._switch(False)
                    self._restore()

    def _control(self, said: str, final: str) -> None:
        numbers = [int(part) if part.isdigit() else 0 for part in said.lstrip("<=>?").split(";")]
        first = numbers[0]
        match said[:1] if said[:1] in ("<", "=", ">", "?") else "", final:
            case "?", "h" | "l":
                for number in numbers:
                    self._mode(number, final == "h")
            # Programs that ask what terminal this is wait for an answer.
            case ">", "c":
                self.replies.append(b"\x1b[>0;0;0c")
            case "", "h" | "l" if first in (4, 20):
                if first == 4:
                    self.cells.inserts = final == "h"
                self._returns = final == "h" if first == 20 else self._returns
            case "", "n" if first == 5:
                self.replies.append(b"\x1b[0n")
            case "", "n" if first == 6:
                y = self.cells.y - (self.cells.top if self.cells.relative else 0)
                self.replies.append(b"\x1b[%d;%dR" % (y + 1, self.cells.x + 1))
            case "", "c":
                self.replies.append(b"\x1b[?1;2c")
            case "", "b" if self._last:
                # A number of a program's choice: more than the screen holds would only cost time
                # and memory.
                self.cells.put(self._last * min(first or 1, self.cells.columns * self.cells.rows))
            case "", "s" if len(said) == 0:
                self._save()
            case "", "u":
                self._restore()
            case "", _:
                edit(self.cells, final, numbers)


def _rows(line: str, columns: int) -> list[str]:
    """The rows that a line takes, the last of them with its end."""
    starts = range(0, max(len(line) - 1, 1), columns)
    return [line[start : start + columns + (start == starts[-1])] for start in starts]


def _row(row: str, columns: int) -> Row:
    return Row(row.rstrip("\n").ljust(columns), wraps=not row.endswith("\n"))
