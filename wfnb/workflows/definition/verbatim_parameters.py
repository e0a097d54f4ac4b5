"""a JSON Schema of parameters -> those that hold a program, and so are passed as they are written.

A program has braces of its own: an f-string, a dict, a set. No reader of it could tell which of
them wfnb would fill in, so it fills in none; a program gets its values by another parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

VERBATIM = "x-verbatim"
"""The keyword of a parameter's schema that says so."""


def verbatim(parameters: Mapping[str, Any]) -> frozenset[str]:
    """The names of the parameters in which no placeholder is filled in.

    >>> sorted(verbatim({"properties": {"code": {"x-verbatim": True}, "text": {}}}))
    ['code']
    """
    known = parameters.get("properties", {})
    return frozenset(name for name, schema in known.items() if is_verbatim(schema))


def is_verbatim(schema: Any) -> bool:
    """Whether a parameter of that schema may hold a program."""
    return any(part.get(VERBATIM) is True for part in _forms(schema))


def has_format(schema: Any, format: str) -> bool:
    """Whether a parameter of that schema may hold a text of a format."""
    return any(part.get("format") == format for part in _forms(schema))


def _forms(schema: Any) -> Iterator[Mapping[str, Any]]:
    """A schema, and those it offers a choice of."""
    if isinstance(schema, Mapping):
        yield schema
        for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            yield from _forms(part)
