"""bars -> SVG: a row an action, a bar a call, a scale of time above."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log10

from wfnb.frozen_record import record
from wfnb.render.drawing.glyphs import TONES, small, tooltip
from wfnb.render.drawing.graph import SIGNS
from wfnb.render.drawing.svg_style import number, paint, sheet
from wfnb.render.text import escape
from wfnb.render.text.text_width import cut, pixels

from .call_bars import Bar, Gap, Track
from .run_words import seconds

WIDTH, ROW, TOP, NAMES, RIGHT = 760, 24, 26, 220, 70
_MINUTES = (10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)
_MAX_ROWS = 1000  # rows; a picture longer than that is read by nobody


_STYLE = ".wfnb-graph .bar{fill-opacity:.2}" + "".join(
    f".wfnb-graph .bar.{name}{{{paint('fill', name)}}}" for name in ("on", "ok", "bad", "warn")
)


@record
class Chart:
    """`length` is that of the line of time in seconds, more than 0; `says` the chart in a
    sentence."""

    tracks: tuple[Track, ...]
    pauses: tuple[Gap, ...]
    length: float
    says: str


def draw_chart(chart: Chart) -> str:
    """A row of 24 pixels for each action, in the order of their first calls."""
    shown = chart.tracks[:_MAX_ROWS]
    names = min(NAMES, max((pixels(escape.line(track.name)) for track in shown), default=0)) + 14
    return sheet(
        _lines(chart, names, (WIDTH - names - RIGHT) / chart.length),
        width=WIDTH,
        height=TOP + ROW * len(shown) + 8,
        label=chart.says,
        style=_STYLE,
    )


def _lines(chart: Chart, left: float, scale: float) -> Iterator[str]:
    bottom = TOP + ROW * len(chart.tracks[:_MAX_ROWS]) + 2
    for at in ticks(chart.length):
        x = left + at * scale
        yield f'<path class="edge dots" d="M{number(x)} {TOP - 6}V{bottom}"/>'
        yield f'<text class="s m" x="{number(x)}" y="{TOP - 12}">{seconds(at)}</text>'
    for pause in chart.pauses:
        x = left + pause.at * scale
        yield f'<path class="edge thick" d="M{number(x)} {TOP - 6}V{bottom}"/>'
        said = f"≈ {seconds(pause.length)}"
        yield f'<text class="s" x="{number(x + 3)}" y="{bottom + 4}">{said}</text>'
    for row, track in enumerate(chart.tracks[:_MAX_ROWS]):
        top = TOP + ROW * row
        name = cut(escape.line(track.name), left - 13, pixels)
        yield f'<text x="4" y="{top + 16}">{tooltip(track.name)}{escape.html(name)}</text>'
        # The waits first, so that no line of one is drawn over a bar.
        for bar in track.bars:
            yield from _wait_line(bar, left, scale, top)
        for bar in track.bars:
            yield _bar(bar, left, scale, top)
        yield from _signs(track.bars, left, scale, top + 16)


def _wait_line(bar: Bar, left: float, scale: float, top: float) -> Iterator[str]:
    if bar.waited:
        start, end = left + max(0.0, bar.start - bar.waited) * scale, left + bar.start * scale
        yield f'<path class="edge dots" d="M{number(start)} {number(top + 12)}H{number(end)}"/>'


def _bar(bar: Bar, left: float, scale: float, top: float) -> str:
    # A call of a millisecond is still to be seen, and hit by a pointer.
    wide = max(2.0, (bar.end - bar.start) * scale)
    look = TONES[bar.state]
    dash = " dash" if bar.undoes or bar.state in ("cancelled", "unknown") else ""
    high = 11 if bar.undoes else 14
    return (
        f'<rect class="box bar {look}{dash}" x="{number(left + bar.start * scale)}" '
        f'y="{number(top + 12 - high / 2)}" width="{number(wide)}" height="{high}" rx="2">'
        f"{tooltip(f'{bar.begins} · {bar.says}')}</rect>"
    )


def _signs(bars: tuple[Bar, ...], left: float, scale: float, y: float) -> Iterator[str]:
    """How each call ended: in its bar where there is room, else behind the last; many are
    counted."""
    rest = []
    for bar in bars:
        sign = _sign(bar)
        if (bar.end - bar.start) * scale > small(sign) + 4:
            middle = number(left + (bar.start + bar.end) / 2 * scale)
            yield f'<text class="s m" x="{middle}" y="{number(y)}">{sign}</text>'
        else:
            rest.append(sign)
    if rest:
        said = " ".join(rest) if len(rest) < 4 else f"{rest[0]} … {rest[-1]} {len(rest)}×"
        end = left + max(bar.end for bar in bars) * scale + 6
        x = number(min(end, WIDTH - 4 - small(said)))
        yield f'<text class="s" x="{x}" y="{number(y)}">{said}</text>'


def _sign(bar: Bar) -> str:
    return (SIGNS["undone"] if bar.undoes else "") + SIGNS[bar.state]


def ticks(length: float) -> list[float]:
    """Round numbers from 0 to the length, at most eight.

    >>> ticks(4.2), ticks(300)
    ([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 60.0, 120.0, 180.0, 240.0, 300.0])
    """
    if length > 60:
        fitting = (part for part in _MINUTES if length / part < 8)
        step = float(next(fitting, ceil(length / 8 / 86400) * 86400))
    else:
        tenth = 10.0 ** (ceil(log10(length)) - 1)
        step = next(tenth * part for part in (0.2, 0.5, 1, 2) if length / (tenth * part) < 8)
    # The sum of floats may fall just short of the last tick.
    return [round(step * count, 6) for count in range(int(length / step + 1e-9) + 1)]
