"""What investigations add to what is shown of a session: each method hands over to a view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wfnb.core.findings import Look
from wfnb.core.session import Session, Step
from wfnb.errors import spoken
from wfnb.render.document import Part, figure, heading, paragraph
from wfnb.views.extension import Data, ViewExtension
from wfnb.views.graphs import Picture

from .core.events import NAME
from .core.investigation import investigation_of, looks_before
from .views.answer_notes import notes
from .views.checklist import Item
from .views.code_evidence import call_graph
from .views.investigation_answer import investigation_answer
from .views.investigation_page import InvestigationPage
from .views.panel import inquiry
from .views.snapshot import investigation, sentence
from .views.verdict import by_severity, grave


class InvestigationViews(ViewExtension):
    name = NAME

    def label(self, session: Session) -> str:
        now = investigation_of(session)
        return "" if now is None else now.kind.name

    def answer_fields(self, session: Session, step: Step) -> Data | None:
        return investigation_answer(session, step)

    def answer_states(self, part: Data) -> Iterator[tuple[str, bool]]:
        """At its end the severe issues that are open, then its status."""
        whole = (each for each in part.values() if isinstance(each, Mapping))
        issues = next((each["issues"] for each in whole if "work_summary" in each), ())
        if open_ := grave(by_severity(each["severity"] for each in issues)):
            yield open_, True
        yield spoken(part["status"]), False

    def answer_notes(self, part: Data) -> Iterable[str]:
        return notes(part)

    def snapshot(self, session: Session) -> Data | None:
        return investigation(session)

    def status(self, part: Data) -> Iterable[str]:
        return sentence(part)

    def status_items(self, part: Data) -> Iterator[str]:
        """What is asked for, ticked by what was done for it."""
        for item in part["checklist"]:
            yield Item(do=item["do"], by=item["ticked_by"], box=item["box"]).says

    def panel(self, session: Session) -> dict[str, Any] | None:
        return inquiry(session)

    def report_opening(self, session: Session) -> Iterator[Part]:
        if investigation_of(session) is not None:
            yield paragraph(InvestigationPage(session).verdict, label="Verdict")

    def report_section(self, session: Session) -> Iterator[Part]:
        now = investigation_of(session)
        if now is not None:
            yield heading(2, f"Investigation: {now.kind.name}")
            yield from InvestigationPage(session).parts()

    def step_points(self, session: Session, step: Step) -> Iterator[tuple[str, list[str]]]:
        if looks := looks_before(session, step):
            yield "looked at", [f"{look.kind}: {_text(look)}" for look in looks]

    def step_figures(self, session: Session, step: Step) -> Iterator[Part]:
        for path in (path for look in looks_before(session, step) for path in look.drawn):
            drawn = Picture(call_graph(path))
            yield figure(drawn, mermaid=drawn.mermaid)


def _text(look: Look) -> str:
    return f"`{look.what}`" if look.kind == "cell" and "`" not in look.what else look.what
