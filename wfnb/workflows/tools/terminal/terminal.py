"""a program in a terminal -> input sent to it, output awaited from it, its screen as one sees it.

Everything that the program wrote is kept in a ring, and only looked into when somebody asks: for
the screen, from where it was drawn last; for a pattern, from the last input on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, takewhile
from pathlib import Path

from wfnb.frozen_record import record

from .echo import Echo, Modes, column_after, echo_of, line_sizes, remove_blanks, typed_lines
from .output_ring import Ring
from .output_search import Search, SearchMatch
from .output_since_input import Mark, OutputSinceInput, TerminalInput
from .screen import COLUMNS, ROWS, Screen
from .terminal_program import Program

SETTLED = 0.05
"""Seconds without output after which a pattern is looked for in all that was said."""
MAX_WHOLE = 4095
"""Bytes of a line that a terminal takes for a program that reads whole lines; it cuts the rest."""
EDITOR = 1.0
"""Seconds that a line editor has for showing what is typed; then it is entered all the same."""
ECHOING = 1.0
"""Seconds that the terminal has for its echo of a line; it takes milliseconds, but for one that
cannot take more."""
ANSWERING, SILENCE = 0.1, 0.003
"""Seconds that a program has for answering a line before the next is typed: one that answered the
line before, and one that did not."""
SWITCHING = 0.03
"""Seconds in which a line editor that has set the terminal says so."""
EDITS = b"\x1b[?2004h"
"""By this a line editor says that it edits a line."""
TAKING = 5
"""How many seconds with more output a line editor has for being back."""
RESTING = 30
"""How often it is looked whether a program rests."""
_ENDS = re.compile(rb"[\r\n]")
_LINES = re.compile(rb"[^\r\n]*[\r\n]|[^\r\n]+")
_PARTS = re.compile(rb".{,1023}(?:[\r\n]|\Z)|[^\r\n]+(?:[\r\n]|\Z)", re.DOTALL)
"""Whole lines, of as many bytes as a terminal takes at once; or a line that is longer."""
_EDITED = re.compile(r"[^\x03\x04\x1a\x1c]*")
"""A line with keys that edit it, and none that interrupts the program or ends its input."""
AHEAD = 8192
"""Characters of earlier lines that a line editor may still have to show: a terminal holds half of
them before somebody reads."""
_ASKED = re.compile(rb"\x1b\[(?:[56]n|0?c|>0?c)")


@record
class WaitResult:
    """What came of waiting: the match, None for none, and whether the time was over."""

    match: SearchMatch | None
    timed_out: bool
    seconds: float


class Terminal:
    """A terminal; `size` is rows and columns. Belongs to the loop that it was opened on."""

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        size: tuple[int, int] = (ROWS, COLUMNS),
    ) -> None:
        """Raises OSError where the program cannot be started."""
        self.size = size
        self._ring, self._screen = Ring(), Screen(*size)
        self._drawn = 0
        # Before the text is written: the echo may come while the write still waits.
        self._input = TerminalInput(screen=Screen(*size))
        self._waiting: set[asyncio.Event] = set()
        self._turn = asyncio.Lock()
        self.program = Program(argv, folder, environment, size, self._hear, self._stir)

    def _hear(self, data: bytes) -> None:
        # What the ring is about to give up has to be drawn first, or the screen would miss it.
        while self._drawn < self._ring.spare(len(data)):
            self._draw()
        self._ring.append(data)
        # Only a program that asks for its cursor makes the screen be drawn at once.
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

    async def _current_screen(self) -> Screen:
        """The screen with all that has come until now."""
        end = self._ring.end
        while self._drawn < end:
            self._draw()
            await asyncio.sleep(0)
        return self._screen

    async def wait_for_start(self, seconds: float) -> None:
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
            modes = await self._current_modes()
            screen, before = self._screen, self._input
            sizes = line_sizes(data, modes, before.begun) if modes.whole_lines else [0]
            if max(sizes) > MAX_WHOLE:
                raise ValueError(f"a line of more than {MAX_WHOLE:,} bytes")
            editor = not (modes.whole_lines or modes.echoes or screen.alternate)
            if (modes.whole_lines and not modes.echoes) or (editor and len(text) == 1):
                lines: tuple[str, ...] = ()  # a password, or a key
            else:
                lines = typed_lines(text)
                begun = before.typed[-1] if before.typed and not before.ended else ""
                lines = (*((begun + lines[0],) if begun else ()), *lines)
            self._input = TerminalInput(
                place=self._ring.end,
                screen=screen.copy(blank=True),
                echo=() if screen.alternate else echo_of(data, modes, self._column(modes)),
                typed=(*self._ahead(), *lines),
                ended=text.endswith(("\r", "\n")),
                begun=sizes[-1],
            )
            if editor and lines and not screen.editing:
                await self._type(text)
            else:
                await self._write(data[await self._write_lines(data) :])

    def _ahead(self) -> tuple[str, ...]:
        """The lines that were typed before, and may not be shown yet."""
        lines = self._input.unshown
        sizes = accumulate(map(len, reversed(lines)))
        return lines[len(lines) - sum(1 for _ in takewhile(AHEAD.__ge__, sizes)) :]

    def _column(self, modes: Modes) -> int:
        return column_after(self._ring.rest(self._ring.end - MAX_WHOLE), modes)

    async def _current_modes(self) -> Modes:
        """How the terminal is set, once all that was said before is read: that is no answer. A line
        editor sets it before it says that it edits, and says that it does not before it sets it
        back. So what looks like one that never says so is looked at a second time."""
        for pause in (SWITCHING, 0.0):
            self.program.read()
            while not self.program.quiet or self._drawn < self._ring.end:
                await self._current_screen()
                self.program.read()
            modes = self.program.modes()
            if modes.whole_lines or modes.echoes or self._screen.editing or self._screen.alternate:
                break
            await asyncio.sleep(pause)
        return modes

    async def _type(self, text: str) -> None:
        """Type as a person does: see each line in the line editor before it is entered. What is
        shown before that is an echo; what comes after it is an answer."""
        lines = re.findall(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", text)
        for number, line in enumerate(lines):
            place, typed = self._ring.end, line.rstrip("\r\n")
            # What a key shows in a line that is not entered (what Tab offers) is an answer, and so
            # is what interrupts.
            edited = line != typed and _EDITED.fullmatch(typed) is not None
            clear = "".join(takewhile(str.isprintable, typed))
            if clear != typed and not edited:
                clear = ""
            await self.program.write(clear.encode("utf-8", "replace"))
            shown = clear and await self._wait_until(partial(self._shows, clear, place))
            if shown:
                mark = Mark(place=self._ring.end, typed=len(remove_blanks(clear)))
                self._input.marks.append(mark)
            keys = typed[len(clear) :]
            if keys and shown:
                await self._edit(keys)
            else:
                await self.program.write(keys.encode("utf-8", "replace"))
            place = self._ring.end
            await self.program.write(line[len(typed) :].encode())
            if number + 1 == len(lines):
                return
            # The editor sets the terminal back right after the end of a line, not at it.
            await self._wait_until(partial(self._asks, place), SWITCHING)
            if not await self._wait_until(partial(self._edits, place)):
                # The line is not back: a program reads by itself, and takes the rest as it comes.
                rest = "".join(lines[number + 1 :])
                await self._write(rest.encode("utf-8", "replace"))
                return

    async def _write_lines(self, data: bytes) -> int:
        """Type to a terminal that shows it, a line once it has shown the one before and a program
        has answered, if it does so: else an answer would come within the echo of the next line.
        Returns how much was typed."""
        echo, place, shown, said, size = Echo(self._input.echo), self._input.place, 0, 0, 0
        answers = False

        def has(lines: int, more_than: int) -> bool:
            nonlocal place, shown, said
            output = self._ring.rest(place)
            place += len(output)
            for part, is_echo in echo.feed(output):
                shown, said = shown + is_echo, said + len(part) * (not is_echo)
            return echo.over or (shown >= lines and said > more_than)

        for number, line in enumerate(_LINES.finditer(data if self._input.echo else b"")):
            before, lines = said, min(number + 1, len(self._input.echo))
            await self.program.write(line[0])
            size = line.end()
            if not await self._wait_until(partial(has, lines, -1), ECHOING):
                if not self.program.modes().echoes:  # turned off before the terminal came to this
                    self._input.echo = self._input.echo[:shown]
                break
            if size < len(data):
                patience = ANSWERING if answers else SILENCE
                answers = await self._wait_until(partial(has, lines, before), patience)
        return size

    async def _write(self, data: bytes) -> None:
        """Type what a program takes as it comes; of more than a terminal takes at once a part, once
        the one before is taken. Else the terminal would show some of it, from anywhere in a line,
        whenever a command runs between two prompts, and show it amid what the program says."""
        for part in _PARTS.finditer(data):
            place = self._ring.end
            await self.program.write(part[0])
            if part.end() < len(data) and not await self._takes(part[0], place):
                await self.program.write(data[part.end() :])
                return

    async def _takes(self, part: bytes, since: int) -> bool:
        """Wait until a program has taken what was typed: a line editor that says when it edits has
        begun as many lines as were ended. Returns whether it has."""
        if not self._screen.editing:
            return await self._rests()
        lines = len(_ENDS.findall(part))
        for _ in range(TAKING):
            place = self._ring.end
            if await self._wait_until(lambda: self._ring.rest(since).count(EDITS) >= lines):
                return True
            if place == self._ring.end:
                break
        return False

    async def _edit(self, keys: str) -> None:
        """Type keys into a line editor. They are not shown as they were typed: all that it draws
        until it rests is an echo."""
        place = self._ring.end
        self._input.marks.append(Mark(place=place, edits=True))
        await self.program.write(keys.encode("utf-8", "replace"))
        await self._wait_until(lambda: self._ring.end > place)
        await self._rests()
        self._input.marks.append(Mark(place=self._ring.end, edits=False))

    async def _rests(self) -> bool:
        """Wait until nothing comes any more, not for long. Returns whether it is so."""
        for _ in range(RESTING):
            place = self._ring.end
            await asyncio.sleep(SWITCHING)
            if place == self._ring.end:
                return True
        return False

    def _shows(self, typed: str, since: int) -> bool:
        """Whether a text stands before the cursor, where something has come since a place."""
        sought = remove_blanks(typed)
        shown = self._screen.cells.text_before_cursor(len(sought)).endswith(sought)
        return shown and self._ring.end > since

    def _asks(self, since: int) -> bool:
        """Whether anything came after the end of a line."""
        return bool(self._ring.rest(since).partition(b"\n")[2])

    def _edits(self, since: int) -> bool:
        """Whether the program edits a line again, after it has taken the one before."""
        modes = self.program.modes()
        return self._ring.end > since and not (modes.whole_lines or modes.echoes)

    async def _wait_until(self, holds: Callable[[], bool], seconds: float = EDITOR) -> bool:
        """Wait until something holds of what has come, not for long. Returns whether it does."""
        waiting = asyncio.Event()
        self._waiting.add(waiting)
        try:
            async with asyncio.timeout(seconds):
                while not self.program.ended:
                    waiting.clear()  # first: more may come while the screen is drawn
                    await self._current_screen()
                    if holds():
                        return True
                    await waiting.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting.discard(waiting)
        return False

    async def wait_for(
        self, pattern: str, seconds: float, heard: Callable[[], None] = lambda: None
    ) -> WaitResult:
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
        return WaitResult(match=found, timed_out=timed_out, seconds=loop.time() - begun)

    async def _wait(
        self, search: Search, waiting: asyncio.Event, until: float, heard: Callable[[], None]
    ) -> tuple[SearchMatch | None, bool]:
        loop = asyncio.get_running_loop()
        said, place, settled = OutputSinceInput(self._input), self._input.place, SETTLED
        begun = self._ring.end
        while True:
            waiting.clear()
            # What was there when the wait began is always looked at, also with `timeout: 0`.
            while (data := self._ring.read(place)) and (place < begun or loop.time() < until):
                place = max(place, self._ring.start) + len(data)
                heard()
                said.feed(data, place - len(data))
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
                    min(until, loop.time() + settled) if search.is_behind else until
                ):
                    await waiting.wait()
            except TimeoutError:
                since = loop.time()
                if found := await search.look(said.tail, whole=True):
                    return found, False
                # A search through megabytes takes longer: then a tenth of the time goes into it at
                # most.
                settled = max(SETTLED, 10 * (loop.time() - since))

    async def screen(self) -> str:
        """The screen as a person would see it."""
        return (await self._current_screen()).text()

    async def lines(self) -> list[str]:
        """The screen after the lines that have left it at the top: 10,000 of them at most."""
        return (await self._current_screen()).lines()

    async def since_input(self) -> str:
        """What a person saw since the last input, which is left out; the screen, while a program
        has it for itself."""
        screen, since = await self._current_screen(), self._input
        if screen.alternate:
            return screen.text()
        said, place, lines = OutputSinceInput(since), since.place, []
        while data := self._ring.read(place):
            place = max(place, self._ring.start) + len(data)
            said.feed(data, place - len(data))
            lines.append(said.take())
            await asyncio.sleep(0)
        return "".join([*lines, said.tail]).strip("\n")

    async def resize(self, rows: int, columns: int) -> None:
        """Give the terminal another size, and let its program know (SIGWINCH)."""
        await self._current_screen()
        self.size = (rows, columns)
        self._screen.resize(rows, columns)
        self._input.marks.append(Mark(place=self._ring.end, size=self.size))
        self.program.resize(rows, columns)
