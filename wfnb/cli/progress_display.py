"""a run that goes on -> lines on a pipe, or a terminal that shows where it is; both ask."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TextIO

from wfnb.render.text import escape
from wfnb.render.text.text_width import columns as measured
from wfnb.render.text.text_width import cut
from wfnb.workflows.core.events import (
    CallFinished,
    QuestionAnswered,
    QuestionAsked,
    RunResumed,
    StopAsked,
)
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.views.progress import bar, progress

from .open_questions import Asking, Family, way
from .output import PAPER, complain, draw, size, terminal
from .question_prompt import Asker
from .run_events import Lines, output
from .typed_line import person

TAIL, WIDTH = 5, 160
"""Lines of output that are shown under what goes on or has ended, and their columns in a pipe."""
READ = 0.2
"""Seconds in which the reader of a pipe shows what it got."""
MARGIN = "  │ "
_STAYS = CallFinished | QuestionAnswered | StopAsked | RunResumed
"""What stays on a terminal, above what goes on."""


class Piped:
    """A line an event for a reader that is no terminal: no times and no control characters. A
    person is asked on stderr; with `silent` nothing else is shown."""

    def __init__(self, running: ActiveRun, after: int, silent: bool = False) -> None:
        self._lines = Lines(running.log.journal, running.log.info, after)
        self._silent, self._asks_here = silent, running.asks_here
        self._said = False
        self._asker = Asker(
            Family(running), self._typist, self._write_to_stderr, self._announce_question
        )

    def show(self, running: ActiveRun) -> None:
        self.end()
        if running.asks_here:
            self._asker.ask()

    def end(self) -> None:
        """All that has happened by now, and the last lines of what each call had to say."""
        for entry, line in self._lines.new():
            if isinstance(entry.event, QuestionAsked):
                if self._asks_here and self._typist() is not None:
                    continue  # it is asked there
                told = self._lines.teller
                action = told.action(entry.event.call)
                line += f" · answer: {escape.line(way(told.name, action, entry.event))}"
            if not self._silent:
                PAPER.say("\n".join([line, *_output(entry.event, WIDTH)]))
                self._said = True

    def _typist(self) -> int | None:
        return person() if terminal(sys.stderr) else None

    def _announce_question(self, asked: Asking) -> None:
        said = escape.line(f"? {asked.words} · answer: {asked.way}")
        if self._silent:
            complain(said)
        elif asked.nested or self._typist() is not None:  # nobody else says so
            PAPER.say(said)

    def _write_to_stderr(self, text: str) -> None:
        """On stderr, when what was said on stdout can have been read: the reader of a pipe may
        write to the same terminal."""
        if self._said:
            time.sleep(READ)
        self._said = False
        draw(sys.stderr, text)


class Live:
    """A terminal: what has ended stays, and below it what goes on is drawn again, over what was
    drawn before: nothing is erased first, so that nothing flickers, and no line is wider than the
    terminal, so that every line is one row of it; but where it became narrower since, and has
    broken them anew."""

    def __init__(self, running: ActiveRun, after: int, screen: TextIO) -> None:
        self._lines = Lines(running.log.journal, running.log.info, after)
        self._screen = screen
        self._drawn: list[str] = []
        self._columns = 0
        self._ended: list[str] = []
        self._asker = Asker(Family(running), person, self._write, self._announce_question)

    def show(self, running: ActiveRun) -> None:
        columns, rows = size(self._screen)
        self._ended += self._news(columns)
        if running.asks_here:
            self._asker.ask()
        self._paint([] if running.is_done else list(_progress_lines(running, columns, rows)))

    def end(self) -> None:
        """What has ended, in the place of what went on."""
        self._ended += self._news(size(self._screen).columns)
        self._paint([])

    def _news(self, columns: int) -> Iterator[str]:
        for entry, line in self._lines.new():
            if isinstance(entry.event, _STAYS):
                yield cut(line, columns - 1)
                yield from _output(entry.event, columns - 1)

    def _paint(self, drawn: list[str]) -> None:
        ended, self._ended = self._ended, []
        if not ended and drawn == self._drawn:
            return
        columns, before = size(self._screen).columns, self._columns
        resized = bool(self._drawn) and columns != before
        # Rounded up: a terminal that became narrower has broken a line into several rows.
        rows = sum(max(1, -(-measured(line) // columns)) for line in self._drawn)
        # Narrower: broken lines leave rests behind what is drawn, so that all below is erased
        # first.
        up = (f"\r\x1b[{rows}A" if rows else "") + "\x1b[J" * resized
        # Erased to the right after each line: nothing flickers, as it does where all is erased
        # first.
        lines = "".join(f"{line}\x1b[K\n" for line in (*ended, *drawn))
        draw(self._screen, f"{up}{lines}" + "\x1b[J" * (rows > len(ended + drawn)))
        self._drawn, self._columns = drawn, columns

    def _announce_question(self, asked: Asking) -> None:
        self._write(escape.line(f"? {asked.words} · answer: {asked.way}") + "\n")

    def _write(self, text: str) -> None:
        # What goes on is taken off the screen while somebody types: it would be drawn over the
        # answer.
        self._paint([])
        draw(self._screen, text)


def _progress_lines(running: ActiveRun, columns: int, rows: int) -> Iterator[str]:
    """Lines that fit: where the run is, with a bar if its length is known, and its last output."""
    # Another thread performs the run: its state must not change while it is put into words.
    with running.log.lock:
        now = progress(running.run, running.name, tuple(running.tail))
    bars = f"{bar(now.done, now.total)} " if now.total else ""
    yield cut(bars * (measured(bars + now.line) < columns) + now.line, columns - 1)
    for line in now.last[-min(TAIL, max(rows - 3, 0)) :] if rows > 3 else ():
        yield cut(f"{MARGIN}{line}", columns - 1)


def _output(event: object, columns: int) -> list[str]:
    """The last of what a call had to say, under the line that says how it ended."""
    if not isinstance(event, CallFinished):
        return []
    return [cut(f"{MARGIN}{line}", columns) for line in output(event, TAIL, columns)]
