"""Half a secret is not known for one: it is hidden before anything is left out of a text."""

import sys
from pathlib import Path
from typing import Any

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import disk, state, states, step, steps

TOKEN = "Sup3rS3cretV4lue42xyz"
LONG = TOKEN + "ABCDEFGHIJKLMNOP0123456789abcdefghijklmnopqrstuvwxyz"


def left_of_it(runner: Runner, run: str, home: Path) -> list[str]:
    """What can be told of the secret: each five characters of it that are anywhere."""
    seen = disk(home).decode("utf-8", "replace") + str(runner.log(run).run)
    parts = (TOKEN[n : n + 5] for n in range(len(TOKEN) - 4))
    return [part for part in parts if part in seen]


@pytest.mark.parametrize(("before", "token"), [(65, TOKEN), (70, LONG)])
def test_of_a_screen_whose_lines_are_told_in_part(
    runner: Runner, home: Path, before: int, token: str
):
    typed = f"clear; printf '%s\\n' {'x' * before}{{token}}; exec sleep 1001\n"
    session = {"session_id": "{open.session_id}"}
    done = runner.run(
        steps(
            step("open", "open_terminal", args={"shell": "sh"}),
            step("type", "send_input", "open", args={**session, "input_text": typed}),
            step(
                "wait", "await_output", "type", args={**session, "pattern": "ready", "timeout": 1}
            ),
        ),
        secrets={"token": token},
    )

    assert f"the screen ended with '{'x' * before}•••'" in str(done.error)
    assert left_of_it(runner, done.run, home) == []


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize("size", [9_000, 9_990, 30_000])
def test_of_a_long_traceback(runner: Runner, home: Path, process: bool, size: int):
    code = f"raise ValueError('x' * ({size} - 100) + (T + ' ') * 30 + 'y' * {size})"
    args = {"code": code, "arguments": {"T": "{token}"}, "process": process}
    done = runner.run(steps(step("a", "python", args=args)), secrets={"token": TOKEN})

    result = runner.log(done.run).run.results["a"]
    assert (done.status, result["error_type"]) == ("failed", "ValueError")
    assert "•••" in result["error"]
    assert ("\n… cut: " in result["traceback"]) is (size > 9_000)
    assert left_of_it(runner, done.run, home) == []


def test_a_traceback_that_was_cut_is_handed_on_whole(runner: Runner):
    called = []

    @tool
    def take(what: str) -> None:
        called.append(what)

    params = {"code": "raise ValueError('x' * 30_000)"}
    failing = state("python", ({"success": False}, "b"), params=params)
    done = runner.run(states("a", a=failing, b=state("take", params={"what": "{a.traceback}"})))

    assert done.error is None
    assert called[0].endswith(f"ValueError: {'x' * 30_000}")
    assert len(str(done.final_variables["a_traceback"])) < 21_000


PRINTS = "import sys; t = sys.argv[1]; sys.stdout.write('x' * %d + (t + ' ') * %d + 'y' * 150_000)"


def printing(tool: str, before: int, times: int, **more: Any) -> dict[str, Any]:
    code = PRINTS % (before, times)
    if tool == "shell":
        return step("a", tool, args={"command": [sys.executable, "-c", code, "{token}"]})
    code = code.replace("sys.argv[1]", "token")
    return step("a", tool, args={"code": code, "arguments": {"token": "{token}"}, **more})


@pytest.mark.parametrize(
    ("tool", "more"), [("shell", {}), ("python", {}), ("python", {"process": True})]
)
@pytest.mark.parametrize(
    ("before", "times"), [(99_990, 1), (100_000 + 16_384 - 10, 1), (3, 30_000), (50_000, 3_000)]
)
def test_of_an_output_that_is_cut_as_it_comes(
    runner: Runner, home: Path, tool: str, more: dict[str, Any], before: int, times: int
):
    done = runner.run(steps(printing(tool, before, times, **more)), secrets={"token": TOKEN})

    result = runner.log(done.run).run.results["a"]
    size = before + times * (len(TOKEN) + 1) + 150_000
    assert (done.status, result["stdout_size"]) == ("success", size)
    assert f"… cut: {size:,} characters in all …" in result["stdout"]
    assert left_of_it(runner, done.run, home) == []


@pytest.mark.parametrize(("before", "token"), [("x" * 290, TOKEN), ("", f"a line\n{TOKEN}")])
def test_of_the_last_line_of_a_command_that_failed(
    runner: Runner, home: Path, before: str, token: str
):
    command = f"printf %s {before}{{token!q}} >&2; exit 3"
    done = runner.run(
        steps(step("a", "shell", args={"command": command})), secrets={"token": token}
    )

    assert done.error == f"a: exit code 3: {before}•••"
    assert left_of_it(runner, done.run, home) == []


def test_of_the_last_words_of_a_process(runner: Runner, home: Path):
    code = "import os; print('x' * 1_900 + (T + ' ') * 30 + 'y' * 90_000, flush=True); os._exit(7)"
    args = {"code": code, "arguments": {"T": "{token}"}, "process": True}
    done = runner.run(steps(step("a", "python", args=args)), secrets={"token": TOKEN})

    result = runner.log(done.run).run.results["a"]
    assert "exit code 7" in str(done.error)
    assert result["output_size"] == 1_900 + (len(TOKEN) + 1) * 30 + 90_000 + 1
    assert left_of_it(runner, done.run, home) == []


@pytest.mark.parametrize("size", [3, 300_000, 3_000_000])
def test_of_two_streams_of_which_each_has_a_part(runner: Runner, size: int):
    code = f"import sys; print('a' * {size} + ' hunter2-'); print('secret99 b', file=sys.stderr)"
    says = step("a", "python", args={"code": f"k = '{{key}}'\n{code}"})

    done = runner.run(
        {"variables": {"key": {"secret": True}}, **steps(says)}, secrets={"key": "hunter2-secret99"}
    )

    result = done.execution_log[0]["result"]
    assert (result["stdout"][-6:], result["stderr"]) == (" •••-\n", "••• b\n")
