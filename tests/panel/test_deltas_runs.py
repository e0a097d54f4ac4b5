"""What is told of runs: of their steps, their lines, the time."""

from __future__ import annotations

from typing import Any

from tests.core.story import done
from tests.panel.telling import Told
from wfnb.core.commands import Undo
from wfnb.panel import LiveRun, PrintedOutput
from wfnb.views.run_entries import RunEntry


def run(name: str, status: str = "running", step: int | None = None) -> LiveRun:
    return LiveRun(entry=RunEntry(name=name, workflow="w", status=status, step=step))


def printed(upto: int, *pieces: Any) -> PrintedOutput:
    return PrintedOutput(pieces=pieces, upto=upto)


def test_a_run_is_told_of_the_step_that_started_it_and_then_only_where_it_differs():
    told = Told(*map(done, "ab"))

    begins = told.after(runs=[run("w-1", step=2)])
    ends = told.after(runs=[run("w-1", "success", step=2)])

    assert [(row["number"], row["runs"]) for row in begins["rows"]] == [(1, ["w-1"])]
    assert begins["runs"][0]["status"] == "running"
    assert ends == {
        "kind": "delta",
        "seq": 2,
        "runs": [{"name": "w-1", "status": "success", "sign": "✓"}],
    }


def test_a_run_that_is_gone_is_told_by_a_snapshot():
    told = Told(done("a"))
    told.after(runs=[run("w-1"), run("w-2")])

    message = told.after(runs=[run("w-2")])

    assert [each["name"] for each in message["runs"]] == ["w-2"]
    assert message["kind"] == "snapshot"


def test_what_opened_runs_wrote_comes_with_what_changed_or_alone():
    told = Told(done("a"))

    message = told.after(
        outputs={"w-1": printed(7, ("build", "\x1b[1mok\x1b[0m\n")), "w-2": printed(1, "\n")}
    )

    assert message == {
        "kind": "delta",
        "seq": 1,
        "tails": [{"run": "w-1", "lines": [{"who": "build", "text": "ok"}], "upto": 7}],
    }


def test_what_they_wrote_as_a_snapshot_was_told_comes_after_it():
    told = Told(done("a"))

    told.after(Undo(), outputs={"w-1": printed(1, ("build", "one\n"))})
    message = told.after(outputs={"w-1": printed(2, ("build", "two\n"))})

    assert [line["text"] for tail in message["tails"] for line in tail["lines"]] == ["one", "two"]
    assert [tail["upto"] for tail in message["tails"]] == [1, 2]


def test_the_time_comes_with_a_snapshot_and_with_what_is_told_of_runs():
    told = Told(done("a"))

    assert told.live.snapshot(now=5.0)["now"] == 5.0
    assert told.after(runs=[run("w-1")], now=6.5)["now"] == 6.5
    assert "now" not in told.after(done("b"), runs=[run("w-1")], now=7.0)
    assert told.after(Undo(), runs=[run("w-1")], now=8.0)["now"] == 8.0
