"""a request of a client -> what it is answered, in the types of the SDK.

Each call is done in a thread, so that one that waits for a run keeps no other one waiting. What is
recorded in it is by the client, under the name that it gives itself.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any, TypeVar

import anyio
from anyio.to_thread import run_sync
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
    UnsubscribeRequestParams,
)
from mcp_types import Prompt as WirePrompt
from mcp_types import Resource as WireResource
from mcp_types import ResourceTemplate as WireTemplate
from mcp_types import Tool as WireTool

from wfnb.author_context import author_context
from wfnb.core.events import Author
from wfnb.errors import ToolUnknown, WfnbError
from wfnb.render.text import escape
from wfnb.views.step_words import cut

from . import prompts, resources, subscriptions
from .connection import Connection
from .legacy_client_subscriptions import LegacySubscriptions
from .tool_declaration import Tool, to_json
from .tools import offered_tools

T = TypeVar("T")
Context = ServerRequestContext[LegacySubscriptions]
_NAME = 60
_FAULT = "wfnb failed at this, and recorded nothing more. What it writes on stderr says where."


class ProtocolAnswers:
    """A method for each kind of request, named as the SDK names it."""

    def __init__(self, around: Connection) -> None:
        self._around = around
        self._tools = {each.name: each for each in offered_tools(around.sets)}

    async def list_tools(
        self, context: Context, asked: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[_wire_tool(each) for each in self._tools.values()])

    async def call_tool(self, context: Context, asked: CallToolRequestParams) -> CallToolResult:
        called = partial(_answer, self._around, self._tools, asked.name, asked.arguments or {})
        return await _with_progress(context, self._around, called)

    async def list_resources(
        self, context: Context, asked: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        around = self._around
        there = await _in_thread(context, around, lambda: list(resources.listed_resources(around)))
        return ListResourcesResult(
            resources=[
                WireResource(uri=each.address, name=each.says, mime_type=each.type)
                for each in there
            ]
        )

    async def list_resource_templates(
        self, context: Context, asked: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(
            resource_templates=[
                WireTemplate(uri_template=each.address, name=each.says, mime_type=each.type)
                for each in resources.TEMPLATES
            ]
        )

    async def read_resource(
        self, context: Context, asked: ReadResourceRequestParams
    ) -> ReadResourceResult:
        uri = str(asked.uri)
        reading = partial(_refused, resources.read, self._around, uri, about={"uri": uri})
        text, kind = await _in_thread(context, self._around, reading)
        contents = TextResourceContents(uri=asked.uri, text=text, mime_type=kind)
        return ReadResourceResult(contents=[contents])

    async def list_prompts(
        self, context: Context, asked: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        return ListPromptsResult(prompts=[_wire_prompt(each) for each in prompts.PROMPTS])

    async def get_prompt(self, context: Context, asked: GetPromptRequestParams) -> GetPromptResult:
        words = _refused(prompts.fill, asked.name, asked.arguments or {})
        said = PromptMessage(role="user", content=TextContent(type="text", text=words))
        return GetPromptResult(messages=[said])

    async def subscribe_resource(
        self, context: Context, asked: SubscribeRequestParams
    ) -> EmptyResult:
        return await subscriptions.subscribe(self._around, context, asked)

    async def unsubscribe_resource(
        self, context: Context, asked: UnsubscribeRequestParams
    ) -> EmptyResult:
        return await subscriptions.unsubscribe(context, asked)

    async def subscriptions_listen(
        self, context: Context, asked: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        return await subscriptions.listen(self._around, context, asked)


def _answer(
    around: Connection, by_name: dict[str, Tool], name: str, arguments: dict[str, Any]
) -> CallToolResult:
    try:
        if name not in by_name:
            raise ToolUnknown(name, tuple(by_name))
        data = by_name[name].call(around, arguments)
    except WfnbError as refusal:
        # It may be refused because of what another did, as where its step was taken back.
        sentences = [str(refusal), *(f"Meanwhile: {each}." for each in around.news())]
        return _failed(escape.printable(" ".join(sentences)))
    except Exception:
        # Not on stdout, which belongs to the protocol.
        traceback.print_exc(file=sys.stderr)
        return _failed(_FAULT)
    said = TextContent(type="text", text=to_json(data))
    return CallToolResult(content=[said], structured_content=data)


def _failed(says: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=says)], is_error=True)


async def _with_progress(
    context: Context, around: Connection, work: Callable[[], CallToolResult]
) -> CallToolResult:
    """A client that asked to be told of progress is told each second what its run prints."""

    async def tell() -> None:
        for seconds in count(1):
            await anyio.sleep(1)
            await context.session.report_progress(seconds, message=around.last_printed())

    async with anyio.create_task_group() as beside:
        beside.start_soon(tell)
        answer = await _in_thread(context, around, work)
        beside.cancel_scope.cancel()
    return answer


async def _in_thread(context: Context, around: Connection, work: Callable[[], T]) -> T:
    def by_client() -> T:
        author = _author(context, around)
        try:
            with author_context(author):
                return work()
        finally:  # where this made the home, the name is its own from now on
            _author(context, around)

    # A client that leaves waits for no call: `Connection.close` ends what that one began.
    return await run_sync(by_client, abandon_on_cancel=True)


def _author(context: Context, around: Connection) -> Author:
    """The client, as it calls itself, and what it may do."""
    known = context.session.client_params
    said = (known.client_info.name, known.client_info.version) if known else ("", "")
    # A client may call itself anything: a short line of it is recorded.
    name, version = (cut(escape.line(text), _NAME) or None for text in said)
    own = around.own_name.of(name)
    return Author(host="mcp", name=own, version=version, may=around.permissions)


def _refused(work: Callable[..., T], *given: Any, about: dict[str, str] | None = None) -> T:
    """The answer of work; what it refuses is an error of the protocol, since no tool says it."""
    try:
        return work(*given)
    except WfnbError as refusal:
        says = escape.printable(str(refusal))
        raise MCPError(code=INVALID_PARAMS, message=says, data=about) from None


def _wire_tool(tool: Tool) -> WireTool:
    return WireTool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.takes,
        output_schema=tool.output,
        annotations=_hints(tool),
    )


def _hints(tool: Tool) -> ToolAnnotations:
    """What a client asks a person about; of a tool that only reads the others say nothing."""
    if not tool.changes:
        # A hint that is not given counts as true, for the open world.
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeats,
        open_world_hint=tool.reaches,
    )


def _wire_prompt(prompt: prompts.Prompt) -> WirePrompt:
    asks = [PromptArgument(name=each, required=True) for each in prompt.asks]
    return WirePrompt(name=prompt.name, description=prompt.says, arguments=asks)
