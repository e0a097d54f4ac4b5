"""coroutines -> the one loop of this process that runs them, in a thread of its own.

Progress flows and the kernel stays free and interruptible, whatever the front end or ipykernel
does with its own loop.
"""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, TypeVar

from wfnb.workflows.tools.process_cleanup import sweep
from wfnb.workflows.tools.terminal.terminals import Terminals

LAST = 1.0
"""Seconds that the loop has for what it is at when the process ends."""
T = TypeVar("T")


class Engine:
    """A loop in a thread, and the terminals that tools may open. What processes that are gone left
    running is ended first: a run that is resumed must not meet its own past."""

    def __init__(self) -> None:
        sweep()
        self.loop = asyncio.new_event_loop()
        self.terminals = Terminals()
        self.thread = Thread(target=self._run, name="wfnb-engine", daemon=True)
        self.thread.start()
        atexit.register(self._end, os.getpid())  # before terminals and programs are ended

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run it on the loop; safe from any thread but the loop's own."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def _end(self, process: int) -> None:
        """The process ends: no run may take the end of its programs for a failure and go on."""
        # `atexit` runs in a forked child, too, which has the loop but not its thread.
        if os.getpid() == process:
            with suppress(RuntimeError):  # the loop was closed
                self.loop.call_soon_threadsafe(self.loop.stop)
            self.thread.join(LAST)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()


_LOCK = Lock()
_ENGINE: Engine | None = None
_PROCESS = 0


def engine() -> Engine:
    """The engine of this process, begun when first asked for. A forked child begins its own."""
    global _ENGINE, _PROCESS
    with _LOCK:
        if _ENGINE is None or os.getpid() != _PROCESS:
            _ENGINE, _PROCESS = Engine(), os.getpid()
        return _ENGINE


def _after_fork() -> None:
    # Another thread may have held it when the process forked: in the child nobody would let it
    # go.
    global _LOCK
    _LOCK = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
