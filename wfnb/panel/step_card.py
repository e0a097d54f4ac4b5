"""session, key of a step -> all that is known of the step, for a card in a page."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from typing import Any

from wfnb.core.moved_cells import own_code, own_source
from wfnb.core.queries import step_at, visible
from wfnb.core.session import Session, Step
from wfnb.core.validation import MAX_SOURCE
from wfnb.errors import spoken
from wfnb.render.text import escape
from wfnb.render.text.line_diff import line_diff
from wfnb.render.text.safe_markdown import html as markup
from wfnb.views.figures import left_out
from wfnb.views.finding_lines import finding_lines
from wfnb.views.staleness import reason, settles
from wfnb.views.step_card import summary_line, version_data
from wfnb.views.step_words import (
    author_text,
    body_of,
    cut,
    outcome_of,
    permissions_text,
    refer,
    seconds,
    short,
    sign,
    title_of,
)

from .cell_digest import digest
from .kept_values import kept_card
from .timeline import sendable_text

VERSIONS, SOURCE, TEXT, VALUE = 30, 20_000, 4_000, 400
"""Versions of a step; characters of a source, of an error or a result, of a value."""
ELEMENTS = frozenset(
    (
        *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
    )
)
"""What a description may be made of in a page of JupyterLab; none has an attribute."""


def card(
    session: Session, key: int, time: Callable[[int], float | None] = lambda position: None
) -> dict[str, Any] | None:
    """One step opened; None where there is none of that key. `time` says when an entry of the
    journal was recorded."""
    step = session.steps.get(key)
    if step is None:
        return None
    now, end = step.current, step.ended
    at = time(step.running or step.end or step.key)
    return {
        **({} if at is None else {"at": at}),
        "key": step.key,
        "index": bisect_left([each.key for each in visible(session)], key),
        "number": step.number,
        "branch": step.branch,
        "title": title_of(now.description, TEXT),
        "says": _line(summary_line(session, step), 1_000),
        "html": plain_html(body_of(now.description)),
        "notebook": None if step.notebook is None else _line(step.notebook, 120),
        # All or none: a person may edit it there, and would save a cut text.
        "description": sendable_text(now.description) if len(now.description) <= SOURCE else None,
        "facts": [{"name": name, "value": value} for name, value in _facts(session, step)],
        "error": _text(end.error if end else None),
        "result": _text(end.result if end else None),
        "values": [
            {"name": _line(name), "value": _line(short(value, VALUE))}
            for name, value in (end.values if end else {}).items()
        ],
        "kept": kept_card(step),
        "findings": [_line(said, 2_000) for said in finding_lines(now.findings)],
        "versions": list(islice(_versions(step), VERSIONS)),
        "cell_id": None if step.cell_id is None else sendable_text(step.cell_id),
        "part": now.cell.part if now.cell else 0,
    }


def _versions(step: Step) -> Iterator[dict[str, Any]]:
    """The newest first, each with what it changed in the one before; of another title, with it."""
    title = f"{title_of(step.current.description)} · "
    found = list(version_data(step))
    for version, before in zip(found, [*found[1:], None], strict=True):
        now, was = version["source"], before["source"] if before else None
        changed = line_diff(was, now) if now and was else ""
        yield {
            "version": version["version"],
            "says": _line(version["says"].removeprefix(title)),
            "source": _text(now, SOURCE),
            **({"changed": _text(changed, SOURCE)} if changed else {}),
        }


def source(session: Session, key: int, version: int | None = None) -> dict[str, str] | None:
    """What a step's cell had for it, and the code in it; of an earlier version by its number. None
    where that was not kept whole, or there is no such version."""
    step = session.steps[key]
    known = dict(enumerate(step.versions, 1)).get(version or len(step.versions))
    cell = known.cell if known else None
    # A longer source was cut when it was recorded: put into a cell, it would look whole.
    if cell is None or not cell.source or len(cell.source) > MAX_SOURCE:
        return None
    return {"source": own_source(cell), "code": own_code(cell)}


def step_cell(step: Step) -> dict[str, Any]:
    """Where the step's cell is, and by which digest it is known that it was not edited since."""
    cell = step.current.cell
    return {
        "key": step.key,
        "place": _line(refer(step, "main")),
        "cell_id": None if step.cell_id is None else sendable_text(step.cell_id),
        "part": cell.part if cell else 0,
        "digest": digest(cell.source) if cell else None,
    }


def plain_html(markdown: str) -> str:
    """Markdown as HTML of `ELEMENTS` without any attribute: a link is its words.

    >>> plain_html("*a* [b](https://example.org) <i onclick=x>c</i>")
    '<p><em>a</em> b &lt;i onclick=x&gt;c&lt;/i&gt;</p>\\n'
    """
    if not markdown:
        return ""
    nh3 = import_module("nh3")  # heavy: only when Markdown is shown
    safe: str = nh3.clean(markup(markdown), tags=set(ELEMENTS), attributes={}, link_rel=None)
    return safe


def _facts(session: Session, step: Step) -> Iterator[tuple[str, str]]:
    """What is known beside the words, each with its name; nothing that is as usual."""
    now, end = step.current, step.ended
    total = session.total
    yield "step", str(step.number) if total is None else f"{step.number} of {now.total}"
    yield "line", step.branch
    if now.by is not None:
        yield "by", _line(author_text(now.by))
        if allowed := permissions_text(now.by):
            yield "it may", _line(allowed)
    yield "outcome", sign(outcome_of(step))
    if step.stale:
        yield "stale", _line(f"◌ {reason(session, step)}")
        yield "settled by", _line(settles(session, step))
    if step.is_withdrawn:
        yield "withdrawn", "⊖ it no longer counts"
    if end is not None and end.duration is not None:
        yield "took", seconds(end.duration)
    if now.stage:
        yield "stage", spoken(now.stage)
    line = session.lines[step.branch]
    if line.score is not None:
        why = line.reasons.get("scored")
        yield "score", _line(" · ".join(filter(None, (f"{line.score:.4g} ({step.branch})", why))))
    if now.revises is not None:
        revised = step_at(session, session.lines[step.branch], now.revises)
        yield "revises", _step(revised, step) if revised else str(now.revises)
    reviser = session.steps.get(step.revised_by) if step.revised_by is not None else None
    if reviser is not None:
        yield "revised by", _step(reviser, step)
    if step.attempts > 1:
        yield "attempts", str(step.attempts)
    if len(step.versions) > 1:
        yield "versions", str(len(step.versions))
    if now.findings is not None and now.findings.confidence:
        yield "confidence", _line(now.findings.confidence)
    for name, value in now.fields.items():
        yield _line(name), _line(short(value, VALUE))
    if left := left_out(step):
        yield "not kept", left
    for warning in step.warnings:
        yield "warning", _line(warning)


def _step(other: Step, step: Step) -> str:
    """The other step as the card of this one names it."""
    return _line(f"{refer(other, step.branch)} · {title_of(other.current.description)}", 160)


def _line(text: str, width: int = VALUE) -> str:
    return cut(escape.line(text), width)


def _text(text: str | None, width: int = TEXT) -> str | None:
    return None if text is None else cut(escape.printable(text), width)
