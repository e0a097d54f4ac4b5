"""Graph -> SVG of boxes and arrows: Graphviz says where, we say how it looks."""

import re
from collections.abc import Mapping
from dataclasses import replace

from wfnb.frozen_record import record
from wfnb.render.text import escape
from wfnb.render.text.text_width import cut, pixels, wrap

from .arrows import BOW, arrows, label
from .glyphs import (
    TONES,
    bold,
    draw_pill,
    hidden_text,
    mark,
    number_of,
    pill_width,
    small,
    title_look,
    tooltip,
)
from .graph import Graph, Node
from .layout import Box, Placement, place
from .svg_style import number, sheet

PAGE_WIDTH = 900  # pixels: a cell of 800 still shows it at nine tenths
TITLE = 175  # pixels of a line of a step's title
WIDEST = 260  # pixels of one word of a name
MARGIN, LINE, PADDING, MARK = 6, 15, 9, 16
JOINTS = "._"
"""After these a name may be broken."""
_PARTS = re.compile(r"[^ ._]+[._]?")
_BORDERS = {
    "failed": "bad",
    "interrupted": "warn dash",
    "unknown": "warn dots",
    "stale": "dash",
    "running": "on thick",
    "current": "on thick",
    "timed out": "bad",
    "cancelled": "warn dash",
    "skipped": "dots",
    "undone": "dash",
    "withdrawn": "dash",
}


@record
class Card:
    """A node's texts, and the room they take in pixels."""

    lines: tuple[str, ...]
    below: str
    pill: str
    width: float
    height: float


def boxes(graph: Graph) -> str:
    """Every node a box, every edge a curve, in Graphviz's hierarchical layout."""
    cards, placed = lay_out(graph)
    # Wider than a page: from top to bottom it may fit.
    if graph.direction == "LR" and placed.width > PAGE_WIDTH:
        below = lay_out(replace(graph, direction="TB"))
        if below[1].width < placed.width:
            cards, placed = below
    left = MARGIN + BOW * any(edge.kind == "revises" for edge in graph.edges)
    lines = [f'<g transform="translate({left} {MARGIN})">', *arrows(graph, placed)]
    for node in graph.nodes:
        lines.append(_box(node, cards[node.id], placed.boxes[node.id]))
    return sheet(
        [*lines, "</g>"],
        width=placed.width + left + MARGIN,
        height=placed.height + 2 * MARGIN,
        label=graph.says,
    )


def lay_out(graph: Graph) -> tuple[Mapping[str, Card], Placement]:
    """What stands in each box, and where the boxes and the curves between them are."""
    cards = _cards(graph)
    rooms = {name: (card.width, card.height) for name, card in cards.items()}
    labels = {index: small(label(edge)) + 8 for index, edge in enumerate(graph.edges) if edge.says}
    return cards, place(graph, rooms, labels)


def _cards(graph: Graph) -> dict[str, Card]:
    named: set[int] = set()
    cards = {}
    for node in graph.nodes:
        pill = ""
        if len(graph.lanes) > 1 and node.lane < len(graph.lanes) and node.lane not in named:
            named.add(node.lane)
            pill = graph.lanes[node.lane].says
        cards[node.id] = (
            _step(node, pill) if node.shape == "step" else _stage(node, graph.direction)
        )
    return cards


def _step(node: Node, pill: str) -> Card:
    measure = bold if node.current else pixels
    titled = f"{number_of(node)} {escape.line(node.title)}".strip()
    lines = wrap(titled, TITLE, 2, measure)
    below = cut(escape.line(node.says), 40)
    titles = max(map(measure, lines))
    foot = small(below) + (pill_width(pill) + 12 if pill else 0)
    return Card(
        lines=tuple(lines),
        below=below,
        pill=pill,
        width=max(96, MARK + max(titles, foot)) + 2 * PADDING,
        height=LINE * len(lines) + 29,
    )


def _stage(node: Node, direction: str) -> Card:
    room, most = (118, 3) if direction == "LR" else (165, 2)
    title = f"{node.sign} {escape.line(node.title)}"
    longest = max(map(pixels, _PARTS.findall(title)), default=0) + pixels(f"{node.sign} ") + 1
    lines = wrap(title, max(room, min(longest, WIDEST)), most, pixels, JOINTS)
    width = max(pixels(line) for line in lines) + 2 * PADDING
    below = cut(escape.line(node.foot), 30)
    return Card(
        lines=tuple(lines),
        below=below,
        pill="",
        width=max(width, small(below) + 2 * PADDING),
        height=LINE * (len(lines) + bool(below)) + 10,
    )


def _box(node: Node, card: Card, box: Box) -> str:
    left, top = box.left, box.top
    words = _step_text if node.shape == "step" else _stage_text
    return _outline(node, card, left, top) + words(node, card, left, top)


def _outline(node: Node, card: Card, left: float, top: float) -> str:
    looks = ("box", _BORDERS.get(node.state), "thick on" if node.current else None)
    look = f'class="{" ".join(filter(None, looks))}"'
    x, y, wide, high = (number(value) for value in (left, top, card.width, card.height))
    if node.state in ("failed", "timed out"):
        across, down = number(card.width - 12), number(card.height - 12)
        return (
            f'<path {look} d="M{number(left + 6)} {y}h{across}l6 6v{down}l-6 6h-{across}'
            'l-6-6v-{}l6-6z"/>'.format(down)
        )
    round_ = number(card.height / 2) if node.shape == "end" else "3"
    return f'<rect {look} x="{x}" y="{y}" width="{wide}" height="{high}" rx="{round_}"/>'


def _step_text(node: Node, card: Card, left: float, top: float) -> str:
    x, foot = left + PADDING + MARK, top + card.height - 9
    look = title_look(node)
    parts = [tooltip(hidden_text(node, " ".join(card.lines)))]
    for index, line in enumerate(card.lines):
        y = number(top + 17 + LINE * index)
        lead, rest = _number_apart(number_of(node), line) if index == 0 else ("", line)
        parts.append(f'<tspan x="{number(x)}" y="{y}">')
        if lead:
            parts.append(f'<tspan class="dim">{escape.html(lead)} </tspan>')
        parts.append(f"<tspan{look}>{escape.html(rest)}</tspan></tspan>")
    parts.append(
        f'<tspan class="s {TONES[node.state]}" x="{number(x)}" y="{number(foot)}">'
        f"{escape.html(card.below)}</tspan>"
    )
    pill = draw_pill(card.pill, left + card.width - 6, foot)[1] if card.pill else ""
    shape = mark(node, left + PADDING + 4, top + 13)
    return f"{shape}<text>{''.join(parts)}</text>{pill}"


def _number_apart(number: str, line: str) -> tuple[str, str]:
    if number and line.startswith(f"{number} "):
        return number, line[len(number) + 1 :]
    return "", line


def _stage_text(node: Node, card: Card, left: float, top: float) -> str:
    x = number(left + card.width / 2)
    look = "m dim" if node.state in ("not yet", "skipped") else "m"
    spans = "".join(
        f'<tspan class="{look}" x="{x}" y="{number(top + 17 + LINE * index)}">'
        f"{escape.html(line)}</tspan>"
        for index, line in enumerate(card.lines)
    )
    if card.below:
        y = number(top + card.height - 8)
        spans += f'<tspan class="s m" x="{x}" y="{y}">{escape.html(card.below)}</tspan>'
    return f"<text>{tooltip(hidden_text(node, ' '.join(card.lines)))}{spans}</text>"
