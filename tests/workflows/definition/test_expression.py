"""Expressions: what can be said, what it means beside Python, and that nothing else is done."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import ExpressionFailed, Refused
from wfnb.workflows.definition.expression import (
    FUNCTIONS,
    MAX_LENGTH,
    ExpressionSyntaxError,
    evaluate,
    expression_holds,
    expression_names,
    parse_expression,
)

SCOPE: dict[str, Any] = {
    "amount": 1500,
    "rate": 0.5,
    "region": "de",
    "flag": True,
    "nothing": None,
    "rows": [3, 1, 2],
    "look": {"stdout": "12\n", "exit_code": 0, "result": {"rows": [{"n": 7}], "b-1": "x"}},
    "steps": {"build-image": {"exit_code": 1}},
}

TRUE = [
    "amount > 1000",
    "amount > 1000 and region == 'de'",
    "look.stdout > 3",
    "look.stdout == 12",
    "look.stdout == '12'",
    "look.stdout in ['12', 13]",
    "12 in [look.stdout]",
    "'1' in look.stdout",
    "1 in look.stdout",
    "'stdout' in look",
    "region not in ['at', 'ch']",
    "'9' < '10'",
    "'10' > 9.5",
    "'b' > 'a'",
    "0 < rate < 1",
    "amount * rate - 50 == 700",
    "7 // 2 == 3 and 7 % 2 == 1",
    "look.result.rows[0].n == 7",
    "look.result['b-1'] == 'x'",
    "steps['build-image'].exit_code == 1",
    "rows[-1] == 2",
    "len(rows) == 3 and max(rows) == 3 and min(3, 2) == 2 and sum(rows) == 6",
    "any([flag, False]) and all([flag, true])",
    "matches(region, '^d.$') and startswith(region, 'd') and endswith(region, 'e')",
    "lower('A') == 'a' and upper('a') == 'A' and text(1) == '1' and number('1.5') == 1.5",
    "round(2.6) == 3 and abs(-2) == 2 and -amount < 0 and +amount > 0",
    "nothing is None and nothing == null and amount is not None",
    "flag",
    "flag != 1",
    "not (flag == 'true')",
    "('5' if flag else '6') == '5'",
    "'9007199254740993.0' != 9007199254740992 and '9007199254740993.00' == 9007199254740993",
    "  amount > 1  ",
    "amount >= 1500 and amount <= 1500 and amount != 1501",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_holds(text):
    assert expression_holds(text, SCOPE) is True
    assert expression_holds(f"not ({text.strip()})", SCOPE) is False


REFUSED = [
    ("amount", "it gives 1500 and not true or false: compare it, with =="),
    ("look.stdout", "it gives the text '12' and not true or false"),
    ("nothing", "it gives nothing (null) and not true or false"),
    ("region > 3", "the text 'de' and 3 have no order"),
    ("nothing < 3", "null and 3 have no order"),
    ("flag > 0", "true and 0 have no order"),
    ("amont > 3", "nothing is called 'amont'. Did you mean 'amount'?"),
    ("look.stdot == 1", "look has no 'stdot'. Did you mean 'stdout'?"),
    ("rows[3] == 1", "rows has 3 items, and none at [3]"),
    ("region.x == 1", "region is the text 'de', and region.x asks for something in it"),
    ("rows.first == 1", "rows is the list [3,1,2], and rows.first asks for something in it"),
    ("amount / 0 > 1", "it divides by zero"),
    ("1e308 * 10 > 1", "a number gets too large"),
    ("region + 'x' == 'dex'", "the text 'de' is no number"),
    ("len(3) > 1", "3 has no length"),
    ("max([]) > 1", "the list is empty"),
    ("any([1, 2])", "the list [1,2] is no list of true and false"),
    ("sum(look.stdout) > 1", "the text '12' is no list"),
    ("sum(amount) > 1", "1500 is no list"),
    ("sum(look) > 1", "the mapping {"),
    ("not look.stdout", "look.stdout gives the text '12' and not true or false: compare it"),
    ("flag and nothing", "nothing gives nothing (null) and not true or false"),
    ("rows or flag", "rows gives the list [3,1,2] and not true or false"),
    ("1 == (1 if region else 2)", "region gives the text 'de' and not true or false"),
    ("number('1e400') > 1", "the text '1e400' is no number"),
    ("3 in amount", "3 cannot be in 1500"),
    ("matches(region, region + 1)", "the text 'de' is no number"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_cannot_be_said_is_refused_and_not_false(text, why):
    with pytest.raises(ExpressionFailed) as refused:
        expression_holds(text, SCOPE)

    assert str(refused.value).startswith(f"`{text}` cannot be evaluated: {why}")


UNREAD = [
    ("a && b", "'&&' is not read here: write `and`"),
    ("a || b", "'||' is not read here: write `or`"),
    ("!a", "'!' is not read here: write `not`, or `!=`"),
    ("a = 3", "'=' is not read here: write `==`"),
    ("{a} > 3", "names stand without braces"),
    ("${a} > 3", "names stand without braces"),
    ("$a > 3", "names stand without $"),
    ("", "it does not read as an expression"),
    ("a >", "it does not read as an expression"),
    ("a; b", "it does not read as an expression"),
    ("[x for x in a]", "'[x for x in a]' has no place in an expression"),
    ("lambda: 1", "has no place in an expression"),
    ("(a := 3)", "has no place in an expression"),
    ("a[1:2]", "has no place in an expression"),
    ("a ** b", "it does not read as an expression"),
    ("a @ b", "it does not read as an expression"),
    ("f'{a}'", "names stand without braces"),
    ("b'a'", "has no place in an expression"),
    ("...", "has no place in an expression"),
    ("1j", "has no place in an expression"),
    ("a.upper() == 'A'", "'a.upper()' calls a method. Functions: abs, all"),
    ("__import__('os')", "there is no function '__import__'"),
    ("lenn(a) == 1", "there is no function 'lenn'. Did you mean 'len'?"),
    ("len(a, b) == 1", "len() takes 1 values, and is given 2"),
    ("len(*a) == 1", "has no place in an expression"),
    ("round(a, ndigits=1)", "'round(a, ndigits=1)' has no place in an expression"),
    ("matches(a, '(')", "is no regular expression"),
    ("a " * MAX_LENGTH, f"{MAX_LENGTH:,} are read at most"),
    ("(" * 400 + "a" + ")" * 400, "it does not read as an expression"),
    ("-" * 900 + "1", "it is nested too deep"),
    ("a" + ".b" * 200, "it is nested too deep"),
    ("a\0b", "it does not read as an expression"),
    ("a < 1e999", "a number in it is too large"),
]


@pytest.mark.parametrize(("text", "why"), UNREAD, ids=[text[:20] for text, _ in UNREAD])
def test_what_is_no_expression_is_told_before_a_run(text, why):
    with pytest.raises(ExpressionSyntaxError) as unread:
        parse_expression(text)

    assert why in str(unread.value)


def test_the_names_of_an_expression_are_those_of_placeholders():
    text = 'a.b["c-d"][0] > len(x) and (x == null or not y.z) and a.b["c-d"][0] in [true, w]'

    assert expression_names(text) == ("a.b.c-d.0", "x", "y.z", "w")


def test_a_secret_cannot_be_asked_for():
    with pytest.raises(ExpressionFailed, match="amount is a secret"):
        expression_holds("region == 'x' or amount > 3", SCOPE, hidden={"amount"})


def test_each_function_is_in_the_docs():
    page = Path(__file__).parents[3].joinpath("docs/workflows.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| functions |"))

    assert not [name for name in FUNCTIONS if f"`{name}" not in row]


# against Python itself

NUMBERS = st.integers(-20, 20) | st.sampled_from((0.5, -1.5, 2.0, 1e3))
WORDS = st.sampled_from(("'a'", "'b'", "'ab'", "''"))
number_texts = st.recursive(
    NUMBERS.map(str) | st.sampled_from(("amount", "rate", "rows[0]", "len(rows)")),
    lambda part: (
        st.builds("({} {} {})".format, part, st.sampled_from("+-*"), part)
        | st.builds("(-{})".format, part)
    ),
    max_leaves=6,
)
orders = st.sampled_from(("<", "<=", ">", ">=", "==", "!="))
truth_texts = st.recursive(
    st.builds("({} {} {})".format, number_texts, orders, number_texts)
    | st.builds("({} {} {})".format, WORDS, orders, WORDS)
    | st.builds("({} {} {} {} {})".format, *[number_texts, orders] * 2, number_texts)
    | st.sampled_from(("flag", "True", "False", "('a' in region)", "(3 in rows)")),
    lambda part: (
        st.builds("({} {} {})".format, part, st.sampled_from(("and", "or")), part)
        | st.builds("(not {})".format, part)
        | st.builds("({} if {} else {})".format, part, part, part)
    ),
    max_leaves=8,
)


@given(truth_texts)
@settings(deadline=None)
def test_numbers_and_words_are_compared_as_python_compares_them(text):
    python = eval(text, {"__builtins__": {"len": len}}, SCOPE)

    assert expression_holds(text, SCOPE) is python


# hostile texts

PIECES = [
    *("amount", "look.stdout", "rows", "nothing", "region", "x", "__class__", "os", "steps"),
    *("1", "9" * 300, "1e308", "'a'", '"', "'", "0x7f", "1_0", "None", "true", "...", "\\"),
    *(" and ", " or ", "not ", "==", "<", ">", "=", "+", "-", "*", "**", "/", "//", "%", "<<", "@"),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ".",
        ",",
        ":",
        ";",
        ":=",
        "\n",
        "\0",
        "\ud800",
        " if ",
        " else ",
    ),
    *("lambda x:", " for ", " in ", "await ", "yield ", "f'", "b'", "#", "len(", "sum(", "max("),
    *("matches(region,'(a+)+$')", "text(", "round(", ".__globals__", ".format(", "import os"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60))
@settings(max_examples=times(125, 1_000), deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_written_ends_soon_in_a_value_or_a_refusal(text):
    with suppress(Refused):
        assert isinstance(evaluate(text, SCOPE), bool | int | float | str | list | dict | None)
