"""a size -> a `.wfnb` folder whose session has that many steps, recorded one by one as users do."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory, mkdtemp

from wfnb.core.data_flow import PLAIN, Flow
from wfnb.core.events import Cell, Outcome
from wfnb.home_folder import Home
from wfnb.workspace import Workspace

NAME = "notebook"  # what a kernel resumes that was not told of a notebook
Recording = Callable[[Workspace, int], None]


def by_api(workspace: Workspace, number: int) -> None:
    """One event: a step that is done."""
    workspace.step(f"Compare the residuals of day {number}")


def by_cell(workspace: Workspace, number: int) -> None:
    """Two events, as a notebook's cell records them: a step begins, and ends."""
    source = f"%%step Fit day {number}\nday = readings[{number}]\nfit(day, order=2).summary()"
    cell = Cell(id=f"cell-{number}", source=source)
    step = workspace.steps.begin(workspace.steps.command_for(f"Fit day {number}", cell=cell))
    assert step.running is not None
    flow = Flow(
        code=f"fit {number}",
        reads={"readings": ("#r", PLAIN), "fit": ("%f", PLAIN)},
        writes={"day": f"#{number}"},
    )
    workspace.steps.finish(step.running, Outcome(duration=0.012345, result="Fit (3, 2)"), flow=flow)


def branching(workspace: Workspace, number: int) -> None:
    """Ten steps on main, then a branch of five that leaves the last of them, and so on."""
    line, place = divmod(number - 1, 15)
    leaves = 10 * (line + 1) if place == 10 else None
    branch = f"idea-{line + 1}" if place >= 10 else None
    workspace.step(f"Try number {number} on the data", branch=branch, branch_from=leaves)


def grown(record: Recording, steps: int) -> Workspace:
    """A session of so many steps, in a folder of its own that may be written on."""
    folder = empty_folder()
    copytree(folder_of(record, steps), folder, dirs_exist_ok=True)
    workspace = Home(folder).resume(NAME)
    assert len(workspace.session.steps) == steps
    return workspace


@cache
def folder_of(record: Recording, steps: int) -> Path:
    """The same, closed, for other processes: not to be written on."""
    folder = empty_folder()
    home = Home(folder)
    workspace = home.start(NAME)
    for number in range(1, steps + 1):
        record(workspace, number)
    assert len(workspace.session.steps) == steps
    home.journal.close()
    return folder


def empty_folder() -> Path:
    return Path(mkdtemp(dir=_folders().name))


@cache
def _folders() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="wfnb-benchmarks-")
