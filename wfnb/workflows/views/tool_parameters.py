"""the schema of a tool's parameters -> rows of a table: name, type, default, what it is.

>>> schema = {"properties": {"n": {"type": "integer", "default": 3}, "to": {}}, "required": ["to"]}
>>> parameter_rows(schema)
[('n', 'integer', 'default 3', ''), ('to', 'any', 'needed', '')]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Row = tuple[str, str, str, str]


def parameter_rows(schema: Mapping[str, Any]) -> list[Row]:
    needed = schema.get("required", ())
    return [
        (
            name,
            _type(field),
            "needed" if name in needed else _default(field),
            field.get("description", ""),
        )
        for name, field in schema.get("properties", {}).items()
    ]


def _type(field: Mapping[str, Any]) -> str:
    """Without `null`: that a value may be left out is said by its default."""
    types = [part.get("type") for part in field.get("anyOf", (field,))]
    return " or ".join(type for type in types if type not in (None, "null")) or "any"


def _default(field: Mapping[str, Any]) -> str:
    default = field.get("default")
    return "" if default in (None, [], {}) else f"default {default!r}"
