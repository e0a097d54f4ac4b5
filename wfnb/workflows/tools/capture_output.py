"""what one call prints -> what hears it; what anything else prints goes where it went.

`contextlib.redirect_stdout` would take the output of every thread. Here `sys.stdout` and
`sys.stderr` are covered, while at least one call is heard, by something that asks the context
variable of the one who prints. A thread that the call itself starts prints to the notebook, and so
does a fork, until it hears calls of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

from .truncated_output import TruncatedOutput

_NAMES = ("stdout", "stderr")
_printed: ContextVar[PrintedOutput | None] = ContextVar("printed", default=None)
_lock = Lock()
_covers: list[_Cover] = []
_calls = 0


class PrintedOutput:
    """What a call prints: kept, and said as it comes."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self.outputs = {name: TruncatedOutput() for name in _NAMES}

    def add(self, name: str, text: str) -> None:
        self.outputs[name].add(text)
        self._say(text)

    def fields(self) -> dict[str, str | int]:
        """The fields of a result: `stdout` and `stderr`, with their margins."""
        stdout, stderr = (kept.fields(name) for name, kept in self.outputs.items())
        return stdout | stderr

    @contextmanager
    def hear(self) -> Iterator[None]:
        """Everything that this task, and threads with its context, print meanwhile comes here."""
        _cover()
        before = _printed.set(self)
        try:
            yield
        finally:
            _printed.reset(before)
            _uncover()


class _Cover:
    """Stands for a stream."""

    def __init__(self, name: str, stream: Any) -> None:
        self._name, self._stream = name, stream

    def write(self, text: str) -> int:
        printed = _printed.get()
        # Whoever printed is no call that is heard: it goes where it would have gone.
        if printed is None:
            return self._stream.write(text)  # type: ignore[no-any-return]
        printed.add(self._name, text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _cover() -> None:
    global _calls
    with _lock:
        # Counted, as calls overlap: the first covers the streams, the last lays them open.
        _calls += 1
        if not _covers:
            for name in _NAMES:
                _covers.append(_Cover(name, getattr(sys, name)))
                setattr(sys, name, _covers[-1])


def _uncover() -> None:
    global _calls
    with _lock:
        _calls = max(_calls - 1, 0)  # a fork may come back from a call of its parent
        if not _calls:
            _lay_open()


def _lay_open() -> None:
    for cover in _covers:
        if getattr(sys, cover._name) is cover:  # else somebody else has put something over it
            setattr(sys, cover._name, cover._stream)
    _covers.clear()


def _reset_after_fork() -> None:
    """Nobody here hears the calls of the parent."""
    global _lock, _calls
    _lock, _calls = Lock(), 0
    _lay_open()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
