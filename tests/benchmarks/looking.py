"""What an investigation costs in a repository of thousands of files, before a step is recorded:
the first look of a precommit, the first step of a planner and of a docgen, which counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

from wfnb.errors import FilesLeft
from wfnb.home_folder import Home
from wfnb.workspace import Workspace

from .figures import Measured, Times, timed, within

FILES, FOLDERS, CHANGED = 5_000, 50, 100
ROUNDS = 5
LIMIT = 2.0
_ME = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
_METHOD = '''class Sensor{at}:
    """A sensor."""

    def read(self, day):
        """Its readings of a day."""
        return calibrate{number}(day) + {at}
'''
_FUNCTION = """def calibrate{number}(day):
    return day
"""


def measure() -> Iterator[Measured]:
    with TemporaryDirectory() as folder:
        repository = _repository(Path(folder))
        for what, work in (
            ("the first look of a precommit", _precommit),
            ("the first step of a planner", _planner),
            ("the first step of a docgen, which counts", _docgen),
            ("the same, counted before", _docgen_again),
            ("a docgen that asks for its end", _docgen_ends),
        ):
            yield within(f"{what}: {FILES:,} files of 40 lines", _times(repository, work), LIMIT)


def _times(repository: Path, work: Callable[[Workspace], Callable[[], object]]) -> Times:
    """Each in a session and a home of its own: what was kept of one is not there for the next."""
    seconds = []
    for _ in range(ROUNDS):
        with ExitStack() as stack:
            home = Home(Path(stack.enter_context(TemporaryDirectory())) / ".wfnb")
            stack.callback(home.journal.close)
            workspace = home.start("s")
            workspace.log.folder = repository
            seconds.append(timed(work(workspace)))
    return Times(seconds)


def _precommit(workspace: Workspace) -> Callable[[], object]:
    workspace.investigation.choose("precommit")
    workspace.step("Ready?", fields={"path": "."})
    return lambda: workspace.investigation.look("changes")


def _planner(workspace: Workspace) -> Callable[[], object]:
    workspace.investigation.choose("planner")
    return lambda: workspace.step("Replace the calibration")


def _docgen(workspace: Workspace) -> Callable[[], object]:
    workspace.investigation.choose("docgen", pause=False)
    return lambda: workspace.step("What is there")


def _docgen_again(workspace: Workspace) -> Callable[[], object]:
    workspace.investigation.choose("docgen", pause=False)
    workspace.investigation.look("undocumented")
    return lambda: workspace.step("What is there")


def _docgen_ends(workspace: Workspace) -> Callable[[], object]:
    _docgen(workspace)()

    def end() -> None:
        try:
            workspace.step("Enough", next_step_needed=False)
        except FilesLeft:
            return
        raise AssertionError("files are left")

    return end


def _repository(folder: Path) -> Path:
    """A commit of all files, of which some were changed since; as many are new."""
    numbers = count()
    for place in range(FOLDERS):
        inside = folder / f"part{place}"
        inside.mkdir()
        for _ in range(FILES // FOLDERS):
            number = next(numbers)
            (inside / f"module{number}.py").write_text(_source(number))
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "All of it")):
        run(["git", "-C", folder, *_ME, *words], check=True)
    for number, file in enumerate(sorted(folder.rglob("*.py"))[:CHANGED]):
        file.write_text(file.read_text() + "\nLAST = 1\n")
        file.with_name(f"new{number}.py").write_text("FIRST = 1\n")
    return folder


def _source(number: int) -> str:
    parts = (_METHOD.format(at=at, number=number) for at in range(5))
    return "\n\n".join([f'"""Module {number}."""\n', *parts, _FUNCTION.format(number=number)])
