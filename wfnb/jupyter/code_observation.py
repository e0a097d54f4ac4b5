"""code of a cell that runs -> what it read and wrote, whatever goes wrong, and if it was cut off.

Code may catch an interrupt and go on, so that its end does not show it. So while code runs, Python
writes signals into a socket, which is read at the end; handlers stay as they are.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from traceback import print_exc

from IPython.core.interactiveshell import InteractiveShell

from wfnb.core.data_flow import INTERRUPT, LOST, PLAIN, UNSEEN, Flow
from wfnb.core.events import Outcome
from wfnb.core.staleness import ENDED
from wfnb.dataflow.observer import Observer, Segment

from .input_transform import plain_python

_SIGNALS = socket.socketpair()
for _each in _SIGNALS:
    _each.setblocking(False)


class CodeObservation:
    """Of one kernel. `session` says which one is in use."""

    def __init__(
        self, shell: InteractiveShell, observer: Observer, session: Callable[[], object]
    ) -> None:
        self._shell = shell
        self._observer = observer
        self._session = session

    def begin(
        self,
        code: str,
        cell: str | None,
        reads: Sequence[str] = (),
        writes: Sequence[str] = (),
        reads_are_all: bool = False,
    ) -> Segment | None:
        """None where what it reads cannot be known."""
        with suppress(ValueError):  # other threads than the main one get no interrupts
            other = signal.set_wakeup_fd(own := _SIGNALS[1].fileno(), warn_on_full_buffer=False)
            # Another one's descriptor goes back: only what nobody else needs is used.
            if other not in (-1, own) or "trio" in sys.modules:  # that warns of any but its own
                signal.set_wakeup_fd(other)
        try:
            python = plain_python(self._shell, code)
            return self._observer.begin(python, reads, writes, cell, reads_are_all)
        except Exception:  # a fault of ours: the cell runs, and what it read is not known
            print_exc()
            return None

    def end(
        self, segment: Segment | None, by: int, outcome: Outcome, attempt: int, again: bool = False
    ) -> Flow | None:
        """What the code read and wrote that has ended so. `again`: this was asked, and cut off."""
        if segment is None:
            return None
        interrupted = outcome.status == "interrupted"
        with suppress(ValueError, BlockingIOError):
            if (other := signal.set_wakeup_fd(-1)) != _SIGNALS[1].fileno():
                signal.set_wakeup_fd(other)
            # Code may catch KeyboardInterrupt and end well, and was cut off all the same.
            interrupted |= signal.SIGINT in _SIGNALS[0].recv(512)
        cut_off = again or interrupted or outcome.status == "unknown"
        nonce = f"{self._session()}:{attempt}" if cut_off else ""
        if interrupted and (by == PLAIN or outcome.status in ENDED):
            segment.reads[INTERRUPT] = (LOST + nonce, UNSEEN)
        try:
            return self._observer.end(segment, by, outcome.status == "ok", nonce)
        except Exception:  # as above
            print_exc()
            return None
