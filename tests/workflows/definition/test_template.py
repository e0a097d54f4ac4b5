"""Placeholders are filled once, keep types, and leave alone what is none."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import NameUnknown
from wfnb.workflows.definition.template import fill, has_placeholder, names, placeholder

from .scope import SCOPE


def filled(text):
    return fill({"p": text}, SCOPE)["p"]


KEPT = [
    ("{n}", 3),
    ("{x}", 2.5),
    ("{yes}", True),
    ("{nothing}", None),
    ("{items}", [1, {"b": [None, "é"]}]),
    ("{items.1.b.1}", "é"),
    ("{steps.b-2.code}", 0),
    ("{state}", {"field": "value"}),
    ("{a.b}", "whole name"),
    ("{größe}", 3),
    ("{steps.检查.stdout}", "好"),
]


@pytest.mark.parametrize(("text", "value"), KEPT)
def test_what_is_one_placeholder_keeps_the_type_of_its_value(text, value):
    assert filled(text) == value
    assert type(filled(text)) is type(value)
    assert placeholder(text) is not None


WITHIN = [
    ("{n}{x}", "32.5"),
    ("{yes}/{no}", "true/false"),
    ("<{nothing}>", "<>"),
    ("{items}!", '[1,{"b":[null,"é"]}]!'),
    (" {state}", ' {"field":"value"}'),
    ("{state.field} {steps.a.out}", "value it's"),
    ("echo {text!q} {steps.a.out!q}", """echo 'two words' 'it'"'"'s'"""),
    ("{text!q}", "'two words'"),
    ("{n!q}", "3"),
    ("{nothing!q}", "''"),
    ("{größe} {steps.检查.stdout!q}", "3 '好'"),
]


@pytest.mark.parametrize(("text", "value"), WITHIN)
def test_within_a_text_values_are_written_as_text(text, value):
    assert filled(text) == value
    assert placeholder(text) is None
    assert has_placeholder(text)


ALONE = [
    "{print $1}",
    '{"n": 1}',
    "{n,x}",
    "{n;x}",
    "{}",
    "{0}",
    "{1n}",
    "{ n }",
    "{n:>3}",
    "{n!r}",
    "{-n}",
    "{n.}",
    "{.n}",
    "{n..x}",
    "${n}",
    "${HOME}",
    "${n!q}",
    "{n",
    "n}",
    "{n²}",
    "{→}",
    "{{→}}",
    "{n\u3000}",
    "{n\u200b}",
    "{٣}",
    "awk '{ print $1 }' {",
    "{n\n}",
    "{{ n }}",
]


@pytest.mark.parametrize("text", ALONE)
def test_what_is_no_placeholder_is_left_alone(text):
    assert filled(text) == text
    assert names({"p": text}) == ()
    assert not has_placeholder(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{n}}", "{n}"),
        ("{{n!q}}", "{n!q}"),
        ("{{steps.a.out}} is {steps.a.out}", "{steps.a.out} is it's"),
        ("{{unknown}}", "{unknown}"),
        ("{{{n}}}", "{{n}}"),
        ("{{größe!q}}{größe}", "{größe!q}3"),
    ],
)
def test_doubled_braces_mean_the_text(text, value):
    assert filled(text) == value


def test_a_value_is_never_filled_again():
    assert filled("{tricky}") == "{n} {{n}} {steps.a.out!q}"
    assert filled("{tricky} {n}") == "{n} {{n}} {steps.a.out!q} 3"


@given(st.dictionaries(st.sampled_from("abc"), st.text("{}abc!q.$ '", max_size=12), min_size=3))
def test_filling_writes_the_values_and_nothing_else(values):
    params = {"one": "{a}", "many": ["<{b}>", {"deep": "{c}{a}"}], "quoted": "{a!q}"}

    assert fill(params, values) == {
        "one": values["a"],
        "many": [f"<{values['b']}>", {"deep": values["c"] + values["a"]}],
        "quoted": shlex.quote(values["a"]),
    }


@given(st.text("{}ab.!q$\" '", max_size=30))
def test_filling_ends_for_any_text_and_names_are_those_it_asks_for(text):
    asked = {name for _, name in names({"p": text})}
    scope = dict.fromkeys(asked, "v")

    fill({"p": text}, scope)

    for name in asked:
        with pytest.raises(NameUnknown):
            fill({"p": text}, {k: v for k, v in scope.items() if k != name})


def test_keys_are_not_filled_and_other_values_pass_through():
    params = {"{n}": {"{x}": [None, 1, True, "{n}"]}}

    assert fill(params, SCOPE) == {"{n}": {"{x}": [None, 1, True, 3]}}
    assert params == {"{n}": {"{x}": [None, 1, True, "{n}"]}}


def test_a_workflow_within_keeps_its_own_placeholders():
    inner = {"steps": [{"tool": "x", "args": {"y": "{own}"}}]}

    assert fill({"workflow_definition": inner, "v": "{n}"}, SCOPE) == {
        "workflow_definition": inner,
        "v": 3,
    }
    assert fill({"workflow_definition": "{state}"}, SCOPE) == {
        "workflow_definition": {"field": "value"}
    }
    assert names({"workflow_definition": inner}) == ()


@pytest.mark.parametrize("text", ["{" * 2_000_000, "{a" * 1_000_000, "{" + "a." * 1_000_000])
def test_a_text_full_of_braces_is_left_alone(text):
    assert filled(text) == text


def test_within_a_text_a_value_loses_the_line_breaks_at_its_end():
    written = {"text": "rm -r {d}/cache", "quoted": "cat {d!q}", "whole": "{d}"}

    assert fill(written, {"d": "my work\n\n"}) == {
        "text": "rm -r my work/cache",
        "quoted": "cat 'my work'",
        "whole": "my work\n\n",
    }
