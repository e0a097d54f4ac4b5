"""A step in full: its versions, and how each of them ended."""

from tests.core.story import Kernel, Story
from wfnb.core.events import Outcome
from wfnb.views.card import Card


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
