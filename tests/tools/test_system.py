"""Where the system lacks what programs are run with: one line says so, and the rest works."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
}
SAYS = "Workflows need Linux or macOS ("


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
def test_a_workflow_is_refused_in_one_line(lacks, tmp_path):
    program = """
import wfnb
session = wfnb.open()
session.step("Fit the baseline")
for _ in range(2):
    try:
        session.run({"name": "nap", "steps": [{"tool": "sleep", "args": {"seconds": 0}}]})
    except SystemUnsupported as refused:
        print(refused)
"""

    said = ran(program, tmp_path, LACKS[lacks])

    lines = said.stdout.splitlines()
    assert len(lines) == 2, said.stderr
    assert all(line.startswith(SAYS) for line in lines)


def test_a_notebook_says_so_without_a_traceback_and_its_steps_work(tmp_path):
    program = """
shell = InteractiveShell.instance()
shell.run_cell("%load_ext wfnb")
print(shell.run_cell("%%step --quiet Fit the baseline\\n1").success)
shell.run_cell("%%run_workflow nap\\nsteps: [{tool: sleep, args: {seconds: 0}}]")
"""

    said = ran(program, tmp_path)

    assert "True" in said.stdout, said.stderr
    assert f"UsageError: {SAYS}" in said.stdout + said.stderr
    assert "Traceback" not in said.stdout + said.stderr


@pytest.mark.parametrize("words", [["run", "flow.yaml"], ["tools"]])
def test_a_command_says_so_in_one_line(words, tmp_path):
    (tmp_path / "flow.yaml").write_text("steps: [{tool: sleep, args: {seconds: 0}}]")

    said = ran(f"from wfnb.cli import main\nmain({words!r})", tmp_path)

    assert said.stdout == ""
    assert said.stderr.startswith(f"wfnb: {SAYS}")
    assert len(said.stderr.splitlines()) == 1
    assert said.returncode == 2
