"""What a call printed until its time was over is in its result, and is what conditions ask of."""

from typing import Any

import pytest

from wfnb.workflows.runner.attempt import Attempt
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.call_context import Context

from .place import LONG, calls, state, states

SHELL = {"tool": "shell", "params": {"command": f"echo ERROR; sleep {LONG}"}}
CODE = f"import time\nprint('ERROR')\nfor _ in range({LONG} * 100): time.sleep(0.01)"
PYTHON = {"tool": "python", "params": {"code": CODE}}
AWAY = {"tool": "python", "params": {"code": CODE, "process": True}}


@pytest.fixture
def over_once_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of an action that has a limit is over as soon as it has printed something."""
    make = Attempt._context

    def made(attempt: Attempt) -> Context:
        context = make(attempt)
        assert attempt.task is not None
        say, loop = context.say, attempt.task.get_loop()

        def heard(text: str) -> None:
            say(text)
            if "ERROR" in text and attempt.call.timeout is not None:
                loop.call_soon_threadsafe(attempt._on_limit, "time")

        context.say = heard
        return context

    monkeypatch.setattr(Attempt, "_context", made)


@pytest.mark.parametrize("call", [SHELL, PYTHON, AWAY], ids=["shell", "python", "process"])
@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"pattern_match": "ERROR"}, True),
        ({"pattern_not_match": "ERROR"}, False),
        ({"field_contains": {"stdout": "ERROR"}}, True),
        ("stdout == 'ERROR' and timeout_occurred", True),
    ],
    ids=str,
)
@pytest.mark.usefixtures("over_once_printed")
def test_conditions_ask_of_what_was_printed_until_then(
    runner: Runner, call: dict[str, Any], condition: Any, holds: bool
):
    ways = ((condition, "met"), ({"timeout_occurred": True}, "unmet"))
    said = state("shell", params={"command": "echo {late.stdout!q}"})
    late = {**state("", *ways, timeout=LONG), "action": call}

    run = runner.log(runner.run(states("late", late=late, met=said, unmet=said)).run).run

    assert calls(run) == ["late timed_out", "met ok" if holds else "unmet ok"]
    assert list(run.results.values())[-1]["stdout"] == "ERROR\n"


@pytest.mark.usefixtures("over_once_printed")
def test_so_do_retries_and_fallbacks(runner: Runner):
    fatal = {"pattern_match": "ERROR"}
    more = {
        "retry": {"attempts": 2, "unless": fatal},
        "on_error": [{"when": fatal, "result": {"stdout": "handled"}}],
    }
    late = {"id": "late", "timeout": LONG, "tool": "shell", "args": SHELL["params"], **more}

    run = runner.log(runner.run({"name": "told", "steps": [late]}).run).run

    assert calls(run) == ["late ok"]
    assert run.results["late"]["stdout"] == "handled"


@pytest.mark.usefixtures("over_once_printed")
def test_what_a_look_printed_is_no_result_of_the_wait(runner: Runner):
    watch = {"id": "w", "tool": "watch", "args": {"command": SHELL["params"]["command"]}}

    run = runner.log(runner.run({"name": "told", "steps": [watch | {"timeout": LONG}]}).run).run

    assert "stdout" not in run.results["w"]


@pytest.mark.usefixtures("over_once_printed")
def test_a_secret_in_it_is_taken_out(runner: Runner, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TOKEN", "a-long-word")
    command = f"echo $T ERROR; sleep {LONG}"
    late = {"id": "late", "tool": "shell", "timeout": LONG}
    late |= {"args": {"command": command, "env": {"T": "{token}"}}}
    definition = {"name": "told", "variables": {"token": {"secret": True}}, "steps": [late]}

    run = runner.log(runner.run(definition, secrets={"token": "a-long-word"}).run).run

    assert run.results["late"]["stdout"] == "••• ERROR\n"
