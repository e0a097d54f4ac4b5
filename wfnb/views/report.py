"""session -> a report of it to read: Markdown, and HTML in one file that fetches nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfnb.core.findings import Look
from wfnb.core.header import code
from wfnb.core.queries import answer_step, visible, visible_lines, visible_on
from wfnb.core.session import Line, Session, Step
from wfnb.core.solution import is_solved, unsolved_reason
from wfnb.core.tally import tally
from wfnb.investigations.core.assessment import missing_at_end
from wfnb.investigations.core.investigation import investigation_of, looks_before
from wfnb.render import html_page
from wfnb.render.message import MIME
from wfnb.render.text import escape, inline_code
from wfnb.render.text.markup import html as markup

from .card import summary_line, version_data, version_html
from .compare import Comparison, compare
from .inquiry import finding_lines
from .inquiry.code_views import call_graph
from .inquiry.page import FindingsPage
from .pictures import Picture, branch_picture, stage_picture
from .run_entries import RunEntry, by_step
from .words import body_of, came_to, fate, short, states_of, tally_line, title_of


class Report:
    """`markdown` and `html` of one session, the same for the same session: no times of writing.
    `runs` are told beside the steps that started them."""

    def __init__(self, session: Session, runs: Sequence[RunEntry] = ()) -> None:
        self.session = session
        self.runs = tuple(runs)

    @property
    def markdown(self) -> str:
        return "\n".join(_markdown(self.session, self.runs)) + "\n"

    @property
    def html(self) -> str:
        body = _html(self.session, self.runs)
        return "\n".join(html_page.page(self.session.name, body)) + "\n"

    def __repr__(self) -> str:
        return self.markdown

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/markdown": self.markdown, "text/plain": self.markdown, MIME: {"report": True}}


def report(session: Session, runs: Sequence[RunEntry] = ()) -> Report:
    return Report(session, runs)


def summary(session: Session, runs: int = 0) -> str:
    """The session in one sentence.

    "5 steps on 2 lines · 1 stale · react · not solved yet: step 4 failed"
    """
    steps, lines = len(visible(session)), len(visible_lines(session))
    if not session.steps and runs:
        return f"{runs} run{'s' * (runs != 1)}"
    said = [f"{steps} step{'s' * (steps != 1)} on {lines} line{'s' * (lines != 1)}"]
    if session.stale:
        said.append(f"{len(session.stale)} stale")
    if session.hidden:
        said.append(f"{len(session.hidden)} hidden")
    if session.strategy:
        said.append(session.strategy.name)
    now = investigation_of(session)
    if now is not None:
        said.append(now.kind.name)
    last = answer_step(session)
    lacks = () if last is None else missing_at_end(session, last)
    said.append(came_to(is_solved(session), last is None, lacks, unsolved_reason(session)))
    return " · ".join(said)


Runs = Mapping[int, Sequence[RunEntry]]  # by key of the step that started them


def _markdown(session: Session, runs: Sequence[RunEntry]) -> Iterator[str]:
    started = by_step(runs)
    yield f"# {escape.markdown(session.name)}"
    yield f"\n{escape.markdown(summary(session, len(runs)))}"
    if investigation_of(session) is not None:
        yield f"\n**Verdict:** {escape.markdown(FindingsPage(session).verdict)}"
    found = answer_step(session)
    if found is not None:
        yield f"\n**Answer:** {escape.markdown(title_of(found.current.description, 400))}"
    yield f"\n## History\n\n```text\n{_branch_text(session, runs)}\n```"
    if investigation_of(session) is not None:
        yield from FindingsPage(session).markdown_part()
    for line in _lines(session, runs):
        yield f"\n## {escape.markdown(_heading(line))}"
        for fact in _facts(session, line):
            yield f"\n{escape.markdown(fact)}"
        for step in visible_on(session, line):
            yield from _markdown_step(session, step, started)
    if loose := _unattached_runs(session, runs):
        yield "\n## Runs of no step\n"
        yield from (f"- {escape.markdown(said)}" for said in loose)
    if len(visible_lines(session)) > 1:
        yield f"\n## Branches side by side\n\n{_line_comparison(session).markdown}"
    for fact in _tally_lines(session):
        yield f"\n## Answers counted\n\n{escape.markdown(fact)}"
    if reports := [entry.report for entry in runs if entry.report]:
        yield "\n## Runs"
        for each in reports:
            yield from each.markdown_part()


def _lines(session: Session, runs: Sequence[RunEntry]) -> Sequence[Line]:
    """Those to tell of: where there are only runs, none."""
    return () if runs and not session.steps else tuple(visible_lines(session))


def _branch_text(session: Session, runs: Sequence[RunEntry]) -> str:
    return branch_picture(session, runs).text.replace("```", "` ` `")


def _markdown_step(session: Session, step: Step, runs: Runs) -> Iterator[str]:
    yield f"\n### {step.number}. {escape.markdown(title_of(step.current.description))}"
    yield f"\n{escape.markdown(summary_line(session, step))}"
    for said in _step_runs(step, runs):
        yield f"\n{escape.markdown(said)}"
    found = [f"- {inline_code.markdown(said)}" for said in finding_lines.step_lines(step)]
    if looks := looks_before(session, step):
        found.append("- looked at")
        found += [f"  - {look.kind}: {_look_text(look)}" for look in looks]
    if found:
        yield "\n" + "\n".join(found)
    for path in (path for look in looks for path in look.drawn):
        yield f"\n```mermaid\n{Picture(call_graph(path)).mermaid}```"
    body = body_of(step.current.description)
    if body:
        yield "\n" + "\n".join(f"> {line}" for line in escape.without_tags(body).splitlines())
    source = _source(step)
    if source:
        fence = escape.fence(source)
        yield f"\n{fence}python\n{escape.printable(source)}\n{fence}"
    if step.outcome and step.outcome.error:
        yield f"\n{escape.markdown(step.outcome.error)}"
    newest, *older = version_data(step)
    for said in newest["earlier"]:
        yield f"\nearlier: {escape.markdown(said)}"
    for version in older:
        yield f"\nversion {version['version']}: {escape.markdown(version['says'])}"


def _look_text(look: Look) -> str:
    return inline_code.span(look.what) if look.kind == "cell" else inline_code.markdown(look.what)


def _source(step: Step) -> str:
    """What the step ran. Of an investigation without the lines that say what is told above it."""
    source = step.current.cell.source if step.current.cell else ""
    return source if step.current.findings is None else code(source)


def _step_runs(step: Step, runs: Runs) -> Iterator[str]:
    """A line for each run that the step started."""
    return map(_run_line, runs.get(step.key, ()))


def _unattached_runs(session: Session, runs: Sequence[RunEntry]) -> list[str]:
    """A line for each run that no step started: where there are only runs, none."""
    return [_run_line(e) for e in runs if e.step not in session.steps] if session.steps else []


def _run_line(entry: RunEntry) -> str:
    return f"{entry.says} · {entry.error}" if entry.error else entry.says


def _html(session: Session, runs: Sequence[RunEntry]) -> Iterator[str]:
    name, started = escape.html(session.name), by_step(runs)
    yield f'<h1>{name}</h1><p class="quiet">{escape.html(summary(session, len(runs)))}</p>'
    if investigation_of(session) is not None:
        yield f"<p><b>Verdict:</b> {escape.html(FindingsPage(session).verdict)}</p>"
    found = answer_step(session)
    if found is not None:
        yield f'<div class="answer">{markup(found.current.description)}</div>'
    yield f"<h2>History</h2>{branch_picture(session, runs).html}"
    if session.strategy is not None:
        picture = stage_picture(session, session.strategy, next(iter(session.lines)))
        yield f"<h2>Stages: {escape.html(session.strategy.name)}</h2>{picture.html}"
    now = investigation_of(session)
    if now is not None:
        yield f"<h2>Investigation: {escape.html(now.kind.name)}</h2>"
        yield from FindingsPage(session).html_part()
    for line in _lines(session, runs):
        yield f"<h2>{escape.html(_heading(line))}</h2>"
        for fact in _facts(session, line):
            yield f'<p class="quiet">{escape.html(fact)}</p>'
        for step in visible_on(session, line):
            yield from _html_step(session, step, started)
    if loose := _unattached_runs(session, runs):
        yield "<h2>Runs of no step</h2>"
        yield from (f"<p>{escape.html(said)}</p>" for said in loose)
    if len(visible_lines(session)) > 1:
        yield f"<h2>Branches side by side</h2>{_line_comparison(session).html}"
    for fact in _tally_lines(session):
        yield f"<h2>Answers counted</h2><p>{escape.html(fact)}</p>"
    if reports := [entry.report for entry in runs if entry.report]:
        yield "<h2>Runs</h2>"
        for each in reports:
            yield from each.html_part()


def _html_step(session: Session, step: Step, runs: Runs) -> Iterator[str]:
    title = escape.html(title_of(step.current.description))
    shown = " ".join(states_of(step))
    yield f'<div class="step {shown}"><h3>{step.number}. {title}</h3>'
    yield f'<p class="quiet">{escape.html(summary_line(session, step))}</p>'
    for said in _step_runs(step, runs):
        yield f'<p class="quiet">{escape.html(said)}</p>'
    found = [f"<li>{inline_code.html(said)}</li>" for said in finding_lines.step_lines(step)]
    if looks := looks_before(session, step):
        found.append(f"<li>looked at<ul>{''.join(map(_looked_html, looks))}</ul></li>")
    if found:
        yield f"<ul>{''.join(found)}</ul>"
    for path in (path for look in looks for path in look.drawn):
        yield Picture(call_graph(path)).html
    yield markup(body_of(step.current.description))
    newest, *older = version_data(step)
    for said in newest["earlier"]:
        yield f'<p class="quiet">earlier: {escape.html(said)}</p>'
    if source := _source(step):
        yield f"<details><summary>code</summary><pre>{escape.html(source)}</pre></details>"
    if step.outcome and step.outcome.error:
        yield f"<pre>{escape.html(step.outcome.error)}</pre>"
    yield from map(version_html, older)
    yield "</div>"


def _looked_html(look: Look) -> str:
    what = escape.html(look.what)
    shown = f"<code>{what}</code>" if look.kind == "cell" else inline_code.html(look.what)
    return f"<li>{escape.html(look.kind)}: {shown}</li>"


def _heading(line: Line) -> str:
    return (
        line.id if line.parent is None else f"{line.id}, from step {line.leaves} of {line.parent}"
    )


def _facts(session: Session, line: Line) -> Iterator[str]:
    became = fate(session, line)
    facts = [] if became == "open" else [became]
    if line.score is not None:
        facts.append(f"score {short(line.score)}")
    if line.reason:
        facts.append(line.reason)
    if facts:
        yield " · ".join(facts)


def _line_comparison(session: Session) -> Comparison:
    return compare(session, visible_lines(session), frozenset(), frozenset())


def _tally_lines(session: Session) -> Iterator[str]:
    for line in session.lines.values():
        counted = tally(session, line) if line.numbers else None
        if counted is not None:
            yield tally_line(counted)
            return
