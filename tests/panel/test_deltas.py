"""What is told after what happened: no less, hardly more, and all of it again where it must be."""

from __future__ import annotations

import pytest

from tests.core.story import Story, begun, done, following
from tests.investigations.views.inquiries import CELL, found, investigating, looking
from tests.panel.telling import Told, rows
from wfnb.core.commands import (
    AbandonBranch,
    ClearSession,
    ConfirmSteps,
    FinishStep,
    HideSteps,
    MergeBranch,
    Redo,
    ScoreBranch,
    Undo,
)
from wfnb.core.events import Outcome
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack
from wfnb.panel import LiveRun
from wfnb.views.run_entries import RunEntry


def test_a_step_more_is_its_row_and_where_its_line_ends():
    told = Told(done("a"), done("b")).after(done("c"))

    assert rows(told) == [3]
    assert told["rows"][0]["title"] == "c"
    assert told["lines"] == [{"id": "main", "last": 2, "steps": 3}]
    assert (told["kind"], told["seq"], told["count"]) == ("delta", 1, 3)
    assert set(told["head"]) == {"position", "says", "steps", "current"}


def test_where_nothing_happened_nothing_is_told_and_nothing_is_counted():
    told = Told(done("a"))

    assert [told.after(), told.after()] == [None, None]
    assert told.after(done("b"))["seq"] == 1


def test_a_step_that_ends_is_told_again_without_its_line():
    told = Told()
    told.after(begun("a"))

    message = told.after(FinishStep(attempt=2, outcome=Outcome(status="failed", duration=0.25)))

    assert [(row["outcome"], row["duration"]) for row in message["rows"]] == [("failed", 0.25)]
    assert "lines" not in message
    assert message["head"]["outcomes"] == ["failed"]


def test_an_attempt_that_ran_before_anybody_looked_is_told_when_it_ends():
    told = Told(begun("a"))

    assert rows(told.after(FinishStep(attempt=2, outcome=Outcome()))) == [1]


def test_a_revision_tells_what_it_revises_and_what_is_stale_and_no_other():
    told = Told(*map(done, "abcd"))

    assert rows(told.after(done("e", revises=2))) == [2, 3, 4, 5]


def test_a_step_that_revises_another_than_before_tells_both():
    told = Told(*map(done, "abcd"), done("e", revises=2), ConfirmSteps(places=()))

    message = told.after(done("e again", number=5, revises=4))

    assert rows(message) == [2, 4, 5]
    assert [row["revised_by"] for row in message["rows"]] == [None, 5, None]


def test_what_is_stale_a_second_time_is_told_a_second_time():
    told = Told(*map(done, "abc"))
    told.after(done("d", revises=2))

    assert rows(told.after(ConfirmSteps(places=(StepPlace(number=3),)))) == [3]
    assert 3 in rows(told.after(done("e", revises=2)))


def test_backtracking_tells_all_that_is_withdrawn():
    told = Told(
        investigating(),
        done("a", findings=found("one")),
        looking(),
        done("b", findings=found("two")),
        looking(),
        done("c", findings=found("three")),
    )

    message = told.after(Backtrack(place=StepPlace(number=2)))

    assert [(row["number"], row["withdrawn"]) for row in message["rows"]] == [(2, True), (3, True)]
    assert message["inquiry"]["findings"] == [
        [1, {"state": "withdrawn"}],
        [2, {"state": "withdrawn"}],
    ]
    assert "levels" not in message["inquiry"]


def test_a_step_whose_revision_is_withdrawn_is_told_as_revised_by_none():
    told = Told(
        investigating(pause=False),
        *(done(name, findings=found(name)) for name in "abc"),
        done("d", revises=1, findings=found("d")),
    )

    message = told.after(Backtrack(place=StepPlace(number=4)))

    first, *_ = message["rows"]
    assert (first["number"], first["revised_by"]) == (1, None)


def test_what_became_of_a_branch_is_told_of_its_line_alone():
    told = Told(*map(done, "ab"), done("c", branch="alt", leaves=1))

    assert told.after(ScoreBranch(branch="alt", score=2.0))["lines"] == [
        {"id": "alt", "score": 2.0}
    ]
    merged = told.after(MergeBranch(branch="alt", into="main"))
    assert merged["lines"] == [{"id": "alt", "state": "merged", "open": False}]
    joined = told.after(done("d"))
    assert {"id": "alt", "joins": 3} in joined["lines"]
    again = told.after(AbandonBranch(branch="alt", reason="no better"))
    assert again["lines"] == [
        {"id": "alt", "joins": None, "state": "abandoned", "reason": "no better"}
    ]
    assert "rows" not in again


@pytest.mark.parametrize("command", [Undo(), ClearSession()])
def test_what_takes_steps_away_is_told_as_a_snapshot(command):
    told = Told(*map(done, "ab"))
    told.after(done("c"))

    message = told.after(command)

    assert (message["kind"], message["seq"]) == ("snapshot", 2)
    assert rows(message) == ([1, 2] if isinstance(command, Undo) else [])
    assert rows(told.after(done("d"))) == ([3] if isinstance(command, Undo) else [1])


def test_what_brings_them_back_is_as_well():
    told = Told(*map(done, "ab"), Undo())

    assert rows(told.after(Redo())) == [1, 2]


def test_events_that_nobody_told_are_made_up_for_by_a_snapshot():
    told = Told(done("a"))
    told.story.do(done("b"))

    message = told.after(done("c"))

    assert (message["kind"], rows(message)) == ("snapshot", [1, 2, 3])


def test_another_session_is_a_snapshot():
    told = Told(*map(done, "abc"))

    message = told.live.next_update(Story(done("x")).session)

    assert (message["kind"], message["seq"], rows(message)) == ("snapshot", 1, [1])


def test_front_ends_that_share_it_are_told_a_snapshot_after_one_came_between():
    told = Told(done("a"))
    told.story.do(following("react"))
    between = told.live.snapshot()
    told.story.do(following(None))

    message = told.live.next_update(told.story.session, told.story.log[2:])

    assert between["head"]["strategy"] == "react"
    assert (message["kind"], message["head"]["strategy"]) == ("snapshot", None)


def test_the_line_that_is_chosen_changes_the_head_alone():
    told = Told(*map(done, "ab"), done("c", branch="alt", leaves=1))

    assert told.after(line="alt") == {
        "kind": "delta",
        "seq": 1,
        "head": {"line": "alt", "current": told.story.session.lines["alt"].keys[2]},
    }
    assert told.after(line="a line that is gone")["head"]["line"] == "main"


def test_a_strategy_is_drawn_once_and_marked_from_then_on():
    told = Told()

    drawn = told.after(following("react"))
    marked = told.after(done("a", stage="problem_reception"))
    gone = told.after(following(None))

    assert [node["state"] for node in drawn["stages"]["nodes"]] == ["not yet"] * 9
    assert "stages" not in marked
    assert marked["marks"] == {
        "nodes": [{"id": "problem_reception", "sign": "▶", "state": "current"}],
        "edges": [],
    }
    assert gone["stages"] is None


def test_an_investigation_that_ends_is_told():
    told = Told(investigating())

    assert told.after(investigating("refactor"))["inquiry"]["kind"] == "refactor"
    assert told.after(investigating(None))["inquiry"] is None


def test_what_the_code_of_a_step_looked_at_is_told_with_its_end():
    told = Told(investigating(), begun("a", findings=found("one")))
    attempt = next(iter(told.story.session.running))

    message = told.after(FinishStep(attempt=attempt, outcome=Outcome(), looks=(CELL,)))

    assert message["inquiry"]["files"] == [[0, 0, "tides.py"]]


def test_a_run_of_a_hidden_step_is_no_row_in_the_place_of_another():
    told = Told(*map(done, "ab"), HideSteps(places=(StepPlace(number=1),)))
    key = min(told.story.session.steps)

    entry = RunEntry(name="r-1", workflow="r", status="success", step=key)

    message = told.after(runs=[LiveRun(entry=entry)])

    assert rows(message) == []
    assert [run["name"] for run in message["runs"]] == ["r-1"]
