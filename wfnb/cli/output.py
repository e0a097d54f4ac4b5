"""lines -> stdout or a file, whatever the encoding; quietly where nobody reads any more."""

from __future__ import annotations

import codecs
import errno
import json
import os
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from wfnb.errors import BadValue
from wfnb.files import real_path, write
from wfnb.render.text import escape


class Paper:
    """What this process prints on. A run goes on when its reader is gone (`wfnb run … | head`):
    what is printed then is lost. `fault` is another reason why nothing could be printed."""

    def __init__(self) -> None:
        self.read = True
        self.fault: str | None = None
        self._apart: TextIO | None = None

    @property
    def stream(self) -> TextIO | None:
        return self._apart or sys.stdout

    def keep_apart(self) -> None:
        """From here on nobody else prints on it: what code in this process and programs that it
        starts print goes to stderr, for a program reads what is here."""
        with suppress(OSError, AttributeError, ValueError):  # there is no stdout, or it is no file
            encoding, errors = sys.stdout.encoding, sys.stdout.errors
            sys.stdout.flush()
            own = os.dup(1)
            self._apart = os.fdopen(own, "w", encoding=encoding, errors=errors)
            try:
                os.dup2(2, 1)
            except OSError:  # there is no stderr
                redirect_to_null(1)

    def say(self, text: str) -> bool:
        """Print the text and a line break. Whether anybody still reads."""
        if self.read and (stream := self.stream) is not None:
            try:
                stream.write(f"{text}\n")
                stream.flush()
            except BrokenPipeError:
                self.discard_rest()
            except OSError as error:
                # A terminal that was closed is no fault; a disk that says the same is one.
                hung_up = error.errno == errno.EIO and _is_device(stream)
                self.discard_rest(None if hung_up else error.strerror or str(error))
        return self.read

    def document(self, text: str) -> bool:
        """Print what could as well be a file: it is UTF-8 as files are, whatever the locale
        has. In SVG, HTML or YAML a character that is spelled out would be another text."""
        with suppress(AttributeError):
            sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        return self.say(text)

    def data(self, data: Any) -> bool:
        """Print JSON to be read by a program."""
        # `default=str`: a value that is no JSON is shown rather than losing all the rest.
        text = json.dumps(data, indent=2, ensure_ascii=False, default=str)
        return self.say(escape.json_text(text))

    def datum(self, data: Any) -> bool:
        """The same on one line."""
        return self.say(escape.json_text(json.dumps(data, ensure_ascii=False, default=str)))

    def settle(self) -> None:
        """Something was done, and stays done where nobody can be told: the exit code is of that."""
        self.faulty()

    def faulty(self) -> bool:
        """Whether something was to be printed and could not be, which is said once on stderr."""
        fault, self.fault = self.fault, None
        if fault is not None:
            complain(f"wfnb: stdout cannot be written: {fault}.")
        return fault is not None

    def discard_rest(self, fault: str | None = None) -> None:
        """Nobody reads: what Python still holds goes nowhere."""
        self.read, self.fault = False, fault
        redirect_to_null(1 if self._apart is None else self._apart.fileno())


PAPER = Paper()
"""stdout. There is one in a process."""


def complain(text: str) -> None:
    """Say it on stderr."""
    if sys.stderr is not None:
        draw(sys.stderr, f"{text}\n")


def draw(stream: TextIO, text: str) -> None:
    """Write it as it is; nothing where the terminal was closed: a run goes on to its end."""
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        redirect_to_null(stream.fileno())


def redirect_to_null(descriptor: int) -> None:
    """What is written there, and what Python still holds for it, is lost: an exit code that says
    how a run ended is not to become one that says so."""
    with suppress(OSError):
        # The descriptor itself: Python flushes its buffer at exit, and would fail there with
        # another code.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)


def _spell_out(error: UnicodeError) -> tuple[str, int]:
    r"""A character that an encoding does not have, as JSON spells it: what is printed may be JSON,
    and a reader of text knows `\u00e9` as well as Python's `\xe9`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def lenient() -> None:
    """A character that a stream's encoding does not have is spelled out, not an error."""
    codecs.register_error("wfnb.spell_out", _spell_out)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(errors="wfnb.spell_out")  # type: ignore[union-attr]


def terminal(stream: TextIO | None) -> bool:
    """Whether it is a terminal whose cursor can be moved."""
    try:
        moves = os.environ.get("TERM", "dumb") != "dumb"
        return stream is not None and stream.isatty() and moves
    except ValueError:  # it is closed
        return False


def _is_device(stream: TextIO) -> bool:
    """Whether it is a terminal, or was one: after it was closed the system does not say so."""
    try:
        return stat.S_ISCHR(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def size(stream: TextIO) -> os.terminal_size:
    """Columns and rows of the terminal that a stream is, as they are now."""
    with suppress(OSError, ValueError):
        now = os.get_terminal_size(stream.fileno())
        # A pseudo-terminal that nobody gave a size says 0.
        if now.columns and now.lines:
            return now
    return shutil.get_terminal_size()


def width(file: str | None = None) -> int | None:
    """Columns of the terminal on which stdout is read; None where lines may be of any length."""
    shown = file in (None, "-") and terminal(sys.stdout)
    return shutil.get_terminal_size().columns if shown else None


_SPELLED = ("text", "json")  # forms in which a spelled out character is still that character


def put(file: str, text: str, form: str) -> None:
    """Write a file as a whole, over one that is there; `-` is stdout, and what is no file (a pipe,
    a terminal, /dev/null) is written to. BadValue for what cannot be written, or has no folder."""
    if file == "-":
        (PAPER.say if form in _SPELLED else PAPER.document)(text.removesuffix("\n"))
        return
    path = Path(file)
    try:
        if not path.parent.is_dir():
            raise BadValue("--output", file, f"a folder that is there: {path.parent} is none")
        if path.exists() and not path.is_file():
            path.write_text(text, "utf-8", errors="backslashreplace")
        else:
            # A link stays one, and its target is written: `write` puts a new file in the place of
            # the name.
            write(real_path(path), text)
    except (OSError, ValueError) as error:  # ValueError: a name that cannot be one
        why = getattr(error, "strerror", None) or error
        raise BadValue("--output", file, f"a place that can be written ({why})") from None
