"""session -> the stages of its strategy as a drawing, and how its boxes and ways look now.

Where things stand depends on the strategy alone: it is laid out once. What the session did with it
are marks, kept in step with single steps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from wfnb.core.queries import counting_head
from wfnb.core.session import Line, Session, Step
from wfnb.core.strategy import Stage, Strategy
from wfnb.core.validation import MAIN
from wfnb.render.drawing.graph import SIGNS, State
from wfnb.render.text import escape
from wfnb.render.text.text_width import cut
from wfnb.views.graphs import came_by, left_step, stage_graph
from wfnb.views.stage_guide import guide

from .drawn_graph import draw_graph

Shape = tuple[str, str, tuple[tuple[str, str, str, tuple[str, ...]], ...]]
_GUIDE = 600
Marks = dict[str, list[dict[str, Any]]]


class Ways:
    """How often each transition was taken. What a step adds depends on few others: when it looks
    otherwise, it and they are counted again."""

    def __init__(self, session: Session) -> None:
        self.taken: Counter[tuple[str, str]] = Counter()
        self._by: dict[int, tuple[str, str]] = {}
        if session.strategy is not None:
            for step in session.steps.values():
                self._count(session, step)

    def count(self, session: Session, step: Step) -> None:
        """As things are now that the step looks otherwise."""
        if session.strategy is not None:
            for each in _affected_steps(session, step):
                self._count(session, each)

    def _count(self, session: Session, step: Step) -> None:
        line = session.lines[step.branch]
        way = came_by(session, line, _previous_step(session, line, step), step)
        # Taken off first: the way by which it came may be another now, or none.
        counted = self._by.pop(step.key, None)
        if counted is not None:
            self.taken[counted] -= 1
        if way is not None:
            self._by[step.key] = way
            self.taken[way] += 1


def _previous_step(session: Session, line: Line, step: Step) -> Step | None:
    place = bisect_left(line.numbers, step.number)
    if place:
        return session.steps[line.keys[line.numbers[place - 1]]]
    return left_step(session, line)


def _affected_steps(session: Session, step: Step) -> Iterator[Step]:
    """The step, those right after it, and those that came back from its line to where it left."""
    line = session.lines[step.branch]
    yield step
    yield from _next_steps(session, step)
    origin = left_step(session, line)
    if origin is not None:
        yield from _next_steps(session, origin)


def _next_steps(session: Session, step: Step) -> Iterator[Step]:
    line = session.lines[step.branch]
    place = bisect_right(line.numbers, step.number)
    if place < len(line.numbers):
        yield session.steps[line.keys[line.numbers[place]]]
    for name in session.leaving.get(step.key, ()):
        branch = session.lines[name]
        if branch.numbers:
            yield session.steps[branch.keys[branch.numbers[0]]]


def stages(session: Session, marked: Marks) -> dict[str, Any] | None:
    """The strategy drawn, with its marks; None without one, or where it is too large."""
    strategy = session.strategy
    bare = None if strategy is None else _draw_shape(_shape(strategy))
    return None if bare is None else with_marks(bare, marked)


def marks(session: Session, line: str, used: Mapping[str, int], ways: Ways) -> Marks:
    """How the boxes and ways of the strategy look. `used` is how many steps have each stage."""
    strategy = session.strategy
    if strategy is None:
        return {"nodes": [], "edges": []}
    at = counting_head(session, session.lines[line])
    current_stage = at.current.stage if at else None
    return {
        "nodes": [
            {"id": name, "sign": SIGNS[state], "state": state}
            for name in strategy.stages
            for state in (_state(name, current_stage, used),)
        ],
        "edges": [
            {"tail": name, "head": after, "label": f"{taken}×" if taken > 1 else "", "taken": taken}
            for name, stage in strategy.stages.items()
            for after in stage.next
            for taken in (ways.taken[name, after],)
        ],
    }


def changed_marks(before: Marks, now: Marks) -> Marks:
    """The marks that differ, of the same strategy."""
    return {
        part: [new for old, new in zip(before[part], now[part], strict=True) if old != new]
        for part in now
    }


def with_marks(drawing: Mapping[str, Any], marked: Marks) -> dict[str, Any]:
    """The drawing as it looks with the marks."""
    nodes = {mark["id"]: mark for mark in marked["nodes"]}
    edges = {(mark["tail"], mark["head"]): mark for mark in marked["edges"]}
    return {
        **drawing,
        "nodes": [{**node, **nodes.get(node["id"], {})} for node in drawing["nodes"]],
        "edges": [
            {**edge, **edges.get((edge["tail"], edge["head"]), {})} for edge in drawing["edges"]
        ],
    }


def _state(name: str, current_stage: str | None, used: Mapping[str, int]) -> State:
    if name == current_stage:
        return "current"
    return "ok" if used.get(name, 0) > 0 else "not yet"


def _shape(strategy: Strategy) -> Shape:
    each = (
        (name, stage.description, guide(stage), stage.next)
        for name, stage in strategy.stages.items()
    )
    return strategy.title or strategy.name, strategy.start, tuple(each)


@lru_cache(maxsize=32)
def _draw_shape(shape: Shape) -> Mapping[str, Any] | None:
    """The strategy of that shape, with room for every sign. What to do in a stage is told once,
    with its box."""
    title, start, each = shape
    stages = {name: Stage(description=words, next=after) for name, words, _, after in each}
    to_do = {name: words_to_do for name, _, words_to_do, _ in each}
    # Made of the shape alone, which can be hashed: a strategy cannot, and has more than is drawn.
    strategy = Strategy(name="stages", title=title, start=start, stages=stages)
    # Of an empty session: the drawing must not depend on what happened, or it could not be kept.
    graph = stage_graph(Session(), strategy, MAIN)
    drawn = draw_graph(
        replace(graph, nodes=tuple(replace(node, state="current") for node in graph.nodes))
    )
    if drawn is None:
        return None
    guides = {
        name: cut(escape.line(words_to_do[:1200]), _GUIDE) for name, words_to_do in to_do.items()
    }
    return {**drawn, "nodes": [{**node, "guide": guides[node["id"]]} for node in drawn["nodes"]]}
