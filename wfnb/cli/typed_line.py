"""a terminal -> the next line that a person types there, or none where it is no longer wanted.

The line is read without blocking: a question that was answered elsewhere, or whose time is over,
goes away, and an interrupt is heard at once.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress

EVERY = 0.2
"""Seconds between two looks at whether the answer is still wanted."""


class Unanswered(Exception):
    """The person ended the input (Ctrl-D) or closed the terminal instead of answering."""


def person() -> int | None:
    """The descriptor at which somebody types who may be asked: a terminal whose foreground this
    process is, since one in the background would be stopped by asking."""
    try:
        there = sys.stdin.fileno() if sys.stdin is not None and sys.stdin.isatty() else None
        mine = there is not None and os.tcgetpgrp(there) == os.getpgrp()
    except (OSError, ValueError, AttributeError):  # closed, no terminal of ours, no such system
        return None
    return there if mine else None


def read_typed_line(terminal: int, wanted: Callable[[], bool], secret: bool) -> str | None:
    """The next line that is typed; None as soon as it is not `wanted`. A `secret` is not shown.
    Raises Unanswered at the end of the input."""
    heard = b""
    with _echo_off(terminal) if secret else nullcontext():
        while b"\n" not in heard:
            if select.select([terminal], [], [], EVERY)[0]:
                more = _read(terminal)
                if not more:
                    raise Unanswered
                heard += more
            elif not wanted():
                forget(terminal)
                return None
    return heard.decode("utf-8", "replace").rstrip("\r\n")


def forget(terminal: int) -> None:
    """Throw away what was typed before anybody asked: it is no answer."""
    import termios  # noqa: PLC0415  not on every system

    with suppress(termios.error):  # it was closed
        termios.tcflush(terminal, termios.TCIFLUSH)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # it was closed
        return b""


@contextmanager
def _echo_off(terminal: int) -> Iterator[None]:
    """Typed characters are not shown, whatever happens meanwhile."""
    import termios  # noqa: PLC0415  (as above)

    try:
        before = termios.tcgetattr(terminal)
        silent = [*before]
        # The fourth entry are the local modes; Ctrl-C and line editing stay on.
        silent[3] = int(silent[3]) & ~termios.ECHO
        # FLUSH drops what was typed ahead; after the answer DRAIN keeps what is typed for the next
        # one.
        termios.tcsetattr(terminal, termios.TCSAFLUSH, silent)
    except termios.error:  # it was closed
        raise Unanswered from None
    try:
        yield
    finally:
        with suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
