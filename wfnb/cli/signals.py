"""signals that end a command -> an interrupt of the run it attends, and an exit code for it."""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Callable
from threading import Timer
from types import FrameType

from wfnb.workflows.runner.interrupts import Interrupts

from .exit_codes import INTERRUPTED, code_of

_HANGUP = getattr(signal, "SIGHUP", None)  # not on every system
_ENDING = (signal.SIGINT, signal.SIGTERM, *([] if _HANGUP is None else [_HANGUP]))
GRACE = 2.0
"""Seconds in which a process ends by itself whose work is done, once a signal came."""


class Signals(Interrupts):
    """Interrupt, termination and hangup do the same."""

    def __init__(self) -> None:
        super().__init__(*_ENDING)

    def counts(self, number: int) -> bool:
        """A terminal that closes may tell so several times (the shell does, and then the system):
        that is one wish to stop, not two."""
        return number != _HANGUP or self.first is None

    def code(self, status: str) -> int:
        """The exit code of a run that ended so: which signal it was, if one stopped it."""
        code = code_of(status)
        return 128 + self.first if code == INTERRUPTED and self.first is not None else code


def keep_code(code: Callable[[], int | None]) -> None:
    """Until the process ends, a signal does not change how it ends, once there is a `code` that
    says so: what was done is done. After the first one the process has a moment to come to its end,
    the second ends it at once. Before there is a code a signal does what it does by itself."""
    ending: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        now = code()
        if now is None:
            usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
            signal.signal(number, usual)
            signal.raise_signal(number)
            return
        ending.append(number)
        try:
            if len(ending) > 1:
                os._exit(now)
            # Nobody may read what it prints, or a thread of the user's may never end.
            timer = Timer(GRACE, os._exit, (now,))
            timer.daemon = True
            timer.start()
        except RuntimeError:  # Python begins no thread any more
            os._exit(now)

    heeded = [each for each in _ENDING if signal.getsignal(each) is not signal.SIG_IGN]
    for number in heeded:
        signal.signal(number, on_signal)
    # Before it ends Python gives back to a signal what that does by itself, unless it is ignored.
    atexit.register(lambda: [signal.signal(each, signal.SIG_IGN) for each in heeded])
