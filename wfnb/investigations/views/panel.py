"""session -> its investigation as a panel shows it: the last of each list, texts cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.core.session import Session
from wfnb.investigations.core.hypothesis_fates import mark_of
from wfnb.investigations.core.investigation import investigation_of
from wfnb.render.text import escape
from wfnb.views.step_words import cut

from .snapshot import investigation, sentence

MAX_ENTRIES, MAX_ENTRY_LENGTH = 100, 400
"""Entries of a list, characters of one; the report has all."""


def inquiry(session: Session) -> dict[str, Any] | None:
    """None where the session is no investigation. It takes the time of all its steps."""
    data = investigation(session)
    now = investigation_of(session)
    if data is None or now is None:
        return None
    # The newest of each, and the worst issues: a panel has no room for thousands.
    levels = list(now.kind.confidence.levels)
    return {
        "kind": data["kind"],
        "status": data["status"],
        "says": escape.line(" · ".join(sentence(data))),
        "end": _text(data["end"]),
        "confidence": [
            {**_texts(each, "step", "level", "state"), "place": _place(levels, each["level"])}
            for each in data["confidence"][-MAX_ENTRIES:]
        ],
        "levels": levels,
        "checklist": [
            {
                "text": _text(item["do"]),
                "done": item["ticked_by"] is not None,
                "by": _ticked_by(item),
                "box": item["box"],
            }
            for item in data["checklist"]
        ],
        "findings": [
            _texts(each, "step", "text", "state") for each in data["findings"][-MAX_ENTRIES:]
        ],
        "found": sum(not each["state"] for each in data["findings"]),
        "issues": [
            {**_texts(each, "severity", "text", "state"), "steps": list(each["steps"])}
            for each in data["issues"][:MAX_ENTRIES]
        ],
        "hypotheses": [
            {**_texts(each, "step", "text", "fate", "why"), "number": mark_of(each["text"])}
            for each in data["hypotheses"][-MAX_ENTRIES:]
        ],
        "files": [_text(name) for name in data["files"][-MAX_ENTRIES:]],
    }


def _place(levels: Sequence[str], level: str | None) -> int:
    return levels.index(level) if level in levels else -1


def _ticked_by(item: Mapping[str, Any]) -> str | None:
    return None if item["ticked_by"] is None else _text(item["ticked_by"])


def _texts(data: Mapping[str, Any], *names: str) -> dict[str, str]:
    return {name: _text(data[name]) for name in names}


def _text(said: str | None) -> str:
    return cut(escape.line(said or ""), MAX_ENTRY_LENGTH)
