"""seconds -> nothing, later."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from .tool import tool_of


async def sleep(
    seconds: Annotated[float, Field(ge=0, le=7200), "How long to wait, in seconds"],
) -> None:
    """Wait for so many seconds."""
    await asyncio.sleep(seconds)


SLEEP = tool_of(sleep, idempotent=True, timeout=None)
