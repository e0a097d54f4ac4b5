"""a block that must not stop in its middle -> the same, where an interrupt comes at its end.

What is recorded and what is kept of it in memory belong together, and a module that is half loaded
stays so for as long as the process lives. Such blocks are short. In one that waits for somebody,
nobody could stop the waiting.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

_holds = False
"""Whether the main thread is within such a block."""


class Deferral:
    """`with Deferral():` an interrupt that comes within is raised right after. Interrupts come to
    the main thread; in others nothing is done. Nor in a block within another, which holds them
    already: to set and restore a handler takes a tenth of all that recording a step does."""

    def __init__(self) -> None:
        self._before: Callable[..., Any] | None = None
        self._came = False

    def __enter__(self) -> None:
        global _holds
        if not _holds and threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):  # else it is ignored, or ends the process
                self._before = before
                signal.signal(signal.SIGINT, self._on_interrupt)
                _holds = True

    def __exit__(self, *raised: object) -> None:
        global _holds
        if self._before is not None:
            # First, while no interrupt can come between: once it is raised, nothing here is done.
            _holds = False
            signal.signal(signal.SIGINT, self._before)
            if self._came:
                signal.raise_signal(signal.SIGINT)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        self._came = True
