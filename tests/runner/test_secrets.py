"""A secret reaches the tools, and nothing else: not the disk, not what is shown, not a variable."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from wfnb.core.runs.events import CallFinished, CallStarted, RunEvent, RunStarted
from wfnb.errors import BadValue, SecretMissing
from wfnb.process import process
from wfnb.runner.kept import kept
from wfnb.runner.runner import Runner
from wfnb.tools.context import Context
from wfnb.tools.registry import tool

from .place import asking, calls, disk, runner_in, state, states, step, steps

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


@pytest.mark.parametrize("secret", ["ss", "False", "out", "e", "1"])
def test_a_secret_changes_nothing_of_how_a_call_went(runner: Runner, home: Path, secret: str):
    result = runner.run(
        steps(step("a", "shell", args={"command": "exit 3"})), secrets={"token": secret}
    )

    assert (result.status, result.final_variables["a_success"]) == ("failed", False)
    assert "a_stdout" in result.final_variables


@pytest.mark.parametrize(
    ("fields", "secret", "hidden"),
    [
        ({"success": False, "of": True}, "False", {"success": False, "of": True}),
        ({"timeout_occurred": 0, "n": 0}, "0", {"timeout_occurred": False, "n": "•••"}),
        ({"success": True, "less": 1}, "ss", {"success": True, "le•••": 1}),
        ({"error": "no ss"}, "ss", {"error": "no •••"}),
    ],
)
def test_what_says_how_a_call_went_is_left_alone(
    fields: dict[str, Any], secret: str, hidden: dict[str, Any]
):
    assert kept(fields, [secret]) == hidden


def test_a_name_that_was_known_before_the_call_is_left_alone():
    assert kept({"stdout": "out"}, ["out"], ["stdout"]) == {"stdout": "•••"}


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ("x S3CRE\nTLONGTOKEN y", "x ••• y"),
        ("S3CRE\r\nTLONGTOKEN", "•••"),
        ("S3CRETLONGTOKE\n N", "S3CRETLONGTOKE\n N"),
        ("S\n3\nC\nR\nE\nT\nL\nO\nN\nG\nT\nO\nK\nE\nN",) * 2,
    ],
)
def test_a_secret_that_a_terminal_broke_into_lines_is_hidden(said: str, hidden: str):
    assert kept({"text": said}, ["S3CRETLONGTOKEN"]) == {"text": hidden}


def test_a_secret_is_hidden_where_it_lost_its_line_break(runner: Runner, home: Path):
    wanted = steps(step("a", "shell", args={"command": "echo got {token!q}"}))

    result = runner.run(wanted, secrets={"token": "s3cret-of-a-file\n"})

    assert result.final_variables["a_stdout"].strip() == "got •••"
    clean(home, result)


def test_a_space_that_was_lost_where_a_line_ended_hides_no_less():
    assert kept({"text": "one\ntwo"}, ["one two"]) == {"text": "•••"}


def test_a_secret_on_a_terminals_screen_is_written_nowhere(runner: Runner, home: Path):
    session = {"session_id": "{open.session_id}"}
    text = "printf '%0115d%s end\\n' 0 {token!q}\n"
    result = runner.run(
        steps(
            step("open", "open_terminal", args={"shell": "sh"}),
            step("type", "send_input", "open", args={**session, "input_text": text}),
            step("see", "await_output", "type", args={**session, "pattern": "EN end"}),
            step("look", "get_screen_content", "see", args=session),
        ),
        secrets={"token": "S3CRETLONGTOKEN"},
    )

    screen = str(result.final_variables["look_screen_content"])
    seen = disk(home).replace(b"\\n", b"") + screen.replace("\n", "").encode()
    assert "•••" in screen
    assert b"S3CRETLONG" not in seen


def test_an_empty_secret_hides_nothing(runner: Runner):
    inner = {
        "name": "inner",
        "variables": {"greeting": ""},
        "steps": [step("a", "shell", args={"command": "echo {greeting!q}"})],
    }
    args = {"workflow_definition": inner, "initial_variables": {"greeting": "hello"}}
    wanted = steps(step("down", "run_workflow", args=args))
    wanted["variables"] = {"token": {"secret": True, "default": ""}}

    result = runner.run(wanted)

    assert result.final_variables["down_final_variables"]["greeting"] == "hello"


def test_a_secret_in_a_question_is_written_nowhere(runner: Runner, home: Path):
    args = {
        "question": "go on with {token}?",
        "choices": ["no", "with {token}", "{token}", "{token}"],
        "default": "with {token}",
    }
    running = asking(
        runner.start(steps(step("a", "ask", args=args)), secrets={"token": SECRET}, save=False)
    )
    [asked] = running.run.questions.values()

    answer = running.answer("2")
    running.wait()

    assert asked.question == "go on with •••?"
    assert asked.choices == ("no", "with •••", "•••", "••• (4)")
    assert (asked.default, answer) == ("with •••", "with •••")
    assert running.run.results["a"]["choice"] == 1
    clean(home, running.run, asked)


def test_a_secret_in_what_keeps_a_call_from_being_made_is_written_nowhere(
    runner: Runner, home: Path
):
    def patience(params: Any) -> float:
        raise ValueError(f"no patience for {params['secret']}")

    @tool(timeout=patience)
    def tired(secret: str) -> None:
        raise AssertionError

    running = runner.start(
        steps(step("a", "tired", args={"secret": "{token}"})), secrets={"token": SECRET}
    )
    running.wait()

    assert running.run.status == "failed"
    assert "no patience for •••" in str(running.run.error)
    clean(home, running.run)


def test_no_result_is_kept_of_a_call_that_a_secret_was_passed_to(
    runner: Runner, home: Path, passed: list[object]
):
    wanted = steps(step("a", "use", args={"secret": "{token}"}, cache=True))

    for token in (SECRET, SECRET):
        runner.run(wanted, secrets={"token": token})

    assert passed == [SECRET, SECRET]
    assert not list((home / "cache").rglob("*"))


@pytest.mark.kernel
def test_a_secret_that_a_notebook_is_given_is_not_in_its_copy(
    runner: Runner, home: Path, tmp_path: Path
):
    import nbformat  # noqa: PLC0415  heavy: a second
    from nbformat.v4 import new_code_cell, new_notebook  # noqa: PLC0415

    cells = [new_code_cell("print(token)"), new_code_cell("token"), new_code_cell("1 / len('')")]
    nbformat.write(new_notebook(cells=cells), tmp_path / "job.ipynb")
    args = {"path": "job.ipynb", "parameters": {"token": "{token}"}}
    secret = "S3CRET9 'and' \"more\" \\"

    running = runner.start(steps(step("a", "notebook", args=args)), secrets={"token": secret})
    running.wait()

    copy = nbformat.read(tmp_path / "job.run.ipynb", as_version=4)
    assert copy.cells[0].source == "# Parameters\ntoken = '•••'"
    assert copy.cells[1].outputs[0].text == "•••\n"
    assert copy.cells[2].outputs[0].data["text/plain"] == "'•••'"
    assert running.run.results["a"]["failed_cell"] == 4
    assert b"S3CRET9" not in disk(tmp_path) + str(running.run).encode()


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
    journal = runner.workspace.journal
    journal.begin_run(runner.workspace.id, "told", events, process=gone)

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
