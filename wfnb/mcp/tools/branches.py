"""lines of steps: chosen, compared, decided."""

from __future__ import annotations

from typing import Literal

from wfnb.core.queries import branches, head
from wfnb.core.step_lookup import line_of
from wfnb.hints import Command
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data, SessionName, tool
from wfnb.views.step_words import refer


@tool(gives={"line": "string", "last_step": "string|null"})
def switch_branch(around: Connection, *, branch: str = "main", session: SessionName = None) -> Data:
    """Choose the line on which steps come that name no branch."""
    workspace = around.workspace(session)
    workspace.switch(branch)
    last = head(workspace.session, line_of(workspace.session, branch))
    return {
        "line": branch,
        "last_step": None if last is None else refer(last, "main"),
        "next": [f"`{Command('step')}` records the next step there"],
    }


@tool(
    gives={"branch": "string", "state": "string", "branches": "array"}, changes=True, repeats=True
)
def settle_branch(
    around: Connection,
    *,
    branch: str,
    decision: Literal["select", "merge", "abandon"],
    reason: str | None = None,
    session: SessionName = None,
) -> Data:
    """Decide about a branch: select it over those that left the same step, merge it into the line
    that it left, or give it up. All of it stays."""
    workspace = around.workspace(session)
    if decision == "merge":
        workspace.merge(branch, reason=reason)
    elif decision == "select":
        workspace.select(branch, reason)
    else:
        workspace.abandon(branch, reason)
    return {
        "branch": branch,
        "state": workspace.session.lines[branch].state,
        "branches": list(branches(workspace.session)),
        "next": [f"`{Command('step')}` goes on"],
    }


@tool(gives={"compared": "object"})
def compare_branches(
    around: Connection,
    *,
    branches: list[str] = [],  # noqa: B006  never changed
    session: SessionName = None,
) -> Data:
    """Lines side by side (all, where none is named): steps, outcome, time, named values, state."""
    found = around.workspace(session).compare(*branches).to_dict()
    return {"compared": found, "next": [f"`{Command('select', 'NAME')}` decides"]}
