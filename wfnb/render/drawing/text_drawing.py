"""Graph -> its twins in plain characters: a drawing to read, and a table of what it says."""

from collections.abc import Iterator, Mapping

from wfnb.frozen_record import record
from wfnb.render.text import escape
from wfnb.render.text.text_width import columns, cut

from .glyphs import number_of, sign
from .graph import Edge, Graph, Node
from .lanes import Track, rows, tracks

TITLE = 48  # columns of a title before it is cut


@record
class Table:
    """What a picture says, for those who cannot see it: every cell is plain text on one line."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def outline(graph: Graph) -> str:
    """History: a line a step, lanes as rails on the left. Stages: a list with what may follow."""
    lines = _history(graph) if graph.is_history else _stages(graph)
    return "\n".join(line.rstrip() for line in lines)


def table(graph: Graph) -> Table:
    if graph.is_history:
        return Table(
            heads=("step", "title", "branch", "state", "after", "merges"),
            rows=tuple(_step_rows(graph)),
        )
    heads = (graph.thing, "how it is" if graph.thing == "state" else "state", "may be followed by")
    return Table(heads=heads, rows=tuple(_stage_rows(graph)))


def _history(graph: Graph) -> Iterator[str]:
    wide = max((columns(number_of(node)) for node in graph.nodes), default=0)
    titles = max((columns(_title(node)) for node in graph.nodes), default=0)
    for node, rails in _draw_rows(graph):
        if node is None:
            yield rails
            continue
        title = _title(node)
        space = " " * (titles - columns(title))
        number = number_of(node).rjust(wide)
        yield f"{rails}  {number}  {title}{space}  {_state(graph, node)}"


def _draw_rows(graph: Graph) -> Iterator[tuple[Node | None, str]]:
    """The rails of every line; those between two steps have no node."""
    laid = tracks(graph)
    opens, joins = _bends(graph, laid)
    count = max((track.column for track in laid.values()), default=0) + 1
    alive: set[int] = set()
    for row, node in enumerate(graph.nodes):
        column = laid[node.lane].column
        # In a line of its own before the step: that one's line has no room for a bend.
        for lane in joins.get(row, ()):
            yield None, _bend(_rails(laid, alive, count), column, laid[lane].column, "╯╰")
            alive.discard(lane)
        alive.add(node.lane)
        rails = _rails(laid, alive, count)
        rails[2 * column] = sign(node)
        yield node, "".join(rails)
        if laid[node.lane].end == row:
            alive.discard(node.lane)
        for lane in opens.get(row, ()):
            yield None, _bend(_rails(laid, alive, count), column, laid[lane].column, "╮╭")
            alive.add(lane)


def _bends(
    graph: Graph, laid: Mapping[int, Track]
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The lanes that leave after each row, and those that come in for good before it."""
    row_of = rows(graph)
    opens: dict[int, list[int]] = {}
    joins: dict[int, list[int]] = {}
    for edge in graph.edges:
        tail, head = row_of[edge.tail], row_of[edge.head]
        came, went = graph.nodes[head].lane, graph.nodes[tail].lane
        if edge.kind == "branch" and tail == laid[came].start < head == laid[came].first:
            opens.setdefault(tail, []).append(came)
        elif edge.kind == "merge" and tail < head == laid[went].end:
            joins.setdefault(head, []).append(went)
    return opens, joins


def _rails(laid: Mapping[int, Track], alive: set[int], count: int) -> list[str]:
    signs = [" "] * (2 * count - 1)
    for lane in alive:
        signs[2 * laid[lane].column] = "│"
    return signs


def _bend(signs: list[str], home: int, away: int, turns: str) -> str:
    """From the column of a step across to that of a branch, between two rows."""
    for place in range(2 * min(home, away) + 1, 2 * max(home, away)):
        signs[place] = "┼" if signs[place] == "│" else "─"
    if away != home:
        signs[2 * home] = "├" if away > home else "┤"
        signs[2 * away] = turns[0] if away > home else turns[1]
    return "".join(signs)


def _title(node: Node) -> str:
    return cut(escape.line(node.title), TITLE)


def _state(graph: Graph, node: Node) -> str:
    words = escape.line(node.says) + (" · current" if node.current else "")
    if 0 < node.lane < len(graph.lanes):
        return f"{words}  [{escape.line(graph.lanes[node.lane].says)}]"
    return words


def _stages(graph: Graph) -> Iterator[str]:
    words = {node.id: escape.line(node.title) for node in graph.nodes}
    leaving = _edges_by_tail(graph)
    for node in graph.nodes:
        state = "" if node.state in ("ok", "not yet") else f" ({node.state})"
        note = f" · {escape.line(node.note)}" if node.note else ""
        yield f"{node.sign} {words[node.id]}{state}{note}"
        for edge in leaving.get(node.id, ()):
            yield f"    → {words[edge.head]}{_condition_text(edge)}{_taken_text(edge)}"


def _condition_text(edge: Edge) -> str:
    return f" [{escape.line(edge.when)}]" if edge.when else ""


def _taken_text(edge: Edge) -> str:
    if edge.kind != "taken":
        return ""
    return f" (taken {escape.line(edge.label)})" if edge.label else " (taken)"


def _edges_by_tail(graph: Graph) -> dict[str, list[Edge]]:
    leaving: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        leaving.setdefault(edge.tail, []).append(edge)
    return leaving


def _step_rows(graph: Graph) -> Iterator[tuple[str, ...]]:
    nodes = {node.id: node for node in graph.nodes}
    after: dict[str, list[str]] = {}
    merges: dict[str, list[str]] = {}
    for edge in graph.edges:
        if edge.kind in ("next", "branch"):
            after.setdefault(edge.head, []).append(_node_place(graph, nodes[edge.tail]))
        elif edge.kind == "merge":
            merges.setdefault(edge.head, []).append(_node_place(graph, nodes[edge.tail]))
    for node in graph.nodes:
        yield (
            escape.line(node.number),
            escape.line(node.title),
            escape.line(graph.lanes[node.lane].says),
            escape.line(node.says) + (" · current" if node.current else ""),
            ", ".join(after.get(node.id, ())),
            ", ".join(merges.get(node.id, ())),
        )


def _node_place(graph: Graph, node: Node) -> str:
    return escape.line(f"{node.number} on {graph.lanes[node.lane].id}")


def _stage_rows(graph: Graph) -> Iterator[tuple[str, ...]]:
    words = {node.id: escape.line(node.title) for node in graph.nodes}
    leaving = _edges_by_tail(graph)
    for node in graph.nodes:
        edges = leaving.get(node.id, ())
        follow = ", ".join(
            words[edge.head] + _condition_text(edge) + _taken_text(edge) for edge in edges
        )
        yield words[node.id], escape.line(node.says), follow
