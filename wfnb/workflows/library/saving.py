"""a definition -> its file, where the name is free or the file is its own; and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wfnb.errors import WorkflowExists
from wfnb.files import write

from . import versions
from .definition_folder import Folder
from .index import verify_entry
from .saved import SavedWorkflow, check_workflow_name, definition_description, text_of


def put(
    folder: Folder, definition: Mapping[str, Any], saved: SavedWorkflow, overwrite: bool
) -> str | None:
    """The name it is saved under; None where the same content is saved already. Raises
    WorkflowExists where the name is another's, BadText."""
    name = check_workflow_name(saved.name)
    saved = replace(saved, description=definition_description(definition))
    text_of(definition, saved)
    with folder.change() as seen:
        for other in seen.found:
            seen.found[other] = verify_entry(other, seen.found[other], folder.place)
        there = seen.same_file_name(name)
        old = seen.found[name].saved if name in seen.found else None
        replaces = there == name and (overwrite or (old is not None and edits(old, saved)))
        same = any(found.saved.hash == saved.hash for found in seen.found.values())
        if same and not replaces:
            return None
        if there and not replaces:
            raise WorkflowExists(name, there)
        if old is not None:
            if old.hash != saved.hash:
                versions.keep(folder.place, old)
            count = saved.success_count + old.success_count * (old.hash == saved.hash)
            saved = replace(saved, created=old.created or saved.created, success_count=count)
        folder.put(definition, saved, seen)
    return name


def put_back(folder: Folder, name: str, before: str | None, after: str | None) -> None:
    """The file has the text `before` again (None: it is gone), unless it is no longer as it was
    `after` that."""
    path = folder.path(name)
    with folder.change() as seen:
        if folder.text(name) != after:
            return
        if before is None:
            path.unlink(missing_ok=True)
        else:
            write(path, before)
            versions.drop(folder.place, name, before)
        seen.found.pop(name, None)


def edits(old: SavedWorkflow, new: SavedWorkflow) -> bool:
    """Whether a workflow is an edited version of another: other content or other words, written in
    the same place."""
    is_other = (old.hash, old.description) != (new.hash, new.description)
    return is_other and new.from_where(old)
