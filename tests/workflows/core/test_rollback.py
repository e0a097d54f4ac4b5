"""What a failure takes back: compensations, in reverse order of what succeeded."""

from dataclasses import replace

import pytest

from wfnb.errors import CallUncertain, RunEndedAlready
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.events import CallFinished, RunResumed

from .story import Told, calls, fails, ok, played, states, steps, undo


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
    assert told.run.status == "partly_rolled_back"
    assert told.run.error == "c: no · not undone: b (no)"


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


@pytest.mark.parametrize(("again", "status"), [(ok, "rolled_back"), (fails, "partly_rolled_back")])
def test_what_could_not_be_undone_is_tried_again_when_the_run_fails_again(again, status):
    definition = steps({"id": "a", **undo(n="{result.n}")}, {"id": "b", **undo()}, "c")
    told = played(definition, a={**ok, "n": 7}, c=fails, undo_a=fails)
    assert told.run.status == "partly_rolled_back"
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


UNDO = ResumeRun(process="another", rollback=True)


def stuck():
    """`a` could not be undone."""
    return played(steps({"id": "a", **undo()}, "b"), b=fails, undo_a=fails)


NOTHING_LEFT = {
    "nothing that is undone": (lambda: played(steps("a")), UNDO),
    "all was undone": (lambda: played(steps({"id": "a", **undo()}, "b"), b=fails), UNDO),
    "nothing to try again": (
        lambda: played(steps({"id": "a", **undo()}, "b"), b=fails),
        replace(UNDO, retry=True),
    ),
    "what failed is not tried again": (stuck, UNDO),
}


@pytest.mark.parametrize(("told", "asks"), NOTHING_LEFT.values(), ids=NOTHING_LEFT)
def test_a_run_that_left_nothing_to_undo_is_not_rolled_back(told, asks):
    told = told()
    before = list(told.entries)

    with pytest.raises(RunEndedAlready) as refusal:
        told.do(asks)

    assert refusal.value.status == told.run.status
    assert told.entries == before


def test_a_run_that_succeeded_can_be_undone_later():
    told = played(steps({"id": "a", **undo()}, "b"))
    assert told.run.status == "success"

    (event,) = told.do(replace(UNDO, reason="not wanted", secrets=("x",)))
    played(None, told)

    assert event == RunResumed(
        process="another", secrets=("x",), rollback=True, retry=False, reason="not wanted"
    )
    assert calls(told) == ["a ok", "b ok", "undo a ok"]


def test_what_could_not_be_undone_is_tried_again_where_that_is_said():
    told = stuck()

    (event,) = told.do(replace(UNDO, retry=True))
    played(None, told)

    assert (event.retry, event.rollback) == (True, True)
    assert calls(told)[2:] == ["undo a failed", "undo a ok"]


def test_a_run_with_nothing_to_undo_is_rolled_back_while_it_runs():
    told = Told(steps("a", "b"))
    told.do(StartCall(action="a"))
    told.do(UNDO)

    assert calls(played(None, told)) == ["a unknown"]


def test_secrets_of_before_stay_secrets_once():
    definition = steps({"id": "a", **undo()})
    told = played(definition, Told(definition, secrets=("x", "y")))

    (event,) = told.do(replace(UNDO, secrets=("y", "z")))

    assert event.secrets == ("x", "y", "z")


def undoing(idempotent=False):
    """Its process is gone while `a` was being undone."""
    told = Told(steps({"id": "a", **undo()}, "b"))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StopRun(rollback=True))
    told.do(StartCall(action="a", undoes=2, idempotent=idempotent))
    return told


def test_an_undoing_whose_end_nobody_saw_is_asked_about():
    told = undoing()

    with pytest.raises(CallUncertain) as refusal:
        told.do(UNDO)

    assert refusal.value.calls == ("a (undo, undoing)",)


@pytest.mark.parametrize(
    ("idempotent", "lost", "called"),
    [
        (False, "again", ["a ok", "undo a unknown", "undo a ok"]),
        (False, "done", ["a ok", "undo a ok"]),
        (False, {"a": "done"}, ["a ok", "undo a ok"]),
        (True, "ask", ["a ok", "undo a unknown", "undo a ok"]),
        (True, "done", ["a ok", "undo a unknown", "undo a ok"]),
    ],
)
def test_it_is_called_again_or_taken_as_done(idempotent, lost, called):
    told = undoing(idempotent)

    told.do(replace(UNDO, lost=lost))

    assert calls(played(None, told)) == called


@pytest.mark.parametrize(("lost", "status"), [("ask", "unknown"), ("done", "ok")])
def test_an_action_whose_end_nobody_saw_is_not_asked_about_as_it_is_not_called_again(lost, status):
    told = Told(steps({"id": "a", **undo()}, {"id": "b", **undo()}))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))

    end, resumed = told.do(replace(UNDO, lost=lost))
    played(None, told)

    assert (isinstance(end, CallFinished), end.call, end.status) == (True, 4, status)
    assert isinstance(resumed, RunResumed)
    undone = ["undo b ok"] * (status == "ok")
    assert calls(told) == ["a ok", f"b {status}", *undone, "undo a ok"]


def test_what_could_not_be_undone_counts_as_undone_once_where_it_is_tried_again():
    told = stuck()
    before = list(told.run.rolled)

    told.do(replace(UNDO, retry=True))

    assert (before, told.run.rolled) == ([2], [])


def test_what_was_undone_stays_so_where_what_is_stuck_is_tried_again():
    definition = steps({"id": "a", **undo()}, {"id": "b", **undo()}, "c")
    told = played(definition, c=fails, undo_a=fails)
    before = list(told.run.rolled)

    told.do(replace(UNDO, retry=True))

    assert (before, told.run.rolled) == ([4, 2], [4])
