"""Hostile text of an investigation stays text in every view of it."""

import json
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.core.story import Story, at
from tests.views.graphs import HOSTILE
from wfnb.core.events import Outcome, StepAdded
from wfnb.core.findings import Findings, Issue, Look
from wfnb.core.session import Session
from wfnb.investigations.core.events import (
    Advice,
    AdviceTaken,
    CarriedFindings,
    KindChosen,
    LookedAt,
)
from wfnb.investigations.core.kind_reader import builtin_kinds, to_data
from wfnb.investigations.views.investigation_page import InvestigationPage
from wfnb.render.text import escape
from wfnb.views.report import report
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status
from wfnb.views.step_answer import answer
from wfnb.views.step_card import Card


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def hostile(text: str) -> Session:
    """Every text of an investigation is this one."""
    says = Findings(
        findings=(text,),
        hypothesis=text,
        files=(text,),
        relevant=(text,),
        context=(text,),
        issues=(Issue(severity="high", text=text),),
    )
    look = LookedAt(looks=(Look(kind="cell", what=text, files=(text,)),))
    carried = CarriedFindings(session=text, kind=text, found=says)
    advice = (
        Advice(adviser=text, role="model", stance=text, verdict=text, text=text),
        Advice(adviser=text, role="reviewer", error=text),
    )
    first, second = (
        StepAdded(
            branch="main",
            number=number,
            total=2,
            description=text,
            next_step_needed=number == 1,
            outcome=Outcome(),
            findings=says,
            end=text,
        )
        for number in (1, 2)
    )
    kind = to_data(builtin_kinds()["debug"])
    story = Story()
    story.record([KindChosen(kind=kind, carried=carried, reviewer=text), first, look])
    story.record([AdviceTaken(advice=advice, step=3), second, AdviceTaken(advice=advice, step=6)])
    return story.session


VIEWS: dict[str, Callable[[Session], Any]] = {
    "findings": InvestigationPage,
    "status": lambda session: Status(snapshot(session)),
    "card": lambda session: Card(session, at(session, 2)),
    "report": report,
    "answer": lambda session: answer(session, at(session, 2)),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(view: Callable[[Session], Any], text: str):
    session = hostile(text)

    shown = view(session)

    plain = repr(shown)
    html = shown.html if hasattr(shown, "html") else shown._repr_mimebundle_()["text/html"]
    page = Tags(html)
    assert escape.printable(plain) == plain
    assert not page.tags & {"script", "img", "iframe", "link", "object"}
    assert not {name for name in page.attributes if name.startswith("on")}
    json.dumps(shown.to_dict() if hasattr(shown, "to_dict") else {}).encode()


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_on_its_line_of_markdown(text: str):
    tame, wild = (
        InvestigationPage(hostile(each)).markdown.splitlines() for each in ("x", text or "x")
    )

    assert len(wild) == len(tame)
    assert not any(line.lstrip().startswith(("<script", "<img", "![")) for line in wild)
