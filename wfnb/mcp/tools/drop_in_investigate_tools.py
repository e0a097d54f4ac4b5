"""the tools of a server for investigations, one for each kind, under its names, fields and answers:
the prompts written for it work unchanged, and what they find is in the history."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from wfnb.hints import Command
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind import Kind
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.mcp.connection import Connection
from wfnb.mcp.tool_declaration import Data, tool
from wfnb.workspace import Workspace

from .numbered_steps import Number, record_numbered

SET = "investigate"
Names = Annotated[
    list[str], BeforeValidator(lambda said: [said] if isinstance(said, str) else said)
]
Issues = Annotated[
    list[dict[str, Any] | str], Field(description="each with severity and description")
]
Models = Annotated[list[dict[str, str] | str], Field(description="each with model and stance")]

ALWAYS: Mapping[str, Any] = {
    "step": str,
    "step_number": Number,
    "total_steps": Number,
    "next_step_required": bool,
}
FOUND: Mapping[str, tuple[Any, str]] = {
    "findings": (str, "finding"),
    "files_checked": (Names | None, "files"),
    "relevant_files": (Names | None, "relevant"),
    "relevant_context": (Names | None, "context"),
    "issues_found": (Issues | None, "issues"),
    "hypothesis": (str | None, "hypothesis"),
    "confidence": (str | None, "confidence"),
    "backtrack_from_step": (Number | None, "backtrack"),
}
"""What a step of an investigation says -> its type, and the word of `Workspace.step` for it."""
PLANNED: Mapping[str, tuple[Any, str]] = {
    "is_step_revision": (bool | None, "is_step_revision"),
    "revises_step_number": (Number | None, "revises"),
    "branch_from_step": (Number | None, "branch_from"),
    "branch_id": (str | None, "branch"),
    "more_steps_needed": (bool | None, "needs_more_steps"),
}
"""The same of a kind that finds nothing, and plans."""
ALSO: Mapping[str, str] = {
    "trace_mode": "mode",
    "target_description": "target",
    "review_validation_type": "review",
    "precommit_type": "review",
}
"""Fields of kinds that have another name on that server."""
_HOLDS: Mapping[str, Any] = {"count": Annotated[int, Field(ge=0)], "models": Models}
_REPEATED = {
    *("next_step_needed", "last_step_description", "session", "outcome", "fields", "next_actions"),
}
"""Parts of an answer that only say again what was given, or under another name."""


def _declare(kind: Kind) -> None:
    said = FOUND if kind.finding else PLANNED
    own = {
        name: Annotated[
            (Literal[each.choices] if each.choices else _HOLDS.get(each.holds, str)) | None,
            Field(description=each.says),
        ]
        for name, each in kind.fields.items()
    }
    types = {
        **ALWAYS,
        **{name: given for name, (given, _) in said.items()},
        **({"confidence": Literal[kind.confidence.levels] | None} if kind.finding else {}),
        **own,
        "continuation_id": Annotated[str | None, Field(description="as the answer before says it")],
    }
    needed = {*ALWAYS, "findings"}

    def function(around: Connection, **given: Any) -> Data:
        given = {ALSO.get(name, name): v for name, v in given.items() if v is not None}
        step, number, total, more = (given.pop(name) for name in ALWAYS)
        opened = _workspace(around, kind.name, number, step, given.pop("continuation_id", None))
        words = {word: given.pop(name) for name, (_, word) in said.items() if name in given}
        fields = {name: given.pop(name) for name in own if name in given}
        around.check_fields(opened, fields)
        data = record_numbered(
            around,
            opened,
            step,
            number,
            total,
            next_step_needed=more,
            fields=fields,
            **words,
        )
        ignored = {"ignored": sorted(given)} if given else {}
        return _answer(data, kind.name, number) | ignored

    function.__name__, function.__doc__ = kind.name, f"{kind.title}. {kind.description}"
    function.__annotations__ = types
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if name in needed else None,
                annotation=given,
            )
            for name, given in types.items()
        ]
    )
    declare = tool(
        gives={
            "status": "string",
            "step_number": "integer",
            "total_steps": "integer",
            "next_step_required": "boolean",
            f"{kind.name}_status": "object",
            "continuation_id": "string",
            "required_actions": "array",
            "next_steps": "string",
            kind.completion: "object",
        },
        only=SET,
        detail="full",
        takes_others=True,
        changes=True,
        reaches=kind.total.rule == "models",
    )
    declare(function)


def _workspace(
    around: Connection, kind: str, number: int, text: str, thread: str | None
) -> Workspace:
    """The session that the step is for, which is in use from here on: that of the thread; else the
    one in use, where it is empty, or this investigation; else another that is this; else a new
    one."""
    around.workspace(thread)
    for opened in (around.workspace(thread), *around.opened()) if thread is None else ():
        session = opened.log.refresh()
        now = investigation_of(session)
        begun = [step.current.description for step in session.steps.values()]
        same = now is not None and now.kind.name == kind
        if not begun or (same and (number > 1 or begun == [text.strip()])):
            thread = session.name
            break
    if thread is None:
        return around.start(around.home.free_name(kind), kind=kind)
    opened = around.start(thread)
    now = investigation_of(opened.log.refresh())
    if now is None or now.kind.name != kind:
        opened.investigation.choose(kind)
    return opened


def _answer(data: Data, kind: str, number: int) -> Data:
    """The answer, with the number that comes next for the agent."""
    ahead = data.get("next_step_number")
    if data["next_step_required"] and ahead is not None:
        steps = data["next_steps"].replace(str(ahead), str(number + 1))
        data = data | {"next_step_number": number + 1, "next_steps": steps}
        data["next"] = [f"`{kind}` says what was found, as step {number + 1}"]
    else:
        data = data | {"next": [f"`{Command('step')}` says what was done about it"]}
    return {name: value for name, value in data.items() if name not in _REPEATED}


for _kind in builtin_kinds().values():
    _declare(_kind)
