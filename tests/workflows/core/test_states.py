"""A workflow of states: from state to state, as conditions say."""

import pytest

from .story import Told, calls, fails, late, ok, played, states


def test_a_run_follows_the_first_transition_that_holds():
    told = played(states("a", a={"failure": "c", "success": "b"}, b={}, c={}))

    assert calls(told) == ["a ok", "b ok"]
    assert (told.run.status, told.run.final_state, told.run.entered) == ("success", "b", 2)


def test_a_failure_that_a_transition_handles_fails_nothing():
    told = played(states("a", a={"failure": "b"}, b={}), a=fails)

    assert calls(told) == ["a failed", "b ok"]
    assert told.run.status == "success"


def test_a_failure_that_no_transition_handles_fails_the_run():
    told = played(states("a", a={"success": "b"}, b={}), a=fails)

    assert calls(told) == ["a failed"]
    assert (told.run.status, told.run.error) == ("failed", "a: no")


def test_a_run_fails_when_its_last_action_did():
    told = played(states("a", a={"success": "b"}, b={}), b=fails)

    assert (told.run.status, told.run.final_state) == ("failed", "b")


def test_a_timeout_follows_on_timeout_before_any_transition():
    definition = states("a", a={"failure": "c", "on_timeout": "b"}, b={}, c={})

    assert calls(played(definition, a=late)) == ["a timed_out", "b ok"]


def test_a_wait_that_ran_out_follows_on_timeout_though_it_says_success():
    ran_out = {"success": True, "timeout_occurred": True, "match_text": None}
    definition = states("a", a={"success": "c", "on_timeout": "b"}, b={}, c={})

    assert calls(played(definition, a=ran_out)) == ["a timed_out", "b ok"]


def test_without_on_timeout_the_transitions_are_asked_with_timeout_occurred():
    definition = states("a", a={"timeout": "b"}, b={})
    definition["states"]["a"] = {
        "action": {"tool": "noop", "params": {}},
        "transitions": [{"condition": {"timeout_occurred": True}, "next_state": "b"}],
    }

    assert calls(played(definition, a=late)) == ["a timed_out", "b ok"]


def test_a_timeout_that_nothing_handles_fails_the_run():
    ran_out = {"success": True, "timeout_occurred": True}
    told = played(states("a", a={}), a=ran_out)

    assert (told.run.status, told.run.error) == ("failed", "a: it timed out")


@pytest.mark.parametrize("limit", [3, 4])
def test_a_run_that_ends_on_exactly_the_last_state_it_may_have_succeeds(limit):
    definition = states("a", a={"success": "b"}, b={"success": "c"}, c={})

    told = played(definition, Told(definition, max_states=limit))

    assert (told.run.status, told.run.entered) == ("success", 3)


def test_a_loop_without_end_meets_the_limit_of_states():
    definition = states("a", a={"success": "a"})

    told = played(definition, Told(definition, max_states=5))

    assert told.run.status == "failed"
    assert told.run.error == "Maximum states limit (5) reached - possible infinite loop"
    assert told.run.entered == 5


def test_the_limit_counts_states_and_not_attempts():
    definition = states("a", a={"success": "b", "retry": 4}, b={})

    told = played(definition, Told(definition, max_states=2), a=[fails, fails, fails, ok])

    assert (told.run.status, told.run.entered) == ("success", 2)


def test_a_loop_ends_when_its_condition_does():
    definition = states("a", a={"more": "a", "success": "b"}, b={})

    told = played(definition, a=[{"stdout": "more"}, {"stdout": "more"}, {"stdout": "end"}])

    assert calls(told) == ["a ok", "a ok", "a ok", "b ok"]


def test_named_groups_become_variables():
    definition = states("a", a={"(?P<count>[0-9]+) passing": "b"}, b={"params": {"n": "{count}"}})

    told = played(definition, a={"success": True, "match_text": "12 passing"})

    assert told.run.variables["count"] == "12"
    assert told.run.calls[4].params == {"n": "12"}


def test_a_pattern_that_takes_too_long_fails_the_action():
    definition = states("a", a={"(x+x+)+y": "b"}, b={})

    told = played(definition, a={"success": True, "stdout": "x" * 40_000})

    assert told.run.status == "failed"
    assert "(x+x+)+y" in told.run.error
