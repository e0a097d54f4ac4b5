"""Whatever comes back from a tool: a run that ends, events that can be read, never a traceback."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import WfnbError
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import SOON, calls, disk, runner_in, state, states, step, steps

MEGABYTE = 1_000_000


def nested_lists(depth: int) -> Any:
    data: Any = []
    for _ in range(depth):
        data = [data]
    return data


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def recursive() -> list[Any]:
    data: list[Any] = []
    data.append({"in": data})
    return data


RETURNED: dict[str, Callable[[], Any]] = {
    "no number": lambda: math.nan,
    "an endless number": lambda: {"a": -math.inf},
    "bytes": lambda: {"a": b"\xff\x00", "b": bytearray(b"x")},
    "itself within itself": recursive,
    "deep": lambda: nested_lists(5000),
    "a megabyte": lambda: {"stdout": "x" * MEGABYTE},
    "many fields": lambda: {f"f{n}": n for n in range(5000)},
    "control characters": lambda: {"a": "\x00\x1b[31m\x07\r\n\u202e", "\x00": 1},
    "half a character": lambda: {"a": "\ud800", "\udfff": 1},
    "keys of all kinds": lambda: {1: 1, None: 2, (1, 2): 3, b"x": 4},
    "a large number": lambda: 10**5000,
    "an object": Unspeakable,
    "a class": lambda: Unspeakable,
    "a generator": lambda: (n for n in range(3)),
    "words of a result": lambda: {"success": "no", "timeout_occurred": [], "error": {}},
    "a placeholder": lambda: {"a": "{other}", "error": "{x}"},
    "captures that are none": lambda: {"captures": {"a b": 1, "": object()}},
}


@pytest.mark.parametrize("what", RETURNED)
def test_no_result_does_harm(runner: Runner, home: Path, what: str):
    @tool
    def gives() -> Any:
        return RETURNED[what]()

    result = runner.run(steps(step("a", "gives"), step("b", "shell", args={"command": "echo on"})))

    run = runner.log(result.run)
    entries = run.entries()
    assert result.status in ("success", "failed")
    assert calls(run.run)[0] in ("a ok", "a failed", "a timed_out")
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    json.dumps(result.to_dict(), allow_nan=False)
    assert len(disk(home)) < 3 * MEGABYTE
    assert runner.log(result.run).run.results == run.run.results


class Odd(BaseException):
    def __str__(self) -> str:
        raise RuntimeError("no")


RAISED: dict[str, Callable[[], BaseException]] = {
    "the end of the process": lambda: SystemExit(3),
    "an interrupt": KeyboardInterrupt,
    "a base exception": lambda: Odd("x"),
    "the end of an iteration": StopIteration,
    "the end of a generator": GeneratorExit,
    "a time out": lambda: TimeoutError("mine"),
    "a deep one": lambda: RecursionError("deep"),
    "a long one": lambda: ValueError("x" * MEGABYTE),
    "half a character": lambda: ValueError("\ud800\x00"),
    "many": lambda: ExceptionGroup("all", [ValueError("x")]),
    "one of ours": lambda: WfnbError(),
}


@pytest.mark.parametrize("kind", ["thread", "coroutine"])
@pytest.mark.parametrize("what", RAISED)
def test_no_exception_does_harm(runner: Runner, what: str, kind: str):
    if kind == "thread":

        @tool(name="raises")
        def raises() -> None:
            raise RAISED[what]()
    else:

        @tool(name="raises")
        async def raises_here() -> None:
            raise RAISED[what]()

    result = runner.run(steps(step("a", "raises"), step("b", "sleep", args={"seconds": 0})))

    assert (result.status, calls(runner.log(result.run).run)) == ("failed", ["a failed"])
    assert result.error
    assert len(result.error) < 2 * MEGABYTE
    again = runner.run(steps(step("b", "sleep", args={"seconds": 0})), save=False)
    assert again.status == "success"


def test_an_expression_that_explodes_is_ended_and_the_run_fails_in_a_sentence(runner: Runner):
    explodes = {"pattern_match": "(a|aa)+$"}
    text = "python3 -c \"print('a' * 60 + 'b')\""
    wanted = states(
        "a",
        a=state("shell", (explodes, "b"), params={"command": text}),
        b=state("sleep", params={"seconds": 0}),
    )

    result = runner.run(wanted, timeout=SOON)

    assert (result.status, calls(runner.log(result.run).run)) == ("failed", ["a failed"])
    assert result.error is not None
    assert "was not done after 1 s" in result.error


def test_a_megabyte_a_second_is_kept_in_part_and_its_size_told(runner: Runner, home: Path):
    many = 20 * MEGABYTE
    command = f"head -c {many} /dev/zero | tr '\\0' x"

    result = runner.run(steps(step("a", "shell", args={"command": command})))

    assert result.status == "success"
    assert f"{many:,} characters" in result.final_variables["a_stdout"]
    assert result.final_variables["a_stdout_size"] == many
    assert len(disk(home)) < 2 * MEGABYTE


def test_control_characters_of_an_output_reach_a_nested_run(runner: Runner):
    inner = steps(step("b", "python", args={"code": "text", "arguments": {"text": "{said}"}}))
    inner["variables"] = {"said": ""}
    args = {
        "workflow_definition": inner,
        "initial_variables": {"said": "{a.stdout}"},
        "save_on_success": False,
    }

    result = runner.run(
        steps(
            step("a", "shell", args={"command": "printf '\\033[31mred\\007'"}),
            step("down", "run_workflow", args=args),
        )
    )

    assert result.error is None
    assert result.final_variables["down_final_variables"]["b_result"] == "\x1b[31mred\x07"


def test_a_tool_that_changes_what_it_was_given_changes_nothing_else(runner: Runner):
    seen = []

    @tool
    def spoils(items: list[int]) -> int:
        seen.append(list(items))
        items.append(99)
        return len(items)

    wanted = steps(
        step("a", "spoils", args={"items": "{items}"}),
        step("b", "spoils", args={"items": "{items}"}),
        variables={"items": [1, 2]},
    )

    result = runner.run(wanted)

    assert seen == [[1, 2], [1, 2]]
    assert result.final_variables["items"] == [1, 2]


def test_a_tool_whose_patience_is_nonsense_fails_and_is_not_called(runner: Runner):
    called = []

    def nonsense(params: object) -> float:
        raise ZeroDivisionError("no idea")

    @tool(timeout=nonsense)
    def impatient() -> None:
        called.append(1)

    result = runner.run(steps(step("a", "impatient")))

    assert (result.status, called) == ("failed", [])
    assert "no idea" in (result.error or "")


@pytest.mark.parametrize("form", ["written out", "by its name", "within another"])
def test_a_library_that_breaks_does_not_undo_a_success(home: Path, form: str):
    runner = runner_in(home)
    folder = home / "workflows"

    @tool
    def breaks() -> None:
        for path in folder.glob("*"):
            path.unlink()
        if folder.exists():
            folder.rmdir()
        folder.write_text("not a folder")

    once = steps(step("a", "breaks"))
    if form != "written out":
        runner.library.save(once, name="told", hash="0" * 16, states=1)
    named = {"name": "outer", "steps": [step("n", "run_workflow", args={"workflow_name": "told"})]}
    wanted = {"written out": once, "by its name": "told", "within another": named}[form]

    result = runner.run(wanted)

    assert (result.status, result.saved_workflow_name) == ("success", None)
    saves = form != "by its name"
    assert ["not saved" in warning for warning in result.warnings] == [True] * saves
