"""What was recorded, as lines that a person can read and compare: whole records, by the fields in
which something is said."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any


def said(value: Any, *but: str) -> str:
    """The fields of a record that are not as they are where nothing is said, but for these."""
    return "".join(
        f" {name}={as_json(now)}" for name, now in _said(value).items() if name not in but
    )


def _said(value: Any) -> dict[str, Any]:
    found = {}
    for each in fields(value):
        made = each.default if each.default_factory is MISSING else each.default_factory()
        now = getattr(value, each.name)
        if now != made and (now or made is not MISSING):
            found[each.name] = now
    return found


def as_json(value: Any) -> str:
    text = json.dumps(_plain(value), ensure_ascii=False)
    return text if len(text) < 2_000 else f"{text[:60]}… {len(text)} …{text[-60:]}"


def _plain(value: Any) -> Any:
    """As JSON has it: keys as texts, and they and what has no order in the order of its text."""
    if is_dataclass(value):
        return {name: _plain(now) for name, now in _said(value).items() if name != "work"}
    if isinstance(value, Mapping):
        texts = {key if isinstance(key, str) else as_json(key): it for key, it in value.items()}
        return {key: _plain(texts[key]) for key in sorted(texts)}
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value), key=as_json)
    return list(map(_plain, value)) if isinstance(value, list | tuple) else value


def written(stories: Iterable[str], text_of: Callable[[str], str]) -> str:
    return "\n".join(f"## {story}\n\n{text_of(story).strip()}\n" for story in stories)


def sections(file: Path) -> dict[str, list[str]]:
    """The lines under each head."""
    parts = (part.partition("\n") for part in file.read_text("utf-8").split("## ")[1:])
    return {head: text.strip().splitlines() for head, _, text in parts}
