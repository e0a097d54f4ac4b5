"""an investigation: evidence that wfnb itself has seen, and what was thought."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from wfnb.hints import Command
from wfnb.investigations.core.investigation import investigation_of
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data, Detail, SessionName, tool


@tool(gives={"shown": "string"}, changes=True, repeats=True)
def look(
    around: Connection,
    *,
    what: Annotated[
        str | None, Field(description="changes, last, outline, calls, undocumented, or a file")
    ] = None,
    targets: Annotated[list[str], Field(description="lines 10-40, a name, a path")] = [],  # noqa: B006
    session: SessionName = None,
    detail: Detail = "brief",
) -> Data:
    """Look at the repository or a file in the session's folder. An investigation counts it as
    evidence, which it asks for between two steps."""
    opened = around.workspace(session)
    now = investigation_of(opened.log.refresh())
    # An outline is of what steps say is relevant, where it is told of nothing else.
    said = now.found.relevant if now and what in (None, "outline") and not targets else ()
    for path in filter(None, (what, *targets, *said)):
        around.check_path(path)
    seen = opened.investigation.look(what, *targets)
    return {"shown": seen.text, "next": [f"`{Command('step')}` says what it shows"]}


@tool(gives={"hypothesis": "string", "verdict": "string"}, changes=True, repeats=True)
def judge_hypothesis(
    around: Connection,
    *,
    hypothesis: Annotated[int | str, Field(description="its number or words")],
    verdict: Literal["confirmed", "refuted"],
    reason: str | None = None,
    session: SessionName = None,
) -> Data:
    """Confirm or refute a hypothesis of an investigation; until then it stands."""
    claim = around.workspace(session).investigation.judge(hypothesis, verdict, reason)
    return {"hypothesis": claim, "verdict": verdict, "next": [f"`{Command('step')}` goes on"]}
