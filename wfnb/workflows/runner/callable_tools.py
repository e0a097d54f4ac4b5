"""a workflow -> the tools that it may call, with those of the workflows that it runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from wfnb.errors import Refused
from wfnb.workflows.definition.models import Fallback, Work
from wfnb.workflows.definition.reader import Definition, parse
from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.definition.template import DEFINITION
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.tools.registry import builtin_tools

PYTHON = "python"
"""The tool that has the names of the notebook."""


def callable_tools(
    workflow: Definition,
    library: WorkflowLibrary,
    left: Collection[str],
    met: frozenset[str] = frozenset(),
) -> Iterator[str | None]:
    """The tools that it calls, fallbacks and compensations included, with those of the workflows
    within; of the actions that are not `left` what undoes them. None: one of these workflows is
    not known yet."""
    for tool, params in _calls(workflow, left):
        yield tool
        if tool != NESTED:
            continue
        name, written = params.get("workflow_name"), params.get(DEFINITION)
        if name in met:  # workflows may call each other
            continue
        try:
            within = parse(written if isinstance(written, Mapping) else library.load(str(name)))
        except Refused:
            yield None
        else:
            yield from callable_tools(within, library, within.actions, met | {str(name)})


def need_notebook(tools: Collection[str | None]) -> bool:
    """Whether they may need what a notebook has: its names, or tools of its own."""
    return PYTHON in tools or not {*tools} <= builtin_tools().keys()


def _calls(workflow: Definition, left: Collection[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All that may be called, each tool with its parameters."""
    for name, work in workflow.actions.items():
        if work.is_group:
            continue
        calls: tuple[Work | Fallback, ...] = (work, *work.on_error)
        for call in calls:
            # What a run within did is undone by its own compensations.
            if call.tool and (name in left or call.tool == NESTED):
                yield call.tool, call.params
            if call.compensation:
                yield call.compensation.tool, call.compensation.params
