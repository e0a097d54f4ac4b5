"""a step -> what it rests on: names that it read, who wrote them, and what its line gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wfnb.core.data_flow import ABSENT, CODE_OF, DERIVED, LEFT, LIBRARY, OLD, PLAIN, UNSEEN
from wfnb.core.session import Session, Step
from wfnb.core.staleness import given_to
from wfnb.hints import Command
from wfnb.render.drawing.graph import Edge, Graph, Node
from wfnb.render.message import MIME, Table
from wfnb.render.text import escape, inline_code
from wfnb.render.text.css_fonts import FONT

from .graphs import Picture
from .staleness import reason, settles
from .step_words import refer, signs, states_of, title_of

_WRITERS = {
    PLAIN: "a cell that is no step",
    DERIVED: "a cell that is no step",
    UNSEEN: "not seen",
    LEFT: "a cell that is no step",
    OLD: "before another cell ran again",
}
Lacks = Callable[[Step], str]
_HEADS = ("name", "read from", "its line gives", "")


class StepExplanation:
    """Why a step is as it is: a sentence, the names that it read, and a picture of what it rests
    on, as far back as it goes."""

    def __init__(
        self,
        session: Session,
        step: Step,
        lacks: Lacks = lambda step: "",
        obstacle: str | None = None,
    ) -> None:
        """`lacks` says what became of the cell of a step: nothing where it is there. `obstacle`:
        why it cannot be run again now; None where there is no kernel that knows."""
        self.data = why_data(session, step)
        self.sentence = _sentence(session, step, lacks, obstacle)
        self.table = Table(_HEADS, list(_rows(session, step, lacks)), self.data)
        self.picture = Picture(graph(session, step))

    def __repr__(self) -> str:
        table = [repr(self.table)] if self.data["reads"] else []
        return "\n".join([escape.line(self.sentence), *table, self.picture.text])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        html = f'<div style="{FONT}">{inline_code.html(self.sentence)}</div>'
        if self.data["reads"]:
            html += self.table._repr_mimebundle_()["text/html"]
        return {MIME: self.data, "text/plain": repr(self), "text/html": html + self.picture.html}


def why_data(session: Session, step: Step) -> dict[str, Any]:
    """The same as JSON data: `reads` has the name, the step that it was read from and the one that
    the line takes it from (a place as `3` or `alt:3`; None: no step), and whether they agree."""
    flow = step.flow
    return {
        "step": refer(step, "main"),
        "stale": step.stale,
        "stale_reason": reason(session, step) or None,
        "known": flow is not None,
        "reads": [
            {
                "name": name,
                "from": _place(session, by),
                "given_by": _place(session, writer),
                "same": same,
            }
            for name, by, writer, same in _reads(session, step)
        ],
        "writes": [] if flow is None else list(flow.writes),
        "unseen": [] if flow is None else list(flow.unseen),
    }


def graph(session: Session, step: Step) -> Graph:
    """The step, what it read from, and so on: an edge for the names that one read of another."""
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], list[str]] = {}
    waiting, done = [step], {step.key}
    while waiting:
        one = waiting.pop()
        nodes[str(one.key)] = _node(one, current=one is step)
        for name, by, _, same in _reads(session, one):
            writer = session.steps.get(by) if by is not None and by > 0 else None
            tail = str(writer.key) if writer else "plain"
            if writer is None and _is_of_plain_cell(name, by):
                nodes[tail] = Node(id=tail, title="cells that are no steps", shape="end")
            # An edge to itself would only say that a step changes what it reads.
            elif writer is None or writer.key == one.key:
                continue
            edges.setdefault((tail, str(one.key)), []).append(name if same else f"{name} (old)")
            if writer is not None and writer.key not in done:
                done.add(writer.key)
                waiting.append(writer)
    # As numbers, for `10` comes after `9`: the same step gives the same picture.
    order = sorted(nodes, key=lambda id: (id != "plain", 0 if id == "plain" else int(id)))
    return Graph(
        name="why",
        title=f"what step {refer(step, 'main')} rests on",
        nodes=tuple(nodes[id] for id in order),
        edges=tuple(
            Edge(tail=tail, head=head, kind="transition", label=", ".join(sorted(names)))
            for (tail, head), names in sorted(edges.items())
        ),
        thing="step",
    )


def _is_of_plain_cell(name: str, by: int | None) -> bool:
    return by in (PLAIN, DERIVED, LEFT) and not name.startswith(CODE_OF)


def _node(step: Step, current: bool) -> Node:
    place = refer(step, "main")
    return Node(
        id=str(step.key),
        title=f"{place} {title_of(step.current.description, 40)}",
        state=states_of(step)[0],
        stale=step.stale,
        current=current,
    )


def _reads(session: Session, step: Step) -> Iterator[tuple[str, int | None, int | None, bool]]:
    """Of what a step read, but for what libraries give: the name, who wrote it, whom the line takes
    it from (None: nobody gives it), and whether that is the same."""
    flow = step.flow
    # A hidden or withdrawn step has no place on its line, so that the line gives it nothing.
    if flow is None or not step.is_counting:
        return
    given = {name: (version, writer) for name, version, writer in given_to(session, step)}
    for name, (version, by) in flow.reads.items():
        # A library's functions change with its version only, and would fill the table.
        if not version.startswith(LIBRARY):
            expected, writer = given.get(name, (version, by))
            yield name, by, _giver(expected, writer), expected == version
    for name in flow.absent:
        expected, writer = given.get(name, (ABSENT, None))
        if expected != ABSENT:
            yield name, None, _giver(expected, writer), False


def _giver(version: str, writer: int | None) -> int | None:
    return PLAIN if writer is None and version != ABSENT else writer


def _rows(session: Session, step: Step, lacks: Lacks) -> Iterator[tuple[str, ...]]:
    for name, by, writer, same in _reads(session, step):
        read = "nobody: it was not there" if by is None else _says(session, step, by, lacks)
        gives = "nobody" if writer is None else _says(session, step, writer, lacks)
        # Who wrote it is a file of code, which is neither a step nor a cell.
        if name.startswith(CODE_OF):
            read = gives = "its file"
        differs = "◌ changed since" if read == gives else "◌ another"
        yield name, read, gives, "✓ the same" if same else differs


def _says(session: Session, step: Step, by: int, lacks: Lacks) -> str:
    other = session.steps.get(by)
    if other is not None:
        name = f"{refer(other, step.branch)} {title_of(other.current.description, 40)}"
        return " · ".join(filter(None, (name, lacks(other))))
    return _WRITERS.get(by, "a step that is gone")


def _place(session: Session, by: int | None) -> str | None:
    other = None if by is None else session.steps.get(by)
    return None if other is None else refer(other, "main")


def _sentence(session: Session, step: Step, lacks: Lacks, obstacle: str | None) -> str:
    place = refer(step, "main")
    head = " · ".join(filter(None, (f"step {place}", signs(states_of(step)), lacks(step))))
    if step.stale:
        moves = f"{settles(session, step, obstacle)}{_without_cell(session, step, lacks)}"
        return f"{head} · {reason(session, step)} · {moves}"
    if not step.is_counting:
        why = "hidden" if step.hidden else "withdrawn"
        return f"{head} · it is {why}, and does not count: its line gives it nothing"
    if step.flow is None:
        return f"{head} · it has no code that was observed: it goes by its place on the line"
    unseen = f" · not observed: {', '.join(step.flow.unseen)}" if step.flow.unseen else ""
    # Not stale, and yet not the same: only a person's `confirm` does that.
    if not all(same for *_, same in _reads(session, step)):
        return f"{head} · it was confirmed, though not all that it read is what its line gives it"
    return f"{head} · all that it read is what its line gives it{unseen}"


def _without_cell(session: Session, step: Step, lacks: Lacks) -> str:
    """How the line goes without a step that gives something else, where its cell is gone."""
    given = (writer for *_, writer, same in _reads(session, step) if not same)
    steps = (session.steps.get(writer) for writer in given if writer is not None)
    gone = next((each for each in steps if each and lacks(each) == "cell gone"), None)
    if gone is None:
        return ""
    place = refer(gone, "main")
    return f"; `{Command('hide', place)}` takes step {place}, whose cell is gone, off its line"
