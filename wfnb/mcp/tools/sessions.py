"""sessions: where one stands, and which one is in use."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from wfnb.core.session import Session
from wfnb.errors import listing
from wfnb.hints import Command
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data, Detail, SessionName, tool
from wfnb.views.step_words import cut, refer, title_of

_LAST, _TITLE = 8, 80


@tool(
    gives={
        "session": "string|null",
        "steps": "integer",
        "line": "string",
        "recent": "array",
        "stale_steps": "array",
        "investigation": "object",
        "runs": "array",
        "solved": "boolean",
    }
)
def session_status(
    around: Connection, *, session: SessionName = None, detail: Detail = "brief"
) -> Data:
    """Where a session stands: last steps, lines, what is stale or open, runs. Call it first, to go
    on with what was begun."""
    sessions = [info.name for info in around.home.sessions() if not info.archived]
    if session is None and around.session not in sessions:
        ways = [f"`{Command('start', 'NAME')}` begins one; `{Command('step')}` does as well"]
        return {"session": None, "sessions": sessions, "next": ways}
    workspace = around.workspace(session)
    found = workspace.status(None if detail == "full" else _LAST)
    data: Data = {
        "session": found["session"],
        "steps": found["step_history_length"],
        "line": workspace.log.line,
        "solved": found["solved"],
        "recent": [_step(step) for step in found["steps"]],
        "lines": [_line(line) for line in found["lines"] if line["id"] != "main"],
        "stale_steps": found["stale_steps"],
        "strategy": found["strategy"],
        "next_stages": found["next_stages"],
        "runs": [f"{run['name']} {run['status']}" for run in found["runs"][-_LAST:]],
        "sessions": sessions[-_LAST:],
    }
    if "investigation" in found:
        asked = found["investigation"]
        data["investigation"] = asked if detail == "full" else _brief(asked)
    data["next"] = ways_on(workspace.session)
    return data


@tool(
    gives={"session": "string", "steps": "integer", "new": "boolean", "stage": "string|null"},
    changes=True,
    repeats=True,
)
def start_session(
    around: Connection,
    *,
    name: str,
    strategy: Annotated[str | None, Field(description="as react: stages that follow")] = None,
    kind: Annotated[str | None, Field(description="an investigation: debug, codereview, …")] = None,
) -> Data:
    """Use a session from here on: go on with it, or begin it. A strategy or kind is for a new one;
    a kind asks for evidence between steps (`look`) and knows when enough is known."""
    new = around.home.journal.find(name) is None
    opened = around.start(name, strategy, kind)
    session = opened.session
    stages = opened.status(0)["next_stages"]
    return {
        "session": session.name,
        "steps": len(session.steps),
        "new": new,
        "stage": stages[0] if len(stages) == 1 else None,
        "next": [f"`{Command('step')}` records a step"] if new else ways_on(session),
    }


def ways_on(session: Session) -> list[str]:
    """What can be done in a session, in sentences."""
    ways = []
    if session.stale:
        places = [refer(session.steps[key], "main") for key in sorted(session.stale)]
        listed = listing(places, "")
        ways.append(f"stale: {listed}; `why` says why, a notebook runs them again")
    return [*ways, f"`{Command('step')}` records the next step"]


def _step(step: Data) -> Data:
    """A step in a line."""
    place = step["number"] if step["branch"] == "main" else f"{step['branch']}:{step['number']}"
    marks = {name: step[name] for name in ("stage", "by") if step.get(name)}
    title = title_of(step["description"], _TITLE)
    stale = {"stale": True} if step["stale"] else {}
    return {"step": place, "title": title, "outcome": step["outcome"], **marks, **stale}


def _line(line: Data) -> Data:
    return {name: line[name] for name in ("id", "from", "state", "score") if line[name] is not None}


def _brief(investigation: Any) -> Data:
    """The parts of an investigation that are small."""
    return {
        name: cut(value, 200) if isinstance(value, str) else value
        for name, value in investigation.items()
        if isinstance(value, str | int | float | bool) or name == "checklist"
    }
