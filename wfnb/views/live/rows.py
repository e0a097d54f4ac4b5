"""session -> its steps as rows of a timeline, in the order of creation: all, a page, one."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from wfnb.core.session import Session, Step
from wfnb.views.text import escape
from wfnb.views.words import cut, outcome_of, title_of

from .kept import kept_count

LAST = 60
"""Rows of a snapshot: the newest."""
MOST = 500
"""Rows of a page."""
TITLE, ROW_BYTES = 160, 520
"""Characters of a title; what a row takes on the wire, where a shorter title can do it."""
_LEAST, _RUNS = 24, 20

Started = Mapping[int, Sequence[str]]
"""Key of a step -> the names of the runs that it started."""


def row(session: Session, step: Step, index: int, runs: Sequence[str] = ()) -> dict[str, Any]:
    """A step as a line of the timeline; `index` is its place in the order of creation."""
    now, end = step.now, step.outcome
    reviser = session.steps.get(step.revised_by) if step.revised_by is not None else None
    confidence = now.findings.confidence if now.findings is not None else None
    data = {
        "index": index,
        "key": step.key,
        "number": step.number,
        "branch": step.branch,
        "title": "",
        "outcome": outcome_of(step),
        "stale": step.stale,
        "withdrawn": step.withdrawn,
        "stage": now.stage,
        "revises": now.revises,
        "revised_by": reviser.number if reviser else None,
        "attempts": step.attempts,
        "versions": len(step.versions),
        "cell_id": None if step.cell_id is None else sent(step.cell_id),
        "part": now.cell.part if now.cell else 0,
        "kept": kept_count(step),
        "duration": round(end.duration, 3) if end and end.duration is not None else None,
        "runs": [sent(name) for name in runs[-_RUNS:]],
        "confidence": None if confidence is None else cut(escape.line(confidence), 40),
    }
    data["title"] = fitting(title_of(now.description, TITLE), ROW_BYTES - size(data))
    return data


def fitting(text: str, room: int) -> str:
    """The text, cut so that it takes at most so many bytes, but for a few letters.

    >>> fitting("steps", 30), fitting("é" * 40, 60)
    ('steps', 'éééééééééééééééééééééééééééé…')
    """
    if size(text) - 2 <= room:
        return text
    used = 3
    for place, letter in enumerate(text):
        used += size(letter) - 2
        if used > room and place >= _LEAST:
            return text[:place].rstrip() + "…"
    return text


def sent(text: str) -> str:
    r"""A name as it is, but for what cannot be sent.

    >>> sent("a\ud800\x1b")
    'a?\x1b'
    """
    return text.encode(errors="replace").decode()


def size(data: Any) -> int:
    """Bytes of the data on the wire."""
    return len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(errors="replace"))


def last_rows(session: Session, runs: Started, last: int = LAST) -> list[dict[str, Any]]:
    """The newest rows, in order."""
    count = len(session.steps)
    newest = list(islice(reversed(session.steps.values()), max(0, last)))
    return [
        row(session, step, count - 1 - back, runs.get(step.key, ()))
        for back, step in reversed(list(enumerate(newest)))
    ]


def rows_at(
    session: Session, keys: Iterable[int], order: Sequence[int], runs: Started
) -> Iterator[dict[str, Any]]:
    """The rows of these steps in order; `order` are the keys of all steps, which go up."""
    for key in sorted(keys):
        index = bisect_left(order, key)
        yield row(session, session.steps[key], index, runs.get(key, ()))


def rows_page(
    session: Session,
    first: int,
    count: int,
    filter: Mapping[str, str] | None = None,
    runs: Started | None = None,
) -> dict[str, Any]:
    """Rows `first`.. of those that the filter lets pass (`branch`, `stage`, `outcome`, `text`, each
    where it is given); at most `MOST` of them. `index` stays the place among all steps."""
    wanted = _Filter(filter or {})
    passing: Iterable[tuple[int, Step]] = enumerate(session.steps.values())
    if wanted.says:
        passing = [(index, step) for index, step in passing if wanted(step)]
        total = len(passing)
    else:
        total = len(session.steps)
    start = max(0, first)
    shown = islice(passing, start, start + min(max(0, count), MOST))
    started = runs or {}
    return {
        "first": start,
        "count": total,
        "rows": [row(session, step, index, started.get(step.key, ())) for index, step in shown],
    }


class _Filter:
    """Whether a step is one of those asked for."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        self.says = {name: value for name, value in asked.items() if value}
        self._words = self.says.get("text", "").casefold().split()

    def __call__(self, step: Step) -> bool:
        says = self.says
        if "branch" in says and step.branch != says["branch"]:
            return False
        if "stage" in says and step.now.stage != says["stage"]:
            return False
        if "outcome" in says and not _became(step, says["outcome"]):
            return False
        if not self._words:
            return True
        description = step.now.description.casefold()
        return all(word in description for word in self._words)


def _became(step: Step, outcome: str) -> bool:
    return step.stale if outcome == "stale" else outcome_of(step) == outcome
