"""Graph -> Mermaid's `flowchart`, for pages that draw it themselves."""

from collections.abc import Iterator, Mapping

from wfnb.render.text import escape
from wfnb.render.text.text_width import cut

from .glyphs import number_of, sign
from .graph import Edge, Graph, Kind, Node

_ARROWS: Mapping[Kind, str] = {
    "next": "-->",
    "branch": "-->",
    "merge": "-->",
    "revises": "-.->",
    "transition": "-.->",
    "taken": "==>",
}
_CLASSES = {
    "stale": "stroke-dasharray:4 3",
    "interrupted": "stroke-dasharray:4 3",
    "unknown": "stroke-dasharray:2 3",
    "current": "stroke-width:3px",
    "cancelled": "stroke-dasharray:4 3",
    "skipped": "stroke-dasharray:2 3",
    "undone": "stroke-dasharray:4 3",
    "withdrawn": "stroke-dasharray:4 3",
}


def mermaid(graph: Graph) -> str:
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph) -> Iterator[str]:
    yield f"flowchart {graph.direction}"
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        before, after = _brackets(node)
        yield f'    {names[node.id]}{before}"{_label(graph, node)}"{after}'
    for edge, label in zip(graph.edges, graph.labels, strict=True):
        arrow = _ARROWS[edge.kind] + _edge_label(edge, label)
        yield f"    {names[edge.tail]} {arrow} {names[edge.head]}"
    for look, style in _CLASSES.items():
        dressed = [names[node.id] for node in graph.nodes if look in _looks(node)]
        if dressed:
            yield f"    classDef {look} {style}"
            yield f"    class {','.join(dressed)} {look}"


def _brackets(node: Node) -> tuple[str, str]:
    if node.state in ("failed", "timed out"):
        return "{{", "}}"
    return ("([", "])") if node.shape == "end" else ("[", "]")


def _label(graph: Graph, node: Node) -> str:
    if not graph.is_history:
        title = f"{node.sign} {cut(escape.line(node.title), 40)}"
        return "<br/>".join(escape.mermaid(line) for line in (title, node.foot) if line)
    title = cut(escape.line(node.title), 40)
    return "<br/>".join(
        escape.mermaid(line) for line in (f"{sign(node)} {number_of(node)} {title}", node.says)
    )


def _edge_label(edge: Edge, label: str) -> str:
    kind = edge.kind if edge.kind in ("revises", "merge") else ""
    text = cut(escape.line(label), 40) or kind
    return f'|"{escape.mermaid(text)}"|' if text else ""


def _looks(node: Node) -> tuple[str, ...]:
    return (node.state, "current") if node.current or node.state == "running" else (node.state,)
