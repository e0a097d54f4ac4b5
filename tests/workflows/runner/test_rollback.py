"""What succeeded is undone in reverse order, with real files, and the report says of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import calls, step, steps


def makes(name: str, *needs: str, **more: Any) -> dict[str, Any]:
    """A step that makes a file, and removes it when it is undone."""
    return step(
        name,
        "shell",
        *needs,
        args={"command": f"echo {name} > {name}.txt && echo $PWD/{name}.txt"},
        compensation={
            "tool": "shell",
            "args": {"command": f"rm {name}.txt; echo {name} >> undone"},
        },
        **more,
    )


FAILS = step("bad", "shell", args={"command": "exit 3"})


def there(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.txt"))


def test_files_that_were_made_are_removed_last_first(runner: Runner, tmp_path: Path):
    result = runner.run(steps(makes("a"), makes("b"), makes("c"), FAILS))

    assert (result.status, result.error) == ("rolled_back", "bad: exit code 3")
    assert there(tmp_path) == []
    assert (tmp_path / "undone").read_text().split() == ["c", "b", "a"]


def test_a_compensation_that_fails_is_named_and_the_others_still_run(
    runner: Runner, tmp_path: Path
):
    stuck = makes("b")
    stuck["compensation"]["args"]["command"] = "echo cannot >&2; exit 9"

    result = runner.run(steps(makes("a"), stuck, makes("c"), FAILS))

    assert result.status == "partly_rolled_back"
    assert result.error == "bad: exit code 3 · not undone: b (exit code 9: cannot)"
    assert there(tmp_path) == ["b.txt"]
    assert [(one["state"], one["undone"]) for one in result.rollback] == [
        ("c", True),
        ("b", False),
        ("a", True),
    ]
    assert calls(runner.log(result.run).run)[-3:] == ["undo c ok", "undo b failed", "undo a ok"]
    told = json.dumps(result.report.to_dict(), default=str)
    assert "exit code 9: cannot" in told


def test_what_could_not_be_undone_is_undone_when_the_run_goes_on_and_fails_again(
    runner: Runner, tmp_path: Path
):
    stuck = makes("a")
    stuck["compensation"]["args"]["command"] = "test -e key && rm a.txt"
    name = runner.run(steps(stuck, makes("b"), FAILS)).run
    ends = []

    for key in (False, True):
        if key:
            (tmp_path / "key").touch()
        running = runner.resume(name)
        running.wait()
        ends.append((running.run.status, there(tmp_path)))

    assert ends == [("partly_rolled_back", ["a.txt"]), ("rolled_back", [])]
    result = runner.result(name)
    assert result.report.rows[0].undo == "undone"
    assert [one["state"] for one in result.rollback] == ["b", "b", "b", "a"]


def test_a_compensation_is_tried_again(runner: Runner, tmp_path: Path):
    tries = []

    @tool
    def undo(path: str) -> None:
        tries.append(path)
        if len(tries) < 3:
            raise OSError("busy")
        Path(path).unlink()

    once = makes("a")
    once["compensation"] = {
        "tool": "undo",
        "args": {"path": "{result.stdout}"},
        "retry": {"attempts": 5, "wait": 0.001},
    }
    once["args"]["command"] += " | tr -d '\\n'"

    result = runner.run(steps(once, FAILS))

    assert result.status == "rolled_back"
    assert tries == [str(tmp_path / "a.txt")] * 3
    assert there(tmp_path) == []


def test_a_compensation_uses_the_values_of_when_its_action_succeeded(runner: Runner):
    undone = []

    @tool
    def undo(what: str) -> None:
        undone.append(what)

    def named(id: str, value: str) -> dict[str, Any]:
        compensation = {"tool": "undo", "args": {"what": "{result.result}/{word}/{last}"}}
        code = f"print('{value}'); '{value}'"
        capture = [rf"(?P<last>{value})"]
        return step(id, "python", args={"code": code}, compensation=compensation, capture=capture)

    wanted = steps(named("a", "one"), named("b", "two"), FAILS, variables={"word": "w"})

    runner.run(wanted)

    assert undone == ["two/w/two", "one/w/one"]


def test_of_steps_side_by_side_those_that_succeeded_are_undone_last_first(
    runner: Runner, tmp_path: Path
):
    result = runner.run(
        steps(makes("a"), makes("b", "a"), makes("c", "a"), {**FAILS, "needs": ["b", "c"]})
    )

    run = runner.log(result.run).run
    made = [line.split()[0] for line in calls(run) if line.endswith(" ok") and "undo" not in line]
    order = [run.calls[id].action for id in sorted(run.rolled, key=run.rolled.index)]
    assert result.status == "rolled_back"
    assert there(tmp_path) == []
    assert set(made) == {"a", "b", "c"}
    assert order[-1] == "a"
    assert (tmp_path / "undone").read_text().split() == order


@pytest.mark.parametrize(
    ("asks", "undone"),
    [({"compensate_on_failure": True}, ["bad", "a"]), ({}, ["a"])],
)
def test_a_step_that_failed_is_undone_if_it_asks_for_that(
    runner: Runner, tmp_path: Path, asks: dict[str, bool], undone: list[str]
):
    bad = makes("bad", **asks)
    bad["args"]["command"] += "; exit 1"

    runner.run(steps(makes("a"), bad))

    assert (tmp_path / "undone").read_text().split() == undone


def test_nothing_is_undone_where_the_workflow_says_so(runner: Runner, tmp_path: Path):
    result = runner.run(steps(makes("a"), FAILS, rollback=False))

    assert (result.status, there(tmp_path)) == ("failed", ["a.txt"])


def test_what_was_undone_is_made_again_when_the_run_is_resumed(runner: Runner, tmp_path: Path):
    check = step("bad", "shell", args={"command": "test -e {ready!q}"})
    wanted = steps(makes("a"), makes("b"), check, variables={"ready": "not-there"})
    first = runner.run(wanted)
    assert (first.status, there(tmp_path)) == ("rolled_back", [])

    again = runner.resume(first.run, variables={"ready": "b.txt"})
    again.wait()

    assert again.run.status == "success"
    assert there(tmp_path) == ["a.txt", "b.txt"]
