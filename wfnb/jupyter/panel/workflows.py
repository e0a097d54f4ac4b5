"""the library -> the saved workflows as a person picks one; what was typed -> how it begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from wfnb.data_files import plain_yaml
from wfnb.errors import Refused
from wfnb.home_folder import Home
from wfnb.jupyter.notebook import Notebook
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.variable import Variable
from wfnb.workflows.library.key_values import variables
from wfnb.workflows.library.workflows import WorkflowLibrary
from wfnb.workflows.runner.runner import Runner


def saved_workflows(notebook: Notebook) -> list[dict[str, Any]]:
    """Every workflow that can be started by its name, the examples last."""
    library = _library(notebook.home())
    found = []
    for each in library.list().workflows:
        with suppress(Refused):  # one that cannot be read now
            work = parse(library.load(each.name))
            variables = [_variable(name, spec) for name, spec in work.variables.items()]
            found.append(
                {"name": each.name, "description": each.description, "variables": variables}
            )
    return found


def read_variables(
    runner: Runner, workflow: str, typed: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What was typed for the variables of a saved workflow, as `--var` reads it; then what its
    definition calls secrets, which are texts as they are."""
    declared = parse(runner.library.load(workflow)).variables
    hidden = {name for name in typed if name in declared and declared[name].secret}
    words = [f"{name}={text}" for name, text in typed.items() if name not in hidden]
    return (
        variables(words, workflow, flag=""),
        {name: text for name, text in typed.items() if name in hidden},
    )


def _library(home: Home) -> WorkflowLibrary:
    return WorkflowLibrary(home.path / "workflows")


def _variable(name: str, spec: Variable) -> dict[str, Any]:
    """A secret's default is not shown: that nothing has to be typed is."""
    default = None
    if not spec.is_required:
        default = "" if spec.secret else _typed_text(spec.default)
    says = {"secret": spec.secret, "description": spec.description}
    return {"name": name, "default": default, **says}


def _typed_text(value: Any) -> str:
    """What a person types to mean this value: a text as it is, where it reads as that text."""
    if isinstance(value, str):
        with suppress(ValueError):
            if plain_yaml.load(value) == value:
                return value
    return json.dumps(value, ensure_ascii=False)
