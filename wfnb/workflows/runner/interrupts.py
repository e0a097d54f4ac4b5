"""signals that mean: stop -> how many there were, each told where it comes.

An exception that a signal raises may come between any two steps of a program, in the middle of a
lock of the standard library too, and the second while the first is being seen to. So nothing is
raised here, but at a prompt, which would not end otherwise.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupts:
    """`first` is the signal that came first, `count` how many there were."""

    def __init__(self, *numbers: int) -> None:
        self.first: int | None = None
        self.count = 0
        self._numbers = numbers
        self._felt = False
        self._told: list[Callable[[int], None]] = []

    @contextmanager
    def telling(self, told: Callable[[int], None]) -> Iterator[None]:
        """Until the block ends, `told` gets the number of signals so far with each that comes. One
        that this process was told to ignore (`nohup`, a background job of a script) stays ignored.
        Signals come to the main thread; in others nothing is told."""
        self._told.append(told)
        before = {}
        if threading.current_thread() is threading.main_thread():
            for number in self._numbers:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, self._on_signal)
        try:
            yield
        finally:
            for number, handler in before.items():
                # None: a handler that C code had set, which Python cannot set again.
                signal.signal(number, signal.SIG_DFL if handler is None else handler)
            self._told.remove(told)

    @contextmanager
    def raise_next(self) -> Iterator[None]:
        """Within this block the next signal raises KeyboardInterrupt, and is not counted."""
        self._felt = True
        try:
            yield
        finally:
            self._felt = False

    def count_signal(self, number: int) -> None:
        """One more."""
        self.first = number if self.first is None else self.first
        self.count += 1
        for told in self._told:
            told(self.count)

    def counts(self, number: int) -> bool:
        """Whether it is one more wish to stop."""
        return True

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._felt:
            # Before the raise: a signal while the prompt unwinds is counted, and raises nothing.
            self._felt = False
            raise KeyboardInterrupt
        if self.counts(number):
            self.count_signal(number)
