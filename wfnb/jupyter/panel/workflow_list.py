"""the library -> the saved workflows as a person picks one; what was typed -> how it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from wfnb.errors import Refused
from wfnb.home_folder import Home
from wfnb.jupyter.notebook import Notebook
from wfnb.workflows.definition.models import Workflow
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.library.key_value_words import variables
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.runner.editor_answers import (
    Surroundings,
    check_text,
    variable_facts,
)
from wfnb.workflows.runner.nested_definitions import ActionPath

from .request_models import Check


def saved_workflows(notebook: Notebook) -> list[dict[str, Any]]:
    """Every workflow that can be started by its name, the examples last."""
    library = _library(notebook.home())
    found = []
    for each in library.list().workflows:
        with suppress(Refused):  # one that cannot be read now
            work = parse(library.load(each.name))
            variables = [variable_facts(name, spec) for name, spec in work.variables.items()]
            found.append(
                {"name": each.name, "description": each.description, "variables": variables}
            )
    return found


def check(notebook: Notebook, asked: Check) -> dict[str, Any]:
    """As `check_text`, with the tools of this kernel and the workflows of its home."""
    around = Surroundings(library=_library(notebook.home()), folder=notebook.location.folder())
    return check_text(asked.text, asked.file, around, asked.action, as_paths(asked.opened))


def as_paths(opened: Sequence[Sequence[str]]) -> set[ActionPath]:
    """Actions that run a workflow, each by the path of actions that leads to it."""
    return {tuple(path) for path in opened}


def read_variables(
    workflow: Workflow, typed: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """What was typed for the variables of a workflow, as `--var` reads it; then what its
    definition calls secrets, which are texts as they are."""
    declared = workflow.variables
    hidden = {name for name in typed if name in declared and declared[name].secret}
    words = [f"{name}={text}" for name, text in typed.items() if name not in hidden]
    return (
        variables(words, workflow.name or "workflow", flag=""),
        {name: text for name, text in typed.items() if name in hidden},
    )


def _library(home: Home) -> WorkflowLibrary:
    return WorkflowLibrary(home.path / "workflows")
