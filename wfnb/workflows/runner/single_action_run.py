"""an action of a text, a run that may have known -> what it is asked for alone, and begins with."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from wfnb.errors import Refused, StateUnknown, WorkflowInvalid
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.problem import Problem
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.single_action import Alone, alone
from wfnb.workflows.definition.template import HIDDEN, fill
from wfnb.workflows.definition.variable import Variable
from wfnb.workflows.definition.variable_values import as_declared
from wfnb.workflows.tools.registry import REGISTRY

from .editor_answers import read_text, variable_facts
from .run_start import facts, programs, tools_of


def action_alone(text: str, file: str, action: str) -> Alone:
    """Raises StateUnknown, and what `parse` raises."""
    workflow = parse(read_text(text, file))
    if action not in workflow.actions:
        raise StateUnknown(action, tuple(workflow.actions))
    known = {name: each.results for name, each in facts(REGISTRY, tools_of(workflow)).items()}
    return alone(workflow, action, known, programs(REGISTRY, workflow))


def input_facts(part: Alone, run: Run | None) -> list[dict[str, Any]]:
    """What a person is asked for: a value that the run knows stands there."""
    known = _known(part, run)
    asked = []
    for name in (*part.variables, *part.results):
        spec = part.workflow.variables.get(name) if name in part.variables else None
        spec = spec or Variable(description=f"what {name.partition('.')[0]} gave")
        asked.append(
            variable_facts(
                name, spec.model_copy(update={"default": known[name]}) if name in known else spec
            )
        )
    return asked


def with_known(part: Alone, run: Run | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """The variables that it begins with: what is given, else what the run knows. Raises
    WorkflowInvalid where neither has what another action gave."""
    values = _known(part, run) | as_declared(part.workflow.variables, given)
    lacking = [name for name in part.results if name not in values]
    if lacking:
        raise WorkflowInvalid(
            tuple(
                Problem(f"variables.{name}", "variables", f"'{name}' has to be given")
                for name in lacking
            )
        )
    variables: dict[str, Any] = {}
    for name, value in values.items():
        *way, last = name.split(".") if name in part.results else [name]
        place = variables
        # `steps.build.stdout` is asked for under that name, but read as nested fields.
        for each in way:
            place = place.setdefault(each, {})
        place[last] = value
    return variables


def _known(part: Alone, run: Run | None) -> dict[str, Any]:
    """What a run has of it, as far as that is whole and no secret."""
    found: dict[str, Any] = {}
    if run is None:
        return found
    for name in (*part.variables, *part.results):
        spec = part.workflow.variables.get(name)
        if name in run.secrets or (spec is not None and spec.secret):
            continue
        with suppress(Refused):
            value = fill({"value": f"{{{name}}}"}, run.scope)["value"]
            # ••• in a field would be sent back as if it were the value.
            if HIDDEN not in str(value):
                found[name] = value
    return found
