"""Why a stage may come next that does not follow the line's own last step."""

from __future__ import annotations

from tests.core.story import Story, done, following
from wfnb.panel import snapshot

PATH = "reasoning_path_execution"


def head(*commands):
    return snapshot(Story(*commands).session)["head"]


def test_a_stage_that_follows_the_line_needs_no_reason():
    told = head(following("self_consistency"), done("a", stage="problem_reception"))

    assert (told["next_stages"], told["next_why"]) == (["multiple_path_sampling"], {})


def test_a_stage_that_follows_a_branch_says_that_alternatives_come_back():
    worked = {"reasoning_path_id": "x"}

    told = head(
        following("self_consistency"),
        done("a", stage="problem_reception"),
        done("b", stage="multiple_path_sampling"),
        done("c", branch="one", leaves=2, stage=PATH, fields=worked),
        done("d", branch="two", leaves=2, stage=PATH, fields=worked),
    )

    assert told["next_stages"] == [PATH, "answer_collection"]
    assert told["next_why"] == {
        "answer_collection": "It follows the last step of one: "
        "alternatives come back to the line that they left."
    }


def test_a_strategy_that_was_chosen_in_the_middle_may_begin_anew():
    told = head(
        following("self_consistency"),
        done("a", stage="problem_reception"),
        following("tree_of_thoughts"),
    )

    assert told["next_why"] == {
        "problem_reception": "The strategy was chosen after that step and may begin anew."
    }
