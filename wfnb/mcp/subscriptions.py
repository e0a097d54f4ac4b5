"""addresses that a client subscribed to -> it is told when what is there has changed, by whomever.

A client of the newer era listens, and is told on that stream; one of the older subscribes to each
address, and is told until it unsubscribes or is gone. While anybody wants to know, the files of the
journal are looked at as often as by all who follow it, and read only where they changed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import anyio
from anyio.abc import TaskStatus
from anyio.to_thread import run_sync
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp_types import (
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)

from wfnb.journal import FOLLOW
from wfnb.journal.readonly_database import file_states

from .connection import Connection
from .legacy_client_subscriptions import LegacySubscriptions
from .resources import mark

Tell = Callable[[str], Awaitable[None]]
Context = ServerRequestContext[LegacySubscriptions]


async def listen(
    around: Connection, context: Context, asked: SubscriptionsListenRequestParams
) -> SubscriptionsListenResult:
    """Tell of all that is asked for, until the client listens no longer."""
    bus = InMemorySubscriptionBus()
    wanted = asked.notifications.resource_subscriptions or ()
    async with anyio.create_task_group() as tasks:
        if wanted:
            await tasks.start(
                _follow, around, wanted, lambda uri: bus.publish(ResourceUpdated(uri))
            )
        ended = await ListenHandler(bus)(context, asked)
        tasks.cancel_scope.cancel()
    return ended


async def subscribe(
    around: Connection, context: Context, asked: SubscribeRequestParams
) -> EmptyResult:
    """Tell of an address until `unsubscribe`."""
    known, uri = context.lifespan_context, str(asked.uri)
    if uri not in known.scopes:
        known.scopes[uri] = anyio.CancelScope()
        tell = context.session.send_resource_updated
        await known.tasks.start(_follow, around, (uri,), tell, known.scopes[uri])
    return EmptyResult()


async def unsubscribe(context: Context, asked: UnsubscribeRequestParams) -> EmptyResult:
    scope = context.lifespan_context.scopes.pop(str(asked.uri), None)
    if scope is not None:
        scope.cancel()
    return EmptyResult()


async def _follow(
    around: Connection,
    addresses: Sequence[str],
    tell: Tell,
    scope: anyio.CancelScope | None = None,
    *,
    task_status: TaskStatus[None],
) -> None:
    """Tell of each address that has changed since this began, or since it was told."""
    marks = partial(_marks, around, addresses)
    with scope or anyio.CancelScope():
        known = await run_sync(marks)
        task_status.started()
        files: object = None
        at_rest = False
        while True:
            await anyio.sleep(FOLLOW)
            before, files = files, file_states(around.home.journal.place)
            if files == before and at_rest:
                continue
            # Once more after a change: a file has the time of a tick, in which another may come.
            at_rest = files == before
            now = await run_sync(marks)
            for uri in addresses:
                if now[uri] != known[uri]:
                    await tell(uri)
            known = now


def _marks(around: Connection, addresses: Sequence[str]) -> dict[str, Any]:
    return {uri: mark(around, uri) for uri in addresses}
