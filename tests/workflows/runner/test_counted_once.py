"""A run is killed at any write, to the journal or to the library, and resumed: its success is
counted once, and not at all only where it was killed between its recorded end and the count."""

from __future__ import annotations

import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests.amount import times
from tests.journal.processes import other_process
from wfnb.journal import Codec, SqliteJournal
from wfnb.workflows.library import saved_workflow, versions  # noqa: F401  imported before the fork
from wfnb.workflows.library.workflow_library import WorkflowLibrary

from .place import runner_on, step, steps

QUICK = step("a", "sleep", args={"seconds": 0})
FORMS: dict[str, dict[str, Any]] = {
    "new": {"before": 0, "workflow": steps(QUICK)},
    "saved before": {"before": 1, "workflow": steps(QUICK)},
    "overwritten": {"before": 1, "workflow": steps(QUICK), "overwrite": True},
    "edited": {"before": 0, "workflow": steps(QUICK, QUICK | {"id": "b"}), "overwrite": True},
}
NAME = "told"


class Moments:
    """The writes of a process, which is killed right before or after one of them."""

    def __init__(self, end: int) -> None:
        self.end, self.passed = end, 0

    def moment(self) -> None:
        self.passed += 1
        if self.passed == self.end:
            os.kill(os.getpid(), signal.SIGKILL)


def performed(folder: Path, form: str, end: int) -> int:
    """A run is begun, or gone on with, to its end; how many moments there were."""
    moments = Moments(end)
    append, replace = SqliteJournal.append_run, os.replace

    def append_run(self: SqliteJournal, *args: Any, **names: Any) -> Any:
        moments.moment()
        written = append(self, *args, **names)
        moments.moment()
        return written

    def replaced(*args: Any, **names: Any) -> None:
        moments.moment()
        replace(*args, **names)
        moments.moment()

    home = folder / "home"
    runner = runner_on(SqliteJournal(home / "journal.db", codec=Codec()), home)
    begun = runner.runs()
    if not begun:
        if form == "edited":
            runner.run(steps(QUICK))
        for _ in range(FORMS[form]["before"]):
            runner.run(FORMS[form]["workflow"])
    overwrite = bool(FORMS[form].get("overwrite"))
    SqliteJournal.append_run = append_run  # type: ignore[method-assign]
    os.replace = replaced  # type: ignore[assignment]
    if end:
        running = runner.start(FORMS[form]["workflow"], overwrite=overwrite)
    elif begun[-1].status == "running":
        running = runner.resume(begun[-1].name, overwrite=overwrite)
    else:
        return 0
    running.wait()
    assert running.run.status == "success"
    return moments.passed


def lives(line: Connection) -> None:
    """Fork a process for each job: it says how many moments it had, or -1 if it was killed."""
    while (job := line.recv()) is not None:
        child = os.fork()
        if not child:
            passed = 0
            try:
                passed = performed(*job)
            finally:
                Path(job[0], "passed").write_text(str(passed))
                os._exit(0)
        _, status = os.waitpid(child, 0)
        line.send(-1 if os.WIFSIGNALED(status) else int(Path(job[0], "passed").read_text()))


def counted(folder: Path) -> int:
    home = folder / "home" / "workflows"
    found = {each.name: each.success_count for each in WorkflowLibrary(home).list().workflows}
    return found.get(NAME, 0)


@pytest.mark.parametrize("form", FORMS)
def test_a_success_is_counted_once_wherever_its_process_was_killed(form: str, tmp_path: Path):
    before = FORMS[form]["before"]
    counts: list[tuple[int, bool]] = []
    with other_process(lives) as line:

        def lived(folder: Path, end: int) -> int:
            line.send((folder, form, end))
            return int(line.recv())

        whole = tmp_path / "whole"
        moments = lived(whole, 10**6)
        assert counted(whole) == before + 1
        last = moments - 4  # whether it is counted turns on these
        for end in [*range(1, last, times(3, 1)), *range(last, moments + 1)]:
            folder = tmp_path / str(end)
            assert lived(folder, end) == -1
            resumed = lived(folder, 0) > 0
            counts.append((counted(folder) - before, resumed))
        line.send(None)

    assert moments >= 10
    assert {count for count, resumed in counts if resumed} == {1}, counts
    assert {count for count, resumed in counts if not resumed} == {0, 1}, counts
