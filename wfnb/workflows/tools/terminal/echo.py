r"""what is typed, and how the terminal is set -> the bytes by which the terminal itself shows it.

Theory of operation
-------------------

A call types `2+2` into a program and waits for a pattern, say `\d+`. The terminal shows what is
typed, so that the first thing in the output is `2+2` itself: the pattern matches the echo, and the
answer `4` is never seen. So the echo has to be told apart from what the program says.

A terminal shows what is typed at once, before the program reads it; what the program answers comes
later. So the echo of a line is *the first place after the input* where these bytes are, and there
is one for each line. Each echo is consumed once. If the program prints the same line a second
time, that is the program's, whatever it looks like.

The bytes of the echo are not the bytes of the input. They follow from the settings of the terminal
at the time of the input (`Modes`, as `stty` shows them):

    typed                   shown
    the end of a line       `\r\n` or `\n`, by OPOST and ONLCR
    a control character     `^X`, by ECHOCTL; a tab as it is
    the key that erases     takes back what was shown: `\b \b` for each character of it, and for a
                            tab as many `\b` as it went on from where it stood
    the key that quotes     `^` and `\b`; the next is shown as any other, and does nothing
    the key that kills      the same for the whole line, as a third key for the last word
    the key that interrupts throws away the lines that were typed before it
    the key that ends input nothing
    anything, without ECHO  nothing, but for the ends of lines by ECHONL

Output comes in pieces that may end within an echo. What may be the beginning of one is held back
until more has come. A last line without an end is an echo only right at the beginning: `a` typed
without Enter could be found anywhere. After 256 Ki characters without an echo none is awaited: a
program with its own editor, such as Python's, shows lines in its own way. There
`output_since_input.py` compares texts instead. None is awaited either once a program has said that
it edits lines: the input came too late for the terminal to show it.

What a program says comes also *within* the echo of a line, if it speaks while the terminal is at
that line: then the line is nowhere. And a shell lets the terminal show what is typed while a
command runs between two prompts, from any character on. So `Terminal` types long input as a person
does: a line to a terminal that shows it once the one before is shown and answered, a kilobyte to a
line editor once that has taken the one before.

Example: typed `x\n` to `cat` with ECHO. Output `x\r\nx\r\n`: the first line is the echo, the
second is the program's.

Not taken: dropping every line that equals an input (that is `cat`'s answer), switching ECHO off
(programs ask for it, and passwords are then shown), and a marker before each answer (it would be in
the program's input).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from wfnb.frozen_record import record
from wfnb.workflows.tools.platform_support import termios

from .control_sequences import plain

IUTF8 = 0x4000
"""The flag of a terminal that erases characters of UTF-8, not bytes; Python has no name for it."""
REACH = 262_144
"""Characters after an input in which its echo is looked for."""
_PASTED = re.compile(r"\x1b\[200~.*?(?:\x1b\[201~|\Z)", re.DOTALL)


@record
class Modes:
    """How a terminal is set: by flags and control characters, as `termios` has them."""

    input: int = 0
    output: int = 0
    local: int = 0
    characters: tuple[bytes, ...] = ()

    @property
    def whole_lines(self) -> bool:
        """Whether the program is given whole lines."""
        return bool(self.local & termios.ICANON)

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed."""
        return bool(self.local & termios.ECHO)

    def keys(self, *names: str) -> set[bytes]:
        return {self.characters[getattr(termios, name)] for name in names} - {b"\0"}


def echo_of(data: bytes, modes: Modes, column: int = 0) -> tuple[bytes, ...]:
    """The lines by which the terminal shows what is typed where the cursor is in that column; the
    last one may have no end."""
    signals = modes.keys("VINTR", "VQUIT", "VSUSP") if modes.local & termios.ISIG else set()
    silent = modes.keys("VEOF") if modes.whole_lines else set()
    silent |= modes.keys("VSTART", "VSTOP") if modes.input & termios.IXON else set()
    erase = modes.keys("VERASE") if modes.whole_lines else set()
    kill = modes.keys("VKILL") if modes.whole_lines else set()
    word = modes.keys("VWERASE") if modes.whole_lines and modes.local & termios.IEXTEN else set()
    returns = modes.output & termios.OPOST and modes.output & termios.ONLCR
    end = b"\r\n" if returns else b"\n"
    lines: list[bytes] = []
    line: list[bytes] = []
    erasable: list[tuple[int, bytes]] = []  # each character's first byte, and how it is taken back
    for byte, ends, quoted in _read(data, modes):
        if ends:
            if modes.echoes or (modes.whole_lines and modes.local & termios.ECHONL):
                lines.append(b"".join(line) + end)
            line, erasable, column = [], [], 0
        elif not modes.echoes or (byte in silent and not quoted):
            pass
        elif quoted is None:
            line.append(b"^\b" if modes.local & termios.ECHOCTL else b"")
        elif byte in signals and not quoted:
            lines, line, erasable = [], [_echo_byte(byte, modes)], []
        elif byte in erase | kill | word and not quoted:
            count = _word_size(erasable) if byte in word else len(erasable)
            for _ in range(min(count, 1) if byte in erase else count):
                line.append(erasable.pop()[1])
                column -= line[-1].count(b"\b") - line[-1].count(b" ")
        else:
            line.append(_echo_byte(byte, modes))
            if not (modes.input & IUTF8 and 0x80 <= byte[0] < 0xC0):
                goes_on = _tab_size(column) if byte == b"\t" else len(line[-1])
                erasable.append((byte[0], (b"\b" if byte == b"\t" else b"\b \b") * goes_on))
                column += goes_on
    return (*lines, b"".join(line)) if any(line) else tuple(lines)


def column_after(output: bytes, modes: Modes) -> int:
    """The column in which the terminal takes its cursor to be: it knows no control sequences, and
    each character has one column."""
    column = 0
    for code in re.split(rb"[\r\n]", output)[-1]:
        if code == 9:
            column += _tab_size(column)
        elif code == 8:
            column = max(column - 1, 0)
        elif code >= 32 and code != 127 and not (modes.input & IUTF8 and 0x80 <= code < 0xC0):
            column += 1
    return column


def _tab_size(column: int) -> int:
    return 8 - column % 8


def _word_size(erasable: list[tuple[int, bytes]]) -> int:
    """How many characters the last word has, with what is no letter behind it."""
    letters = [chr(code).isalnum() or chr(code) == "_" for code, _ in reversed(erasable)]
    behind = next((n for n, is_letter in enumerate(letters) if is_letter), len(letters))
    after = (n for n, is_letter in enumerate(letters) if n > behind and not is_letter)
    return next(after, len(letters))


def _read(data: bytes, modes: Modes) -> Iterator[tuple[bytes, bool, bool | None]]:
    """The bytes as the terminal takes them, each with whether it ends a line, and whether the key
    before it quotes it; None: it is that key."""
    # Only where the terminal edits lines itself does a key take the next one as it is.
    quotes = modes.keys("VLNEXT") if modes.whole_lines and modes.local & termios.IEXTEN else set()
    quoted = False
    for code in data:
        byte = bytes((code,))
        if quoted or byte in quotes:
            yield byte, False, quoted or None
            quoted = not quoted
        elif byte == b"\r" and modes.input & (termios.IGNCR | termios.ICRNL):
            if not modes.input & termios.IGNCR:
                yield b"\n", True, False
        elif byte == b"\n" and modes.input & termios.INLCR:
            yield b"\r", False, False
        else:
            yield byte, byte == b"\n" and modes.whole_lines, False


def _echo_byte(byte: bytes, modes: Modes) -> bytes:
    named = (byte < b" " or byte == b"\x7f") and byte != b"\t"
    return b"^" + bytes((byte[0] ^ 64,)) if named and modes.local & termios.ECHOCTL else byte


def line_sizes(data: bytes, modes: Modes, begun: int = 0) -> list[int]:
    """How many bytes the lines have that are typed, where so many of the first were `begun` before.
    The last has not ended. What is erased in a line counts, unless all of it is."""
    keys = modes.keys("VEOF", "VEOL", "VKILL", "VINTR", "VQUIT", "VSUSP") | {b"\r", b"\n"}
    sizes = [len(line) for line in re.split(b"[" + re.escape(b"".join(keys)) + b"]", data)]
    return [begun + sizes[0], *sizes[1:]]


class Echo:
    """Output goes in with `feed` and comes out in parts, each with whether it is an echo. What may
    be the beginning of one is `held` back until more has come."""

    def __init__(self, lines: tuple[bytes, ...]) -> None:
        self._lines = deque(lines)
        self._left = REACH
        self._first = True  # right after the input, or after the line before
        self.held = b""

    @property
    def over(self) -> bool:
        """Whether no echo is awaited any more: all have come, or it is too late for them."""
        return not self._lines

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bool]]:
        data, self.held = self.held + data, b""
        while self._lines and data:
            line = self._lines[0]
            place = data.find(line) if line.endswith(b"\n") else 0 if data.startswith(line) else -1
            if place < 0:
                size = _overlap_size(data, line)
                whole = self._first and size == len(data)
                if not line.endswith(b"\n") and not whole:
                    self._lines.popleft()  # a part of a line is nowhere but at the beginning
                    continue
                data, self.held = data[: len(data) - size], data[len(data) - size :]
                break
            if place:
                yield data[:place], False
                data = data[place:]
                continue  # unless that part began a line editor: then it is none
            yield line, True
            data, self._first = data[len(line) :], True
            self._lines.popleft()
        if data:
            self._first = False
            self._left -= len(data)
            if self._left < 0:
                self._lines.clear()
                data, self.held = data + self.held, b""
            yield data, False

    def stop(self) -> None:
        """Await no echo any more: the terminal shows nothing by itself while a line is edited, and
        what it showed before that has come before."""
        self._lines.clear()


def _overlap_size(data: bytes, line: bytes) -> int:
    """How many of the last bytes of the data may be the beginning of the line."""
    for size in range(min(len(data), len(line) - 1), 0, -1):
        if data.endswith(line[:size]):
            return size
    return 0


def typed_lines(text: str) -> tuple[str, ...]:
    """The lines of an input, as a line editor may show them: without control sequences and blanks,
    for one that is too long is broken somewhere. What is pasted is one, with all its lines."""
    text = _PASTED.sub(lambda pasted: remove_blanks(pasted[0]), text)
    return tuple(remove_blanks(plain(line)) for line in re.split(r"\r\n|\r|\n", text))


def remove_blanks(text: str) -> str:
    return "".join(text.split())
