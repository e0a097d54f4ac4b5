"""At a terminal: questions are asked there, and answered."""

import os
from pathlib import Path

import pytest

from wfnb.cli.open_questions import Family
from wfnb.cli.question_prompt import Asker
from wfnb.home_folder import Home

from .command import Desk, asks, ended, open_gate, seen


def test_a_question_is_asked_until_the_answer_is_one_of_the_choices(desk: Desk):
    file = desk.write(asks(question="Go?", choices=["yes", "no"]))

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: Go? 1 yes · 2 no ")
        child.sendline("perhaps")
        child.expect_exact("'perhaps' is no choice here. Choices: yes, no.")
        child.expect_exact("? ask: ")
        child.sendline("")
        child.expect_exact("? ask: ")
        child.sendline("2")
        code, wrote = ended(child)

    assert code == 0
    assert "ask was answered: no" in wrote
    assert desk.wfnb("show", "last", "--json").data["variables"]["stdout"] == "heard no\n"


def test_an_empty_line_is_the_default(desk: Desk):
    file = desk.write(asks(question="How many?", default=3))

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: How many? (default: 3) ")
        child.sendline("")
        code, wrote = ended(child)

    assert (code, "ask was answered: 3" in wrote) == (0, True)


def test_a_secret_is_not_shown_when_it_is_typed_and_the_terminal_shows_again_after(desk: Desk):
    ask = asks(question="Password", secret=True)
    file = desk.write(ask | {"steps": [ask["steps"][0]]})

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: Password ")
        child.waitnoecho()
        child.sendline("hunter2hunter2")
        code, wrote = ended(child)

    assert code == 0
    assert "ask was answered: •••" in wrote
    assert "hunter2hunter2" not in wrote
    kept = [path.read_bytes() for path in desk.folder.rglob("*") if path.is_file()]
    assert not [text for text in kept if b"hunter2hunter2" in text]


def test_a_question_answered_elsewhere_goes_away(desk: Desk):
    file = desk.write(asks(question="Go?"))

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: Go? ")
        said = desk.wfnb("answer", "from", "afar")
        code, wrote = ended(child)

    assert (said.code, said.out) == (0, "asking-1: answered from afar\n")
    assert (code, "ask was answered: from afar" in wrote) == (0, True)


def test_the_end_of_input_leaves_the_question_to_others(desk: Desk):
    file = desk.write(asks(question="Go?"))

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: Go? ")
        child.sendeof()
        child.expect_exact("? ask asks: Go? · answer: wfnb answer TEXT --run asking-1 --to ask")
        desk.wfnb("answer", "yes")
        code, wrote = ended(child)

    assert (code, "ask was answered: yes" in wrote) == (0, True)


def test_a_question_of_a_run_within_the_run_is_asked_as_well(desk: Desk):
    inner = asks(question="Deeper?")
    nested = {"tool": "run_workflow", "args": {"workflow_definition": inner}}
    file = desk.write({"name": "outer", "steps": [{"id": "call", **nested}]})

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: Deeper? ")
        child.sendline("yes")
        code, _ = ended(child)

    assert code == 0
    inside = desk.wfnb("show", "asking-1", "--json").data
    assert inside["variables"]["stdout"] == "heard yes\n"


def test_a_secret_that_a_run_within_the_run_asks_for_reaches_it(desk: Desk):
    ask = asks(question="Password", secret=True)
    use = "printf %s {ask.answer!q} | wc -c"
    heard = {"id": "heard", "tool": "shell", "args": {"command": use}}
    inner = {**ask, "steps": [ask["steps"][0], heard]}
    nested = {"tool": "run_workflow", "args": {"workflow_definition": inner}}
    file = desk.write({"name": "outer", "steps": [{"id": "call", **nested}]})

    with desk.terminal("run", file) as child:
        child.expect_exact("? ask asks: Password ")
        child.waitnoecho()
        child.sendline("hunter2hunter2")
        code, wrote = ended(child)

    assert (code, "hunter2hunter2" in wrote) == (0, False)
    inside = desk.wfnb("show", "asking-1", "--json").data
    assert inside["variables"]["stdout"].strip() == "14"


def test_what_was_typed_before_the_question_is_no_answer_to_it(desk: Desk):
    gate = desk.gate()
    wait = {"id": "wait", "tool": "shell", "args": {"command": f"echo waits; cat {gate}"}}
    ask = asks(question="Delete all?", choices=["yes", "no"])
    file = desk.write(ask | {"steps": [wait, *ask["steps"]]})

    with desk.terminal("run", file) as child:
        child.expect("│ waits")
        child.sendline("yes")
        child.expect_exact("yes")
        open_gate(gate)
        child.expect_exact("? ask asks: Delete all? 1 yes · 2 no ")
        child.sendline("no")
        code, wrote = ended(child)

    assert (code, "ask was answered: no" in wrote) == (0, True)


def test_a_person_is_asked_where_only_stdout_is_a_pipe(desk: Desk):
    file = desk.write(asks(question="Go?"))
    out = desk.folder / "out.txt"

    with desk.terminal_of_shell(f"run {file} | cat > {out}") as child:
        child.expect_exact("? ask asks: Go? ")
        child.sendline("yes")
        ended(child)

    assert "ask was answered: yes" in out.read_text("utf-8").splitlines()


def test_a_question_is_asked_once_where_the_reader_of_stdout_is_at_the_same_terminal(desk: Desk):
    file = desk.write(asks(question="Go?", choices=["yes", "no"], default="no", timeout=50))

    with desk.terminal_of_shell(f"run {file} | cat") as child:
        child.expect_exact("taken after 50 s) ")
        during = child.before + child.after
        child.sendline("yes")
        ended(child)

    asked = "? ask asks: Go? 1 yes · 2 no (default: no, taken after 50 s)"
    assert seen(during) == ["asking-1 started: 2 steps", "▶ ask (ask)", asked]


@pytest.mark.parametrize("typed", ["\n", "no\n"])
def test_a_line_that_is_typed_as_somebody_else_answers_hurts_nothing(tmp_path: Path, typed: str):
    home, person = Home(tmp_path / ".wfnb"), os.openpty()
    runner = home.runner(home.open("work").log, tmp_path)
    args = {"question": "Go?", "choices": ["yes", "no"], "default": "no"}
    running = runner.start({"steps": [{"id": "a", "tool": "ask", "args": args}]}, save=False)
    shown: list[str] = []

    def write(text: str) -> None:
        shown.append(text)
        if text.startswith("? "):  # it is asked now, and answered elsewhere before it is here
            runner.answer("yes")
            os.write(person[0], typed.encode())

    while not running.run.questions:
        running.wait(0.01)
    Asker(Family(running), lambda: person[1], write, shown.append).ask()
    running.wait()

    assert running.run.results["a"]["answer"] == "yes"
    assert len(shown) == 2
