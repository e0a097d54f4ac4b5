"""Wherever the events of a run end, each view says the same of its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.journal import MemoryJournal
from wfnb.panel.live_run import LiveRun
from wfnb.panel.runs import run_head
from wfnb.process_identity import has_ended, process, shown_status
from wfnb.session_log import SessionLog
from wfnb.views.step_words import run_sign
from wfnb.workflows.core.apply import advance
from wfnb.workflows.core.events import RunParked, RunRecorded
from wfnb.workflows.core.run import Run
from wfnb.workflows.run_log import Batch, RunLog
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.views.progress import progress
from wfnb.workflows.views.run_words import status_of
from wfnb.workflows.views.runs_table import runs_table
from wfnb.workspace.session_views import run_entries

from .drawn import Outcomes, outcomes_of, state_workflows, step_workflows
from .place import SOON, state, states, step, steps
from .test_properties import PLAN, _tools, place  # noqa: F401  fixtures

GONE = f"{process()} gone".replace(process().split()[2], "another")
"""A process of this number that was another one."""
ENDS = ("here", "gone", "parked")


def recorded(home: Path, definition: Mapping[str, Any], outcomes: Outcomes, stops: bool) -> Runner:
    """A runner whose session has one run, which has come to its end."""
    PLAN.clear()
    PLAN.update({name: list(said) for name, said in outcomes.items()})
    journal = MemoryJournal()
    session, _ = journal.create("told", [])
    runner = Runner(SessionLog(journal, session), home, home)
    running = runner.start(definition, save=False)
    if stops:
        running.interrupt()
    assert running.wait(SOON), "it hangs"
    return runner


def cut_off(whole: Runner, upto: int, ends: str) -> Runner:
    """The same as far as its first events; the rest never came: because its process is gone or
    works on it, or as nobody has it."""
    (info,) = whole.runs()
    first, *more = [entry.event for entry in whole.log(info.name).entries()][: upto + 1]
    journal = MemoryJournal()
    session, _ = journal.create("told", [])
    who = GONE if ends == "gone" else process()
    first = replace(first, process=who)
    begun, _ = journal.begin_run(session, info.workflow, [first], process=who)
    log = RunLog(journal, begun)
    batch = Batch(log.run)
    if ends == "parked" and not any(type(event).__name__ == "RunEnded" for event in more):
        more.append(RunParked())
    for event in more:
        at = log.run.position + 1
        advance(log.run, RunRecorded(position=at, first=batch.before + 1, event=event))
        batch.events.append(event)
    if more:
        log._record(batch)
    return Runner(SessionLog(journal, session), whole.home, whole.folder)


def said(runner: Runner) -> dict[str, str]:
    """The state in each view; for what is text: the state that it has in it, if it has one."""
    (info,) = runner.runs()
    log, result = runner.log(info.name), runner.result(info.name)
    run: Run = log.run
    (entry,) = run_entries(runner.session_log, None, reports=False)
    lost = {info.name} if has_ended(info.process) else set()
    table = runs_table(runner.runs(), lost)
    told = {
        "run": status_of(run),
        "result": result.status,
        "data": result.to_dict()["status"],
        "progress": progress(run, info.name).status,
        "entry": entry.status,
        "panel": run_head(LiveRun(entry=entry, run=run))["status"],
        "table": table.data["runs"][0]["status"],
        "shell": shown_status(info.status, info.process),
    }
    far = progress(run, info.name)
    shown = result._repr_mimebundle_()
    texts = {
        "shown": shown["text/plain"],
        "page": shown["text/html"],
        "report": repr(result.report),
        "markdown": result.report.markdown,
        "html": result.report.html,
        "row": table.rows[0][2],
        "line": far.line,
        "far": far.html,
    }
    lacks = {name: text for name, text in texts.items() if run_sign(told["run"]) not in text}
    assert lacks == {}, told["run"]
    assert result.success is (told["run"] in ("success", "partial_success"))
    return told


@given(
    st.one_of(step_workflows(), state_workflows()),
    outcomes_of,
    st.booleans(),
    st.integers(0, 60),
    st.sampled_from(ENDS),
)
@settings(max_examples=times(40, 1500))
def test_each_view_says_the_same_of_a_run(
    place: Path,  # noqa: F811
    definition: dict[str, Any],
    outcomes: dict[str, list[str]],
    stops: bool,
    upto: int,
    ends: str,
):
    whole = recorded(place, definition, outcomes, stops)

    for runner in (whole, cut_off(whole, upto, ends)):
        assert len({*said(runner).values()}) == 1, said(runner)


MAY_FAIL = step("a", "act", on_failure="continue")
GROUP = {"steps": [MAY_FAIL], "transitions": []}
HANDLES = [{"condition": "not a.success", "next_state": "t"}]
SOME = {"items": [1, 2], "tolerate": 1}


@pytest.mark.parametrize(
    ("definition", "status"),
    [
        (steps(MAY_FAIL), "partial_success"),
        (states("s", s=GROUP), "partial_success"),
        (states("s", s={**GROUP, "transitions": HANDLES}, t=state("act")), "success"),
        (states("s", s=state("act", for_each=SOME)), "partial_success"),
    ],
)
def test_what_failed_and_was_not_handled_is_told_by_each_view(
    place: Path,  # noqa: F811
    definition: dict[str, Any],
    status: str,
):
    runner = recorded(place, definition, {"a": ["fails"], "s[1]": ["fails"]}, stops=False)

    assert {*said(runner).values()} == {status}
