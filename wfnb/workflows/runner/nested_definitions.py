"""a definition -> the workflows that its actions run, as an editor shows them in place.

They are read anew with each text: what an action runs follows what is written for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
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
from wfnb.workflows.library.saved_workflow import named_as
from wfnb.workflows.library.workflow_library import WorkflowLibrary

ActionPath = tuple[str, ...]
Found = tuple[Definition | None, dict[str, Any]]
"""What an action runs, and what else is to be told of it."""
Lookup = Callable[[ActionPath, Work], Found]
ENDS = (".workflow.yaml", ".workflow.yml", ".workflow.json")


def nested_definitions(
    workflow: Definition, look: Lookup, opened: Collection[ActionPath], above: ActionPath = ()
) -> Iterator[dict[str, Any]]:
    """Each action that runs a workflow, by the `path` of actions that leads to it: the `name` of
    what it runs, if it has one. Of those that are `opened`: the `definition` as data, or what it
    `says` of why there is none; and what `look` tells besides. A name that is made only in the run
    is left out."""
    for action, work in workflow.actions.items():
        written = work.params.get(DEFINITION)
        if work.tool != NESTED or not (_saved_name(work) or isinstance(written, Mapping)):
            continue
        path = (*above, action)
        found: dict[str, Any] = {"path": list(path), "name": _name(work)}
        if path not in opened or len(path) > DEEPEST:
            yield found
            continue
        try:
            called, more = look(path, work)
        except Refused as refusal:
            called, more = None, {"says": printable(str(refusal))}
        yield found | more | {"definition": None if called is None else shown_data(called)}
        if called is not None:
            yield from nested_definitions(called, look, opened, path)


def as_saved(library: WorkflowLibrary, folder: Path) -> Lookup:
    """What would run now; the `file` of its name in the folder, and whether that is the `same`."""

    def look(path: ActionPath, work: Work) -> Found:
        name, written = _saved_name(work), work.params.get(DEFINITION)
        called = parse(written if isinstance(written, Mapping) else library.load(name))
        beside = _file(name, folder) if name else None
        return called, {
            "file": None if beside is None else beside.name,
            "same": beside is not None and _is_same(beside, called),
        }

    return look


def as_ran(definitions: Mapping[ActionPath, Definition]) -> Lookup:
    """What did run, as it was then."""

    def look(path: ActionPath, work: Work) -> Found:
        called = definitions.get(path)
        return called, {} if called is not None else {"says": "It did not run."}

    return look


def shown_data(workflow: Workflow) -> dict[str, Any]:
    """A definition as data, the defaults of its secrets hidden."""
    data = dict(workflow.data)
    hidden = {n for n, spec in workflow.variables.items() if spec.secret and not spec.is_required}
    if hidden:
        shown = data["variables"]
        data["variables"] = shown | {name: shown[name] | {"default": HIDDEN} for name in hidden}
    return data


def _saved_name(work: Work) -> str:
    name = work.params.get("workflow_name")
    return name if isinstance(name, str) and not has_placeholder(name) else ""


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
