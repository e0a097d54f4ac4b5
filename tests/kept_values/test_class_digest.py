"""The digest of a class says whether two classes say the same."""

from __future__ import annotations

import pytest

from wfnb.values import Keeper
from wfnb.values.class_digest import digest

from .notebook import namespace

IMPORTS = """
import functools, re, types
from collections import OrderedDict, deque
from datetime import date
from decimal import Decimal
from pathlib import Path
import numpy as np
import pandas as pd
class Rows(list): pass
class Table(dict): pass
class Number(int): pass
class Own:
    __slots__ = ("__n",)
    def __init__(self, n): self.__n = n
    def method(self): return self.__n
class Queue(deque): pass
def scale(x, by): return x * by
"""

CONTENT = [
    ("class part:\n        lr = 1", "C.part.lr = 2"),
    ("part = functools.partial(scale, by=2)", "C.part.keywords['by'] = 3"),
    ("part = functools.partialmethod(scale, 2)", "vars(C)['part'].args = (3,)"),
    ("part = Rows([1])", "C.part.append(2)"),
    ("part = Table(a=1)", "C.part['a'] = 2"),
    ("part = Number(3)", "C.part = Number(4)"),
    ("part = Queue([1])", "C.part.append(2)"),
    ("part = deque([1])", "C.part.append(2)"),
    ("part = OrderedDict(a=Own)", "C.part['b'] = Own"),
    ("part = Own(1)", "C.part.__init__(2)"),
    ("part = Own(1).method", "C.part.__self__.__init__(2)"),
    ("part = [1].append", "C.part(2)"),
    ("part = types.SimpleNamespace(a=[1])", "C.part.a.append(2)"),
    ("part = np.zeros(2)", "C.part[0] = 1"),
    ("part = np.array(['a', [1]], dtype=object)", "C.part[1].append(2)"),
    ("part = np.zeros(2, 'M8[s]')", "C.part[0] = 1"),
    ("part = np.float64(1)", "C.part = np.float32(1)"),
    ("part = pd.DataFrame({'a': [1]})", "C.part.loc[0, 'a'] = 2"),
    ("part = re.compile('a' * 300)", "C.part = re.compile('a' * 301)"),
    ("part = slice(1, 2)", "C.part = slice(1, 3)"),
    ("part = {date(2020, 1, 1): Decimal('1')}", "C.part[date(2020, 1, 1)] = Decimal('1.0')"),
    ("part = (Path('a'), 1j, b'x', range(3))", "C.part = (Path('b'), 1j, b'x', range(3))"),
]


@pytest.mark.parametrize(("content", "change"), CONTENT)
def test_what_is_in_a_class_is_in_its_digest(content: str, change: str):
    cells = IMPORTS, f"class C:\n    {content}\n    def m(self): return __class__"
    space = namespace(*cells)
    before = digest(space["C"])

    exec(change, space)

    assert "?" not in before
    assert digest(namespace(*cells)["C"]) == before
    assert digest(space["C"]) != before


@pytest.mark.parametrize(("content", "change"), CONTENT)
def test_a_class_that_differs_so_comes_back(keeper: Keeper, content: str, change: str):
    space = namespace(IMPORTS, f"class C:\n    {content}")
    before = digest(space["C"])
    kept = keeper.keep({"C": space["C"]}, namespace=space)
    assert [one.way for one in keeper.plan(kept, namespace=space).names][:1] == ["same"]
    exec(change, space)

    assert [one.way for one in keeper.plan(kept, namespace=space).names][:1] == ["replaces"]
    back = keeper.restore(kept, namespace=space).values["C"]

    assert digest(back) == before


def test_what_cannot_be_looked_into_is_marked():
    space = namespace("import threading\nclass C:\n    lock = threading.Lock()")

    assert digest(space["C"]).endswith("?")


def test_classes_that_hold_each_other_have_a_digest():
    cells = "class A:\n    class B: n = 1", "A.B.outer = A\nA.itself = A"
    one, other = namespace(*cells), namespace(*cells)
    assert digest(one["A"]) == digest(other["A"])

    other["A"].B.n = 2

    assert digest(one["A"]) != digest(other["A"])


CLASS = "import numpy as np\nclass C: w = np.zeros(2)"


def test_an_object_is_of_the_class_it_had_where_an_array_in_it_differs(keeper: Keeper):
    space = namespace(CLASS, "c = C()")
    kept = keeper.keep({"c": space["c"]}, namespace=space)
    exec(CLASS.replace("zeros", "ones"), space)

    restored = keeper.restore(kept, namespace=space)

    assert restored.values["c"].w.tolist() == [0, 0]
    assert restored.classes == ("C",)
    assert space["C"].w.tolist() == [1, 1]


def test_an_object_is_of_the_class_that_is_there_where_the_array_is_the_same(keeper: Keeper):
    space = namespace(CLASS, "c = C()")
    kept = keeper.keep({"c": space["c"]}, namespace=space)
    exec(CLASS, space)

    restored = keeper.restore(kept, namespace=space)

    assert type(restored.values["c"]) is space["C"]
    assert restored.classes == ()


def test_what_stands_in_a_try_is_in_the_digest():
    method = "class C:\n    def m(self):\n        try:\n            a()\n"
    inside = method + "            b()\n        except E:\n            c()"
    behind = method + "        except E:\n            c()\n        else:\n            b()"

    assert digest(namespace(inside)["C"]) != digest(namespace(behind)["C"])
