"""seconds, or a time -> nothing, later."""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import nullcontext
from datetime import datetime
from time import time as now
from typing import Annotated, Any

from pydantic import Field

from wfnb.workflows.definition.time_parser import FORMAT, time_meant

from .call_context import Context
from .result_fields import ToolFailed
from .tool import tool_of
from .wait import Wait, pause, pause_for, seconds_left

MAX_SECONDS = 366 * 86_400
"""Seconds that a wait may take."""


async def sleep(
    context: Context,
    seconds: Annotated[float, Field(ge=0, le=MAX_SECONDS), "How long to wait, in seconds"],
) -> None:
    """Wait for so many seconds."""
    left = seconds_left(context.since, seconds)
    await _sleep(context, now() + left, pause_for(left))


async def wait_until(
    context: Context,
    time: Annotated[
        Annotated[str, Field(json_schema_extra={"format": FORMAT})],
        "A day, a time, or both: `2026-12-24`, `08:00`, `2026-12-24T08:00+01:00`. A time alone is "
        "the next such one; without an offset it is that of this machine's clock",
    ],
) -> dict[str, Any]:
    """Wait until a time. One that is over is not waited for.

    `time` is the one that was waited for, with its offset from UTC.
    """
    try:
        until = time_meant(time, datetime.fromtimestamp(context.since))
    except ValueError as error:
        raise ToolFailed(f"{time!r} is no time: {error}.") from None
    await _sleep(context, until.timestamp(), pause(until.timestamp()))
    return {"time": until.isoformat(sep=" ", timespec="seconds")}


async def _sleep(context: Context, until: float, pausing: Coroutine[Any, Any, None]) -> None:
    with context.waiting(Wait(until=until, ends=until)) if until > now() else nullcontext():
        await pausing


SLEEP = tool_of(sleep, idempotent=True, timeout=None, waits=True, results={})
WAIT_UNTIL = tool_of(
    wait_until, idempotent=True, timeout=None, waits=True, results={"time": "string"}
)
