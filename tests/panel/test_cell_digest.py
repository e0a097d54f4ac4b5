"""The digest of a source is the one that the page makes: labextension/tests/badges.test.ts has the
same rows."""

import pytest

from wfnb.core.validation import MAX_SOURCE
from wfnb.panel.cell_digest import digest


@pytest.mark.parametrize(
    ("source", "sum"),
    [
        ("", "00000000"),
        ("x = 1\ny = 2", "ccace7b8"),
        ("x = 1 \t\ny = 2\n\n \x0b\x1c\x85\u00a0\u2028", "ccace7b8"),
        ('größe = "数据 😀"', "7247f285"),
        ("  x\n\n  y", "15855810"),
    ],
)
def test_a_source_has_this_digest(source, sum):
    assert digest(source) == sum


def test_another_source_has_another():
    assert digest("x = 1") != digest("x = 2")
    assert digest("x\n y") != digest("x\ny")


def test_a_source_that_was_not_kept_whole_has_none():
    assert digest("x" * MAX_SOURCE) is not None
    assert digest("x" * (MAX_SOURCE + 1)) is None
