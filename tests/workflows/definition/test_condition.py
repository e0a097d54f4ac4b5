"""What a condition asks of a result."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from, text

from wfnb.errors import PatternTooSlow, ResultUnseen, TextAbsent, TextCut
from wfnb.workflows.definition.condition import (
    condition_captures,
    holds,
    pattern_captures,
    texts_of,
)
from wfnb.workflows.definition.models import Condition
from wfnb.workflows.definition.truncation import join_ends

RESULT = {
    "success": True,
    "stdout": "Listening on port 8080\nready",
    "match_text": "port 8080",
    "error": None,
    "code": 0,
    "ratio": 1.0,
    "flag": True,
    "items": ["a", 1, {"k": None}],
    "data": {"host": {"name": "box"}, "ports": [80, 443]},
    "dotted.name": "x",
}

TRUE = [
    {"success": True},
    {"timeout_occurred": False},
    {"pattern_match": "port [0-9]+"},
    {"pattern_match": "^port 8080\nListening"},
    {"pattern_not_match": "refused"},
    {"field_equals": {"code": 0}},
    {"field_equals": {"code": 0.0, "ratio": 1}},
    {"field_equals": {"flag": True}},
    {"field_equals": {"items": ["a", 1.0, {"k": None}]}},
    {"field_equals": {"data.host.name": "box"}},
    {"field_equals": {"data.ports.1": 443}},
    {"field_equals": {"dotted.name": "x"}},
    {"field_equals": {"error": None, "nowhere": None}},
    {"field_contains": {"stdout": "ready"}},
    {"field_contains": {"stdout": 8080}},
    {"field_contains": {"items": 1}},
    {"field_contains": {"items": {"k": None}}},
    {"field_contains": {"data": "host"}},
    {"field_contains": {"data.ports": 80}},
    {"any": [{"success": False}, {"field_equals": {"code": 0}}]},
    {"all": [{"success": True}, {"pattern_match": "ready"}]},
    {"not": {"success": False}},
    {"success": True, "pattern_match": "ready", "field_equals": {"code": 0}},
]
FALSE = [
    {"success": False},
    {"timeout_occurred": True},
    {"pattern_match": "Port"},
    {"pattern_not_match": "ready"},
    {"field_equals": {"code": "0"}},
    {"field_equals": {"code": False}},
    {"field_equals": {"flag": 1}},
    {"field_equals": {"items": ["a", True, {"k": None}]}},
    {"field_equals": {"code": 0, "ratio": 2}},
    {"field_equals": {"data.host.name.first": "b"}},
    {"field_equals": {"nowhere": ""}},
    {"field_contains": {"stdout": "nothing"}},
    {"field_contains": {"stdout": True}},
    {"field_contains": {"items": True}},
    {"field_contains": {"data": "box"}},
    {"field_contains": {"code": 0}},
    {"field_contains": {"nowhere": "x"}},
    {"any": [{"success": False}, {"field_equals": {"code": 1}}]},
    {"all": [{"success": True}, {"pattern_match": "nothing"}]},
    {"not": {"success": True}},
    {"success": True, "pattern_match": "nothing"},
    {"success": False, "pattern_match": "ready"},
    {"success": True, "any": [{"success": False}]},
]


@pytest.mark.parametrize("asked", TRUE)
def test_a_condition_holds(asked):
    condition = Condition.model_validate(asked)

    assert holds(condition, RESULT)
    assert not holds(Condition.model_validate({"not": asked}), RESULT)


@pytest.mark.parametrize("asked", FALSE)
def test_a_condition_does_not_hold(asked):
    condition = Condition.model_validate(asked)

    assert not holds(condition, RESULT)
    assert holds(Condition.model_validate({"not": asked}), RESULT)


@pytest.mark.parametrize("said", [True, False])
def test_a_wait_that_ran_out_is_no_success_whatever_it_says(said):
    result = {"success": said, "timeout_occurred": True}

    assert holds(Condition(success=False), result)
    assert not holds(Condition(success=True), result)
    assert holds(Condition(field_equals={"success": said}), result)


def test_of_two_keys_one_is_not_enough():
    asked = Condition(field_equals={"success": True}, timeout_occurred=True)

    assert not holds(asked, {"success": True})
    assert not holds(asked, {"timeout_occurred": True})
    assert holds(asked, {"success": True, "timeout_occurred": True})


def test_a_result_without_fields_has_not_succeeded():
    assert holds(Condition(success=False, timeout_occurred=False, pattern_not_match="."), {})


def test_the_text_of_a_result_is_its_text_fields_in_order():
    result = {
        "error": "E",
        "stdout": "O",
        "stderr": "",
        "output": 3,
        "screen_content": "S",
        "match_text": None,
        "other": "X",
    }

    assert list(texts_of(result)) == [("S\nO\nE", [])]


BEGINNING, END = "start 1\n" + "a" * 80 + "\nlast", "ERR\n" + "b" * 80 + "\nstop 9\n"
CUT = join_ends(BEGINNING, END, 3_000)
PART = {"success": True, "stdout": CUT, "stderr": "warn", "rows": [CUT, 1], "result": {"in": CUT}}
DECIDED = [
    ({"pattern_match": "^warn|start 1"}, True),
    ({"pattern_match": "stop 9"}, True),
    ({"pattern_match": "last|b{80}"}, True),
    ({"pattern_match": "warn"}, True),
    ({"pattern_not_match": "stop"}, False),
    ({"field_contains": {"stdout": "stop 9"}}, True),
    ({"field_contains": {"stdout": True}}, False),
    ({"field_contains": {"stderr": "ERROR"}}, False),
    ({"field_contains": {"rows": "x"}}, False),
    ({"field_equals": {"stdout": "start 1"}}, False),
    ({"field_equals": {"stdout": None, "rows": []}}, False),
    ({"success": False, "pattern_match": "ERROR"}, False),
]
UNDECIDED = [
    {"pattern_match": "ERROR"},
    {"pattern_not_match": "ERROR"},
    {"not": {"pattern_match": "ERROR"}},
    {"pattern_match": "characters in all"},
    {"pattern_match": "(?m)^ERR"},
    {"pattern_match": "(?m)last$"},
    {"pattern_match": r"last[^E]*ERR"},
    {"pattern_match": r"(?s)\A(?!.*ERROR)"},
    {"field_contains": {"stdout": "ERROR"}},
    {"field_contains": {"stdout": "in all"}},
    {"not": {"field_contains": {"stdout": "last\n"}}},
    {"field_equals": {"stdout": str(CUT)}},
    {"field_contains": {"rows": str(CUT)}},
]


@pytest.mark.parametrize(("asked", "answer"), DECIDED)
def test_what_is_left_of_a_text_decides_what_it_says(asked, answer):
    assert holds(Condition.model_validate(asked), PART) is answer


@pytest.mark.parametrize("asked", UNDECIDED)
def test_of_what_is_not_found_in_a_part_of_a_text_nobody_knows_whether_it_is_there(asked):
    with pytest.raises(TextCut, match="was cut at 185 of 3,000 characters"):
        holds(Condition.model_validate(asked), PART)


def test_what_is_captured_from_a_part_of_a_text_is_known_to_be_the_first():
    assert pattern_captures([r"(?P<n>start \d)", "stop"], PART) == {"n": "start 1"}
    for pattern in (r"(?P<n>stop \d)", "(?P<n>last)", "(?P<n>warn)", "(?P<n>ERROR)"):
        with pytest.raises(TextCut):
            pattern_captures([pattern], PART)


@given(missing=text("ab\n", max_size=9), pattern=sampled_from(("a", "ab", "a+b", "(?m)^b", "b$")))
def test_an_answer_of_a_part_is_that_of_the_whole(missing: str, pattern: str):
    first, last = "ab\nb", "ba\nb\n"
    size = len(first + missing + last)
    for key in ("pattern_match", "pattern_not_match"):
        asked = Condition.model_validate({key: pattern})

        with suppress(TextCut):
            found = holds(asked, {"stdout": join_ends(first, last, size)})
            assert found is holds(asked, {"stdout": first + missing + last})


def test_named_groups_of_what_matched_are_captured_those_under_not_apart():
    asked = Condition.model_validate(
        {
            "pattern_match": "port (?P<port>[0-9]+)( (?P<never>x))?",
            "any": [{"pattern_match": "(?P<first>Listening)"}, {"pattern_match": "(?P<no>no)"}],
            "not": {"pattern_match": "(?P<hidden>ready)"},
        }
    )

    assert condition_captures(asked, RESULT) == {"port": "8080", "first": "Listening"}
    assert pattern_captures(["(?P<word>re\\w+)", "(?P<none>zzz)"], RESULT) == {"word": "ready"}


def test_a_pattern_that_takes_too_long_is_no_answer():
    asked = Condition(pattern_match="(a+)+$")

    with pytest.raises(PatternTooSlow):
        holds(asked, {"stdout": "a" * 5_000 + "b"})


def test_a_pattern_is_not_asked_where_a_plain_key_says_no_already():
    asked = Condition(success=True, pattern_match="(a+)+$")

    assert not holds(asked, {"success": False, "stdout": "a" * 5_000 + "b"})


@pytest.mark.parametrize("key", ["pattern_match", "pattern_not_match"])
@pytest.mark.parametrize("wrapped", [lambda c: c, lambda c: {"not": c}, lambda c: {"any": [c]}])
def test_a_pattern_says_nothing_of_a_success_whose_fields_are_no_text(key, wrapped):
    condition = Condition.model_validate(wrapped({key: "ERROR"}))

    with pytest.raises(TextAbsent) as refused:
        holds(condition, {"success": True, "lines": ["ERROR 7"], "error": None})

    assert f"`{key}` looks in the text of a result that has none. Fields: lines." in str(
        refused.value
    )


@pytest.mark.parametrize(
    "result",
    [
        {"success": True},
        {"success": True, "skipped": False, "result": None},
        {"success": True, "count": 1, "stdout": ""},
        {"success": False, "count": 1},
        {"success": True, "count": 1, "timeout_occurred": True, "error": None},
    ],
)
def test_what_gave_nothing_or_an_empty_text_or_failed_has_an_empty_one(result):
    assert holds(Condition(pattern_not_match="ERROR"), result)


def test_the_text_of_a_file_is_looked_in():
    read = {"success": True, "text": "fine\nERROR 7\n"}

    assert holds(Condition(pattern_match=r"(?m)^ERROR \d$"), read)
    assert condition_captures(Condition(pattern_match=r"ERROR (?P<n>\d)"), read) == {"n": "7"}


TAKEN = {"success": True, "taken_as_done": True}
UNSEEN = [
    {"pattern_match": "ready"},
    {"pattern_not_match": "FAILED"},
    {"not": {"pattern_match": "FAILED"}},
    {"field_equals": {"exit_code": 0}},
    {"field_contains": {"data.host": "box"}},
    {"any": [{"field_equals": {"stdout_invalid": 0}}, {"success": True}]},
]


@pytest.mark.parametrize("condition", UNSEEN)
def test_of_what_was_taken_as_done_nobody_knows_what_it_gave(condition):
    with pytest.raises(ResultUnseen) as refused:
        holds(Condition.model_validate(condition), TAKEN)

    assert "the action was taken as done, and what it gave is not known" in str(refused.value)
    holds(Condition.model_validate(condition), RESULT | {"taken_as_done": True, "exit_code": 0})


@pytest.mark.parametrize(
    "condition",
    [{"success": True}, {"timeout_occurred": False}, {"field_equals": {"taken_as_done": True}}],
)
def test_that_it_was_done_is_known(condition):
    assert holds(Condition.model_validate(condition), TAKEN)
