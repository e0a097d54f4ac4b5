"""What is undone while it is still at work, and known to be, is not told as rolled back."""

import threading
from pathlib import Path

import pytest

from wfnb.workflows.tools.registry import tool

from .place import SOON, runner_in

_GATE = threading.Event()


@tool
def upload() -> None:
    """Goes on until the test lets it end, whatever its time is."""
    _GATE.wait(60)


@pytest.mark.parametrize("compensated", [True, False])
def test_a_thread_that_goes_on_after_its_time_is_rolled_back_in_part(
    tmp_path: Path, compensated: bool
):
    step = {
        "id": "upload",
        "tool": "upload",
        "timeout": 0.3,
        "compensate_on_failure": compensated,
        "compensation": {"tool": "shell", "args": {"command": "echo removed >> log"}},
    }
    first = {"id": "made", "tool": "shell", "args": {"command": "true"}}
    first["compensation"] = {"tool": "shell", "args": {"command": "echo first >> log"}}
    _GATE.clear()
    try:
        running = runner_in(tmp_path / "home").start({"steps": [first, step]}, save=False)
        assert running.wait(SOON)
    finally:
        _GATE.set()

    run = running.run
    undone = (tmp_path / "log").read_text().split()
    assert run.results["upload"]["still_running"] is True
    assert undone == (["removed", "first"] if compensated else ["first"])
    why = "it was still at work as it was undone" if compensated else "unknown whether it was done"
    assert run.status == "partly_rolled_back"
    assert str(run.error).endswith(f"not undone: upload ({why})")
