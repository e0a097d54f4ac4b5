"""Whether something that a run goes on by is asked of a text in a call's result."""

import pytest

from wfnb.workflows.core.call_end import is_asked_of
from wfnb.workflows.core.commands import StartCall
from wfnb.workflows.definition.truncation import PrintedValue

from .story import Told, states, steps

SIGN = "•••"
RESULT = {"success": True, "stdout": f"token {SIGN} is ready", "plain": "x", "list": ["x", SIGN]}


def asked(definition, result=RESULT, **started):
    told = Told(definition, **started)
    told.do(StartCall(action="a"))
    return is_asked_of(told.run, told.run.calls[2], result, SIGN)


def of_step(**more):
    return asked(steps({"id": "a", **more}))


def one(condition):
    """A state that goes on where that holds."""
    return states("a", a={"transitions": [{"condition": condition, "next_state": "b"}]}, b={})


SEES = {
    "a pattern that matched it": {"pattern_match": "token (?P<t>.*) is"},
    "a pattern that was not found": {"pattern_match": "xyz"},
    "a pattern that must not be found": {"pattern_not_match": "xyz"},
    "a field": {"field_equals": {"stdout": "x"}},
    "a part of a field": {"field_contains": {"stdout": "x"}},
    "a value in a field": {"field_equals": {"list": ["x"]}},
    "the second of two": {"all": [{"success": True}, {"field_equals": {"stdout": "x"}}]},
    "one of two": {"any": [{"field_equals": {"stdout": "x"}}, {"success": True}]},
    "what must not be": {"not": {"field_equals": {"stdout": "x"}}},
    "an expression": "stdout == 'x'",
    "an expression of its result": "result.stdout == 'x'",
    "an expression of its action": "a.stdout == 'x'",
    "an expression of an item": "list[1] == 'x'",
    "an expression of a variable": "given == 'x'",
}
SEES_NOT = {
    "a pattern that matched beside it": {"pattern_match": "is (?P<t>ready)"},
    "its success": {"success": True},
    "another field": {"field_equals": {"plain": "y"}},
    "a field that there is not": {"field_equals": {"other": "y"}},
    "an expression of another field": "plain == 'x'",
    "a name that there is not": "nothing == 'x'",
    "another variable": "harmless == 'x'",
}
VARIABLES = {"given": f"a {SIGN}", "harmless": "y"}


@pytest.mark.parametrize("condition", SEES.values(), ids=SEES)
def test_a_transition_is_asked_of_what_it_sees(condition):
    assert asked(one(condition), variables=VARIABLES)


@pytest.mark.parametrize("condition", SEES_NOT.values(), ids=SEES_NOT)
def test_a_transition_is_not_asked_of_what_it_does_not_see(condition):
    assert not asked(one(condition), variables=VARIABLES)


IT, OTHER = {"field_equals": {"stdout": "x"}}, {"field_equals": {"plain": "x"}}
PLACES = {
    "retry, when": lambda asks: {"retry": {"attempts": 1, "when": asks}},
    "retry, unless": lambda asks: {"retry": {"attempts": 1, "unless": asks}},
    "repeat": lambda asks: {"repeat": {"until": asks}},
    "on_error": lambda asks: {
        "on_error": [{"when": OTHER, "tool": "noop"}, {"when": asks, "tool": "noop"}]
    },
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_conditions_stand_in_all_these_places(place):
    assert of_step(**place(IT))
    assert not of_step(**place(OTHER))


@pytest.mark.parametrize(
    ("pattern", "sees"),
    [("(?P<a>.*) is ready", True), ("(?P<a>xyz)", True), ("(?P<a>ready)", False)],
)
def test_so_are_the_patterns_of_what_is_captured(pattern, sees):
    assert of_step(capture=pattern) is sees


def test_what_asks_nothing_is_asked_of_nothing():
    assert not of_step()


def test_a_result_is_named_by_its_field_of_that_name():
    asks = one("result == 'x'")

    assert asked(asks, {"success": True, "result": SIGN, "stdout": "x"})
    assert not asked(asks, {"success": True, "result": "x", "stdout": SIGN})
    assert asked(asks, {"success": True, "stdout": SIGN})


def test_what_cannot_be_looked_for_is_not_asked_here():
    printed = PrintedValue(f"<table {SIGN}>", "DataFrame", why="it is large")

    assert not asked(one({"pattern_match": "xyz"}), {"success": True, "stdout": printed})
