"""signals that end a command -> an interrupt of the run it attends, and an exit code for it."""

from __future__ import annotations

import signal

from wfnb.workflows.runner.interrupts import Interrupts

from .exit_codes import INTERRUPTED, code_of

_HANGUP = getattr(signal, "SIGHUP", None)  # not on every system
_ENDING = (signal.SIGINT, signal.SIGTERM, *([] if _HANGUP is None else [_HANGUP]))


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
