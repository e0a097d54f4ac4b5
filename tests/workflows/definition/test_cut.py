"""What is too long is kept at both ends, and its mark survives JSON."""

import json
import pickle

import pytest

from wfnb.errors import TextCut
from wfnb.workflows.definition.template import fill
from wfnb.workflows.definition.truncation import (
    MAX_TEXT,
    Cut,
    part_in,
    restore_marks,
    shorten_value,
    sizes,
)

LONG = "a" * MAX_TEXT + "z"
VALUE = {"out": LONG, "n": 1, "rows": ["b", {"deep.er": LONG}], LONG: None}


def test_both_ends_are_kept_and_a_line_between_them_says_so():
    cut = shorten_value(LONG, "look", "out")

    half = MAX_TEXT // 2
    middle = "\n… cut: 200,001 characters in all …\n"
    assert cut == "a" * half + middle + "a" * (half - 1) + "z"
    assert (cut.size, cut.kept, cut.action, cut.field) == (MAX_TEXT + 1, MAX_TEXT, "look", "out")
    assert shorten_value("a" * MAX_TEXT, "look") == "a" * MAX_TEXT


def test_what_was_cut_is_not_cut_again():
    cut = shorten_value(LONG, "look", "out")

    again = shorten_value({"in": cut}, "outer")["in"]

    assert again == cut
    assert (again.size, again.action, again.field) == (MAX_TEXT + 1, "outer", "in")


def test_the_mark_survives_json():
    kept = shorten_value(VALUE, "look")

    back = restore_marks(json.loads(json.dumps(kept)), json.loads(json.dumps(sizes(kept))))

    assert sizes(kept) == {
        "out": [MAX_TEXT + 1, MAX_TEXT, "look", "out"],
        "rows": {"1": {"deep.er": [MAX_TEXT + 1, MAX_TEXT, "look", "rows.1.deep.er"]}},
    }
    assert back == kept
    assert sizes(back) == sizes(kept)


def test_why_the_whole_is_not_there_survives_json_and_is_told():
    cut = Cut("a…z", MAX_TEXT + 1, MAX_TEXT, "look", "out", why="there is no room on the disk")

    kept = shorten_value({"out": cut}, "look")
    back = restore_marks(json.loads(json.dumps(kept)), json.loads(json.dumps(sizes(kept))))

    assert sizes(back) == sizes(kept)
    with pytest.raises(TextCut, match=r"of 200,001 characters \(there is no room on the disk\)\."):
        fill({"p": "{a.out}"}, {"a": back})


def test_the_mark_survives_being_sent():
    cut = pickle.loads(pickle.dumps(shorten_value(LONG, "look", "out")))

    assert (type(cut), cut.size, cut.field) == (Cut, MAX_TEXT + 1, "out")


def test_where_nothing_was_cut_nothing_is_marked():
    value = {"a": ["b", 1, None], "c": {}}

    assert (sizes(value), restore_marks(value, None), part_in(value)) == (None, value, None)


@pytest.mark.parametrize("text", ["{a.out}", "{a}", "{a.rows}", "see {a.rows.1!q}"])
def test_a_placeholder_is_not_filled_with_a_part(text: str):
    scope = {"a": shorten_value(VALUE, "look")}

    with pytest.raises(TextCut, match="of 'look' was cut at 200,000 of 200,001 characters"):
        fill({"p": text}, scope)
    assert fill({"p": "{a.n} {a.rows.0}"}, scope) == {"p": "1 b"}


def test_names_that_differ_only_in_what_is_cut_stay_two():
    half = "a" * MAX_TEXT
    rows = {half + "b" + half: 1, half + "c" + half: 2, half + "d" + half: 3}

    kept = shorten_value(rows, "look")

    assert list(kept.values()) == [1, 2, 3]
    assert [name.removeprefix(next(iter(kept))) for name in kept] == ["", " (2)", " (3)"]
