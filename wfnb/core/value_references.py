"""the fields of a step that stand for its own values, `@name` -> what those are at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .session import Step


def own_names(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the values that fields stand for.

    >>> own_names({"answer": "@total", "source": "a@b"})
    ('total',)
    """
    return tuple(
        value[1:]
        for value in fields.values()
        if isinstance(value, str) and value[:1] == "@" and value[1:].isidentifier()
    )


def settled(step: Step, field: str) -> Any:
    """A field of the step; None where it stands for a value that is not known."""
    value = step.current.fields.get(field)
    for name in own_names({field: value}):
        return None if step.outcome is None else step.outcome.values.get(name)
    return value
