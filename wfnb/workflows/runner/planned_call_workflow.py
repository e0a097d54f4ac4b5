"""the calls that a strategy planned -> a workflow of them; its results -> the evidence by label.

A call needs those that its inputs refer to; all others go side by side. One that fails stops only
those that need it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.core.planned_calls import PlannedCall, referred, replace_references
from wfnb.workflows.tools.registry import REGISTRY

_MAIN = ("result", "answer", "text", "match_text", "stdout", "output", "screen_content")
"""The fields that hold what a tool is called for: the first that it has."""


def plan_workflow(calls: Sequence[PlannedCall]) -> dict[str, Any]:
    """The calls as a definition that a runner checks and runs."""
    labels = [call.label for call in calls]
    places = {call.label: f"{call.label}.{_main_field(call.tool)}" for call in calls}
    return {
        "name": "plan",
        "mode": "parallel",
        "steps": [
            {
                "id": call.label,
                "tool": call.tool,
                "args": {**call.args, **replace_references(_fillable(call), places)},
                "needs": referred(_fillable(call), labels),
                "on_failure": "continue",
            }
            for call in calls
        ],
    }


def gathered(
    calls: Sequence[PlannedCall], results: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """What each call gave by its label: None for one that failed, or was not called."""
    return {call.label: _main_value(call.tool, results.get(call.label)) for call in calls}


def _fillable(call: PlannedCall) -> dict[str, Any]:
    """Its inputs but programs, in which a sign may mean anything."""
    programs = REGISTRY.get(call.tool).verbatim if call.tool in REGISTRY.names() else ()
    return {name: value for name, value in call.args.items() if name not in programs}


def _main_value(tool: str, result: Mapping[str, Any] | None) -> Any:
    if result is None or not result.get("success", True):
        return None
    field = _main_field(tool)
    found = result.get(field, {name: each for name, each in result.items() if name != "success"})
    # As `$(…)` in a shell: an output is a line, and the next call needs the word in it.
    return found.removesuffix("\n") if isinstance(found, str) else found


def _main_field(tool: str) -> str:
    """`result`, where it is not known which fields the tool has."""
    known = REGISTRY.get(tool).results if tool in REGISTRY.names() else None
    if known is None:
        return "result"
    others = (name for name in known if name != "success")
    return next((name for name in _MAIN if name in known), next(others, "success"))
