"""A journal that says no in the middle of a run: the run stops, and goes on when it can."""

from pathlib import Path

import pytest

from tests.workflows.runner.place import Drawn, calls, step, steps
from wfnb.errors import JournalError

from .obstacles import OBSTACLES, PLAIN, obstructed


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_run_stops_and_can_be_resumed_where_it_was(
    runner: Drawn, home: Path, obstacle: type[JournalError]
):
    running, called = obstructed(runner, home, obstacle, PLAIN)

    assert runner.running() is None
    assert running.run.status == "running"
    assert called == ["a", "holds"]
    again = runner.resume(running.name)
    again.wait()
    assert again.run.status == "success"
    assert called == ["a", "holds", "holds", "c"]
    assert calls(again.run) == ["a ok", "b unknown", "b ok", "c ok"]


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_nested_run_stops_and_can_be_resumed_where_it_was(
    runner: Drawn, home: Path, obstacle: type[JournalError]
):
    args = {"workflow_definition": PLAIN, "save_on_success": False}
    wanted = steps(step("down", "run_workflow", args=args), step("z", "note", args={"what": "z"}))

    running, called = obstructed(runner, home, obstacle, wanted)

    assert called == ["a", "holds"]
    again = runner.resume(running.name)
    again.wait()
    assert again.run.status == "success"
    assert called == ["a", "holds", "holds", "c", "z"]
    assert [info.status for info in runner.session_log.journal.runs()] == ["success", "success"]
