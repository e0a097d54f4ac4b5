"""A value that JSON cannot hold, in every place of a workflow that hands on values."""

from __future__ import annotations

import datetime
import json
import tempfile
from pathlib import Path
from typing import Any

import pandas
import pytest

import wfnb
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import disk, gone_on, runner_in, state, states, step, steps

FRAME = "import pandas as pd\npd.DataFrame({'a': [1, 2, 3]})"
SHOWN = "<pandas.DataFrame: 3 rows × 1 column, 156 bytes>"


def python(id: str, code: str, *needs: str, **arguments: Any) -> dict[str, Any]:
    return step(id, "python", *needs, args={"code": code, "arguments": arguments})


@pytest.fixture
def taken() -> list[Any]:
    """What the tool `take` was called with; it fails the first time for what has a `fails`."""
    given: list[Any] = []

    @tool
    def take(what: Any) -> None:
        given.append(what)
        if getattr(what, "attrs", {}).get("fails") and len(given) == 1:
            raise ValueError("the first time")

    return given


def test_it_goes_into_a_nested_run_and_comes_out_of_it(runner: Runner):
    inner = {
        "name": "inner",
        "variables": {"frame": None},
        "outputs": {"doubled": "twice.result"},
        "steps": [python("twice", "f * 2", f="{frame}")],
    }
    down = {"workflow_definition": inner, "initial_variables": {"frame": "{make.result}"}}

    done = runner.run(
        steps(
            python("make", FRAME),
            step("down", "run_workflow", args=down),
            python("sum", "int(f.a.sum())", f="{down.outputs.doubled}"),
            python("other", "int(f.a.sum())", f="{down.final_variables.twice_result}"),
        )
    )

    assert done.error is None
    assert (done.final_variables["sum_result"], done.final_variables["other_result"]) == (12, 12)


def test_each_item_of_a_list_of_frames_is_one(runner: Runner):
    each = step("each", "python", args={"code": "len(f)", "arguments": {"f": "{item}"}})
    code = "import pandas as pd\n[pd.DataFrame({'a': range(n)}) for n in (2, 5)]"

    done = runner.run(steps(python("make", code), each | {"for_each": "make.result"}))

    assert done.error is None
    assert [one["result"] for one in done.final_variables["each_results"]] == [2, 5]


def test_what_items_gave_is_handed_on(runner: Runner):
    each = python("each", "{item}", item="{item}") | {"for_each": [1, 2]}

    done = runner.run(steps(each, python("all", "r[1]['result']", r="{each.results}")))

    assert done.error is None
    assert done.final_variables["all_result"] == [2]


def test_it_is_given_to_a_retry_and_to_a_compensation(runner: Runner, taken: list[Any]):
    code = f"{FRAME.replace('pd.Data', 'f = pd.Data')}\nf.attrs['fails'] = True\nf"
    undo = {"tool": "take", "args": {"what": "{result.result}"}}
    make = step("make", "python", args={"code": code}, compensation=undo)
    take = step("take", "take", args={"what": "{make.result}"}, retry=1)

    done = runner.run(steps(make, take, python("bad", "1 / 0"), rollback=True))

    assert done.status == "rolled_back"
    assert [type(each).__name__ for each in taken] == ["DataFrame"] * 3
    assert taken[0] is not taken[1]


def test_it_goes_from_state_to_state_under_its_bare_name(runner: Runner):
    make = state("python", ({"success": True}, "use"), params={"code": FRAME})
    use = state("python", params={"code": "len(f)", "arguments": {"f": "{result}"}})

    assert runner.run(states("make", make=make, use=use)).final_variables["result"] == 3


def test_an_output_is_the_value_in_python_and_what_it_is_in_json(runner: Runner, home: Path):
    done = runner.run(
        steps(python("make", FRAME), outputs={"frame": "make.result", "both": "[make.result, 1]"})
    )

    for result in (done, runner_in(home).result(done.run)):
        assert result.outputs["frame"].equals(pandas.DataFrame({"a": [1, 2, 3]}))
        assert result.outputs["both"][1] == 1
        outputs = result.outputs
        for copied in (dict(outputs.items()), dict(outputs), {**outputs}, outputs.copy()):
            assert copied["frame"].a.sum() == 6
        for joined in ({"x": 1} | outputs, outputs | {"x": 1}, {"frame": outputs.pop("frame")}):
            assert joined["frame"].a.sum() == 6
        assert json.loads(result.to_json())["outputs"] == {"frame": SHOWN, "both": [SHOWN, 1]}
        assert f"frame: {SHOWN}" in repr(result)
        assert json.loads(result.report.to_json())["outputs"]["frame"] == SHOWN


def test_a_reader_changes_what_it_has_and_nobody_elses(runner: Runner):
    changes = "f.loc[0, 'a'] = 100\nint(f.a.sum())"

    done = runner.run(
        steps(
            python("make", FRAME),
            python("one", changes, f="{make.result}"),
            python("two", "int(f.a.sum())", f="{make.result}"),
        )
    )

    assert (done.final_variables["one_result"], done.final_variables["two_result"]) == (105, 6)


def test_a_tool_that_is_annotated_otherwise_is_given_the_form(runner: Runner):
    given: list[Any] = []

    @tool
    def plan(day: str, rows: list[int], when: datetime.date, any: Any) -> None:
        given.extend((day, rows, when, any))

    dates = "import datetime\n(datetime.date(2026, 1, 2), {3, 1})"
    args = {"day": "{d.result.0}", "rows": "{d.result.1}", "when": "{d.result.0}"}

    done = runner.run(
        steps(python("d", dates), step("p", "plan", args={**args, "any": "{d.result.1}"}))
    )

    assert done.error is None
    assert given == ["2026-01-02", [1, 3], datetime.date(2026, 1, 2), [1, 3]]


def test_a_frame_in_which_a_secret_stands_is_not_kept(
    runner: Runner, home: Path, monkeypatch: pytest.MonkeyPatch
):
    code = "import pandas as pd\npd.DataFrame({'who': [token] * 30})"
    make = step("make", "python", args={"code": code, "arguments": {"token": "{token}"}})
    variables = {"token": {"secret": True}}

    done = runner.run(
        steps(make, python("use", "f", f="{make.result}"), variables=variables),
        secrets={"token": "a very long word"},
        save=False,
    )

    assert "so it is not passed on (a secret is in it, which is written nowhere)" in str(done.error)
    assert b"a very long word" not in disk(home)


def test_what_was_kept_for_another_run_is_given_to_python(runner: Runner, home: Path):
    make = python("make", FRAME) | {"cache": True}
    wanted = steps(make, python("use", "int(f.a.sum())", f="{make.result}"))

    first = runner.run(wanted)
    again = runner.run(wanted)
    for path in (home / "values").glob("*-*"):
        path.unlink()
    third = runner.run(wanted)

    runs = [runner.log(done.run).run for done in (first, again, third)]
    assert [next(iter(run.calls.values())).cached for run in runs] == [False, True, False]
    assert [run.results["use"]["result"] for run in runs] == [6, 6, 6]


def test_what_nothing_read_when_it_was_made_is_refused_when_a_mended_run_reads_it(runner: Runner):
    name = runner.run(steps(python("make", FRAME), python("use", "1 / 0"))).run
    mended = steps(python("make", FRAME), python("use", "len(f)", f="{make.result}"))

    refused = gone_on(runner, name, workflow=mended)
    done = gone_on(runner, name, start="make")

    assert "{make.result} is a DataFrame, which JSON cannot hold" in str(refused.error)
    assert done.results["use"]["result"] == 3


MUCH = 5_000_000


@pytest.mark.parametrize("process", [False, True], ids=["here", "processes"])
@pytest.mark.parametrize(
    "made",
    [
        step("make", "shell", args={"command": f"head -c {MUCH} /dev/zero | tr '\\0' x"}),
        step("make", "python", args={"code": f"print('x' * {MUCH}, end='')"}),
        step("make", "python", args={"code": f"'x' * {MUCH}"}),
        step("make", "python", args={"code": f"'x' * {MUCH}", "process": True}),
    ],
    ids=["shell", "print", "value", "value-of-a-process"],
)
def test_a_text_of_five_megabytes_is_handed_on_whole(
    runner: Runner, home: Path, made: dict[str, Any], process: bool
):
    name = "result" if "'x'" in made["args"].get("code", "")[:3] else "stdout"
    text = f"{{make.{name}}}"
    code = "import pathlib\nlen(t), t.count('x'), pathlib.Path(path).write_text(t)"
    path = str(home.parent / "written")
    args = {"code": code, "arguments": {"t": text, "path": path}, "process": process}

    done = runner.run(
        steps(
            made,
            step("use", "python", args=args),
            step("count", "shell", args={"command": "wc -c", "input": text}),
            step("ends", "shell", args={"command": "tail -c 5", "input": f"a{text}b"}),
        )
    )

    assert done.error is None
    assert done.final_variables["use_result"] == [MUCH, MUCH, MUCH]
    assert done.final_variables["count_stdout"].strip() == str(MUCH)
    assert done.final_variables["ends_stdout"] == "xxxxb"
    assert Path(path).stat().st_size == MUCH
    assert len(done.report.to_json()) < 3_000_000
    assert sum(len(repr(entry)) for entry in runner.log(done.run).entries()) < 3_000_000


def test_a_nested_run_that_was_cut_off_goes_on_with_it(home: Path, runner: Runner):
    flag = home.parent / "flag"
    code = "import pathlib\n1 / pathlib.Path(flag).exists(), int(f.a.sum())"
    inner = {
        "name": "inner",
        "variables": {"frame": None},
        "steps": [python("use", code, f="{frame}", flag=str(flag))],
    }
    down = {"workflow_definition": inner, "initial_variables": {"frame": "{make.result}"}}
    wanted = steps(python("make", FRAME), step("down", "run_workflow", args=down))

    failed = runner.run(wanted)
    flag.touch()
    run = gone_on(runner_in(home), failed.run)

    assert "ZeroDivisionError" in str(failed.error)
    assert run.results["down"]["final_variables"]["use_result"] == [1.0, 6]


def test_a_session_in_memory_keeps_nothing_beside_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    runs = wfnb.open("told", home_folder=home, scratch=True).runs

    done = runs.run(steps(python("make", FRAME), python("use", "len(f)", f="{make.result}")))

    assert done.final_variables["use_result"] == 3
    assert not (home / "values").exists()
    assert [path.name[:13] for path in tmp_path.glob("wfnb-*")] == ["wfnb-scratch-"]
