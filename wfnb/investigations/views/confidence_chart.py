"""levels, points -> confidence over the steps as a small chart: SVG, a line of text, a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from wfnb.core.session import Session
from wfnb.frozen_record import record
from wfnb.investigations.core.investigation import investigation_of
from wfnb.render.drawing.glyphs import mark, small, tone, tooltip
from wfnb.render.drawing.graph import Node
from wfnb.render.drawing.svg_style import number, paint, sheet
from wfnb.render.text import escape
from wfnb.render.text.tables import html_table, text_table
from wfnb.render.text.text_width import columns, cut
from wfnb.views.graphs import drawn_html

from .finding_entries import State, entries

WIDTH, ROW, PITCH, MARGIN = 640, 20, 56, 16
MAX_POINTS = 100  # points; the table has all
NAMES = 24  # columns of a line's name
_BLOCKS = "▁▂▃▄▅▆▇█"
_STYLE = (
    f".wfnb-graph .grid{{fill:none;{paint('stroke', 'line')};stroke-opacity:.55}}"
    ".wfnb-graph .rail.gone{stroke-opacity:.6}"
)


@record
class Point:
    """A step's confidence. `height` counts from 0, the lowest level; None: it is on another scale.
    `before` is the point it comes from, by its place in the chart."""

    where: str
    line: str
    level: str
    height: int | None
    title: str = ""
    state: State = ""
    before: int | None = None


class Chart:
    """`levels` go up; `lines` are all lines in order, which gives each its colour and sign."""

    def __init__(
        self, levels: Sequence[str], points: Sequence[Point], lines: Sequence[str]
    ) -> None:
        self.levels, self.points = tuple(levels), tuple(points)
        self._lanes = {name: lane for lane, name in enumerate(lines)}
        self._hidden = max(0, len(self.points) - MAX_POINTS)

    @property
    def says(self) -> str:
        """The chart in a sentence."""
        count = len(self.points)
        went = [point.level for point in self.points if not point.state]
        # Where it changed, and the last of these: a sentence for those who cannot see the chart.
        steady = [at for at, level in enumerate(went) if at == 0 or went[at - 1] != level][-8:]
        over = f"confidence over {count} step{'s' * (count != 1)}"
        return f"{over}: {', '.join(went[at] for at in steady)}" if steady else over

    @property
    def text(self) -> str:
        """A row a line of steps, a sign a step: how high its confidence is."""
        return "\n".join(self._rows())

    @cached_property
    def svg(self) -> str:
        shown = self._shown_points
        left = MARGIN + max(map(small, self._names))
        pitch = min(PITCH, (WIDTH - left - 2 * MARGIN) / max(1, len(shown) - 1))
        reach = max(left + 2 * MARGIN + pitch * (len(shown) - 1), 240.0)
        high = ROW * len(self.levels)
        legend = ROW if len(self._used_lines) > 1 else 0
        end, names = self._legend(left)
        wide = max(reach + MARGIN, end)
        return sheet(
            (*names, *self._grid(left, wide, legend), *self._draw_points(left, pitch, legend)),
            width=wide,
            height=legend + high + ROW + 6,
            label=self.says,
            style=_STYLE,
        )

    @property
    def table(self) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Heads and rows."""
        rows = tuple((p.where, p.title, p.line, p.level, p.state) for p in self.points)
        return ("step", "title", "line", "confidence", ""), rows

    @property
    def html(self) -> str:
        """The drawing, and under it the same as a table."""
        return drawn_html(self.svg, self.text, html_table(*self.table))

    def __repr__(self) -> str:
        return f"{self.text}\n\n{text_table(*self.table)}" if self.points else self.says

    @property
    def _shown_points(self) -> Sequence[tuple[int, Point]]:
        return list(enumerate(self.points))[self._hidden :]

    @property
    def _names(self) -> list[str]:
        return [cut(escape.line(level), NAMES) for level in self.levels]

    @property
    def _used_lines(self) -> list[str]:
        used = {point.line for _, point in self._shown_points}
        return sorted(used, key=lambda name: self._lanes.get(name, 0))

    def _rows(self) -> Iterator[str]:
        names = [cut(escape.line(name), NAMES) for name in self._used_lines]
        wide = max(map(columns, names), default=0)
        for line, name in zip(self._used_lines, names, strict=True):
            own = [(at, point) for at, point in self._shown_points if point.line == line]
            signs = [" "] * len(self._shown_points)
            for at, point in own:
                signs[at - self._hidden] = self._block(point)
            last = own[-1][1]
            tail = f"{last.level} · {last.state}" if last.state else last.level
            space = " " * (wide - columns(name))
            yield f"{name}{space}  {''.join(signs)}  {escape.line(tail)}"
        if self._hidden:
            yield f"(the last {MAX_POINTS} of {len(self.points):,} steps)"

    def _block(self, point: Point) -> str:
        if point.state == "withdrawn":
            return "⊖"
        if point.height is None:
            return "·"
        return _BLOCKS[point.height * (len(_BLOCKS) - 1) // max(1, len(self.levels) - 1)]

    def _legend(self, left: float) -> tuple[float, list[str]]:
        """How far it reaches, and the sign and name of each line while there is room; nothing
        where there is one line."""
        if len(self._used_lines) < 2:
            return 0, []
        x, drawn = left + MARGIN, []
        for name in self._used_lines:
            shown = cut(escape.line(name), NAMES)
            if x + small(shown) + 2 * MARGIN > WIDTH:
                drawn.append(f'<text class="s" x="{number(x)}" y="14">…</text>')
                return WIDTH, drawn
            drawn.append(mark(self._node(name), x, 10))
            drawn.append(f'<text class="s" x="{number(x + 10)}" y="14">{escape.html(shown)}</text>')
            x += small(shown) + 34
        return x, drawn

    def _grid(self, left: float, wide: float, top: float) -> Iterator[str]:
        for height, name in enumerate(self._names):
            y = self._y(height, top)
            yield f'<path class="grid" d="M{number(left + 6)} {number(y)}H{number(wide - 6)}"/>'
            yield (
                f'<text class="s e" x="{number(left)}" y="{number(y + 4)}">'
                f"{escape.html(name)}</text>"
            )

    def _draw_points(self, left: float, pitch: float, top: float) -> Iterator[str]:
        places = {
            at: (left + 2 * MARGIN + (at - self._hidden) * pitch - 8, self._y(point.height, top))
            for at, point in self._shown_points
            if point.height is not None
        }
        for at, point in self._shown_points:
            if at in places and point.before in places:
                yield self._rail(point, places[point.before], places[at])
        # A number takes some 24 pixels: where points stand closer, not each has one.
        each = max(1, round(24 / pitch))
        low = top + ROW * len(self.levels) + 14
        for at, point in self._shown_points:
            if at not in places:
                continue
            x, y = places[at]
            said = f"{point.where} {point.title}: {point.level}"
            hint = tooltip(f"{said} · {point.state}" if point.state else said)
            shape = mark(self._node(point.line, point.state), x, y)
            # The sign comes as a closed element, and a tooltip has to be inside of one.
            yield shape.replace("/>", f">{hint}</path>", 1)
            if (at - self._hidden) % each == 0:
                shown = escape.html(cut(escape.line(point.where.rpartition(":")[2]), 8))
                yield f'<text class="s m" x="{number(x)}" y="{number(low)}">{shown}</text>'

    def _rail(self, point: Point, start: tuple[float, float], end: tuple[float, float]) -> str:
        look = f"rail {tone(self._lanes.get(point.line, 0))}{' dash gone' if point.state else ''}"
        a, b = (f"{number(x)} {number(y)}" for x, y in (start, end))
        return f'<path class="{look}" d="M{a}L{b}"/>'

    def _y(self, height: int, top: float) -> float:
        return top + ROW * (len(self.levels) - 1 - height) + ROW / 2 + 2

    def _node(self, line: str, state: State = "") -> Node:
        lane = self._lanes.get(line, 0)
        return Node(id="", title="", lane=lane, state="withdrawn" if state else "ok")


def confidence(session: Session) -> Chart:
    """The confidence of each step of the session's investigation."""
    now = investigation_of(session)
    levels = now.kind.confidence.levels if now is not None else ()
    places: dict[int, int] = {}
    points = []
    for at, entry in enumerate(entries(session)):
        places[entry.key] = at
        points.append(
            Point(
                where=entry.where,
                line=entry.branch,
                level=entry.says.confidence or "",
                height=None if entry.level is None else levels.index(entry.level),
                title=entry.title,
                state=entry.state,
                # From step to step of its line, wherever that stands among all.
                before=None if entry.before is None else places.get(entry.before),
            )
        )
    return Chart(levels, points, tuple(session.lines))
