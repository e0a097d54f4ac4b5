"""What to do in a stage is seen where one works: under a step, and beside the drawing."""

from tests.core.story import Story, answered, done, following
from wfnb.core.strategy import Stage, Strategy
from wfnb.views.graphs import stage_picture

FORK = Strategy(
    name="fork",
    start="ask",
    stages={
        "ask": Stage(prompt="Ask <one> thing.", next=("look", "end")),
        "look": Stage(prompt="Look.", next=("end",), fields={"seen": "what there is"}),
        "end": Stage(),
    },
)
SAID = [
    "next: look: Look. Fields: seen (what there is).",
    "next: end",
]


def test_an_answer_says_what_to_do_in_each_stage_that_may_follow():
    answer = answered(following(FORK), done())

    assert answer.text.splitlines()[1:] == SAID
    shown = answer._repr_mimebundle_()["text/html"]
    assert "<div>next: <b>look</b> · Look. Fields: seen (what there is).</div>" in shown


def test_the_picture_of_a_strategy_says_what_to_do_where_the_line_stands_and_goes_on():
    session = Story(following(FORK), done()).session

    picture = stage_picture(session, FORK, "main")

    assert repr(picture).splitlines()[-3:] == [
        "now ask: Ask <one> thing.",
        "next look: Look. Fields: seen (what there is).",
        "next end",
    ]
    assert "<div>now ask: Ask &lt;one&gt; thing.</div>" in picture.html
    assert picture.guides.rows[1] == ("look", "Look. Fields: seen (what there is).")


def test_a_strategy_that_the_session_does_not_follow_says_how_it_begins():
    assert stage_picture(Story().session, FORK, "main").lines == ["next ask: Ask <one> thing."]
