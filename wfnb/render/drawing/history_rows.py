"""history graph -> SVG by rows: lanes on the left, one step a row, as long as it may be."""

from collections.abc import Iterator, Mapping

from wfnb.frozen_record import record
from wfnb.render.text import escape
from wfnb.render.text.text_width import cut, pixels

from .glyphs import (
    TONES,
    draw_pill,
    hidden_text,
    mark,
    number_of,
    small,
    title_look,
    tone,
    tooltip,
)
from .graph import Edge, Graph, Node
from .lanes import Track, rows, tracks
from .svg_style import number, sheet

WIDTH, ROW, LEFT, PITCH, RAILS = 760, 28, 20, 18, 240


@record
class Columns:
    """Where things stand in every row, in pixels from the left."""

    pitch: float
    numbers: float
    titles: float
    states: float


@record
class Point:
    x: float
    y: int
    lane: int


def tree(graph: Graph) -> str:
    """A row of 28 pixels for each step, in the order of creation."""
    laid = tracks(graph)
    columns = _columns(graph, laid)
    return sheet(
        _lines(graph, laid, columns),
        width=WIDTH,
        height=ROW * len(graph.nodes) + 8,
        label=graph.says,
    )


def _columns(graph: Graph, laid: Mapping[int, Track]) -> Columns:
    count = max((track.column for track in laid.values()), default=0) + 1
    # Many lanes move together: titles keep their room.
    pitch = min(PITCH, RAILS / count)
    numbers = LEFT + pitch * (count - 1) + 16
    digits = max((pixels(number_of(node)) for node in graph.nodes), default=0.0)
    states = max(map(small, {node.says for node in graph.nodes}), default=0.0)
    return Columns(
        pitch=pitch,
        numbers=numbers + digits,
        titles=numbers + digits + 10,
        states=WIDTH - 10 - min(states, 200),
    )


def _lines(graph: Graph, laid: Mapping[int, Track], columns: Columns) -> Iterator[str]:
    yield from _rails(graph, laid, columns.pitch)
    for row, node in enumerate(graph.nodes):
        track = laid[node.lane]
        x = LEFT + columns.pitch * track.column
        branch = _branch(graph, node.lane, row == track.last)
        yield mark(node, x, _middle(row)) + _row(node, row, branch, columns)


def _branch(graph: Graph, lane: int, ends: bool) -> str:
    """The first line needs no name; what became of a branch is said at its last step."""
    if not 0 < lane < len(graph.lanes):
        return ""
    return graph.lanes[lane].says if ends else graph.lanes[lane].id


def _middle(row: int) -> int:
    return ROW * row + ROW // 2 + 4


def _rails(graph: Graph, laid: Mapping[int, Track], pitch: float) -> Iterator[str]:
    row_of = rows(graph)
    for lane, track in laid.items():
        if track.first < track.last:
            x = number(LEFT + pitch * track.column)
            yield _rail(graph, lane, f"M{x} {_middle(track.first)}V{_middle(track.last)}")
    for edge in graph.edges:
        ends = (graph.nodes[row_of[name]] for name in (edge.tail, edge.head))
        tail, head = (
            Point(
                x=LEFT + pitch * laid[node.lane].column, y=_middle(row_of[node.id]), lane=node.lane
            )
            for node in ends
        )
        yield from _bend(graph, edge, tail, head)


def _bend(graph: Graph, edge: Edge, tail: Point, head: Point) -> Iterator[str]:
    a, b, top, bottom = number(tail.x), number(head.x), tail.y, head.y
    if edge.kind == "branch" and top < bottom:
        turn = f"M{a} {top}C{a} {top + 20} {b} {top + 8} {b} {top + ROW}V{bottom}"
        yield _rail(graph, head.lane, turn)
    elif edge.kind == "merge" and top < bottom:
        low = bottom - ROW
        turn = f"M{a} {top}V{low}C{a} {low + 20} {b} {low + 8} {b} {bottom}"
        yield _rail(graph, tail.lane, turn)
    elif edge.kind == "revises":
        # To the left, where no title is.
        out = number(min(tail.x, head.x) - 15)
        a, b = number(tail.x - 6), number(head.x - 7)
        yield f'<path class="edge dash" d="M{a} {top}C{out} {top} {out} {bottom} {b} {bottom}"/>'
        yield f'<path class="tip" d="M{b} {bottom}l-4-3v6z"/>'


def _rail(graph: Graph, lane: int, path: str) -> str:
    over = lane < len(graph.lanes) and graph.lanes[lane].is_rejected
    return f'<path class="rail {tone(lane)}{" dash" if over else ""}" d="{path}"/>'


def _row(node: Node, row: int, branch: str, columns: Columns) -> str:
    y = _middle(row) + 4
    end, pill = columns.states - 10, ""
    if branch:
        left, pill = draw_pill(branch, end, y)
        end = left - 8
    title = escape.line(node.title)
    shown = cut(title, end - columns.titles, pixels)
    state = cut(escape.line(node.says), WIDTH - 9 - columns.states, small)
    spans = (
        (' class="dim e"', columns.numbers, number_of(node)),
        (title_look(node), columns.titles, shown),
        (f' class="s {TONES[node.state]}"', columns.states, state),
    )
    words = "".join(
        f'<tspan{look} x="{number(x)}">{escape.html(text)}</tspan>' for look, x, text in spans
    )
    return f'<text y="{y}">{tooltip(hidden_text(node, shown))}{words}</text>{pill}'
