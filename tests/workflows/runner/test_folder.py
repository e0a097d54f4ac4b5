"""A run goes on, and is undone, where it began: there are its files."""

from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import RunFolderElsewhere, RunFolderGone
from wfnb.workflows.runner.runner import Runner

from .place import LONG, gone_on, runner_in, step, steps

MADE = step(
    "made",
    "shell",
    args={"command": "touch made"},
    compensation={"tool": "shell", "args": {"command": "rm -f made"}},
)
FAILS = step("fails", "shell", args={"command": "test -e mended"})
READS = {
    "shell": {"command": "cat made"},
    "read": {"path": "made"},
    "watch": {"file": "made"},
    "open_terminal": {"shell": "cat made"},
    "run_workflow": {
        "workflow_definition": {
            "name": "within",
            "steps": [step("a", "read", args={"path": "made"})],
        }
    },
}


def failed(home: Path, folder: Path, *more: Any, **options: Any) -> str:
    """A run that begins in a folder and fails there; what it did stands."""
    folder.mkdir()
    runner = runner_in(home, folder=folder)
    result = runner.run(steps(MADE, FAILS, *more, rollback=False), save=False, **options)
    assert result.status == "failed"
    return result.run


@pytest.mark.parametrize("tool", READS)
def test_a_run_that_is_resumed_elsewhere_goes_on_where_it_began(home: Path, tool: str):
    folder = home.parent / "sub"
    name = failed(home, folder, step("then", tool, args=READS[tool]))
    (folder / "mended").touch()
    elsewhere = runner_in(home)

    running = elsewhere.resume(name, save=False)
    running.wait()

    assert running.run.status == "success"
    assert f"it goes on in {folder}, where it began" in elsewhere.result(running).warnings


def test_a_run_that_is_undone_from_elsewhere_is_undone_where_it_began(home: Path):
    name = failed(home, home.parent / "sub")
    (home.parent / "made").touch()

    log = runner_in(home).cancel(name, rollback=True)

    assert log.run.status == "rolled_back"
    assert not (home.parent / "sub" / "made").exists()
    assert (home.parent / "made").exists()


def test_a_project_that_was_moved_goes_on_where_it_is_now(tmp_path: Path):
    before, now = tmp_path / "before", tmp_path / "now"
    before.mkdir()
    name = failed(before / "home", before / "sub")
    before.rename(now)
    (now / "sub" / "mended").touch()

    run = gone_on(runner_in(now / "home"), name, save=False)

    assert run.status == "success"


@pytest.mark.parametrize("does", ["resume", "cancel"])
def test_a_run_whose_folder_is_gone_is_refused_and_left_as_it_was(home: Path, does: str):
    name = failed(home, home.parent / "sub")
    (home.parent / "sub").rename(home.parent / "renamed")
    runner = runner_in(home)
    before = runner.log(name).run.position

    with pytest.raises(RunFolderGone, match="sub, where its relative paths start"):
        runner.resume(name) if does == "resume" else runner.cancel(name, rollback=True)

    assert runner.log(name).run.position == before


def test_python_goes_on_only_in_a_process_of_that_folder_or_with_a_notebook(home: Path):
    folder = home.parent / "sub"
    name = failed(home, folder, step("then", "python", args={"code": "1"}))
    (folder / "mended").touch()
    runner = runner_in(home)

    with pytest.raises(RunFolderElsewhere, match=f"cd {folder}"):
        runner.resume(name)
    notebook = Runner(runner.session_log, home, home.parent, {})
    run = gone_on(notebook, name, save=False)

    assert run.status == "success"


def test_what_can_be_called_nowhere_is_cancelled_from_anywhere(home: Path, gone: str):
    from wfnb.workflows.core.events import RunStarted  # noqa: PLC0415

    from .test_resume_cut_off import begun  # noqa: PLC0415

    runner = runner_in(home)
    hangs = steps(step("a", "shell", args={"command": f"sleep {LONG}"}))
    log = begun(runner, gone, RunStarted(workflow=hangs, process=gone, folder="gone"))

    assert runner.cancel(log.name).run.status == "cancelled"
