"""session -> a report of it to read: Markdown, and HTML in one file that fetches nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from wfnb.core.queries import (
    answer_step,
    counting_head,
    deciding_step,
    visible,
    visible_lines,
    visible_on,
)
from wfnb.core.session import Line, Session, Step
from wfnb.core.solution import awaited_reason, is_solved, missing_at_end
from wfnb.core.strategy_ledgers import ledger
from wfnb.core.validation import MAIN
from wfnb.core.vote_tally import tally
from wfnb.core.yaml_header import code_without_headers
from wfnb.errors import spoken
from wfnb.render import document, html_page
from wfnb.render.document import (
    Part,
    box,
    bullets,
    code,
    figure,
    folded,
    heading,
    paragraph,
    prose,
    quiet,
    table,
)
from wfnb.render.message import MIME

from .code_comparison import CodeComparison, compare_code
from .extension import active
from .figures import FigureRoom
from .finding_lines import step_lines
from .graphs import branch_picture, stage_picture
from .line_comparison import Comparison, compare
from .run_entries import RunEntry, by_step
from .step_card import summary_line, version_data
from .step_words import body_of, came_to, fate, ledger_table, short, states_of, tally_line, title_of


class Report:
    """`markdown` and `html` of one session, the same for the same session: no times of writing.
    `runs` are told beside the steps that started them, `figures` under those that showed them."""

    def __init__(
        self,
        session: Session,
        runs: Sequence[RunEntry] = (),
        figures: FigureRoom | None = None,
    ) -> None:
        self.session = session
        self.runs = tuple(runs)
        self._figures = figures or FigureRoom(None, 0)

    @property
    def markdown(self) -> str:
        return document.markdown(self._parts())

    @property
    def html(self) -> str:
        return html_page.page(self.session.name, document.html(self._parts()))

    def _parts(self) -> Iterator[Part]:
        return _parts(self.session, self.runs, self._figures.afresh())

    def __repr__(self) -> str:
        return self.markdown

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/markdown": self.markdown, "text/plain": self.markdown, MIME: {"report": True}}


def report(
    session: Session, runs: Sequence[RunEntry] = (), figures: FigureRoom | None = None
) -> Report:
    return Report(session, runs, figures)


def summary(session: Session, runs: int = 0) -> str:
    """The session in one sentence.

    "5 steps on 2 lines · 1 stale · react · not solved yet: step 4 failed"
    """
    steps, lines = len(visible(session)), len(visible_lines(session))
    if not session.steps and runs:
        return f"{runs} run{'s' * (runs != 1)}"
    parts = [f"{steps} step{'s' * (steps != 1)} on {lines} line{'s' * (lines != 1)}"]
    if session.stale:
        parts.append(f"{len(session.stale)} stale")
    if session.hidden:
        parts.append(f"{len(session.hidden)} hidden")
    if session.strategy:
        parts.append(session.strategy.name)
    parts += [label for extension in active(session) if (label := extension.label(session))]
    more, lacks = answer_step(session) is None, missing_at_end(session)
    parts.append(came_to(is_solved(session), more, lacks, awaited_reason(session)))
    return " · ".join(filter(None, parts))


def _stage(session: Session, line: Line) -> str:
    head = counting_head(session, line)
    stage = head.current.stage if head is not None else None
    return "no stage" if stage is None else spoken(stage)


Runs = Mapping[int, Sequence[RunEntry]]  # by key of the step that started them


def _parts(session: Session, runs: Sequence[RunEntry], figures: FigureRoom) -> Iterator[Part]:
    started, answering = by_step(runs), answer_step(session) if is_solved(session) else None
    yield heading(1, session.name)
    yield quiet(summary(session, len(runs)))
    for extension in active(session):
        yield from extension.report_opening(session)
    if answering is not None:
        yield box("answer", _answer(answering))
    yield heading(2, "History")
    yield figure(branch_picture(session, runs))
    if session.strategy is not None:
        yield heading(2, f"Stages: {session.strategy.name}")
        first, *others = visible_lines(session)
        yield figure(stage_picture(session, session.strategy, first.id))
        if others:
            stands = ", ".join(f"{line.id} at {_stage(session, line)}" for line in others)
            yield quiet(f"Marked is where {first.id} is. Beside it: {stands}.")
    for extension in active(session):
        yield from extension.report_section(session)
    # A session of runs alone has its first line, and nothing on it.
    for line in () if runs and not session.steps else visible_lines(session):
        yield heading(2, _heading(line))
        yield from map(quiet, _facts(session, line))
        for step in visible_on(session, line):
            look = " ".join(("step", *states_of(step)))
            yield box(look, _step_parts(session, step, started, figures))
    if unattached := _unattached_runs(session, runs):
        yield heading(2, "Runs of no step")
        yield bullets((text, ()) for text in unattached)
    if len(visible_lines(session)) > 1:
        yield heading(2, "Branches side by side")
        yield table(_line_comparison(session))
        for line in visible_lines(session):
            if line.parent is not None:
                yield from _code(compare_code(session, session.lines[line.parent], line))
    if counted := _tally_lines(session):
        yield heading(2, "Answers counted")
        yield from map(paragraph, counted)
    if strategy_ledger := ledger(session, _deciding_line(session)):
        yield heading(2, strategy_ledger.title.capitalize())
        yield table(ledger_table(strategy_ledger))
        yield from (paragraph(text) for text in strategy_ledger.lacks)
    if reports := [entry.report for entry in runs if entry.report]:
        yield heading(2, "Runs")
        for each in reports:
            yield from each.parts()


def _answer(step: Step) -> Iterator[Part]:
    yield paragraph(title_of(step.current.description, 400), label="Answer")
    yield prose(body_of(step.current.description))


def _step_parts(session: Session, step: Step, runs: Runs, figures: FigureRoom) -> Iterator[Part]:
    yield heading(3, f"{step.number}. {title_of(step.current.description)}")
    yield quiet(summary_line(session, step))
    yield from map(quiet, map(_run_line, runs.get(step.key, ())))
    points: list[tuple[str, list[str]]] = [(line, []) for line in step_lines(step)]
    for extension in active(session):
        points += extension.step_points(session, step)
    yield bullets(points)
    for extension in active(session):
        yield from extension.step_figures(session, step)
    yield prose(body_of(step.current.description))
    if source := _source(step):
        yield code(source, language="python", title="code")
    end = step.ended
    if end and end.result:
        yield quiet(f"result: {end.result}")
    yield from figures.parts(step)
    if end and end.error:
        yield code(end.error)
    yield from (quiet(f"warning: {line}") for line in step.warnings)
    newest, *older = version_data(step)
    yield from (quiet(f"earlier: {line}") for line in newest["earlier"])
    yield from map(_version, older)


def _version(version: Mapping[str, Any]) -> Part:
    """One that is no longer the newest."""
    lines = (*(f"earlier: {line}" for line in version["earlier"]), *version.get("found", ()))
    parts = [*map(quiet, lines), prose(body_of(version["description"]))]
    if version["source"]:
        parts.append(code(version["source"], language="python"))
    return folded(f"version {version['version']}: {version['says']}", parts)


def _source(step: Step) -> str:
    """What the step ran. Of an investigation without the lines that say what is told above it."""
    source = step.current.cell.source if step.current.cell else ""
    return source if step.current.findings is None else code_without_headers(source)


def _unattached_runs(session: Session, runs: Sequence[RunEntry]) -> list[str]:
    """A line for each run that no step started: where there are only runs, none."""
    return [_run_line(e) for e in runs if e.step not in session.steps] if session.steps else []


def _run_line(entry: RunEntry) -> str:
    return f"{entry.says} · {entry.error}" if entry.error else entry.says


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


def _code(comparison: CodeComparison) -> Iterator[Part]:
    """How a branch's code differs from that of the line that it left, where it does."""
    shown = [pair for pair in comparison.pairs if pair.diff]
    if shown:
        each = ((quiet(f"{pair.places} · {pair.title}"), code(pair.diff, "diff")) for pair in shown)
        yield folded(comparison.sentence, chain.from_iterable(each))


def _deciding_line(session: Session) -> Line:
    """The line of the step that says whether the whole is solved."""
    step = deciding_step(session)
    return session.lines[MAIN if step is None else step.branch]


def _tally_lines(session: Session) -> list[str]:
    """The answers of each line that has others than those before it; of which, where there are
    several."""
    line_of_tally: dict[str, str] = {}
    for line in visible_lines(session):
        counted = tally(session, line) if line.numbers else None
        if counted is not None:
            # A branch counts the answers of the line that it left, too: the same count is told
            # once.
            line_of_tally.setdefault(tally_line(counted), line.id)
    return [
        f"{line}: {words}" if len(line_of_tally) > 1 else words
        for words, line in line_of_tally.items()
    ]
