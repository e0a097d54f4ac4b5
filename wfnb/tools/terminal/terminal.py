"""a program in a terminal -> input sent to it, output awaited from it, its screen as one sees it.

Everything that the program wrote is kept in a ring, and only looked into when somebody asks: for
the screen, from where it was drawn last; for a pattern, from the last input on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from wfnb.core.record import record

from .control import plain
from .echo import Typed, typed_lines
from .program import Program
from .ring import Ring
from .said import LONGEST_LINE, Input, Said, without_echo
from .screen import COLUMNS, ROWS, Screen
from .search import Found, Search

SETTLED = 0.05
"""Seconds without output after which a pattern is looked for in all that was said."""
LONGEST_WHOLE = 4095
"""Bytes of a line that a terminal takes for a program that reads whole lines; it cuts the rest."""
_EARLIER = 20
_ASKED = re.compile(rb"\x1b\[(?:[56]n|0?c|>0?c)")
_EDIT = b"\x1b[?2004h"


@record
class Awaited:
    """What came of waiting: the match, None for none, and whether the time was over."""

    found: Found | None
    timed_out: bool
    seconds: float


class Terminal:
    """A terminal of 120 × 30 characters. Belongs to the loop that it was opened on."""

    def __init__(self, argv: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        """Raises OSError where the program cannot be started."""
        self._ring, self._screen = Ring(), Screen()
        self._drawn = 0
        self._input = Input()
        self._waiting: set[asyncio.Event] = set()
        self._turn = asyncio.Lock()
        self.program = Program(argv, folder, environment, (ROWS, COLUMNS), self._hear, self._stir)

    def _hear(self, data: bytes) -> None:
        while self._drawn < self._ring.spare(len(data)):
            self._draw()
        self._ring.append(data)
        if _ASKED.search(data):
            while self._drawn < self._ring.end:
                self._draw()
            self.program.answer(b"".join(self._screen.replies))
        self._screen.replies.clear()

    def _stir(self) -> None:
        for waiting in self._waiting:
            waiting.set()

    def _draw(self) -> None:
        data = self._ring.read(self._drawn)
        self._screen.feed(data)
        self._drawn += len(data)

    async def _seen(self) -> Screen:
        """The screen with all that has come until now."""
        end = self._ring.end
        while self._drawn < end:
            self._draw()
            await asyncio.sleep(0)
        return self._screen

    async def begun(self, seconds: float) -> None:
        """Wait until something is seen or the program has ended, at most so long."""
        waiting = asyncio.Event()
        self._waiting.add(waiting)
        try:
            async with asyncio.timeout(seconds):
                while not (await self.screen() or self.program.ended):
                    await waiting.wait()
                    waiting.clear()
        except TimeoutError:
            pass
        finally:
            self._waiting.discard(waiting)

    async def send(self, text: str) -> None:
        """Type a text. Raises ValueError for a line that the terminal would cut, OSError where the
        program has ended."""
        async with self._turn:
            data = text.encode("utf-8", "replace")
            whole_lines, shown = self.program.modes()
            if whole_lines and max(map(len, re.split(rb"[\r\n]", data))) > LONGEST_WHOLE:
                raise ValueError(f"a line of more than {LONGEST_WHOLE:,} bytes")
            self.program.read()  # what was said before is no answer
            while not self.program.quiet or self._drawn < self._ring.end:
                await self._seen()
                self.program.read()
            self._input = self._input_of(text, whole_lines, shown)
            await self.program.write(data)

    def _input_of(self, text: str, whole_lines: bool, shown: bool) -> Input:
        """What is known of a text that is sent now. The screen has everything that has come."""
        place, before = self._ring.end, self._input
        alternate = self._screen.alternate
        line, unread = None, False
        if self._screen.editing and not alternate:
            first = max(place - LONGEST_LINE, self._ring.start)
            latest = self._ring.rest(first)
            begun = latest.rfind(_EDIT)
            if begun >= 0:
                line = latest[begun + len(_EDIT) :]
                # what was typed into this line before may not have been read yet
                unread = first + begun < before.place and before.typed.ended
        goes_on = place == before.place and not before.typed.ended
        lines, ended = typed_lines(before.typed.lines[-1] + text if goes_on else text)
        silent = whole_lines and not shown
        key = not (whole_lines or shown or ended) and len(text) == 1
        typed = Typed()
        if not (silent or key or alternate):
            last = self._ring.rest(max(place - 1000, 0)).rpartition(b"\n")[2]
            earlier = (*before.typed.earlier, *before.typed.lines) if shown or unread else ()
            typed = Typed(
                lines=lines,
                ended=ended,
                shown=shown,
                prompt="" if shown else plain(last.decode("utf-8", "replace")).strip(),
                earlier=earlier[-_EARLIER:],
            )
        return Input(place=place, typed=typed, line=line, alternate=alternate)

    async def wait_for(
        self, pattern: str, seconds: float, heard: Callable[[], None] = lambda: None
    ) -> Awaited:
        """Wait until what was said since the last input matches, or the program has ended. What was
        found once is found again, until the next input. `heard` is told that something was said.

        Raises PatternInvalid, PatternTooSlow.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        search = Search(pattern)
        waiting = asyncio.Event()
        self._waiting.add(waiting)
        try:
            found, timed_out = await self._wait(search, waiting, begun + seconds, heard)
        finally:
            self._waiting.discard(waiting)
        return Awaited(found=found, timed_out=timed_out, seconds=loop.time() - begun)

    async def _wait(
        self, search: Search, waiting: asyncio.Event, until: float, heard: Callable[[], None]
    ) -> tuple[Found | None, bool]:
        loop = asyncio.get_running_loop()
        said, place, settled = Said(self._input), self._input.place, SETTLED
        while True:
            waiting.clear()
            while (data := self._ring.read(place)) and loop.time() < until:
                place = max(place, self._ring.start) + len(data)
                heard()
                said.feed(data)
                search.add(said.take())
                if search.due and (found := await search.look()):
                    return found, False
                await asyncio.sleep(0)
            over = self.program.ended or loop.time() >= until
            if (self.program.quiet or over) and (found := await search.look(said.tail, whole=over)):
                return found, False
            if over:
                return None, not self.program.ended
            try:
                async with asyncio.timeout_at(
                    min(until, loop.time() + settled) if search.behind else until
                ):
                    await waiting.wait()
            except TimeoutError:
                begun = loop.time()
                if found := await search.look(said.tail, whole=True):
                    return found, False
                settled = max(SETTLED, 10 * (loop.time() - begun))

    async def screen(self) -> str:
        """The screen as a person would see it."""
        return (await self._seen()).text()

    async def lines(self) -> list[str]:
        """The screen after the lines that have left it at the top: 10,000 of them at most."""
        return (await self._seen()).lines()

    async def since_input(self) -> str:
        """What a person saw since the last input, which is left out; the screen, while a program
        has it for itself."""
        screen, since = await self._seen(), self._input
        if screen.alternate:
            return screen.text()
        place = max(since.place, self._ring.start)
        head = self._ring.rest(place) if place == since.place else b""
        place += without_echo(head, since)
        seen = Screen()
        while data := self._ring.read(place):
            seen.feed(data)
            place += len(data)
            await asyncio.sleep(0)
        return "\n".join(seen.lines()).strip("\n")

    def resize(self, rows: int, columns: int) -> None:
        while self._drawn < self._ring.end:
            self._draw()
        self._screen.resize(rows, columns)
        self.program.resize(rows, columns)
