"""All of an investigation to read: as text, Markdown, HTML and JSON; and what other views say."""

import json
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.core.story import Story, at, done
from tests.views.graphs import HOSTILE
from tests.views.inquiry.inquiries import found, investigating, tides
from wfnb.core.commands import ChooseKind, ExtendTotal, LookAt, SelectBranch, TakeAdvice
from wfnb.core.events import AdviceTaken, Cell, KindChosen, LookedAt, Outcome, StepAdded
from wfnb.core.findings import Advice, Carried, Findings, Issue, Look
from wfnb.core.kind import builtin, to_data
from wfnb.core.seen import Call, CallPath
from wfnb.core.session import Session
from wfnb.errors import NoInvestigation
from wfnb.views.answer import answer
from wfnb.views.card import Card
from wfnb.views.compare import compare
from wfnb.views.export import rendered
from wfnb.views.inquiry.checklist import Item, checklist
from wfnb.views.inquiry.checklist import html as checklist_html
from wfnb.views.inquiry.checklist import markdown as checklist_markdown
from wfnb.views.inquiry.page import FindingsPage
from wfnb.views.inquiry.tables import sections
from wfnb.views.log import describe
from wfnb.views.pictures import branch_picture
from wfnb.views.report import report
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status
from wfnb.views.text import escape


def rows(session: Session, title: str) -> tuple[tuple[str, ...], ...]:
    return next((each.rows for each in sections(session) if each.title == title), ())


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


def test_findings_are_told_with_what_became_of_their_steps():
    assert rows(tides().session, "Findings") == (
        ("1", "3 days, the log book says 4", ""),
        ("2", "335 rows", ""),
        ("parser:3", "none is lost", "✕ abandoned"),
        ("3", "twice", "⊖ withdrawn"),
        ("4", "00:10 is counted to the day before", ""),
    )


def test_what_a_branch_found_that_was_not_selected_is_passed_over():
    story = Story(investigating(), done("a", total=6))
    story.do(done("b", branch="x", leaves=1, findings=found("by x")))
    story.do(done("c", branch="y", leaves=1, findings=found("by y")))
    story.do(SelectBranch(branch="y"))

    assert rows(story.session, "Findings") == (
        ("x:2", "by x", "✕ passed over"),
        ("y:2", "by y", ""),
    )


def test_issues_are_told_once_each_with_the_worst_first():
    assert rows(tides().session, "Issues") == (
        ("high", "the day is cut from UTC text", "2, 4"),
        ("low", "the name is fixed", "2"),
    )


def test_hypotheses_are_told_with_their_fate():
    assert rows(tides().session, "Hypotheses") == (
        ("2", "the parser loses some", "low", "↻ replaced"),
        ("parser:3", "the parser is right", "medium", "✕ discarded"),
        ("3", "the order is bad", "high", "⊖ withdrawn"),
        ("4", "days are those of UTC", "high", "· standing"),
    )


def test_files_are_told_with_the_steps_that_count():
    assert rows(tides().session, "Files") == (
        ("tides.py", "1", "✓ relevant"),
        ("gauge.py", "4", "✓ relevant"),
    )


def test_a_look_ticks_one_item_of_the_checklist():
    assert [item.by for item in checklist(tides().session)] == [
        "cell: days(readings)",
        None,
        None,
        None,
    ]


def test_the_page_tells_where_it_stands_then_the_chart_the_checklist_and_the_tables():
    text = FindingsPage(tides().session).text

    assert text.startswith(
        "debug · pause for investigation · step 3 of 6 · confidence high, rising\n"
        "go on: step 3 of 6, confidence high\n"
        "context: gauge.day_of\n"
        "\n"
        "main    ▂▂ ⊖▄  high\n"
        "parser    ▃    medium · abandoned\n"
        "\n"
        "After step 4\n"
        "☑ Narrow it down to the line or condition that is wrong. — cell: days(readings)\n"
        "☐ Run the path that fails"
    )
    assert [line for line in text.splitlines() if line in ("Findings", "Issues", "Hypotheses")] == [
        *("Findings", "Issues", "Hypotheses")
    ]


def test_an_investigation_that_has_not_begun_says_so():
    assert FindingsPage(Story(investigating()).session).text == "debug · not begun"


def test_a_session_that_is_no_investigation_has_no_page():
    with pytest.raises(NoInvestigation):
        FindingsPage(Story(done("a")).session)


def test_many_rows_are_cut_in_a_cell_and_whole_in_the_report():
    steps = [done(f"s{at}", findings=found(f"finding {at}")) for at in range(1, 121)]
    session = Story(investigating(), done("s0", total=500, findings=found("x")), *steps).session

    page = FindingsPage(session)

    assert "Findings (the last 100 of 121)" in page.text
    assert "| 2 | finding 1 |" in page.markdown
    assert "<td" in page.html
    assert "finding 1</td>" not in page.html
    assert "finding 1</td>" in report(session).html


def test_more_steps_advice_and_what_was_carried_along_have_tables():
    carried = Carried(session="bug-42", kind="debug", found=found("a loop", files="a.py"))
    story = Story(investigating(carried=carried), done("a"), ExtendTotal(more=2, reason="two"))
    story.do(TakeAdvice(advice=(Advice(adviser="alice", role="reviewer", error="gone"),), step=3))

    assert rows(story.session, "Findings") == (("bug-42", "a loop"),)
    assert rows(story.session, "Files") == (("a.py", "bug-42"),)
    assert rows(story.session, "More steps") == (("1", "4 → 6", "two"),)
    assert rows(story.session, "Advice") == (("1", "alice", "reviewer", "✕ failed", "gone"),)
    assert "goes on from bug-42 (debug)" in FindingsPage(story.session).text


def test_the_report_has_the_investigation_after_the_history_and_the_findings_of_steps():
    markdown = report(tides().session).markdown

    assert markdown.index("## History") < markdown.index("## Investigation: debug")
    assert "- [x] Narrow it down to the line or condition that is wrong. — cell: days" in markdown
    assert "\n- hypothesis: days are those of UTC\n" in markdown
    assert "\n- looked at\n  - cell: `days(readings)`\n  - code: calls warnings\n" in markdown
    assert "| hypothesis | days are those of UTC | the parser is right |" in markdown


def ended(*issues: str, looks: tuple[Look, ...] = ()) -> Session:
    """A review that ends with these issues open."""
    story = Story(
        investigating("codereview"), done("Read it", total=2, findings=found(relevant="a"))
    )
    story.do(LookAt(looks=(Look(kind="cell", what="run(1)"), *looks)))
    says = found("`run` is *slow*", issues=[*issues])
    cell = Cell(source="%%step 2 Judged\n---\nfinding: slow\n---\nrun(2)")
    story.do(done("Judged", findings=says, next_step_needed=False, cell=cell))
    return story.session


def test_the_report_begins_with_a_verdict_of_what_is_open():
    grave = report(ended("low: a name", "critical: no check", "low: a word"))
    clean = report(ended())

    first = "3 issues are open: 1 critical, 2 low · code review complete changes requested"
    assert grave.markdown.split("\n\n")[2] == f"**Verdict:** {first}"
    assert clean.markdown.split("\n\n")[2].startswith("**Verdict:** no issue is open · code")
    assert f"<b>Verdict:</b> {first}</p>" in grave.html


def test_what_is_grave_stands_before_the_status():
    session = ended("critical: no check", "medium: slow")

    said = FindingsPage(session).sentence.split(" · ")
    line = answer(session, at(session, 2))

    assert said[:2] == ["codereview", "1 critical issue is open"]
    assert said[2].startswith("code review complete")
    assert line.text.split("\n")[0].index("1 critical issue is open") < line.text.index(
        "code review"
    )
    assert ">1 critical issue is open</span>" in line._repr_mimebundle_()["text/html"]


def test_issues_are_told_with_the_place_that_they_say():
    session = ended("high: a/x.py:12 no check", "low: no test (y.py:3-4)", "medium: slow")

    assert rows(session, "Issues") == (
        ("high", "a/x.py:12", "no check", "2"),
        ("medium", "", "slow", "2"),
        ("low", "y.py:3-4", "no test (y.py:3-4)", "2"),
    )


def test_the_report_says_once_what_a_header_said():
    told = report(ended())

    assert "```python\nrun(2)\n```" in told.markdown
    assert "finding: slow" not in told.markdown + told.html
    assert "- finding: `run` is \\*slow\\*" in told.markdown
    assert "finding: <code>run</code> is *slow*" in told.html


def test_the_report_draws_the_calls_that_were_looked_at():
    call = Call(caller="main", callee="read", path="a.py", line=4)
    drawn = (CallPath(target="main", path="a.py", line=3, calls=(call,)),)
    look = Look(kind="code", what="calls main", drawn=drawn)

    told = report(ended(looks=(look,)))

    assert "- looked at\n  - cell: `run(1)`\n  - code: calls main\n" in told.markdown
    assert '```mermaid\nflowchart LR\n    n0["▶ main"]\n    n1["· read"]\n' in told.markdown
    assert "<li>looked at<ul><li>cell: <code>run(1)</code></li><li>code: calls" in told.html
    assert 'aria-label="calls of main: 2 functions, now at main"' in told.html


def test_a_list_in_a_field_is_told_in_words():
    story = Story(investigating("consensus"))

    told = story.answer(done("Warn?", fields={"models": ["keeper:for", "harbour:against"]}))

    assert "models keeper:for, harbour:against" in told.text
    assert "<b>keeper:for, harbour:against</b>" in told._repr_mimebundle_()["text/html"]


def test_what_is_asked_for_shows_code_as_code():
    items = (Item(do="Let `%wfnb look` draw", by="cell: a`b"),)

    assert [*checklist_html(items)] == ["☑ Let <code>%wfnb look</code> draw — cell: a`b"]
    assert [*checklist_markdown(items)] == ["- [x] Let `%wfnb look` draw — cell: a\\`b"]


def test_status_ends_with_the_checklist():
    shown = repr(Status(snapshot(tides().session)))

    assert shown.splitlines()[0] == (
        "test · 5 steps on 2 lines · debug · pause for investigation · step 3 of 6 · "
        "confidence high, rising · not solved yet"
    )
    assert "3  Sorted?                 main                ⊖ withdrawn  confidence high" in shown
    assert shown.splitlines()[-4].startswith("☑ Narrow it down")


def test_the_snapshot_has_the_investigation_and_no_times():
    story = tides()
    advice = Advice(adviser="alice", role="model", text="yes", seconds=1.5)
    story.do(TakeAdvice(advice=(advice,), step=at(story.session, 4).key))

    data = json.loads(rendered(story.session, ".json"))

    inquiry = data["investigation"]
    assert inquiry["checklist"][0]["ticked_by"] == "cell: days(readings)"
    assert inquiry["hypotheses"][1] == {
        "step": "parser:3",
        "text": "the parser is right",
        "fate": "discarded",
    }
    assert inquiry["advice"] == [
        {
            "step": "4",
            "adviser": "alice",
            "role": "model",
            "stance": "neutral",
            "verdict": None,
            "text": "yes",
            "error": None,
        }
    ]
    assert data["steps"][3]["withdrawn"] is True
    assert data["steps"][3]["findings"] == {
        "findings": ["twice"],
        "hypothesis": "the order is bad",
        "confidence": "high",
    }


def test_a_plain_session_says_nothing_of_investigations():
    data = snapshot(Story(done("a")).session)

    assert "investigation" not in data
    assert "findings" not in data["steps"][0]


def test_a_withdrawn_step_is_hollow_in_the_history():
    assert "○    3  Sorted?                 ⊖ withdrawn" in branch_picture(tides().session).text


def test_a_card_tells_what_each_version_found():
    story = tides()

    assert "  hypothesis: the order is bad\n  finding: twice" in (
        Card(story.session, at(story.session, 3)).text
    )


def test_lines_are_compared_by_what_they_said_last():
    session = tides().session

    data = compare(session, list(session.lines.values()), frozenset(), frozenset()).to_dict()

    assert data["confidence"] == {"main": "high", "parser ⟵ 2": "medium"}


def test_the_log_says_what_was_done_in_an_investigation():
    story = tides()
    story.do(ChooseKind(kind=None))
    said = [describe(entry.event) for entry in story.log]

    assert [line for line in said if "step" not in line] == [
        "session 'test' started",
        "investigation debug begun",
        "looked at cell: days(readings), code: calls warnings",
        "looked at cell: days(readings)",
        "branch 'parser' abandoned",
        "looked at cell: days(readings)",
        "investigation given up",
    ]
    assert "withdrawn from step 3 on: the sort is stable" in said


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
    carried = Carried(session=text, kind=text, found=says)
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
    kind = to_data(builtin()["debug"])
    story = Story()
    story.record([KindChosen(kind=kind, carried=carried, reviewer=text), first, look])
    story.record([AdviceTaken(advice=advice, step=3), second, AdviceTaken(advice=advice, step=6)])
    return story.session


VIEWS: dict[str, Callable[[Session], Any]] = {
    "findings": FindingsPage,
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
    tame, wild = (FindingsPage(hostile(each)).markdown.splitlines() for each in ("x", text or "x"))

    assert len(wild) == len(tame)
    assert not any(line.lstrip().startswith(("<script", "<img", "![")) for line in wild)


@pytest.mark.parametrize("ending", [".md", ".html", ".json", ".svg", ".dot", ".mmd", ".txt"])
def test_an_export_is_the_same_every_time(ending: str):
    assert rendered(tides().session, ending) == rendered(tides().session, ending)


def test_a_tie_is_told_in_a_sentence():
    story = Story(investigating("consensus"), done("Warn?", fields={"models": ["a", "b", "c"]}))
    replies = {"a": "for", "b": "against"}
    advice = [Advice(adviser=a, role="model", verdict=word) for a, word in replies.items()]
    story.do(TakeAdvice(advice=tuple(advice), step=at(story.session, 1).key))

    page = FindingsPage(story.session)

    assert "2 of 3 replied: for 1, against 1" in page.facts


def test_a_consensus_has_its_tally_and_no_chart():
    story = Story(investigating("consensus"), done("Warn?", fields={"models": "alice:for"}))
    advice = Advice(adviser="alice", role="model", stance="for", verdict="for", text="yes")
    story.do(TakeAdvice(advice=(advice,), step=at(story.session, 1).key))

    page = FindingsPage(story.session)

    assert page.chart is None
    assert "for wins with 100% (for 1)" in page.facts
