"""The Python API as a script uses it: steps and their answers."""

import numpy
import pytest

import wfnb
from wfnb.core.events import Outcome
from wfnb.errors import (
    BadValue,
    Refused,
    StepNotRunning,
)


@pytest.fixture
def ws(tmp_path):
    return wfnb.open("drift", home_folder=tmp_path / ".wfnb")


def test_the_first_answer_has_the_seven_fields_and_where_the_session_stands(ws):
    answer = ws.step("Load the readings", total=3)

    assert answer.to_dict() == {
        "step_number": 1,
        "total_steps": 3,
        "next_step_needed": True,
        "last_step_description": "Load the readings",
        "current_branch": None,
        "branches": [],
        "step_history_length": 1,
        "session": "drift",
        "outcome": "ok",
        "needs_more_steps": True,
        "solved": False,
    }


def test_an_answer_says_more_where_there_is_more_to_say(ws):
    ws.step("Load", total=2)
    ws.step("Fit", number=2)

    answer = ws.step("Fit robustly", branch="alt", branch_from=1, revises=1, values={"rmse": 0.5})

    assert answer.to_dict() == {
        "step_number": 2,
        "total_steps": 2,
        "next_step_needed": False,
        "last_step_description": "Fit robustly",
        "current_branch": "alt",
        "branches": ["alt"],
        "step_history_length": 3,
        "session": "drift",
        "outcome": "ok",
        "branch_from_step": 1,
        "revises_step": 1,
        "needs_more_steps": False,
        "solved": True,
        "values": {"rmse": 0.5},
    }
    assert answer.current_branch == "alt"


def test_an_answer_tells_the_stage_and_what_may_follow(ws):
    ws.strategy("react")

    answer = ws.step("Why is it slow?")

    told = answer.to_dict()
    assert (told["strategy"], told["stage"]) == ("react", "problem_reception")
    assert told["next_stages"] == ["initial_reasoning"]
    assert told["next_actions"][0].startswith("next stage initial_reasoning: ")


@pytest.mark.parametrize("outcome", ["failed", "interrupted"])
def test_an_answer_tells_how_a_step_ended(ws, outcome):
    answer = ws.step("Fit", outcome=outcome)

    assert answer.outcome == outcome
    assert answer.next_actions == ["run the cell again for another attempt"]


def test_an_answer_has_no_times_and_is_the_same_json_each_time(ws, tmp_path):
    other = wfnb.open("drift", home_folder=tmp_path / "other")

    assert ws.step("Load").to_json() == other.step("Load").to_json()


def test_loose_values_mean_what_they_say(ws):
    ws.step("a", number="1", total="4", next_step_needed="true")

    answer = ws.step("b", number="2", revises="1", needs_more_steps="false", branch_from=None)

    assert (answer.step_number, answer.revises_step, answer.needs_more_steps) == (2, 1, False)


@pytest.mark.parametrize(
    ("says", "field"),
    [
        ({"number": "0"}, "number"),
        ({"total": "2.5"}, "total"),
        ({"next_step_needed": "yes"}, "next_step_needed"),
        ({"needs_more_steps": ""}, "needs_more_steps"),
        ({"is_step_revision": "1"}, "is_step_revision"),
        ({"revises": "1e3"}, "revises"),
        ({"branch": "alt", "branch_from": "-1"}, "branch_from"),
        ({"branch": ""}, "branch"),
        ({"branch": "a b"}, "branch"),
        ({"branch_from": 1}, "branch"),
        ({"fields": ["loss"]}, "fields"),
        ({"fields": {"loss": {1, 2}}}, "field 'loss'"),
        ({"values": {"rmse": float("nan")}}, "field 'rmse'"),
        ({"values": {"folds": numpy.zeros(3)}}, "field 'folds'"),
    ],
)
def test_a_value_that_does_not_read_is_refused_with_its_name_and_nothing_is_recorded(
    ws, says, field
):
    ws.step("a")
    before = ws.log.entries()

    with pytest.raises(BadValue) as refused:
        ws.step("b", **says)

    assert refused.value.field == field
    assert ws.log.entries() == before


@pytest.mark.parametrize("outcome", ["great", "", None])
def test_an_outcome_that_does_not_exist_is_refused(ws, outcome):
    with pytest.raises(Refused):
        ws.step("a", outcome=outcome)

    assert len(ws.log.entries()) == 1


def test_named_values_are_kept_as_plain_numbers(ws):
    values = {"rmse": numpy.float32(0.5), "n": numpy.int64(3), "one": numpy.array([2.0]), "t": "x"}

    assert ws.step("a", values=values).values == {"rmse": 0.5, "n": 3, "one": 2.0, "t": "x"}


def test_a_step_can_run_for_a_while(ws):
    step = ws.steps.begin(ws.steps.command_for("Train"))

    assert ws.views.answer(step).outcome == "running"
    ended = ws.steps.finish(step.running, Outcome(status="failed", error="ValueError: empty"))
    answer = ws.views.answer(ended)
    assert (answer.outcome, answer.error) == ("failed", "ValueError: empty")


def test_a_step_that_was_undone_while_it_ran_cannot_end(ws):
    step = ws.steps.begin(ws.steps.command_for("Train"))
    attempt = step.running
    ws.undo()

    with pytest.raises(StepNotRunning):
        ws.steps.finish(attempt, Outcome())
