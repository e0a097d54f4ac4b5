"""Small rules of runs, each as a table written by hand: how a result counts, what is said of one,
what the journal's clock adds, what a condition can name."""

from __future__ import annotations

import pytest

from wfnb.workflows.core.apply import initial_run, stamp
from wfnb.workflows.core.call_end import not_captured, status_of
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StopRun
from wfnb.workflows.core.events import RunRecorded
from wfnb.workflows.core.next_action import Gather, next_action
from wfnb.workflows.core.run import Outcomes, error_text, tries_of

from .story import Told, act, fails, ok, played, states, steps, undo

STATUS = [
    ({}, "ok"),
    ({"n": 1}, "ok"),
    ({"success": True}, "ok"),
    ({"success": 1}, "ok"),
    ({"success": False}, "failed"),
    ({"success": None}, "failed"),
    ({"timeout_occurred": True}, "timed_out"),
    ({"success": True, "timeout_occurred": True}, "timed_out"),
    ({"success": False, "timeout_occurred": False}, "failed"),
]


@pytest.mark.parametrize(("result", "status"), STATUS)
def test_a_result_counts_as_it_says_and_a_wait_that_ran_out_has_timed_out(result, status):
    assert status_of(result) == status


ERRORS = [
    ({}, None),
    ({"error": None}, None),
    ({"error": "no"}, "no"),
    ({"error": 3}, "3"),
    ({"error": "no", "missed": "it was not handled: x"}, "no: it was not handled: x"),
    ({"missed": "why"}, "it failed: why"),
    ({"missed": "why", "timeout_occurred": True}, "it timed out: why"),
    ({"error": "late", "missed": "why", "timeout_occurred": True}, "late: why"),
    ({"error": "no", "missed": 3}, "no"),
]


@pytest.mark.parametrize(("result", "text"), ERRORS)
def test_why_a_call_failed_is_what_its_result_says_and_what_could_not_be_decided(result, text):
    assert error_text(result) == text


def test_attempts_of_a_compensation_are_counted_by_themselves():
    assert [tries_of("a"), tries_of("a", 7), tries_of("a", 0)] == ["a", "a~7", "a~0"]


def test_an_expression_reads_of_a_success_that_it_did_not_fail():
    outcomes = Outcomes({"a": {"n": 1}, "b": {"error": "no", "success": False}})

    assert list(outcomes) == ["a", "b"]
    assert len(outcomes) == 2
    assert outcomes["a"]["n"] == 1
    assert outcomes["a"]["error"] is None
    assert (outcomes["b"]["error"], outcomes["b"]["success"]) == ("no", False)
    with pytest.raises(KeyError):
        outcomes["c"]


def test_why_a_name_is_not_there_is_told_by_the_actions_whose_patterns_would_have_found_it():
    definition = steps(
        {"id": "a", "capture": "x=(?P<x>.+) y=(?P<y>.+)"},
        {"id": "b", "capture": "x=(?P<x>.+)"},
        {"id": "c", "capture": "z=(?P<z>.+)"},
    )
    told = played(definition, b=ok | {"captures": {"w": "1"}}, c=fails)

    def said(name):
        return not_captured(told.run, name)

    assert said("x") == "no pattern of 'a', 'b' that captures it was found"
    assert said("y.z") == "no pattern of 'a' that captures it was found"
    assert said("w") == "no pattern of 'b' that captures it was found"
    assert said("z") == "no pattern of 'c' that captures it was found"
    assert said("q") == ""


def test_the_clock_of_the_journal_is_that_of_what_the_run_has_already():
    told = Told(steps({"id": "a", **undo()}, "b"))
    played(None, told, b=fails)
    told.do(ResumeRun(process="q"))
    act(told)
    told.do(StopRun())
    run = initial_run(told.entries[0])
    run.calls, run.begun = told.run.calls, None

    for entry in told.entries[1:]:
        later = RunRecorded(
            position=entry.position, first=entry.first, event=entry.event, at=entry.position + 0.5
        )
        stamp(run, later)

    times = [(call.started, call.ended) for call in run.calls.values()]
    assert times == [(2.5, 3.5), (4.5, 5.5), (6.5, 7.5), (10.5, None)]
    assert (run.begun, run.ended) == (9.5, 8.5)
    stamp(run, RunRecorded(position=9, first=9, event=told.entries[8].event, at=99.0))
    assert run.begun == 9.5


def test_what_runs_is_what_was_called_for_the_first_time_and_not_its_items():
    told = Told(steps({"id": "a", "for_each": ["x", "y"]}, "b", mode="parallel"))
    act(told)
    act(told)

    assert told.run.calling() == {"a", "b"}
    assert [call.action for call in told.run.whole_calls()] == ["a", "b"]
    assert [call.action for call in told.run.forward_calls()] == ["a", "b", "a[0]"]
    told.do(FinishCall(call=3, result=ok))
    assert told.run.calling() == {"a"}
    assert told.run.final_state == "b"


def test_a_run_of_states_has_come_to_its_last_state_also_where_a_compensation_came_later():
    told = played(states("a", a={"success": "b", **undo()}, b={}), b=fails)

    assert told.run.final_state == "b"
    assert Told(steps("a")).run.final_state is None


def test_lists_that_are_done_side_by_side_end_together():
    lists = ({"id": "a", "for_each": []}, {"id": "b", "for_each": []}, "c")
    told = Told(steps(*lists, mode="parallel"))
    act(told)

    assert next_action(told.run) == (Gather(call=2), Gather(call=3))


PARTS = [
    ({}, {"status": "partial_success"}, False),
    ({"tool": "run_workflow"}, {"status": "success"}, False),
    ({"tool": "run_workflow"}, {"status": "partial_success"}, True),
    ({"on_error": [{"tool": "run_workflow"}]}, {"status": "partial_success"}, False),
    ({"on_error": [{"tool": "run_workflow"}]}, [fails, ok | {"status": "partial_success"}], True),
    ({"tool": "run_workflow", "on_error": [{"tool": "noop"}]}, [fails, ok], False),
]


@pytest.mark.parametrize(("step", "says", "is_partial"), PARTS)
def test_a_run_that_called_one_that_succeeded_in_part_did_so_too(step, says, is_partial):
    args = {"workflow_name": "w"}
    called = {"args": args} if "tool" in step else {}
    fallbacks = [
        {**each, **({"args": args} if each["tool"] == "run_workflow" else {})}
        for each in step.get("on_error", ())
    ]
    made = {"id": "a", **step, **called, **({"on_error": fallbacks} if fallbacks else {})}

    told = played(steps(made), a=says if isinstance(says, list) else ok | says)

    assert told.run.status == ("partial_success" if is_partial else "success")
