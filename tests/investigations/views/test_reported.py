"""The report of an investigation: its verdict, what is grave, what was looked at."""

from tests.core.story import Story, at, done
from tests.investigations.views.inquiries import found, investigating, rows, tides
from wfnb.core.events import Cell
from wfnb.core.findings import Call, CallPath, Look
from wfnb.core.session import Session
from wfnb.investigations.core.commands import LookAt
from wfnb.investigations.views.investigation_page import InvestigationPage
from wfnb.views.report import report
from wfnb.views.step_answer import answer


def test_the_report_has_the_investigation_after_the_history_and_the_findings_of_steps():
    markdown = report(tides().session).markdown

    assert markdown.index("## History") < markdown.index("## Investigation: debug")
    assert "with the smallest input that still fails. — cell: days" in markdown
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

    said = InvestigationPage(session).sentence.split(" · ")
    line = answer(session, at(session, 2))

    assert said[:2] == ["codereview", "1 critical issue is open"]
    assert said[2].startswith("code review complete")
    assert line.text.split("\n")[0].index("1 critical issue is open") < line.text.index(
        "code review"
    )
    assert "<b>1 critical issue is open</b>" in line._repr_mimebundle_()["text/html"]


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
