"""a definition -> the workflows that its actions run, as an editor shows them in place.

They are read anew with each text: what an action runs follows what is written for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from wfnb.errors import Refused
from wfnb.render.text.escape import printable
from wfnb.workflows.definition.check import DEEPEST
from wfnb.workflows.definition.models import Work, Workflow
from wfnb.workflows.definition.reader import Definition, content_hash, parse
from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.definition.template import DEFINITION, HIDDEN, has_placeholder
from wfnb.workflows.library.definition_file import read_file
from wfnb.workflows.library.saved import named_as
from wfnb.workflows.library.workflows import WorkflowLibrary

ActionPath = tuple[str, ...]
ENDS = (".workflow.yaml", ".workflow.yml", ".workflow.json")


def nested_definitions(
    workflow: Definition,
    library: WorkflowLibrary,
    opened: Collection[ActionPath],
    folder: Path,
    above: ActionPath = (),
) -> Iterator[dict[str, Any]]:
    """Each action that runs a workflow, by the `path` of actions that leads to it: the `name` of
    what it runs, if it has one. Of those that are `opened`: the `definition` as data, or what it
    `says` of why there is none; the `file` of that name in the folder, and whether that is the
    `same`. A name that is made only in the run is left out."""
    for action, work in workflow.actions.items():
        name, written = work.params.get("workflow_name"), work.params.get(DEFINITION)
        is_saved = isinstance(name, str) and not has_placeholder(name)
        if work.tool != NESTED or not (is_saved or isinstance(written, Mapping)):
            continue
        path = (*above, action)
        found: dict[str, Any] = {"path": list(path), "name": _name(work)}
        if path not in opened or len(path) > DEEPEST:
            yield found
            continue
        try:
            called = parse(written if isinstance(written, Mapping) else library.load(str(name)))
        except Refused as refusal:
            yield found | {"definition": None, "says": printable(str(refusal))}
            continue
        beside = _file(str(name), folder) if is_saved else None
        yield found | {
            "definition": shown_data(called),
            "file": None if beside is None else beside.name,
            "same": beside is not None and _is_same(beside, called),
        }
        yield from nested_definitions(called, library, opened, folder, path)


def shown_data(workflow: Workflow) -> dict[str, Any]:
    """A definition as data, the defaults of its secrets hidden."""
    data = dict(workflow.data)
    hidden = {n for n, spec in workflow.variables.items() if spec.secret and not spec.is_required}
    if hidden:
        shown = data["variables"]
        data["variables"] = shown | {name: shown[name] | {"default": HIDDEN} for name in hidden}
    return data


def _name(work: Work) -> str:
    written = work.params.get(DEFINITION)
    name = written.get("name") if isinstance(written, Mapping) else work.params.get("workflow_name")
    return printable(name) if isinstance(name, str) else ""


def _file(name: str, folder: Path) -> Path | None:
    """Where somebody edits what is saved under a name: beside what calls it."""
    return next((path for end in ENDS if (path := folder / f"{name}{end}").is_file()), None)


def _is_same(path: Path, saved: Definition) -> bool:
    try:
        return content_hash(parse(named_as(read_file(path), path))) == content_hash(saved)
    except Refused:
        return False
