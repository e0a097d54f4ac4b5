"""What succeeded is saved and counted; results that are kept stand for calls."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import runner_in, step, steps


def test_a_result_that_was_kept_stands_for_the_same_call(runner: Runner):
    called = runner.home / "called"

    @tool
    def costly(n: int, at: str) -> int:
        with open(at, "a") as file:
            file.write(str(n))
        return n * n

    def run(n: int, **options: bool) -> object:
        wanted = steps(step("a", "costly", args={"n": "{n}", "at": str(called)}, cache=True))
        done = runner.run(wanted, variables={"n": n}, **options)
        return done.final_variables["a_result"]

    assert [run(3), run(3), run(4), run(3, reuse=False)] == [9, 9, 16, 9]
    assert called.read_text() == "343"


def test_a_failure_is_not_kept_for_the_next_call(runner: Runner):
    called = []

    @tool
    def fails() -> None:
        called.append(1)
        raise ValueError("no")

    for _ in range(2):
        runner.run(steps(step("a", "fails", cache=True)))

    assert len(called) == 2


MADE = {
    "command": "test ! -e made && touch made && echo made",
}
UNMADE = {"compensation": {"tool": "shell", "args": {"command": "rm made"}}}
WITHIN = {
    "workflow_definition": steps(step("make", "shell", args=MADE, **UNMADE)),
    "save_on_success": False,
}


@pytest.mark.parametrize(
    "made",
    [
        step("a", "shell", args=MADE, cache=True, **UNMADE),
        step("a", "run_workflow", args=WITHIN, cache=True),
    ],
    ids=["an action", "a run within"],
)
def test_what_was_undone_is_done_again_and_not_taken_from_before(
    runner: Runner, made: dict[str, Any]
):
    wanted = steps(made, step("b", "shell", args={"command": "test -e made && test -e good"}))

    first = runner.run(wanted)
    (runner.folder / "good").touch()
    second = runner.run(wanted)

    assert (first.status, second.status) == ("rolled_back", "success")
    (runner.folder / "good").unlink()
    third = runner.run(wanted)
    assert third.error is not None
    assert third.error.startswith("a: ")
    assert (runner.folder / "made").exists()  # of the second run, which succeeded


@pytest.mark.parametrize(
    ("made", "use"),
    [
        (
            step("a", "open_terminal", args={"shell": "sh"}, cache=True),
            step("b", "exit_terminal", args={"session_id": "{a.session_id}"}),
        ),
        (
            step("a", "shell", args={"command": "sleep 600 & echo $!"}, cache=True),
            step("b", "shell", args={"command": "kill -0 {a.stdout!q}"}),
        ),
    ],
    ids=["a terminal", "a process"],
)
def test_what_ended_with_its_run_is_begun_again(
    runner: Runner, made: dict[str, Any], use: dict[str, Any]
):
    for _ in range(2):
        assert runner.run(steps(made, use), save=False).status == "success"


def test_what_succeeded_is_saved_once_and_can_be_run_by_its_name(runner: Runner, home: Path):
    greeting = steps(step("a", "shell", args={"command": "echo {who!q}"}), variables={"who": "you"})

    first = runner.run(greeting)
    second = runner.run(greeting)
    named = runner.run("told", variables={"who": "us"})

    kept = json.loads((home / "workflows" / "told.json").read_text())
    assert (first.saved_workflow_name, second.saved_workflow_name) == ("told", None)
    assert named.final_variables["a_stdout"] == "us\n"
    assert kept["metadata"]["success_count"] == 3
    assert [info.name for info in runner.runs()] == ["told-1", "told-2", "told-3"]


def test_a_name_that_other_content_has_is_not_taken_and_the_run_succeeds_all_the_same(
    runner: Runner,
):
    runner.run(steps(step("a", "sleep", args={"seconds": 0})))

    other = runner.run(steps(step("b", "sleep", args={"seconds": 0})))
    told_to = runner.run(steps(step("b", "sleep", args={"seconds": 0})), overwrite=True)

    assert (other.status, other.saved_workflow_name) == ("success", None)
    assert ["with other content" in warning for warning in other.warnings] == [True]
    assert told_to.saved_workflow_name == "told"


@pytest.mark.parametrize("status", ["failed", "not to be saved"])
def test_nothing_is_saved(runner: Runner, status: str):
    code = 1 if status == "failed" else 0

    runner.run(steps(step("a", "shell", args={"command": f"exit {code}"})), save=bool(code))

    assert runner.library.names() == ()


def test_a_result_of_other_code_stands_for_nothing(runner: Runner):
    def price(code: str) -> object:
        space = {"tool": tool}
        exec(code, space)
        done = runner.run(steps(step("a", "price", args={"n": 2}, cache=True)))
        return done.final_variables["a_result"]

    helped = "RATE = {}\ndef by(n):\n    return n * {} + RATE\n@tool\ndef price(n: int): return {}"

    assert price(helped.format(1, 1, "by(n)")) == 3
    assert price(helped.format(1, 1, "by(n) + 10")) == 13
    assert price(helped.format(1, 2, "by(n) + 10")) == 15
    assert price(helped.format(5, 2, "by(n) + 10")) == 19


def test_a_result_of_another_saved_workflow_or_folder_stands_for_nothing(
    runner: Runner, tmp_path: Path
):
    def say(word: str, runner: Runner = runner) -> object:
        inner = step("x", "shell", args={"command": f"echo {word}; cat f"})
        runner.run({"name": "inner", "steps": [inner]}, overwrite=True)
        called = step("a", "run_workflow", args={"workflow_name": "inner"}, cache=True)
        done = runner.run(steps(called), save=False)
        return done.final_variables["a_final_variables"]["stdout"]

    (runner.folder / "f").write_text("here\n")

    assert [say("one"), say("two")] == ["one\nhere\n", "two\nhere\n"]
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "f").write_text("there\n")
    assert say("two", runner_in(runner.home, folder=tmp_path / "else")) == "two\nthere\n"


def test_a_result_of_python_that_reads_another_value_stands_for_nothing(runner: Runner):
    runner.namespace = {}

    def seen(**names: object) -> object:
        runner.namespace.update(names)
        wanted = steps(step("a", "python", args={"code": "f(x)"}, cache=True))
        return runner.run(wanted).final_variables["a_result"]

    assert seen(x=[1], f=len) == 1
    assert seen(x=[1, 2]) == 2
    assert seen(f=sum) == 3


LOUD = "print('a' * {0} + ' port=8080 ' + 'b' * {0})"
MUCH = {
    "all of it is seen": ("shell", {"command": [sys.executable, "-c", LOUD.format(150_000)]}),
    "its ends are seen": ("shell", {"command": [sys.executable, "-c", LOUD.format(1_500_000)]}),
    "printed": ("python", {"code": LOUD.format(1_500_000)}),
    "returned": ("python", {"code": "('a' * 150_000 + ' port=8080 ' + 'b' * 150_000, 'x')"}),
    "long, and returned": ("python", {"code": "'a' * 1_500_000 + ' port=80 ' + 'b' * 1_500_000"}),
    "in a process": ("python", {"code": LOUD.format(150_000), "process": True}),
}


@pytest.mark.parametrize("call", MUCH.values(), ids=MUCH)
@pytest.mark.parametrize("pattern", [r"port=(?P<found>\d+)", r"(?P<found>a+)", "(?P<found>c)"])
def test_a_long_result_that_was_kept_answers_a_pattern_as_the_call_did(
    runner: Runner, call: tuple[str, Any], pattern: str
):
    def run() -> tuple[bool, Any]:
        tool, args = call
        done = runner.run(steps(step("a", tool, args=args, capture=pattern, cache=True)))
        (made,) = runner.log(done.run).run.calls.values()
        return made.cached, (done.status, done.error, made.captured, made.result)

    first, second = run(), run()

    assert (first[0], second[0]) == (False, True)
    assert first[1] == second[1]


@pytest.mark.parametrize(
    ("code", "read"), [("'a' * 300_000", "len(x)"), ("range(3)", "len(x)"), ("{1, 2}", "len(x)")]
)
def test_what_a_run_did_not_read_of_a_result_that_was_kept_can_be_read_by_another(
    runner: Runner, code: str, read: str
):
    makes = step("a", "python", args={"code": code}, cache=True)
    reads = step("b", "python", args={"code": read, "arguments": {"x": "{a.result}"}})

    runner.run(steps(makes))
    done = runner.run(steps(makes, reads))

    assert done.error is None
    assert next(iter(runner.log(done.run).run.calls.values())).cached


@pytest.mark.parametrize("long", [False, True])
def test_a_result_is_kept_for_no_run_that_has_other_secrets(
    runner: Runner, tmp_path: Path, long: bool
):
    rest = "'-' * 3_000_000" if long else "''"
    code = f"x = {rest}; print(x + chr(115) + 'ecret' + x)"
    shows = steps(step("a", "python", args={"code": code}, cache=True))

    def run(**secrets: str) -> tuple[bool, bool]:
        done = runner.run(shows, secrets=secrets, save=False)
        (call,) = runner.log(done.run).run.calls.values()
        return call.cached, "secret" in str(call.result) or long

    assert run(token="secret") == (False, long)
    assert run() == (False, True)
    assert run(token="secret") == (False, long)
    assert run() == (True, True)
