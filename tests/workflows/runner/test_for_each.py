"""What is done for each item of a list, by real tools: undone, asked, nested, kept secret."""

import json
from pathlib import Path

import pytest

from wfnb.errors import WorkflowInvalid
from wfnb.workflows.tools.registry import tool
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.views.run_result import run_result
from wfnb.workflows.views.run_text import plain

from .place import SOON, runner_in, step, steps


@pytest.fixture
def runner(tmp_path: Path):
    return runner_in(tmp_path / "home")


def ended(runner, definition, **more):
    running = runner.start(definition, save=False, **more)
    assert running.wait(SOON), "it hangs"
    return running.run


def shell(id: str, command: str, **more):
    return step(id, "shell", args={"command": command}, **more)


def each(items, **more):
    return {"for_each": {"items": items, **more} if more else items}


def test_files_are_made_side_by_side_and_taken_away_when_the_run_fails(runner, tmp_path: Path):
    undo = {"tool": "shell", "args": {"command": "rm {item!q}; echo {item} >> gone"}}
    make = shell("make", "touch {item!q} && echo {index}", compensation=undo)
    definition = steps(
        make | each(["a", "b", "c"], max_parallel=3),
        shell("bad", "ls | wc -l; test {make.count} = 4"),
    )

    run = ended(runner, definition)

    assert run.status == "rolled_back"
    assert sorted((tmp_path / "gone").read_text().split()) == ["a", "b", "c"]
    assert not {"a", "b", "c"} & {path.name for path in tmp_path.iterdir()}


def test_lines_and_json_that_a_program_printed_are_lists(runner):
    definition = steps(
        shell("list", "printf 'x y\\n\\nz\\n'"),
        shell("say", "echo {item!q}") | each("lines(list.stdout)"),
        shell("rows", """echo '{"rows": [{"id": 3}, {"id": 4}]}'"""),
        step("sum", "python", args={"code": "n + 1", "arguments": {"n": "{item.id}"}})
        | each("json(rows.stdout).rows"),
    )

    run = ended(runner, definition)

    assert [one["stdout"] for one in run.results["say"]["results"]] == ["x y\n", "z\n"]
    assert [one["result"] for one in run.results["sum"]["results"]] == [4, 5]


def test_runs_within_are_called_for_each_and_undone_with_it(runner, tmp_path: Path):
    note = "echo {what!q} >> log"
    inner = steps(
        shell(
            "one",
            note.replace("what", "name"),
            compensation={"tool": "shell", "args": {"command": "echo undo {name!q} >> log"}},
        ),
        shell("two", "test {name!q} != c"),
        variables={"name": {}},
    )
    args = {"workflow_definition": inner, "initial_variables": {"name": "{item}"}}
    definition = steps(step("all", "run_workflow", args=args) | each(["a", "b", "c"]))

    run = ended(runner, definition)

    assert run.status == "rolled_back"
    assert run.error.startswith("all: 1 of 3 items failed: all[2]: ")
    lines = (tmp_path / "log").read_text().split("\n")
    assert lines == ["a", "b", "c", "undo c", "undo b", "undo a", ""]


def test_a_field_of_an_item_may_be_asked_for_of_a_tool_that_does_not_say_what_it_gives(runner):
    begun: list[int] = []

    @tool
    def count_to(item: int) -> dict:
        begun.append(item)
        if len(begun) == 2:
            raise ToolFailed("no", again=True)
        return {"times": len(begun)}

    asked = step("a", "count_to", args={"item": "{item}"}, retry={"attempts": 1, "when": "again"})
    asked |= each([7, 8], max_parallel=1) | {"repeat": {"until": "times > 3"}}

    run = ended(runner, steps(asked, step("b", "sleep", args={"seconds": 0})))

    assert (run.status, begun) == ("success", [7, 7, 7, 7, 8])


def test_each_item_may_ask_a_person(runner):
    definition = steps(step("ask", "ask", args={"question": "{item}?"}) | each(["one", "two"]))

    running = runner.start(definition, save=False)
    for question, answer in (("one?", "yes"), ("two?", "no")):
        while question not in [asked.question for asked in running.run.questions.values()]:
            assert not running.wait(0.01)
        running.answer(answer)
    assert running.wait(SOON)

    assert [one["answer"] for one in running.run.results["ask"]["results"]] == ["yes", "no"]


def test_a_secret_is_no_item_and_is_not_kept(runner):
    variables = {"token": {"secret": True}}
    for items in ("lines(token)", ["{token}"]):
        with pytest.raises(WorkflowInvalid, match="asks for 'token', which is a secret"):
            runner.start(
                steps(shell("a", "echo {item!q}") | each(items), variables=variables),
                secrets={"token": "a-long-word"},
            )

    say = shell("a", "echo {item!q} {token!q}")
    run = ended(
        runner, steps(say | each([1, 2]), variables=variables), secrets={"token": "a-long-word"}
    )

    assert run.results["a"]["results"][1]["stdout"] == "2 •••\n"
    events = runner.session_log.journal.read_run(runner.runs()[-1].id)
    assert "a-long-word" not in json.dumps([str(entry) for entry in events])


def test_a_long_list_is_shown_by_what_is_to_be_looked_at(runner):
    command = "test {item} -ne 17 && echo {item}"
    definition = steps(shell("a", command) | each(list(range(40)), tolerate=1, max_parallel=8))

    run = ended(runner, definition)

    result = run_result(run, "told-1")
    assert (result.status, result.states_executed) == ("partial_success", 1)
    shown = repr(result).split("\n")
    assert [line.split()[:4] for line in shown[2:4]] == [
        ["1", "a", "shell", "✓"],
        ["a[17]", "shell", "✕", "failed"],
    ]
    assert "40 items, 1 failed" in shown[2]
    assert len(result.execution_log) == 41
    assert sum("a[" in line for line in plain(run, "told-1").split("\n")) <= 3


def test_items_whose_results_were_kept_are_counted(runner):
    say = shell("a", "echo {item}", cache=True)
    runner.run(steps(say | each([1, 2])), save=False)

    result = runner.run(steps(say | each([1, 2, 3])), save=False)

    assert "3 items, 2 cached" in repr(result).split("\n")[2]


def test_an_early_failure_in_a_long_loop_is_shown_and_nothing_said_to_be_left_out(runner):
    code = "def half(n):\n    return 1 / n\nhalf(item)"
    each = {"items": list(range(60)), "tolerate": 1}
    given = {"code": code, "arguments": {"item": "{item}"}}

    run = ended(runner, steps(step("a", "python", for_each=each, args=given)))

    said = repr(run_result(run, "told-1")).splitlines()
    assert said[0] == "told-1 · ◑ partial success · 1 step"
    assert [line.split()[0] for line in said[2:4]] == ["1", "a[0]"]
    assert said[4:6] == ["a[0]:", "  line 3, in <module>"]
