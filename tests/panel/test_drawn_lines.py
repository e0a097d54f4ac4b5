"""Lines are drawn in the columns in which the picture of the history has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.drawn import FORK, changes, plausible_steps
from tests.core.story import DECIDED, Story, begun, done, following
from tests.investigations.core.investigating import CELL, LONG, found, investigating
from tests.panel.client import Client
from wfnb.core.commands import AbandonBranch, FinishStep, MergeBranch
from wfnb.core.events import Outcome
from wfnb.errors import Refused
from wfnb.panel import Live, snapshot
from wfnb.render.drawing.lanes import tracks
from wfnb.views.graphs import history_graph


def lines(*commands):
    return {line["id"]: line for line in snapshot(Story(*commands).session)["lines"]}


def test_a_branch_is_drawn_from_the_step_it_left_to_where_it_joins():
    drawn = lines(
        done("a"),
        done("b"),
        done("c", branch="alt", leaves=1),
        MergeBranch(branch="alt", into="main"),
        done("d"),
    )

    alt = drawn["alt"]
    assert [alt[name] for name in ("from", "first", "last", "joins")] == [0, 2, 2, 3]
    assert (alt["lane"], alt["state"], alt["open"], alt["steps"]) == (1, "merged", False, 1)
    main = drawn["main"]
    assert [main[name] for name in ("from", "first", "last", "joins")] == [None, 0, 3, None]


def test_a_column_is_used_again_where_a_branch_has_ended():
    drawn = lines(
        done("a"),
        done("b", branch="one", leaves=1),
        done("c"),
        done("d"),
        done("e", branch="two", leaves=3),
    )

    assert [line["lane"] for line in drawn.values()] == [0, 1, 1]


def test_a_line_that_another_was_selected_over_is_open_and_passed_over():
    drawn = lines(*DECIDED)

    assert {id: (line["state"], line["over"], line["open"]) for id, line in drawn.items()} == {
        "main": ("open", False, True),
        "tree": ("abandoned", False, False),
        "line": ("open", True, False),
        "net": ("selected", False, True),
    }


def test_a_long_reason_is_cut():
    drawn = lines(
        done("a"), done("b", branch="alt", leaves=1), AbandonBranch(branch="alt", reason="x" * 500)
    )

    assert len(drawn["alt"]["reason"]) == 120


TWO_TRIES = (
    following(FORK),
    done("a", stage="ask"),
    done("b", stage="try"),
    done("c", branch="alt", leaves=1, stage="try"),
)
FOLLOWED_UP = {
    "a branch whose column another has taken goes on": (
        done("a"),
        done("b", branch="one", leaves=1),
        done("c"),
        done("d"),
        done("e", branch="two", leaves=3),
        done("f", branch="one"),
    ),
    "a step comes before the one where a branch joined": (
        done("a"),
        done("b", branch="alt", leaves=1),
        MergeBranch(branch="alt", into="main"),
        done("c", number=5),
        done("d", number=3),
    ),
    "a line that had ended goes on": (
        done("a"),
        done("b", next_step_needed=False),
        done("c", next_step_needed=True),
    ),
    "a line ends": (done("a"), done("b", next_step_needed=False)),
    "the first step of all": (done("a"),),
    "a branch goes on": (done("a"), done("b", branch="alt"), done("c", branch="alt")),
    "another goes on after it": (
        done("a"),
        done("b", branch="one", leaves=1),
        done("c", branch="two", leaves=1),
        done("d", branch="one"),
        done("e", branch="two"),
    ),
    "the code of a last step shows what its end asks for": (
        investigating(pause=False),
        done("a", total=3, findings=found(LONG, relevant="a.py")),
        begun("b", findings=found(f"{LONG}, again", context="parse", confidence="certain")),
        FinishStep(attempt=4, outcome=Outcome(), looks=(CELL,)),
    ),
    "a strategy ends, and another is chosen": (
        *TWO_TRIES,
        done("d", stage="end"),
        following(None),
    ),
    "a strategy ends with a step that another is to follow": (
        *TWO_TRIES,
        done("d", stage="end", next_step_needed=True),
    ),
}


@pytest.mark.parametrize("commands", FOLLOWED_UP.values(), ids=FOLLOWED_UP)
def test_lines_that_are_followed_up_are_those_of_a_new_snapshot(commands):
    story = Story()
    live = Live(story.session)
    client = Client(live.snapshot())

    for command in commands:
        before = len(story.log)
        story.do(command)
        client.told(live.next_update(story.session, story.log[before:]))

        assert client.picture()["lines"] == snapshot(story.session)["lines"]


@given(st.data())
def test_the_columns_are_those_of_the_picture(data):
    story = Story()
    for _ in range(data.draw(st.integers(1, 15))):
        command = st.one_of(plausible_steps(story.session), changes(story.session))
        try:
            story.do(data.draw(command))
        except Refused:
            continue

    found = snapshot(story.session)["lines"]
    laid = tracks(history_graph(story.session))

    for lane, track in laid.items():
        line = found[lane]
        assert (line["lane"], line["first"], line["last"]) == (
            track.column,
            track.first,
            track.last,
        )
