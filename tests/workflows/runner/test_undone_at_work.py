"""What is undone while it is still at work, and known to be, is not told as rolled back; nor is a
run that went on beside it told as if nothing were."""

import threading
from pathlib import Path
from typing import Any

import pytest

from wfnb.workflows.tools.registry import tool
from wfnb.workflows.views.report import Report

from .place import SOON, runner_in

_GATE = threading.Event()
_CALLS: list[int] = []


@tool(idempotent=True)
def fetch() -> int:
    """Its first call goes on until the test lets it end; the others end at once."""
    _CALLS.append(1)
    if len(_CALLS) == 1:
        _GATE.wait(60)
    return len(_CALLS)


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


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"retry": 1}, "success"),
        ({"on_error": [{"tool": "fetch"}]}, "success"),
        ({"on_error": [{"result": {}}]}, "success"),
        ({"on_failure": "continue"}, "partial_success"),
        ({"retry": 1, "for_each": [1]}, "success"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, dict) else "",
)
def test_a_run_that_went_on_beside_an_attempt_that_is_at_work_says_so(
    tmp_path: Path, more: dict[str, Any], status: str
):
    definition = {"steps": [{"id": "get", "tool": "fetch", "timeout": 0.3, **more}]}
    _CALLS.clear()
    _GATE.clear()
    try:
        runner = runner_in(tmp_path / "home")
        done = runner.run(definition, save=False)
    finally:
        _GATE.set()

    item = "[0]" if "for_each" in more else ""
    (warning,) = done.warnings
    assert done.status == status
    assert warning.startswith(f"get{item}: attempt 1 was told to stop, and was still at work")
    assert Report(runner.log(done.run).run, done.run).warnings == (warning,)


def test_a_run_that_fails_by_it_says_so_once(tmp_path: Path):
    _CALLS.clear()
    _GATE.clear()
    try:
        done = runner_in(tmp_path / "home").run(
            {"steps": [{"id": "get", "tool": "fetch", "timeout": 0.3}]}, save=False
        )
    finally:
        _GATE.set()

    assert done.error == "get: timed out after 0.3s; it was told to stop and is still running"
    assert done.warnings == []
