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

from .cells import LINES, NARROW, Cells
from .control import SEQUENCE, UNSEEN, held
from .edits import edit

COLUMNS, ROWS = 120, 30
HISTORY = 10_000
"""Lines kept of those that have left the screen."""
_PLAIN = re.compile(rf"[{NARROW}\r\n]+")
_TOKEN = re.compile(
    r"([^\x00-\x1f\x7f-\x9f]+)"
    r"|\r*(\n)"
    r"|\x1b\[([0-?]*)([ -/]*[@-~])"
    rf"|({SEQUENCE})"
    r"|([\x08\t\r\x0b\x0c\x0e\x0f])"
)


class Screen:
    """A screen; `replies` has what the terminal has to answer to the program's questions."""

    def __init__(self, rows: int = ROWS, columns: int = COLUMNS) -> None:
        self.history: deque[str] = deque(maxlen=HISTORY)
        self.replies: list[bytes] = []
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._reset(rows, columns)

    def _reset(self, rows: int, columns: int) -> None:
        self._main = self.cells = Cells(rows, columns, self.history)
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
        cells, lines = self.cells, self.cells.text()
        before = "".join(cells.lines[cells.y][: cells.x + cells.full])
        if len(before) > len(lines[cells.y]):
            lines[cells.y] = before
        return "\n".join(lines).rstrip("\n")

    def lines(self) -> list[str]:
        """What is seen, after what has left the screen at the top."""
        return [*self.history, *self.text().split("\n")]

    def resize(self, rows: int, columns: int) -> None:
        for cells in filter(None, (self.cells, self._behind)):
            cells.resize(rows, columns)

    def feed(self, data: bytes) -> None:
        """What the program wrote next. A sequence or character that is cut is waited for."""
        text = self._rest + self._decoder.decode(data)
        end = held(text)
        self._rest = text[end:]
        text = text[:end]
        if "\x1b" in text:
            text = UNSEEN.sub("", text)
        place = 0
        for found in _PLAIN.finditer(text):
            # the first line may have been begun before, or be the end of a sequence
            start = text.find("\n", found.start(), found.end()) + 1
            end = text.rfind("\n", found.start(), found.end()) + 1
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
        mere = not (cells.inserts or self.alternate or self._drawing[self._set])
        blank = not any(cells.text()[cells.y :])
        return whole and mere and cells.wraps and cells.rows > 1 and blank

    def _pass(self, block: str) -> None:
        """Lines go up and past; only those that stay, here or in the history, are looked at."""
        cells = self.cells
        keep, shown = HISTORY + cells.rows, cells.rows - 1
        self.history.extend(line.rstrip() for line in cells.text()[: cells.y])
        lines: list[str] = []
        for line in block.rsplit("\n", keep + 1)[-keep - 1 : -1]:
            if len(line) - 1 <= cells.columns:
                lines.append(line[:-1])
            else:
                starts = range(0, len(line) - 1, cells.columns)
                lines += [line[:-1][start : start + cells.columns] for start in starts]
        self.history.extend(line.rstrip() for line in lines[:-shown])
        cells.lines = [list(line.ljust(cells.columns)) for line in lines[-shown:]]
        cells.lines.append(cells.blank())
        cells.move(0, cells.rows - 1)
        self._last = lines[-1][-1:] or self._last

    def _draw(self, text: str) -> None:
        for found in _TOKEN.finditer(text):
            match found.lastindex:
                case 1:
                    run = found[1]
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
            case 47 | 1047:
                self._switch(on)
            case 1048:
                self._save() if on else self._restore()
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
                self.cells.put(self._last * min(first or 1, self.cells.columns * self.cells.rows))
            case "", "s" if len(said) == 0:
                self._save()
            case "", "u":
                self._restore()
            case "", _:
                edit(self.cells, final, numbers)
