"""What is said of saving is what was saved; and an example that asks a person does what it says."""

from __future__ import annotations

from pathlib import Path

from wfnb.workflows.runner.runner import Runner

from .place import step, steps


def named(name: str, command: str = "echo 1") -> dict[str, object]:
    return {**steps(step("a", "shell", args={"command": command})), "name": name}


def test_content_that_is_saved_under_another_name_is_told_with_that_name(runner: Runner):
    first = runner.run(named("first"))
    second = runner.run(named("second"))

    assert (first.saved_workflow_name, list(first.warnings)) == ("first", [])
    assert second.workflow_saved is False
    assert list(second.warnings) == ["not saved as 'second': the same is saved already as 'first'"]
    assert list(runner.run(named("first")).warnings) == []
    assert list(runner.run("first").warnings) == []


def test_that_holds_where_the_name_is_another_s_too(runner: Runner):
    runner.run(named("first"))
    runner.run(named("second", "echo 2"))

    again = runner.run(named("second"))

    assert list(again.warnings) == ["not saved as 'second': the same is saved already as 'first'"]


def test_a_workflow_that_calls_an_older_one_of_its_name_does_not_call_itself(runner: Runner):
    runner.run(named("loop"))
    calls = steps(step("b", "run_workflow", args={"workflow_name": "loop"}))

    done = runner.run({**calls, "name": "loop"}, overwrite=True)

    assert done.status == "success"
    assert list(done.warnings) == []
    (warning,) = runner.check({**calls, "name": "loop"}).warnings
    assert "calls itself" in str(warning)


def test_the_example_that_debugs_lists_steps_and_continues(runner: Runner, tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text("total = 0\nfor n in range(3):\n    total += n\nprint('total', total)\n")
    answers = iter(["l", "s", "c"])

    running = runner.start("interactive_debug", variables={"script": str(script)}, save=False)
    while not running.wait(0.02):
        if running.run.questions:
            running.answer(next(answers))
    done = runner.result(running)

    assert (done.status, done.error) == ("success", None)
    log = done.execution_log
    assert [entry["state"] for entry in log if entry["tool"] == "ask"] == ["prompt_user"] * 3
    screens = [
        entry["result"]["screen_content"] for entry in log if entry["tool"] == "await_output"
    ]
    assert "total += n" in screens[1]
    assert any("total 3" in screen for screen in screens)
