"""another workflow, by its name or written out -> what its run came to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from .call_context import Context
from .result_fields import ToolFailed
from .tool import tool_of


async def run_workflow(
    context: Context,
    workflow_definition: Annotated[dict[str, Any] | None, "The workflow, written out"] = None,
    workflow_name: Annotated[str | None, "The name of a saved workflow"] = None,
    initial_variables: Annotated[
        dict[str, Any], "The variables it starts with; it sees no others"
    ] = {},  # noqa: B006
    max_states: Annotated[
        int | None, Field(ge=1, le=1000), "How many states it may go through; none: as it says"
    ] = None,
    execution_timeout: Annotated[
        float | None, Field(ge=1, le=7200), "Seconds that it may take; none: as it says"
    ] = None,
    save_on_success: Annotated[bool, "Whether to save it under its name if it succeeds"] = True,
) -> Mapping[str, Any]:
    """Run another workflow, and wait for its end.

    It shares no variables with this one but those it is given; the fields of the result are those
    of its run, with `final_state`, `final_variables`, `workflow_saved` and `saved_workflow_name`.
    Runs may be nested five deep.
    """
    if workflow_definition is None and workflow_name is None:
        raise ToolFailed("Either 'workflow_definition' or 'workflow_name' must be provided")
    if workflow_definition is not None and workflow_name is not None:
        raise ToolFailed("Provide either 'workflow_definition' OR 'workflow_name', not both")
    return await context.nested(
        workflow_definition=workflow_definition,
        workflow_name=workflow_name,
        initial_variables=initial_variables,
        max_states=max_states,
        execution_timeout=execution_timeout,
        save_on_success=save_on_success,
    )


async def roll_back(context: Context, undo: str = "") -> Mapping[str, Any]:
    """Undo the run that a call of `run_workflow` performed."""
    return await context.nested(undo=undo)


RUN_WORKFLOW = tool_of(
    run_workflow,
    timeout=None,
    grace=None,
    objects=("initial_variables",),
    results={
        "final_state": "string",
        "states_executed": "integer",
        "total_elapsed_time": "number",
        "final_variables": "object",
        "session_id": "",
        "workflow_saved": "boolean",
        "saved_workflow_name": "",
        "recursion_depth": "integer",
        "run": "string",
        "status": "string",
        "outputs": "object",
    },
)
ROLL_BACK = tool_of(roll_back, name=RUN_WORKFLOW.name, timeout=None, grace=None)
"""No tool that a workflow can name: it undoes what the one of this name did."""
