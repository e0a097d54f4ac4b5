"""What is too large to be looked at whole counts as changed by code that may have changed it,
however it got there (rule 8); and by no other code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest

from tests.amount import times
from tests.dataflow.kernel import Kernel
from wfnb.dataflow.known_functions import MUTATING_MODULE_FUNCTIONS

MAKE = """
rows = [[i] for i in range(120000)]
class Store:
    def __init__(self, held): self.held = held
    def put(self, at): self.held[at] += [1]
    def all(self): return self.held
    @property
    def part(self): return self.held
    def __iter__(self): yield self.held
st = Store(rows)
box = {'a': rows}
"""
FUNCTIONS = """
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial, reduce
from itertools import starmap
def all_rows(): return rows
def same(x): return x
def each():
    yield rows
@contextmanager
def opened():
    yield rows
class Holder:
    def __init__(self, x): self.x = x
Pair = namedtuple('Pair', 'x y')
"""
READ = "r = sum(map(len, st.held))"
GETS = (
    *("rows", "all_rows()", "same(rows)", "same(st).held", "st.all()", "st.part", "next(each())"),
    *("[*st][0]", "box['a']", "{**box}['a']", "[rows][0]", "(rows, 1)[0]", "max([rows], key=len)"),
    *("(lambda: rows)()", "(lambda s: s.held)(st)", "Holder(rows).x", "Pair(rows, 1).x"),
    *("list(map(same, [rows]))[0]", "(rows if box else None)", "partial(all_rows)()"),
    *("getattr(st, 'all')()", "vars(st)['held']", "globals()['ro' + 'ws']"),
)
CHANGES = (
    *("{}[117777] += [1]", "{}[117777].append(1)", "{}.__setitem__(117777, [1, 1])"),
    *("x = {}\nx[117777] += [1]", "x = {}\ny = same(x)\ny[117777] += [1]"),
    *("def put(x): x[117777] += [1]\nput({})", "for x in [{}]: x[117777] = [1, 1]"),
    *("with nullcontext({}) as x: x[117777] += [1]", "x = same([{}])\nx[0][117777] += [1]"),
    "h = Holder({})\nh.x[117777] += [1]",
)
CALLS = (
    *("f = st.put\nf(117777)", "list(map(st.put, [117777]))", "getattr(st, 'put')(117777)"),
    *("partial(st.put, 117777)()", "fs = [st.put]\nfs[0](117777)", "sorted([117777], key=st.put)"),
    *("list(starmap(st.put, [(117777,)]))", "def call(f): f(117777)\ncall(st.put)"),
    *("with ThreadPoolExecutor(1) as p: list(p.map(st.put, [117777]))", "Store.put(st, 117777)"),
    *("with opened() as x: x[117777] += [1]", "(p := st.put)(117777)"),
    "reduce(lambda a, at: (a[at].append(1), a)[1], [117777], rows)",
)
PRODUCT = [change.format(get) for get in GETS for change in CHANGES]
WAYS = [
    way
    for ways, enough in ((CALLS, 6), (PRODUCT, 4))
    for way in Random(1).sample(ways, times(enough, len(ways)))
]
LARGE_ARRAY = """
import numpy as np
from numpy import add, cumsum
A = np.arange(2_000_000.)
def f(v): {}
"""
FILLS = (
    *("np.negative(v, out=v)", "np.negative(v, v)", "np.add(v, 1, v)", "np.cumsum(v, 0, None, v)"),
    *("add(v, 1, v)", "cumsum(v, 0, None, v)", "np.copyto(v, 3)"),
    *("v[::-1].partition(3)", "v[::-1].sort()", "np.random.shuffle(v)"),
    *("v *= 2", "v[3] = 5", "np.multiply.at(v, [3], 2)"),
)
FILLED = [*product(("v = A[5000:6001]\n{}", "f(A[5000:6001])"), FILLS)]
LOOKS = ("x = all_rows()[5]", "n = len(rows)", "x = sorted(map(len, rows))[:3]")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WFNB_HOME", str(tmp_path_factory.mktemp("large")))
        kernel = Kernel("large")
        assert kernel.say(FUNCTIONS, "functions") is None
        yield kernel
        kernel.stop()


def _stale_after(kernel: Kernel, code: str, make: str = MAKE, read: str = READ) -> set[int]:
    """What is stale when all has been read again that was read before the code ran."""
    session = f"large-{abs(hash((make, code)))}"
    assert kernel.say(f"%wfnb start {session}") is None
    for cell, source in (("a", make), ("b", read), ("c", code), ("b", read)):
        assert kernel.say(f"%%step T\n{source}", f"{session}-{cell}") is None
    return {step["number"] for step in kernel.marks() if step["stale"]}


@pytest.mark.parametrize("code", WAYS)
def test_a_large_object_that_was_changed_makes_its_reader_stale(kernel: Kernel, code: str):
    assert 2 in _stale_after(kernel, code)


@pytest.mark.parametrize(("code", "fills"), Random(1).sample(FILLED, times(10, len(FILLED))))
def test_an_array_that_was_filled_makes_its_reader_stale(kernel: Kernel, code: str, fills: str):
    make = LARGE_ARRAY.format(fills)

    assert 2 in _stale_after(kernel, code.format(fills), make, "s = (A[1:] - A[:-1]).max()")


def test_every_function_of_numpy_is_known_by_the_place_of_what_it_fills():
    for name, function in vars(np).items():
        if isinstance(function, np.ufunc):
            assert MUTATING_MODULE_FUNCTIONS[name] == function.nin, name


@pytest.mark.parametrize("code", LOOKS)
def test_a_large_object_that_was_looked_at_does_not(kernel: Kernel, code: str):
    assert _stale_after(kernel, code) == set()
