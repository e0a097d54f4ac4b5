"""A step in full: its versions, and how each of them ended."""

import re

from tests.core.story import Kernel, Story
from wfnb.core.events import Outcome
from wfnb.panel import card
from wfnb.views.line_comparison import compare
from wfnb.views.report import report
from wfnb.views.snapshot import snapshot
from wfnb.views.step_answer import answer
from wfnb.views.step_card import Card, summary_line


def told():
    """A mean that was 4.5, then 5 by other code, then 6 by the same."""
    story = Story()
    kernel = Kernel(story)
    for source, mean in (("m = old", 4.5), ("m = new", 5), ("m = new", 6)):
        outcome = Outcome(values={"mean": mean})
        step = kernel.run(source, id="cell", description="Mean\n\nwhy", outcome=outcome)
    return Card(story.session, step)


def test_a_card_tells_the_newest_version_first_and_what_it_gave_before():
    assert told().text == (
        "1  Mean\n"
        "✓ ok · version 2 · mean = 6\n"
        "\n"
        "version 2: Mean · ✓ ok · mean = 6\n"
        "  earlier: ✓ ok · mean = 5\n"
        "why\n"
        "    m = new\n"
        "\n"
        "version 1: Mean · ✓ ok · mean = 4.5\n"
        "why\n"
        "    m = old"
    )


def test_a_card_escapes_what_it_shows():
    story = Story()
    outcome = Outcome(status="failed", error="<script>alert(1)</script>")
    step = Kernel(story).run("x = '<b>'", id="c", description="<img src=x>", outcome=outcome)

    html = Card(story.session, step)._repr_mimebundle_()["text/html"]

    assert not any(tag in html for tag in ("<script", "<img", "'<b>'"))
    assert "&lt;script&gt;" in html


def test_while_a_step_runs_again_no_view_says_what_the_attempt_before_gave_as_its_own():
    """It failed at first; then it runs again, unchanged."""
    story = Story()
    kernel = Kernel(story)
    failed = Outcome(status="failed", error="No row.", values={"n": 417}, result="nothing left")
    for outcome in (failed, None):
        step = kernel.run("n = fit()", id="c", description="Fit", outcome=outcome)
    session = story.session

    (version,) = Card(session, step).versions
    told = [
        answer(session, step).to_dict(),
        summary_line(session, step),
        snapshot(session)["steps"],
        compare(session, [session.lines["main"]], frozenset(), frozenset()).text,
        report(session).markdown.partition("earlier: ")[0],
        {**card(session, step.key), "versions": []},
    ]

    assert version["says"] == "Fit · ▶ running"
    assert version["earlier"] == ["✕ failed · n = 417 · nothing left · No row."]
    assert not [each for each in told if re.search("417|nothing left|No row", str(each))]
