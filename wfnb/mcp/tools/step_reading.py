"""steps that are there: searched, read, explained."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from wfnb.core import validation
from wfnb.core.session import Step
from wfnb.core.validation import MAIN, StepPlace
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import (
    MAX_ANSWER_BYTES,
    Data,
    Detail,
    SessionName,
    StepName,
    size,
    tool,
)
from wfnb.panel import rows_page
from wfnb.views.staleness import needs_restart
from wfnb.views.step_card import version_data
from wfnb.views.step_dependencies import StepExplanation
from wfnb.views.step_words import author_text, outcome_of, refer
from wfnb.workspace import Workspace

_MAX_STEPS = 20
"""Steps of an answer, where the caller says nothing."""
_REST = 500
"""Bytes of an answer beside its steps."""


@tool(gives={"steps": "array", "count": "integer", "after": "integer|null"})
def search_steps(
    around: Connection,
    *,
    text: Annotated[
        str | None, Field(description="words of title, reason, findings, tags; tag:slow; by:name")
    ] = None,
    branch: str | None = None,
    stage: str | None = None,
    outcome: Annotated[str | None, Field(description="ok, failed, stale, …")] = None,
    after: Annotated[int, Field(description="how many to pass over")] = 0,
    limit: int = _MAX_STEPS,
    session: SessionName = None,
    detail: Detail = "brief",
) -> Data:
    """Find steps, in order, a line each."""
    log, after = around.workspace(session).log, max(0, after)
    wanted = {"text": text, "branch": branch, "stage": stage, "outcome": outcome}
    # Each call has a thread of its own, and another one may record meanwhile.
    with log.lock:
        page = rows_page(log.refresh(), after, limit, wanted)
    found = [_step_line(row) for row in page["rows"]]
    # What the answer has no room for is on the next page: cut later, it would be on none.
    while len(found) > 1 and size(found) > MAX_ANSWER_BYTES[detail] - _REST:
        found.pop()
    more = after + len(found) if after + len(found) < page["count"] else None
    ways = ["`read_step` shows one"] if found else ["nothing passes: fewer words find more"]
    return {
        "steps": found,
        "count": page["count"],
        "after": more,
        "next": ways if more is None else [*ways, f"`search_steps` with after={more} goes on"],
    }


def _step_line(row: Data) -> Data:
    """A step in a line."""
    number, branch = row["number"], row["branch"]
    return {
        "step": number if branch == "main" else f"{branch}:{number}",
        "title": row["title"],
        "outcome": row["outcome"],
        **{name: row[name] for name in ("stale", "stage", "by", "tags") if row.get(name)},
    }


@tool(
    gives={
        "step": "string",
        "description": "string",
        "outcome": "string",
        "stale": "boolean",
        "by": "string",
        "versions": "array",
    }
)
def read_step(
    around: Connection, *, step: StepName, session: SessionName = None, detail: Detail = "brief"
) -> Data:
    """All that a step says: reason, code, result, values, findings, earlier versions."""
    workspace = around.workspace(session)
    found = _find(workspace, step)
    data = _read(found)
    if found.stale:
        data["next"] = [f"`why` says why it is stale: {data['step']}"]
    return data


def _find(workspace: Workspace, step: int | str) -> Step:
    """A number alone is that of a step of main, as answers name steps, whichever line is chosen."""
    place = validation.place("step", step)
    return workspace.log.find(StepPlace(number=place.number, branch=place.branch or MAIN))


def _read(step: Step) -> Data:
    now, end = step.current, step.ended
    known: dict[str, Any] = {
        "stage": now.stage,
        "fields": dict(now.fields),
        "values": dict(end.values) if end else {},
        "result": end.result if end else None,
        "error": end.error if end else None,
        "revises": now.revises,
        "source": now.cell.source if now.cell else None,
        "tags": list(step.tags),
    }
    return {
        "step": refer(step, "main"),
        "description": now.description,
        "outcome": outcome_of(step),
        "stale": step.stale,
        "by": author_text(now.by),
        **{name: value for name, value in known.items() if value not in (None, "", {}, [])},
        "versions": [version["says"] for version in version_data(step)][1:],
        "next": ["`revise_step` corrects it"],
    }


@tool(
    gives={
        "step": "string",
        "stale": "boolean",
        "says": "string",
        "reads": "array",
        "stale_reason": "string|null",
    }
)
def why(around: Connection, *, step: StepName, session: SessionName = None) -> Data:
    """What a step rests on, name by name, and why it is stale."""
    workspace = around.workspace(session)
    found = _find(workspace, step)
    shown = StepExplanation(workspace.log.refresh(), found)
    after = " after a restart of its kernel" if needs_restart(found) else ""
    way = f"a notebook runs stale steps again{after}: `%wfnb run-stale`; `revise_step` corrects one"
    return {"says": shown.sentence, **shown.data, "next": [way] if shown.data["stale"] else []}
