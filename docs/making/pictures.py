"""two small sessions, and a run -> docs/branches.svg, docs/stages.svg and docs/run.svg."""

from pathlib import Path
from tempfile import TemporaryDirectory

import wfnb
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.views.graph import run_picture

from .markdown import made_from


def branches() -> str:
    """A history with everything in it that a history can have."""
    ws = wfnb.open("sensor drift", scratch=True)
    ws.step("Load the readings of March", total=6)
    ws.step("Fit the baseline", values={"rmse": 0.82})
    ws.step("Read the calibration log", outcome="failed")
    ws.step("A median filter first", branch="filter", branch_from=3, values={"rmse": 0.47})
    ws.step("Plot the residuals", branch="main")
    ws.step("Drop the two broken days, fit again", revises=2, values={"rmse": 0.44})
    ws.confirm(3, 4)
    ws.step("A robust loss instead", branch="robust", branch_from=5, values={"rmse": 0.39})
    ws.step("Tune epsilon", branch="robust", values={"rmse": 0.31})
    ws.abandon("filter", reason="hides the drift")
    ws.merge("robust", reason="lowest error on the days left out")
    ws.step("The sensor drifts by 0.3 K a month", next_step_needed=False)
    return _drawn(ws.graph().svg)


def stages() -> str:
    """ReAct, with one round taken and the second begun."""
    ws = wfnb.open("blank pages", scratch=True)
    ws.strategy("react")
    ws.step("The printer prints blank pages")
    ws.step("The cartridge may be empty")
    ws.step("Weigh it")
    ws.step("Put it on the scales", fields={"action": "weigh"})
    ws.step("58 g: it is full", fields={"observation": 58})
    ws.step("It is not the ink")
    ws.step("Not solved yet")
    ws.step("Print a test page", stage="action_planning")
    return _drawn(ws.views.stages().svg)


_RELEASE = {
    "name": "release",
    "initial_state": "lint",
    "states": {
        "lint": {
            "action": {
                "tool": "shell",
                "params": {"command": "test -e clean || { echo 3 errors; exit 1; }"},
            },
            "transitions": [
                {"condition": {"success": True}, "next_state": "test"},
                {"condition": {"pattern_match": "errors"}, "next_state": "repair"},
            ],
        },
        "repair": {
            "action": {"tool": "shell", "params": {"command": "touch clean"}},
            "transitions": [{"condition": {"success": True}, "next_state": "lint"}],
        },
        "test": {
            "action": {
                "tool": "shell",
                "params": {"command": "test -e begun || { touch begun; exit 1; }"},
            },
            "retry": 2,
            "transitions": [
                {"condition": {"success": True}, "next_state": "publish"},
                {"condition": {"success": False}, "next_state": "tell"},
            ],
        },
        "publish": {"action": {"tool": "shell", "params": {"command": "echo published"}}},
        "tell": {"action": {"tool": "shell", "params": {"command": "echo the tests fail"}}},
    },
}


def run() -> str:
    """A run that came to its end by a way round, and at the second attempt."""
    with TemporaryDirectory() as name:
        runner = Runner(wfnb.open("release", scratch=True).log, Path(name, ".wfnb"), Path(name))
        running = runner.start(_RELEASE, save=False)
        running.wait()
    return _drawn(run_picture(running.run, running.name).svg)


def _drawn(svg: str) -> str:
    return f"{made_from('docs/making/pictures.py')}\n{svg}"
