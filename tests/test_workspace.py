"""The Python API as a script uses it: steps, branches, strategies, undo, what is told of them."""

import numpy
import pytest

import wfnb
from wfnb.core.events import Outcome
from wfnb.errors import (
    BadValue,
    BranchUnknown,
    NothingRecorded,
    Refused,
    StepNotRunning,
    StepUnknown,
    StrategyNone,
    StrategyUnknown,
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
        ({"number": "0"}, "step_number"),
        ({"total": "2.5"}, "total_steps"),
        ({"next_step_needed": "yes"}, "next_step_needed"),
        ({"needs_more_steps": ""}, "needs_more_steps"),
        ({"is_step_revision": "1"}, "is_step_revision"),
        ({"revises": "1e3"}, "revises_step"),
        ({"branch": "alt", "branch_from": "-1"}, "branch_from_step"),
        ({"branch": ""}, "branch_id"),
        ({"branch": "a b"}, "branch_id"),
        ({"branch_from": 1}, "branch_id"),
        ({"fields": ["loss"]}, "fields"),
        ({"fields": {"loss": {1, 2}}}, "field 'loss'"),
        ({"values": {"rmse": float("nan")}}, "field 'rmse'"),
        ({"values": {"folds": numpy.zeros(3)}}, "field 'folds'"),
    ],
)
def test_a_value_that_does_not_read_is_refused_with_its_field_and_nothing_is_recorded(
    ws, says, field
):
    ws.step("a")
    before = ws.log()

    with pytest.raises(BadValue) as refused:
        ws.step("b", **says)

    assert refused.value.field == field
    assert ws.log() == before


@pytest.mark.parametrize("outcome", ["great", "", None])
def test_an_outcome_that_does_not_exist_is_refused(ws, outcome):
    with pytest.raises(Refused):
        ws.step("a", outcome=outcome)

    assert len(ws.log()) == 1


def test_named_values_are_kept_as_plain_numbers(ws):
    values = {"rmse": numpy.float32(0.5), "n": numpy.int64(3), "one": numpy.array([2.0]), "t": "x"}

    assert ws.step("a", values=values).values == {"rmse": 0.5, "n": 3, "one": 2.0, "t": "x"}


def test_a_step_can_run_for_a_while(ws):
    step = ws.begin(ws.add_step("Train"))

    assert ws.answer(step).outcome == "running"
    ended = ws.finish(step.running, Outcome(status="failed", error="ValueError: empty"))
    assert (ws.answer(ended).outcome, ws.answer(ended).error) == ("failed", "ValueError: empty")


def test_a_step_that_was_undone_while_it_ran_cannot_end(ws):
    step = ws.begin(ws.add_step("Train"))
    attempt = step.running
    ws.undo()

    with pytest.raises(StepNotRunning):
        ws.finish(attempt, Outcome())


def test_a_line_can_be_chosen_for_the_steps_that_name_none(ws):
    ws.step("a")
    ws.step("x", branch="alt")
    ws.switch("alt")

    assert ws.step("y").current_branch == "alt"
    assert ws.status()["line"] == "alt"
    ws.switch()
    assert ws.step("b").current_branch is None
    with pytest.raises(BranchUnknown):
        ws.switch("beta")


def test_the_line_is_the_choice_of_one_process_and_is_not_recorded(ws, tmp_path):
    ws.step("a")
    ws.step("x", branch="alt")
    ws.switch("alt")

    again = wfnb.open("drift", home_folder=tmp_path / ".wfnb")

    assert again.line == "main"
    assert again.step("b").current_branch is None


def test_the_line_chosen_is_main_again_when_its_branch_is_undone(ws):
    ws.step("a")
    ws.step("x", branch="alt")
    ws.switch("alt")

    ws.undo()

    assert ws.line == "main"


def test_branches_are_scored_selected_merged_and_abandoned(ws):
    ws.step("a")
    for name in ("alt", "beta", "gamma", "delta"):
        ws.step(name, branch=name, branch_from=1)
    ws.score("alt", "0.8", "folds")
    ws.select("beta", "simple")
    ws.merge("gamma", reason="good")
    ws.abandon("delta", "slow")

    lines = {line["id"]: line for line in ws.status()["lines"]}

    assert [lines[name]["state"] for name in lines] == [
        "open",
        "open",
        "selected",
        "merged",
        "abandoned",
    ]
    assert (lines["alt"]["score"], lines["alt"]["reason"]) == (0.8, "folds")
    assert (lines["gamma"]["merged_into"], lines["gamma"]["reason"]) == ("main", "good")


def test_stale_steps_are_confirmed_by_place_or_all(ws):
    for words in "abc":
        ws.step(words)
    ws.step("x", branch="alt")
    ws.step("A", number=1)

    assert ws.status()["stale_steps"] == [2, 3, 4]
    assert ws.confirm(2) == ["2"]
    assert ws.confirm("alt:4", "3") == ["3", "alt:4"]
    assert ws.confirm() == []


def test_undo_and_redo_say_what_they_did(ws):
    ws.step("Load")
    ws.step("x", branch="alt")

    assert ws.undo() == "branch 'alt' opened from step 1 of 'main'"
    assert ws.undo() == "step 1 added: Load"
    assert ws.redo() == "step 1 added: Load"
    assert ws.redo() == "branch 'alt' opened from step 1 of 'main'"
    ws.clear()
    assert ws.undo() == "all steps put away"


def test_a_step_is_found_by_its_place(ws):
    ws.step("a")
    ws.step("x", branch="alt")

    assert ws.find("alt:2").now.description == "x"
    assert ws.find(2).now.description == "x"
    with pytest.raises(StepUnknown):
        ws.find(9)


def test_the_status_of_a_new_session(ws):
    assert ws.status() == {
        "step_number": 0,
        "total_steps": 0,
        "next_step_needed": True,
        "last_step_description": "",
        "current_branch": None,
        "branches": [],
        "step_history_length": 0,
        "session": "drift",
        "position": 1,
        "solved": False,
        "needs_more_steps": True,
        "strategy": None,
        "line": "main",
        "stage": None,
        "next_stages": [],
        "steps": [],
        "stale_steps": [],
        "lines": [
            {
                "id": "main",
                "parent": None,
                "from": None,
                "state": "open",
                "open": False,
                "score": None,
                "reason": None,
                "merged_into": None,
                "steps": 0,
            }
        ],
        "runs": [],
        "warnings": [],
    }


def test_the_status_has_the_seven_fields_of_the_last_step_then_the_whole_state(ws):
    ws.strategy("react")
    ws.step("a", number=2, total=5)
    ws.step("A", branch="alt", revises=2)

    status = ws.status()

    assert list(status)[:8] == [
        "step_number",
        "total_steps",
        "next_step_needed",
        "last_step_description",
        "current_branch",
        "branches",
        "step_history_length",
        "session",
    ]
    first = status["steps"][0]
    assert {name: first[name] for name in ("number", "branch", "description", "stage")} == {
        "number": 2,
        "branch": "main",
        "description": "a",
        "stage": "problem_reception",
    }
    assert (first["outcome"], first["stale"], first["attempts"]) == ("ok", False, 1)
    assert (first["revised_by"], first["revised_on"]) == (3, "alt")
    assert status["warnings"] == ["main:2: step 1 is missing before step 2"]
    assert [line["from"] for line in status["lines"]] == [None, 2]


def test_every_change_is_in_the_log_with_its_time(ws):
    ws.step("a")
    ws.undo()

    log = ws.log()

    assert [type(entry.event).__name__ for entry in log] == [
        "SessionStarted",
        "StepAdded",
        "Undone",
    ]
    assert all(isinstance(entry.at, float) for entry in log)


def test_a_strategy_is_chosen_by_name_and_given_up(ws, tmp_path):
    own = tmp_path / ".wfnb" / "strategies"
    own.mkdir()
    (own / "two.yaml").write_text("name: two\nstages: {one: {next: [end]}, end: {}}\n")

    ws.strategy("two")
    assert ws.step("a").stage == "one"
    ws.strategy(None)
    assert ws.step("b").stage is None
    with pytest.raises(StrategyUnknown, match=r"Did you mean 'two'\?"):
        ws.strategy("tow")


@pytest.mark.parametrize("ask", ["graph", "report"])
def test_nothing_is_drawn_or_reported_of_a_session_without_steps(ws, ask):
    words = {"graph": "draw", "report": "report"}[ask]

    with pytest.raises(NothingRecorded) as refused:
        getattr(ws, ask)()

    assert str(refused.value) == (
        f"There is nothing to {words}: no step is recorded yet. Write `%%step` over a cell."
    )


def test_the_stages_of_a_session_without_a_strategy_are_refused(ws):
    with pytest.raises(StrategyNone) as refused:
        ws.stages()

    assert str(refused.value) == (
        "This session follows no strategy, so it has no stages. `%wfnb strategy NAME` chooses one, "
        "`%wfnb stages NAME` shows one: base_sequential, chain_of_thought, react, rewoo, "
        "scratchpad, self_ask, self_consistency, step_back, tree_of_thoughts."
    )
    assert "initial_reasoning" in ws.stages("react").dot


def test_a_session_is_shown_by_its_name_and_size(ws):
    assert repr(ws) == "<wfnb session 'drift': 0 steps>"
