"""In a real run what is read is what was made, or the action that reads it says why not."""

from __future__ import annotations

from typing import Any

import pandas
import pytest

from wfnb.errors import WorkflowInvalid
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import calls, state, states, step, steps

FRAME = "import pandas; df = pandas.DataFrame({'a': range(1000)}); df"
READS = {"code": "d", "arguments": {"d": "{make.result}"}}
ABOUT = (
    "{make.result} is a DataFrame, which JSON cannot hold: only Python is given it, by a parameter "
    "that is this placeholder and nothing else"
)


TEXTS: Any = [
    ("shell", {"command": "echo {make.result}"}),
    ("shell", {"command": "cat", "input": "{make.result}"}),
    ("ask", {"question": "{make.result}"}),
    ("python", {"code": "d", "arguments": {"d": "a frame: {make.result}"}}),
    ("python", {"function": "{make.result}"}),
]


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize(("tool", "args"), TEXTS)
def test_a_frame_is_not_handed_on_as_its_printed_text(
    runner: Runner, tool: str, args: dict[str, Any], process: bool
):
    make = step("make", "python", args={"code": FRAME, "process": process})

    done = runner.run(steps(make, step("use", tool, args=args)))

    assert done.status == "failed"
    assert done.error == (
        f"use: {ABOUT}. Make it lists, mappings, numbers and texts, or write it to a file and "
        "pass the path."
    )


def test_what_cannot_be_pickled_is_refused_where_it_is_read(runner: Runner):
    make = step("make", "python", args={"code": "import threading\nthreading.Lock()"})

    done = runner.run(steps(make, step("use", "python", args=READS)))

    assert done.error is not None
    assert "so it is not passed on (it holds a lock)" in done.error


def test_a_run_that_does_not_read_it_succeeds_and_shows_it(runner: Runner):
    done = runner.run(
        steps(
            step(
                "make", "python", args={"code": "print('rows 7'); " + FRAME}, capture=r"(?P<n>\d)"
            ),
            step("use", "python", args={"code": "n", "arguments": {"n": "{n}"}}),
        )
    )

    assert (done.status, done.final_variables["use_result"]) == ("success", "7")
    assert "999" in done.final_variables["make_result"]


def test_nor_by_an_own_tool_a_cache_or_a_nested_run(runner: Runner):
    @tool
    def make() -> dict[str, Any]:
        return {"frame": pandas.DataFrame({"a": [1]}), "rows": 1}

    inner = steps(step("a", "make", cache=True))
    for _ in range(2):  # the second time from the cache
        done = runner.run(
            steps(
                step("down", "run_workflow", args={"workflow_definition": inner}),
                step(
                    "rows",
                    "python",
                    args={"code": "n", "arguments": {"n": "{down.final_variables.a_rows}"}},
                ),
                step("use", "shell", args={"command": "echo {down.final_variables.a_frame!q}"}),
            )
        )

        assert done.final_variables["rows_result"] == 1
        assert "{down.final_variables.a_frame} is a DataFrame" in str(done.error)


def test_a_condition_that_asks_for_it_fails_its_action_which_is_undone_all_the_same(
    runner: Runner, noted: list[Any]
):
    made = state(
        "python",
        ({"field_equals": {"result": 3}}, "b"),
        params={"code": FRAME},
        compensation={"tool": "note", "params": {"what": "undone"}},
    )

    done = runner.run(states("a", a=made, b=state("note", params={"what": "b"})))

    assert done.status == "rolled_back"
    assert "Field 'result' is a DataFrame" in str(done.error)
    assert noted == ["undone"]


@pytest.mark.parametrize("pattern", ["pattern_match", "pattern_not_match"])
def test_a_pattern_that_is_not_in_what_code_printed_may_be_in_what_it_gave(
    runner: Runner, pattern: str
):
    code = f"print('fine')\n{FRAME}"
    made = state("python", ({pattern: "ERROR"}, "b"), params={"code": code})

    done = runner.run(states("a", a=made, b=state("sleep", params={"seconds": 0})))

    assert done.status == "failed"
    assert "Field 'result' is a DataFrame" in str(done.error)


def test_what_code_gave_and_a_person_answered_is_seen_by_patterns(runner: Runner):
    done = runner.run(
        states(
            "a",
            a=state(
                "python", ({"pattern_match": "^READY (?P<n>.)$"}, "b"), params={"code": "'READY 3'"}
            ),
            b=state("python", params={"code": "7"}, capture="^(?P<m>[0-9])$"),
        )
    )

    assert calls(runner.log(done.run).run) == ["a ok", "b ok"]
    assert (done.final_variables["n"], done.final_variables["m"]) == ("3", "7")


@pytest.mark.parametrize("end", ["\\n", "\\r\\n", "\\n\\r\\n"])
@pytest.mark.parametrize("asked", [{"field_equals": {"stdout": "yes"}}, "stdout == 'yes'"])
def test_a_text_is_compared_without_the_line_break_at_its_end(runner: Runner, end: str, asked: Any):
    done = runner.run(
        states(
            "a",
            a=state("shell", (asked, "b"), params={"command": f"printf 'yes{end}'"}),
            b=state("shell", params={"command": "test {a_stdout!q} = yes"}),
        )
    )

    assert (done.final_state, done.success) == ("b", True)


@pytest.mark.parametrize(
    ("command", "more", "found"),
    [
        ("echo {made.result!q}", {}, "before"),
        ("echo {steps.made.result!q}", {}, "before"),
        ("echo {made.result!q}", {"on_error": [{"result": {"result": 1}}]}, "then"),
        ("echo {made.success}", {}, None),
    ],
)
def test_a_frame_that_its_tool_promises_is_refused_before_the_run(
    runner: Runner, command: str, more: dict[str, Any], found: str | None
):
    made: list[int] = []

    @tool
    def framed() -> pandas.DataFrame:
        made.append(1)
        return pandas.DataFrame({"a": [1]})

    wanted = steps(step("made", "framed", **more), step("use", "shell", args={"command": command}))

    if found == "before":
        with pytest.raises(
            WorkflowInvalid, match="is a DataFrame, which JSON cannot hold: only Py"
        ):
            runner.run(wanted)
    else:
        assert runner.run(wanted).success is (found is None)
    assert made == ([] if found == "before" else [1])


def test_python_is_given_a_frame_that_its_tool_promises(runner: Runner):
    @tool
    def framed() -> pandas.DataFrame:
        return pandas.DataFrame({"a": [1, 2]})

    args = {"code": "len(d)", "arguments": {"d": "{made.result}"}}

    assert runner.run(steps(step("made", "framed"), step("use", "python", args=args))).success
