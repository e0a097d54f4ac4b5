"""What is hidden is in no list, picture, count or report, and is said to be hidden."""

import json

import pytest

from tests.core.story import Story, begun, done
from wfnb.core.commands import FinishStep, HideSteps, MergeBranch, ShowSteps
from wfnb.core.events import Outcome
from wfnb.core.queries import visible_lines
from wfnb.core.validation import place
from wfnb.jupyter.panel.still_picture import StillPicture
from wfnb.panel import Live, card, rows_page
from wfnb.panel import snapshot as live_snapshot
from wfnb.views.event_sentences import describe
from wfnb.views.export import render_session
from wfnb.views.graphs import history_graph
from wfnb.views.line_comparison import compare
from wfnb.views.report import report, summary
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status


def hide(*steps):
    return HideSteps(places=tuple(place("step", step) for step in steps))


@pytest.fixture
def story():
    """Step 2 is hidden, and the branch that leaves it is not; branch gone is hidden whole."""
    return Story(
        done("Load"),
        done("A mistake"),
        done("Ridge", branch="ridge", leaves=2),
        done("Nonsense", branch="gone", leaves=1),
        done("Fit"),
        MergeBranch(branch="ridge"),
        done("Plot"),
        hide(2, "gone:2"),
    )


def titles(rows):
    return [row["title"] for row in rows]


def test_status_and_its_sentence_leave_it_out(story):
    data = snapshot(story.session)
    said = Status(data)

    assert [step["description"] for step in data["steps"]] == ["Load", "Ridge", "Fit", "Plot"]
    assert data["hidden_steps"] == ["2", "gone:2"]
    assert [line["id"] for line in data["lines"]] == ["main", "ridge"]
    assert "test · 4 steps on 2 lines · 2 hidden" in said.sentence
    assert "mistake" not in repr(said)


def test_a_picture_goes_on_from_the_step_before_it(story):
    graph = history_graph(story.session)
    named = {node.id: node.title for node in graph.nodes}

    assert list(named.values()) == ["Load", "Ridge", "Fit", "Plot"]
    assert [lane.id for lane in graph.lanes] == ["main", "ridge"]
    assert {(named[edge.tail], named[edge.head], edge.kind) for edge in graph.edges} == {
        ("Load", "Ridge", "branch"),
        ("Load", "Fit", "next"),
        ("Fit", "Plot", "next"),
        ("Ridge", "Plot", "merge"),
    }


def test_a_report_and_a_comparison_leave_it_out(story):
    told = report(story.session)
    compared = compare(story.session, visible_lines(story.session), frozenset(), frozenset())

    for text in (told.markdown, told.html):
        assert "mistake" not in text
        assert "Nonsense" not in text
    assert summary(story.session).startswith("4 steps on 2 lines · 2 hidden")
    assert compared.rows[0].cells == (3, 1)


def test_the_exported_data_have_it_and_say_that_it_is_hidden(story):
    data = json.loads(render_session(story.session, ".json"))

    assert {step["description"] for step in data["steps"] if step.get("hidden")} == {
        "A mistake",
        "Nonsense",
    }


def test_the_panel_is_told_the_others_in_an_order_without_gaps(story):
    told = live_snapshot(story.session)

    assert titles(told["rows"]) == ["Load", "Ridge", "Fit", "Plot"]
    assert [row["index"] for row in told["rows"]] == [0, 1, 2, 3]
    assert (told["count"], told["head"]["steps"], told["head"]["hidden"]) == (4, 4, 2)
    spans = {line["id"]: (line["from"], line["first"], line["last"]) for line in told["lines"]}
    assert spans == {"main": (None, 0, 3), "ridge": (0, 1, 1)}


def test_the_panel_asks_for_what_is_hidden_and_opens_it(story):
    page = rows_page(story.session, 0, 9, {"hidden": True})
    found = rows_page(story.session, 0, 9, {"text": "mistake"})

    assert titles(page["rows"]) == ["A mistake", "Nonsense"]
    assert all(row["hidden"] for row in page["rows"])
    assert card(story.session, page["rows"][0]["key"])["title"] == "A mistake"
    assert found["count"] == 0


def test_the_panel_is_told_a_whole_picture_where_something_is_hidden_or_shown():
    story = Story(done("a"), done("b"), done("c"))
    live = Live(story.session)
    kinds = []
    for command in (hide(2), done("d"), ShowSteps(), done("e")):
        before = len(story.log)
        story.do(command)
        told = live.next_update(story.session, story.log[before:])
        kinds.append((told["kind"], told["count"], titles(told["rows"])[-1]))

    assert kinds == [
        ("snapshot", 2, "c"),
        ("delta", 3, "d"),
        ("snapshot", 4, "d"),
        ("delta", 5, "e"),
    ]


def test_a_hidden_step_that_ends_is_not_told():
    story = Story(done("a"), begun("b"))
    (attempt,) = story.session.running
    story.do(hide(2))
    live = Live(story.session)
    before = len(story.log)
    story.do(FinishStep(attempt=attempt, outcome=Outcome()))

    told = live.next_update(story.session, story.log[before:])

    assert "rows" not in told
    assert titles(live.snapshot()["rows"]) == ["a"]


def test_the_log_says_what_was_hidden(story):
    assert [describe(entry.event) for entry in story.log[-2:]] == [
        "hidden on 'main': 2",
        "hidden on 'gone': 2",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [("tag:slow", ["Load"]), ("tag:slo", []), ("slo", ["Load"]), ("SLOW load", ["Load"])],
)
def test_a_step_is_found_by_its_tag(text, found):
    story = Story(done("Load", tags=("slow", "data")), done("Fit", tags=("fast",)))

    assert titles(rows_page(story.session, 0, 9, {"text": text})["rows"]) == found


def test_tags_are_in_status_and_export():
    story = Story(done("Load", tags=("slow", "data")))
    data = snapshot(story.session)

    assert data["steps"][0]["tags"] == ["slow", "data"]
    assert "#slow · #data" in repr(Status(data))


def test_a_picture_of_hidden_steps_alone_does_not_say_that_there_is_none():
    session = Story(done("a"), HideSteps(places=(place("step", 1),))).session

    assert StillPicture(session, []).says == "test · all steps are hidden"
    assert StillPicture(Story().session, []).says.startswith("test · no step yet")
