"""A secret is handed on to what needs it: a nested run, a run that goes on, a compensation."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from wfnb.errors import BadValue, SecretMissing
from wfnb.process_identity import process
from wfnb.workflows.core.events import CallFinished, CallStarted, RunEvent, RunStarted
from wfnb.workflows.runner.runner import Runner

from .place import asking, calls, runner_in, state, states, step, steps
from .secret import DECLARED, SECRET, clean


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


@pytest.mark.parametrize("listed", [True, False])
def test_who_is_given_a_result_without_the_secret_in_it_is_named(
    runner: Runner, passed: list[object], listed: bool
):
    use = step("use", "use", args={"secret": "{item}" if listed else "{say.stdout}"})
    each = {"for_each": ["{say.stdout}", "{say.stdout}"]} if listed else {}
    own = step("own", "use", args={"secret": "{token}"})
    say = step("say", "shell", args={"command": "echo $T", "env": {"T": "{token}"}})

    running = runner.start({**steps(say, use | each, own), **DECLARED}, secrets={"token": SECRET})
    running.wait()

    assert passed == [*["•••\n"] * (1 + listed), SECRET]
    warnings = [each for each in runner.result(running).warnings if "in place of" in each]
    assert [each.split()[0] for each in warnings] == ["use"]


SAY = {"command": "echo $T is ready", "env": {"T": "{token}"}}
NEXT = {"args": {"seconds": 0}}
FAILS = SAY | {"command": "echo $T; exit 1"}
ONCE = SAY | {"command": "echo $T; test -e d || ! touch d"}
IS_X = {"field_equals": {"stdout": "x"}}
ASKED_OF_SECRETS = {
    "when": [step("a", "shell", args=SAY), step("b", "sleep", when="a.stdout == 'x'", **NEXT)],
    "until": [step("b", "shell", args=SAY, repeat={"until": "stdout != 'x'"})],
    "until a field": [step("b", "shell", args=SAY, repeat={"until": {"not": IS_X}})],
    "capture": [step("b", "shell", args=SAY, capture="(?P<a>.*) is ready")],
    "capture in vain": [step("b", "shell", args=SAY, capture="(?P<a>xyz) is")],
    "on_error": [
        step("b", "shell", args=FAILS, on_error=[{"when": {"not": IS_X}, "result": {"n": 1}}])
    ],
    "retry": [step("b", "shell", args=ONCE, retry={"attempts": 1, "unless": IS_X})],
}
NOT_ASKED = {
    "found beside it": [step("b", "shell", args=SAY, capture="is (?P<a>ready)")],
    "another field": [step("b", "shell", args=SAY, repeat={"until": "exit_code == 0"})],
    "a success": [step("a", "shell", args=SAY), step("b", "sleep", when="a.success", **NEXT)],
}


@pytest.mark.parametrize("case", [*ASKED_OF_SECRETS, *NOT_ASKED])
def test_what_is_asked_of_a_result_without_the_secret_in_it_is_named(runner: Runner, case: str):
    asked = {**ASKED_OF_SECRETS, **NOT_ASKED}[case]

    result = runner.run({**steps(*asked), **DECLARED}, secrets={"token": SECRET})

    warnings = [each for each in result.warnings if "in place of" in each]
    assert result.status == "success"
    assert [each.split()[:3] for each in warnings] == [["b", "goes", "by"]] * (
        case in ASKED_OF_SECRETS
    )


def test_a_transition_that_is_asked_of_a_hidden_secret_is_named(runner: Runner):
    go = state("shell", ({"field_contains": {"stdout": SECRET}}, "end"), params=SAY)
    wanted = states("go", go=go, end=state("sleep", params={"seconds": 0}))

    result = runner.run({**wanted, **DECLARED}, secrets={"token": SECRET})

    assert result.final_state == "go"
    assert [each.split()[:3] for each in result.warnings] == [["go", "goes", "by"]]


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


def test_a_secret_that_stands_among_the_new_variables_is_one_all_the_same(
    runner: Runner, home: Path, passed: list[object]
):
    wanted = steps(
        step("a", "shell", args={"command": "test -e {flag!q}"}),
        step("b", "use", args={"secret": "{token}"}),
    )
    wanted["variables"] = {"flag": "nowhere", "token": {"secret": True}}
    runner.run(wanted, secrets={"token": SECRET})

    again = runner.resume(variables={"flag": ".", "token": SECRET})
    again.wait()

    assert (again.run.status, passed) == ("success", [SECRET])
    clean(home, again.run)


def test_an_empty_secret_is_not_given_again(runner: Runner):
    failing = steps(step("a", "shell", args={"command": "test {token!q} = x"}))
    runner.run(failing, secrets={"token": SECRET})

    with pytest.raises(BadValue, match="secret 'token'"):
        runner.resume(secrets={"token": ""})


ASKED = {"question": "Password?", "secret": True}
ARMED = {"pw": {"answer": "•••"}}


@pytest.mark.parametrize(
    "written", ["{pw.answer}", "{pw_answer}", "{answer}", "{steps.pw.answer}", "is {pw.answer!q}"]
)
def test_a_secret_answer_is_asked_for_again_when_a_run_goes_on(
    home: Path, passed: list[object], written: str
):
    runner = runner_in(home)
    wanted = steps(
        step("pw", "ask", args=ASKED),
        step("wait", "shell", args={"command": "test -e there"}),
        step("b", "use", args={"secret": written}, timeout=5),
        step("c", "use", args={"secret": written}),
    )
    running = asking(runner.start(wanted, save=False))
    running.answer("first")
    running.wait()
    assert running.run.status == "failed"
    (home.parent / "there").touch()

    again = asking(runner.resume(save=False))
    [asked] = again.run.questions.values()
    again.answer(SECRET)
    again.wait()

    whole = f"is {shlex.quote(SECRET)}" if "!q" in written else SECRET
    assert (asked.question, asked.secret) == ("Password?", True)
    assert (again.run.status, passed) == ("success", [whole, whole])
    assert calls(again.run) == ["pw ok", "wait failed", "wait ok", "b ok", "c ok"]
    clean(home, again.run, again.tail)


@pytest.mark.parametrize("name", ["token", "pw.answer"])
def test_a_compensation_is_not_called_without_the_secret_that_it_uses(
    runner: Runner, passed: list[object], name: str
):
    """The process that knew it is gone: it cannot be undone, and the report says so."""
    undo = {"tool": "use", "args": {"secret": f"undo {{{name}}}"}}
    workflow = steps(
        step("pw", "ask", args=ASKED),
        step("a", "use", args={"secret": "{token}"}, compensation=undo),
        step("b", "sleep", args={"seconds": 1}),
    )
    with subprocess.Popen(["true"]) as child:
        gone = f"{process().partition(' ')[0]} {child.pid} 0123abcd"
    events: list[RunEvent] = [
        RunStarted(workflow=workflow, secrets=("token",), process=gone),
        CallStarted(action="pw", tool="ask", params=ASKED, idempotent=True),
        CallFinished(call=2, status="ok", result={"success": True, "answer": "•••"}),
        CallStarted(action="a", tool="use", params={"secret": "•••"}, idempotent=True),
        CallFinished(call=4, status="ok", result={"success": True}, armed=ARMED),
    ]
    journal = runner.session_log.journal
    journal.begin_run(runner.session_log.id, "told", events, process=gone)

    log = runner.cancel(rollback=True)

    assert (calls(log.run), passed) == (["pw ok", "a ok", "undo a failed"], [])
    report = json.dumps(runner.result(log).report.to_dict(), default=str)
    assert f"not undone: secret {name} is not known" in report


def test_a_compensation_that_uses_no_secret_is_called_all_the_same(
    runner: Runner, passed: list[object]
):
    undo = {"tool": "use", "args": {"secret": "undo"}}
    first = step("a", "use", args={"secret": "{token}"}, compensation=undo)
    asks = step("b", "ask", args={"question": "?"})
    running = asking(runner.start(steps(first, asks), secrets={"token": SECRET}))

    running.stop(rollback=True)
    running.wait()

    assert passed == [SECRET, "undo"]
