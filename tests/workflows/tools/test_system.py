"""Where the system lacks what programs are run with, a call that needs one says so in one line;
the rest works."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BEFORE = """
import select, signal, sys
from IPython.core.interactiveshell import InteractiveShell
import click
LACKS
from wfnb.errors import SystemUnsupported, WfnbError
"""
LACKS = {
    "no termios": "sys.modules['termios'] = None",
    "no pty": "sys.modules['pty'] = None",
    "no poll": "del select.poll",
    "no SIGKILL": "del signal.SIGKILL",
    "none of what Windows lacks": (
        "import os, subprocess\n"
        "sys.modules |= dict.fromkeys(['termios', 'pty', 'tty', 'pexpect', 'resource', 'pwd'])\n"
        "del select.poll, signal.SIGKILL, signal.SIGHUP, signal.SIGCONT, signal.pthread_sigmask\n"
        "del os.environb, os.fork, os.killpg, os.register_at_fork, os.setsid, os.waitid\n"
        "def none(*args, **more): raise AssertionError(args)\n"
        "subprocess.Popen = none"
    ),
}
SAYS = "Programs and terminals need Linux or macOS ("
OPENS = """
import json
import wfnb
session = wfnb.open()
session.step("Fit the baseline")

@wfnb.tool
def doubled(number: int) -> int:
    return 2 * number

@wfnb.tool(process=True)
def apart() -> int:
    return 1
"""


def ran(program, tmp_path, lacks="sys.modules['termios'] = None"):
    return subprocess.run(
        [sys.executable, "-c", BEFORE.replace("LACKS", lacks) + program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("lacks", LACKS)
def test_tools_that_run_no_programs_work(lacks, tmp_path):
    program = """
steps = [
    {"id": "nap", "tool": "sleep", "args": {"seconds": 0}},
    {"id": "sum", "tool": "python", "args": {"code": "print('hi')\\n40 + 2"}},
    {"id": "own", "tool": "doubled", "args": {"number": "{steps.sum.result}"}},
    {"id": "inner", "tool": "run_workflow", "args": {"workflow_definition": {
        "name": "inner", "steps": [{"tool": "sleep", "args": {"seconds": 0}}]}}},
    {"id": "sure", "tool": "ask",
        "args": {"question": "Go on?", "default": "yes", "timeout": 0.01}},
]
run = session.run({"name": "all", "steps": steps})
session.runs.resume("all-1", start="own").wait()
results = session.runs.log("all-1").run.results
print(json.dumps([run.status, results["own"]["result"], results["sure"].get("answer")]))
"""

    said = ran(OPENS + program, tmp_path, LACKS[lacks])

    assert said.stderr == ""
    assert json.loads(said.stdout) == ["success", 84, "yes"]


@pytest.mark.parametrize("lacks", LACKS)
def test_a_call_that_needs_a_program_is_refused_in_one_line(lacks, tmp_path):
    program = """
for tool, args in [
    ("shell", {"command": "true"}),
    ("open_terminal", {}),
    ("python", {"code": "1", "process": True}),
    ("apart", {}),
]:
    print(json.dumps(session.runs.call(tool, **args)))
"""

    said = ran(OPENS + program, tmp_path, LACKS[lacks])

    results = [json.loads(line) for line in said.stdout.splitlines()]
    errors = [result["error"] for result in results]
    assert len(errors) == 4, said.stderr
    assert all(error.startswith(SAYS) and "\n" not in error for error in errors), errors
    assert {result["error_type"] for result in results} == {"SystemUnsupported"}
    assert not any("traceback" in result for result in results)


def test_a_notebook_is_run(tmp_path):
    cell = {"cell_type": "code", "source": "6 * 7", "metadata": {}, "outputs": []}
    written = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]}
    written["cells"][0]["execution_count"] = None
    (tmp_path / "small.ipynb").write_text(json.dumps(written))

    said = ran(
        OPENS
        + "said = session.runs.call('notebook', path='small.ipynb')\n"
        + "print(said.get('result', said))",
        tmp_path,
    )

    assert said.stdout == "42\n", said.stderr


def test_in_a_notebook_steps_and_runs_work_and_a_refusal_has_no_traceback(tmp_path):
    program = """
shell = InteractiveShell.instance()
shell.run_cell("%load_ext wfnb")
print(shell.run_cell("%%step --quiet Fit the baseline\\n1").success)
print(shell.run_cell(
    "%%run_workflow nap\\nsteps: [{tool: sleep, args: {seconds: 0}}]").success)
print(shell.run_cell(
    "%%run_workflow no\\nsteps: [{tool: shell, args: {command: 'true'}}]").success)
"""

    said = ran(program, tmp_path)

    lines = said.stdout.splitlines()
    assert [line for line in lines if line in ("True", "False")] == ["True", "True", "False"]
    assert SAYS in said.stdout + said.stderr
    assert "Traceback" not in said.stdout + said.stderr


def test_a_command_runs_what_it_can_and_says_so_of_the_rest(tmp_path):
    (tmp_path / "nap.yaml").write_text("steps: [{tool: sleep, args: {seconds: 0}}]")
    (tmp_path / "echo.yaml").write_text("steps: [{tool: shell, args: {command: 'true'}}]")

    listed, napped, refused = (
        ran(f"from wfnb.cli import main\nmain({words!r})", tmp_path)
        for words in (["tools"], ["run", "nap.yaml"], ["run", "echo.yaml"])
    )

    assert (listed.returncode, napped.returncode, refused.returncode) == (0, 0, 1), refused
    assert "shell" in listed.stdout
    assert SAYS in refused.stdout + refused.stderr
    assert "Traceback" not in refused.stdout + refused.stderr
