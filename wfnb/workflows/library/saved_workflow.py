"""a saved workflow's file ⇄ its definition, and what is known of it besides.

The file is `{"definition": …, "metadata": …}`; a definition alone, put there by hand, will do. Its
name is the file's.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from wfnb.errors import BadText, BadValue, WorkflowBroken
from wfnb.frozen_record import record
from wfnb.workflows.definition.name_rules import WORKFLOW, fold, is_workflow_name, normal_form

from .definition_file import MAX_BYTES, load_json, too_large

_VERSION = re.compile("@[0-9a-f]{1,16}")
INDEX = "index"
SUFFIX = ".json"


@record
class SavedWorkflow:
    """A workflow of the library. Times are ISO 8601, in UTC."""

    name: str
    description: str = ""
    hash: str = ""
    """That of its content."""
    created: str = ""
    changed: str = ""
    success_count: int = 0
    """How many of its runs succeeded."""
    last_execution: str | None = None
    total_states: int = 0
    """The actions of the one that it was saved after."""
    origin: tuple[str, ...] = ()
    """Where it was written: a session, then the cell, as far as that is known."""
    example: bool = False
    """Whether it comes with wfnb."""

    def metadata(self) -> dict[str, Any]:
        """What is known of it besides its definition, as a file has it."""
        known = {field: getattr(self, field) for field in METADATA}
        return known | ({"origin": list(self.origin)} if self.origin else {})

    def from_where(self, other: SavedWorkflow) -> bool:
        """Whether both were written in the same place, as far as both know theirs.

        >>> places = (), ("s",), ("s", "c1"), ("s", "c2")
        >>> saved = [SavedWorkflow(name="a", origin=place) for place in places]
        >>> [[one.from_where(other) for other in saved] for one in saved[:3]]
        [[False, False, False, False], [False, True, True, True], [False, True, True, False]]
        """
        both = zip(self.origin, other.origin, strict=False)
        return bool(self.origin and other.origin) and all(one == other for one, other in both)

    def is_edit_of(self, old: SavedWorkflow) -> bool:
        """Whether it has other content or other words, written in the same place."""
        is_other = (old.hash, old.description) != (self.hash, self.description)
        return is_other and self.from_where(old)


METADATA = ("hash", "created", "changed", "success_count", "last_execution", "total_states")


def check_workflow_name(name: str) -> str:
    """A name that can be that of a file, and only of one in the folder. Raises BadValue."""
    if (lacks := WORKFLOW.lacks(name)) is not None:
        raise BadValue("workflow_name", str(name)[:200], lacks)
    if fold(name) == INDEX:
        raise BadValue("workflow_name", name, "another word: index.json lists the workflows")
    return name


def is_library_name(word: str) -> bool:
    """Whether a word is a workflow's name, or what a version of it is called: NAME@HASH.

    >>> [is_library_name(word) for word in ("deploy", "库存盘点@0a1b", "deploy@", "deploy.yaml")]
    [True, True, False, False]
    """
    name, at, hash = word.partition("@")
    return is_workflow_name(name) and (not at or _VERSION.fullmatch(at + hash) is not None)


def name_from_file(file_name: str) -> str | None:
    """The workflow whose file is called like that; None for any other file.

    >>> files = "deploy.json", "index.json", "my deploy.json", "deploy.yaml"
    >>> [name_from_file(file) for file in files]
    ['deploy', None, None, None]
    """
    name = file_name.removesuffix(SUFFIX)
    is_one = name != file_name and is_workflow_name(name) and fold(name) != INDEX
    return name if is_one else None


def named_as(definition: Any, file: Path) -> Any:
    """A definition that has no name, with that of its file, where this can be one. Disks of a Mac
    write accents apart from their letters: the normal form of both is the same.

    >>> named_as({"steps": []}, Path("deploy.workflow.yaml"))
    {'name': 'deploy', 'steps': []}
    >>> named_as({"steps": []}, Path("my deploy.yaml")), named_as({"name": "a"}, Path("b.yaml"))
    ({'steps': []}, {'name': 'a'})
    """
    name = name_from_file(normal_form(file.name.partition(".")[0]) + SUFFIX)
    if name is None or not isinstance(definition, Mapping) or "name" in definition:
        return definition
    return {"name": name, **definition}


def read(path: Path, name: str | None = None) -> tuple[dict[str, Any], SavedWorkflow]:
    """Definition and metadata of a file, of a workflow called `name` where that is not the file's
    name. Raises WorkflowBroken for one that does not read, OSError for one that cannot be read
    now."""
    with path.open("rb") as file:
        # as many bytes as are asked for are taken of the memory, whatever the file has
        content = file.read(min(MAX_BYTES, os.fstat(file.fileno()).st_size) + 1)
    if len(content) > MAX_BYTES:
        raise WorkflowBroken(path.name, too_large(path.stat().st_size))
    try:
        data = load_json(content.decode())
    except UnicodeDecodeError as error:
        raise WorkflowBroken(path.name, f"no UTF-8 text at byte {error.start:,}") from None
    except ValueError as error:
        raise WorkflowBroken(path.name, str(error)) from None
    definition = data.get("definition", data) if isinstance(data, dict) else data
    if not isinstance(definition, dict) or not {"states", "steps"} & set(definition):
        raise WorkflowBroken(path.name, "it holds no definition with `states` or `steps`")
    name = name or name_from_file(path.name) or path.stem
    metadata = data.get("metadata") if definition is not data else None
    known = saved_from(name, {**_mapping(metadata), "description": definition.get("description")})
    return {**definition, "name": name}, known


def definition_description(definition: Mapping[str, Any]) -> str:
    said = definition.get("description")
    return said if isinstance(said, str) else ""


def saved_from(name: str, data: Mapping[str, Any]) -> SavedWorkflow:
    """What metadata says; where it says nothing of the kind, as if it said nothing."""
    kinds = {"success_count": int, "total_states": int}
    fields = ("description", *METADATA)
    # `type … is`, as true is an int for isinstance. The file may have been written by hand.
    usable = {key: data[key] for key in fields if type(data.get(key)) is kinds.get(key, str)}
    origin = data.get("origin")
    if isinstance(origin, list) and all(isinstance(word, str) for word in origin):
        usable["origin"] = tuple(origin)
    return replace(SavedWorkflow(name=name), **usable)


def text_of(definition: Mapping[str, Any], saved: SavedWorkflow) -> str:
    """A file's text. Raises BadText for what JSON cannot hold, and for too much."""
    # Twice: the first puts the name at the front, the second has the last word.
    named = {"name": saved.name, **definition} | {"name": saved.name}
    try:
        data = {"definition": named, "metadata": saved.metadata()}
        text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        size = len(text.encode())
        # Read at once: what could not be read back is to be refused here, and not at the next load.
        load_json(text)
    except (ValueError, TypeError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else error
        what = f"cannot be kept as JSON ({why})"
        raise BadText("The workflow", what, "Nothing was saved.") from None
    if size > MAX_BYTES:
        way = "Keep its data in a file and name that."
        raise BadText("The workflow", too_large(size).removeprefix("it "), way)
    return text


def _mapping(data: Any) -> Mapping[str, Any]:
    return data if isinstance(data, dict) else {}
