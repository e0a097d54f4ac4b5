"""The Python API as a script uses it: lines, branches, undo, strategies, the state of it all."""

import pytest

import wfnb
from tests.trusted import trusted
from wfnb.errors import BranchUnknown, NothingRecorded, StepUnknown, StrategyNone, StrategyUnknown


@pytest.fixture
def ws(tmp_path):
    return wfnb.open("drift", home_folder=tmp_path / ".wfnb")


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

    assert again.log.line == "main"
    assert again.step("b").current_branch is None


def test_the_line_chosen_is_main_again_when_its_branch_is_undone(ws):
    ws.step("a")
    ws.step("x", branch="alt")
    ws.switch("alt")

    ws.undo()

    assert ws.log.line == "main"


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

    opened = "branch 'alt' opened from step 1 of 'main', step alt:2 added: x"
    assert ws.undo() == opened
    assert ws.undo() == "step 1 added: Load"
    assert ws.redo() == "step 1 added: Load"
    assert ws.redo() == opened
    ws.clear()
    assert ws.undo() == "all steps put away"


def test_a_step_is_found_by_its_place(ws):
    ws.step("a")
    ws.step("x", branch="alt")

    assert ws.log.find("alt:2").current.description == "x"
    assert ws.log.find(2).current.description == "x"
    with pytest.raises(StepUnknown):
        ws.log.find(9)


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
        "unsolved": None,
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
                "over": False,
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

    log = ws.log.entries()

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

    trusted(own)

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
        getattr(ws.views, ask)()

    assert str(refused.value) == (
        f"There is nothing to {words}: no step and no run is recorded yet. "
        "Write `%%step` over a cell."
    )


def test_the_stages_of_a_session_without_a_strategy_are_refused(ws):
    with pytest.raises(StrategyNone) as refused:
        ws.views.stages()

    assert str(refused.value) == (
        "This session follows no strategy, so it has no stages. `%wfnb strategy NAME` chooses one, "
        "`%wfnb stages NAME` shows one: base_sequential, chain_of_thought, react, rewoo, "
        "scratchpad, self_ask, self_consistency, step_back, tree_of_thoughts."
    )
    assert "initial reasoning" in ws.views.stages("react").dot


def test_a_session_is_shown_by_its_name_and_size(ws):
    assert repr(ws) == "<wfnb session 'drift': 0 steps>"
