"""What a strategy keeps is in the report, in the status, and beside the drawing."""

from tests.core.story import Story
from tests.core.test_subquestions import OPEN, REST, TWO
from wfnb.views.export import render_session
from wfnb.views.graphs import stage_picture
from wfnb.views.snapshot import snapshot

ROWS = [
    ["1", "where?", "the first", "3, 12"],
    ["2", "when?", "soon", "7, 8"],
    ["└ 2.1", "who of them?", "open", "11"],
]


def test_a_report_ends_with_what_the_strategy_keeps_and_lacks():
    said = render_session(Story(*OPEN, *REST).session, ".md").partition("## Questions\n\n")[2]

    assert said.splitlines() == [
        "| question | asks | answer | steps |",
        "| --- | --- | --- | --- |",
        "| 1 | where? | the first | 3, 12 |",
        "| 2 | when? | soon | 7, 8 |",
        "| └ 2.1 | who of them? | open | 11 |",
        "",
        "question 2.1 is open",
    ]


def test_the_status_has_it_as_data():
    session = Story(*OPEN).session

    assert snapshot(session)["ledger"] == {
        "title": "questions",
        "heads": ["question", "asks", "answer", "steps"],
        "rows": ROWS,
        "lacks": ["question 2.1 is open"],
    }


def test_the_drawing_has_it_beside():
    session = Story(*TWO).session

    picture = stage_picture(session, session.strategy, "main")

    assert repr(picture).splitlines()[-1] == "2         when?   soon    7, 8"
    assert "<td" in picture.html.partition("where?")[0][-200:]
