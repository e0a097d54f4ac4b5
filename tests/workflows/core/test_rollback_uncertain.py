"""What was stopped, or nobody saw end, is undone if it asks for that, and once."""

import pytest

from wfnb.workflows.core.commands import EndRun, FinishCall, ResumeRun, StartCall, StopRun

from .story import Told, calls, fails, played, steps, undo

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
