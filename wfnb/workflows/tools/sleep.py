"""seconds, or a time -> nothing, later."""

from __future__ import annotations

from datetime import datetime, timedelta
from datetime import time as time_of_day
from time import time as now
from typing import Annotated, Any

from pydantic import Field

from .context import Context
from .result_fields import ToolFailed
from .tool import tool_of
from .wait import Wait, pause

LONGEST = 366 * 86_400
"""Seconds that a wait may take."""
_DAY = r"\d{4}-\d{2}-\d{2}"
_TIME = r"\d{2}:\d{2}(:\d{2})?"
_ZONE = r"(Z|[+-]\d{2}:\d{2})?"


async def sleep(
    context: Context,
    seconds: Annotated[float, Field(ge=0, le=LONGEST), "How long to wait, in seconds"],
) -> None:
    """Wait for so many seconds."""
    await _sleep_until(context, context.since + seconds)


async def wait_until(
    context: Context,
    time: Annotated[
        Annotated[str, Field(pattern=f"^({_DAY}([T ]{_TIME}{_ZONE})?|{_TIME}{_ZONE})$")],
        "A day, a time, or both: `2026-12-24`, `08:00`, `2026-12-24T08:00+01:00`. A time alone is "
        "the next such one; without an offset it is that of this machine's clock",
    ],
) -> dict[str, Any]:
    """Wait until a time. One that is over is not waited for.

    `time` is the one that was waited for, with its offset from UTC.
    """
    until = next_time(time, datetime.fromtimestamp(context.since).astimezone())
    await _sleep_until(context, until.timestamp())
    return {"time": until.isoformat(sep=" ", timespec="seconds")}


async def _sleep_until(context: Context, until: float) -> None:
    if until > now():
        with context.waiting(Wait(until=until, ends=until)):
            await pause(until)


def next_time(written: str, since: datetime) -> datetime:
    """The time that is meant, seen from `since`. Raises ToolFailed for one that no calendar has.

    >>> from datetime import timezone
    >>> next_time("08:00", datetime(2026, 12, 31, 9, tzinfo=timezone.utc)).isoformat()
    '2027-01-01T08:00:00+00:00'
    >>> next_time("2026-02-30", datetime(2026, 1, 1, tzinfo=timezone.utc))
    Traceback (most recent call last):
    ...
    wfnb.workflows.tools.result_fields.ToolFailed: '2026-02-30' is no time: day is out of range...
    """
    try:
        if "-" in written[:8]:
            found = datetime.fromisoformat(written)
            return found if found.tzinfo else found.replace(tzinfo=since.tzinfo)
        of_day = time_of_day.fromisoformat(written)
    except ValueError as error:
        raise ToolFailed(f"{written!r} is no time: {error}.") from None
    here = since if of_day.tzinfo is None else since.astimezone(of_day.tzinfo)
    found = datetime.combine(here.date(), of_day, of_day.tzinfo or here.tzinfo)
    return found if found >= here else found + timedelta(days=1)


SLEEP = tool_of(sleep, idempotent=True, timeout=None, waits=True)
WAIT_UNTIL = tool_of(wait_until, idempotent=True, timeout=None, waits=True, results=("time",))
