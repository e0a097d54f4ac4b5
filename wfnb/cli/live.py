"""a run that goes on -> lines on a pipe, or a terminal that shows where it is; both ask."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

from wfnb.core.runs.events import (
    CallFinished,
    QuestionAnswered,
    QuestionAsked,
    RunResumed,
    StopAsked,
)
from wfnb.runner.running import Running
from wfnb.views.runs.progress import bar, progress
from wfnb.views.text import escape
from wfnb.views.text.measure import columns as measured
from wfnb.views.text.measure import cut

from .asker import Asker
from .asking import Asking, Family, way
from .lines import Lines
from .paper import PAPER, complain, terminal
from .prompt import person

TAIL = 5
"""Lines of output that are shown under what goes on."""
_STAYS = CallFinished | QuestionAnswered | StopAsked | RunResumed
"""What stays on a terminal, above what goes on."""


class Piped:
    """A line an event for a reader that is no terminal: no times and no control characters. A
    person is asked on stderr; with `silent` nothing else is shown."""

    def __init__(self, running: Running, after: int, silent: bool = False) -> None:
        self._lines = Lines(running.log.journal, running.log.info, after)
        self._silent = silent
        self._asker = Asker(Family(running), self._typist, _to_stderr, self._elsewhere)

    def show(self, running: Running) -> None:
        self.end()
        self._asker.ask()

    def end(self) -> None:
        """All that has happened by now."""
        for entry, line in self._lines.new():
            if isinstance(entry.event, QuestionAsked):
                told = self._lines.teller
                action = told.action(entry.event.call)
                line += f" · answer: {escape.line(way(told.name, action, entry.event))}"
            if not self._silent:
                PAPER.say(line)

    def _typist(self) -> int | None:
        return person() if terminal(sys.stderr) else None

    def _elsewhere(self, asked: Asking) -> None:
        said = escape.line(f"? {asked.words} · answer: {asked.way}")
        if self._silent:
            complain(said)
        elif asked.nested:  # nobody else says so
            PAPER.say(said)


class Live:
    """A terminal: what has ended stays, and below it what goes on is drawn again and again."""

    def __init__(self, running: Running, after: int, screen: TextIO) -> None:
        self._lines = Lines(running.log.journal, running.log.info, after)
        self._screen = screen
        self._drawn = 0
        self._asker = Asker(Family(running), person, self._write, self._elsewhere)

    def show(self, running: Running) -> None:
        self.end()
        self._asker.ask()
        if not running.done:
            drawn = list(_drawn(running, *shutil.get_terminal_size()))
            self._write("".join(f"{line}\n" for line in drawn))
            self._drawn = len(drawn)

    def end(self) -> None:
        """What has ended, in the place of what went on."""
        ended = [line for entry, line in self._lines.new() if isinstance(entry.event, _STAYS)]
        self._write(self._erasing() + "".join(f"{line}\n" for line in ended))

    def _erasing(self) -> str:
        drawn, self._drawn = self._drawn, 0
        return f"\r\x1b[{drawn}A\x1b[J" if drawn else ""

    def _elsewhere(self, asked: Asking) -> None:
        self._write(escape.line(f"? {asked.words} · answer: {asked.way}") + "\n")

    def _write(self, text: str) -> None:
        with suppress(OSError):  # the terminal was closed: the run goes on
            self._screen.write(text)
            self._screen.flush()


def _drawn(running: Running, columns: int, rows: int) -> Iterator[str]:
    """Lines that fit: where the run is, with a bar if its length is known, and its last output."""
    with running.log.lock:
        now = progress(running.run, running.name, tuple(running.tail))
    bars = f"{bar(now.done, now.total)} " if now.total else ""
    yield cut(bars * (measured(bars + now.line) < columns) + now.line, columns - 1)
    for line in now.last[-min(TAIL, max(rows - 3, 0)) :] if rows > 3 else ():
        yield cut(f"  │ {line}", columns - 1)


def _to_stderr(text: str) -> None:
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()
