"""a workflow, one of its actions -> a workflow of that action alone, and what it has to be given.

What leads to the action and away from it is left out, and `when`: whoever asks for it wants it
called. What it names of other actions becomes variables: `{look.stdout}` reads in `look`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from .models import StatesWorkflow, Workflow
from .name_rules import WORKFLOW
from .reader import Definition, parse
from .scope import NamesInScope
from .used_names import used_names

ALONE = "-alone"
"""How the name of such a workflow ends: its runs are told from those of the whole."""
_LEFT_OUT = ("transitions", "on_timeout", "needs", "on_failure", "when", "always")
_WHOLE = ("initial_state", "states", "steps", "mode", "max_parallel", "outputs", "variables")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """`variables` are those of the workflow that the action names, `results` the names of what
    other actions gave: `look.stdout`."""

    workflow: Definition
    variables: tuple[str, ...]
    results: tuple[str, ...]


def alone(
    workflow: Definition,
    action: str,
    results: Mapping[str, tuple[str, ...] | None],
    verbatim: Mapping[str, Collection[str]] = {},
) -> Alone:
    """`results`: for each tool the fields of its result; `verbatim`: its parameters that are
    programs."""
    # First without variables: only of what is left of the workflow can be said which names lack.
    bare = parse(_data(workflow, action, {}))
    scope = NamesInScope(bare, results, {})
    used = list(used_names(bare, verbatim))
    declared = dict.fromkeys(each.first for each in used if each.first in workflow.variables)
    given = dict.fromkeys(
        each.name
        for each in used
        if each.first not in declared
        and (unknown := scope.unknown(each.name, each.action, each.ended, each.whole)) is not None
        and unknown.surely
    )
    # Who gives `look.result` has given `look.result.rows` with it.
    named = [n for n in given if not any(n.startswith(f"{each}.") for each in given)]
    variables = {name: workflow.data["variables"][name] for name in declared}
    variables |= {name.partition(".")[0]: {"description": "of another action"} for name in named}
    return Alone(
        workflow=parse(_data(workflow, action, variables)),
        variables=tuple(declared),
        results=tuple(named),
    )


def is_alone(workflow: Workflow) -> str | None:
    """The action that a workflow is of, where it was made of one alone."""
    (first, *others) = workflow.states if isinstance(workflow, StatesWorkflow) else workflow.actions
    return first if (workflow.name or "").endswith(ALONE) and not others else None


def _data(workflow: Definition, action: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    work = dict(_work(workflow, action))
    for key in _LEFT_OUT:
        work.pop(key, None)
    head = {key: value for key, value in workflow.data.items() if key not in _WHOLE}
    head |= {"name": _name(workflow, action), "variables": dict(variables)}
    head["description"] = f"{action} of {workflow.name or 'a workflow'}, alone"
    if isinstance(workflow, StatesWorkflow) and action in workflow.states:
        return head | {"initial_state": action, "states": {action: work}}
    return head | {"steps": [work]}


def _work(workflow: Definition, action: str) -> Mapping[str, Any]:
    steps: Mapping[str, Any] = workflow.data
    ids = [*workflow.actions]
    if isinstance(workflow, StatesWorkflow):
        steps = workflow.data["states"][workflow.state_of(action)]
        if action in workflow.states:
            return steps
        ids = [*workflow.group_of(workflow.state_of(action))]
    return {"id": action, **steps["steps"][ids.index(action)]}


def _name(workflow: Definition, action: str) -> str:
    said = f"{workflow.name or 'workflow'}-{action}{ALONE}"
    # Both names may together be longer than a name can be.
    return said if WORKFLOW.lacks(said) is None else f"action{ALONE}"
