"""What a failure takes back: compensations, in reverse order of what succeeded."""

from wfnb.core.runs.commands import EndRun, FinishCall, StartCall, StopRun
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


def test_an_end_that_is_not_due_is_not_recorded():
    told = Told(steps("a"))

    assert told.do(EndRun(status="success")) == []
