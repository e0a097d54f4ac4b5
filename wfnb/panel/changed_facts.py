"""facts as they were, and are -> those that differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def differing_facts(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that are not as they were.

    >>> differing_facts({"a": 1, "b": 2}, {"a": 1, "b": 3})
    {'b': 3}
    """
    old = before or {}
    return {name: value for name, value in now.items() if name not in old or old[name] != value}


def changes(
    name: str, before: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """New ones whole; of others, what differs beside their name.

    >>> changes("id", {"a": {"id": "a", "n": 1}}, {"a": {"id": "a", "n": 2}})
    [{'id': 'a', 'n': 2}]
    """
    changed_rows = []
    for id, each in now.items():
        changed = differing_facts(before.get(id), each)
        if changed:
            changed_rows.append({name: id, **changed})
    return changed_rows
