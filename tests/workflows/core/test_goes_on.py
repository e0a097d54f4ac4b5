"""What is known of a run that may go on: which actions it may call still, and which calls before
one were cut off."""

import pytest

from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.resume_queries import begun_at, cut_off_before, goes_on
from wfnb.workflows.definition.reader import parse

from .story import Told, act, calls, fails, ok, played, states, steps, undo

CLOSE = {"id": "close", "always": True}
LIST = {"for_each": ["x", "y"]}


def of(told, **how):
    """The actions that it may call still."""
    actions = (how.get("workflow") or told.run.workflow).actions
    return [name for name in actions if goes_on(told.run, name, **how)]


def in_states():
    return states("a", a={"success": "b"}, b={"success": "c", "failure": "d"}, c={}, d={})


def at(definition, *results, begun=None):
    """A run whose first calls gave these results; then one begins, and does not end."""
    told = Told(definition)
    for result in results:
        act(told)
        told.do(FinishCall(call=next(id for id in told.run.open), result=result))
    if begun is not None:
        told.do(StartCall(action=begun))
    return told


def test_a_run_of_states_comes_to_those_after_the_one_where_it_is():
    assert of(at(in_states())) == ["a", "b", "c", "d"]
    assert of(at(in_states(), ok)) == ["b", "c", "d"]
    assert of(at(in_states(), ok, ok)) == ["c"]
    assert of(at(in_states(), ok, fails)) == ["d"]


def test_it_comes_to_all_after_the_state_that_is_named():
    told = at(in_states(), ok, ok)

    assert of(told, start="b") == ["b", "c", "d"]
    assert of(told, start="d") == ["d"]


def test_it_comes_to_those_of_the_definition_that_it_goes_on_with():
    other = parse(states("a", a={"success": "c"}, c={"success": "e"}, e={}))

    assert of(at(in_states(), ok, ok), workflow=other) == ["c", "e"]


def test_a_run_that_ended_comes_to_the_state_where_it_failed():
    assert of(played(in_states(), a=fails)) == ["a", "b", "c", "d"]
    assert of(played(in_states(), d=fails, b=fails)) == ["d"]


def test_states_that_lead_in_a_circle_are_all_to_come():
    told = at(states("a", a={"success": "b"}, b={"success": "a"}), ok)

    assert of(told) == ["a", "b"]


@pytest.mark.parametrize("action", ["a", "a[0]", "a[1]"])
def test_of_an_item_is_said_what_is_said_of_its_action(action):
    told = at(states("a", a={"success": "b", **LIST}, b={}))
    assert goes_on(told.run, action)

    told = played(states("a", a={"success": "b", **LIST}, b={}), b=fails)
    assert not goes_on(told.run, action)


def test_a_run_that_fails_calls_nothing_but_what_begins_all_the_same():
    logs = {"id": "logs", "needs": [{"id": "a", "even_if": "failed"}]}
    told = at(steps("a", "b", logs, CLOSE, mode="parallel"), fails)
    assert told.run.problem == "a: no"

    assert of(told) == ["logs", "close"]
    assert of(told, start="a") == ["a", "b", "logs", "close"]
    assert of(told, workflow=told.run.workflow) == ["a", "b", "logs", "close"]


def test_what_begins_all_the_same_begins_once():
    logs = {"id": "logs", "needs": [{"id": "a", "even_if": "failed"}]}
    told = at(steps("a", logs, mode="parallel"), fails, ok)
    assert (told.run.status, told.run.settled["logs"]) == ("running", "ok")

    assert of(told) == []


def test_a_group_that_fails_calls_none_of_its_steps():
    two = [{"id": name, "tool": "noop"} for name in ("a", "b")]
    group = {"steps": two, "mode": "parallel", "max_parallel": 1, "transitions": []}
    written = {"name": "told", "initial_state": "s", "states": {"s": group}}
    told = Told(written)
    assert of(told) == ["s", "a", "b"]
    act(told)
    act(told)
    first = next(call for call in told.run.open.values() if call.action == "a")
    told.do(FinishCall(call=first.id, result=fails))
    assert (told.run.problem, told.run.group_problem) == (None, "a: no")

    assert of(told) == []
    assert of(told, start="s") == ["s", "a", "b"]


@pytest.mark.parametrize(("skip", "left"), [(False, ["close"]), (True, [])])
def test_a_run_that_is_stopped_calls_only_what_is_always_done(skip, left):
    told = at(steps("a", "b", CLOSE), begun="a")
    told.do(StopRun(skip_always=skip))

    assert of(told) == left
    assert of(told, start="a") == ["a", "b", *left]


def test_what_is_always_done_is_that_of_the_definition_it_goes_on_with():
    told = at(steps("a", "b", CLOSE), begun="a")
    told.do(StopRun(skip_always=True))

    last = parse(steps("a", "close", {"id": "b", "always": True}))

    assert of(told, workflow=last) == ["a", "close"]


def lost(told, action):
    """A call of the action begins, and its process is gone."""
    told.do(StartCall(action=action))
    last = max(told.run.calls)
    told.do(ResumeRun(process="another", lost="again"))
    return last


def test_calls_before_one_whose_end_nobody_saw_are_cut_off():
    told = Told(steps("a", "b"))
    first, second = lost(told, "a"), lost(told, "a")
    told.do(StartCall(action="a"))
    third = max(told.run.calls)

    assert cut_off_before(told.run, third) == {first, second}
    assert cut_off_before(told.run, second) == {first}
    assert cut_off_before(told.run, first) == set()
    assert begun_at(told.run, third) == told.run.calls[first].started


def test_those_before_an_end_that_was_seen_are_not():
    told = Told(steps({"id": "a", "retry": 1}, "b"))
    lost(told, "a")
    played(None, told, a=[fails, ok])
    assert calls(told) == ["a unknown", "a failed", "a ok", "b ok"]
    last = [call.id for call in told.run.calls.values() if call.action == "a"][-1]

    assert cut_off_before(told.run, last) == set()
    assert begun_at(told.run, last) == told.run.calls[last].started


def test_one_of_another_action_is_none_and_does_not_stand_between():
    told = Told(steps("a", "b", mode="parallel"))
    told.do(StartCall(action="a"))
    told.do(StartCall(action="b"))
    a, b = told.run.calls
    told.do(ResumeRun(process="another", lost="again"))
    told.do(StartCall(action="b"))
    told.do(StartCall(action="a"))
    new_b, new_a = list(told.run.calls)[2:]

    assert cut_off_before(told.run, new_a) == {a}
    assert cut_off_before(told.run, new_b) == {b}


def test_one_of_another_item_is_none():
    told = Told(steps({"id": "a", "for_each": {"items": ["x", "y"], "max_parallel": 2}}))
    act(told)
    act(told)
    whole, x, y = told.run.calls
    told.do(ResumeRun(process="another", lost="again"))
    act(told)
    act(told)
    new_whole, *items = [id for id in told.run.calls if id > y]
    by_action = {told.run.calls[id].action: id for id in items}

    assert cut_off_before(told.run, by_action["a[0]"]) == {x}
    assert cut_off_before(told.run, by_action["a[1]"]) == {y}
    assert cut_off_before(told.run, new_whole) == {whole}


def test_what_was_undone_since_was_not_cut_off():
    perhaps = {"id": "a", **undo(), "compensate_on_failure": True}
    told = Told(steps(perhaps, "b"))
    told.do(StartCall(action="a"))
    told.do(StopRun(rollback=True))
    told.do(ResumeRun(process="another", lost="again"))
    played(None, told)
    assert calls(told) == ["a unknown", "undo a ok"]
    told.do(ResumeRun(process="third"))
    told.do(StartCall(action="a"))

    assert cut_off_before(told.run, max(told.run.calls)) == set()


def test_the_undoing_of_a_call_is_none_before_it():
    told = played(steps({"id": "a", **undo()}, "b"), b=fails)
    assert calls(told) == ["a ok", "b failed", "undo a ok"]
    told.do(ResumeRun(process="another"))
    first = lost(told, "a")
    told.do(StartCall(action="a"))

    assert cut_off_before(told.run, max(told.run.calls)) == {first}
