"""a definition or a name, variables -> a run that has begun, or a refusal; nothing is called."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from wfnb.author_context import AUTHOR
from wfnb.errors import BadValue, Refused, ToolUnknown, WorkflowInvalid, WorkflowSource
from wfnb.frozen_record import record
from wfnb.process_identity import process
from wfnb.redaction import HIDDEN, MIN_LENGTH
from wfnb.workflows.core.apply import initial_run as the_run
from wfnb.workflows.core.decide import check_variable_names
from wfnb.workflows.core.events import RunStarted
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.check import ToolFacts, check, of_calls
from wfnb.workflows.definition.json_equality import indistinguishable, same
from wfnb.workflows.definition.models import Fallback, Work, Workflow
from wfnb.workflows.definition.problem import Problem, with_ids
from wfnb.workflows.definition.reader import Definition, content_hash, parse
from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.definition.template import UnfilledValue
from wfnb.workflows.definition.truncation import marks_of
from wfnb.workflows.definition.used_names import unused_value_warnings
from wfnb.workflows.definition.variable_values import defaults, missing_or_wrong
from wfnb.workflows.library.versions import AT
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.tools.registry import REGISTRY, Registry

from .run_context import RunContext

_SURROGATE = re.compile("[\ud800-\udfff]")
UNSEEN = UnfilledValue("{unseen}")
"""Stands for a value that is not looked at, lest a problem should tell it."""


@record
class CheckedWorkflow:
    """A workflow that may run: with these variables, within these limits, and these doubts."""

    workflow: Definition
    variables: Mapping[str, Any]
    secrets: Mapping[str, Any]
    max_states: int
    timeout: float
    warnings: tuple[Problem, ...] = ()
    saved: str | None = None
    """The name under which the library had it."""


def read(
    library: WorkflowLibrary, definition: Any, name: str | None, tools: Registry = REGISTRY
) -> Definition:
    """The workflow that is meant: exactly one of a definition and a saved one's name. Raises
    WorkflowInvalid with what is wrong, of its calls too, WorkflowUnknown, WorkflowSource."""
    if definition is None and name is None:
        raise WorkflowSource("Either 'workflow_definition' or 'workflow_name' must be provided")
    if definition is not None and name is not None:
        raise WorkflowSource("Provide either 'workflow_definition' OR 'workflow_name', not both")
    if isinstance(definition, Workflow):  # made in Python it may be what no text could say
        return parse(definition.data)
    data = library.load(str(name)) if definition is None else definition
    try:
        return parse(data)
    except WorkflowInvalid as invalid:
        # The models stop before the calls are looked at. A person mends all at once, not in two
        # rounds.
        said = {problem.path for problem in invalid.problems if isinstance(problem, Problem)}
        more = with_ids(of_calls(data, facts(tools, ())), data)
        raise WorkflowInvalid(
            (*invalid.problems, *(problem for problem in more if problem.path not in said))
        ) from None


class Known(Protocol):
    """What a definition may name."""

    @property
    def tools(self) -> Registry: ...
    @property
    def library(self) -> WorkflowLibrary: ...


def check_definition(around: Known, workflow: Definition) -> CheckedWorkflow:
    """As `check_workflow`, where what a run has to be given needs no value yet."""
    # A value has to stand there, or each use of the variable would be reported as missing.
    later = {name: UNSEEN for name, spec in workflow.variables.items() if spec.is_required}
    return check_workflow(around, workflow, later, {})


def check_workflow(
    around: Known,
    workflow: Definition,
    variables: Mapping[str, Any],
    secrets: Mapping[str, Any],
    max_states: int | None = None,
    timeout: float | None = None,
    known: Mapping[str, Any] = {},
    ran: Mapping[str, Any] = {},
) -> CheckedWorkflow:
    """Everything that can be known before a run; `known` are variables that it has already, `ran`
    is the scope of one that goes on. Raises WorkflowInvalid with all that is wrong, BadValue."""
    check_variable_names((*variables, *secrets))
    given = {**defaults(workflow.variables), **known, **variables}
    hidden = {name for name, spec in workflow.variables.items() if spec.secret} | set(secrets)
    nested = NESTED in tools_of(workflow)
    limit = _value_in_range("max_states", max_states, 1, 1000, workflow.max_states, int)
    found = check(
        workflow.model_copy(update={"max_states": limit}),  # a warning names it
        facts(around.tools, tools_of(workflow)),
        {**given, **dict.fromkeys(secrets, UNSEEN)},
        # Listing the library reads its folder: only workflows that call others pay for it.
        known=_saved_names(around.library, workflow) if nested else (),
        ran=ran,
        itself=nested and _is_saved(around.library, workflow),
        load=around.library.load,
    )
    if found.problems:
        raise WorkflowInvalid(tuple(found.problems))
    declared = {name: given[name] for name in hidden if name in given and name not in secrets}
    kept = _secret_texts(declared) | dict(secrets)
    return CheckedWorkflow(
        workflow=workflow,
        variables={name: value for name, value in given.items() if name not in hidden},
        secrets=kept,
        max_states=limit,
        timeout=_value_in_range("timeout", timeout, 1, 7200, workflow.timeout),
        warnings=(
            *found.warnings,
            *unused_value_warnings(workflow, variables, programs(around.tools, workflow)),
        ),
    )


def checked_again(
    around: RunContext,
    run: Run,
    mended: Definition | None,
    variables: Mapping[str, Any],
    secrets: Mapping[str, Any],
) -> CheckedWorkflow:
    """A run that is to go on, with another definition perhaps: its new variables, and its secrets,
    which may stand among those that are given. Raises WorkflowInvalid, BadValue, ToolUnknown."""
    check_variable_names((*variables, *secrets))
    workflow = mended or run.workflow
    declared = workflow.variables
    hidden = {*run.secrets, *(name for name, spec in declared.items() if spec.secret)}
    own = _secret_texts({n: value for n, value in variables.items() if n in hidden}, run.secrets)
    own |= secrets
    given = {name: value for name, value in variables.items() if name not in own}
    if mended is not None:
        fresh = _fresh(run, mended)
        known = {**run.initial, **fresh}
        what = check_workflow(around, mended, given, own, known=known, ran=run.scope)
        new = {name: value for name, value in fresh.items() if name in what.variables}
        return replace(what, variables=new | given)
    for tool in tools_of(workflow):
        around.tools.get(tool)
    # The definition was checked when the run began: only what is given now can be wrong.
    values = {**run.initial, **given, **dict.fromkeys((*run.secrets, *own), UNSEEN)}
    problems = tuple(missing_or_wrong(declared, values))
    if problems:
        raise WorkflowInvalid(problems)
    return CheckedWorkflow(
        workflow=workflow,
        variables=given,
        secrets=own,
        max_states=run.max_states,
        timeout=run.timeout,
        warnings=tuple(unused_value_warnings(workflow, given, programs(around.tools, workflow))),
    )


def _fresh(run: Run, mended: Definition) -> dict[str, Any]:
    """Defaults of a new definition that count: of variables that the run does not have, or has as
    the default of the old one. What its actions gave it is newer than any default."""
    before, learned = defaults(run.workflow.variables), {*run.standard, *run.specific}
    return {
        name: value
        for name, value in defaults(mended.variables).items()
        if name not in learned
        and (
            name not in run.initial
            or (
                name in before
                and same(run.initial[name], before[name])
                and not indistinguishable(value, before[name])
            )
        )
    }


def checked_secrets(secrets: Mapping[str, Any], before: Collection[str] = ()) -> dict[str, str]:
    """Secrets as they may be given: one that is shorter is hidden wherever the same letters stand
    by chance, and with it what the run did. A run that goes on may have begun with shorter ones,
    of the names `before`, when they were taken. Raises BadValue, which does not tell them."""
    for name, value in secrets.items():
        if not isinstance(value, str) or len(value) < (1 if name in before else MIN_LENGTH):
            raise BadValue(f"secret {name!r}", HIDDEN, f"a text of {MIN_LENGTH} characters or more")
    return dict(secrets)


def _secret_texts(values: Mapping[str, Any], before: Collection[str] = ()) -> dict[str, Any]:
    """Secrets among the variables; one that is empty is none, and hides nothing."""
    said = {name: str(value) for name, value in values.items()}
    return said | checked_secrets({name: value for name, value in said.items() if value}, before)


def _saved_names(library: WorkflowLibrary, workflow: Definition) -> tuple[str, ...]:
    """The names of the saved workflows, and of those versions of them that this one calls."""
    called = dict.fromkeys(_versions(workflow.data))
    return (*library.names(examples=True), *(name for name in called if _loads(library, name)))


def _is_saved(library: WorkflowLibrary, workflow: Definition) -> bool:
    """Whether what is saved under a workflow's name is this very workflow."""
    if workflow.name is None:
        return False
    try:
        saved = parse(library.load(workflow.name))
    except Refused:
        return False
    return content_hash(saved) == content_hash(workflow)


def _versions(data: Any) -> Iterator[str]:
    match data:
        case Mapping():
            name = data.get("workflow_name")
            if isinstance(name, str) and AT in name:
                yield name
            for item in data.values():
                yield from _versions(item)
        case list() | tuple():
            for item in data:
                yield from _versions(item)


def _loads(library: WorkflowLibrary, name: str) -> bool:
    try:
        library.load(name)
    except Refused:
        return False
    return True


def record_start(
    around: RunContext,
    what: CheckedWorkflow,
    *,
    step: int | None = None,
    depth: int = 0,
    parent: int | None = None,
    caller: int | None = None,
    origin: tuple[str, ...] = (),
    key: str | None = None,
) -> RunLog:
    """Record that it starts."""
    here = process()
    base, folder = os.path.abspath(around.home.parent), os.path.abspath(around.folder)
    # A project that is moved with its `.wfnb` goes on.
    if folder == base or folder.startswith(base + os.sep):
        folder = os.path.relpath(folder, base)
    started = RunStarted(
        workflow=what.workflow.data,
        variables=what.variables,
        secrets=tuple(sorted(what.secrets)),
        max_states=what.max_states,
        timeout=what.timeout,
        depth=depth,
        caller=caller,
        process=here,
        origin=origin,
        # Bytes that are no UTF-8 are surrogates here, which no journal takes.
        folder=folder if _SURROGATE.search(folder) is None else None,
        cut=marks_of(variables=dict(what.variables)),
        key=key,
        by=AUTHOR.get(),
    )
    name = what.workflow.name or "workflow"
    info, recorded = around.journal.begin_run(
        around.session, name, [started], step=step, parent=parent, process=here
    )
    return RunLog(around.journal, info, the_run(recorded[0], what.workflow))


def facts(tools: Registry, named: Iterable[str]) -> dict[str, ToolFacts]:
    """What a check has to know of the tools that a workflow names, and of all others."""
    found = {}
    for name in dict.fromkeys((*named, *tools.names())):
        try:
            tool = tools.get(name)
        except ToolUnknown:
            continue
        found[name] = ToolFacts(
            parameters=tool.parameters,
            results=tool.results,
            failures=tool.failures,
            kinds=tool.kinds,
            opaque=tool.opaque,
            objects=tool.objects,
            joint=tool.joint,
        )
    return found


def programs(tools: Registry, workflow: Definition) -> dict[str, frozenset[str]]:
    """For each tool that a workflow calls the parameters that hold a program."""
    return {name: fact.verbatim for name, fact in facts(tools, tools_of(workflow)).items()}


def tools_of(workflow: Definition) -> list[str]:
    """The tools that a workflow calls, fallbacks and compensations included."""
    calls: list[Work | Fallback] = []
    for work in workflow.actions.values():
        calls += () if work.is_group else (work, *work.on_error)
    undoing = {call.compensation.tool for call in calls if call.compensation}
    return sorted({call.tool for call in calls if call.tool} | undoing)


def _value_in_range(
    field: str, given: object, low: float, high: float, default: Any, kind: Any = int | float
) -> Any:
    if given is None:
        return default
    # bool is an int for Python: `max_states: true` would be 1.
    if isinstance(given, bool) or not isinstance(given, kind) or not low <= given <= high:
        number = "a whole number" if kind is int else "a number"
        raise BadValue(field, str(given)[:80], f"{number} from {low} to {high}")
    return given
