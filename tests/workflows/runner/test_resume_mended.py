"""A run goes on with a mended definition: real tools, a real journal."""

from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import BadValue, StateGone, WorkflowInvalid
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.events import RunResumed
from wfnb.workflows.runner.runner import Runner

from .mended import done, resumed, shell
from .place import calls, state, states, step, steps


def test_a_run_goes_on_from_the_failed_step_as_it_is_defined_now(runner: Runner, home: Path):
    broken = steps(shell("a", "echo a >> done"), shell("b", "exit 3"), shell("c", "echo c >> done"))
    mended = steps(shell("a", "echo a >> done"), shell("b", "echo b >> done"), broken["steps"][2])
    name = runner.run(broken).run

    result = resumed(runner, name, workflow=mended)

    assert (result.run, result.status, result.warnings) == (name, "success", [])
    assert done(home) == ["a", "b", "c"]
    assert calls(runner.log(name).run) == ["a ok", "b failed", "b ok", "c ok"]
    assert result.saved_workflow_name == "told"
    assert runner.library.load("told")["steps"][1]["args"] == {"command": "echo b >> done"}


def test_the_journal_has_the_definition_of_either_time(runner: Runner):
    name = runner.run(steps(shell("a", "exit 3"))).run
    resumed(runner, name, workflow=steps(shell("a", "true"), shell("b", "true")), save=False)

    entries = runner.log(name).entries()
    (place,) = [n for n, each in enumerate(entries) if isinstance(each.event, RunResumed)]
    report = runner.result(name).report

    assert list(replay(entries[:place]).workflow.actions) == ["a"]
    assert list(replay(entries).workflow.actions) == ["a", "b"]
    assert "b" in runner.result(name).report.markdown.partition("## Graph")[2]
    assert [row.action for row in report.rows] == ["a", "a", "b"]


def test_the_same_definition_is_not_recorded_again(runner: Runner):
    broken = steps(shell("a", "exit 3"))
    name = runner.run(broken).run

    resumed(runner, name, workflow=broken)

    (event,) = [e.event for e in runner.log(name).entries() if isinstance(e.event, RunResumed)]
    assert event.workflow is None


def test_what_succeeded_and_is_defined_otherwise_now_is_told_and_not_called_again(
    runner: Runner, home: Path
):
    name = runner.run(steps(shell("a", "echo a >> done"), shell("b", "exit 3"))).run
    mended = steps(shell("a", "echo again >> done"), shell("b", "echo b >> done"))

    result = resumed(runner, name, workflow=mended)

    assert result.warnings == [
        "a has another definition now and had succeeded: it is not called again. "
        "`--from a` calls it again"
    ]
    assert done(home) == ["a", "b"]
    assert resumed(runner, name, workflow=mended, start="a").warnings == []
    assert done(home) == ["a", "b", "again", "b"]


@pytest.mark.parametrize(("was", "now", "is_other"), [(1, True, 1), (1, 1.0, 1), (1, 1, 0)])
def test_what_python_alone_takes_for_the_same_is_defined_otherwise(
    runner: Runner, was: Any, now: Any, is_other: int
):
    def defined(value: Any) -> dict[str, Any]:
        code = {"code": "repr([x, y])", "arguments": {"x": value, "y": "{word}"}}
        return steps(
            step("a", "python", args=code),
            step("b", "python", args={"code": "1 / y", "arguments": {"y": "{off}"}}),
            step("c", "python", args={"code": "repr(x)", "arguments": {"x": "{word}"}}),
            variables={"word": value, "off": 0},
            rollback=False,
        )

    name = runner.run(defined(was), save=False).run

    result = resumed(runner, name, workflow=defined(now), variables={"off": 1}, save=False)

    assert result.success
    assert len([each for each in result.warnings if each.startswith("a has another")]) == is_other
    assert len([each for each in result.warnings if "value of word" in each]) == is_other
    assert result.final_variables["c_result"] == repr(now)


WAYS = {
    "another list": [],
    "another value": ["items of a had succeeded with another value of word: they are not called"],
    "another command": [
        "a has another definition now, and items of it had succeeded: they are not"
    ],
}


@pytest.mark.parametrize("way", WAYS)
def test_items_that_succeeded_otherwise_are_told_and_not_called_again(runner: Runner, way: str):
    def listed(command: str, *items: int) -> dict[str, Any]:
        each = shell("a", command) | {"for_each": [*items]}
        return steps(each, rollback=False, variables={"word": "old"})

    command = "test {item!q} != 2 -o {word!q} = new && echo {item!q} >> done"
    name = runner.run(listed(command, 1, 2)).run
    new = {
        "another list": {"workflow": listed(command, 3, 1)},
        "another value": {"variables": {"word": "new"}},
        "another command": {"workflow": listed("echo {item!q} >> done", 1, 2)},
    }
    result = resumed(runner, name, **new[way])

    assert result.success
    assert (runner.folder / "done").read_text().split() == ["1", "3" if "list" in way else "2"]
    told = [each.partition(" called")[0] for each in result.warnings]
    assert told == [each.partition(" called")[0] for each in WAYS[way]]
    assert all(each.endswith("`--from a` calls all again") for each in result.warnings)


def test_a_default_that_was_mended_counts_and_a_value_that_was_given_stays(
    runner: Runner, home: Path
):
    written = {"mine": "1", "given": "1", "kept": "1"}
    command = "echo {mine} {given} {kept} {new} >> done; test {mine} = 2"
    broken = steps(shell("a", command), variables={**written, "new": "0"})
    name = runner.run(broken, variables={"given": "7"}).run
    mended = {**written, "mine": "2", "given": "2", "new": {"default": "3"}}

    result = resumed(runner, name, workflow=broken | {"variables": mended})

    assert (result.status, done(home)[4:]) == ("success", ["2", "7", "1", "3"])


@pytest.mark.parametrize(
    ("mended", "asked", "refusal", "says"),
    [
        (steps(shell("a", "true")), {}, BadValue, "is .one of steps.. It needs states"),
        (states("x", x=state("shell", params={"command": "true"})), {}, StateGone, "'a'"),
        (states("a", a=state("shel", params={"command": "true"})), {}, WorkflowInvalid, "'shell'"),
        (states("a", a=state("shell", params={})), {}, WorkflowInvalid, "command"),
        (
            states("a", a=state("shell", params={"command": "{nothing}"})),
            {},
            WorkflowInvalid,
            "nothing",
        ),
        (
            states("a", a=state("shell", params={"command": "true"}))
            | {"variables": {"t": {"type": "integer"}}},
            {},
            WorkflowInvalid,
            "'t' has to be given",
        ),
        ("nope", {}, Exception, "'nope' not found"),
    ],
)
def test_a_definition_that_cannot_be_is_refused_and_nothing_is_recorded(
    runner: Runner, mended: Any, asked: dict[str, Any], refusal: type[Exception], says: str
):
    name = runner.run(states("a", a=state("shell", params={"command": "exit 3"}))).run
    before = runner.log(name).entries()

    with pytest.raises(refusal, match=says):
        runner.resume(name, workflow=mended, **asked)

    assert runner.log(name).entries() == before


def test_a_definition_of_states_needs_no_name_and_a_saved_one_is_called_by_its_name(runner: Runner):
    good = states("a", a=state("shell", params={"command": "true"}))
    name = runner.run(states("a", a=state("shell", params={"command": "exit 3"}))).run
    other = runner.run(states("a", a=state("shell", params={"command": "exit 4"}))).run
    nameless = {key: value for key, value in good.items() if key != "name"}

    first = resumed(runner, name, workflow=nameless)
    second = resumed(runner, other, workflow="told")

    assert (first.status, first.saved_workflow_name) == ("success", "told")
    assert (second.status, second.workflow_saved) == ("success", False)
    assert runner.library.list().workflows[0].success_count == 2


def test_other_content_of_a_name_that_is_taken_is_saved_only_over_it_where_that_is_said(
    runner: Runner,
):
    runner.run(steps(shell("a", "true")))
    names = [runner.run(steps(shell("a", "exit 3"))).run for _ in range(2)]
    mended = steps(shell("a", "true; true"))

    kept = resumed(runner, names[0], workflow=mended)
    replaced = resumed(runner, names[1], workflow=mended, overwrite=True)

    assert "not saved" in kept.warnings[-1]
    assert (replaced.warnings, replaced.saved_workflow_name) == ([], "told")


def test_a_mended_definition_that_cannot_run_by_itself_is_not_saved(runner: Runner):
    broken = steps(shell("a", "test {lim!q} = 4"), variables={"lim": "3"})
    names = [runner.run(broken).run for _ in range(3)]
    alone = steps(shell("a", "test {lim!q} = 3"))
    declared = alone | {"variables": {"lim": "3"}}

    left_out = resumed(runner, names[0], workflow=alone)
    given = resumed(runner, names[1], workflow=alone, variables={"lim": "3"})
    whole = resumed(runner, names[2], workflow=declared)

    said = "not saved: {lim} in command of 'a' is declared nowhere; add it to `variables`."
    for result in (left_out, given):
        assert (result.status, result.saved_workflow_name) == ("success", None)
        assert result.warnings[-1] == said
    assert (whole.warnings, whole.saved_workflow_name) == ([], "told")


def test_what_was_done_is_undone_as_it_was_defined_then(runner: Runner, home: Path):
    undo = {"tool": "shell", "args": {"command": "echo undo {a.stdout} >> done"}}
    broken = steps(shell("a", "echo one", compensation=undo), shell("b", "exit 3"), rollback=False)
    name = runner.run(broken).run

    result = resumed(runner, name, workflow=steps(shell("b", "exit 4"), rollback=True))

    assert result.status == "rolled_back"
    assert done(home) == ["undo", "one"]
    assert result.report.rows[0].undo == "undone"


def test_a_value_that_nothing_uses_is_told_when_a_run_goes_on_too(runner: Runner):
    name = runner.run(steps(shell("a", "test {customer} = me"), variables={"customer": "x"})).run

    result = resumed(runner, name, variables={"custmer": "you", "customer": "me"})

    assert result.warnings == [
        "No placeholder or condition uses 'custmer'. Did you mean 'customer'?"
    ]
