"""What a step kept is told in its row and in its card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.core.story import Story, at, begun, done
from wfnb.core.commands import FinishStep, KeepValues
from wfnb.core.events import Outcome
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues
from wfnb.panel import Live, card
from wfnb.panel.kept_values import MAX_NAMES


def kept(count: int = 1) -> KeptValues:
    values = tuple(
        KeptValue(name=f"v{at}", type="int", says=str(at), group=0) for at in range(count)
    )
    lost = KeptValue(name="log", type="file", why_not="it is an open file")
    return KeptValues(values=(*values, lost), groups=(KeptGroup(blobs=("a-5",), signature="s"),))


def opened(story: Story, number: int = 1) -> Any:
    found = card(story.session, at(story.session, number).key)
    assert found is not None
    return found["kept"]


def test_a_card_names_what_was_kept_and_why_the_rest_was_not():
    story = Story(done("Load"))
    story.do(KeepValues(step=at(story.session, 1).key, values=kept()))

    assert opened(story) == {
        "says": "kept",
        "values": [
            {"name": "v0", "value": "int · 0"},
            {"name": "log", "value": "not kept: it is an open file"},
        ],
        "more": 0,
    }


def test_a_card_names_what_a_value_comes_back_without():
    value = KeptValue(name="v", type="list", group=0, without=("the results in the cache of <f>",))
    story = Story(done("Load"))
    story.do(KeepValues(step=at(story.session, 1).key, values=replace(kept(), values=(value,))))

    assert opened(story)["values"] == [
        {"name": "v", "value": "list · without the results in the cache of <f>"}
    ]


def test_a_step_that_was_to_keep_nothing_has_nothing_of_it_in_its_card():
    assert opened(Story(done("Load"))) is None


def test_a_step_that_failed_says_that_it_kept_nothing():
    story = Story(begun("Load", keep=("df",)))
    (attempt,) = story.session.running
    story.do(FinishStep(attempt=attempt, outcome=Outcome(status="failed")))

    assert opened(story) == {
        "says": "not kept",
        "values": [{"name": "df", "value": "not kept: the step failed"}],
        "more": 0,
    }


def test_values_of_an_earlier_version_are_said_to_be_that():
    story = Story(done("Load"))
    story.do(KeepValues(step=at(story.session, 1).key, values=kept()))
    story.do(done("Load all", number=1))

    assert opened(story)["says"] == "kept by version 1"


def test_of_very_many_names_the_first_are_listed():
    story = Story(done("Load"))
    story.do(KeepValues(step=at(story.session, 1).key, values=kept(MAX_NAMES + 5)))

    assert (len(opened(story)["values"]), opened(story)["more"]) == (MAX_NAMES, 6)


def test_a_row_is_told_again_when_its_step_has_kept_something():
    story = Story(done("Load"), done("Fit"))
    live = Live(story.session)
    before = len(story.log)

    story.do(KeepValues(step=at(story.session, 1).key, values=kept(3)))
    delta = live.next_update(story.session, story.log[before:])

    assert delta is not None
    assert [(row["number"], row["kept"]) for row in delta["rows"]] == [(1, 3)]
