"""A clock that is set forward or back while a run goes on changes none of its durations."""

from contextlib import closing
from pathlib import Path

import pytest

from wfnb.core.events import SessionStarted
from wfnb.journal import SqliteJournal
from wfnb.journal.clock import RunClock
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.events import CallFinished, CallStarted, RunEnded, RunResumed, RunStarted
from wfnb.workflows.views.action_rows import whole_duration

WORKFLOW = {"name": "w", "steps": [{"id": "a", "tool": "shell", "args": {"command": "true"}}]}


@pytest.mark.parametrize("hours", [1, -1, 24 * 30])
def test_a_run_took_as_long_as_it_took_whatever_the_wall_says(tmp_path: Path, hours: int):
    wall, ticks = [1_700_000_000.0], [5.0]
    with closing(SqliteJournal(tmp_path / "journal.db")) as journal:
        journal._times = RunClock(lambda: wall[0], lambda: ticks[0])
        journal._clock = lambda: wall[0]
        session, _ = journal.create("s", [SessionStarted(name="s")])
        run = journal.begin_run(session, "w", [RunStarted(workflow=WORKFLOW)])[0].id
        events = [
            CallStarted(action="a", tool="shell"),
            CallFinished(call=2, status="ok", result={"success": True}),
            RunEnded(status="success"),
        ]

        for position, event in enumerate(events, start=1):
            wall[0] += hours * 3600
            ticks[0] += 2
            status = "success" if isinstance(event, RunEnded) else None
            journal.append_run(run, [event], position, status=status)
        resumed = journal.append_run(run, [RunResumed(process="p")], 4, status="running")

        ended = replay(journal.read_run(run)[:4])
    assert whole_duration(ended) == 6
    assert resumed[0].at == wall[0]  # it goes on at the time that it is


def test_a_run_that_goes_on_after_the_clock_was_set_back_took_no_less_than_before(tmp_path: Path):
    wall, ticks = [1_700_000_000.0], [5.0]
    with closing(SqliteJournal(tmp_path / "journal.db")) as journal:
        journal._times = RunClock(lambda: wall[0], lambda: ticks[0])
        journal._clock = lambda: wall[0]
        session, _ = journal.create("s", [SessionStarted(name="s")])
        run = journal.begin_run(session, "w", [RunStarted(workflow=WORKFLOW)])[0].id
        ticks[0] += 10
        failed = [CallStarted(action="a", tool="shell"), CallFinished(call=2, status="failed")]
        for position, event in enumerate([*failed, RunEnded(status="failed")], start=1):
            status = "failed" if isinstance(event, RunEnded) else None
            journal.append_run(run, [event], position, status=status)

        wall[0] -= 3600
        journal.append_run(run, [RunResumed(process="p")], 4, status="running")
        journal.append_run(run, [RunEnded(status="success")], 5, status="success")

        assert whole_duration(replay(journal.read_run(run))) == 10
