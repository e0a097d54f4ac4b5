"""What placeholders can name of an action that was performed before: what it gave last."""

from .story import Told, fails, played, states, steps


def test_what_a_failed_attempt_gave_is_gone_once_another_succeeds():
    told = played(steps({"id": "a", "retry": 1}), a=[fails, {"success": True, "n": 1}])

    assert told.run.status == "success"
    assert told.run.variables == {"success": True, "n": 1, "a_success": True, "a_n": 1}


def test_a_field_that_an_attempt_gives_as_null_leaves_nothing_of_the_attempt_before():
    cured = {"success": True, "error": None}

    told = played(steps({"id": "a", "retry": 1}), a=[fails, cured])

    assert told.run.variables == {"success": True, "a_success": True, "a_error": None}


def test_what_a_state_gave_the_first_time_is_gone_after_the_second():
    definition = states("a", a={"success": "b"}, b={"success": "a"})

    told = played(definition, a=[{"success": True, "only": "once"}, {"success": False}])

    assert told.run.variables == {"success": False, "a_success": False, "b_success": True}


def test_what_another_action_gave_since_stays_when_this_one_no_longer_says_it():
    definition = states("a", a={"success": "b"}, b={"success": "a"})
    gives = [{"success": True, "host": "old"}, {"success": False}]

    told = played(definition, a=gives, b={"success": True, "host": "of b"})

    assert told.run.variables["host"] == "of b"
    assert "a_host" not in told.run.variables


def test_a_variable_that_an_attempt_had_hidden_is_seen_again():
    told = Told(steps({"id": "a", "retry": 1}), variables={"host": "web1"})
    hides = {"success": False, "host": "web2"}

    played(steps({"id": "a", "retry": 1}), told, a=[hides, {"success": True}])

    assert told.run.variables["host"] == "web1"


def test_what_is_null_each_time_is_as_it_was():
    definition = states("a", a={"success": "b"}, b={"success": "a"})
    says = [{"success": True, "error": None}, {"success": False, "error": None}]

    told = played(definition, a=says)

    assert told.run.variables == {
        "success": False,
        "a_success": False,
        "a_error": None,
        "b_success": True,
    }
