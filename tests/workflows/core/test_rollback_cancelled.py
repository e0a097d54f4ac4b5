"""A run that is cancelled, or out of time, is rolled back where somebody says so."""

import pytest

from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.next_action import End, Stop, Undo, next_action

from .story import Told, calls, fails, ok, played, steps, undo

UNDONE = undo()
OUT_OF_TIME = {"why": "failed", "reason": "out of time", "rollback": True}


def stopped(way_back=UNDONE, **how):
    """The run is stopped while `b` runs, after `a` has succeeded."""
    told = Told(steps({"id": "a", **UNDONE}, {"id": "b", **way_back}))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(StopRun(**how))
    return told


def test_what_runs_is_stopped_when_the_run_is_cancelled():
    told = stopped()

    assert next_action(told.run) == (Stop(call=4),)

    told.do(FinishCall(call=4, stopped=True))

    assert next_action(told.run) == (End(status="cancelled"),)
    assert calls(told) == ["a ok", "b cancelled"]


def test_a_cancelled_run_is_rolled_back_where_that_is_asked():
    told = stopped(rollback=True)
    told.do(FinishCall(call=4, stopped=True))

    assert next_action(told.run) == (Undo(call=2),)

    played(told.run.workflow, told)

    assert calls(told) == ["a ok", "b cancelled", "undo a ok"]
    assert told.run.status == "partly_rolled_back"
    assert told.run.error == "it was cancelled · not undone: b (unknown whether it was done)"


@pytest.mark.parametrize(
    ("way_back", "how", "status", "error"),
    [
        ({}, {"rollback": True}, "cancelled", None),
        ({}, OUT_OF_TIME, "rolled_back", "out of time"),
        (
            UNDONE,
            OUT_OF_TIME,
            "partly_rolled_back",
            "out of time · not undone: b (unknown whether it was done)",
        ),
    ],
)
def test_what_was_stopped_is_left_only_where_something_would_undo_it(way_back, how, status, error):
    told = stopped(way_back, **how)
    told.do(FinishCall(call=4, stopped=True))

    played(told.run.workflow, told)

    assert calls(told) == ["a ok", "b cancelled", "undo a ok"]
    assert (told.run.status, told.run.error) == (status, error)


@pytest.mark.parametrize("lost", ["again", "done"])
def test_what_was_cut_off_and_asked_about_is_not_unknown_any_more(lost):
    told = Told(steps({"id": "a", **UNDONE}, {"id": "b", **UNDONE}, "c"))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(ResumeRun(process="another", lost=lost))

    played(told.run.workflow, told, c=fails)

    assert calls(told)[-2:] == ["undo b ok", "undo a ok"]
    assert told.run.status == "rolled_back"


def rolling_back(**more):
    """`b` has failed, and `a` is being undone."""
    told = Told(steps({"id": "a", **undo()}, "b", **more))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(FinishCall(call=4, result=fails))
    told.do(StartCall(action="a", undoes=2))
    return told


@pytest.mark.parametrize(
    ("rollback", "on_cancel", "what_comes"),
    [(None, False, Undo), (None, True, Undo), (True, False, Undo), (False, True, End)],
)
def test_a_rollback_is_broken_off_only_by_who_says_so(rollback, on_cancel, what_comes):
    told = rolling_back(rollback_on_cancel=on_cancel)
    told.do(StopRun(reason="enough", rollback=rollback))

    assert next_action(told.run) == ()  # it is not ended from here

    told.do(ResumeRun(process="another", lost="again"))

    assert [type(do) for do in next_action(told.run)] == [what_comes]
    assert told.run.stop.rollback is (what_comes is Undo)


@pytest.mark.parametrize("first", [True, False])
def test_a_second_cancel_that_says_nothing_of_a_rollback_leaves_what_the_first_said(first):
    told = Told(steps("a", rollback_on_cancel=not first))
    told.do(StopRun(rollback=first))
    told.do(StopRun(reason="again"))

    assert told.run.stop.rollback is first


def test_a_run_that_was_cancelled_does_not_run_out_of_time():
    told = Told(steps("a"))
    told.do(StartCall(action="a"))
    told.do(StopRun(reason="enough"))

    assert told.do(StopRun(why="failed", reason="out of time")) == []

    played(told.run.workflow, told)
    assert (told.run.status, told.run.error) == ("cancelled", "enough")


def test_a_run_that_ran_out_of_time_can_be_cancelled():
    told = Told(steps("a"))
    told.do(StopRun(why="failed", reason="out of time"))
    told.do(StopRun(reason="enough"))

    assert (told.run.stop.why, told.run.stop.reason) == ("cancelled", "enough")
