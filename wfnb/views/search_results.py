"""what a search found in the sessions of a folder -> a table of it, and the same as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wfnb.core.session import Session, Step
from wfnb.core.validation import place_text
from wfnb.frozen_record import record
from wfnb.render.message import Table
from wfnb.render.text import escape

from .run_entries import RunEntry
from .step_filter import Words
from .step_words import author_text, run_sign, title_of

WIDTH = 160
"""Characters of a title, and of a line below it."""


@record
class Hit:
    """A step, or a run with the step that started it."""

    title: str
    place: str | None = None
    """The step's as it is said anywhere: `3`, `alt:3`."""
    key: int | None = None
    """What the step has for ever."""
    says: str = ""
    """The line in which the words are, where the title has none."""
    by: str | None = None
    run: str | None = None
    """Of a run, its name."""
    cell_id: str | None = None
    part: int = 0
    notebook: str | None = None


@record
class SessionHits:
    """What was found in one session, the newest first: of `count` as many as are to be shown.
    `notebooks` are the paths of its notebooks. `fault`: why it could not be read."""

    session: str
    notebooks: tuple[str, ...] = ()
    archived: bool = False
    count: int = 0
    hits: tuple[Hit, ...] = ()
    fault: str = ""

    @property
    def is_empty(self) -> bool:
        return self.count == 0 and not self.fault


def step_hit(step: Step, words: Words) -> Hit:
    now = step.current
    return Hit(
        title=title_of(now.description, WIDTH),
        place=place_text(step.branch, step.number),
        key=step.key,
        says=words.line(step),
        by=author_text(now.by) if now.by else None,
        **_written(step),
    )


def run_hit(session: Session, entry: RunEntry) -> Hit:
    step = None if entry.step is None else session.steps.get(entry.step)
    return Hit(
        title=f"run {entry.name} of {entry.workflow} · {run_sign(entry.status)}",
        place=place_text(step.branch, step.number) if step else None,
        key=step.key if step else None,
        says=title_of(entry.error, WIDTH) if entry.error else "",
        run=entry.name,
        **_written(step),
    )


def _written(step: Step | None) -> dict[str, Any]:
    """Where a step was written."""
    if step is None:
        return {}
    cell = step.current.cell
    return {"cell_id": step.cell_id, "part": cell.part if cell else 0, "notebook": step.notebook}


def session_data(of_session: SessionHits) -> dict[str, Any]:
    """As JSON data: every text is on one line, and free of what a terminal or a page obeys."""
    return {
        "session": escape.line(of_session.session),
        "notebooks": list(of_session.notebooks),
        "archived": of_session.archived,
        "count": of_session.count,
        "hits": [_hit_data(hit) for hit in of_session.hits],
        **({"fault": escape.line(of_session.fault)} if of_session.fault else {}),
    }


def _hit_data(hit: Hit) -> dict[str, Any]:
    texts = {"says": hit.says, "by": hit.by, "run": hit.run, "notebook": hit.notebook}
    return {
        "step": hit.place,
        "key": hit.key,
        "title": escape.line(hit.title),
        **({} if hit.cell_id is None else {"cell_id": escape.line(hit.cell_id), "part": hit.part}),
        **{name: escape.line(text) for name, text in texts.items() if text},
    }


def heading(of_session: SessionHits) -> str:
    """The session, where it is, and how much was found in it."""
    left = of_session.count - len(of_session.hits)
    parts = [of_session.session, *of_session.notebooks]
    parts += ["archived"] if of_session.archived else []
    parts += [f"{left} more"] if left > 0 else []
    return " · ".join(parts)


def rows(of_session: SessionHits) -> Iterator[tuple[str, str, str]]:
    """A row a hit: its step, title, and the line in which the words are."""
    for hit in of_session.hits:
        by = f" · by {hit.by}" if hit.by else ""
        yield hit.place or "–", f"{hit.title}{by}", hit.says
    if of_session.fault:
        yield "–", of_session.fault, ""


def table(sessions: Iterable[SessionHits]) -> Table:
    """A row a hit, each with its session and notebooks."""
    each = list(sessions)
    body: list[Sequence[str]] = [(heading(one), *row) for one in each for row in rows(one)]
    data = {"sessions": [session_data(one) for one in each]}
    return Table(("session", "step", "title", "where"), body, data)
