"""the tools of servers that number thoughts or steps, under their names, fields and answers: the
prompts written for them work unchanged, and what they say is in the history."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from wfnb.core.queries import head
from wfnb.core.validation import MAIN, Place, place_text
from wfnb.errors import BadValue
from wfnb.mcp.connection import Connection
from wfnb.mcp.declaration import Data, tool
from wfnb.mcp.numbering import Numbering

from .steps import ANSWER, answer_data

SET = "sequential"
Number = Annotated[int, Field(ge=1)]


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
    branch = _branch_name(branchId)
    if branchFromThought is None and branch not in around.workspace().session.lines:
        branch = None
    data = _record(
        around,
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
    return _record(
        around,
        step_description,
        step_number,
        total_steps,
        next_step_needed=next_step_needed,
        needs_more_steps=needs_more_steps,
        is_step_revision=is_step_revision,
        revises=revises_step,
        branch=_branch_name(branch_id),
        branch_from=branch_from_step,
    )


def _branch_name(given: str | None) -> str | None:
    return "-".join(given.split()) if given else None


def _record(
    around: Connection,
    text: str,
    number: int,
    total: int,
    *,
    revises: int | None,
    branch: str | None,
    branch_from: int | None,
    **words: Any,
) -> Data:
    """The answer to the step, with the numbers that the agent gave."""
    workspace = around.workspace(make=True)
    session = workspace.log.refresh()
    count = around.numberings.setdefault(workspace.log.id, Numbering())
    same = count.find(session, number, branch or MAIN)
    again = same is not None and same.current.description == text.strip()
    if number == 1 and not (again or revises or branch):
        last = head(session, session.lines[MAIN])
        count = Numbering(before=last.number if last else 0)
        around.numberings[workspace.log.id] = count

    def place(given: int) -> Place:
        step = count.find(session, given, branch or MAIN) or count.find(session, given)
        if step is None:
            return Place(number=given + count.before)
        return Place(number=step.number, branch=step.branch)

    answer = workspace.step(
        text,
        number=same.number if again and same else None,  # a call that is made twice is one step
        total=max(total, number) + count.before,
        revises=None if revises is None else place(revises).number,
        branch=branch,
        # A known branch is gone on with, whatever thought is said to be before.
        branch_from=place(branch_from) if branch_from and not count.is_on(branch) else None,
        **words,
    )
    step = workspace.log.find(Place(number=answer.step_number, branch=answer.current_branch))
    count.add(number, step)
    data = answer_data(answer) | {"step_number": number, "total_steps": max(total, number)}
    return {**data, "step": place_text(step.branch, step.number)}
