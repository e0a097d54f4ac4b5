"""Values whose own code fails, in whatever way: what is kept and restored beside them is as if they
were not there, and of each of them it is said why it is not kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from wfnb.values import Keeper, choose_values

from .notebook import gone_back, keep, namespace, put_back, reasons

FAILS = """
    def fails(*of, **more):
        raise error
    """


@pytest.fixture(autouse=True)
def modules() -> Iterator[None]:
    """What a program puts among the modules goes with it: others look through all of them."""
    yield
    sys.modules.pop("lazy_one", None)


ERRORS = ("ZeroDivisionError('no')", "SystemExit(3)", "GeneratorExit()", "RecursionError()")
METHODS = (
    *("__class__", "__dict__", "__module__", "__reduce_ex__", "__reduce__", "__getstate__"),
    *("__getattr__", "__getattribute__", "__repr__", "__str__", "__eq__", "__hash__", "__bool__"),
    *("__len__", "__iter__", "__array__", "__sizeof__", "__format__", "__dir__", "shape", "dtype"),
    *("columns", "figure", "nbytes", "__buffer__", "__array_interface__", "__wrapped__"),
)
OTHERS: Mapping[str, str] = {
    "a proxy of what is gone": "import weakref\nclass T: pass\n"
    "o = T(); x = weakref.proxy(o); del o",
    "a class without a module": "C = type('C', (), {'__module__': None}); x = C()",
    "a class whose module is a number": "C = type('C', (), {'__module__': 3}); x = [C(), C]",
    "a class whose module fails": "class C: __module__ = property(fails)\nx = C()",
    "a class of its own kind": "class Kind(type):\n"
    "    def __getattribute__(self, name): raise error\n"
    "x = type.__call__(Kind('C', (), {}))",
    "a metaclass whose names fail": "class Kind(type):\n"
    "    __module__ = property(fails); __name__ = property(fails); __mro__ = property(fails)\n"
    "C = Kind('C', (), {}); x = C()",
    "an error whose words fail": "class E(Exception):\n    __str__ = fails\n"
    "class C:\n    def __reduce_ex__(self, n): raise E()\nx = C()",
    "a mapping that fails": "from collections.abc import Mapping\nclass C(Mapping):\n"
    "    __getitem__ = __iter__ = __len__ = fails\nx = C()",
    "a number that fails": "class C(int):\n"
    "    __repr__ = __str__ = __int__ = __index__ = fails\nx = C(3)",
    "a text that fails": "class C(str):\n    __len__ = __iter__ = __getitem__ = fails\nx = C('a')",
    "a list that fails": "class C(list):\n    __len__ = __iter__ = __getitem__ = fails\nx = C('a')",
    "a method of numpy": "import numpy as np\nx = np.random.default_rng(1).normal",
    "functions of numpy": "from numpy.random import randn, seed\nx = [randn, seed]",
    "a lazy module": "import sys, types\nclass M(types.ModuleType):\n"
    "    def __getattr__(self, name): raise error\nx = sys.modules['lazy_one'] = M('lazy_one')",
}


def cells(error: str) -> Mapping[str, str]:
    on_class = {
        f"{name} of the class": f"class C:\n    {name} = property(fails)\nx = C()"
        for name in METHODS
    }
    called = {
        f"{name} when it is called": f"class C:\n    {name} = fails\nx = C()"
        for name in METHODS
        if name not in ("__class__", "__dict__", "__module__")
    }
    return {**OTHERS, **on_class, **called}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("what", cells(""))
def test_what_is_beside_a_value_that_fails_is_kept_and_comes_back(
    keeper: Keeper, what: str, error: str
):
    data = "data = [1, [2]]\nsame = data\nnumber = 3\ndef f(n): return n + number"
    space = namespace(FAILS, f"error = {error}", data, cells(error)[what])
    names = ("x", "data", "same", "number", "f")
    values, _ = choose_values(["*"], space)

    kept = keeper.keep(values, asked=names, namespace=space)
    assert {"data", "same", "number", "f"} <= {*kept.names}
    space["data"].append(3)
    keeper.plan(kept, ("data", "same"), namespace=space, exact=True)
    gone_back(keeper, kept, space, "data", "same", "f")

    assert space["data"] == [1, [2]]
    assert space["same"] is space["data"]
    assert space["f"](2) == 5
    fresh = namespace()
    fresh.update(keeper.restore(kept, ("data", "f"), namespace=fresh).values)
    assert fresh["data"] == [1, [2]]


def test_functions_and_expressions_without_a_module_are_no_end_of_the_others(keeper: Keeper):
    space = namespace("""
        Symbol = type("Symbol", (), {"__module__": None})
        def applied(kind): return type("f", (Symbol,), {"__module__": None})
        f = applied(1)
        ex = f()
        data = [1, 2, 3]
        """)

    kept = keep(keeper, space, "f", "ex", "data")

    assert "data" in kept.names
    assert all(why for name, why in reasons(kept).items() if name not in kept.names)


def test_a_namespace_may_have_keys_that_are_no_names(tmp_path: Path):
    keeper = Keeper(tmp_path, tmp_path / "own")
    space = namespace("a = [1]\nglobals()[3] = 4\nglobals()[(1, 2)] = 5")

    kept = keep(keeper, space, "a")
    space["a"].append(2)
    keeper.plan(kept, namespace=space, exact=True)
    put_back(keeper, kept, space)

    assert space["a"] == [1]
    assert choose_values(["*"], space)[0] == {"a": [1]}


def test_what_ipython_adds_to_is_not_kept(keeper: Keeper):
    space = namespace("In = ['', 'h = In']\nOut = {}\nh = In")

    assert reasons(keep(keeper, space, "h")) == {
        "h": "it is IPython's own, and another in each kernel"
    }
