"""characters, and where they go -> rows of cells.

A cell is the text of one column: a character with what stands on it; the second column of a wide
character is empty text.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from copy import copy
from functools import lru_cache

from wcwidth import wcwidth

NARROW = r" -~°-˿Α-ҁ─-▟"
"""Characters that take one column each, whatever is next to them."""
_RUN = re.compile(rf"[{NARROW}]+|.", re.DOTALL)
LINES = str.maketrans("`abcdefghijklmnopqrstuvwxyz{|}~", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")
"""Characters for drawing, which a program may ask for in place of letters."""
HIDDEN = "\0"
"""A cell that takes its column and shows nothing: an echo, or what was there before an input."""
DRAFT = "\1"
"""Stands before the character of a cell that a line editor has drawn."""
MAX_HELD = 32_768
"""Cells of the rows that are held: more than an input of 10,000 characters takes."""
width = lru_cache(4096)(wcwidth)


class Row(list[str]):
    """The cells of a row. `wraps`: its line goes on in the next row. `hidden`: its end was typed,
    or it was there before an input, so that it is no empty line."""

    __slots__ = ("hidden", "wraps")

    def __init__(self, cells: Iterable[str], *, wraps: bool = False, hidden: bool = False) -> None:
        super().__init__(cells)
        self.wraps, self.hidden = wraps, hidden

    def copy(self) -> Row:
        return Row(self, wraps=self.wraps, hidden=self.hidden)

    def text(self, cursor: int = 0) -> str:
        """What is seen, without blanks at the end but for those before the cursor."""
        shown = "".join(self).replace(DRAFT, "").rstrip(" ").rstrip(HIDDEN)
        if cursor:
            shown = max("".join(self[:cursor]).replace(DRAFT, ""), shown, key=len)
        return shown.strip(HIDDEN).replace(HIDDEN, " ")

    def line(self) -> str:
        """The text with the end of its line, if it ends here."""
        if self.wraps:
            return self.text(len(self))
        text = self.text()
        return text + "\n" if text or not self.hidden else ""


class Cells:
    """Rows of cells, a cursor, and the region that scrolls; places count from 0. `left` takes the
    lines that leave at the top; None: they are lost. `pen` is HIDDEN or DRAFT for what is written
    while an echo or a line editor writes. While it `holds`, rows that leave are `held` before they
    go there: a line that is taller than the screen may be hidden once it has ended."""

    def __init__(self, rows: int, columns: int, left: deque[str] | None = None) -> None:
        self.rows, self.columns, self.left = rows, columns, left
        self.lines: list[Row] = [self.blank() for _ in range(rows)]
        self.x = self.y = 0
        self.full = False
        """Whether the last column was written: the next character goes to the next line."""
        self.wraps, self.inserts, self.relative = True, False, False
        self.top, self.bottom = 0, rows - 1
        self.tabs = set(range(8, 1000, 8))
        self.pen = ""
        self.holds = False
        self.held: list[Row] = []

    def blank(self) -> Row:
        return Row([" "] * self.columns)

    def text(self) -> list[str]:
        """What is seen in each row, without blanks at the end but for those before the cursor."""
        cursor = self.x + self.full
        return [line.text(cursor * (y == self.y)) for y, line in enumerate(self.lines)]

    def trimmed_text(self) -> str:
        """The lines, without blank ones at the end."""
        rows = self.text()
        last = max((y for y, text in enumerate(rows) if text), default=0)
        last = max(last, self.y)
        whole = [*self.held, *self.lines[:last]]
        return "".join(line.line() for line in whole) + rows[last]

    def text_before_cursor(self, size: int) -> str:
        """What stands before the cursor in its line, the last characters of it, so many at least;
        without blanks."""
        text, y = "".join(self.lines[self.y][: self.x + self.full]), self.y
        while y and self.lines[y - 1].wraps:
            y -= 1
            text = "".join(self.lines[y]) + text
        text = "".join(text.replace(HIDDEN, "").split())
        for row in reversed(() if y or self.left is None else self.left):
            if row.endswith("\n") or len(text) >= size:
                break
            text = "".join(row.split()) + text
        return text

    def copy(self, left: deque[str] | None) -> Cells:
        """The same, of which no change is seen here."""
        other = copy(self)
        other.left, other.tabs = left, {*self.tabs}
        other.lines = [line.copy() for line in self.lines]
        other.held = [line.copy() for line in self.held]
        return other

    def hide(self) -> None:
        """Show nothing of what was written until now."""
        for y, line in enumerate(self.lines):
            size = len(line) if y < self.y else self.x + self.full if y == self.y else 0
            new = [HIDDEN] * size + [" "] * (len(line) - size)
            self.lines[y] = Row(new, wraps=line.wraps and y < self.y, hidden=y < self.y)

    def hide_before(self, count: int) -> None:
        """Hide so many characters before the cursor, blanks not counted, and the row's end."""
        rows = [*self.held, *self.lines]
        y, x = len(self.held) + self.y, self.x + self.full
        rows[y].hidden = True
        while count > 0 and y >= 0:
            line = rows[y]
            while count > 0 and x > 0:
                x -= 1
                count -= len(line[x].strip(f" {HIDDEN}"))
                line[x] = HIDDEN
            y -= 1
            if y >= 0 and rows[y].wraps:
                x = len(rows[y])
            else:
                return

    def hold(self, holds: bool) -> None:
        """Hold the rows that leave, or let them go and those that left before."""
        self.holds = holds
        if not holds:
            self._let_go(len(self.held))

    def _leave(self, rows: list[Row]) -> None:
        self.held += rows
        self._let_go(len(self.held) - (MAX_HELD // self.columns if self.holds else 0))

    def _let_go(self, count: int) -> None:
        if count > 0:
            if self.left is not None:
                self.left.extend(line.line() for line in self.held[:count])
            del self.held[:count]

    def take_over(self, other: Cells) -> None:
        """Go on where another one, of the same size, was."""
        self.x, self.y, self.full = other.x, other.y, other.full
        self.wraps, self.inserts, self.relative = other.wraps, other.inserts, other.relative
        self.top, self.bottom, self.tabs = other.top, other.bottom, other.tabs

    # writing

    def put(self, text: str) -> None:
        """Write text from the cursor on; it may have no control characters."""
        for run in (text,) if text.isascii() else _RUN.findall(text):
            if len(run) > 1 or run.isascii():
                self._put_narrow(run)
            else:
                self._put_any(run)

    def _put_narrow(self, text: str) -> None:
        while text:
            room = self._room(1)
            part, text = text[:room], text[room:]
            if not self.wraps and text:
                part, text = part[:-1] + text[-1], ""
            self._write(list(part))

    def _put_any(self, character: str) -> None:
        columns = width(character)
        if columns > 0:
            self._room(columns)
            self._write([character, ""] if columns == 2 else [character])
        # A combining mark stands on the character before it.
        elif columns == 0 and self.pen != HIDDEN:
            x = self.x if self.full else self.x - 1
            if x > 0 and not self.lines[self.y][x]:
                x -= 1
            if x >= 0:
                self.lines[self.y][x] += character

    def _room(self, columns: int) -> int:
        """The columns left on this line, or on the next if there are too few."""
        if self.wraps and (self.full or self.x + columns > self.columns):
            line = self.lines[self.y]
            line.wraps = True
            if not self.full and line[-1] == " ":
                line[-1] = HIDDEN  # a wide character found no room
            self.x = 0
            self.line_feed()
        elif self.x + columns > self.columns:
            self.x = self.columns - columns
        self.full = False
        return self.columns - self.x

    def _write(self, cells: list[str]) -> None:
        if self.pen == HIDDEN:
            cells = [HIDDEN] * len(cells)
        elif self.pen:
            cells = [cell and self.pen + cell for cell in cells]
        line, x, end = self.lines[self.y], self.x, self.x + len(cells)
        if self.inserts:
            self._split(x)
            line[x:x] = cells
            del line[self.columns :]
            if line[-1] and width(line[-1][0]) == 2:
                line[-1] = " "
        else:
            self._split(x)
            self._split(end)
            line[x:end] = cells
        # A terminal goes to the next line only with the next character, so that a full line is no
        # two.
        self.full = self.wraps and end >= self.columns
        self.x = min(end, self.columns - 1)

    def _split(self, x: int) -> None:
        """A wide character that the edge at `x` goes through is lost."""
        line = self.lines[self.y]
        if 0 < x < self.columns and not line[x]:
            line[x - 1] = line[x] = " "

    # moving

    def move(self, x: int, y: int) -> None:
        self.x = min(max(x, 0), self.columns - 1)
        self.y = min(max(y, 0), self.rows - 1)
        self.full = False

    def place(self, x: int, y: int) -> None:
        """Move to where a program says: from the region's corner, if it said so before."""
        if self.relative:
            y = min(max(y, 0) + self.top, self.bottom)
        self.move(x, y)

    def move_up(self, count: int) -> None:
        self.move(self.x, max(self.y - count, self.top if self.y >= self.top else 0))

    def move_down(self, count: int) -> None:
        limit = self.bottom if self.y <= self.bottom else self.rows - 1
        self.move(self.x, min(self.y + count, limit))

    def tab(self, count: int) -> None:
        """Go to a tab stop that is so many further on, or back for a negative count. What an echo
        goes over is hidden as what it writes."""
        start = self.x
        for _ in range(min(abs(count), self.columns)):
            if count > 0:
                stop = min((t for t in self.tabs if t > self.x), default=self.columns)
            else:
                stop = max((t for t in self.tabs if t < self.x), default=0)
            self.x = min(stop, self.columns - 1)
        if self.pen == HIDDEN:
            cells = self.lines[self.y][start : self.x]
            self.lines[self.y][start : self.x] = [HIDDEN if cell == " " else cell for cell in cells]

    def line_feed(self) -> None:
        if self.pen and not self.lines[self.y].wraps:
            self.lines[self.y].hidden = True
        self.full = False
        if self.y == self.bottom:
            self.scroll(1)
        elif self.y < self.rows - 1:
            self.y += 1

    def reverse_line_feed(self) -> None:
        self.full = False
        if self.y == self.top:
            self.scroll(-1)
        elif self.y > 0:
            self.y -= 1

    # whole lines

    def scroll(self, count: int) -> None:
        """Move the region's lines up, or down for a negative count."""
        # A region that begins lower is a program's own window: what scrolls out of it is no
        # history.
        if count > 0 and self.top == 0:
            self._leave(self.lines[: min(count, self.bottom + 1)])
        self._shift(self.top, count)

    def insert_lines(self, count: int) -> None:
        """Blank lines at the cursor, or lines taken out there for a negative count."""
        if self.top <= self.y <= self.bottom:
            self._shift(self.y, -count)
            self.move(0, self.y)

    def _shift(self, top: int, count: int) -> None:
        size = self.bottom + 1 - top
        lines, blanks = self.lines[top : self.bottom + 1], min(abs(count), size)
        new = [self.blank() for _ in range(blanks)]
        moved = lines[blanks:] + new if count > 0 else new + lines[: size - blanks]
        self.lines[top : self.bottom + 1] = moved

    # parts of lines

    def insert_blanks(self, count: int) -> None:
        self._split(self.x)
        line = self.lines[self.y]
        line[self.x : self.x] = [" "] * min(count, self.columns)
        del line[self.columns :]
        if line[-1] and width(line[-1][0]) == 2:
            line[-1] = " "
        self.full = False

    def take_out(self, count: int) -> None:
        end = min(self.x + count, self.columns)
        self._split(self.x)
        self._split(end)
        line = self.lines[self.y]
        del line[self.x : end]
        line += [" "] * (self.columns - len(line))
        self.full = False

    def erase(self, first: int, end: int) -> None:
        """Blank cells of this line."""
        end = min(end, self.columns)
        self._split(first)
        self._split(end)
        self.lines[self.y][first:end] = [" "] * (end - first)
        self.lines[self.y].wraps &= end < self.columns
        self.full = False

    def erase_lines(self, first: int, end: int) -> None:
        for y in range(first, end):
            self.lines[y] = self.blank()

    def align(self) -> None:
        """Fill everything with an E, as for adjusting a screen."""
        self.lines = [Row(["E"] * self.columns) for _ in range(self.rows)]
        self.move(0, 0)

    def resize(self, rows: int, columns: int) -> None:
        """Lines are cut or filled on the right, and leave at the top if the cursor's would not be
        seen any more."""
        spare = max(self.y + 1 - rows, 0)
        self._leave(self.lines[:spare])
        self.rows, self.columns = rows, columns
        self.lines = self.lines[spare : spare + rows]
        for line in self.lines:
            line.wraps &= columns == len(line)
            # The right half of a wide character would be cut off: its left half goes, too.
            if columns < len(line) and not line[columns]:
                line[columns - 1] = " "
            del line[columns:]
            line += [" "] * (columns - len(line))
        self.lines += [self.blank() for _ in range(rows - len(self.lines))]
        self.top, self.bottom = 0, rows - 1
        self.move(self.x, self.y - spare)
