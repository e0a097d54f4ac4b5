"""Another minor version of Python: data crosses, code does not, and both are said before."""

from __future__ import annotations

import pytest

from wfnb.core.kept_values import KeptValues, Plan
from wfnb.values import Keeper, readable_pickles

from .notebook import keep, namespace, reasons

CELL = """
    from dataclasses import dataclass
    from enum import Enum
    import math
    number, rows, word = 3, [1, [2]], "CodeType"
    twice = lambda x: x * 2
    def named(x): return [math.floor(each) for each in x]
    class Own:
        def method(self): return 1
    own = Own()
    nested = {"f": twice, "rows": [1]}
    code = twice.__code__
    @dataclass
    class Point: x: int
    point = Point(1)
    floor = math.floor
    class Colour(Enum): RED = 1
    red = Colour.RED
    """
DATA = ("number", "rows", "word", "math", "floor", "Colour", "red")
CODE = ("twice", "named", "Own", "own", "nested", "code", "Point", "point")
WHY = "{} has code of Python 3.{}, and 3.{} is here: run the cell that makes it again"
ALONE, SHARED = "it", "it, or a value that shares an object with it,"


@pytest.fixture
def kept(keeper: Keeper) -> KeptValues:
    found = keep(keeper, namespace(CELL), *DATA, *CODE)
    assert [why for why in reasons(found).values() if why] == []
    return found


@pytest.mark.parametrize("here", ["3.10.14", "3.99.0", "3.99.0rc1"])
def test_data_crosses_and_code_does_not(
    keeper: Keeper, kept: KeptValues, monkeypatch: pytest.MonkeyPatch, here: str
):
    monkeypatch.setattr(readable_pickles, "python_here", lambda: here)
    then, now = kept.environment["python"].split(".")[1], here.split(".")[1]

    plan: Plan = keeper.plan(kept, namespace=namespace())
    _, back = keeper.go_back(kept, namespace=namespace())

    said = {entry.name: entry.why for entry in plan.names}
    groups = [value.group for value in kept.values if value.name in CODE]
    whys = {
        value.name: WHY.format(SHARED if groups.count(value.group) > 1 else ALONE, then, now)
        for value in kept.values
        if value.name in CODE
    }
    assert said == {**dict.fromkeys(DATA), **whys}
    assert {one.name: one.why for one in back.missing} == whys
    assert {*back.values} == {*DATA}


def test_data_that_a_value_with_code_shares_does_not_cross_and_says_so(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
):
    cell = 'rows = [1]\ntable = {"rows": rows, "f": lambda x: x}\nown = [1]'
    found = keep(keeper, namespace(cell), "rows", "table", "own")
    monkeypatch.setattr(readable_pickles, "python_here", lambda: "3.99.0")
    then = found.environment["python"].split(".")[1]

    back = keeper.restore(found)

    why = WHY.format(SHARED, then, 99)
    assert {one.name: one.why for one in back.missing} == {"rows": why, "table": why}
    assert back.values == {"own": [1]}


def test_code_crosses_to_another_release_of_the_same_minor_version(
    keeper: Keeper, kept: KeptValues, monkeypatch: pytest.MonkeyPatch
):
    minor = kept.environment["python"].rpartition(".")[0]
    monkeypatch.setattr(readable_pickles, "python_here", lambda: f"{minor}.99")

    back = keeper.restore(kept)

    assert back.missing == ()
    assert back.values["twice"](2) == 4
