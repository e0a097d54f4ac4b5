"""A workflow of steps: in order, or side by side as far as needs and width allow."""

from hypothesis import given
from hypothesis import strategies as st

from wfnb.workflows.core.commands import FinishCall, StartCall
from wfnb.workflows.core.next_action import End, Start, next_action

from .story import Told, calls, fails, ok, played, steps, turns


def ready(told):
    return [do.action for do in next_action(told.run) if isinstance(do, Start)]


def test_steps_run_in_order():
    told = Told(steps("a", "b", "c"))

    assert ready(told) == ["a"]
    assert calls(played(told.run.workflow, told)) == ["a ok", "b ok", "c ok"]


def test_a_failure_stops_what_has_not_started():
    told = played(steps("a", "b", "c"), b=fails)

    assert calls(told) == ["a ok", "b failed"]
    assert told.run.status == "failed"


def test_what_runs_when_a_step_fails_is_let_end():
    told = Told(steps("a", "b", "c", mode="parallel", max_parallel=2))
    told.do(StartCall(action="a"))
    told.do(StartCall(action="b"))
    told.do(FinishCall(call=2, result=fails))

    assert next_action(told.run) == ()

    told.do(FinishCall(call=3, result=ok))

    assert next_action(told.run) == (End(status="failed", error="a: no"),)


def test_needs_make_steps_wait():
    told = Told(steps("a", "b", {"id": "c", "needs": ["a", "b"]}))

    assert ready(told) == ["a", "b"]

    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result=ok))

    assert ready(told) == ["b"]


def test_no_more_run_at_once_than_max_parallel():
    told = Told(steps(*"abcde", mode="parallel", max_parallel=2))

    assert ready(told) == ["a", "b"]

    told.do(StartCall(action="a"))

    assert ready(told) == ["b"]


def test_a_run_goes_on_past_a_step_that_may_fail():
    told = played(steps("a", {"id": "b", "on_failure": "continue"}, "c"), b=fails)

    assert calls(told) == ["a ok", "b failed", "c ok"]
    assert told.run.status == "partial_success"


def test_what_needs_a_step_that_failed_is_skipped():
    told = played(
        steps(
            {"id": "a", "on_failure": "continue"},
            {"id": "b", "needs": ["a"]},
            {"id": "c", "needs": ["b"]},
            "d",
        ),
        a=fails,
    )

    assert calls(told) == ["a failed", "d ok"]
    assert told.run.settled == {"a": "failed", "b": "skipped", "c": "skipped", "d": "ok"}
    assert told.run.status == "partial_success"


@st.composite
def graphs(draw):
    """Steps whose needs are steps before them, written in any order."""
    count = draw(st.integers(1, 12))
    names = [f"s{number}" for number in range(count)]
    made = [
        {
            "id": name,
            "needs": draw(st.lists(st.sampled_from(names[:place]), unique=True, max_size=3))
            if place
            else [],
            "on_failure": draw(st.sampled_from(["stop", "continue"])),
            **({"compensation": {"tool": "undo"}} if draw(st.booleans()) else {}),
        }
        for place, name in enumerate(names)
    ]
    width = draw(st.integers(1, 4))
    return steps(*draw(st.permutations(made)), mode="parallel", max_parallel=width)


@given(graphs(), st.data())
def test_needs_and_width_are_respected_and_every_run_ends(definition, data):
    outcomes = {
        step["id"]: data.draw(st.sampled_from([ok, ok, ok, fails])) for step in definition["steps"]
    }
    told = Told(definition)
    workflow = told.run.workflow

    for run in turns(told, outcomes):
        assert len(run.open) <= workflow.max_parallel
        for call in run.open.values():
            if call.undoes is None:
                needs = workflow.needs[call.action]
                assert all(run.settled[name] == "ok" for name in needs)

    run = told.run
    worked = [c.id for c in sorted(run.forward_calls(), key=lambda c: c.ended) if c.status == "ok"]
    armed = [id for id in worked if workflow.actions[run.calls[id].action].compensation]
    undone = [call.undoes for call in run.calls.values() if call.undoes is not None]
    failed = run.status in ("failed", "rolled_back")
    assert undone == (armed[::-1] if failed else [])
    assert failed == any(
        call.status == "failed" and workflow.actions[call.action].on_failure == "stop"
        for call in run.forward_calls()
    )
