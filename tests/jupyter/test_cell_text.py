"""What a step says of a value: a number of any kind is one that can be compared."""

from decimal import Decimal
from fractions import Fraction

import pytest

from tests.core.story import done, given
from wfnb.core.events import Outcome
from wfnb.jupyter.cell_text import brief, plain
from wfnb.views.line_comparison import compare

LONG = Decimal("1" * 300)
VALUES = {
    "decimal": (Decimal("0.10"), "0.10", "Decimal('0.10')"),
    "fraction": (Fraction(1, 3), "1/3", "Fraction(1, 3)"),
    "whole fraction": (Fraction(4, 2), "2", "Fraction(2, 1)"),
    "infinite": (Decimal("-Infinity"), "-Infinity", "Decimal('-Infinity')"),
    "no number": (Decimal("NaN"), "NaN", "Decimal('NaN')"),
    "complex": (1 + 2j, "(1+2j)", "(1+2j)"),
}


@pytest.mark.parametrize("case", VALUES)
def test_a_number_is_written_out(case: str):
    value, named, result = VALUES[case]

    assert (plain(value), brief(value)) == (named, result)


def test_a_long_one_is_never_cut_to_another_number():
    assert "..." in plain(LONG)


@pytest.mark.parametrize("kind", [Decimal, Fraction])
def test_the_best_of_decimals_and_fractions_has_its_star(kind: type):
    values = [{"rmse": plain(kind(number))} for number in ("0.5", "0.25")]
    session = given(
        done("Load", outcome=Outcome()),
        done("Ridge", branch="ridge", outcome=Outcome(values=values[0])),
        done("Lasso", branch="lasso", outcome=Outcome(values=values[1])),
    )

    found = compare(session, list(session.lines.values()), frozenset({"rmse"}), frozenset())

    (row,) = (row for row in found.rows if row.name == "rmse")
    assert row.best == (2,)
