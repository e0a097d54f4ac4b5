"""the tools of a server for terminals, under their names, fields and answers: each call is a run of
the session, which a person sees.

What they take is what the tools of workflows of those names take.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_type_hints

from pydantic import Field

from wfnb.mcp.connection import TERMINAL, Connection
from wfnb.mcp.tool_declaration import Data, tool
from wfnb.workflows.definition.scope import TERMINALS
from wfnb.workflows.tools.registry import builtin_tools
from wfnb.workflows.tools.tool import Tool

from .workflows import workflow_of

NAMES = tuple(name for name in TERMINALS if name != "resize_terminal")
"""Those that such a server has."""
_NEXT: Mapping[str, list[str]] = {
    "open_terminal": ["`send_input` types in it; `exit_terminal` ends it"],
    "send_input": ["`await_output` waits for what comes of it"],
}
TYPES: Mapping[str, str] = {
    "success": "boolean",
    "process_running": "boolean",
    "timeout_occurred": "boolean",
    "workflow_saved": "boolean",
    "elapsed_time": "number",
    "total_elapsed_time": "number",
    "states_executed": "integer",
    "total_sessions": "integer",
    "recursion_depth": "integer",
    "captures": "object",
    "final_variables": "object",
    "outputs": "object",
    "sessions": "array",
    "execution_log": "array",
    "available_workflows": "array",
    "rollback": "array",
    "warnings": "array",
}
"""Of the fields that are no text."""
RUN = (
    *("success", "final_state", "states_executed", "total_elapsed_time", "execution_log"),
    *("final_variables", "session_id", "workflow_saved", "saved_workflow_name"),
    *("available_workflows", "recursion_depth", "error", "run", "status"),
)


def _call(name: str) -> Callable[..., Data]:
    def call(around: Connection, **given: Any) -> Data:
        opened = around.workspace(make=True)
        around.began.add(opened)
        found = opened.runs.call(name, **given)
        return {**found, "next": _NEXT.get(name, []) if found["success"] else []}

    return call


def _run(
    around: Connection,
    workflow_definition: dict[str, Any] | None = None,
    workflow_name: str | None = None,
    initial_variables: Mapping[str, Any] = {},
    max_states: int | None = None,
    execution_timeout: float | None = None,
    save_on_success: bool = True,
) -> Data:
    """Run a workflow, a definition or a saved one, and wait for its end. A new one that succeeded
    is saved under its name."""
    opened = around.workspace(make=True)
    around.began.add(opened)
    running = opened.runs.start(
        workflow_of(workflow_name, workflow_definition),
        variables=initial_variables,
        max_states=max_states,
        timeout=execution_timeout,
        save=save_on_success,
    )
    running.wait()
    data = opened.runs.result(running).to_dict()
    return {**data, "next": ["`run_status` has its report"]}


def _declare(known: Tool, call: Callable[..., Data], results: tuple[str, ...]) -> None:
    """A tool that takes what one of a workflow takes, and leaves to that one what is not given."""

    def function(around: Connection, **given: Any) -> Data:
        return call(around, **{name: value for name, value in given.items() if value is not None})

    types, says = get_type_hints(known.call, include_extras=True), known.parameters["properties"]
    taken = [
        each.replace(
            kind=each.KEYWORD_ONLY,
            default=each.default if each.default is each.empty else None,
            annotation=Annotated[
                types[each.name] if each.default is each.empty else types[each.name] | None,
                Field(description=says[each.name].get("description")),
            ],
        )
        for each in inspect.signature(known.call).parameters.values()
        if each.name != known.context
    ]
    function.__name__, function.__doc__ = known.name, call.__doc__ or known.says
    function.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in taken}
    gives = {name: TYPES.get(name, "string|null") for name in results}
    declare = tool(
        gives=gives,
        only=TERMINAL,
        detail="full",
        within="request",
        changes=True,
        destroys=not known.idempotent,
        reaches=True,
    )
    declare(function)


for _name in NAMES:
    _known = builtin_tools()[_name]
    _declare(_known, _call(_name), _known.results or ())
_declare(builtin_tools()["run_workflow"], _run, RUN)
