"""a workflow, tools, variables, saved names -> everything that can be known before a run.

What keeps it from running is a problem; what is only odd is a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

from wfnb.errors import (
    BadOutput,
    ExpressionFailed,
    ItemsTooMany,
    Refused,
    ValuePrinted,
    WorkflowInvalid,
    WorkflowUnknown,
    listing,
    nearest,
)

from .absent_fields import ANY_RESULT
from .condition import Condition, expressions
from .constant_comparisons import NOTHING_KNOWN, WHOLE, Kind, Kinds, constant_comparisons
from .dangling_references import references
from .expression import expression_holds, expression_names, normalized_names
from .for_each import MAX_ITEMS, OWN, RESULTS, ForEach, list_items
from .hidden_exit_codes import hidden_exit_codes
from .impossible_conditions import (
    impossible,
    of_end,
    of_fallbacks,
    of_repeat,
    of_retry,
    other_outcome,
)
from .json_limits import foreign
from .models import Fallback, StatesWorkflow, Work, Workflow
from .name_rules import STEP, normal_form, other_form
from .outputs import Output, output_values
from .problem import Problem, nest_problem, place_text, with_ids
from .question_parameters import ASK, known_choices, secrets_asked, unaskable
from .reachability import odd
from .reader import Definition, parse
from .schema_fit import misfits
from .scope import END, GROUP_RESULTS, NESTED, SKIPPED, NamesInScope, known_captures
from .shell_quoting import quoting_problems
from .template import (
    DEFINITION,
    UnfilledValue,
    has_placeholder,
    names,
    names_in_keys,
    placeholder,
)
from .variable import ABSENT
from .variable_values import missing_or_wrong, secret_warnings
from .verbatim_parameters import has_format, verbatim

__all__ = ["DEEPEST", "MAX_PROBLEMS", "CheckResult", "Problem", "ToolFacts", "check"]

DEEPEST = 5
"""Runs within runs."""
MAX_PROBLEMS = 100

_NUMBERS = frozenset({"integer", "number", "boolean"})
"""The kinds of which a shell reads one word."""
_TOOLS = "tools"
_ALL_SUCCESSES = (Condition(success=True), Condition(expression="success"))
"""Conditions that hold of every success."""

Path = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """What a check has to know of a tool: the JSON Schema of its parameters, and the names of the
    fields of its result (None: they cannot be known); `failures` are fields that only its failures
    may have, `kinds` say of fields what they hold, `opaque` are those of a type that JSON cannot
    hold, by its name; `objects` are parameters that take such values (None: all); `joint` says what
    is wrong with parameters together."""

    parameters: Mapping[str, Any]
    results: tuple[str, ...] | None = None
    failures: frozenset[str] = frozenset()
    kinds: Kinds = field(default_factory=dict)
    opaque: Mapping[str, str] = field(default_factory=dict)
    objects: frozenset[str] | None = None
    joint: Callable[[Mapping[str, Any]], str | None] | None = None

    @property
    def verbatim(self) -> frozenset[str]:
        return verbatim(self.parameters)


_SEVERAL = {**ANY_RESULT, **dict.fromkeys(GROUP_RESULTS, "integer")}
GROUP_FACTS = ToolFacts(parameters={}, results=GROUP_RESULTS, kinds=_SEVERAL)
"""What a group of steps gives."""


class CheckResult(NamedTuple):
    """What keeps a workflow from running, and what is odd about it."""

    problems: list[Problem]
    warnings: list[Problem]


def check(
    workflow: Workflow,
    tools: Mapping[str, ToolFacts],
    variables: Mapping[str, Any] | None = None,
    known: Collection[str] = (),
    ran: Mapping[str, Any] = {},
    itself: bool = True,
    load: Callable[[str], Any] | None = None,
) -> CheckResult:
    """Check a workflow that is to start with `variables` (by name), against all `tools` there are
    and the names of the saved workflows. `ran`: the scope of a run that is to go on with it.
    `itself`: what is saved under its name is this very workflow. `load` gives the definition of a
    saved one, or raises Refused: what it is called with is checked too."""
    return _check(workflow, tools, variables or {}, known, 0, ran, itself, load)


def _check(
    workflow: Workflow,
    tools: Mapping[str, ToolFacts],
    variables: Mapping[str, Any],
    saved: Collection[str],
    depth: int,
    ran: Mapping[str, Any] = {},
    itself: bool = False,
    load: Callable[[str], Any] | None = None,
    above: Collection[str] = (),
) -> CheckResult:
    data = workflow.data
    broken = references(data)
    # Names that lead nowhere first: the rest asks what comes before what, which a circle has no
    # answer to.
    if broken or not isinstance(workflow, Definition):
        return CheckResult(list(with_ids(broken, data)), [])
    checks = _Checks(workflow, tools, variables, saved, depth, ran, itself, load, above)
    checks.all()
    return CheckResult(list(with_ids(checks.problems, data)), list(with_ids(checks.warnings, data)))


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
    lists: list[tuple[Path, Any]] = [(("steps",), steps)]
    if isinstance(states, Mapping):
        works += [(("states", name), state) for name, state in states.items()]
        groups = ((path, state) for path, state in works if isinstance(state, Mapping))
        lists += [((*path, "steps"), state.get("steps")) for path, state in groups]
    for path, listed in lists:
        if isinstance(listed, list | tuple):
            works += [((*path, n), step) for n, step in enumerate(listed)]
    # Of data that may be anything, of any length; more problems than that are not said.
    for path, work in works[:MAX_PROBLEMS]:
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
        itself: bool,
        load: Callable[[str], Any] | None,
        above: Collection[str],
    ) -> None:
        self.workflow, self.tools, self.variables = workflow, tools, variables
        self.saved, self.depth, self.ran, self.itself = saved, depth, ran, itself
        self.load, self.above = load, above
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    @cached_property
    def names_in_scope(self) -> NamesInScope:
        """Worked out for the first placeholder; many workflows have none."""
        results = {name: facts.results for name, facts in self.tools.items()}
        failures = {name: facts.failures for name, facts in self.tools.items()}
        return NamesInScope(self.workflow, results, self.variables, self.ran, failures)

    def all(self) -> None:
        declared, nested = self.workflow.variables, self.depth > 0
        self._add(missing_or_wrong(declared, self.variables, nested))
        self._warn(secret_warnings(self.workflow.variables))
        for place, (name, work) in zip(
            _places(self.workflow), self.workflow.actions.items(), strict=True
        ):
            # Who has a hundred mends these first; a workflow of 5,000 bad steps would take long for
            # nothing.
            if len(self.problems) >= MAX_PROBLEMS:
                return
            if not work.is_group:
                self._call(work.tool, work.params, place.tool, place.params, name, undoing=False)
            undo = work.compensation
            if undo is not None:
                path = (*place.work, "compensation")
                self._call(
                    undo.tool, undo.params, (*path, "tool"), (*path, "params"), name, undoing=True
                )
                self._conditions(of_retry(undo.retry, path), undo.tool, name, succeeded=False)
            for n, fallback in enumerate(work.on_error):
                self._fallback(fallback, (*place.work, "on_error", n), name)
            self._conditions(of_fallbacks(work, place.work), work.tool, name, succeeded=False)
            self._conditions(of_retry(work.retry, place.work), work.tool, name, succeeded=False)
            self._conditions(of_repeat(work, place.work), work.tool, name, succeeded=True)
            self._conditions(of_end(work, place.work), work.tool, name, whole=True)
            self._captured_names(work, place.work)
            if work.when is not None:
                whole = not work.asks_each
                self._expression(work.when, (*place.work, "when"), name, whole=whole)
            if work.for_each is not None:
                self._items(work.for_each, (*place.work, "for_each"), name)
            if work.for_each is not None or work.on_error:
                self._add(secrets_asked(work, place.work))
        for output, spec in self.workflow.outputs.items():
            path = ("outputs", output, *(() if spec.is_short else ("value",)))
            self._expression(spec.value, path, END, answer=partial(_output, output, spec))
        self._warn(odd(self.workflow))

    def _add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if len(self.problems) < MAX_PROBLEMS:
                self.problems.append(problem)

    def _warn(self, warnings: Iterable[Problem]) -> None:
        for problem in warnings:
            if len(self.warnings) < MAX_PROBLEMS:
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
            # The names of all tools are said once: a tool that was not loaded is often called many
            # times.
            listed = any(problem.rule == _TOOLS for problem in self.problems)
            self._add([_no_tool(tool, tool_path, self.tools, listed)])
        else:
            wrong = tuple(misfits(params, facts.parameters, path))
            self._add(wrong)
            if facts.joint is not None and not wrong:
                self._joint(facts.joint, facts.verbatim, params, path)
        program = facts.verbatim if facts is not None else frozenset()
        self._names(params, program, path, action, undoing)
        if facts is not None and facts.objects is not None:
            self._opaque(params, program, facts.objects, path)
        if facts is not None:
            self._commands(params, facts.parameters, path)
        if tool == ASK:
            self._add(unaskable(params, path))
        if tool == NESTED:
            self._check_nested(params, path, action)

    def _fallback(self, fallback: Fallback, path: Path, action: str) -> None:
        """What is done instead of an action. It knows what that gave."""
        if fallback.result is not None:
            for name in {name.partition(".")[0] for _, name in names(fallback.result)}:
                if self._is_secret(name):
                    self._add([_secret(name, place_text((*path, "result")))])
            self._names(fallback.result, (), (*path, "result"), action, undoing=True)
        if fallback.tool is not None:
            params, undo = (*path, "args"), fallback.compensation
            self._call(
                fallback.tool, fallback.params, (*path, "tool"), params, action, undoing=True
            )
            if undo is not None:
                path = (*path, "compensation")
                into = (*path, "params")
                self._call(undo.tool, undo.params, (*path, "tool"), into, action, undoing=True)
                self._conditions(of_retry(undo.retry, path), undo.tool, action, succeeded=False)

    def _items(self, each: ForEach, path: Path, action: str) -> None:
        """What the items are made of, which is known before any of them begins."""
        for own in OWN:
            if own in self.workflow.variables:
                message = (
                    f"Variable '{own}' cannot be told from that of {place_text(path)}: rename it"
                )
                self._add([Problem(place_text(path), "names", message)])
        path = path if each.is_short else (*path, "items")
        if isinstance(each.items, str):
            self._expression(
                each.items,
                path,
                action,
                whole=True,
                answer=lambda _, values: list_items(each, values, ()),
            )
            return
        where = place_text(path)
        if len(each.items) > MAX_ITEMS:
            many = str(ItemsTooMany(len(each.items), MAX_ITEMS)).rstrip(".")
            self._add([Problem(where, "maxItems", f"{where}: {many}")])
        for name in each.names():
            # `item` in what the items are made of would be an item of a list that is not there yet.
            if self._is_of_items(name.partition(".")[0], action):
                message = f"{{{name}}} in {where} is known only when the items are"
                self._add([Problem(where, "names", message)])
            elif self._is_secret(name):
                self._add([_secret(name, where)])
            else:
                self._unknown(name, f"{{{name}}}", where, action, ended=False, whole=True)

    def _conditions(
        self,
        conditions: Iterable[tuple[Condition, Path]],
        tool: str,
        action: str,
        whole: bool = False,
        succeeded: bool | None = None,
    ) -> None:
        """`whole`: they are asked of what the action gave, and not of one of its items;
        `succeeded`: of calls that did alone, or that did not (None: of both)."""
        facts = GROUP_FACTS if self.workflow.actions[action].is_group else self.tools.get(tool)
        if facts is None or not (conditions := tuple(conditions)):
            return  # what is no tool is said already
        fields = None if facts.results is None else frozenset((*facts.results, *facts.failures))
        if whole:  # also what is put together of its items, and what a fallback did instead gives
            fields = self.names_in_scope.fields(action)
        others = {*self.workflow.variables, *self.workflow.actions}
        kinds, outcome = self._kinds(action, tool, whole), succeeded
        named = kinds if fields is None or "result" in fields else kinds | {"result": WHOLE}
        for condition, path in conditions:
            for expression in expressions(condition):
                self._expression(expression, path, action, (tool, fields), whole=whole, own=named)
            asks = impossible(condition, path, tool, fields, others, outcome, kinds)
            for problem, surely in asks:
                (self._add if surely else self._warn)([problem])
            if succeeded is not None:
                self._add(other_outcome(condition, path, succeeded))
            elif condition in _ALL_SUCCESSES:
                outcome = False  # what is asked after it is asked of failures alone

    def _kinds(self, action: str, tool: str, whole: bool) -> dict[str, Kind]:
        """What fields hold of what an action gave (`whole`) or of one call of a tool for it."""
        work = self.workflow.actions[action]
        kinds: dict[str, Kind] = {"success": "boolean"}
        if work.may_be_skipped:
            kinds[SKIPPED] = "boolean"
        if whole and work.for_each is not None:
            return kinds | _SEVERAL | {RESULTS[0]: "array"}
        if whole and work.on_error:
            return kinds  # a fallback may give anything
        facts = GROUP_FACTS if work.is_group else self.tools.get(tool)
        kinds |= {} if facts is None else facts.kinds
        choices = known_choices(work.params) if tool == work.tool == ASK else None
        return kinds if choices is None else kinds | {"answer": choices}

    def _kind(self, name: tuple[str, ...], action: str, own: Kinds) -> Kind | None:
        """What is known of a name of an expression: of a field of the action's `own` result, of
        what another action gave, or of a field of that."""
        match name:
            case ("result", field) if own.get("result") == WHOLE:
                return own.get(field)
            case (field, *rest) if field in own and not self.names_in_scope.is_captured(field):
                return self._field_kind(action, [*name]) if rest else own[field]
            case ("steps", giver, *fields):
                return self._field_kind(giver, fields)
            case (giver, *fields) if not self.names_in_scope.hides(giver):
                return self._field_kind(giver, fields)
            case _:
                return None

    def _field_kind(self, action: str, fields: list[str]) -> Kind | None:
        """What is known of a field of what an action gave, or of a field of one of its items."""
        work = self.workflow.actions.get(action)
        match fields:
            case _ if work is None:
                return None
            case []:
                return WHOLE
            case [field]:
                return self._kinds(action, work.tool, whole=True).get(field)
            case [field, place, own] if work.for_each is not None and field == RESULTS[0]:
                is_own = place.isdecimal() and not work.on_error
                return self._kinds(action, work.tool, whole=False).get(own) if is_own else None
            case _:
                return None

    def _captured_names(self, work: Work, path: Path) -> None:
        facts, where = self.tools.get(work.tool), place_text(path)
        for name in known_captures(work, facts.results if facts else None) or ():
            if (lacks := STEP.lacks(name)) is not None:
                message = f"A pattern of {where} captures {name!r}; a name has {lacks}"
                self._add([Problem(where, "name", message)])

    def _expression(
        self,
        text: str,
        path: Path,
        action: str,
        ended: tuple[str, Collection[str] | None] | None = None,
        whole: bool = False,
        answer: Callable[[str, Mapping[str, Any]], object] = expression_holds,
        own: Kinds = NOTHING_KNOWN,
    ) -> None:
        """The names of an expression that is asked as the action begins or, where a tool and the
        fields of its results are given (None: not known), of such a result. `whole`: it is asked of
        all items of an action, and not of one. `answer` evaluates it, and raises Refused; `own`:
        what is known of the fields of that result."""
        where = place_text(path)
        self._add(constant_comparisons(text, path, partial(self._kind, action=action, own=own)))
        for name in normalized_names(text):
            message = f"A name in {where} needs {other_form(name)}"
            self._add([Problem(where, "name", message)])
        tool, fields = ended or ("", ())
        given = () if ended is None else (*ANY_RESULT, "attempt", *(fields or ()))
        for name in expression_names(text):
            first = name.partition(".")[0]
            if self._is_secret(first):
                self._add([_secret(name, where)])
            elif whole and self._is_of_items(first, action):
                message = f"{name} in {where} is known at single items, and here is none"
                self._add([Problem(where, "names", message)])
            elif first in given:
                continue
            # `result` is also all that the action gave, where no field of it is called that.
            elif (
                ended
                and fields is not None
                and first != "result"
                and self.names_in_scope.is_only_field(first)
            ):
                message = (
                    f"{name} in {where} is no field of the result of '{tool}'. That of another "
                    f"action is ACTION.{name}"
                )
                self._add([Problem(where, "names", message)])
            else:
                self._unknown(name, name, where, action, ended is not None, whole)
        # An expression of constants alone is worked out now: a mistake in it would show only in the
        # run.
        values = {name: spec.default for name, spec in self.workflow.variables.items()}
        values |= self.variables
        heads = {name.partition(".")[0] for name in expression_names(text)}
        if not whole and any(self._is_of_items(name, action) for name in OWN):
            return  # an item may take the place of a variable
        if heads <= {name for name, value in values.items() if self._is_constant(name, value)}:
            try:
                answer(text, values)
            except (ExpressionFailed, ItemsTooMany, BadOutput) as failed:
                self._add([Problem(where, "expression", f"{where}: {failed}".rstrip("."))])
            except Refused:
                pass  # a value that is not whole: said where the run reads it

    def _is_secret(self, name: str) -> bool:
        variable = self.workflow.variables.get(name.partition(".")[0])
        return variable is not None and variable.secret

    def _is_of_items(self, name: str, action: str) -> bool:
        return name in OWN and action != END and self.workflow.actions[action].for_each is not None

    def _is_constant(self, name: str, value: Any) -> bool:
        """Whether a variable has this value as long as the run goes on."""
        is_open = value is ABSENT or bool(names({name: value}))
        return not (is_open or self.names_in_scope.is_set_by_actions(name))

    def _names(
        self,
        params: Mapping[str, Any],
        program: Collection[str],
        path: Path,
        action: str,
        undoing: bool,
    ) -> None:
        for place, name in names(params, program):
            if action_meant := self.names_in_scope.shadows(name, action, undoing):
                where = f"{place_text(path)}.{place}"
                message = (
                    f"{{{name}}} in {where} looks into the variable '{action_meant}' and not into "
                    f"what '{action_meant}' gave: that is {{steps.{name}}}"
                )
                self._warn([Problem(where, "names", message)])
            where = f"{place_text(path)}.{place}"
            self._unknown(name, f"{{{name}}}", where, action, undoing)
        for key, item in params.items():
            if key in program or isinstance(item, str) or key == DEFINITION:
                continue
            for place, name in names_in_keys(item, f"{place_text(path)}.{key}"):
                what = "is left as it is: only values are filled in"
                self._warn([Problem(place, "names", f"{{{name}}} in a key of {place} {what}")])

    def _joint(
        self,
        wrong: Callable[[Mapping[str, Any]], str | None],
        program: Collection[str],
        params: Mapping[str, Any],
        path: Path,
    ) -> None:
        """What is wrong with parameters together, as far as they are known."""
        held = {
            key: UnfilledValue(value) if key not in program and placeholder(value) else value
            for key, value in params.items()
        }
        if what := wrong(held):
            place = place_text(path)
            self._add([Problem(place, "parameters", f"{place}: {what}".rstrip("."))])

    def _opaque(
        self,
        params: Mapping[str, Any],
        program: Collection[str],
        objects: Collection[str],
        path: Path,
    ) -> None:
        """Results of which the tool says that JSON cannot hold them, for a tool that takes text."""
        for place, name in names(params, program):
            giver, _, given = name.removeprefix("steps.").partition(".")
            work = self.workflow.actions.get(giver)
            # What handles an error may give another result, of which the tool says nothing.
            if work is None or work.on_error or place.partition(".")[0] in objects:
                continue
            tool = self.tools.get(work.tool)
            kind = None if tool is None or work.for_each is not None else tool.opaque.get(given)
            if kind is not None:
                where = f"{place_text(path)}.{place}"
                sentence = ValuePrinted(f"{{{name}}} in {where}", kind, False, "", True)
                self._add([Problem(where, "value", str(sentence).rstrip("."))])

    def _unknown(
        self, name: str, written: str, where: str, action: str, ended: bool, whole: bool = False
    ) -> None:
        """What is wrong with a name, written as `said`, as the action begins or has `ended`; or
        one of its items, where it is not asked for all of them (`whole`)."""
        unknown = self.names_in_scope.unknown(name, action, ended, whole)
        normal = normal_form(name)
        if (
            unknown is not None
            and self.names_in_scope.unknown(normal, action, ended, whole) is None
        ):
            self._add([Problem(where, "name", f"{written} in {where} needs {other_form(normal)}")])
        elif unknown is not None:
            hint = f". {unknown.hint}" if unknown.hint and written != name else ""
            problem = Problem(where, "names", f"{written} in {where} {unknown.message}{hint}")
            # A tool whose fields nobody knows may give it: then it is no reason not to run.
            (self._add if unknown.surely else self._warn)([problem])
        elif not ended and (giver := self.names_in_scope.field_instead(name, action)):
            message = (
                f"{written} in {where} may be a field of what '{giver}' gave: rename the variable"
            )
            self._warn([Problem(where, "names", message)])
        elif not ended and written == name and self.names_in_scope.outlives_success(name):
            message = (
                f"{name} in {where} is that of the last action which had one, whatever has "
                f"succeeded since: write ACTION.{name}"
            )
            self._warn([Problem(where, "names", message)])

    def _commands(self, params: Mapping[str, Any], schema: Mapping[str, Any], path: Path) -> None:
        """Values that a shell would read as part of a command; what may fail in it unseen."""
        properties = schema.get("properties", {})
        for key, command in params.items():
            if isinstance(command, str) and has_format(properties.get(key), "shell"):
                place = place_text((*path, key))
                # Each once, however often it is there.
                unquoted = dict.fromkeys(quoting_problems(command))
                sentences = (says for name, says in unquoted if not self._is_number(name))
                self._warn(Problem(place, "quoting", f"{place}: {says}") for says in sentences)
                # One program alone has its own exit code; without `check` none is a failure.
                if not {"\n", "|"}.isdisjoint(command) and params.get("check") is not False:
                    lost = hidden_exit_codes(command)
                    self._warn(Problem(place, "exit code", f"{place}: {says}") for says in lost)

    def _is_number(self, name: str) -> bool:
        """Whether a value is no text for all that is known: a number needs no quotes."""
        variable = self.workflow.variables.get(name)
        if variable is None:
            return self._is_number_field(name.removeprefix("steps.").split("."))
        if variable.type is not None:
            return variable.type in ("number", "integer", "boolean")
        return not variable.is_required and isinstance(variable.default, int | float)

    def _is_number_field(self, path: list[str]) -> bool:
        first, *rest = path
        if not rest:
            number_fields = ("success", "timeout_occurred", "exit_code", "index")
            return first in number_fields and not self.names_in_scope.is_captured(first)
        kind = self._field_kind(first, rest)
        return isinstance(kind, str) and _NUMBERS.issuperset(kind.split())

    def _check_nested(self, params: Mapping[str, Any], path: Path, action: str) -> None:
        name, definition = params.get("workflow_name"), params.get(DEFINITION)
        if name is None and definition is None:
            message = f"Either '{DEFINITION}' or 'workflow_name' must be provided"
            self._add([Problem(place_text(path), "oneOf", message)])
        elif name is not None and definition is not None:
            message = f"Provide either '{DEFINITION}' OR 'workflow_name', not both"
            self._add([Problem(place_text(path), "oneOf", message)])
        elif isinstance(name, str) and not has_placeholder(name):
            place = place_text((*path, "workflow_name"))
            if name not in self.saved:
                unknown = WorkflowUnknown(name, tuple(sorted(self.saved)))
                self._add([Problem(place, "workflows", str(unknown))])
            # Where a condition lies before it, it may end: that is how a workflow repeats itself.
            elif name == self.workflow.name and self.itself and self._is_always_reached(action):
                message = f"The workflow calls itself in {place} whatever happens, so it never ends"
                self._warn([Problem(place, "recursion", message)])
            else:
                self._check_saved(name, params, path)
        elif isinstance(definition, Mapping):
            self._written_out(definition, params, (*path, DEFINITION))

    def _check_saved(self, name: str, params: Mapping[str, Any], path: Path) -> None:
        """What a saved workflow is not given, or is given wrong, as far as that is known; and what
        is wrong with it, and with those that it calls. One that calls itself may end."""
        # `above` are those on the way here: without it workflows that call each other never end.
        if self.load is None or name in self.above or self.depth + 1 > DEEPEST:
            return
        try:
            workflow = parse(self.load(name))
        except Refused:
            return  # said when it is called
        given = _given_variables(params, workflow)
        own = list(missing_or_wrong(workflow.variables, given, nested=True))
        place = place_text((*path, "initial_variables"))
        self._add(nest_problem(place, wrong) for wrong in own)
        nested = self._nested_findings(workflow, given, {*self.above, name})
        place = place_text((*path, "workflow_name"))
        # What it is not given has been said, at the place where it can be mended.
        self._add(nest_problem(place, problem) for problem in nested.problems if problem not in own)

    def _written_out(
        self, definition: Mapping[str, Any], params: Mapping[str, Any], path: Path
    ) -> None:
        place = place_text(path)
        if self.depth + 1 > DEEPEST:
            message = f"{place} is a run {self.depth + 1} deep; {DEEPEST} is the deepest"
            self._add([Problem(place, "depth", message)])
            return
        try:
            workflow = parse(definition)
        except WorkflowInvalid as error:
            self._add(nest_problem(place, p) for p in error.problems if isinstance(p, Problem))
            return
        nested = self._nested_findings(workflow, _given_variables(params, workflow), self.above)
        self._add(nest_problem(place, problem) for problem in nested.problems)
        self._warn(nest_problem(place, warning) for warning in nested.warnings)

    def _nested_findings(
        self, workflow: Workflow, given: Mapping[str, Any], above: Collection[str]
    ) -> CheckResult:
        depth = self.depth + 1
        return _check(workflow, self.tools, given, self.saved, depth, load=self.load, above=above)

    def _is_always_reached(self, action: str) -> bool:
        """Whether every run comes to an action."""
        if isinstance(self.workflow, StatesWorkflow):
            return action in (self.workflow.initial_state, *self.workflow.always)
        return True


def _output(name: str, spec: Output, text: str, values: Mapping[str, Any]) -> object:
    """The output of that name; raises BadOutput for one of another type."""
    return output_values({name: spec}, values, ())


def _given_variables(params: Mapping[str, Any], workflow: Workflow) -> Mapping[str, Any]:
    """The variables a nested run is given. Where that is one placeholder, what is in it is not
    known."""
    given = params.get("initial_variables", {})
    return given if isinstance(given, Mapping) else dict.fromkeys(workflow.variables, "{unknown}")


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
            for n in range(len(workflow.states[name].steps)):
                step = (*work, "steps", n)
                yield _Place(step, (*step, "tool"), (*step, "args"))
    else:
        for n in range(len(workflow.steps)):
            work = ("steps", n)
            yield _Place(work, (*work, "tool"), (*work, "args"))


def _secret(name: str, where: str) -> Problem:
    message = f"{where} asks for {name!r}, which is a secret: what comes of it is kept"
    return Problem(where, "names", message)


def _no_tool(tool: str, path: Path, tools: Collection[str], listed: bool) -> Problem:
    """`listed`: another problem has said already which tools there are."""
    near = nearest(tool, tuple(tools))
    there_are = "" if listed else f"Tools: {listing(sorted(tools), 'none')}"
    sentence = f"{place_text(path)} is {tool!r}, which is no tool. {near}{there_are}"
    return Problem(place_text(path), _TOOLS, sentence.rstrip(" ."))
