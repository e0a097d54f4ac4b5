"""A secret reaches the tools, and nothing else: not the disk, not what is shown, not a variable."""

import json
from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import SecretMissing
from wfnb.runner.runner import Runner
from wfnb.tools.context import Context
from wfnb.tools.registry import tool

from .place import disk, runner_in, state, states, step, steps

SECRET = "s3cret \"quoted\" 'and' \\ more"
TRACES = (b"s3cret", b"quoted")
DECLARED = {"variables": {"token": {"secret": True}}, "name": "told"}


@pytest.fixture
def passed() -> list[object]:
    """What a tool was given; it also says it, returns it, and fails with it."""
    given: list[object] = []

    @tool(idempotent=True)
    def use(context: Context, secret: Any, fails: bool = False) -> dict[str, Any]:
        given.append(secret)
        text = secret if isinstance(secret, str) else json.dumps(secret)
        for half in (text[:4], text[4:], "\n"):
            context.say(half)
        if fails:
            raise ValueError(f"with {text!r}")
        return {"text": f"got {text}", text: 1, "deep": [{"in": text}], "json": json.dumps(text)}

    return given


def clean(home: Path, *shown: object) -> None:
    seen = disk(home) + json.dumps([str(one) for one in shown]).encode()
    assert not [trace for trace in TRACES if trace in seen]


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("fails", [True, False])
def test_a_secret_is_written_nowhere(
    runner: Runner, home: Path, passed: list[object], declared: bool, fails: bool
):
    undo = {"tool": "use", "args": {"secret": "undo {token}"}}
    wanted: dict[str, Any] = {
        "steps": [
            step("a", "use", args={"secret": "{token}"}, compensation=undo, cache=True),
            step("b", "shell", args={"command": "printf %s {token!q}; printf %s {token!q} >&2"}),
            step("c", "use", args={"secret": "{a.text}", "fails": fails}),
        ]
    }
    wanted |= DECLARED if declared else {"name": "told"}

    running = runner.start(wanted, secrets={"token": SECRET})
    running.wait()
    result = runner.result(running)

    assert passed[0] == SECRET
    assert passed[1] == "got •••"
    assert passed[2:] == ([f"undo {SECRET}"] if fails else [])
    assert result.final_variables["b_stdout"] == "•••"
    assert ("a", "•••") in running.tail
    clean(home, result, result.report.to_dict(), running.tail, running.run)


def test_a_secret_that_is_a_number_is_hidden_as_one(runner: Runner, home: Path):
    @tool
    def pin(code: str) -> dict[str, object]:
        return {"number": int(code), "list": [int(code), 1]}

    result = runner.run(
        steps(step("a", "pin", args={"code": "{code}"})), secrets={"code": "48151623"}
    )

    assert result.final_variables["a_number"] == "•••"
    assert b"48151623" not in disk(home)


@pytest.mark.parametrize("declared", [True, False])
def test_a_secret_is_handed_on_to_a_nested_run_and_kept_there_neither(
    runner: Runner, home: Path, passed: list[object], declared: bool
):
    inner = {"name": "inner", "steps": [step("use", "use", args={"secret": "{key}"})]}
    inner["variables"] = {"key": {"secret": True} if declared else ""}
    outer = steps(
        step(
            "down",
            "run_workflow",
            args={
                "workflow_definition": inner,
                "initial_variables": {"key": "{token}"},
                "save_on_success": False,
            },
        )
    )

    running = runner.start({**outer, **DECLARED}, secrets={"token": SECRET})
    running.wait()

    assert (running.run.status, passed) == ("success", [SECRET])
    clean(home, runner.result(running), runner.log("inner-1").run)


def test_a_secret_in_a_mapping_stays_a_mapping_for_the_nested_run(
    runner: Runner, home: Path, passed: list[object]
):
    inner = {"name": "inner", "steps": [step("use", "use", args={"secret": "{login}"})]}
    inner["variables"] = {"login": {"type": "object"}}
    args = {
        "workflow_definition": inner,
        "initial_variables": {"login": {"name": "me", "password": "{token}"}},
        "save_on_success": False,
    }

    runner.run(steps(step("down", "run_workflow", args=args)), secrets={"token": SECRET})

    assert passed == [{"name": "me", "password": SECRET}]
    clean(home)


def test_a_variable_of_a_nested_run_with_a_secrets_name_is_its_own(
    runner: Runner, passed: list[object]
):
    inner = {
        "name": "inner",
        "variables": {"token": "plain"},
        "steps": [step("use", "use", args={"secret": "{token}{other}"})],
    }
    args = {"workflow_definition": inner, "initial_variables": {"other": "{token}"}}

    runner.run(steps(step("down", "run_workflow", args=args)), secrets={"token": SECRET})

    assert passed == [f"plain{SECRET}"]


def test_the_answer_to_a_secret_question_is_used_and_not_kept(home: Path, passed: list[object]):
    runner = runner_in(home)
    ask = {"question": "Password?", "secret": True}
    wanted = states(
        "pw",
        pw=state("ask", ({"success": True}, "direct"), params=ask),
        direct=state("use", ({"success": True}, "by_name"), params={"secret": "{answer}"}),
        by_name=state("use", params={"secret": "{pw_answer} {pw.answer} {steps.pw.answer}"}),
    )
    running = runner.start(wanted, save=False)
    while not running.run.questions:
        running.changed.wait(0.1)

    assert running.answer(SECRET) == "•••"
    running.wait()

    assert running.run.status == "success"
    assert passed == [SECRET, f"{SECRET} {SECRET} {SECRET}"]
    assert running.run.variables["pw_answer"] == "•••"
    clean(home, runner.result(running), running.tail, running.run)


def test_to_go_on_with_a_run_its_secrets_are_given_again(
    runner: Runner, home: Path, passed: list[object]
):
    wanted = steps(
        step("a", "shell", args={"command": "test -e {flag!q}"}),
        step("b", "use", args={"secret": "{token}"}),
        variables={"flag": "nowhere"},
    )
    first = runner.run(wanted, secrets={"token": SECRET})
    assert first.status == "failed"

    with pytest.raises(SecretMissing, match="token"):
        runner.resume()
    again = runner.resume(variables={"flag": "."}, secrets={"token": SECRET})
    again.wait()

    assert (again.run.status, passed) == ("success", [SECRET])
    clean(home, again.run)
