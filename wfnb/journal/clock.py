"""the wall clock -> times of a run's events, whose differences no correction of that clock changes.

What a process records of a run first has the wall's time; what it records after that is as much
later as a steady clock says, one that goes on while the computer sleeps, if the system has it.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def steady() -> float:
    """Seconds since some moment, never set back."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class RunClock:
    """The times of each run's events, by its number. `steady` None: the wall clock alone counts."""

    def __init__(
        self, wall: Callable[[], float], steady: Callable[[], float] | None = None
    ) -> None:
        self._wall, self._steady = wall, steady
        self._begun: dict[int, tuple[float, float]] = {}

    def begin(self, run: int, at: float) -> None:
        """It begins, or goes on in this process, at this time of the wall."""
        if self._steady is not None:
            self._begun[run] = at, self._steady()

    def next_time(self, run: int, status: str | None = None) -> float:
        """The time of what is recorded next, which gives it that status, where it changes."""
        begun = self._begun.get(run)
        # A run that goes on here takes the wall's time anew: another process may have had it, whose
        # steady clock is another.
        if begun is None or self._steady is None or status == "running":
            at = float(self._wall())
            self.begin(run, at)
            return at
        if status is not None:
            del self._begun[run]
        return begun[0] + self._steady() - begun[1]
