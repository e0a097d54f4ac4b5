"""a workflow, tools, variables, saved names -> everything that can be known before a run.

What keeps it from running is a problem; what is only odd is a warning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from wfnb.errors import WorkflowInvalid, listing, nearest

from .fit import misfits
from .given import missing_or_wrong, told
from .known import NESTED, Known
from .models import StatesWorkflow, Workflow
from .paths import odd
from .problem import Problem, at, within
from .read import Definition, parse, to_data
from .references import references
from .template import DEFINITION, has_placeholder, names

__all__ = ["DEEPEST", "MOST", "Findings", "Problem", "ToolFacts", "check"]

DEEPEST = 5
"""Runs within runs."""
MOST = 100
"""Problems, and warnings, that are said at most."""

Path = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """What a check has to know of a tool: the JSON Schema of its parameters, and the names of the
    fields of its result (None: they cannot be known)."""

    parameters: Mapping[str, Any]
    results: tuple[str, ...] | None = None


class Findings(NamedTuple):
    """What keeps a workflow from running, and what is odd about it."""

    problems: list[Problem]
    warnings: list[Problem]


def check(
    workflow: Workflow,
    tools: Mapping[str, ToolFacts],
    variables: Mapping[str, Any] | None = None,
    known: Collection[str] = (),
) -> Findings:
    """Check a workflow that is to start with `variables` (by name), against all `tools` there are
    and the names of the saved workflows."""
    return _check(workflow, tools, variables or {}, known, 0)


def _check(
    workflow: Workflow,
    tools: Mapping[str, ToolFacts],
    variables: Mapping[str, Any],
    saved: Collection[str],
    depth: int,
) -> Findings:
    broken = references(to_data(workflow))
    if broken or not isinstance(workflow, Definition):
        return Findings(broken, [])
    checks = _Checks(workflow, tools, variables, saved, depth)
    checks.all()
    return Findings(checks.problems, checks.warnings)


class _Checks:
    """One pass over a workflow, and what it found."""

    def __init__(
        self,
        workflow: Definition,
        tools: Mapping[str, ToolFacts],
        variables: Mapping[str, Any],
        saved: Collection[str],
        depth: int,
    ) -> None:
        self.workflow, self.tools, self.variables = workflow, tools, variables
        self.saved, self.depth = saved, depth
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        results = {name: facts.results for name, facts in tools.items()}
        self.known = Known(workflow, results, variables)

    def all(self) -> None:
        self._add(missing_or_wrong(self.workflow.variables, self.variables))
        self._warn(told(self.workflow.variables))
        for place, (name, work) in zip(
            _places(self.workflow), self.workflow.actions.items(), strict=True
        ):
            if len(self.problems) >= MOST:
                return
            self._call(work.tool, work.params, place.tool, place.params, name, undoing=False)
            undo = work.compensation
            if undo is not None:
                path = (*place.work, "compensation")
                self._call(
                    undo.tool, undo.params, (*path, "tool"), (*path, "params"), name, undoing=True
                )
        self._warn(odd(self.workflow))

    def _add(self, found: Iterable[Problem]) -> None:
        for problem in found:
            if len(self.problems) < MOST:
                self.problems.append(problem)

    def _warn(self, found: Iterable[Problem]) -> None:
        for problem in found:
            if len(self.warnings) < MOST:
                self.warnings.append(problem)

    def _call(
        self,
        tool: str,
        params: Mapping[str, Any],
        tool_path: Path,
        path: Path,
        action: str,
        undoing: bool,
    ) -> None:
        facts = self.tools.get(tool)
        if facts is None:
            self._add([_no_tool(tool, tool_path, self.tools)])
        else:
            self._add(misfits(params, facts.parameters, path))
        self._names(params, path, action, undoing)
        if tool == NESTED:
            self._nested(params, path, action)

    def _names(self, params: Mapping[str, Any], path: Path, action: str, undoing: bool) -> None:
        for place, name in names(params):
            unknown = self.known.unknown(name, action, undoing)
            if unknown is not None:
                where = f"{at(path)}.{place}"
                problem = Problem(where, "names", f"{{{name}}} in {where} {unknown.message}")
                if unknown.surely:
                    self._add([problem])
                else:
                    self._warn([problem])

    def _nested(self, params: Mapping[str, Any], path: Path, action: str) -> None:
        name, definition = params.get("workflow_name"), params.get(DEFINITION)
        if name is None and definition is None:
            message = f"Either '{DEFINITION}' or 'workflow_name' must be provided"
            self._add([Problem(at(path), "oneOf", message)])
        elif name is not None and definition is not None:
            message = f"Provide either '{DEFINITION}' OR 'workflow_name', not both"
            self._add([Problem(at(path), "oneOf", message)])
        elif isinstance(name, str) and not has_placeholder(name):
            place = at((*path, "workflow_name"))
            if name not in self.saved:
                message = f"Workflow '{name}' not found. Available: {sorted(self.saved)}"
                self._add([Problem(place, "workflows", message)])
            elif name == self.workflow.name and self._always(action):
                message = f"The workflow calls itself in {place} whatever happens, so it never ends"
                self._warn([Problem(place, "recursion", message)])
        elif isinstance(definition, Mapping):
            self._written_out(definition, params, (*path, DEFINITION))

    def _written_out(
        self, definition: Mapping[str, Any], params: Mapping[str, Any], path: Path
    ) -> None:
        place = at(path)
        if self.depth + 1 > DEEPEST:
            message = f"{place} is a run {self.depth + 1} deep; {DEEPEST} is the deepest"
            self._add([Problem(place, "depth", message)])
            return
        try:
            workflow = parse(definition)
        except WorkflowInvalid as error:
            self._add(within(place, p) for p in error.problems if isinstance(p, Problem))
            return
        given = params.get("initial_variables", {})
        if not isinstance(given, Mapping):  # one placeholder: what is in it is not known
            given = dict.fromkeys(workflow.variables, "{unknown}")
        found = _check(workflow, self.tools, given, self.saved, self.depth + 1)
        self._add(within(place, problem) for problem in found.problems)
        self._warn(within(place, warning) for warning in found.warnings)

    def _always(self, action: str) -> bool:
        """Whether every run comes to an action."""
        if isinstance(self.workflow, StatesWorkflow):
            return action == self.workflow.initial_state
        return True


class _Place(NamedTuple):
    """Where an action, its tool and its parameters stand in the definition."""

    work: Path
    tool: Path
    params: Path


def _places(workflow: Definition) -> Iterator[_Place]:
    if isinstance(workflow, StatesWorkflow):
        for name in workflow.states:
            work: Path = ("states", name)
            yield _Place(work, (*work, "action", "tool"), (*work, "action", "params"))
    else:
        for n in range(len(workflow.steps)):
            work = ("steps", n)
            yield _Place(work, (*work, "tool"), (*work, "args"))


def _no_tool(tool: str, path: Path, tools: Collection[str]) -> Problem:
    near = nearest(tool, tuple(tools))
    message = (
        f"{at(path)} is {tool!r}, which is no tool. {near}Tools: {listing(sorted(tools), 'none')}"
    )
    return Problem(at(path), "tools", message)
