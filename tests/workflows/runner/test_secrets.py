"""A secret reaches the tools, and nothing else: not the disk, not what is shown, not a variable."""

from pathlib import Path
from typing import Any

import pytest

from wfnb.workflows.runner.redacted_fields import redact_result
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import asking, disk, step, steps
from .secret import DECLARED, SECRET, clean


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


@pytest.mark.parametrize("secret", ["False", "stdout", "exit", "code"])
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
    assert redact_result(fields, [secret]) == hidden


def test_a_name_that_was_known_before_the_call_is_left_alone():
    assert redact_result({"stdout": "out"}, ["out"], ["stdout"]) == {"stdout": "•••"}


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ("x S3CRE\nTLONGTOKEN y", "x ••• y"),
        ("S3CRE\r\nTLONGTOKEN", "•••"),
        ("S3CRETLONGTOKE\n N", "•••"),
        ("S\n3\nC\nR\nE\nT\nL\nO\nN\nG\nT\nO\nK\nE\nN", "•••"),
    ],
)
def test_a_secret_that_a_terminal_broke_into_lines_is_hidden(said: str, hidden: str):
    assert redact_result({"text": said}, ["S3CRETLONGTOKEN"]) == {"text": hidden}


def test_a_secret_is_hidden_where_it_lost_its_line_break(runner: Runner, home: Path):
    wanted = steps(step("a", "shell", args={"command": "echo got {token!q}"}))

    result = runner.run(wanted, secrets={"token": "s3cret-of-a-file\n"})

    assert result.final_variables["a_stdout"].strip() == "got •••"
    clean(home, result)


def test_a_space_that_was_lost_where_a_line_ended_hides_no_less():
    assert redact_result({"text": "one\ntwo"}, ["one two"]) == {"text": "•••"}


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
