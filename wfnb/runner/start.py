"""a definition or a name, variables -> a run that has begun, or a refusal; nothing is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.core.record import record
from wfnb.core.runs.apply import begun as the_run
from wfnb.core.runs.decide import named
from wfnb.core.runs.events import RunStarted
from wfnb.core.runs.run import Run
from wfnb.errors import BadValue, ToolUnknown, WorkflowInvalid, WorkflowSource
from wfnb.library.workflows import WorkflowLibrary
from wfnb.process import process
from wfnb.runs import RunLog
from wfnb.tools.registry import Registry
from wfnb.workflow.check import ToolFacts, check
from wfnb.workflow.given import missing_or_wrong
from wfnb.workflow.known import NESTED
from wfnb.workflow.models import Workflow
from wfnb.workflow.problem import Problem
from wfnb.workflow.read import Definition, parse, to_data
from wfnb.workflow.template import HIDDEN

from .surroundings import Surroundings

UNSEEN = "{unseen}"
"""Stands for a value that is not looked at, lest a problem should tell it."""


@record
class Checked:
    """A workflow that may run: with these variables, within these limits, and these doubts."""

    workflow: Definition
    variables: Mapping[str, Any]
    secrets: Mapping[str, Any]
    max_states: int
    timeout: float
    warnings: tuple[Problem, ...] = ()


def read(library: WorkflowLibrary, definition: Any, name: str | None) -> Definition:
    """The workflow that is meant: exactly one of a definition and a saved one's name.
    Raises WorkflowInvalid, WorkflowUnknown, WorkflowSource."""
    if definition is None and name is None:
        raise WorkflowSource("Either 'workflow_definition' or 'workflow_name' must be provided")
    if definition is not None and name is not None:
        raise WorkflowSource("Provide either 'workflow_definition' OR 'workflow_name', not both")
    if isinstance(definition, Workflow):  # made in Python it may be what no text could say
        return parse(to_data(definition))
    return parse(library.load(str(name)) if definition is None else definition)


def checked(
    around: Surroundings,
    workflow: Definition,
    variables: Mapping[str, Any],
    secrets: Mapping[str, Any],
    max_states: int | None = None,
    timeout: float | None = None,
) -> Checked:
    """Everything that can be known before a run. Raises WorkflowInvalid with all that is
    wrong, BadValue."""
    named((*variables, *secrets))
    given = {**_defaults(workflow), **variables}
    hidden = {name for name, spec in workflow.variables.items() if spec.secret} | set(secrets)
    found = check(
        workflow,
        facts(around.tools, workflow),
        {**given, **dict.fromkeys(secrets, UNSEEN)},
        known=around.library.names(examples=True) if NESTED in tools_of(workflow) else (),
    )
    if found.problems:
        raise WorkflowInvalid(tuple(found.problems))
    kept = {name: str(given[name]) for name in hidden if name in given} | dict(secrets)
    return Checked(
        workflow=workflow,
        variables={name: value for name, value in given.items() if name not in hidden},
        secrets=kept,
        max_states=_within("max_states", max_states, 1, 1000, workflow.max_states, int),
        timeout=_within("timeout", timeout, 1, 7200, workflow.timeout),
        warnings=tuple(found.warnings),
    )


def checked_again(
    run: Run, variables: Mapping[str, Any], secrets: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """New values for a run that is to go on, and its secrets, which may stand among the values.
    Raises WorkflowInvalid, BadValue."""
    named((*variables, *secrets))
    declared = run.workflow.variables
    hidden = {*run.secrets, *(name for name, spec in declared.items() if spec.secret)}
    own = {name: str(value) for name, value in variables.items() if name in hidden} | dict(secrets)
    given = {name: value for name, value in variables.items() if name not in own}
    values = {**run.initial, **given, **dict.fromkeys((*run.secrets, *own), UNSEEN)}
    problems = tuple(missing_or_wrong(declared, values))
    if problems:
        raise WorkflowInvalid(problems)
    return given, own


def texts(secrets: Mapping[str, Any]) -> dict[str, str]:
    """Secrets as they may be given. Raises BadValue, which does not tell them."""
    for name, value in secrets.items():
        if not isinstance(value, str) or not value:
            raise BadValue(f"secret {name!r}", HIDDEN, "a text that is not empty")
    return dict(secrets)


def begun(
    around: Surroundings,
    what: Checked,
    *,
    step: int | None = None,
    depth: int = 0,
    parent: int | None = None,
    caller: int | None = None,
) -> RunLog:
    """Record that it starts."""
    here = process()
    started = RunStarted(
        workflow=to_data(what.workflow),
        variables=what.variables,
        secrets=tuple(sorted(what.secrets)),
        max_states=what.max_states,
        timeout=what.timeout,
        depth=depth,
        caller=caller,
        process=here,
    )
    name = what.workflow.name or "workflow"
    info, recorded = around.journal.begin_run(
        around.session, name, [started], step=step, parent=parent, process=here
    )
    return RunLog(around.journal, info, the_run(recorded[0], what.workflow))


def facts(tools: Registry, workflow: Definition) -> dict[str, ToolFacts]:
    """What a check has to know of the tools that a workflow names, and of all others' names."""
    found = {}
    for name in dict.fromkeys((*tools_of(workflow), *tools.names())):
        try:
            tool = tools.get(name)
        except ToolUnknown:
            continue
        found[name] = ToolFacts(parameters=tool.parameters, results=tool.results)
    return found


def tools_of(workflow: Definition) -> list[str]:
    """The tools that a workflow calls, compensations included."""
    works = workflow.actions.values()
    undoing = {work.compensation.tool for work in works if work.compensation}
    return sorted({work.tool for work in works} | undoing)


def _defaults(workflow: Definition) -> dict[str, Any]:
    return {name: spec.default for name, spec in workflow.variables.items() if not spec.required}


def _within(
    field: str, given: object, low: float, high: float, default: Any, kind: Any = int | float
) -> Any:
    if given is None:
        return default
    if isinstance(given, bool) or not isinstance(given, kind) or not low <= given <= high:
        number = "a whole number" if kind is int else "a number"
        raise BadValue(field, str(given)[:80], f"{number} from {low} to {high}")
    return given
