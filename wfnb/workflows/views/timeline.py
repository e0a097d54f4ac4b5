"""run -> when each of its calls was: bars on one line of time, as SVG and as text.

It has times by nature: it is for reports and for who asks, not for what a notebook stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.tables import html_table, text_table
from wfnb.render.text.text_width import cut
from wfnb.views.graphs import drawn_html
from wfnb.workflows.core.run import Run

from .call_bars import Gap, lay_out_bars
from .run_words import seconds
from .timeline_chart import Chart, draw_chart

BARS = 32  # columns of the text's own bars
MIN_SECONDS = 0.01  # seconds: what the line of time shows at least


class Timeline:
    """Rows of bars; `svg`, `text` and `html`. Calls whose time is not known are left out."""

    def __init__(self, run: Run, name: str) -> None:
        self.name = name
        self.tracks, self.pauses = lay_out_bars(run)
        ends = (bar.end for track in self.tracks for bar in track.bars)
        self.length = max(ends, default=0.0)

    @property
    def says(self) -> str:
        """The picture in a sentence."""
        calls = sum(len(track.bars) for track in self.tracks)
        actions = len(self.tracks)
        said = f"{self.name}: {calls} call{'s' * (calls != 1)} of {actions} "
        return f"{said}action{'s' * (actions != 1)} in {seconds(self.length)}"

    @property
    def svg(self) -> str:
        return draw_chart(
            Chart(
                tracks=self.tracks,
                pauses=self.pauses,
                length=max(self.length, MIN_SECONDS),
                says=self.says,
            )
        )

    @property
    def text(self) -> str:
        heads = ("action", "", "from", "for", "call")
        return "\n".join([text_table(heads, [*_rows(self)]), *_pause_notes(self.pauses)])

    @property
    def html(self) -> str:
        """The drawing, and under it the same as a table."""
        rows = [(name, *rest) for name, _, *rest in _rows(self)]
        return drawn_html(self.svg, self.text, html_table(("action", "from", "for", "call"), rows))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            MIME: {"picture": "timeline"},
            "text/plain": self.text,
            "text/html": self.html,
        }


def _rows(timeline: Timeline) -> Iterator[tuple[str, ...]]:
    scale = BARS / max(timeline.length, MIN_SECONDS)
    for track in timeline.tracks:
        for number, bar in enumerate(track.bars):
            # A call at the very end has to be seen, too.
            first = min(BARS - 1, int(bar.start * scale))
            wide = max(1, round((bar.end - bar.start) * scale))
            sign = "▒" if bar.undoes else "█"
            yield (
                cut(escape.line(track.name), 48) if number == 0 else "",
                "·" * first + sign * min(wide, BARS - first),
                bar.begins,
                seconds(bar.end - bar.start),
                bar.says.rpartition(" · ")[0],
            )


def _pause_notes(pauses: Sequence[Gap]) -> Iterator[str]:
    for pause in pauses:
        yield f"≈ at +{seconds(pause.at)} a pause of {seconds(pause.length)} is left out"
