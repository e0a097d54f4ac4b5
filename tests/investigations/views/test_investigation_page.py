"""All of an investigation to read: as text, Markdown, HTML and JSON."""

import pytest

from tests.core.story import Story, at, done
from tests.investigations.views.inquiries import found, investigating, rows, tides
from wfnb.core.commands import SelectBranch
from wfnb.errors import NoInvestigation
from wfnb.investigations.core.commands import ExtendTotal, TakeAdvice
from wfnb.investigations.core.events import Advice, CarriedFindings
from wfnb.investigations.views.checklist import Item, checklist, part
from wfnb.investigations.views.investigation_page import InvestigationPage
from wfnb.views.export import render_session
from wfnb.views.report import report


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
    story.do(done("b", branch="x", leaves=1, findings=found("found by x")))
    story.do(done("c", branch="y", leaves=1, findings=found("found by y")))
    story.do(SelectBranch(branch="y"))

    assert rows(story.session, "Findings") == (
        ("x:2", "found by x", "✕ passed over"),
        ("y:2", "found by y", ""),
    )


def test_issues_are_told_once_each_with_the_worst_first():
    assert rows(tides().session, "Issues") == (
        ("high", "the day is cut from UTC text", "2, 4"),
        ("low", "the name is fixed", "2"),
    )


def test_hypotheses_are_told_with_their_fate():
    assert rows(tides().session, "Hypotheses") == (
        ("1", "2", "the parser loses some", "low", "↻ replaced"),
        ("2", "parser:3", "the parser is right", "medium", "✕ discarded"),
        ("3", "3", "the order is bad", "high", "⊖ withdrawn"),
        ("4", "4", "days are those of UTC", "high", "· standing"),
    )


def test_files_are_told_with_the_steps_that_count():
    assert rows(tides().session, "Files") == (
        ("tides.py", "1, 2", "✓ relevant"),
        ("gauge.py", "4", "✓ relevant, not opened"),
    )


def test_a_look_ticks_one_item_of_the_checklist():
    assert [item.by for item in checklist(tides().session)] == [
        None,
        "cell: days(readings)",
        None,
        None,
    ]


def test_the_page_tells_where_it_stands_then_the_chart_the_checklist_and_the_tables():
    text = InvestigationPage(tides().session).text

    assert text.startswith(
        "debug · pause for investigation · step 3 of 6 · confidence high, rising\n"
        "go on: step 3 of 6, confidence high\n"
        "context: gauge.day_of\n"
        "\n"
        "main    ▂▂ ⊖▄  high\n"
        "parser    ▃    medium · abandoned\n"
        "\n"
        "After step 4\n"
        "• Narrow it down to the line or condition that is wrong.\n"
        "☑ Run the path that fails"
    )
    assert [line for line in text.splitlines() if line in ("Findings", "Issues", "Hypotheses")] == [
        *("Findings", "Issues", "Hypotheses")
    ]


def test_an_investigation_that_has_not_begun_says_so():
    assert InvestigationPage(Story(investigating()).session).text == "debug · not begun"


def test_a_session_that_is_no_investigation_has_no_page():
    with pytest.raises(NoInvestigation):
        InvestigationPage(Story(done("a")).session)


def test_many_rows_are_cut_in_a_cell_and_whole_in_the_report():
    steps = [done(f"s{at}", findings=found(f"finding {at}")) for at in range(1, 121)]
    session = Story(investigating(), done("s0", total=500, findings=found("x")), *steps).session

    page = InvestigationPage(session)

    assert "Findings (the last 100 of 121)" in page.text
    assert "| 2 | finding 1 |" in page.markdown
    assert "<td" in page.html
    assert "finding 1</td>" not in page.html
    assert "finding 1</td>" in report(session).html


def test_more_steps_advice_and_what_was_carried_along_have_tables():
    carried = CarriedFindings(session="bug-42", kind="debug", found=found("a loop", files="a.py"))
    story = Story(investigating(carried=carried), done("a"), ExtendTotal(more=2, reason="two"))
    story.do(TakeAdvice(advice=(Advice(adviser="alice", role="reviewer", error="gone"),), step=3))

    assert rows(story.session, "Findings") == (("bug-42", "a loop"),)
    assert rows(story.session, "Files") == (("a.py", "bug-42"),)
    assert rows(story.session, "More steps") == (("1", "4 → 6", "two"),)
    assert rows(story.session, "Advice") == (("1", "alice", "reviewer", "✕ failed", "gone"),)
    assert "goes on from bug-42 (debug)" in InvestigationPage(story.session).text


def test_what_is_asked_for_shows_code_as_code():
    items = (Item(do="Let `%wfnb look` draw", by="cell: a`b"),)

    assert part(items).html() == "<div>☑ Let <code>%wfnb look</code> draw — cell: a`b</div>"
    assert part(items).markdown() == "\n- [x] Let `%wfnb look` draw — cell: a\\`b"


@pytest.mark.parametrize("ending", [".md", ".html", ".json", ".svg", ".dot", ".mmd", ".txt"])
def test_an_export_is_the_same_every_time(ending: str):
    assert render_session(tides().session, ending) == render_session(tides().session, ending)


def test_a_tie_is_told_in_a_sentence():
    story = Story(investigating("consensus"), done("Warn?", fields={"models": ["a", "b", "c"]}))
    replies = {"a": "for", "b": "against"}
    advice = [Advice(adviser=a, role="model", verdict=word) for a, word in replies.items()]
    story.do(TakeAdvice(advice=tuple(advice), step=at(story.session, 1).key))

    page = InvestigationPage(story.session)

    assert "2 of 3 replied: for 1, against 1" in page.facts


def test_a_consensus_has_its_tally_and_no_chart():
    story = Story(investigating("consensus"), done("Warn?", fields={"models": "alice:for"}))
    advice = Advice(adviser="alice", role="model", stance="for", verdict="for", text="yes")
    story.do(TakeAdvice(advice=(advice,), step=at(story.session, 1).key))

    page = InvestigationPage(story.session)

    assert page.chart is None
    assert "for wins with 100% (for × 1)" in page.facts
