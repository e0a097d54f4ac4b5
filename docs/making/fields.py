"""a page written by hand -> the same page, with its tables of fields: what a definition may have.

`<!-- fields of State -->` on a line of its own is followed by the table of that part of the schema
of workflows; `State but not Work` leaves out what `Work` has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from wfnb.workflows.definition import models
from wfnb.workflows.definition.schema import workflow_schema

from .markdown import table
from .schema import rows

_TABLE = re.compile(
    r"^<!-- fields of (?P<part>\w+)(?: but not (?P<less>\w+))? -->\n(?:\|.*\n)*", re.M
)
_HEADS = ("field", "may be", "default", "what it means")


def with_tables(page: str) -> str:
    return _TABLE.sub(_filled, page)


def parts(page: str) -> set[str]:
    """The parts of a definition of which the page has a table."""
    return {found["part"] for found in _TABLE.finditer(page)}


def _filled(found: re.Match[str]) -> str:
    schema = _schema(found["part"])
    less = set(_schema(found["less"])["properties"]) if found["less"] else set()
    chosen = {name: field for name, field in schema["properties"].items() if name not in less}
    said = table(_HEADS, rows({**schema, "properties": chosen}, linked=True))
    return f"{found[0].partition(chr(10))[0]}\n{said}\n"


def _schema(part: str) -> Mapping[str, Any]:
    """A part as it is published; what both forms have, and what all actions have, is published
    with each of them, and is cut out by the fields that the model has."""
    defined = workflow_schema()["$defs"]
    if part in defined:
        return dict(defined[part])
    model: type[BaseModel] = getattr(models, part)
    whole = next(
        defined[kind.__name__]
        for kind in reversed(model.__subclasses__())
        if kind.__name__ in defined and issubclass(kind, model)
    )
    names = [field.alias or name for name, field in model.model_fields.items()]
    common = {name: whole["properties"][name] for name in names}
    return {"properties": common, "required": []}
