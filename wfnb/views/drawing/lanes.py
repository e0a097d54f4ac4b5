"""history graph -> which column each lane runs in, and from which row to which.

Rows are the nodes' order of creation. A lane keeps its column from the row of the step it left
to the row of its last step, or of the step it was merged into; then the column is free again.
"""

from collections.abc import Mapping
from heapq import heappop, heappush

from wfnb.core.record import record

from .graph import Graph


@record
class Track:
    """The column of a lane, the rows it is drawn on, and those of its own first and last step."""

    column: int
    start: int
    end: int
    first: int
    last: int


def rows(graph: Graph) -> dict[str, int]:
    return {node.id: row for row, node in enumerate(graph.nodes)}


def tracks(graph: Graph) -> dict[int, Track]:
    """By lane, for the lanes that have steps. The first line keeps its column to the end."""
    spans = _spans(graph)
    laid: dict[int, Track] = {}
    taken: list[tuple[int, int]] = []
    free: list[int] = []
    for lane in sorted(spans, key=lambda lane: (spans[lane][0], lane)):
        start, end, first, last = spans[lane]
        while taken and taken[0][0] < start:
            heappush(free, heappop(taken)[1])
        column = heappop(free) if free else len(taken)
        heappush(taken, (end if lane else len(graph.nodes), column))
        laid[lane] = Track(column=column, start=start, end=end, first=first, last=last)
    return laid


def _spans(graph: Graph) -> Mapping[int, tuple[int, int, int, int]]:
    row_of = rows(graph)
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for row, node in enumerate(graph.nodes):
        first.setdefault(node.lane, row)
        last[node.lane] = row
    start, end = dict(first), dict(last)
    for edge in graph.edges:
        tail, head = row_of[edge.tail], row_of[edge.head]
        if edge.kind == "branch":
            lane = graph.nodes[head].lane
            start[lane] = min(start[lane], tail)
        elif edge.kind == "merge":
            lane = graph.nodes[tail].lane
            end[lane] = max(end[lane], head)
    return {lane: (start[lane], end[lane], first[lane], last[lane]) for lane in first}
