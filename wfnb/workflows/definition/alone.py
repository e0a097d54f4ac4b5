"""a workflow, one of its actions -> a workflow of that action alone, and what it has to be given.

What leads to the action and away from it is left out, and `when`: whoever asks for it wants it
called. What it names of other actions becomes variables: `{look.stdout}` reads in `look`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .condition import expressions
from .expression import expression_names
from .impossible_conditions import ANY_RESULT, of_call, of_fallbacks, of_retry
from .models import StatesWorkflow, Work, Workflow
from .names import WORKFLOW
from .reader import Definition, parse
from .scope import NamesInScope
from .template import names

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
    used = dict.fromkeys(
        (*named, each) for each, work in bare.actions.items() for named in _names(work, verbatim)
    )
    own = [name for name, *_ in used if name.partition(".")[0] in workflow.variables]
    declared = dict.fromkeys(name.partition(".")[0] for name in own)
    given = [
        name
        for name, ended, each in used
        if name not in own
        and (unknown := scope.unknown(name, each, ended)) is not None
        and unknown.surely
    ]
    # Who gives `look.result` has given `look.result.rows` with it.
    given = [name for name in given if not any(name.startswith(f"{each}.") for each in given)]
    variables = {name: workflow.data["variables"][name] for name in declared}
    variables |= {name.partition(".")[0]: {"description": "of another action"} for name in given}
    return Alone(
        workflow=parse(_data(workflow, action, variables)),
        variables=tuple(declared),
        results=tuple(given),
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


def _names(work: Work, verbatim: Mapping[str, Collection[str]]) -> Iterator[tuple[str, bool]]:
    """What an action names, and whether it has ended then."""
    undo = work.compensation
    # A compensation and a fallback come after the call, so they may name what it gave.
    calls = (work, *((undo,) if undo else ()), *work.on_error)
    for call in calls:
        for _, name in names(call.params, verbatim.get(call.tool or "", ())):
            yield name, call is not work
    for fallback in work.on_error:
        yield from ((name, True) for _, name in names(fallback.result or {}))
        if fallback.compensation is not None:
            yield from ((name, True) for _, name in names(fallback.compensation.params))
    yield from ((name, False) for name in work.names_before)
    asked = [*of_call(work, ()), *of_fallbacks(work, ())]
    asked += [] if undo is None else of_retry(undo.retry, ())
    for condition, _ in asked:
        for text in expressions(condition):
            for name in expression_names(text):
                if name.partition(".")[0] not in (*ANY_RESULT, "attempt"):
                    yield name, True
