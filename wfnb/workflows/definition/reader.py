"""JSON data -> a workflow, or every problem it has; a workflow -> a hash of what it does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeAlias

from pydantic import ValidationError

from wfnb.errors import WorkflowInvalid

from . import pydantic_messages
from .dangling_references import is_last, references
from .json_limits import foreign
from .models import StatesWorkflow, StepsWorkflow, Workflow
from .problem import Problem, value_text, with_ids

Definition: TypeAlias = StatesWorkflow | StepsWorkflow
"""A workflow of either form."""

SCHEMA = "$schema"
"""A key that tells an editor which schema a file follows; it says nothing else."""

_FORMS: dict[str, type[StatesWorkflow] | type[StepsWorkflow]] = {
    "states": StatesWorkflow,
    "steps": StepsWorkflow,
}


def parse(data: Any, name: str | None = None) -> Definition:
    """The workflow that the data describes; `name` is its name where the data has none.

    Raises WorkflowInvalid with all that is wrong with its form and with the names in it.
    """
    problems = foreign(data)
    if problems:
        raise WorkflowInvalid(tuple(problems))
    form = _form(data)
    if isinstance(form, Problem):
        raise WorkflowInvalid((form,))
    if isinstance(data.get(SCHEMA), str):
        data = {key: value for key, value in data.items() if key != SCHEMA}
    if name is not None and "name" not in data:
        data = {**data, "name": name}
    workflow = None
    try:
        workflow = form.model_validate(data)
    except ValidationError as error:
        problems = pydantic_messages.problems(error, form)
    # One problem a place: what has no form has no meaning either, and to say both is noise.
    said = {problem.path for problem in problems}
    problems += [problem for problem in references(data) if problem.path not in said]
    if workflow is None or problems:
        raise WorkflowInvalid(tuple(with_ids(problems, data)))
    return workflow


def _form(data: Any) -> type[StatesWorkflow] | type[StepsWorkflow] | Problem:
    if not isinstance(data, Mapping):
        message = (
            f"A workflow is a mapping that has `states` or `steps`; this is {value_text(data)}"
        )
        return Problem("", "type", message)
    forms = [form for form in _FORMS if form in data]
    if len(forms) == 1:
        return _FORMS[forms[0]]
    which = "both `states` and `steps`" if forms else "neither `states` nor `steps`"
    return Problem("", "oneOf", f"The workflow has {which}; it needs one of them")


def content_hash(workflow: Workflow) -> str:
    """16 hexadecimal digits that are the same for workflows that do the same, whatever they are
    called and however they are described."""
    # Of `data`, not of what was written: a default that is spelt out changes nothing.
    data = {k: v for k, v in workflow.data.items() if k not in ("name", "description")}
    if orders := dict(_orders(data)):
        data["orders"] = orders
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _orders(data: Any, place: str = "") -> Iterator[tuple[str, list[str]]]:
    """The names whose order says what is done first, where that is not the one of the alphabet: of
    the states that are always done last, and of the items of a mapping; by their place."""
    match data:
        case Mapping():
            for key, item in data.items():
                named = item if isinstance(item, Mapping) and key in ("states", "items") else {}
                names = [name for name, each in named.items() if key == "items" or is_last(each)]
                if names != sorted(names):
                    yield f"{place}.{key}", names
                yield from _orders(item, f"{place}.{key}")
        case list() | tuple():
            for n, item in enumerate(data):
                yield from _orders(item, f"{place}.{n}")
