"""session -> a report of it to read: Markdown, and HTML in one file that fetches nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfnb.core.questions import answer_step, own, tally
from wfnb.core.session import Line, Session, Step

from .card import about, told, version_html
from .compare import Comparison, compare
from .lines import tally_line
from .pictures import branch_picture, stage_picture
from .text import escape
from .text.markup import html as markup
from .words import MIME, body_of, short, state_of, title_of

_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.55 system-ui,sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
.quiet{opacity:.72}.step{border-left:3px solid rgba(128,128,128,.5);padding:.1rem 0 .1rem .9rem;
margin:1rem 0}.step.failed{border-left-style:double}.step.stale{border-left-style:dashed}
.step h3{font-size:1rem;margin:0}.step p{margin:.4rem 0}
pre{overflow:auto;padding:.6rem .8rem;border:1px solid rgba(128,128,128,.35);font-size:.85rem}
summary{cursor:pointer}blockquote{margin:.4rem 0;padding-left:.8rem;border-left:2px solid
rgba(128,128,128,.5)}svg{max-width:100%;height:auto}.answer{border:1px solid rgba(128,128,128,.5);
padding:.6rem .9rem;margin:1rem 0}
table{border-collapse:collapse}
td,th{padding:.15rem .7rem .15rem 0;text-align:left;vertical-align:top}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Report:
    """`markdown` and `html` of one session, the same for the same session: no times of writing."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def markdown(self) -> str:
        return "\n".join(_markdown(self.session)) + "\n"

    @property
    def html(self) -> str:
        return "\n".join(_html(self.session)) + "\n"

    def __repr__(self) -> str:
        return self.markdown

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/markdown": self.markdown, "text/plain": self.markdown, MIME: {"report": True}}


def report(session: Session) -> Report:
    return Report(session)


def summary(session: Session) -> str:
    """The session in one sentence.

    "5 steps on 2 lines · 1 stale · react · not solved yet"
    """
    steps, lines = len(session.steps), len(session.lines)
    said = [f"{steps} step{'s' * (steps != 1)} on {lines} line{'s' * (lines != 1)}"]
    if session.stale:
        said.append(f"{len(session.stale)} stale")
    if session.strategy:
        said.append(session.strategy.name)
    said.append("solved" if answer_step(session) else "not solved yet")
    return " · ".join(said)


def _markdown(session: Session) -> Iterator[str]:
    yield f"# {escape.markdown(session.name)}"
    yield f"\n{escape.markdown(summary(session))}"
    found = answer_step(session)
    if found is not None:
        yield f"\n**Answer:** {escape.markdown(title_of(found.now.description, 400))}"
    yield f"\n## History\n\n```text\n{branch_picture(session).text.replace('```', '` ` `')}\n```"
    for line in session.lines.values():
        yield f"\n## {escape.markdown(_heading(line))}"
        for fact in _facts(line):
            yield f"\n{escape.markdown(fact)}"
        for step in own(session, line):
            yield from _markdown_step(session, step)
    if len(session.lines) > 1:
        yield f"\n## Branches side by side\n\n{_compared(session).markdown}"
    for fact in _counted(session):
        yield f"\n## Answers counted\n\n{escape.markdown(fact)}"


def _markdown_step(session: Session, step: Step) -> Iterator[str]:
    yield f"\n### {step.number}. {escape.markdown(title_of(step.now.description))}"
    yield f"\n{escape.markdown(about(session, step))}"
    body = body_of(step.now.description)
    if body:
        yield "\n" + "\n".join(f"> {line}" for line in escape.untagged(body).splitlines())
    source = step.now.cell.source if step.now.cell else ""
    if source:
        fence = escape.fence(source)
        yield f"\n{fence}python\n{escape.printable(source)}\n{fence}"
    if step.outcome and step.outcome.error:
        yield f"\n{escape.markdown(step.outcome.error)}"
    newest, *older = told(step)
    for said in newest["earlier"]:
        yield f"\nearlier: {escape.markdown(said)}"
    for version in older:
        yield f"\nversion {version['version']}: {escape.markdown(version['says'])}"


def _html(session: Session) -> Iterator[str]:
    name = escape.html(session.name)
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="generator" content="wfnb">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{name}</title><style>{_STYLE}</style></head><body>"
    yield f'<h1>{name}</h1><p class="quiet">{escape.html(summary(session))}</p>'
    found = answer_step(session)
    if found is not None:
        yield f'<div class="answer">{markup(found.now.description)}</div>'
    yield f"<h2>History</h2>{branch_picture(session).html}"
    if session.strategy is not None:
        picture = stage_picture(session, session.strategy, next(iter(session.lines)))
        yield f"<h2>Stages: {escape.html(session.strategy.name)}</h2>{picture.html}"
    for line in session.lines.values():
        yield f"<h2>{escape.html(_heading(line))}</h2>"
        for fact in _facts(line):
            yield f'<p class="quiet">{escape.html(fact)}</p>'
        for step in own(session, line):
            yield from _html_step(session, step)
    if len(session.lines) > 1:
        yield f"<h2>Branches side by side</h2>{_compared(session).html}"
    for fact in _counted(session):
        yield f"<h2>Answers counted</h2><p>{escape.html(fact)}</p>"
    yield "</body></html>"


def _html_step(session: Session, step: Step) -> Iterator[str]:
    title = escape.html(title_of(step.now.description))
    yield f'<div class="step {state_of(step)}"><h3>{step.number}. {title}</h3>'
    yield f'<p class="quiet">{escape.html(about(session, step))}</p>'
    yield markup(body_of(step.now.description))
    newest, *older = told(step)
    for said in newest["earlier"]:
        yield f'<p class="quiet">earlier: {escape.html(said)}</p>'
    if newest["source"]:
        code = escape.html(newest["source"])
        yield f"<details><summary>code</summary><pre>{code}</pre></details>"
    if step.outcome and step.outcome.error:
        yield f"<pre>{escape.html(step.outcome.error)}</pre>"
    yield from map(version_html, older)
    yield "</div>"


def _heading(line: Line) -> str:
    return (
        line.id if line.parent is None else f"{line.id}, from step {line.leaves} of {line.parent}"
    )


def _facts(line: Line) -> Iterator[str]:
    facts = []
    if line.state != "open":
        facts.append(f"{line.state} into {line.merged_into}" if line.merged_into else line.state)
    if line.score is not None:
        facts.append(f"score {short(line.score)}")
    if line.reason:
        facts.append(line.reason)
    if facts:
        yield " · ".join(facts)


def _compared(session: Session) -> Comparison:
    return compare(session, list(session.lines.values()), frozenset(), frozenset())


def _counted(session: Session) -> Iterator[str]:
    for line in session.lines.values():
        counted = tally(session, line) if line.numbers else None
        if counted is not None:
            yield tally_line(counted)
            return
