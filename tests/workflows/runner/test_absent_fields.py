"""What a result leaves out is as usual, whoever asks for it, and in whatever way."""

from pathlib import Path
from typing import Any

import pytest

from .place import SOON, runner_in

USUAL: list[Any] = [
    {"field_equals": {"timeout_occurred": False}},
    {"field_equals": {"stdout_invalid": 0, "stderr_invalid": 0, "outcome_unknown": False}},
    {"field_equals": {"stdout_size": 4}},
    "stdout_invalid == 0",
    "stdout_size < 100 and stderr_size == 0",
    "not outcome_unknown and not timeout_occurred",
    "count.stdout_invalid == 0 and steps.count.stderr_size == 0",
]
OTHERWISE: list[Any] = [
    {"field_equals": {"stdout_invalid": 1}},
    {"field_equals": {"timeout_occurred": True}},
    {"field_equals": {"traceback": "x"}},
    "outcome_unknown",
    "stdout_size == 5",
]


@pytest.mark.parametrize("condition", [*USUAL, *OTHERWISE], ids=str)
def test_what_a_result_leaves_out_is_as_usual(tmp_path: Path, condition: Any):
    tool = "python" if "traceback" in str(condition) else "shell"
    params = {"code": "print('one')"} if tool == "python" else {"command": "echo one"}
    states = {
        "count": {
            "action": {"tool": tool, "params": params},
            "transitions": [
                {"condition": condition, "next_state": "usual"},
                {"condition": {"success": True}, "next_state": "otherwise"},
            ],
        },
        "usual": {"action": {"tool": "sleep", "params": {"seconds": 0}}},
        "otherwise": {"action": {"tool": "sleep", "params": {"seconds": 0}}},
    }
    running = runner_in(tmp_path / "home").start(
        {"name": "asks", "initial_state": "count", "states": states}, save=False
    )

    assert running.wait(SOON)
    assert running.run.final_state == ("usual" if condition in USUAL else "otherwise")


def test_a_later_step_asks_for_it_and_the_result_is_as_it_was(tmp_path: Path):
    definition = {
        "name": "later",
        "steps": [
            {"id": "a", "tool": "shell", "args": {"command": "echo one"}},
            {"id": "b", "tool": "sleep", "args": {"seconds": 0}, "when": "a.stdout_invalid == 0"},
        ],
        "outputs": {"all": "a"},
    }
    running = runner_in(tmp_path / "home").start(definition, save=False)

    assert running.wait(SOON)
    assert running.run.results["b"]["skipped"] is False
    assert "stdout_invalid" not in running.run.results["a"]
    assert "stdout_invalid" not in [*running.run.output_values()["all"]]
