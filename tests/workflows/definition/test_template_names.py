"""Names in placeholders: unknown ones are refused with those there are, hidden ones not told."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import NameUnknown
from wfnb.workflows.definition.template import fill, names, used_scope

from .scope import SCOPE

UNKNOWN = [
    (
        "{sesion_id}",
        {"session_id": 1, "n": 2},
        "{sesion_id} in p names nothing there is. Did you mean 'session_id'? Known: session_id, n. "
        "{{sesion_id}} means the text itself.",
    ),
    (
        ["x {steps.b.out}"],
        {"steps": {"a": {}}},
        "{steps.b.out} in p.0 names nothing there is. Did you mean 'steps.a'? "
        "Known: steps.a. "
        "{{steps.b.out}} means the text itself.",
    ),
    (
        {"k": "{items.2}"},
        {"items": [1, 2]},
        "{items.2} in p.k names nothing there is. Did you mean 'items.1'? Known: items.0, items.1. "
        "{{items.2}} means the text itself.",
    ),
    (
        "{n.x}",
        {"n": 3},
        "{n.x} in p names nothing there is. Known: n. {{n.x}} means the text itself.",
    ),
    (
        "{n}",
        {},
        "{n} in p names nothing there is. Known: nothing yet: `variables` or "
        "`--var n=VALUE` gives it a value. {{n}} means the text itself.",
    ),
]


@pytest.mark.parametrize(("text", "scope", "line"), UNKNOWN)
def test_an_unknown_name_is_refused_with_its_place_and_the_known_ones(text, scope, line):
    with pytest.raises(NameUnknown) as refused:
        fill({"p": text}, scope)

    assert str(refused.value) == line


def test_hidden_names_and_what_is_in_them_are_not_shown():
    params = {"a": "{text}", "b": "-p {text!q} {state.field}", "c": "{state}", "d": "{n} {gone.x}"}

    shown = fill(params, SCOPE, hidden=frozenset({"text", "state", "gone"}))

    assert shown == {"a": "•••", "b": "-p ••• •••", "c": "•••", "d": "3 •••"}


def test_what_is_hidden_within_a_name_is_hidden_alone():
    assert fill({"p": "{steps.a.out} {steps.b-2.code}"}, SCOPE, hidden=frozenset({"steps.a"})) == {
        "p": "••• 0"
    }


def test_names_come_with_their_places():
    params = {"a": "{n} {text!q}", "b": [1, {"c": "{steps.a.out}"}], "d": "{{n}}"}

    assert names(params) == (("a", "n"), ("a", "text"), ("b.1.c", "steps.a.out"))


def test_what_is_used_is_the_part_of_the_scope_that_is_named():
    params = {"a": "{n} {items.1.b}", "b": "{steps.a.out}", "c": "{a.b} {unknown}"}

    assert used_scope(params, SCOPE) == {
        "n": 3,
        "items": [1, {"b": [None, "é"]}],
        "steps": {"a": {"out": "it's"}},
        "a.b": "whole name",
    }


PATHS = st.sampled_from(["n", "text", "items", "items.1", "steps", "steps.a", "steps.a.out", "a.b"])


@given(st.lists(PATHS, min_size=1, max_size=6))
def test_what_is_used_is_enough_to_fill(paths):
    params = {"all": [f"{{{path}}}" for path in paths], "text": "".join(f"{{{p}}}" for p in paths)}
    before = json.dumps(SCOPE)

    assert fill(params, used_scope(params, SCOPE)) == fill(params, SCOPE)
    assert json.dumps(SCOPE) == before
