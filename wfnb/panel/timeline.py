"""session -> its steps as rows of a timeline, in the order of creation: all, a page, one."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from wfnb.core.events import Outcome
from wfnb.core.queries import visible
from wfnb.core.session import Session, Step
from wfnb.render.text import escape
from wfnb.views.step_filter import StepFilter
from wfnb.views.step_words import author_text, cut, outcome_of, refer, title_of

from .cell_digest import digest
from .kept_values import kept_count

MAX_AT_FIRST = 60
"""Rows of a snapshot: the newest."""
MAX_ROWS = 500
TITLE, ROW_BYTES = 160, 520
"""Characters of a title; what a row takes on the wire, where a shorter title can do it."""
_LEAST, _RUNS, _NAME, _BLOB = 24, 20, 80, 12

NOWHERE: frozenset[int] = frozenset()
Started = Mapping[int, Sequence[str]]
"""Key of a step -> the names of the runs that it started."""


def row(
    session: Session,
    step: Step,
    index: int,
    runs: Sequence[str] = (),
    ran: Container[int] = NOWHERE,
) -> dict[str, Any]:
    """A step as a line of the timeline; `index` is its place in the order of creation, `ran` has
    the keys of the steps that the process ran that shows it."""
    now, end = step.current, step.outcome
    confidence = now.findings.confidence if now.findings is not None else None
    data = {
        "index": index,
        "key": step.key,
        "number": step.number,
        "branch": step.branch,
        "title": "",
        "outcome": outcome_of(step),
        "stale": step.stale,
        "stage": now.stage,
        "revises": now.revises,
        "revised_by": _reviser(session, step),
        "attempts": step.attempts,
        "versions": len(step.versions),
        "cell_id": None if step.cell_id is None else sendable_text(step.cell_id),
        "part": now.cell.part if now.cell else 0,
        **({} if step.notebook is None else {"notebook": cut(sendable_text(step.notebook), _NAME)}),
        "kept": kept_count(step),
        "duration": round(end.duration, 3) if end and end.duration is not None else None,
        "runs": [sendable_text(name) for name in runs[-_RUNS:]],
        "confidence": None if confidence is None else cut(escape.line(confidence), 40),
        # What few steps have is sent only where it is there: rows are most of what goes over the
        # wire.
        **({"tags": list(step.tags)} if step.tags else {}),
        **({"figures": figure_names(end)} if end and end.figures else {}),
        **({"by": sendable_text(author_text(now.by))} if now.by else {}),
        **({"withdrawn": True} if step.is_withdrawn else {}),
        **({"hidden": True} if step.hidden else {}),
    }
    if now.selects is not None:
        data["selects"] = sendable_text(now.selects)
    if step.key in ran:  # what is as for most is not sent
        data["here"] = True
    source_digest = digest(now.cell.source) if now.cell is not None else None
    if source_digest is not None:
        data["digest"] = source_digest
    # Last: it gets the room that the other facts leave.
    data["title"] = cut_to_size(title_of(now.description, TITLE), ROW_BYTES - size(data))
    return data


def figure_names(end: Outcome) -> list[str]:
    """The beginnings of what names their bytes: another figure never has the name of the one
    before, however often its step runs or is taken back."""
    return [sendable_text(each.blob[:_BLOB]) for each in end.figures]


def _reviser(session: Session, step: Step) -> int | str | None:
    """The number of the step that revises it; with its line, where that is another, which may have
    a step of that number, too."""
    reviser = session.steps.get(step.revised_by) if step.revised_by is not None else None
    if reviser is None:
        return None
    return (
        reviser.number
        if reviser.branch == step.branch
        else sendable_text(refer(reviser, step.branch))
    )


def cut_to_size(text: str, room: int) -> str:
    """The text, cut so that it takes at most so many bytes, but for a few letters.

    >>> cut_to_size("steps", 30), cut_to_size("é" * 40, 60)
    ('steps', 'éééééééééééééééééééééééééééé…')
    """
    # Less the two quotes of JSON.
    if size(text) - 2 <= room:
        return text
    # The bytes of the ellipsis.
    used = 3
    for place, letter in enumerate(text):
        used += size(letter) - 2
        if used > room and place >= _LEAST:
            return text[:place].rstrip() + "…"
    return text


def sendable_text(text: str) -> str:
    r"""A name as it is, but for what cannot be sent.

    >>> sendable_text("a\ud800\x1b")
    'a?\x1b'
    """
    return text.encode(errors="replace").decode()


def size(data: Any) -> int:
    """Bytes of the data on the wire."""
    return len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(errors="replace"))


def last_rows(
    session: Session, runs: Started, last: int = MAX_AT_FIRST, ran: Container[int] = NOWHERE
) -> list[dict[str, Any]]:
    """The newest rows, in order."""
    count = len(session.steps) - len(session.hidden)
    # From the end: a snapshot of a long session must not go through all its steps.
    shown = (step for step in reversed(session.steps.values()) if not step.hidden)
    newest = list(islice(shown, max(0, last)))
    return [
        row(session, step, count - 1 - back, runs.get(step.key, ()), ran)
        for back, step in reversed(list(enumerate(newest)))
    ]


def rows_at(
    session: Session,
    keys: Iterable[int],
    order: Sequence[int],
    runs: Started,
    ran: Container[int] = NOWHERE,
) -> Iterator[dict[str, Any]]:
    """The rows of these steps in order; `order` are the keys of all that are not hidden, which go
    up."""
    for key in sorted(keys):
        index = bisect_left(order, key)
        yield row(session, session.steps[key], index, runs.get(key, ()), ran)


def rows_page(
    session: Session,
    first: int,
    count: int,
    filter: Mapping[str, Any] | None = None,
    runs: Started | None = None,
    ran: Container[int] = NOWHERE,
) -> dict[str, Any]:
    """Rows `first`.. of those that the filter lets pass (`branch`, `stage`, `outcome`, `text`, each
    where it is given; `hidden`: of the hidden steps); at most `MAX_ROWS` of them. `index` stays the
    place among all that are not hidden."""
    wanted = StepFilter(filter or {})
    passing: Iterable[tuple[int, Step]] = enumerate(visible(session))
    if "hidden" in wanted.says:
        order = [step.key for step in visible(session)]
        hidden = (session.steps[key] for key in sorted(session.hidden))
        passing = [(bisect_left(order, step.key), step) for step in hidden]
    if wanted.says:
        # Only a filter makes a list: the count of all steps is known without one.
        passing = [(index, step) for index, step in passing if wanted(step)]
        total = len(passing)
    else:
        total = len(session.steps) - len(session.hidden)
    start = max(0, first)
    shown = islice(passing, start, start + min(max(0, count), MAX_ROWS))
    started = runs or {}
    return {
        "first": start,
        "count": total,
        "rows": [
            row(session, step, index, started.get(step.key, ()), ran) for index, step in shown
        ],
    }


def notebook_names(session: Session) -> list[str]:
    """The names of the notebooks in which the session has steps."""
    return sorted(
        {sendable_text(step.notebook) for step in session.steps.values() if step.notebook}
    )
