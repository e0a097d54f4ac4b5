"""a call that waits -> what it waits for, in words that outlive its process.

A wait is counted from when it was first begun (`Context.since`), not from when this process took
it up: so a run can be left while it waits, and whoever goes on with it waits for the rest.
"""

from __future__ import annotations

import asyncio
from math import inf
from time import time

from wfnb.record import record

SLICE = 30.0
"""Seconds after which the clock is looked at again: a machine may have slept, or its clock been
set."""


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


async def pause(until: float) -> None:
    """Until that time, in seconds since 1970."""
    while (rest := until - time()) > 0:
        await asyncio.sleep(min(rest, SLICE))
