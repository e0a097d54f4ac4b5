"""a client that is served -> what tells it of changes, until it is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup
from mcp.server import Server


@dataclass
class LegacySubscriptions:
    """What a client of the older era subscribed to, each in a task of its own."""

    tasks: TaskGroup
    scopes: dict[str, anyio.CancelScope] = field(default_factory=dict)


@asynccontextmanager
async def legacy_subscriptions(
    server: Server[LegacySubscriptions],
) -> AsyncIterator[LegacySubscriptions]:
    """As long as a client is served."""
    async with anyio.create_task_group() as tasks:
        yield LegacySubscriptions(tasks)
        tasks.cancel_scope.cancel()
