"""Nested runs begin, and go on, although another process has the journal for a moment."""

from pathlib import Path
from typing import Any

from wfnb.errors import JournalLocked
from wfnb.journal import SqliteJournal
from wfnb.workflows.core.events import CallFinished, CallStarted, RunStarted

from .mended import done, resumed, shell
from .place import calls, runner_in, runner_on, step, steps


class Locked(SqliteJournal):
    """A journal that another process holds for a moment, each time a nested run begins."""

    times = 0

    def begin_run(self, *args: Any, **more: Any) -> Any:
        if more.get("parent") is not None and self.times < 2:
            self.times += 1
            raise JournalLocked(self.place)
        return super().begin_run(*args, **more)


def test_a_nested_run_begins_although_the_journal_is_locked_for_a_moment(home: Path):
    journal = Locked(home / "journal.db")
    inner = steps(shell("a", "true"))
    args = {"workflow_definition": inner, "save_on_success": False}

    result = runner_on(journal, home).run(steps(step("down", "run_workflow", args=args)))

    assert (result.status, journal.times) == ("success", 2)
    runs = runner_in(home).session_log.journal.runs()
    assert [info.name for info in runs] == ["told-1", "told-2"]


def test_a_nested_run_that_was_cut_off_goes_on_as_it_is_written_now_although_the_journal_is_locked(
    home: Path, gone: str
):
    class Held(SqliteJournal):
        times = 0

        def append_run(self, run: int, *args: Any, **more: Any) -> Any:
            if run == inner_run.id and self.times < 1:
                self.times += 1
                raise JournalLocked(self.place)
            return super().append_run(run, *args, **more)

    def outer(*written: Any) -> dict[str, Any]:
        args = {"workflow_definition": steps(*written), "save_on_success": False}
        return steps(step("down", "run_workflow", args=args))

    journal = Held(home / "journal.db")
    runner = runner_on(journal, home)
    first = shell("a", "echo a >> done")
    broken = outer(first, shell("b", "echo wrong >> done"))
    events = [
        RunStarted(workflow=broken, process=gone),
        CallStarted(action="down", tool="run_workflow", idempotent=True),
    ]
    run, _ = journal.begin_run(1, "told", events, process=gone)
    inside = [
        RunStarted(
            workflow=steps(first, shell("b", "echo wrong >> done")),
            process=gone,
            depth=1,
            caller=2,
        ),
        CallStarted(action="a", tool="shell", params=first["args"]),
        CallFinished(call=2, status="ok", result={"success": True}),
    ]
    inner_run, _ = journal.begin_run(1, "told", inside, parent=run.id, process=gone)

    result = resumed(runner, run.name, workflow=outer(first, shell("b", "echo right >> done")))

    assert (result.status, journal.times) == ("success", 1)
    assert calls(runner.log(inner_run.name).run) == ["a ok", "b ok"]
    assert done(home) == ["right"]
