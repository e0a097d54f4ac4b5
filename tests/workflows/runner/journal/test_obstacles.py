"""A journal that says no in the middle of a run: the run stops, and goes on when it can."""

from pathlib import Path
from typing import Any

import pytest

from tests.workflows.runner.place import Drawn, calls, gone_on, step, steps
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


OTHER = steps(step("other", "sleep", args={"seconds": 0}))


@pytest.mark.parametrize("before", [None, OTHER], ids=["nothing", "another"])
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_success_that_cannot_be_recorded_is_not_saved_and_not_counted(
    runner: Drawn, home: Path, obstacle: type[JournalError], before: Any
):
    if before is not None:
        runner.run(before)
    there = runner.library.list().workflows

    running, _ = obstructed(runner, home, obstacle, steps(step("b", "holds")), overwrite=True)

    assert runner.library.list().workflows == there
    assert gone_on(runner, running.name, overwrite=True).saved == "told"
    saved, *_ = runner.library.list().workflows
    assert (saved.name, saved.success_count) == ("told", 1)
