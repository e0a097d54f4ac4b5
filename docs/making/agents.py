"""a page written by hand -> the same page, with the tools of an agent: what there is between
`<!-- tools of an agent -->` and `<!-- end of tools -->` is made from their code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wfnb.mcp.prompts import PROMPTS
from wfnb.mcp.resources import SCHEMA, SESSIONS, TEMPLATES
from wfnb.mcp.tool_declaration import Tool
from wfnb.mcp.tools import SETS, offered_tools

from .markdown import page, table

_TOOLS = re.compile(
    r"(?<=^<!-- tools of an agent -->\n).*?(?=^<!-- end of tools -->$)", re.M | re.S
)


def with_agents(text: str) -> str:
    return _TOOLS.sub(lambda _: f"\n{agents()}\n", text)


def agents() -> str:
    """Tables of the tools, of what can be read by its address, and of the prompts."""
    addresses = [(f"`{each.address}`", each.says) for each in (SESSIONS, SCHEMA, *TEMPLATES)]
    prompts = [(f"`{each.name}`", each.says, ", ".join(each.asks)) for each in PROMPTS]
    return page(
        table(("tool", "what it does", "takes", "changes"), map(_row, offered_tools(()))),
        table(("option", "tool", "what it does", "takes", "changes"), _asked_for()),
        table(("resource", "is"), addresses),
        table(("prompt", "for", "asks for"), prompts),
    )


def _asked_for() -> Iterator[tuple[str, ...]]:
    """Rows of the tools that are there where a person asks for their set."""
    for each in offered_tools(SETS):
        if each.only:
            yield (f"`--{each.only}`", *_row(each))


def _row(tool: Tool) -> Iterator[str]:
    needed = tool.takes.get("required", ())
    names = (f"**{name}**" if name in needed else name for name in tool.takes["properties"])
    yield f"`{tool.name}`"
    yield tool.description
    yield ", ".join(names)
    if tool.destroys:
        yield "what it runs changes"
    else:
        yield "the history" if tool.changes else "nothing"
