"""session -> Graph: the history as steps on lanes, a strategy as stages with the way taken."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any
from zlib import crc32

from wfnb.core.queries import (
    counting_head,
    head,
    own,
    stage_choices,
    stage_of,
    step_at,
    visible,
    visible_before,
    visible_lines,
    visible_on,
)
from wfnb.core.session import Line, Session, Step
from wfnb.core.strategy import Strategy
from wfnb.core.strategy_ledgers import ledger
from wfnb.errors import spoken
from wfnb.render import drawing
from wfnb.render.drawing.graph import Edge, Graph, Lane, Node
from wfnb.render.message import MIME, Table
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import FONT
from wfnb.render.text.tables import html_table

from .run_entries import RunEntry, by_step, run_notes
from .stage_guide import guide, guide_lines
from .step_words import ledger_table, line_state, notes, states_of, title_of


class Picture:
    """One graph in every form: `svg`, `dot`, `mermaid`, `text`; shown as itself in a notebook."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def svg(self) -> str:
        return drawing.svg.svg(self.graph)

    @property
    def dot(self) -> str:
        return drawing.dot.dot(self.graph)

    @property
    def mermaid(self) -> str:
        return drawing.mermaid.mermaid(self.graph)

    @property
    def text(self) -> str:
        return drawing.text_drawing.outline(self.graph)

    @property
    def html(self) -> str:
        """The drawing, and under it the same as a table."""
        twin = drawing.text_drawing.table(self.graph)
        return drawn_html(self.svg, self.text, html_table(twin.heads, twin.rows))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            MIME: {"picture": self.graph.name},
            "text/plain": self.text,
            # No image/svg+xml beside it: what shows HTML shows that first, and a notebook would
            # store the drawing twice.
            "text/html": self.html,
        }


class StagePicture(Picture):
    """A strategy drawn, and beside it what to do in its stages: where the line stands and goes on
    in `lines`, all of them in `guides`; and in `kept` what the strategy keeps of the line."""

    def __init__(
        self, graph: Graph, lines: Sequence[str], guides: Table, kept: Table | None
    ) -> None:
        super().__init__(graph)
        self.lines, self.guides, self.kept = lines, guides, kept

    def __repr__(self) -> str:
        kept = [repr(self.kept)] if self.kept else []
        return "\n".join([self.text, *map(escape.line, self.lines), *kept])

    @property
    def html(self) -> str:
        lines = "".join(f"<div>{escape.html(line)}</div>" for line in self.lines)
        kept = self.kept.html if self.kept else ""
        return (
            f'{super().html}<div style="{FONT}">{lines}</div>{kept}'
            '<details style="font-size:.9em"><summary style="cursor:pointer;opacity:.72">'
            f"what to do in each stage</summary>{self.guides.html}</details>"
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {**super()._repr_mimebundle_(include, exclude), "text/plain": repr(self)}


def drawn_html(svg: str, text: str, table: str) -> str:
    """A drawing, and under it the same as a table, for people who cannot see it.

    Where a page is not trusted, front ends take out drawings and styles and leave their words
    in a heap. Then the text stands in: the style that hides it, and shows the drawing, is gone.
    Its names are the picture's own, so that it reaches no other output on the page.
    """
    # Of its content, not at random: the same output each time that the notebook runs.
    name = f"wfnb-{crc32(svg.encode()):08x}"
    return (
        f'<div class="wfnb-picture"><style>.{name}-drawn{{display:block!important}}'
        f'.{name}-plain{{display:none}}</style><div class="{name}-drawn" style="display:none">'
        f'{svg}</div><pre class="{name}-plain">{escape.html(text)}</pre>'
        '<details style="font-size:.9em"><summary style="cursor:pointer;opacity:.72">as a table'
        f"</summary>{table}</details></div>"
    )


def history_graph(session: Session, runs: Sequence[RunEntry] = ()) -> Graph:
    """A node a step that is not hidden, a lane a line; branches, revisions and merges as edges; the
    runs that a step started in its note. Where there are no steps, a node a run."""
    if not session.steps and runs:
        return _runs_graph(session, runs)
    lines = visible_lines(session)
    lanes = {line.id: index for index, line in enumerate(lines)}
    started = by_step(runs)
    return Graph(
        name="history",
        title=session.name,
        nodes=tuple(
            _node(session, step, lanes[step.branch], run_notes(started.get(step.key, ())))
            for step in visible(session)
        ),
        edges=tuple(_edges(session)),
        lanes=tuple(Lane(id=line.id, state=line_state(session, line)) for line in lines),
    )


_SAME = ("success", "failed", "cancelled", "interrupted", "running")
"""How a run ended, where its state says the same."""


def _runs_graph(session: Session, runs: Sequence[RunEntry]) -> Graph:
    return Graph(
        name="history",
        title=session.name,
        nodes=tuple(
            Node(
                id=entry.name,
                number=str(place),
                title=entry.name,
                state=entry.state,
                note="" if entry.status in _SAME else spoken(entry.status),
                tooltip=" · ".join(filter(None, (entry.workflow, entry.error))),
            )
            for place, entry in enumerate(runs, start=1)
        ),
        edges=(),
        direction="LR",
        thing="run",
    )


def _node(session: Session, step: Step, lane: int, ran: Sequence[str]) -> Node:
    return Node(
        id=str(step.key),
        number=str(step.number),
        title=title_of(step.current.description),
        state=states_of(step)[0],
        stale=step.stale,
        note=" · ".join((*notes(session, step), *ran)),
        lane=lane,
        tooltip=step.current.description,
    )


def _edges(session: Session) -> Iterator[Edge]:
    for line in visible_lines(session):
        before = shown_origin(session, line)
        for step in visible_on(session, line):
            if before is not None:
                kind = "next" if before.branch == step.branch else "branch"
                yield Edge(tail=str(before.key), head=str(step.key), kind=kind)  # type: ignore[arg-type]
            before = step
            if step.current.revises is not None:
                revised = step_at(session, line, step.current.revises)
                if revised is not None and not revised.hidden:
                    yield Edge(tail=str(step.key), head=str(revised.key), kind="revises")
        yield from _merge(session, line)


def _merge(session: Session, line: Line) -> Iterator[Edge]:
    joined = joined_step(session, line)
    own_steps = visible_on(session, line) if joined is not None else []
    if own_steps:
        yield Edge(tail=str(own_steps[-1].key), head=str(joined), kind="merge")


def joined_step(session: Session, line: Line) -> int | None:
    """The key of the first step that came after a branch was merged into its line."""
    if line.merged_into is None:
        return None
    into = session.lines[line.merged_into]
    # The numbers of a line go up: no look at the steps before the merge.
    after = into.numbers[bisect(into.numbers, line.merged_after or 0) :]
    # Lazily: the first that is not hidden is nearly always the first of all.
    keys = (into.keys[number] for number in after)
    return next((key for key in keys if key not in session.hidden), None)


def stage_graph(session: Session, strategy: Strategy, branch: str) -> Graph:
    """A node a stage; transitions that were taken are counted, and the line's stage is marked."""
    # The stages of another strategy may have the same names: its steps are no visits of this one.
    taken = _transitions(session) if session.strategy == strategy else Counter()
    at = counting_head(session, session.lines[branch])
    current = at.current.stage if at is not None and session.strategy == strategy else None
    visited = {stage for pair in taken for stage in pair} | {
        step.current.stage for step in session.steps.values() if session.strategy == strategy
    }
    return Graph(
        name=strategy.name,
        title=strategy.title or strategy.name,
        nodes=tuple(
            Node(
                id=name,
                title=spoken(name),
                state="current" if name == current else "ok" if name in visited else "not yet",
                shape="stage" if stage.next else "end",
                current=name == current,
                tooltip=stage.description,
            )
            for name, stage in strategy.stages.items()
        ),
        edges=tuple(
            Edge(
                tail=name,
                head=after,
                kind="taken" if taken[name, after] else "transition",
                label=f"{taken[name, after]}×" if taken[name, after] > 1 else "",
            )
            for name, stage in strategy.stages.items()
            for after in stage.next
        ),
        direction="LR",
    )


def _transitions(session: Session) -> Counter[tuple[str, str]]:
    """How often each transition was taken on any line."""
    taken: Counter[tuple[str, str]] = Counter()
    for line in session.lines.values():
        before = left_step(session, line)
        for step in own(session, line):
            way = came_by(session, line, before, step)
            if way is not None:
                taken[way] += 1
            before = step
    return taken


def left_step(session: Session, line: Line) -> Step | None:
    """The step that a branch left."""
    return step_at(session, session.lines[line.parent], line.leaves) if line.parent else None


def shown_origin(session: Session, line: Line) -> Step | None:
    """The same, or the last before it that is not hidden."""
    if line.parent is None:
        return None
    return visible_before(session, session.lines[line.parent], line.leaves)


def came_by(
    session: Session, line: Line, before: Step | None, step: Step
) -> tuple[str, str] | None:
    """The transition by which a step of the line follows the one before it; back from a branch
    counts as well."""
    back = session.leaving.get(before.key, []) if before is not None else []
    # A line that explored an alternative ends, and its parent goes on from there: that is a
    # transition, though the step before it on the line is another.
    heads = (head(session, session.lines[name]) for name in back if name != line.id)
    # The step before goes first: only where it does not lead here may a branch have.
    for origin in chain((before,), heads):
        stage = stage_of(session, origin)
        if stage and origin and origin.current.stage and step.current.stage in stage.next:
            return origin.current.stage, step.current.stage
    return None


def branch_picture(session: Session, runs: Sequence[RunEntry] = ()) -> Picture:
    return Picture(history_graph(session, runs))


def stage_picture(session: Session, strategy: Strategy, branch: str) -> StagePicture:
    current, following, kept = None, [strategy.start], None
    if session.strategy == strategy:
        line = session.lines[branch]
        at = counting_head(session, line)
        current = at.current.stage if at else None
        following = list(stage_choices(session, line))
        strategy_ledger = ledger(session, line)
        kept = None if strategy_ledger is None else ledger_table(strategy_ledger)
    rows = [(spoken(name), guide(stage)) for name, stage in strategy.stages.items()]
    return StagePicture(
        stage_graph(session, strategy, branch),
        list(guide_lines(strategy, current, following)),
        Table(("stage", "what to do in it"), rows, None),
        kept,
    )
