"""a lane, a state, a name -> the small pieces of SVG that every picture is made of.

Lanes and states are told apart by shape and word; colour only helps.
"""

from collections.abc import Mapping

from wfnb.render.text import escape
from wfnb.render.text.text_width import cut, pixels

from .graph import Node, State
from .svg_style import LANE_COLOURS, number

SIGNS = "●■◆▲▼⬢"
HOLLOW_SIGNS = "○□◇△▽⬡"
_SHAPES = (
    "M{w} {y}a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M{w} {n}h10v10h-10z",
    "M{x} {t}l6 6-6 6-6-6z",
    "M{x} {t}l5.5 10h-11z",
    "M{x} {s}l5.5-10h-11z",
    "M{w} {y}l2.5-4.5h5l2.5 4.5-2.5 4.5h-5z",
)
TONES: Mapping[State, str] = {
    "ok": "ok",
    "failed": "bad",
    "interrupted": "warn",
    "unknown": "warn",
    "stale": "dim",
    "revised": "dim",
    "running": "on",
    "current": "on",
    "not yet": "dim",
    "timed out": "bad",
    "cancelled": "warn",
    "skipped": "dim",
    "undone": "dim",
    "withdrawn": "dim",
}


def tone(lane: int) -> str:
    """The class of a lane's colour."""
    return f"c{lane % len(LANE_COLOURS)}"


def colour(lane: int) -> str:
    """The same colour as written in a file of its own, on white.

    >>> colour(0) == colour(len(LANE_COLOURS))
    True
    """
    return LANE_COLOURS[lane % len(LANE_COLOURS)][0]


def mark(node: Node, x: float, y: float) -> str:
    """The lane's shape around a point, hollow for what no longer holds or is not there yet."""
    path = _SHAPES[node.lane % len(_SHAPES)].format(
        x=number(x), y=number(y), w=number(x - 5), n=number(y - 5), t=number(y - 6), s=number(y + 6)
    )
    hollow = " hollow" if node.hollow else ""
    return f'<path class="mark{hollow} {tone(node.lane)}" d="{path}"/>'


def sign(node: Node) -> str:
    """The same as one character.

    >>> sign(Node(id="1", title="a", state="ok", lane=1))
    '■'
    """
    return (HOLLOW_SIGNS if node.hollow else SIGNS)[node.lane % len(SIGNS)]


def pill_width(name: str) -> float:
    return small(_pill(name)) + 14


def draw_pill(name: str, right: float, baseline: float) -> tuple[float, str]:
    """Where it begins, and the outlined name that ends at `right`."""
    width = pill_width(name)
    left = right - width
    return left, (
        f'<rect class="box" x="{number(left)}" y="{number(baseline - 12)}" '
        f'width="{number(width)}" height="16" rx="8"/><text class="s m" '
        f'x="{number(left + width / 2)}" y="{number(baseline)}">{escape.html(_pill(name))}</text>'
    )


def _pill(name: str) -> str:
    return cut(escape.line(name), 150, small)


def small(text: str) -> float:
    """Pixels of secondary text."""
    return pixels(text, 11)


def number_of(node: Node) -> str:
    return cut(escape.line(node.number), 8)


def title_look(node: Node) -> str:
    """The class of a title: what no longer holds is struck through."""
    if node.stale or node.state in ("stale", "withdrawn"):
        return ' class="x"'
    return ' class="b"' if node.current else ""


def bold(text: str) -> float:
    """Pixels of a title that stands out."""
    return pixels(text, 13.2)


def tooltip(text: str) -> str:
    """What the pointer shows; at most 300 columns of it."""
    # Cut by letters before it is escaped and measured: a description may be megabytes.
    return f"<title>{escape.html(cut(escape.line(text[:1200]), 300))}</title>" if text else ""


def hidden_text(node: Node, shown: str) -> str:
    """What the picture has no room for: the tooltip, or the title if it was cut."""
    text = node.tooltip or node.title
    return "" if len(text) < 300 and escape.line(text) in shown else text
