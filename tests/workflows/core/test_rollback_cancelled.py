"""A run that is cancelled, or out of time, is rolled back where somebody says so."""

import pytest

from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.next_action import End, Stop, Undo, next_action

from .story import Told, calls, fails, ok, played, steps, undo


def cancelled(rollback):
    told = Told(steps({"id": "a", **undo()}, {"id": "b", **undo()}))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(StopRun(rollback=rollback))
    return told


def test_what_runs_is_stopped_when_the_run_is_cancelled():
    told = cancelled(rollback=None)

    assert next_action(told.run) == (Stop(call=4),)

    told.do(FinishCall(call=4, stopped=True))

    assert next_action(told.run) == (End(status="cancelled"),)
    assert calls(told) == ["a ok", "b cancelled"]


def test_a_cancelled_run_is_rolled_back_where_that_is_asked():
    told = cancelled(rollback=True)
    told.do(FinishCall(call=4, stopped=True))

    assert next_action(told.run) == (Undo(call=2),)

    played(told.run.workflow, told)

    assert calls(told) == ["a ok", "b cancelled", "undo a ok"]
    assert told.run.status == "partly_rolled_back"
    assert told.run.error == "it was cancelled · not undone: b (unknown whether it was done)"


def test_one_in_which_nothing_undoes_what_was_stopped_is_as_it_was_ended():
    told = Told(steps({"id": "a", **undo()}, "b"))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(StopRun(rollback=True))
    told.do(FinishCall(call=4, stopped=True))

    played(told.run.workflow, told)

    assert calls(told) == ["a ok", "b cancelled", "undo a ok"]
    assert told.run.status == "cancelled"


def test_out_of_time_within_what_has_a_way_back_it_is_only_partly_rolled_back():
    told = Told(steps({"id": "a", **undo()}, {"id": "b", **undo()}))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(StopRun(why="failed", reason="out of time", rollback=True))
    told.do(FinishCall(call=4, stopped=True))

    played(told.run.workflow, told)

    assert told.run.status == "partly_rolled_back"
    assert told.run.error == "out of time · not undone: b (unknown whether it was done)"


def test_the_time_limit_of_the_whole_is_a_failure_and_rolls_back():
    told = Told(steps({"id": "a", **undo()}, "b"))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(StopRun(why="failed", reason="out of time", rollback=True))
    told.do(FinishCall(call=4, stopped=True))

    played(told.run.workflow, told)

    assert calls(told) == ["a ok", "b cancelled", "undo a ok"]
    assert (told.run.status, told.run.error) == ("rolled_back", "out of time")


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
