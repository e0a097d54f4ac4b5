"""Graph -> DOT text, to be drawn by any Graphviz; or its bare frame, to learn where things go.

The frame has boxes of given sizes and not one letter of the user's: Graphviz never measures text
for us, so a picture is the same on machines with other fonts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wfnb.render.text import escape
from wfnb.render.text.text_width import cut, wrap

from .glyphs import colour, number_of, sign
from .graph import Graph, Node

if TYPE_CHECKING:
    from graphviz import Digraph

Rooms = Mapping[str, tuple[float, float]]  # id of a node -> width and height in pixels
LABEL_ROOM = (
    '<<TABLE BORDER="0" FIXEDSIZE="TRUE" WIDTH="{}" HEIGHT="14"><TR><TD></TD></TR></TABLE>>'
)

CURVES = 120  # edges that are laid around boxes, in a graph without lanes
_SPACING = {"nodesep": "0.22", "ranksep": "0.3"}
_OUTLINES: Mapping[str, Mapping[str, str]] = {
    "failed": {"color": "#b3261e", "shape": "octagon"},
    "interrupted": {"color": "#8a5a00", "style": "dashed"},
    "unknown": {"color": "#8a5a00", "style": "dotted"},
    "stale": {"color": "#8a8f98", "style": "dashed", "fontcolor": "#59636e"},
    "not yet": {"fontcolor": "#59636e"},
    "running": {"color": "#1a73b8", "penwidth": "2"},
    "current": {"color": "#1a73b8", "penwidth": "2"},
    "timed out": {"color": "#b3261e", "shape": "octagon"},
    "cancelled": {"color": "#8a5a00", "style": "dashed"},
    "skipped": {"style": "dotted", "fontcolor": "#59636e"},
    "undone": {"color": "#8a8f98", "style": "dashed", "fontcolor": "#59636e"},
    "withdrawn": {"color": "#8a8f98", "style": "dashed", "fontcolor": "#59636e"},
}
_STROKES: Mapping[str, Mapping[str, str]] = {
    "next": {"weight": "8"},
    "branch": {},
    "merge": {},
    "revises": {
        "style": "dashed",
        "constraint": "false",
        "color": "#59636e",
    },
    "transition": {"style": "dashed", "color": "#8a8f98"},
    "taken": {"color": "#1a73b8"},
}


def dot(graph: Graph) -> str:
    """A named graph with escaped labels and no links."""
    return _dot_source(graph, None)


def frame(graph: Graph, rooms: Rooms, labels: Mapping[int, float]) -> str:
    """The same graph without texts: `labels` is the width of the labels by number of edge."""
    return _dot_source(graph, rooms, labels)


def _dot_source(
    graph: Graph, rooms: Rooms | None, labels: Mapping[int, float] | None = None
) -> str:
    from graphviz import Digraph  # noqa: PLC0415  heavy: only when something is drawn

    text = {"fontname": "Helvetica", "fontsize": "11"} if rooms is None else {}
    drawing = Digraph(
        escape.identifier(graph.name),
        graph_attr={**_SPACING, "rankdir": graph.direction, **_sides(graph)},
        node_attr={"shape": "box", "height": "0.3", "color": "#8a8f98", **text},
        edge_attr={"arrowsize": "0.6", "color": "#59636e", **text},
    )
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    for node in _stacking_order(graph):
        room = None if rooms is None else rooms[node.id]
        drawing.node(
            names[node.id],
            **(_text_attributes(node) if room is None else _box_attributes(node, room)),
        )
    _connect(drawing, graph, names, labels)
    return str(drawing.source)


def _stacking_order(graph: Graph) -> list[Node]:
    """Parts that nothing joins are put one upon the other where boxes go from left to right:
    written the other way round they can be read from top to bottom."""
    if graph.direction == "TB":
        return list(graph.nodes)
    parts = {node.id: [node] for node in graph.nodes}
    for edge in graph.edges:
        small, large = sorted((parts[edge.tail], parts[edge.head]), key=len)
        if small is not large:
            large += small
            parts |= {node.id: large for node in small}
    places = {node.id: place for place, node in enumerate(graph.nodes)}
    parts_by_id = {id(part): sorted(places[node.id] for node in part) for part in parts.values()}
    return [
        graph.nodes[place] for part in sorted(parts_by_id.values(), reverse=True) for place in part
    ]


def _sides(graph: Graph) -> dict[str, str]:
    """Lanes stand from left to right in their order: edges are written in that order too. Many
    edges without lanes would take minutes to be laid around the boxes: then they are straight."""
    if graph.is_history:
        return {"ordering": "out"}
    return (
        {"splines": "line", "mclimit": "0.1", "nslimit": "1"} if len(graph.edges) > CURVES else {}
    )


def _connect(
    drawing: Digraph, graph: Graph, names: Mapping[str, str], labels: Mapping[int, float] | None
) -> None:
    lanes = {node.id: node.lane for node in graph.nodes}
    said = graph.labels
    places = {node.id: place for place, node in enumerate(graph.nodes)}
    for number, edge in sorted(enumerate(graph.edges), key=lambda pair: lanes[pair[1].head]):
        if edge.kind == "revises" and labels is not None:
            continue  # they explain, and do not place: drawn beside the boxes
        attributes = dict(_STROKES[edge.kind])
        if not graph.is_history and places[edge.head] == places[edge.tail] + 1:
            attributes["weight"] = "8"  # a spine in the order of the stages, wherever one is now
        if labels is not None:
            attributes = {"id": str(number), "weight": attributes.get("weight", "1")}
            if number in labels:
                attributes["label"] = LABEL_ROOM.format(round(labels[number]))
        else:
            attributes |= _label_attribute(said[number])
        drawing.edge(names[edge.tail], names[edge.head], **attributes)


def _box_attributes(node: Node, room: tuple[float, float]) -> dict[str, Any]:
    width, height = room
    size = {"width": f"{width / 72:.4f}", "height": f"{height / 72:.4f}"}
    return {"label": "", "fixedsize": "true", "group": f"lane{node.lane}", **size}


def _text_attributes(node: Node) -> dict[str, str]:
    tooltip = escape.dot(cut(escape.line((node.tooltip or node.title)[:1200]), 300))
    return {
        "label": r"\n".join(map(escape.dot, _label(node))),
        "tooltip": tooltip,
        "group": f"lane{node.lane}",
        **({"color": colour(node.lane)} if node.shape == "step" else {}),
        **({"style": "rounded"} if node.shape == "end" else {}),
        **_OUTLINES.get(node.state, {}),
        **({"penwidth": "2"} if node.current else {}),
    }


def _label(node: Node) -> list[str]:
    if node.shape == "step":
        titled = " ".join((sign(node), number_of(node), escape.line(node.title)))
        return [*wrap(titled, 26, 2), escape.line(node.says)]
    foot = cut(escape.line(node.foot), 30)
    return [
        *wrap(f"{node.sign} {escape.line(node.title)}", 24, 2, after="._"),
        *([foot] if foot else []),
    ]


def _label_attribute(label: str) -> dict[str, str]:
    return {"label": escape.dot(cut(escape.line(label), 40))} if label else {}
