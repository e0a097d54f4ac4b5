"""A run that has just ended, and whose process ends what it started, can be resumed at once."""

import threading
from pathlib import Path

import pytest

from wfnb.workflows.runner import runner as runner_module
from wfnb.workflows.runner.active_run import ActiveRun

from .place import SOON, runner_in


def test_a_resume_waits_for_the_end_of_what_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    waited, leave, wait = threading.Event(), runner_module.leave, ActiveRun.wait

    def leave_late(running: ActiveRun) -> None:
        waited.wait(SOON)
        leave(running)

    def wait_and_tell(running: ActiveRun, timeout: float | None = None) -> bool:
        waited.set()
        return wait(running, timeout)

    runner = runner_in(tmp_path / "home")
    step = {"id": "a", "tool": "shell", "args": {"command": "test -e there"}}
    monkeypatch.setattr(runner_module, "leave", leave_late)
    first = runner.start({"name": "once", "steps": [step]}, save=False)
    while first.run.status == "running":
        first.changed.wait(0.05)
    (tmp_path / "there").touch()
    monkeypatch.setattr(ActiveRun, "wait", wait_and_tell)
    try:
        again = runner.resume("once-1")
        assert again.wait(SOON)
    finally:
        waited.set()

    assert again.run.status == "success"
