"""a YAML or JSON file -> a definition to save; a definition -> such a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfnb.data_files import plain_yaml
from wfnb.errors import BadValue
from wfnb.files import write

from .definition_file import read_file
from .saved_workflow import SavedWorkflow, check_workflow_name, named_as


def taken_in(
    file: Path, name: str | None, at: str, where: str | None = None
) -> tuple[Mapping[str, Any], SavedWorkflow]:
    """What a file says, and what will be known of it: its name is `name`, else its own, else the
    file's. `where` it is, as somebody wrote that. Raises WorkflowBroken, WorkflowEmpty,
    WorkflowInvalid."""
    from wfnb.workflows.definition.reader import content_hash, parse  # noqa: PLC0415  heavy

    data = named_as(read_file(file, where), file)
    if name is not None and isinstance(data, Mapping):
        data = {**data, "name": check_workflow_name(name)}
    workflow = parse(data, name=file.name.partition(".")[0])  # refused, where it cannot be one
    return data, SavedWorkflow(
        name=str(workflow.name),
        hash=content_hash(workflow),
        created=at,
        changed=at,
        total_states=len(workflow.actions),
    )


def give_out(definition: Mapping[str, Any], file: Path) -> Path:
    """YAML where it ends in .yaml or .yml, JSON in .json. Raises BadValue."""
    match file.suffix.lower():
        case ".json":
            text = json.dumps(definition, indent=2, ensure_ascii=False) + "\n"
        case ".yaml" | ".yml":
            text = plain_yaml.dump(definition)
        case _:
            raise BadValue("path", str(file), "a name that ends in .json, .yaml or .yml")
    try:
        write(file, text)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadValue("path", str(file), f"a place that can be written ({why})") from None
    return file
