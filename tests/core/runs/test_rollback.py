"""What a failure takes back: compensations, in reverse order of what succeeded."""

import pytest

from wfnb.core.runs.commands import EndRun, FinishCall, ResumeRun, StartCall, StopRun
from wfnb.core.runs.next import End, Stop, Undo, next_action

from .story import Told, calls, fails, ok, played, states, steps


def undo(**args):
    return {"compensation": {"tool": "undo", "args": args}}


def test_compensations_run_in_reverse_order_of_what_succeeded():
    told = played(
        steps({"id": "a", **undo()}, "b", {"id": "c", **undo()}, "d"),
        d=fails,
    )

    assert calls(told) == ["a ok", "b ok", "c ok", "d failed", "undo c ok", "undo a ok"]
    assert (told.run.status, told.run.error) == ("rolled_back", "d: no")


def test_the_compensation_of_the_step_that_failed_does_not_run():
    told = played(steps({"id": "a", **undo()}, {"id": "b", **undo()}), b=fails)

    assert calls(told) == ["a ok", "b failed", "undo a ok"]


def test_it_runs_where_the_step_asks_for_it():
    failing = {"id": "b", **undo(), "compensate_on_failure": True}

    told = played(steps({"id": "a", **undo()}, failing), b=fails)

    assert calls(told) == ["a ok", "b failed", "undo b ok", "undo a ok"]


def test_a_rollback_carries_on_past_a_compensation_that_fails():
    told = played(steps({"id": "a", **undo()}, {"id": "b", **undo()}, "c"), c=fails, undo_b=fails)

    assert calls(told)[-2:] == ["undo b failed", "undo a ok"]
    assert told.run.status == "failed"


def test_a_compensation_is_tried_again_as_it_says():
    step = {"id": "a", "compensation": {"tool": "undo", "retry": 2}}

    told = played(steps(step, "b"), b=fails, undo_a=[fails, fails, ok])

    assert calls(told)[2:] == ["undo a failed", "undo a failed", "undo a ok"]
    assert [call.attempt for call in told.run.calls.values()][2:] == [1, 2, 3]
    assert told.run.status == "rolled_back"


def test_without_compensations_a_failure_is_a_failure():
    assert played(steps("a", "b"), b=fails).run.status == "failed"


def test_a_workflow_may_say_that_nothing_is_rolled_back():
    told = played(steps({"id": "a", **undo()}, "b", rollback=False), b=fails)

    assert calls(told) == ["a ok", "b failed"]
    assert told.run.status == "failed"


def test_a_compensation_sees_the_result_of_its_step():
    step = {"id": "a", **undo(path="{result.path}", own="{steps.a.path}")}

    told = played(steps(step, "b"), a={"success": True, "path": "/tmp/x"}, b=fails)

    assert list(told.run.calls.values())[-1].params == {"path": "/tmp/x", "own": "/tmp/x"}


def test_each_turn_of_a_loop_is_undone_with_its_own_values():
    definition = states(
        "make",
        make={
            "more": "make",
            "success": "end",
            "compensation": {"tool": "undo", "params": {"n": "{result.n}"}},
        },
        end={},
    )

    told = played(
        definition,
        make=lambda n: {"success": True, "n": n, "stdout": "more" if n < 3 else ""},
        end=fails,
    )

    undone = [call.params["n"] for call in told.run.calls.values() if call.undoes is not None]
    assert undone == [3, 2, 1]


def test_states_are_rolled_back_as_steps_are():
    compensation = {"tool": "undo", "params": {}}
    told = played(states("a", a={"success": "b", "compensation": compensation}, b={}), b=fails)

    assert calls(told) == ["a ok", "b failed", "undo a ok"]
    assert told.run.status == "rolled_back"


def test_the_limit_of_states_rolls_back_too():
    compensation = {"tool": "undo", "params": {}}
    definition = states("a", a={"success": "a", "compensation": compensation})

    told = played(definition, Told(definition, max_states=2))

    assert calls(told) == ["a ok", "a ok", "undo a ok", "undo a ok"]
    assert told.run.status == "rolled_back"


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
    assert told.run.status == "cancelled"


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


PERHAPS = {"id": "b", **undo(), "compensate_on_failure": True}


@pytest.mark.parametrize(("step", "undone"), [(PERHAPS, 1), ({"id": "b", **undo()}, 0)])
def test_what_was_stopped_is_undone_if_it_asks_for_that(step, undone):
    told = Told(steps(step))
    told.do(StartCall(action="b"))
    told.do(StopRun(rollback=True))

    played(told.run.workflow, told)

    assert calls(told) == ["b cancelled", *["undo b ok"] * undone]


@pytest.mark.parametrize(("step", "undone"), [(PERHAPS, 1), ({"id": "b", **undo()}, 0)])
def test_what_nobody_saw_end_is_undone_if_it_asks_for_that(step, undone):
    told = Told(steps(step))
    told.do(StartCall(action="b"))
    told.do(StopRun(rollback=True))
    told.do(ResumeRun(process="another", lost="again"))

    played(told.run.workflow, told)

    assert calls(told) == ["b unknown", *["undo b ok"] * undone]


@pytest.mark.parametrize("idempotent", [True, False])
def test_what_nobody_saw_end_and_is_called_again_is_undone_once(idempotent):
    told = Told(steps(PERHAPS, "c"))
    told.do(StartCall(action="b", idempotent=idempotent))
    told.do(ResumeRun(process="another", lost="again"))

    played(told.run.workflow, told, c=fails)

    assert calls(told) == ["b unknown", "b ok", "c failed", "undo b ok"]


def test_what_was_stopped_and_is_called_again_is_undone_once():
    told = Told(steps(PERHAPS, "c"))
    told.do(StartCall(action="b"))
    told.do(StopRun(rollback=False))
    played(told.run.workflow, told)
    told.do(ResumeRun(process="another"))

    played(told.run.workflow, told, c=fails)

    assert calls(told) == ["b cancelled", "b ok", "c failed", "undo b ok"]


def test_a_call_that_came_to_its_end_as_it_was_stopped_was_done():
    told = Told(steps({"id": "b", **undo()}))
    told.do(StartCall(action="b"))
    told.do(StopRun(rollback=True))
    told.do(FinishCall(call=2, result={"success": True, "id": 7}, stopped=True))

    played(told.run.workflow, told)

    assert calls(told) == ["b ok", "undo b ok"]
    assert told.run.status == "cancelled"


def test_an_end_that_is_not_due_is_not_recorded():
    told = Told(steps("a"))

    assert told.do(EndRun(status="success")) == []


@pytest.mark.parametrize(("again", "status"), [(ok, "rolled_back"), (fails, "failed")])
def test_what_could_not_be_undone_is_tried_again_when_the_run_fails_again(again, status):
    definition = steps({"id": "a", **undo(n="{result.n}")}, {"id": "b", **undo()}, "c")
    told = played(definition, a={**ok, "n": 7}, c=fails, undo_a=fails)
    assert told.run.status == "failed"
    told.do(ResumeRun(process="another"))

    played(None, told, c=fails, undo_a=again)

    last = list(told.run.calls.values())[-1]
    assert calls(told)[5:-1] == ["b ok", "c failed", "undo b ok"]
    assert (last.undoes, last.params) == (2, {"n": 7})
    assert told.run.status == status


def test_several_that_could_not_be_undone_keep_their_order():
    definition = steps(*({"id": id, **undo()} for id in "abc"), "d")
    told = played(definition, d=fails, undo_a=fails, undo_b=fails, undo_c=fails)
    told.do(ResumeRun(process="another"))

    played(None, told, d=fails)

    assert calls(told)[7:] == ["d failed", "undo c ok", "undo b ok", "undo a ok"]
    assert told.run.status == "rolled_back"
