"""history graph -> which column each lane runs in, and from which row to which.

Rows are the nodes' order of creation. A lane keeps its column from the row of the step it left
to the row of its last step, or of the step it was merged into; then the column is free again.
"""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from wfnb.frozen_record import record

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
    column = columns([(lane, *spans[lane][:2]) for lane in spans], len(graph.nodes))
    return {
        lane: Track(column=column[lane], start=start, end=end, first=first, last=last)
        for lane in column
        for start, end, first, last in (spans[lane],)
    }


def columns(spans: Sequence[tuple[int, int, int]], count: int) -> dict[int, int]:
    """Lanes with the rows between which they are drawn -> their columns, among `count` rows.

    >>> columns([(0, 0, 1), (1, 0, 2), (2, 1, 3), (3, 3, 4)], 5)
    {0: 0, 1: 1, 2: 2, 3: 1}
    """
    laid: dict[int, int] = {}
    taken: list[tuple[int, int]] = []
    free: list[int] = []
    for lane, start, end in sorted(spans, key=lambda span: (span[1], span[0])):
        # Columns of lanes that ended above are free again, the leftmost first.
        while taken and taken[0][0] < start:
            heappush(free, heappop(taken)[1])
        column = heappop(free) if free else len(taken)
        # `main` keeps its column to the last row, so that it is a straight line.
        heappush(taken, (end if lane else count, column))
        laid[lane] = column
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
