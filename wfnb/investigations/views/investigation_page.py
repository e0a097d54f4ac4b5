"""session -> all of its investigation to read: where it stands, confidence, tables, checklist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfnb.core.findings import Look
from wfnb.core.session import Session
from wfnb.errors import NoInvestigation, spoken
from wfnb.investigations.core.investigation import investigation_of
from wfnb.render import document
from wfnb.render.document import Part, figure, heading, quiet, table
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import SPACED

from . import checklist
from .adviser_replies import asked_models, replied_sentence
from .confidence_chart import Chart, confidence
from .finding_tables import Section, sections
from .snapshot import investigation, sentence
from .verdict import by_severity, issue_count_text

_MAX_ROWS = 100  # rows of a table in a cell; the report and the JSON have all


class InvestigationPage:
    """Shown as text and HTML; the same for the same session and looks that wait to be recorded.
    NoInvestigation where it is none."""

    def __init__(self, session: Session, waiting: Sequence[Look] = ()) -> None:
        data = investigation(session, waiting)
        if data is None:
            raise NoInvestigation("findings")
        self._data: Mapping[str, Any] = data
        self.items = checklist.checklist(session, waiting)
        self.chart: Chart | None = _confidence_chart(session)
        self.sections = tuple(sections(session))
        replied = replied_sentence(asked_models(session))
        self.facts = (*_facts(data), *([] if replied is None else [replied]))

    def to_dict(self) -> dict[str, Any]:
        return dict(self._data)

    @property
    def sentence(self) -> str:
        """Where it stands: the kind, its status, the step, the confidence."""
        return " · ".join(sentence(self._data))

    @property
    def verdict(self) -> str:
        """What is open, and the status, as `not begun` before there is one."""
        issues = (each["severity"] for each in self._data["issues"] if not each["state"])
        said = [issue_count_text(by_severity(issues)), spoken(self._data["status"] or "not begun")]
        return " · ".join([*said, *filter(None, [self._data.get("staged")])])

    @property
    def text(self) -> str:
        return "\n".join(self._text())

    @property
    def html(self) -> str:
        """For a cell; its tables have the last rows only."""
        shown = document.html(self.parts(most=_MAX_ROWS))
        return f'<div class="wfnb-findings" style="{SPACED}">{shown}</div>'

    @property
    def markdown(self) -> str:
        kind = heading(2, f"Investigation: {self._data['kind']}")
        return document.markdown((kind, *self.parts()))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: self.to_dict(), "text/plain": self.text, "text/html": self.html}

    def parts(self, most: int | None = None) -> Iterator[Part]:
        """Its part of a document; `most` rows of each table."""
        yield from map(quiet, (self.sentence, *self.facts))
        if self.chart is not None:
            yield figure(self.chart)
        if self.items:
            yield heading(3, _after_step(self._data))
            yield checklist.part(self.items)
        for section in self._last_sections(most):
            yield heading(3, section.says)
            yield table(section)

    def _text(self) -> Iterator[str]:
        yield escape.line(self.sentence)
        yield from (escape.line(fact) for fact in self.facts)
        if self.chart is not None:
            yield f"\n{self.chart.text}"
        if self.items:
            yield f"\n{_after_step(self._data)}"
            yield from checklist.text(self.items)
        for section in self._last_sections(_MAX_ROWS):
            yield f"\n{section.says}\n{section.text}"

    def _last_sections(self, most: int | None) -> Iterator[Section]:
        return (each if most is None else each.last_rows(most) for each in self.sections)


def _confidence_chart(session: Session) -> Chart | None:
    """None before the first step, and for a kind whose steps review replies: its confidence means
    nothing."""
    now, chart = investigation_of(session), confidence(session)
    asks = now is not None and now.kind.total.rule == "models"
    return chart if chart.points and not asks else None


def _facts(data: Mapping[str, Any]) -> Iterator[str]:
    """Why it ended or did not, what is advised, and where it goes on from."""
    if data["end"]:
        yield data["end"]
    if data.get("stagnation"):
        yield data["stagnation"]
    progress = data["progress"]
    if progress and data["awaited"]:
        yield f"{progress['advice']}: {progress['why']}"
    if data["context"]:
        yield f"context: {', '.join(data['context'])}"
    if data["carried"]:
        yield f"goes on from {data['carried']['session']} ({data['carried']['kind']})"


def _after_step(data: Mapping[str, Any]) -> str:
    waits = data["awaited"]
    where = waits["number"] if waits["branch"] == "main" else f"{waits['branch']}:{waits['number']}"
    return f"After step {where}"
