"""steps: recorded, and corrected."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from wfnb.author_context import AUTHOR
from wfnb.hints import Command
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data, SessionName, StepName, tool
from wfnb.views.step_answer import Answer
from wfnb.views.step_words import author_text
from wfnb.workspace.undo_by_author import take_back as undo_by_author

Title = Annotated[str, Field(description="what was done or concluded, in a line")]
Reason = Annotated[str | None, Field(description="why, as Markdown")]
Values = Annotated[dict[str, Any], Field(description="named results, by which lines are compared")]
Fields = Annotated[dict[str, Any], Field(description="what the stage asks for")]
Stage = Annotated[str | None, Field(description="of the strategy")]

ANSWER = {
    "step_number": "integer",
    "total_steps": "integer",
    "next_step_needed": "boolean",
    "last_step_description": "string",
    "current_branch": "string|null",
    "branches": "array",
    "step_history_length": "integer",
    "session": "string",
    "outcome": "string",
}
IN_SHORT = {"step_number": "integer", "current_branch": "string|null"}
"""The same; what the parameters and fields of `record_step` are is said there alone."""


@tool(gives=ANSWER, changes=True)
def record_step(
    around: Connection,
    *,
    title: Title,
    reason: Reason = None,
    total: Annotated[int | None, Field(description="steps in all, as far as known")] = None,
    next_step_needed: bool | None = None,
    branch: Annotated[str | None, Field(description="a branch that is there")] = None,
    stage: Stage = None,
    fields: Fields = {},  # noqa: B006  never changed
    values: Values = {},  # noqa: B006
    tags: list[str] = [],  # noqa: B006
    outcome: Literal["ok", "failed", "interrupted"] = "ok",
    finding: Annotated[str | None, Field(description="investigations: what was found")] = None,
    hypothesis: str | None = None,
    confidence: str | None = None,
    files: Annotated[list[str], Field(description="that were examined")] = [],  # noqa: B006
    relevant: list[str] = [],  # noqa: B006
    issues: Annotated[list[str], Field(description="as high: no check")] = [],  # noqa: B006
    session: SessionName = None,
) -> Data:
    """Record a step that is done. Record dead ends, too: they stay, and are not tried again."""
    words = {
        "total": total,
        "next_step_needed": next_step_needed,
        "branch": branch,
        "stage": stage,
        "fields": fields,
        "values": values,
        "tags": tags,
        "outcome": outcome,
        "finding": finding,
        "hypothesis": hypothesis,
        "confidence": confidence,
        "files": files,
        "relevant": relevant,
        "issues": issues,
    }
    return _record(around, session, title, reason, **words)


@tool(gives=IN_SHORT, changes=True)
def revise_step(
    around: Connection,
    *,
    revises: Annotated[int, Field(description="the step that was wrong; it stays, marked")],
    title: str,
    reason: str | None = None,
    branch: str | None = None,
    stage: str | None = None,
    fields: dict[str, Any] = {},  # noqa: B006
    values: dict[str, Any] = {},  # noqa: B006
    session: SessionName = None,
) -> Data:
    """Record a step that corrects an earlier one of its line. What rests on that becomes stale."""
    words = {"branch": branch, "stage": stage, "fields": fields, "values": values}
    return _record(around, session, title, reason, revises=revises, **words)


@tool(gives=IN_SHORT, changes=True)
def open_branch(
    around: Connection,
    *,
    branch: Annotated[str, Field(description="a short name of its own")],
    title: str,
    branch_from: Annotated[
        StepName | None, Field(description="the step it leaves; default: the last")
    ] = None,
    reason: str | None = None,
    stage: str | None = None,
    fields: dict[str, Any] = {},  # noqa: B006
    values: dict[str, Any] = {},  # noqa: B006
    session: SessionName = None,
) -> Data:
    """Try an alternative: a branch, with its first step. `record_step` with its name goes on."""
    words = {"branch": branch, "stage": stage, "fields": fields, "values": values}
    return _record(around, session, title, reason, branch_from=branch_from, **words)


@tool(gives={"taken_back": "array"}, changes=True)
def take_back(
    around: Connection,
    *,
    since: Annotated[int | None, Field(description="an entry of the log")] = None,
    session: SessionName = None,
) -> Data:
    """Take back all that you did in this conversation, or since an entry of the log. Refused where
    something of another's rests on it."""
    log = around.workspace(session).log
    gone = undo_by_author(log, _name(), log.opened if since is None else since, exact=True)
    return {"taken_back": gone, "next": ["a person brings it back by `%wfnb redo`"]}


def _name() -> str:
    """What the one who acts calls itself, in whatever version."""
    author = AUTHOR.get()
    return (author and author.name) or author_text(author)


def _record(
    around: Connection, session: str | None, title: str, reason: str | None, **words: Any
) -> Data:
    description = title if reason is None else f"{title}\n\n{reason}"
    workspace = around.workspace(session, make=True)
    around.check_fields(workspace, words["fields"])
    return answer_data(workspace.step(description, **words))


def answer_data(answer: Answer) -> Data:
    """An answer to a step: its seven fields first, what may come next last."""
    data = answer.to_dict()
    ways = data.pop("next_actions", [])
    if not ways and answer.next_step_needed:
        ways = [f"`{Command('step')}` records the next step"]
    return {**data, "next": ways}
