"""Numbers that are written as texts: each counts with all its digits, where a float has not all."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import BadOutput
from wfnb.workflows.definition.expression import evaluate, expression_holds
from wfnb.workflows.definition.outputs import Output, output_values
from wfnb.workflows.definition.variable import Variable
from wfnb.workflows.definition.variable_values import (
    WrittenValue,
    as_declared,
    defaults,
    missing_or_wrong,
)

INTEGER = Output(value="a.stdout", type="integer")
DECLARED = {"n": Variable(type="integer")}
NEAR = ["", "0", "1", "5", "00000000000000000001", "99999999999999999999"]


@st.composite
def written(draw):
    """A number as programs print one, many of them next to one that a float has."""
    digits = str(draw(st.sampled_from([0, 1, 2**53, 2**60]) | st.integers(0, 10**40)))
    fraction = draw(st.sampled_from(NEAR) | st.integers(0, 10**25).map(str))
    power = draw(st.just("") | st.integers(-330, 260).map("e{}".format))
    return draw(st.sampled_from(["", "-", "+"])) + digits + "." + fraction + power


def outputs_of(text):
    return output_values({"n": INTEGER}, {"a": {"stdout": text}}, ())["n"]


def holds(text, one, other):
    return expression_holds(text, {"a": one, "b": other})


def check_order(one, other, first, second):
    for sign, is_so in (("<", first < second), ("==", first == second), (">", first > second)):
        if sign != "==" or not (isinstance(one, str) and isinstance(other, str)):
            assert holds(f"a {sign} b", one, other) is is_so, (one, sign, other)


@settings(max_examples=times(300, 3_000), deadline=None)
@given(written(), written(), st.integers(-(2**70), 2**70))
@example("123456789012345678e1", "1e-400", 1234567890123456780)
@example("9007199254740992.5", "1.00000000000000000001", 9007199254740992)
@example("1e23", "99999999999999991611392", 10**23)
def test_texts_are_compared_as_the_numbers_that_they_say(one, other, number):
    first, second = Fraction(one), Fraction(other)

    check_order(one, other, first, second)
    check_order(one, number, first, number)
    check_order(number, other, number, second)
    assert expression_holds(f"a == {one.lstrip('+')}", {"a": one}) is True
    assert expression_holds("max(a, b) >= a and max(a, b) >= b", {"a": one, "b": other}) is True
    assert expression_holds("number(a) == a and abs(a) == abs(-a)", {"a": one}) is True


@settings(max_examples=times(300, 3_000), deadline=None)
@given(
    st.lists(
        written() | st.floats(-1e30, 1e30).map(repr) | st.integers(-3, 2**70).map(str),
        min_size=1,
        max_size=5,
    )
)
@example(["1e23", "99999999999999991611392", "1.0", "1"])
def test_the_largest_of_texts_is_the_largest_number_that_they_say(rows):
    exact = [Fraction(row) for row in rows]

    assert holds(f"max(a) == {rows[exact.index(max(exact))].lstrip('+')}", rows, None)
    assert holds(f"min(a) == {rows[exact.index(min(exact))].lstrip('+')}", rows, None)


@settings(max_examples=times(300, 3_000), deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), written())
@example(float(2**60), str(2**60))
@example(0.1, "0.1000000000000000055511151231257827021181583404541015625")
def test_a_float_beside_a_text_is_what_it_is_printed_as(number, text):
    exact = {Fraction(repr(number)), *([Fraction(number)] if number.is_integer() else [])}

    assert holds("a == b", repr(number), number)
    assert holds("a == b", number, text) is (Fraction(text) in exact)
    assert [holds(f"a {sign} b", number, text) for sign in ("<", "==", ">")].count(True) == 1
    assert evaluate("number(a)", {"a": repr(number)}) == number


@settings(max_examples=times(300, 3_000), deadline=None)
@given(written())
@example("123456789012345678e1")
@example("1e23")
@example("1.00000000000000000001")
@example("1e-400")
def test_a_whole_number_is_handed_on_and_given_digit_by_digit(text):
    exact = Fraction(text)
    # YAML reads a float, and all of its digits are on the line.
    given_values = as_declared(DECLARED, {"n": WrittenValue(words=text, value=float(text))})

    if exact.denominator == 1:
        assert (outputs_of(text), given_values["n"]) == (exact, exact)
        assert (type(outputs_of(text)), type(given_values["n"])) == (int, int)
    else:
        assert len([*missing_or_wrong(DECLARED, given_values)]) == 1
        with pytest.raises(BadOutput, match="whole number"):
            outputs_of(text)


def test_a_whole_float_is_a_whole_number_to_code():
    declared = {
        "n": Variable(type="integer", default=3.0),
        "f": Variable(type="number", default=3.0),
    }
    kinds = {name: type(value) for name, value in defaults(declared).items()}

    assert kinds == {"n": int, "f": float}
    assert type(as_declared(declared, {"n": 1.0})["n"]) is int
    assert as_declared(declared, {"n": 1.5, "f": 2.0}) == {"n": 1.5, "f": 2.0}


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "9" * 401, "1e999"])
def test_a_number_that_is_too_long_or_too_large_to_be_one_is_a_text(text):
    with pytest.raises(BadOutput, match="whole number"):
        outputs_of(text)


def test_what_a_list_has_is_found_by_the_number_that_it_says():
    texts = ["9007199254740992.5", "1e-400", "9007199254740993"]

    for text, number in product(texts, (0, 9007199254740992, 9007199254740992.0)):
        assert expression_holds("a in [b]", {"a": text, "b": number}) is False
