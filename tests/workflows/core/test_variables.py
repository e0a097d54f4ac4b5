"""What placeholders can name: the fields of one action, of the last one, and what was given."""

from wfnb.workflows.core.commands import StartCall

from .story import Told, played, states, steps


def test_the_fields_of_a_result_become_variables_under_two_names():
    told = played(states("a", a={}), a={"success": True, "session_id": "session_1"})

    assert told.run.variables == {
        "success": True,
        "session_id": "session_1",
        "a_success": True,
        "a_session_id": "session_1",
    }


def test_what_an_action_left_goes_before_the_last_one_and_both_before_what_was_given():
    given = {"match_text": "given", "text": "given", "own": "given"}
    definition = states("match", match={"success": "b"}, b={})

    told = Told(definition, variables=given)
    played(definition, told, match={"success": True, "text": "specific"}, b={"match_text": "last"})

    assert told.run.variables["match_text"] == "specific"
    assert told.run.variables["text"] == "specific"
    assert told.run.variables["own"] == "given"


def test_a_parameter_that_is_one_placeholder_keeps_its_type():
    definition = states(
        "a", a={"success": "b"}, b={"params": {"n": "{a.count}", "s": "is {count}"}}
    )

    told = played(definition, a={"success": True, "count": 3})

    assert told.run.calls[4].params == {"n": 3, "s": "is 3"}


def test_a_value_that_looks_like_a_placeholder_is_left_alone():
    definition = states("a", a={"success": "b"}, b={"params": {"said": "{text}"}})

    told = played(definition, a={"success": True, "text": "{success}"})

    assert told.run.calls[4].params == {"said": "{success}"}


def test_a_step_reads_what_an_earlier_one_gave():
    definition = steps("a", {"id": "b", "args": {"n": "{steps.a.items.1}"}})

    told = played(definition, a={"items": [1, 2]})

    assert told.run.calls[4].params == {"n": 2}


def test_a_name_that_nobody_gave_fails_the_action_before_its_tool_is_called():
    definition = states("a", a={"params": {"n": "{nobody}"}})

    told = Told(definition)
    events = told.do(StartCall(action="a"))

    assert [type(event).__name__ for event in events] == ["CallStarted", "CallFinished"]
    assert "nobody" in told.run.problem


def test_of_a_name_that_a_pattern_would_have_captured_the_action_of_that_pattern_is_named():
    a = {"id": "a", "capture": "v(?P<ver>[0-9]+)"}
    c = {"id": "c", "capture": "v(?P<ver>[0-9]+)"}
    definition = steps(a, {"id": "b", "args": {"n": "at {ver}"}}, c)

    told = played(definition, a={"success": True, "stdout": "none"})

    why = "no pattern of 'a' that captures it was found"
    assert told.run.problem.startswith(f"b: {{ver}} in n names nothing there is: {why}. Known: ")


def test_a_secret_is_kept_nowhere():
    definition = {
        **states("a", a={"params": {"header": "token {key}"}}),
        "variables": {"key": {"secret": True}},
    }
    told = Told(definition, secrets=("key",))

    told.do(StartCall(action="a"))

    assert told.run.calls[2].params == {"header": "token •••"}


def test_side_by_side_no_action_is_the_last_one():
    definition = steps("a", "b", mode="parallel")

    told = played(definition, a={"n": 1}, b={"n": 2})

    assert (
        told.run.variables == {"a_n": 1, "b_n": 2, "a_success": True, "b_success": True}
        or {
            "a_n": 1,
            "b_n": 2,
        }.items()
        <= told.run.variables.items()
    )
    assert "n" not in told.run.variables


def test_fields_of_a_nested_run_have_names_of_their_own():
    told = played(states("a", a={}), a={"success": True, "final_state": "end"})

    assert told.run.variables["workflow_final_state"] == "end"
    assert "final_state" not in told.run.variables


def test_a_group_that_took_no_part_is_no_value_whoever_looked_for_it():
    """Of a pattern of its own, of a condition, of the tool."""
    gave = {"success": True, "stdout": "ready"}
    pattern = r"(?:port (?P<port>\d+)|ready)"
    ways = [
        ({"capture": pattern}, gave),
        ({"transitions": [{"condition": {"pattern_match": pattern}, "next_state": "b"}]}, gave),
        ({}, gave | {"captures": {"port": None}}),
    ]
    for more, result in ways:
        after = {"transitions": [{"condition": {"success": True}, "next_state": "b"}]} | more
        data = states("a", a={}, b={"params": {"port": "{port}"}})
        data["states"]["a"] |= after

        told = played(data, a=result)

        assert "port" not in told.run.variables
        assert "no pattern of 'a' that captures it was found" in str(told.run.error)
