"""A workflow in plain IPython: in a real terminal its progress is told, and a person is asked."""

import os
import sys
from pathlib import Path

import pexpect
import pytest

pytestmark = pytest.mark.kernel

ASKS = """
name: asks
steps:
- {id: look, tool: shell, args: {command: echo hi}}
- {id: go, tool: ask, args: {question: 'Go on?', choices: ['yes', 'no']}}
- {id: secret, tool: ask, args: {question: Password, secret: true}}
- {id: late, tool: ask, args: {question: 'Too late?', timeout: 0.3, default: gone}}
"""


@pytest.fixture
def terminal(tmp_path: Path):
    environment = {**os.environ, "WFNB_HOME": str(tmp_path / "home"), "TERM": "dumb"}
    environment["IPYTHONDIR"] = str(tmp_path / "ipython")
    words = ["-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor"]
    words += ["--HistoryManager.enabled=False"]
    child = pexpect.spawn(
        sys.executable, words, env=environment, cwd=str(tmp_path), timeout=20, encoding="utf-8"
    )
    child.expect_exact("In [1]:")
    child.sendline("%load_ext wfnb")
    child.expect_exact("In [2]:")
    yield child
    child.close(force=True)


def test_questions_are_asked_at_the_prompt(terminal: pexpect.spawn, tmp_path: Path):
    (tmp_path / "asks.yaml").write_text(ASKS)

    terminal.sendline("%run_workflow asks.yaml")
    terminal.expect_exact("go asks: Go on? (1 yes · 2 no)")
    terminal.sendline("perhaps")
    terminal.expect_exact("'perhaps' is no choice here. Choices: yes, no.")
    terminal.expect_exact("go asks: Go on? (1 yes · 2 no)")
    terminal.sendline("2")
    terminal.expect_exact("secret asks: Password")
    terminal.sendline("hunter2")
    terminal.expect_exact("late asks: Too late? [default: gone, taken after 0.3 s]")
    terminal.expect_exact("asks-1 · ✓ success · 4 steps")
    terminal.expect_exact("In [3]:")

    assert "hunter2" not in terminal.before
    told = [line.split() for line in terminal.before.splitlines()]
    assert [words[-1] for words in told if words[1:2] in (["go"], ["late"])] == ["no", "gone"]


def test_progress_is_told_line_by_line(terminal: pexpect.spawn, tmp_path: Path):
    wait = "while [ ! -e go ]; do sleep 0.01; done"
    steps = f"steps: [{{id: one, tool: shell, args: {{command: '{wait}'}}}}]"
    (tmp_path / "one.yaml").write_text(f"name: one\n{steps}\n")

    terminal.sendline("%run_workflow one.yaml")
    terminal.expect_exact("one-1 · ▶ running · 0 of 1 steps · ▶ one (shell)")
    (tmp_path / "go").touch()

    terminal.expect_exact("one-1 · ✓ success · 1 step")


def test_a_tool_that_is_called_asks_at_the_prompt(terminal: pexpect.spawn):
    words = 'question="Really?" choices="[yes, no]" timeout=60 default=no'

    terminal.sendline(f"%wfnb call ask {words}")
    terminal.expect_exact("call asks: Really? (1 yes · 2 no) [default: no, taken after 1 min]")
    terminal.sendline("1")

    terminal.expect_exact('"answer": "yes"')


def test_a_step_is_told_by_its_line_and_not_by_its_json(terminal: pexpect.spawn):
    terminal.sendline("%wfnb start crash --kind debug")
    terminal.expect_exact("In [3]:")
    terminal.sendline("%step 1/4 Empty input crashes")
    terminal.expect_exact("In [4]:")

    told = [line.strip() for line in terminal.before.splitlines()[1:] if line.strip()]
    line, *asked = told
    assert line == "1/4  Empty input crashes  ✓ ok  main  pause for investigation"
    assert {each[0] for each in asked} <= {"☐", "•"}
    assert asked
