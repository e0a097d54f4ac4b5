"""a notebook of a test -> an exception where its code computes too long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT = 20
"""Seconds of computing that a notebook may take: one that never ends is named, not waited for."""


class TooLong(BaseException):
    """No cell may catch it as an error of its own."""


@contextmanager
def limited(seconds: int = LIMIT) -> Iterator[None]:
    """An exception in whatever runs at the limit, and at the end, if IPython took it for the
    cell's own."""
    fired = []

    def late(*_: object) -> None:
        fired.append(True)
        raise TooLong(f"the notebook takes longer than {seconds} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if fired:
        raise TooLong(f"a cell of the notebook takes longer than {seconds} s")
