"""What was stopped, or nobody saw end, is undone if it asks for that, and once."""

import pytest

from wfnb.errors import CallUncertain
from wfnb.workflows.core.commands import EndRun, FinishCall, ResumeRun, StartCall, StopRun

from .story import Told, calls, fails, late, ok, played, steps, undo

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


KILLED = {**fails, "outcome_unknown": True}
DONE = {"id": "a", **undo()}
LEFT = "b (unknown whether it was done)"


@pytest.mark.parametrize("first", [[], [DONE]])
@pytest.mark.parametrize("end", [late, KILLED])
def test_what_did_not_come_to_its_own_end_is_left_by_a_rollback_and_named(first, end):
    told = played(steps(*first, {"id": "b", **undo()}), b=end)

    assert told.run.status == "partly_rolled_back"
    assert told.run.error is not None
    assert told.run.error.endswith(f"not undone: {LEFT}")


def test_what_said_that_it_failed_is_not_left():
    told = played(steps(DONE, {"id": "b", **undo()}), b=fails)

    assert told.run.status == "rolled_back"


def test_a_call_that_is_still_at_work_may_be_done():
    told = Told(steps(DONE, {"id": "b", **undo()}))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))
    told.do(StartCall(action="b"))
    told.do(FinishCall(call=4, result=fails, goes_on=True))

    played(told.run.workflow, told)

    assert told.run.status == "partly_rolled_back"


@pytest.mark.parametrize(
    ("said", "status"), [([late, fails], "partly_rolled_back"), ([late, ok], "rolled_back")]
)
def test_what_an_attempt_may_have_done_is_undone_with_one_that_did_it_and_no_other(said, status):
    tried = {"id": "b", **undo(), "retry": {"attempts": 1}}

    told = played(steps(DONE, tried, "c"), b=said, c=fails)

    assert told.run.status == status


def test_what_an_attempt_may_have_done_is_not_undone_by_what_a_fallback_did():
    handled = {"id": "b", **undo(), "on_error": [{"result": {"n": 0}}]}

    told = played(steps(DONE, handled, "c"), b=late, c=fails)

    assert told.run.status == "partly_rolled_back"


@pytest.mark.parametrize(
    ("more", "end", "asks"),
    [
        (undo(), late, True),
        (undo(), fails, False),
        ({}, late, False),
        ({}, KILLED, True),
        ({**undo(), "idempotent": True}, KILLED, False),
    ],
)
def test_a_resume_asks_about_what_may_be_done(more, end, asks):
    told = Told(steps({"id": "b", **more}))
    told.do(StartCall(action="b", idempotent=bool(more.get("idempotent"))))
    told.do(FinishCall(call=2, result=end))
    played(told.run.workflow, told)

    if asks:
        with pytest.raises(CallUncertain, match="b"):
            told.do(ResumeRun(process="another"))
    else:
        told.do(ResumeRun(process="another"))
        assert told.run.status == "running"


@pytest.mark.parametrize("end", [late, KILLED])
def test_what_may_be_done_is_taken_as_done_or_called_again_as_a_person_says(end):
    definition = steps(DONE, {"id": "b", **undo()}, "c")

    done, again = (played(definition, b=[end, ok]) for _ in range(2))
    done.do(ResumeRun(process="another", lost="done"))
    again.do(ResumeRun(process="another", lost="again"))
    played(definition, done, c=fails)
    played(definition, again, c=fails)

    assert calls(done)[2:] == ["undo a ok", "a ok", "c failed", "undo b ok", "undo a ok"]
    assert calls(again)[2:] == ["undo a ok", "a ok", "b ok", "c failed", "undo b ok", "undo a ok"]
    assert done.run.status == again.run.status == "rolled_back"
