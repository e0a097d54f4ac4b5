"""Another attempt: how many, after what wait, and at which failures."""

import pytest

from wfnb.workflows.core.commands import FinishCall, StartCall
from wfnb.workflows.core.next_action import Start, Undo, next_action
from wfnb.workflows.views.action_rows import rows

from .story import Told, calls, fails, late, ok, played, states, steps


def test_retry_n_means_n_further_attempts():
    told = played(steps({"id": "a", "retry": 2}), a=fails)

    assert [call.attempt for call in told.run.calls.values()] == [1, 2, 3]
    assert told.run.status == "failed"


def test_no_retry_is_one_call():
    assert calls(played(steps("a"), a=ok)) == ["a ok"]


def test_an_attempt_that_succeeds_ends_them():
    told = played(steps({"id": "a", "retry": 5}, "b"), a=[fails, ok])

    assert calls(told) == ["a failed", "a ok", "b ok"]
    assert told.run.status == "success"


def test_a_timeout_is_tried_again_too():
    assert calls(played(steps({"id": "a", "retry": 1}), a=[late, ok])) == ["a timed_out", "a ok"]


@pytest.mark.parametrize("idempotent", [False, True])
@pytest.mark.parametrize("undoing", [False, True])
def test_what_still_runs_is_called_again_only_if_that_does_no_harm(idempotent, undoing):
    call = {"id": "a", "retry": 1, "compensation": {"tool": "undo", "retry": 1}}
    told = Told(steps(call, "b"))
    if undoing:
        told.do(StartCall(action="a"))
        told.do(FinishCall(call=2, result=ok))
        told.do(StartCall(action="b"))
        told.do(FinishCall(call=4, result=fails))
    told.do(StartCall(action="a", undoes=2 if undoing else None, idempotent=idempotent))
    told.do(FinishCall(call=told.run.position, result=late, goes_on=True))

    again = [do.attempt for do in next_action(told.run) if isinstance(do, Start | Undo)]
    assert again == [2] * idempotent


def test_transitions_are_asked_after_the_last_attempt():
    told = played(states("a", a={"failure": "b", "retry": 1}, b={}), a=fails)

    assert calls(told) == ["a failed", "a failed", "b ok"]


def test_a_state_that_is_come_to_again_has_all_its_attempts():
    definition = states("a", a={"failure": "a", "success": "b", "retry": 1}, b={})

    told = played(definition, a=[fails, fails, fails, ok])

    assert [call.attempt for call in told.run.forward_calls()] == [1, 2, 1, 2, 1]
    assert told.run.entered == 3


def waits(retry, attempts):
    told = Told(steps({"id": "a", "retry": retry}))
    found = []
    for _ in range(attempts):
        waited = found[-1][0] if found else 0.0
        told.do(StartCall(action="a", waited=waited))
        told.do(FinishCall(call=told.run.position, result=fails, duration=10.0))
        found += [do.wait for do in next_action(told.run) if isinstance(do, Start)]
    return found


def test_waits_grow_as_the_backoff_says():
    grow = {"attempts": 3, "wait": 2}

    assert waits({**grow}, 3) == [(2, 2)] * 3
    assert waits({**grow, "backoff": "linear"}, 3) == [(2, 2), (4, 4), (6, 6)]
    assert waits({**grow, "backoff": "exponential"}, 3) == [(2, 2), (4, 4), (8, 8)]
    assert waits({**grow, "backoff": "exponential", "max_wait": 5}, 3) == [(2, 2), (4, 4), (5, 5)]
    assert waits({**grow, "jitter": [0, 1]}, 1) == [(2, 3)]


def test_no_attempt_begins_after_the_longest_total():
    assert len(waits({"attempts": 9, "wait": 5, "max_total": 40}, 3)) == 2
    growing = {"attempts": 9, "wait": 5, "backoff": "linear"}  # 10 s, 5 s, 10 s, and 10 s to wait
    assert len(waits({**growing, "max_total": 33}, 2)) == 1
    assert len(waits({**growing, "max_total": 36}, 2)) == 2


def test_only_the_failures_named_are_tried_again():
    busy = {"success": False, "exit_code": 75}
    wanted = {"attempts": 3, "when": {"field_equals": {"exit_code": 75}}}

    assert calls(played(steps({"id": "a", "retry": wanted}), a=fails)) == ["a failed"]
    assert len(calls(played(steps({"id": "a", "retry": wanted}), a=busy))) == 4


def test_a_wait_that_ran_out_is_a_failure_that_can_be_named():
    ran_out = {"success": True, "timeout_occurred": True}
    retry = {"attempts": 1, "when": {"success": False}}

    told = played(steps({"id": "a", "retry": retry}), a=[ran_out, ok])

    assert calls(told) == ["a timed_out", "a ok"]


def test_failures_can_be_excepted():
    wanted = {"attempts": 3, "unless": {"pattern_match": "denied"}}
    denied = {"success": False, "error": "permission denied"}

    assert len(calls(played(steps({"id": "a", "retry": wanted}), a=denied))) == 1
    assert len(calls(played(steps({"id": "a", "retry": wanted}), a=fails))) == 4


def test_each_attempt_is_given_the_same_and_a_fallback_what_failed():
    x = {"success": "t", "retry": 1, "params": {"p": "{stdout}"}}
    x["on_error"] = [{"tool": "other", "args": {"p": "{stdout}"}}]
    said = [{**fails, "stdout": "no"}, {**fails, "stdout": "never"}, ok]
    told = played(states("a", a={"success": "x"}, x=x, t={}), a={**ok, "stdout": "5"}, x=said)

    params = [call.params for call in told.run.calls.values() if call.action == "x"]
    assert params == [{"p": "5"}, {"p": "5"}, {"p": "never"}]
    assert told.run.results["x"]["success"]


@pytest.mark.parametrize("name", ["still_running", "taken_as_done", "missed", "skipped", "undone"])
@pytest.mark.parametrize("value", [True, False, "three files"])
def test_a_field_of_a_tools_own_changes_nothing_of_what_is_called(name, value):
    own = {name: value}
    undo = {"compensation": {"tool": "undo", "retry": 1}}
    repeated = {"id": "a", "retry": 2, "repeat": {"until": "size > 2"}, **undo}
    ends = [{"success": False}, {"success": True, "size": 1}, {"success": True, "size": 3}]

    told = played(steps(repeated, "b"), a=[end | own for end in ends], b=fails, undo_a=ok | own)

    assert calls(told) == ["a failed", "a ok", "a ok", "b failed", "undo a ok"]
    assert [row.undo for row in rows(told.run)] == ["undone", ""]
    assert told.run.status == "rolled_back"


@pytest.mark.parametrize(
    ("gave", "said"),
    [
        ({"missed": "3 files"}, "a: it failed: 3 files"),
        ({"missed": "x", "error": "it broke"}, "a: it broke: x"),
        ({"missed": "x", "timeout_occurred": True}, "a: it timed out: x"),
    ],
)
def test_only_what_timed_out_is_said_to_have(gave, said):
    assert played(steps("a"), a={"success": False, **gave}).run.error == said
