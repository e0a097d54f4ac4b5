"""text or file -> the data of a workflow's definition, from YAML or JSON.

What the data means is not asked here. A refusal says in one line what is wrong, and where.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfnb.data_files import plain_yaml
from wfnb.errors import WorkflowBroken, WorkflowEmpty
from wfnb.workflows.definition.problem import value_text

MAX_BYTES = 10_000_000

DEEPEST = 100
"""Lists and mappings within each other."""

LENIENT = 100_000
"""Characters of JSON with mistakes that YAML forgives, as a comma too many: it reads slowly."""

SAVED = {"definition", "metadata"}


def read_definition(text: str, where: str = "The text") -> Any:
    """What the text says: JSON where it is JSON, else YAML. Raises WorkflowBroken, with `where` it
    was read, the line and the column, and for words alone, which would be taken for a saved
    workflow's name; WorkflowEmpty for a text of comments, or of nothing."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise WorkflowBroken(where, too_large(size))
    try:
        # Editors on Windows put a byte order mark before the text, which is no JSON.
        data = _parse_text(text.removeprefix("\ufeff"))
    except ValueError as error:
        raise WorkflowBroken(where, str(error)) from None
    if data is None:
        raise WorkflowEmpty(where)
    if isinstance(data, str):
        raise WorkflowBroken(
            where, f"it has no `steps` or `states`, only the text {value_text(data)}"
        )
    return data


def read_file(path: Path, where: str | None = None) -> Any:
    """What a file says; of a saved workflow's file, its definition. Raises WorkflowBroken and
    WorkflowEmpty with `where` it is, as somebody wrote that (default: its name)."""
    where = where or path.name
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise WorkflowBroken(where, too_large(size))
        text = path.read_text("utf-8")
    except OSError as error:
        raise WorkflowBroken(where, error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        raise WorkflowBroken(where, f"no UTF-8 text at byte {error.start:,}") from None
    except ValueError as error:  # a NUL in the path
        raise WorkflowBroken(repr(str(path)), str(error)) from None
    data = read_definition(text, where)
    is_saved = isinstance(data, Mapping) and set(data) == SAVED
    return data["definition"] if is_saved else data


def too_large(size: int) -> str:
    return f"it is too large ({size:,} bytes; {MAX_BYTES:,} are read at most)"


def load_json(text: str) -> Any:
    """ValueError of one line for what is no JSON, says a key twice or is nested too deep."""
    try:
        data = json.loads(text, object_pairs_hook=_mapping, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        what = f"line {error.lineno}, column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}"
        raise ValueError(what) from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if _is_deeper(data, DEEPEST):
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    return data


def _parse_text(text: str) -> Any:
    no_json: ValueError | None = None
    if text.lstrip()[:1] == "{":
        try:
            return load_json(text)
        except ValueError as error:
            # `{"` was meant as JSON: its error says more than that of YAML, which reads braces in
            # its own way.
            no_json = error if text.lstrip()[1:].lstrip()[:1] == '"' else None
            if no_json and len(text) > LENIENT:
                raise
    try:
        data = plain_yaml.load(text)
    except ValueError as error:
        raise no_json or error from None
    if _is_deeper(data, DEEPEST):
        raise ValueError(f"it is nested more than {DEEPEST} deep")
    return data


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:80]!r} is there twice")
    return data


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _is_deeper(data: Any, depth: int) -> bool:
    """Whether anything is within more than `depth` lists and mappings."""
    # Level by level, since a recursion would fail on exactly what it is to refuse.
    level = [data]
    for _ in range(depth):
        level = [item for value in level for item in _child_values(value)]
        if not level:
            return False
    return any(isinstance(value, dict | list) for value in level)


def _child_values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
