"""A run goes on that another process began, or stops where another one takes it over."""

import asyncio
from threading import Event
from typing import Any

import pytest

from wfnb.errors import CallUncertain, RunAlive, RunElsewhere, RunEndedAlready
from wfnb.process_identity import process
from wfnb.workflows.core.commands import ResumeRun, StopRun
from wfnb.workflows.core.events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    QuestionAsked,
    RunEnded,
    RunEvent,
    RunResumed,
    RunStarted,
)
from wfnb.workflows.runner import run_loop
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import LONG, SOON, gone_on, step, steps


def left_by(runner: Runner, process: str, *events: RunEvent, **work: Any) -> str:
    """A run that a process began, which recorded these events and no more."""
    started = RunStarted(workflow=steps(step("a", **work)), process=process)
    journal = runner.session_log.journal
    info, _ = journal.begin_run(
        runner.session_log.id, "told", [started, *events], process=started.process
    )
    return info.name


def test_an_answer_that_came_before_the_process_ended_is_not_asked_for_again(
    runner: Runner, gone: str
):
    asks = {"tool": "ask", "args": {"question": "Go on?"}}
    name = left_by(
        runner,
        gone,
        CallStarted(action="a", tool="ask", params=asks["args"], idempotent=True),
        QuestionAsked(call=2, question="Go on?"),
        QuestionAnswered(call=2, answer="yes"),
        **asks,
    )

    run = gone_on(runner, name)

    assert (run.status, run.results["a"]["answer"]) == ("success", "yes")


def test_a_run_of_another_machine_is_taken_over_only_by_who_says_what_to_do(
    runner: Runner, noted: list[Any]
):
    call = CallStarted(action="a", tool="note", params={"what": 1})
    name = left_by(runner, "elsewhere 1 0123abcd", call, tool="note", args={"what": 1})

    with pytest.raises(RunElsewhere, match="another machine"):
        runner.resume(name)
    assert noted == []

    assert (gone_on(runner, name, lost="again").status, noted) == ("success", [1])


def test_a_run_that_another_process_takes_over_stops_here(runner: Runner):
    began = Event()

    @tool(idempotent=True)
    async def hangs() -> None:
        began.set()
        await asyncio.sleep(LONG)

    running = runner.start(steps(step("a", "hangs")))
    assert began.wait(LONG)
    journal = runner.session_log.journal
    taken = RunResumed(process="elsewhere 1 0123abcd")
    journal.append_run(running.log.info.id, [taken], running.run.position)

    with pytest.raises(RunAlive, match="elsewhere"):
        running.wait()

    assert running.run.status == "running"
    assert runner.log(running.name).run.process == "elsewhere 1 0123abcd"


def test_nothing_more_is_called_or_recorded_of_a_run_that_another_process_took_over(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(run_loop, "FOLLOW", LONG)  # it learns of it by a conflict
    began, goes_on, called = Event(), Event(), []

    @tool(idempotent=True)
    def holds(what: str) -> None:
        called.append(what)
        began.set()
        goes_on.wait(LONG)

    running = runner.start(steps(*(step(id, "holds", args={"what": id}) for id in "ab")))
    assert began.wait(LONG)
    (call,) = running.run.open
    taken = [
        CallFinished(call=call, status="unknown", retry=True),
        RunResumed(process="elsewhere 1 0123abcd"),
    ]
    journal = runner.session_log.journal
    recorded = journal.append_run(running.log.info.id, taken, running.run.position)
    goes_on.set()

    with pytest.raises(RunAlive, match="elsewhere"):
        running.wait()

    assert called == ["a"]
    assert runner.log(running.name).entries()[-2:] == recorded


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("lost", ["again", "done"])
def test_a_call_whose_end_nobody_saw_is_asked_about_after_the_run_was_cancelled_too(
    runner: Runner, noted: list[Any], gone: str, within: bool, lost: Any
):
    pays = steps(step("pay", "note", args={"what": "paid"}))
    cut_off = CallStarted(action="pay", tool="note", params={"what": "paid"})
    journal, id = runner.session_log.journal, runner.session_log.id
    down = {"workflow_definition": pays, "save_on_success": False}
    events: list[RunEvent] = [RunStarted(workflow=pays, process=gone), cut_off]
    if within:
        outer = steps(step("down", "run_workflow", args=down))
        calls_it = CallStarted(action="down", tool="run_workflow", params=down, idempotent=True)
        events = [RunStarted(workflow=outer, process=gone), calls_it]
    info, _ = journal.begin_run(id, "told", events, process=gone)
    if within:
        inner = [RunStarted(workflow=pays, process=gone, depth=1, caller=2), cut_off]
        journal.begin_run(id, "told", inner, parent=info.id, process=gone)
    assert runner.cancel(info.name).run.status == "cancelled"

    with pytest.raises(CallUncertain, match=r"pay \(note\)"):
        runner.resume(info.name)
    assert noted == []
    run = gone_on(runner, info.name, lost=lost)

    assert (run.status, noted) == ("success", ["paid"] if lost == "again" else [])


def test_what_another_process_wrote_meanwhile_is_read_before_a_command_is_refused(
    runner: Runner, gone: str
):
    name = left_by(runner, gone, RunEnded(status="failed", error="a: no"), tool="fail")
    here, there = runner.log(name), runner.log(name)
    with pytest.raises(RunEndedAlready):
        here.do(StopRun(why="cancelled"))
    there.do(ResumeRun(process=process()))

    here.do(StopRun(why="cancelled"))

    assert here.run.stop is not None


def test_a_run_that_another_resumed_to_its_success_is_not_rolled_back(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
):
    undone = {"tool": "shell", "args": {"command": "echo undone >> there"}}
    name = runner.run(
        steps(
            step("a", "shell", args={"command": "true"}, compensation=undone),
            step("b", "shell", args={"command": "test -e there"}),
            rollback=False,
        )
    ).run
    (runner.folder / "there").touch()
    other = Runner(runner.session_log, runner.home, runner.folder)
    # It comes between what `cancel` reads and what it records.
    monkeypatch.setattr(runner, "_check_own", lambda log: other.resume(name).wait(SOON))

    with pytest.raises(RunEndedAlready):
        runner.cancel(name, rollback=True)

    assert runner.log(name).run.status == "success"
    assert (runner.folder / "there").read_text() == ""
