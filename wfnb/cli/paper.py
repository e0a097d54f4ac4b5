"""lines -> stdout or a file, whatever the encoding; quietly where nobody reads any more."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from wfnb.errors import BadValue
from wfnb.files import write
from wfnb.views.text import escape


class Paper:
    """What this process prints on. A run goes on when its reader is gone (`wfnb run … | head`):
    what is printed then is lost. `fault` is another reason why nothing could be printed."""

    def __init__(self) -> None:
        self.read = True
        self.fault: str | None = None

    def say(self, text: str) -> bool:
        """Print the text and a line break. Whether anybody still reads."""
        if self.read and sys.stdout is not None:
            try:
                sys.stdout.write(f"{text}\n")
                sys.stdout.flush()
            except BrokenPipeError:
                self.lost()
            except OSError as error:
                self.lost(error.strerror or str(error))
        return self.read

    def data(self, data: Any) -> bool:
        """Print JSON to be read by a program."""
        text = json.dumps(data, indent=2, ensure_ascii=False, default=str)
        return self.say(escape.json_text(text))

    def datum(self, data: Any) -> bool:
        """The same on one line."""
        return self.say(escape.json_text(json.dumps(data, ensure_ascii=False, default=str)))

    def lost(self, fault: str | None = None) -> None:
        """Nobody reads: what Python still holds goes nowhere."""
        self.read, self.fault = False, fault
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.close(nowhere)


PAPER = Paper()
"""stdout. There is one in a process."""


def complain(text: str) -> None:
    """Say it on stderr."""
    with suppress(OSError, AttributeError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def lenient() -> None:
    """A character that a stream's encoding does not have is spelled out, not an error."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def terminal(stream: TextIO | None) -> bool:
    """Whether it is a terminal whose cursor can be moved."""
    try:
        moves = os.environ.get("TERM", "dumb") != "dumb"
        return stream is not None and stream.isatty() and moves
    except ValueError:  # it is closed
        return False


def put(file: str, text: str) -> None:
    """Write a file as a whole, over one that is there; `-` is stdout, and what is no file (a pipe,
    a terminal, /dev/null) is written to. BadValue for what cannot be written."""
    if file == "-":
        PAPER.say(text.removesuffix("\n"))
        return
    path = Path(file)
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, "utf-8", errors="backslashreplace")
        else:
            write(path.resolve(), text)
    except (OSError, ValueError) as error:  # ValueError: a name that cannot be one
        why = getattr(error, "strerror", None) or error
        raise BadValue("--output", file, f"a place that can be written ({why})") from None
