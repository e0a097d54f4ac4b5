"""edges and where they go -> SVG of curves with arrows; revisions bow out beside the boxes."""

from collections.abc import Iterator, Mapping
from math import hypot

from wfnb.render.text import escape
from wfnb.render.text.text_width import cut

from .glyphs import tone
from .graph import Edge, Graph
from .layout import Box, Curve, Placement, Point
from .svg_style import number

BOW = 14
_LOOKS: Mapping[str, str] = {"revises": " dash", "transition": " dash", "taken": " on"}


def arrows(graph: Graph, placed: Placement) -> Iterator[str]:
    """The colour is that of the lane an edge opens or belongs to."""
    lanes = {node.id: node.lane for node in graph.nodes}
    for index, edge in enumerate(graph.edges):
        if index in placed.curves:
            lane = lanes[edge.head if edge.kind == "branch" else edge.tail]
            yield from _arrow(edge, placed.curves[index], tone(lane))
        elif edge.kind == "revises":
            tail, head = placed.boxes[edge.tail], placed.boxes[edge.head]
            if lanes[edge.tail] == lanes[edge.head]:
                between = (placed.boxes[id] for id in lanes if lanes[id] == lanes[edge.tail])
                yield from _bow(tail, head, between)
            else:
                yield from _crossing_arrow(tail, head)


def label(edge: Edge) -> str:
    return cut(escape.line(edge.says), 40)


def _arrow(edge: Edge, curve: Curve, colour: str) -> Iterator[str]:
    look = _LOOKS.get(edge.kind, f" {colour}")
    start, *rest = (f"{number(x)} {number(y)}" for x, y in curve.points)
    yield f'<path class="edge{look}" d="M{start}C{" ".join(rest)}"/>'
    if curve.tip:
        yield f'<path class="tip{look}" d="{_triangle(curve.points[-1], curve.tip)}"/>'
    if edge.says and curve.label:
        x, y = curve.label
        yield (
            f'<text class="s m" x="{number(x)}" y="{number(y + 4)}">'
            f"{escape.html(label(edge))}</text>"
        )


def _triangle(base: Point, tip: Point) -> str:
    across, down = tip[0] - base[0], tip[1] - base[1]
    length = hypot(across, down) or 1
    x, y = 3 * -down / length, 3 * across / length
    corners = (tip, (base[0] + x, base[1] + y), (base[0] - x, base[1] - y))
    return "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners) + "z"


def _bow(tail: Box, head: Box, line: Iterator[Box]) -> Iterator[str]:
    """Along the left of the line's boxes from one to the other, upwards or downwards."""
    top, bottom = sorted((tail.y, head.y))
    out = min(box.left for box in line if top <= box.y <= bottom) - BOW + 2
    turn = 8 if head.y < tail.y else -8
    path = (
        f"M{number(tail.left)} {number(tail.y)}H{number(out + 8)}"
        f"q-8 0-8 {-turn}V{number(head.y + turn)}q0 {-turn} 8 {-turn}H{number(head.left - 7)}"
    )
    yield f'<path class="edge dash" d="{path}"/>'
    yield f'<path class="tip" d="M{number(head.left - 1)} {number(head.y)}l-7-3v6z"/>'


def _crossing_arrow(tail: Box, head: Box) -> Iterator[str]:
    """From one line to another: out of the side that looks there."""
    way = -1 if head.x < tail.x else 1
    start, end = tail.x + way * tail.width / 2, head.x - way * head.width / 2
    base = end - way * 8
    path = (
        f"M{number(start)} {number(tail.y)}C{number(start + way * 30)} {number(tail.y)} "
        f"{number(base - way * 30)} {number(head.y)} {number(base)} {number(head.y)}"
    )
    yield f'<path class="edge dash" d="{path}"/>'
    yield f'<path class="tip" d="{_triangle((base, head.y), (end - way, head.y))}"/>'
