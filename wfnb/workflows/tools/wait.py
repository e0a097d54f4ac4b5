"""a call that waits -> what it waits for, in words that outlive its process.

A wait is counted from when it was first begun (`Context.since`), not from when this process took
it up: so a run can be left while it waits, and whoever goes on with it waits for the rest. In one
process the rest is counted on a clock that nobody sets: the clock on the wall may be set back by an
hour, or forward, while a run waits for two seconds.
"""

from __future__ import annotations

import asyncio
import time as clocks
from math import inf
from time import time

from wfnb.frozen_record import record

SLICE = 30.0
"""Seconds after which the clock is looked at again: a machine may have slept, or its clock been
set."""
_STEADY = getattr(clocks, "CLOCK_BOOTTIME", clocks.CLOCK_MONOTONIC)
"""Linux stops the other one while the machine sleeps."""


@record
class Wait:
    """Times are in seconds since 1970. `until` is when there is something to do again (infinity:
    when somebody answers), `ends` when the wait is over at the latest (None: that is for the time
    limit of the run). `answerable`: something else than the clock may end it any moment."""

    until: float
    ends: float | None = None
    answerable: bool = False

    def within(self, limit: float) -> Wait:
        """The same, where a limit of its call may end it sooner (infinity: it has none)."""
        if limit == inf:
            return self
        ends = limit if self.ends is None else min(self.ends, limit)
        return Wait(until=min(self.until, limit), ends=ends, answerable=self.answerable)


def steady() -> float:
    """Seconds of a clock that nobody sets, and that goes on while the machine sleeps."""
    return clocks.clock_gettime(_STEADY)


def seconds_left(since: float, seconds: float) -> float:
    """What is left now of so many seconds since a time; below 0: they are over. It is never more
    than they are: the clock may have been set back since."""
    return min(since + seconds - time(), seconds)


async def pause(until: float) -> None:
    """Until that time, in seconds since 1970, whatever the clock is set to meanwhile."""
    while (rest := until - time()) > 0:
        await asyncio.sleep(min(rest, SLICE))


async def pause_for(seconds: float) -> None:
    """For so many seconds."""
    until = steady() + seconds
    while (rest := until - steady()) > 0:
        await asyncio.sleep(min(rest, SLICE))
