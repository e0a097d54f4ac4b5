"""The log of a session: what was recorded, in that order, whatever the clock said."""

from wfnb.core.events import BranchScored, Outcome, Recorded, StepFinished
from wfnb.views.event_sentences import Log, describe
from wfnb.views.run_entries import RunEntry

HOUR = 3600


def entries(*times):
    return [
        Recorded(position=n, first=n, event=BranchScored(branch=f"b{n}", score=n), at=at)
        for n, at in enumerate(times, 1)
    ]


def told(log):
    """The positions of entries, and the events of runs."""
    return [line.position or line.event for line in log.lines]


def test_entries_stand_in_the_order_in_which_they_were_recorded_when_the_clock_was_set_back():
    log = Log(entries(9 * HOUR, 9 * HOUR + 1, 8 * HOUR, 8 * HOUR + 1), 30, times=True)
    last = Log(entries(9 * HOUR, 9 * HOUR + 1, 8 * HOUR, 8 * HOUR + 1), 2, times=True)

    assert told(log) == [1, 2, 3, 4]
    assert told(last) == [3, 4]


def test_a_run_stands_where_it_began_and_ended():
    run = RunEntry(name="w-1", workflow="w", status="success", step=2, started=20.5, ended=30.5)

    assert told(Log(entries(10, 20, 30, 40), 30, False, [run])) == [
        *(1, 2, "run-started", 3, "run-ended", 4),
    ]


def test_a_run_is_not_before_its_step_when_the_clock_was_set_back():
    run = RunEntry(name="w-1", workflow="w", status="success", step=3, started=5.0, ended=6.0)
    other = RunEntry(name="w-2", workflow="w", status="failed", step=3, started=7.0, ended=4.0)

    assert told(Log(entries(10, 20, 5, 8), 30, False, [run])) == [
        *(1, 2, 3, "run-started", "run-ended", 4),
    ]
    shown = [line.says for line in Log(entries(10, 20, 5, 8), 30, False, [run, other]).lines]
    assert shown[3:7] == [
        "run w-1 started",
        "run w-1 ✓ success",
        "run w-2 started",
        "run w-2 ✕ failed",
    ]


def test_times_are_shown_with_their_zone():
    heads, row = repr(Log(entries(90_061.0), 30, times=True)).splitlines()

    assert heads.split("  ")[-1].strip() == "when (UTC)"
    assert row.endswith("1970-01-02 01:01:01")


def test_a_run_that_may_go_on_has_not_ended():
    each = ("success", "parked", "interrupted", "running")
    runs = [
        RunEntry(name=f"w-{it}", workflow="w", status=it, started=1.0, ended=2.0) for it in each
    ]

    assert [line.event for line in Log([], 30, False, runs).lines][4:] == [
        *("run-ended", "run-parked", "run-interrupted"),
    ]


def test_an_attempt_is_named_by_the_entry_that_began_it_and_not_as_a_count():
    assert describe(StepFinished(attempt=17, outcome=Outcome())) == (
        "attempt of entry 17 ended: ✓ ok"
    )
