"""A text that is too long is kept at both ends, and nobody takes that for the whole of it."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import TextCut
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools import truncated_output
from wfnb.workflows.tools.registry import tool

from .place import runner_in, state, states, step, steps

MUCH = 1_234_567
PRINTED = [sys.executable, "-c", f"import sys; sys.stdout.write('a' * {MUCH - 1} + 'z')"]


@tool
def much(times: int = MUCH - 1) -> Mapping[str, Any]:
    """More than is kept, around a word in its middle."""
    half = times // 2
    output = "a" * half + " port=8080 " + "b" * half
    return {"output": output, "parts": [{"text": output}], "short": "s"}


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `take` was called with. All of a text is kept up to a million characters."""
    monkeypatch.setattr(truncated_output, "WHOLE", 1_000_000)
    from wfnb.workflows.tools.registry import REGISTRY  # noqa: PLC0415

    called: list[Any] = []

    @tool
    def take(what: Any) -> None:
        called.append(what)

    REGISTRY.register(much.tool)  # type: ignore[attr-defined]
    return called


def wanted(name: str, **more: Any) -> dict[str, Any]:
    reads = step("b", "take", args={"what": name}, **more)
    return steps(step("a", "shell", args={"command": PRINTED}), reads)


@pytest.mark.parametrize(
    "name", ["{stdout}", "{a.stdout}", "{a_stdout}", "{steps.a.stdout}", "{a}", "see {stdout!q}"]
)
def test_a_step_that_reads_a_text_that_was_cut_fails_before_its_tool_is_called(
    runner: Runner, calls: list[Any], name: str
):
    done = runner.run(wanted(name))

    said = str(TextCut("stdout", "a", 200_000, MUCH, ""))
    assert (done.status, done.error) == ("failed", f"b: {said}")
    assert said.startswith("Field 'stdout' of 'a' was cut at 200,000 of 1,234,567 characters.")
    assert calls == []


@pytest.mark.parametrize("name", ["{a.stdout_size}", "{a.stderr}", "{a.exit_code}"])
def test_what_was_not_cut_is_handed_on(runner: Runner, calls: list[Any], name: str):
    done = runner.run(wanted(name))

    assert done.status == "success"
    assert len(calls) == 1


@pytest.mark.parametrize("name", ["{output}", "{a.parts.0.text}", "{a_output}"])
def test_what_any_tool_gave_is_handed_on_whole(runner: Runner, calls: list[Any], name: str):
    done = runner.run(steps(step("a", "much"), step("b", "take", args={"what": name})))

    assert done.error is None
    assert calls == [much()["output"]]
    assert len(done.final_variables["output"]) < MUCH


def test_a_mapping_is_handed_on_where_what_is_named_in_it_was_not_cut(
    runner: Runner, calls: list[Any]
):
    done = runner.run(steps(step("a", "much"), step("b", "take", args={"what": "{a.short}"})))

    assert (done.status, calls) == ("success", ["s"])


def test_it_is_still_known_when_the_run_goes_on_in_another_process(home: Path, calls: list[Any]):
    once = runner_in(home).run(wanted("{stdout}"))

    runner = runner_in(home)
    running = runner.resume(once.run)
    running.wait()

    assert once.error is not None
    assert runner.result(running).error == once.error
    assert calls == []


def test_it_is_still_known_of_a_result_that_was_kept_for_another_run(
    runner: Runner, calls: list[Any]
):
    def run() -> str | None:
        much = step("a", "shell", args={"command": PRINTED}, cache=True)
        return runner.run(steps(much, step("b", "take", args={"what": "{stdout}"}))).error

    assert run() == run()
    assert calls == []


def test_a_compensation_is_not_called_with_a_text_that_was_cut(home: Path, calls: list[Any]):
    undo = {"tool": "take", "args": {"what": "{stdout}"}}
    first = step("a", "shell", args={"command": PRINTED}, compensation=undo)
    fails = step("b", "shell", args={"command": "exit 1"})
    runner = runner_in(home)

    done = runner.run(steps(first, fails, rollback=True))

    last = list(runner.log(done.run).run.calls.values())[-1]
    assert (done.status, last.undoes is not None) == ("partly_rolled_back", True)
    assert last.error == str(TextCut("stdout", "a", 200_000, MUCH, ""))
    assert calls == []


def test_patterns_are_looked_for_in_all_that_the_tool_returned(runner: Runner, calls: list[Any]):
    found = {"pattern_match": r"port=(?P<port>\d+)"}
    looks = state("much", (found, "found"))
    done = runner.run(states("a", a=looks, found=state("take", params={"what": "{port}"})))

    assert (done.status, calls, done.warnings) == ("success", ["8080"], [])


def test_what_a_pattern_found_is_cut_like_a_text(runner: Runner, calls: list[Any]):
    looks = step("a", "much", capture=r"(?P<all>a+)")
    done = runner.run(steps(looks, step("b", "take", args={"what": "{all}"})))

    assert done.error is not None
    assert "Field 'all' of 'a' was cut at 200,000 of 617,283" in done.error


@pytest.mark.parametrize(
    "condition",
    [
        {"pattern_match": "needle"},
        {"pattern_not_match": "needle"},
        {"not": {"field_contains": {"stdout": "needle"}}},
        "'needle' in stdout",
    ],
    ids=str,
)
def test_a_condition_does_not_say_what_the_middle_of_a_text_has_that_is_gone(
    runner: Runner, condition: Any
):
    looks = state("shell", (condition, "b"), params={"command": PRINTED})

    done = runner.run(states("a", a=looks, b=state("take", params={"what": "b"})))

    assert done.status == "failed"
    assert str(TextCut("stdout", "a", 200_000, MUCH, "")) in str(done.error)


@pytest.mark.parametrize(
    "condition",
    [{"pattern_match": "a+"}, {"field_contains": {"stdout": "aa"}}, {"success": True}],
    ids=str,
)
def test_what_an_end_of_it_has_is_found(runner: Runner, calls: list[Any], condition: Any):
    looks = state("shell", (condition, "b"), params={"command": PRINTED})

    done = runner.run(states("a", a=looks, b=state("take", params={"what": "b"})))

    assert (done.status, calls) == ("success", ["b"])


MIDDLE = "print('a' * 150_000 + ' port=8080 ' + 'b' * 150_000)"


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ({"pattern_match": r"port=(?P<port>\d+)"}, True),
        ({"pattern_not_match": "port="}, False),
        ({"field_contains": {"stdout": "port="}}, True),
        ("'port=' in stdout and len(stdout) == 300011", True),
    ],
)
@pytest.mark.parametrize(
    "call",
    [("python", {"code": MIDDLE}), ("shell", {"command": [sys.executable, "-c", MIDDLE]})],
    ids=lambda call: call[0],
)
def test_what_was_printed_is_looked_through_as_a_whole(
    runner: Runner, calls: list[Any], call: tuple[str, Any], asked: Any, holds: bool
):
    looks = state(call[0], (asked, "yes"), ({"success": True}, "no"), params=call[1])

    yes, no = (state("take", params={"what": answer}) for answer in (True, False))
    done = runner.run(states("a", a=looks, yes=yes, no=no))

    assert (done.error, calls, done.warnings) == (None, [holds], [])


def test_a_capture_that_is_not_in_what_is_kept_fails_the_action(runner: Runner):
    done = runner.run(steps(step("a", "shell", args={"command": PRINTED}, capture="(?P<n>needle)")))

    assert (done.status, done.warnings) == ("failed", [])
    assert str(TextCut("stdout", "a", 200_000, MUCH, "")) in str(done.error)


def test_a_text_that_the_disk_did_not_take_says_so(tmp_path: Path):
    runner = runner_in(tmp_path)
    (tmp_path / "values").write_text("in the way")  # as a full disk: nothing can be kept there

    done = runner.run(
        steps(
            step("a", "much", args={"times": 500_000}),
            step("b", "take", args={"what": "{a.output}"}),
        )
    )

    assert done.status == "failed"
    assert " of 500,011 characters (" in done.error
    assert "cannot be written (File exists)). Write it to a file" in done.error


@pytest.mark.parametrize("process", [False, True])
def test_what_code_printed_is_known_to_be_cut_wherever_it_ran(
    runner: Runner, calls: list[Any], process: bool
):
    prints = step("a", "python", args={"code": f"print('a' * {MUCH - 1})", "process": process})

    done = runner.run(steps(prints, step("b", "take", args={"what": "{stdout}"})))

    assert done.error == f"b: {TextCut('stdout', 'a', 200_000, MUCH, '')}"
    assert calls == []


def test_a_text_that_was_cut_within_a_run_is_none_for_the_run_around_it(
    runner: Runner, calls: list[Any]
):
    prints = steps(step("a", "shell", args={"command": PRINTED}))
    within = step("in", "run_workflow", args={"workflow_definition": prints})
    reads = step("b", "take", args={"what": "{in.final_variables.a_stdout}"})

    done = runner.run(steps(within, reads))

    said = TextCut("final_variables.a_stdout", "in", 200_000, MUCH, "")
    assert done.error == f"b: {said}"
    assert calls == []


@pytest.mark.parametrize("tool", ["shell", "watch"])
@pytest.mark.parametrize(("printed", "warned"), [(r"caf\351", True), ("café �", False)])
def test_a_run_warns_of_output_that_is_no_utf_8(
    runner: Runner, printed: str, warned: bool, tool: str
):
    done = runner.run(steps(step("a", tool, args={"command": f"printf '{printed}'"})))

    assert [said.startswith("a: stdout is not all UTF-8") for said in done.warnings] == [
        True
    ] * warned
