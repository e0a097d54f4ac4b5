"""a workflow, tools, variables, saved names -> everything that can be known before a run.

What keeps it from running is a problem; what is only odd is a warning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from wfnb.errors import WorkflowInvalid, WorkflowUnknown, listing, nearest

from .asked import ASK, unaskable
from .document import foreign
from .fit import misfits
from .given import missing_or_wrong
from .given import told as tell_tale
from .known import NESTED, Known
from .models import StatesWorkflow, Workflow
from .paths import odd
from .problem import Problem, at, told, within
from .read import Definition, parse, to_data
from .references import references
from .template import DEFINITION, has_placeholder, names

__all__ = ["DEEPEST", "MOST", "Findings", "Problem", "ToolFacts", "check"]

DEEPEST = 5
"""Runs within runs."""
MOST = 100
"""Problems, and warnings, that are said at most."""

_TOOLS = "tools"

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
    ran: Mapping[str, Any] = {},
) -> Findings:
    """Check a workflow that is to start with `variables` (by name), against all `tools` there are
    and the names of the saved workflows. `ran`: the scope of a run that is to go on with it."""
    return _check(workflow, tools, variables or {}, known, 0, ran)


def _check(
    workflow: Workflow,
    tools: Mapping[str, ToolFacts],
    variables: Mapping[str, Any],
    saved: Collection[str],
    depth: int,
    ran: Mapping[str, Any] = {},
) -> Findings:
    data = to_data(workflow)
    broken = references(data)
    if broken or not isinstance(workflow, Definition):
        return Findings(list(told(broken, data)), [])
    checks = _Checks(workflow, tools, variables, saved, depth, ran)
    checks.all()
    return Findings(list(told(checks.problems, data)), list(told(checks.warnings, data)))


def of_calls(data: Any, tools: Mapping[str, ToolFacts]) -> Iterator[Problem]:
    """Of data that is no workflow: what is wrong with its calls all the same, as far as they are
    written as they should be. Names in them are not looked at: what comes before what is unknown.
    """
    if not isinstance(data, Mapping) or foreign(data):
        return
    listed = False
    for path, call in _calls(data):
        tool = call.get("tool")
        if not isinstance(tool, str) or not tool:
            continue
        if tool not in tools:
            yield _no_tool(tool, (*path, "tool"), tools, listed)
            listed = True
            continue
        key = "params" if "params" in call else "args"
        params = call.get(key, {})
        if isinstance(params, Mapping):
            yield from misfits(params, tools[tool].parameters, (*path, key))


def _calls(data: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The calls that stand in a definition, each with its place."""
    states, steps = data.get("states"), data.get("steps")
    works: list[tuple[Path, Any]] = []
    if isinstance(states, Mapping):
        works += [(("states", name), state) for name, state in states.items()]
    if isinstance(steps, list | tuple):
        works += [(("steps", n), step) for n, step in enumerate(steps)]
    for path, work in works[:MOST]:
        if isinstance(work, Mapping):
            for key in ("action", "compensation"):
                if isinstance(work.get(key), Mapping):
                    yield (*path, key), work[key]
            yield path, work


class _Checks:
    """One pass over a workflow, and what it found."""

    def __init__(
        self,
        workflow: Definition,
        tools: Mapping[str, ToolFacts],
        variables: Mapping[str, Any],
        saved: Collection[str],
        depth: int,
        ran: Mapping[str, Any],
    ) -> None:
        self.workflow, self.tools, self.variables = workflow, tools, variables
        self.saved, self.depth, self.ran = saved, depth, ran
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    @cached_property
    def known(self) -> Known:
        """Worked out for the first placeholder; many workflows have none."""
        results = {name: facts.results for name, facts in self.tools.items()}
        return Known(self.workflow, results, self.variables, self.ran)

    def all(self) -> None:
        declared, nested = self.workflow.variables, self.depth > 0
        self._add(missing_or_wrong(declared, self.variables, nested))
        self._warn(tell_tale(self.workflow.variables))
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
            listed = any(problem.rule == _TOOLS for problem in self.problems)
            self._add([_no_tool(tool, tool_path, self.tools, listed)])
        else:
            self._add(misfits(params, facts.parameters, path))
        self._names(params, path, action, undoing)
        if tool == ASK:
            self._add(unaskable(params, path))
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
                unknown = WorkflowUnknown(name, tuple(sorted(self.saved)))
                self._add([Problem(place, "workflows", str(unknown))])
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


def _no_tool(tool: str, path: Path, tools: Collection[str], listed: bool) -> Problem:
    """`listed`: another problem has said already which tools there are."""
    near = nearest(tool, tuple(tools))
    there_are = "" if listed else f"Tools: {listing(sorted(tools), 'none')}"
    said = f"{at(path)} is {tool!r}, which is no tool. {near}{there_are}"
    return Problem(at(path), _TOOLS, said.rstrip(" ."))
