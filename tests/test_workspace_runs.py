"""The Python API as a script uses it: workflows."""

import subprocess
import sys

import pytest

import wfnb
from wfnb.core.events import SessionStarted
from wfnb.errors import NoRuns
from wfnb.journal import MemoryJournal
from wfnb.session_log import SessionLog
from wfnb.workspace import Workspace

ADD = {
    "name": "add",
    "variables": {"n": 1},
    "steps": [
        {"id": "one", "tool": "python", "args": {"code": "n + 1", "arguments": {"n": "{n}"}}},
        {
            "id": "two",
            "tool": "python",
            "args": {"code": "n * 10", "arguments": {"n": "{one.result}"}},
        },
    ],
}
SCRIPT = """
import sys, wfnb
result = wfnb.open("script", home_folder=sys.argv[1]).run({"name": "s", "steps": [{"tool": "sleep",
    "args": {"seconds": 0}}]})
NAMES = ("IPython", "jsonschema", "nbformat", "distributed")
heavy = [name for name in NAMES if name in sys.modules]
print(result.status, heavy)
"""


def test_a_definition_is_run_and_its_result_has_what_came_of_it(tmp_path):
    ws = wfnb.open("script", home_folder=tmp_path)

    result = ws.run(ADD, variables={"n": 4})

    assert (result.success, result.status, result.run) == (True, "success", "add-1")
    assert result.final_variables["two_result"] == 50
    assert [entry["state"] for entry in result.execution_log] == ["one", "two"]


def test_what_was_saved_is_run_by_its_name(tmp_path):
    ws = wfnb.open("script", home_folder=tmp_path)
    ws.run(ADD)

    assert ws.run("add", variables={"n": 0}).final_variables["two_result"] == 10
    assert ws.run("add").run == "add-3"


def test_a_failure_is_a_result_and_no_exception(tmp_path):
    ws = wfnb.open("script", home_folder=tmp_path)

    result = ws.run({"name": "no", "steps": [{"tool": "python", "args": {"code": "1 / 0"}}]})

    assert (result.success, result.status) == (False, "failed")
    assert result.error == "step_1: ZeroDivisionError: division by zero (line 1: 1 / 0)"


def test_a_run_belongs_to_the_step_that_was_last(tmp_path):
    ws = wfnb.open("script", home_folder=tmp_path)
    ws.step("Prepare")

    ws.run(ADD)

    (run,) = ws.status()["runs"]
    assert (run["name"], run["step"], run["status"]) == ("add-1", 1, "success")


def test_a_session_in_memory_runs_workflows_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    assert wfnb.open("scratch", scratch=True).run(ADD, save=False).success
    assert list(tmp_path.iterdir()) == []


def test_a_session_without_a_runner_says_so():
    journal = MemoryJournal()
    session, _ = journal.create("bare", [SessionStarted(name="bare")])

    with pytest.raises(NoRuns):
        Workspace(SessionLog(journal, session)).run(ADD)


def test_a_script_that_runs_a_workflow_needs_no_ipython(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, tmp_path], capture_output=True, text=True, check=True
    )

    assert ran.stdout == "success []\n"
