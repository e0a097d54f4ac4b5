"""a JSON Schema -> its fields in words: the rows of a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]
_KINDS = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "object": "mapping",
    "null": "null",
}


def rows(schema: Schema, linked: bool = False) -> Iterator[tuple[str, str, str, str]]:
    """Field, what it may be, its default, what it means. `linked`: what is defined elsewhere in
    the schema leads to the heading of its name."""
    needed = schema.get("required", ())
    fields = schema.get("properties", {}).items()
    for name, field in sorted(fields, key=lambda item: item[0] not in needed):
        default = "needed" if name in needed else _default(field)
        yield f"`{name}`", kind(field, linked), default, field.get("description", "")


def kind(schema: Schema, linked: bool = False) -> str:
    """What a value may be, in words.

    >>> kind({"type": "integer", "minimum": 0, "maximum": 100})
    'whole number, 0–100'
    >>> kind({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "number"}}]})
    'text, or list (each: number)'
    >>> kind({"enum": ["stop", "continue"]})
    '`stop` or `continue`'
    """
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return _or([f"`{value}`" for value in schema["enum"]], " ")
    if "anyOf" in schema:
        return _or([kind(part, linked) for part in schema["anyOf"]], ", ")
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        heading = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
        return f"[{name}](#{heading})" if linked else name
    return _plain(schema, linked)


def _plain(schema: Schema, linked: bool) -> str:
    kinds = schema.get("type", "anything")
    if isinstance(kinds, list):
        return _or([_KINDS.get(one, "list") for one in kinds], " ")
    if kinds == "array":
        if "prefixItems" in schema:
            return f"list of {len(schema['prefixItems'])} numbers"
        return f"list{_each(schema, linked)}{_between(schema, 'minItems', 'maxItems')}"
    if schema.get("format") == "regex":
        return "regular expression"
    if "%" in schema.get("pattern", ""):
        return "share, as `10%`"
    if "pattern" in schema:
        return f"name{_between(schema, 'minLength', 'maxLength')}"
    if "patternProperties" in schema:
        (inner,) = schema["patternProperties"].values()
        many = _between(schema, "minProperties", "maxProperties")
        return f"mapping of names (each: {kind(inner, linked)}){many}"
    if kinds == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"mapping (each: {kind(schema['additionalProperties'], linked)})"
    return _KINDS.get(kinds, kinds) + _range(schema)


def _each(schema: Schema, linked: bool) -> str:
    return f" (each: {kind(schema['items'], linked)})" if schema.get("items") else ""


def _range(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum")
    if low is not None and high is not None:
        above = "above " if "exclusiveMinimum" in schema else ""
        return f", {above}{_number(low)}{' to ' if above else '–'}{_number(high)}"
    return _between(schema, "minLength", "maxLength")


def _between(schema: Schema, low: str, high: str) -> str:
    least, most = schema.get(low), schema.get(high)
    if most is not None:
        many = f"{least:,}–{most:,}" if least is not None else f"at most {most:,}"
        return f", {many}" + (" characters" if "Length" in high else "")
    return ", not empty" if least else ""


def _default(field: Schema) -> str:
    default = field.get("default")
    if default in (None, "", [], {}):
        return "–"
    return f"`{json.dumps(default) if not isinstance(default, float) else _number(default)}`"


def _number(value: float) -> str:
    """
    >>> _number(1800.0), _number(0.1)
    ('1,800', '0.1')
    """
    return f"{value:,g}" if value < 100_000 else f"{value:,.0f}"


def _or(words: list[str], comma: str) -> str:
    words = list(dict.fromkeys(words))
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])}{comma}or {words[-1]}"
