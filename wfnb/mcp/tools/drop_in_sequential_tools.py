"""the tools of servers that number thoughts or steps, under their names, fields and answers: the
prompts written for them work unchanged, and what they say is in the history."""

from __future__ import annotations

from wfnb.errors import BadValue
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data, tool

from .numbered_steps import Number, branch_name, record_numbered
from .steps import ANSWER

SET = "sequential"


@tool(
    gives={
        "thoughtNumber": "integer",
        "totalThoughts": "integer",
        "nextThoughtNeeded": "boolean",
        "branches": "array",
        "thoughtHistoryLength": "integer",
        "step": "string",
    },
    only=SET,
    changes=True,
)
def sequentialthinking(
    around: Connection,
    *,
    thought: str,
    nextThoughtNeeded: bool,  # the names of that server
    thoughtNumber: Number,
    totalThoughts: Number,
    isRevision: bool | None = None,
    revisesThought: Number | None = None,
    branchFromThought: Number | None = None,
    branchId: str | None = None,
    needsMoreThoughts: bool | None = None,
) -> Data:
    """Think in numbered thoughts, each kept as a step of the history. Revise a thought that was
    wrong (isRevision, revisesThought), try alternatives (branchFromThought, branchId), change the
    total as you learn. nextThoughtNeeded is false when the answer is there."""
    # As on that server: a revision of nothing, a branch without a name, and a name without a place
    # that it leaves, are plain thoughts.
    workspace, branch = around.workspace(make=True), branch_name(branchId)
    if branchFromThought is None and branch not in workspace.session.lines:
        branch = None
    data = record_numbered(
        around,
        workspace,
        thought,
        thoughtNumber,
        totalThoughts,
        next_step_needed=nextThoughtNeeded,
        needs_more_steps=needsMoreThoughts,
        revises=None if isRevision is False else revisesThought,
        branch=branch,
        branch_from=branchFromThought if branch else None,
    )
    return {
        "thoughtNumber": data["step_number"],
        "totalThoughts": data["total_steps"],
        "nextThoughtNeeded": data["next_step_needed"],
        "branches": data["branches"],
        "thoughtHistoryLength": data["step_history_length"],
        "step": data["step"],
        "next": data["next"],
    }


@tool(gives={**ANSWER, "step": "string"}, only=SET, changes=True)
def workflow_tool(
    around: Connection,
    *,
    step_description: str,
    step_number: Number,
    total_steps: Number,
    next_step_needed: bool,
    is_step_revision: bool | None = None,
    revises_step: Number | None = None,
    branch_from_step: Number | None = None,
    branch_id: str | None = None,
    needs_more_steps: bool | None = None,
) -> Data:
    """Solve a problem in numbered steps, each kept in the history: revise earlier ones
    (is_step_revision, revises_step), try alternatives (branch_from_step, branch_id), change the
    total as you learn. needs_more_steps is false when the whole is solved."""
    if branch_from_step is not None and branch_id is None:
        raise BadValue("branch_id", "", "the name of the branch that leaves branch_from_step")
    return record_numbered(
        around,
        around.workspace(make=True),
        step_description,
        step_number,
        total_steps,
        next_step_needed=next_step_needed,
        needs_more_steps=needs_more_steps,
        is_step_revision=is_step_revision,
        revises=revises_step,
        branch=branch_id,
        branch_from=branch_from_step,
    )
