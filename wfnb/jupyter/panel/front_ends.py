"""comms that front ends opened -> which of them belong together, and who of them is still there.

A front end that is gone does not always say so: its machine slept, its browser was killed, what a
page sends while it is left is lost on the way. Whenever another one comes, all are asked whether
they are there; who does not answer is asked again, and let go if that is in vain, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from time import monotonic
from typing import Any

ANSWER_TIMEOUT = 20.0
"""Seconds that a front end has at least to answer twice. One that was let go and lives comes back
by itself."""
AGAIN = 11.0
"""Seconds after which who did not answer is asked again: twice that is above `ANSWER_TIMEOUT`."""
TWICE = 2


@dataclass(eq=False)
class FrontEnd:
    """What one page opened."""

    thread: str | None = None
    """The thread of the kernel (a subshell) that it made for itself."""
    comms: dict[str, Any] = field(default_factory=dict)
    """Its comms, by their ids."""
    control: Any = None
    """The one on which it is asked whether it is there."""
    tries: int = 0
    """How often it was asked in vain."""
    since: float = 0.0
    """When it was asked first."""

    @property
    def late(self) -> bool:
        """Whether it was asked, and is heard at any time, but has not answered."""
        return self.tries > 0 and self.thread is not None


class FrontEnds:
    """All of one kernel. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._of: dict[str, FrontEnd] = {}

    def add_comm(self, comm: Any, other: str | None, thread: str | None) -> FrontEnd:
        """A comm was opened; `other` is the id of that which belongs to it, as a thread does."""
        with self._lock:
            of = (each for each in self._of.values() if thread and each.thread == thread)
            front = self._of.get(other or "") or next(of, FrontEnd(thread))
            front.comms[comm.comm_id] = comm
            self._of[comm.comm_id] = front
            return front

    def lives(self, name: str) -> tuple[str, ...]:
        """A comm was heard: the ids of all that its front end opened."""
        with self._lock:
            front = self._of.get(name)
            if front is None:
                return ()
            front.tries = 0
            return tuple(front.comms)

    def silent(self) -> list[str]:
        """An id of each front end that was asked, and did not answer."""
        now = monotonic()
        with self._lock:
            return [
                next(iter(front.comms))
                for front in self._all()
                if front.tries >= TWICE and now - front.since >= ANSWER_TIMEOUT
            ]

    def ask(self, but: str) -> list[Any]:
        """The comms to ask on, but that of one who was heard just now."""
        return self._ask(lambda front: but not in front.comms)

    def ask_again(self) -> list[Any]:
        """The comms to ask on of those who have not answered, and could have: what they send is
        read while a cell runs only if they have a thread of their own."""
        return self._ask(lambda front: front.late)

    @property
    def waits(self) -> bool:
        """Whether anybody who was asked could have answered, and has not."""
        with self._lock:
            return any(front.late for front in self._of.values())

    def _ask(self, who: Callable[[FrontEnd], bool]) -> list[Any]:
        now = monotonic()
        with self._lock:
            asked = [each for each in self._all() if each.control and who(each)]
            for front in asked:
                # Counted from the first question that was not answered.
                front.since = front.since if front.tries else now
                front.tries += 1
            return [front.control for front in asked]

    def _all(self) -> list[FrontEnd]:
        return list({id(each): each for each in self._of.values()}.values())

    def remove_comm(self, name: str) -> FrontEnd | None:
        """A front end closed this comm. What it was, where that was its last."""
        with self._lock:
            front = self._of.pop(name, None)
            if front is not None:
                del front.comms[name]
            return None if front is None or front.comms else front

    def take(self, name: str) -> FrontEnd | None:
        """The front end that opened this comm. Nothing is known of it any more."""
        with self._lock:
            front = self._of.get(name)
            for each in () if front is None else tuple(front.comms):
                self._of.pop(each, None)
            return front

    @property
    def all(self) -> tuple[str, ...]:
        """The ids of all comms."""
        with self._lock:
            return tuple(self._of)
