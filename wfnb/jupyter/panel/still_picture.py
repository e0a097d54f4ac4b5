"""session, its runs -> the picture that stands in for a widget where none can be shown.

It is saved with the widget, so that it has the last steps only, and few bytes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wfnb.core.session import Session
from wfnb.render.drawing.graph import Graph
from wfnb.render.drawing.history_rows import tree
from wfnb.render.drawing.text_drawing import outline
from wfnb.render.message import MIME, Message
from wfnb.views.graphs import Picture, history_graph
from wfnb.views.run_entries import RunEntry

BYTES = 7_000
"""What one drawing takes at most."""
_MAX_STEPS = 14
"""Steps that are drawn where the whole session is not asked for: the last ones."""
NOTHING = "no step yet · `%%step` records one"


class StillPicture:
    """The last steps of a session, as one output of a cell. `whole`: all of them, however long,
    as `%wfnb graph` shows them."""

    def __init__(self, session: Session, runs: list[RunEntry], whole: bool = False) -> None:
        self.name = session.name
        graph = history_graph(session, runs)
        self._whole = Picture(graph) if whole and graph.nodes else None
        self._graph, self._svg = _fitting(graph)
        self._steps, self._hides = len(graph.nodes), bool(session.hidden)

    def __repr__(self) -> str:
        if self._whole is not None:
            return self._whole.text
        return "\n".join((self.says, *([outline(self._graph)] if self._graph else ())))

    @property
    def says(self) -> str:
        """Which session it is, and which part of it is shown."""
        shown = len(self._graph.nodes) if self._graph else 0
        if not self._steps:
            return f"{self.name} · {'all steps are hidden' if self._hides else NOTHING}"
        part = "" if shown == self._steps else f" · the last {shown} of {self._steps:,}"
        return f"{self.name}{part}"

    def bundle(self) -> dict[str, Any]:
        """Its forms by type."""
        if self._whole is not None:
            return self._whole._repr_mimebundle_()
        said = Message(self.says, {"panel": self.name})._repr_mimebundle_()["text/html"]
        forms = {MIME: {"panel": self.name}, "text/plain": repr(self)}
        if not self._svg:
            return {**forms, "text/html": said}
        return {**forms, "text/html": f"{said}<div>{self._svg}</div>"}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return self.bundle()


def _fitting(graph: Graph) -> tuple[Graph | None, str]:
    """As many of the last steps as may be shown, drawn."""
    count = min(_MAX_STEPS, len(graph.nodes))
    while count:
        kept = {node.id for node in graph.nodes[-count:]}
        edges = tuple(edge for edge in graph.edges if {edge.tail, edge.head} <= kept)
        part = replace(graph, nodes=graph.nodes[-count:], edges=edges)
        drawn = tree(part) if graph.is_history else Picture(part).svg
        if len(drawn.encode()) <= BYTES:
            return part, drawn
        # By a fifth: a drawing's size is only known when it was drawn, and few tries have to do.
        count -= max(1, count // 5)
    return None, ""
