"""What a run's calls left in the background ends with the run, whichever kind of tool began it."""

from __future__ import annotations

import subprocess

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import LONG, gone, step, steps

SLEEP = f"sleep {LONG}"
SHELL = step("a", "shell", args={"command": f"{SLEEP} >/dev/null 2>&1 & echo $!"})


def leaves() -> int:
    """Start a program that goes its own way."""
    return subprocess.Popen(SLEEP.split(), start_new_session=True).pid


@pytest.mark.parametrize(
    "left",
    [
        SHELL,
        step("a", "run_workflow", args={"workflow_definition": steps(SHELL)}),
        step("a", "leaves"),
    ],
    ids=["by a command", "by a command of a nested run", "by a tool in a process of its own"],
)
def test_what_is_left_in_the_background_ends_with_the_run(left, runner: Runner):
    tool(leaves, process=True)

    result = runner.run(steps(left, step("b", "sleep", args={"seconds": 0})), save=False)

    given = result.execution_log[0]["result"]
    if "final_variables" in given:
        given = given["final_variables"]
    assert result.status == "success", result.error
    assert gone(int(given["stdout"] if "stdout" in given else given["result"]))
