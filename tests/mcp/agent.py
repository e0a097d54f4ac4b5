"""calls of an agent -> what it is answered: by the client of the SDK, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from mcp.client import Client
from mcp.server import Server
from mcp_types import CallToolResult, Implementation

from wfnb.home_folder import home
from wfnb.mcp.connection import Connection
from wfnb.mcp.stdio_server import make_server

T = TypeVar("T")
NAME = Implementation(name="helper", version="2.1")
Call = tuple[str, dict[str, Any]]


def at(folder: Path, **allowed: Any) -> Connection:
    """What an agent works in."""
    return Connection(home(folder), **allowed)


def server_of(around: Connection) -> Server:
    return make_server(around.folder.name, lambda: around)


def talk(
    around: Connection,
    scenario: Callable[[Client], Awaitable[T]],
    mode: str = "auto",
    by: Implementation = NAME,
) -> T:
    """What a client does while it is connected."""

    async def connected() -> T:
        async with Client(server_of(around), mode=mode, client_info=by) as client:
            return await scenario(client)

    try:
        return asyncio.run(connected())
    finally:  # as where its process ends
        around.own_name.release()


def results(around: Connection, *calls: Call, mode: str = "auto") -> list[CallToolResult]:
    async def scenario(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(name, given) for name, given in calls]

    return talk(around, scenario, mode)


def answers(around: Connection, *calls: Call, mode: str = "auto") -> list[dict[str, Any]]:
    """The data of each answer; none is a refusal."""
    found = results(around, *calls, mode=mode)
    assert [text(each) for each in found if each.is_error] == []
    return [each.structured_content for each in found]


def refusal(around: Connection, name: str, **given: Any) -> str:
    """What a call is refused with."""
    (found,) = results(around, (name, given))
    assert found.is_error
    assert found.structured_content is None
    return text(found)


def text(result: CallToolResult) -> str:
    (said,) = result.content
    return said.text
