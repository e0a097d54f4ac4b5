"""the text of a definition -> what keeps it from running, what is odd, what it has to be given; a
run -> what it may be given otherwise.

For editors: nothing is recorded, and whatever is wrong is an answer and no refusal.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from wfnb.data_files import plain_yaml
from wfnb.errors import Refused, WorkflowInvalid
from wfnb.frozen_record import record
from wfnb.render.text.escape import printable
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.json_equality import indistinguishable
from wfnb.workflows.definition.models import Work, Workflow
from wfnb.workflows.definition.problem import Problem
from wfnb.workflows.definition.reader import Definition, parse
from wfnb.workflows.definition.scope import END, KnownName, NamesInScope
from wfnb.workflows.definition.single_action import alone, is_alone
from wfnb.workflows.definition.template import HIDDEN, placeholder
from wfnb.workflows.definition.variable import ABSENT, Variable
from wfnb.workflows.library.definition_file import read_definition
from wfnb.workflows.library.saved_workflow import named_as
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.tools.registry import REGISTRY, Registry, builtin_tools

from .nested_definitions import ActionPath, as_ran, as_saved, nested_definitions, shown_data
from .run_start import check_definition, facts, read, tools_of

MAX_NAMES = 1_000
"""Names that are listed at most."""
_UNKNOWN_TOOL = "tools"
_MAY_BE = "Tools of your own are known to a kernel alone: {}"


@record
class Surroundings:
    """What a definition may name: the tools and the saved workflows there are. `whole`: there are
    no other tools than these. `folder` is that of its file."""

    library: WorkflowLibrary
    folder: Path
    tools: Registry = REGISTRY
    whole: bool = True


def without_packages(library: WorkflowLibrary, folder: Path) -> Surroundings:
    """Only the tools that come with wfnb: the code of no other package is loaded."""
    tools = Registry(builtin_tools, offered=tuple)
    return Surroundings(library=library, folder=folder, tools=tools, whole=False)


def read_text(text: str, file: str) -> Any:
    """The definition that a text is, by the name of its file where it has none. WorkflowBroken,
    WorkflowEmpty."""
    return named_as(read_definition(text, file), Path(file))


def check_text(
    text: str,
    file: str,
    around: Surroundings,
    action: str | None = None,
    opened: Collection[ActionPath] = (),
) -> dict[str, Any]:
    """`problems` and `warnings`, each with the `path` of its place and what it `says`; and the
    `variables`, where there is no problem. Of an `action` (END: of the outputs) also the `names`
    that it may use. The workflows that its actions run are `nested` (None: the text is no
    definition)."""
    problems: Iterable[Any] = ()
    warnings: Iterable[Any] = ()
    variables: Mapping[str, Variable] = {}
    try:
        workflow = read(around.library, read_text(text, file), None, around.tools)
        variables = workflow.variables
        warnings = check_definition(around, workflow).warnings
    except WorkflowInvalid as refusal:
        problems = refusal.problems
    except Refused as refusal:
        problems = (Problem("", "text", str(refusal)),)
    if not around.whole:
        # A server without a kernel cannot know the user's own tools: a doubt, no error.
        unsure = [each for each in problems if each.rule == _UNKNOWN_TOOL]
        problems = [each for each in problems if each.rule != _UNKNOWN_TOOL]
        said = (Problem(each.path, each.rule, _MAY_BE.format(each)) for each in unsure)
        warnings = (*warnings, *said)
    return {
        "problems": [_finding(each) for each in problems],
        "warnings": [_finding(each) for each in warnings],
        "variables": [variable_facts(name, spec) for name, spec in variables.items()],
        **({} if action is None else {"names": known_names(text, file, action, around)}),
        "nested": _nested(text, file, around, opened),
    }


def _nested(
    text: str, file: str, around: Surroundings, opened: Collection[ActionPath]
) -> list[dict[str, Any]] | None:
    try:
        workflow = parse(read_text(text, file))
    except Refused:
        return None
    found = nested_definitions(workflow, as_saved(around.library, around.folder), opened)
    return list(islice(found, MAX_NAMES))


def mended(text: str, file: str, had: Workflow) -> Definition:
    """The definition that a text is, or the part of it that a run `had` of one action alone.
    Raises Refused."""
    workflow = parse(read_text(text, file))
    action = is_alone(had)
    if action is None or action not in workflow.actions:
        return workflow
    return alone(workflow, action, {}).workflow


def changed_actions(text: str, file: str, had: Workflow) -> list[str] | None:
    """The actions of a text that another definition has otherwise, or has not. None where the text
    is no definition."""
    try:
        actions = mended(text, file, had).actions
    except Refused:
        return None
    return [name for name, work in actions.items() if not _is_same(had.actions.get(name), work)]


def ran_definition(
    text: str, file: str, ran: Mapping[ActionPath, Definition], opened: Collection[ActionPath] = ()
) -> dict[str, Any]:
    """The `definition` of a run as data, the defaults of its secrets hidden; those of the runs that
    it called are `nested`. What `differs` in a text: the `action` (None: beside the actions) and
    what it `says`. None of it where the text is no definition.

    `ran` are the definitions by the paths of actions that led to them: () is the run's own."""
    had = ran[()]
    nested = nested_definitions(had, as_ran(ran), opened)
    found = {"definition": shown_data(had), "nested": list(islice(nested, MAX_NAMES))}
    try:
        now = mended(text, file, had)
    except Refused:
        return {**found, "differs": []}
    return {**found, "differs": list(_differences(had, now))}


def _differences(had: Workflow, now: Workflow) -> Iterator[dict[str, Any]]:
    parts = [name for name in type(now).model_fields if name not in ("states", "steps")]
    before, after = had.model_dump(exclude_defaults=True), now.model_dump(exclude_defaults=True)
    fields = [name for name in parts if not _is_same(before.get(name), after.get(name))]
    if fields:
        yield {"action": None, "says": _otherwise(fields)}
    for name in dict.fromkeys((*had.actions, *now.actions)):
        old, new = had.actions.get(name), now.actions.get(name)
        if old is None or new is None:
            yield {"action": name, "says": "gone since" if new is None else "new since"}
        elif not _is_same(old, new):
            yield {"action": name, "says": _otherwise(_work_fields(old, new))}


def _work_fields(before: Work, after: Work) -> list[str]:
    """The fields of an action that are otherwise: its parameters one by one."""
    fields = ["tool"] if before.tool != after.tool else []
    for name in dict.fromkeys((*before.params, *after.params)):
        if not _is_same(before.params.get(name, ABSENT), after.params.get(name, ABSENT)):
            fields.append(name)
    own = ("action", "tool", "params")
    known = [name for name in type(after).model_fields if name not in own]
    was, now = before.model_dump(exclude_defaults=True), after.model_dump(exclude_defaults=True)
    return fields + [name for name in known if not _is_same(was.get(name), now.get(name))]


def _is_same(one: Any, other: Any) -> bool:
    """Whether two parts of definitions do the same: 1, 1.0 and true do not."""
    data = [
        part.model_dump(exclude_defaults=True) if isinstance(part, BaseModel) else part
        for part in (one, other)
    ]
    return type(one) is type(other) and indistinguishable(*data)


def _otherwise(fields: Iterable[str]) -> str:
    return printable(f"otherwise since: {', '.join(fields)}")


def known_names(
    text: str, file: str, action: str, around: Surroundings
) -> list[dict[str, Any]] | None:
    """What placeholders of an action, or outputs, may name, the nearest first: the `name`, its
    `kind`, the `action` that gives it, and what it `says` for a person. None where the text is no
    definition, also without what is begun in it and empty."""
    try:
        data = read_text(text, file)
        try:
            workflow = parse(data)
        except WorkflowInvalid:
            workflow = parse(_without_empty("", data))
    except Refused:
        return None
    if action != END and action not in workflow.actions:
        return []
    what = facts(around.tools, tools_of(workflow))
    scope = NamesInScope(
        workflow,
        {name: each.results for name, each in what.items()},
        {},
        failures={name: each.failures for name, each in what.items()},
    )
    known = (each for each in scope.known(action) if placeholder(f"{{{each.name}}}"))
    return [
        {
            "name": each.name,
            "kind": each.kind,
            "action": each.action,
            "says": printable(_source(each, workflow)),
        }
        for each in islice(known, MAX_NAMES)
    ]


def _without_empty(key: str, value: Any) -> Any:
    match value:
        case _ if key == "variables":  # an empty one is one
            return value
        case dict():
            return {name: _without_empty(name, each) for name, each in value.items() if each != ""}
        case list():
            return [_without_empty(key, each) for each in value if each != ""]
        case _:
            return value


def _source(known: KnownName, workflow: Definition) -> str:
    match known.kind:
        case "variable":
            spec = workflow.variables[known.name]
            return spec.description or ("a secret" if spec.secret else "a variable")
        case "item":
            return "of each item"
        case "capture":
            return f"found by a pattern in what {known.action} gave"
        case "gave":
            return "what this action gave"
        case "field":
            return f"result of {known.action}: {workflow.actions[known.action or ''].tool}"


def list_tools(tools: Registry = REGISTRY) -> list[dict[str, Any]]:
    """What an action may call: each with the JSON Schema of its parameters, and the names of the
    fields of its result (None: they cannot be known)."""
    return [
        {
            "name": tool.name,
            "says": tool.says,
            "parameters": dict(tool.parameters),
            "results": None if tool.results is None else list(tool.results),
        }
        for tool in tools.tools()
    ]


def variable_facts(name: str, spec: Variable) -> dict[str, Any]:
    """What a person is asked for. A secret's default is not shown: that nothing has to be typed
    is."""
    default = None
    if not spec.is_required:
        default = "" if spec.secret else _typed_text(spec.default)
    says = {"secret": spec.secret, "description": spec.description}
    return {"name": name, "default": default, **says}


def run_variables(run: Run) -> list[dict[str, Any]]:
    """What a run knows of its variables, for who goes on with others; nothing of a secret."""
    known = run.variables
    return [
        variable_facts(name, _with_known(spec, known.get(name), spec.secret or name in run.secrets))
        for name, spec in run.workflow.variables.items()
    ]


def _with_known(spec: Variable, value: Any, is_secret: bool) -> Variable:
    # ••• in a value would be sent back as if it were the value.
    update = {"default": value, "secret": is_secret or HIDDEN in str(value)}
    return spec.model_copy(update=update)


def _typed_text(value: Any) -> str:
    """What a person types to mean this value: a text as it is, where it reads as that text."""
    if isinstance(value, str):
        with suppress(ValueError):
            if plain_yaml.load(value) == value:
                return value
    return json.dumps(value, ensure_ascii=False)


def _finding(problem: Problem) -> dict[str, str]:
    return {"path": problem.path, "says": printable(str(problem))}
