"""Graph -> boxes with coordinates and ways as paths, in pixels: a drawing that a front end makes.

Graphviz says where; the sizes are those of the SVG that Python draws. From top to bottom, which is
what a narrow panel has room for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wfnb.render.drawing.boxes import MARGIN, Card, lay_out
from wfnb.render.drawing.graph import Edge, Graph, Node
from wfnb.render.drawing.layout import Box, Curve, Placement, Point
from wfnb.render.drawing.svg_style import number
from wfnb.render.text import escape
from wfnb.render.text.text_width import cut

NODES, EDGES = 300, 600
"""More are not drawn: it would take too long, and nobody could read it. A table says it all."""
_TOOLTIP, _NOTE = 300, 60


def draw_graph(graph: Graph) -> dict[str, Any] | None:
    """The graph laid out; None where it is too large. The same graph gives the same drawing."""
    if len(graph.nodes) > NODES or len(graph.edges) > EDGES:
        return None
    # A panel is narrow and scrolls down.
    graph = replace(graph, direction="TB")
    cards, placed = lay_out(graph)
    return {
        "title": cut(escape.line(graph.title), 160),
        "width": _pixel(placed.width + 2 * MARGIN),
        "height": _pixel(placed.height + 2 * MARGIN),
        "nodes": [_node(node, cards[node.id], placed.boxes[node.id]) for node in graph.nodes],
        "edges": _edges(graph, placed),
    }


def times_taken(edge: Edge) -> int:
    """How often a way was taken, as its label counts it."""
    if edge.kind != "taken":
        return 0
    digits = edge.label.removesuffix("×")
    return int(digits) if digits.isdecimal() else 1


def _node(node: Node, card: Card, box: Box) -> dict[str, Any]:
    return {
        "id": node.id,
        "label": _label(node, card),
        "sign": node.sign,
        "state": node.state,
        "note": cut(escape.line(node.note), _NOTE),
        "tooltip": cut(escape.line((node.tooltip or node.title)[:1200]), _TOOLTIP),
        "x": _pixel(box.left + MARGIN),
        "y": _pixel(box.top + MARGIN),
        "width": _pixel(card.width),
        "height": _pixel(card.height),
        "end": node.shape == "end",
    }


def _label(node: Node, card: Card) -> str:
    """The lines of a box without the sign that stands before the first."""
    return "\n".join(card.lines).removeprefix(f"{node.sign} ")


def _edges(graph: Graph, placed: Placement) -> list[dict[str, Any]]:
    return [
        _edge(edge, placed.curves[place])
        for place, edge in enumerate(graph.edges)
        if place in placed.curves
    ]


def _edge(edge: Edge, curve: Curve) -> dict[str, Any]:
    x, y = curve.label or _middle(curve)
    return {
        "tail": edge.tail,
        "head": edge.head,
        "label": cut(escape.line(edge.says), 40),
        "taken": times_taken(edge),
        "path": _path(curve),
        "label_x": _pixel(x + MARGIN),
        "label_y": _pixel(y + MARGIN),
    }


def _middle(curve: Curve) -> Point:
    """A point half way: there a label can stand that came later."""
    points = curve.points
    if len(points) % 2 == 0:  # in the middle of a piece of four points
        # A spline of Graphviz is made of pieces of four points that share their ends.
        at = len(points) // 2 - 2
        (a, b), (c, d), (e, f), (g, h) = points[at : at + 4]
        return (a + 3 * c + 3 * e + g) / 8, (b + 3 * d + 3 * f + h) / 8
    return points[len(points) // 2]


def _path(curve: Curve) -> str:
    pairs = [f"{number(x + MARGIN)} {number(y + MARGIN)}" for x, y in curve.points]
    tip = ""
    if curve.tip is not None:
        tip = f"L{number(curve.tip[0] + MARGIN)} {number(curve.tip[1] + MARGIN)}"
    return f"M{pairs[0]}C{' '.join(pairs[1:])}{tip}"


def _pixel(value: float) -> float:
    return round(value, 1)
