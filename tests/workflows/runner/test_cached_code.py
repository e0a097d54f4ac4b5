"""Whatever code is made of: once a value deep in it is another, no kept result stands for it."""

from __future__ import annotations

import sys
from importlib import invalidate_caches
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import runner_in, step, steps

LAYERS = (
    ("a{n} = {e}", "a{n}"),
    ("a{n} = [0] * 5000 + [{e}]", "a{n}[-1]"),
    ("a{n} = {{'k': ({e},)}}", "a{n}['k'][0]"),
    ("def a{n}(): return {e}", "a{n}()"),
    ("def a{n}(x=[{e}]): return x[0]", "a{n}()"),
    ("def a{n}(*, x={e}): return x", "a{n}()"),
    ("a{n} = lambda: {e}", "a{n}()"),
    ("a{n} = {{'f': lambda: {e}}}", "a{n}['f']()"),
    ("def m{n}(v):\n    def inner(): return v\n    return inner\na{n} = m{n}({e})", "a{n}()"),
    ("import functools\na{n} = functools.partial(lambda x: x, {e})", "a{n}()"),
    ("import functools\n@functools.cache\ndef a{n}(): return {e}", "a{n}()"),
    ("class a{n}:\n    v = {e}", "a{n}.v"),
    ("class a{n}:\n    def v(self): return {e}", "a{n}().v()"),
    ("class a{n}:\n    @staticmethod\n    def v(): return {e}", "a{n}.v()"),
    ("class a{n}:\n    @property\n    def v(self): return {e}\nb{n} = a{n}()", "b{n}.v"),
    ("class b{n}:\n    def v(self): return {e}\nclass a{n}(b{n}): pass", "a{n}().v()"),
    ("class a{n}: pass\nb{n} = a{n}()\nb{n}.v = [{e}]", "b{n}.v[0]"),
    ("class b{n}(type):\n    def v(cls): return {e}\nclass a{n}(metaclass=b{n}): pass", "a{n}.v()"),
    ("class a{n}(list): pass\nb{n} = a{n}([{e}])", "b{n}[0]"),
    ("class a{n}:\n    def v(self): return {e}\nb{n} = a{n}().v", "b{n}()"),
    ("import numpy\na{n} = numpy.zeros(300000)\na{n}[7] = {e}", "int(a{n}[7])"),
    ("import dataclasses\n@dataclasses.dataclass\nclass a{n}:\n    v: int = {e}", "a{n}().v"),
)
"""How a value may be held: code that does so, and what gives it."""


def program(layers: list[int], value: int) -> tuple[str, str]:
    written, gives = [], str(value)
    for n, layer in enumerate(layers):
        code, then = LAYERS[layer]
        written.append(code.format(n=n, e=gives))
        gives = then.format(n=n)
    return "\n".join(written), gives


@given(st.lists(st.integers(0, len(LAYERS) - 1), min_size=1, max_size=4), st.booleans())
@settings(max_examples=times(10, 60))
def test_a_kept_result_is_what_the_code_would_give_now(
    tmp_path_factory: Any, layers: list[int], nested: bool
):
    runner = runner_in(tmp_path_factory.mktemp("kept") / "home")

    def run(value: int) -> tuple[bool, object]:
        code, gives = program(layers, value)
        space: dict[str, Any] = {"__name__": "__main__"}
        exec(f"{code}\ndef given(): return {gives}", space)
        tool(name="given")(space["given"])
        runner.namespace = space
        calls = step("by_tool", "given"), step("by_code", "python", args={"code": gives})
        if nested:
            inner = {"workflow_definition": {"name": "inner", "steps": list(calls)}}
            calls = (step("inner", "run_workflow", args=inner),)
        run = runner.start(steps(*({**one, "cache": True} for one in calls)), save=False)
        assert run.wait(30)
        assert run.run.status == "success", run.run.error
        cached = all(call.cached for call in run.run.forward_calls())
        found = run.run.variables
        told = found["inner_final_variables"] if nested else found
        assert told["by_tool_result"] == told["by_code_result"]
        return cached, told["by_code_result"]

    first, again, other = run(1), run(1), run(2)

    assert [first, other] == [(False, 1), (False, 2)]
    assert again == (True, 1), "the same code, and it was called again"


def test_what_cannot_be_read_whole_is_called_each_time(runner: Runner):
    numbers = count()
    runner.namespace = {"numbers": (number for number in numbers)}

    def run(code: str) -> object:
        runner.namespace["n"] = next(numbers)
        done = runner.run(steps(step("a", "python", args={"code": code}, cache=True)))
        return done.final_variables["a_result"]

    for code in ("next(numbers)", "eval('n')", "globals()['n']", "(lambda: eval('n'))()"):
        assert run(code) != run(code), code


SHOWN = (
    ("def f(x: {}): pass", ("int", "float"), "str(f.__annotations__)"),
    ("class A:\n    def f(self, x: {}): pass", ("int", "float"), "str(A.f.__annotations__)"),
    ("def f(): pass\nf.__doc__ = '{}'", ("one", "two"), "f.__doc__"),
    ("import types\nm = types.ModuleType('m')\nm.x = [{}]", ("1", "2"), "m.x[0]"),
    ("def f():\n    import __main__\n    return __main__.z\nz = {}", ("1", "2"), "f()"),
    ("x = [1]\ny = [x, {}]", ("x", "[1]"), "y[0] is y[1]"),
    ("rows = {}", ("[[0]] * 2", "[[0], [0]]"), "rows[0] is rows[1]"),
    ("x = [1]\ny = {}", ("x", "[1]"), "x is y"),
    (
        "import numpy\na = numpy.array([[1, 2], [3, 4]], order='{}')",
        ("C", "F"),
        "a.ravel('K').tolist()",
    ),
    ("import pandas\nd = pandas.DataFrame([1])\nd.attrs['u'] = '{}'", ("m", "s"), "str(d.attrs)"),
    ("import pandas\nd = pandas.Series([1])\nd.attrs['u'] = '{}'", ("m", "s"), "str(d.attrs)"),
    (
        "import pandas, warnings\nd = pandas.DataFrame([1])\nobject.__setattr__(d, 'note', '{}')",
        ("m", "s"),
        "d.note",
    ),
    ("import pandas\nd = pandas.Index([1])\nd.note = '{}'", ("m", "s"), "d.note"),
    (
        "import pandas\nclass F(pandas.DataFrame): pass\nd = F([1])\n"
        "object.__setattr__(d, 'note', '{}')",
        ("m", "s"),
        "d.note",
    ),
    (
        "import numpy\nclass A(numpy.ndarray): pass\na = numpy.zeros(2).view(A)\na.note = '{}'",
        ("m", "s"),
        "a.note",
    ),
    (
        "import numpy\na = numpy.ma.array([1, 2], mask=[0, 1])\na.note = '{}'",
        ("m", "s"),
        "a.note",
    ),
    (
        "import datetime\nclass D(datetime.date): pass\nd = D(2020, 1, 1)\nd.note = '{}'",
        ("m", "s"),
        "d.note",
    ),
    (
        "class S:\n    def __getstate__(self): return {{}}\ns = S()\ns.note = '{}'",
        ("m", "s"),
        "s.note",
    ),
    (
        "class S:\n    def __reduce__(self): return S, ()\ns = S()\ns.note = ['{}']",
        ("m", "s"),
        "s.note[0]",
    ),
    (
        "import decimal\nclass S(decimal.Decimal):\n    def __reduce__(self): return S, ()\n"
        "s = S({})",
        ("1", "2"),
        "str(s)",
    ),
    ("e = ValueError(1)\ne.__cause__ = {}", ("None", "KeyError(2)"), "repr(e.__cause__)"),
    ("e = ValueError(1)\ne.__cause__ = KeyError({})", ("1", "2"), "repr(e.__cause__)"),
    ("e = ValueError(1)\ne.__context__ = KeyError({})", ("1", "2"), "repr(e.__context__)"),
    ("e = ValueError(1)\ne.__suppress_context__ = {}", ("True", "False"), "e.__suppress_context__"),
    ("e = ValueError(1)\ne.add_note('{}')", ("m", "s"), "e.__notes__"),
    (
        "class E(ValueError): pass\ne = E(1)\ne.__cause__ = KeyError({})",
        ("1", "2"),
        "repr(e.__cause__)",
    ),
    ("e = ImportError('x', name='{}')", ("m", "s"), "e.name"),
    ("class A: pass\nA.__name__ = '{}'", ("m", "s"), "A.__name__"),
    ("class A: pass\nA.__qualname__ = '{}'", ("m", "s"), "A.__qualname__"),
    ("class A: pass\na = A()\nA.__name__ = '{}'", ("m", "s"), "type(a).__name__"),
    ("def f(): pass\nf.__qualname__ = '{}'", ("m", "s"), "f.__qualname__"),
    ("def f(): pass\nf.__module__ = '{}'", ("m", "s"), "f.__module__"),
    (
        "import numpy\na = numpy.zeros(3)\nb = a[:]{}",
        ("", ".copy()"),
        "bool(numpy.shares_memory(a, b))",
    ),
    (
        "import numpy\na = numpy.zeros(3)\nb = [a, a[:]{}]",
        ("", ".copy()"),
        "bool(numpy.shares_memory(*b))",
    ),
    (
        "import numpy, pandas\na = numpy.zeros(3)\nd = pandas.DataFrame({{'x': a}}, copy={})",
        ("False", "True"),
        "bool(numpy.shares_memory(a, d['x'].to_numpy()))",
    ),
    (
        "import numpy\nm = bytearray(8)\na = numpy.frombuffer({}, 'u1')",
        ("m", "bytearray(8)"),
        "bool(numpy.shares_memory(a, numpy.frombuffer(m, 'u1')))",
    ),
    ("class A: pass\na = A()\na.x = [1]\nb = {}", ("a.x", "[1]"), "a.x is b"),
    ("class A: pass\na = A()\nb = {}", ("a", "A()"), "a is b"),
    ("import collections\nd = collections.defaultdict(list)\nb = {}", ("d", "d.copy()"), "d is b"),
    ("import array\na = array.array('b', [1])\nb = {}", ("a", "a[:]"), "a is b"),
    ("import collections\na = collections.deque([1], {})", ("1", "2"), "a.maxlen"),
    (
        "import types\na = types.SimpleNamespace(x=1)\nb = {}",
        ("a", "types.SimpleNamespace(x=1)"),
        "a is b",
    ),
    ("import random\nr = random.Random({})", ("1", "2"), "r.getstate()[1][0]"),
    ("import re\nr = re.compile('a', {})", ("0", "re.I"), "bool(r.match('A'))"),
    ("import functools\nf = functools.partial(len)\nf.note = '{}'", ("m", "s"), "f.note"),
    ("def f(): pass\nf.note = '{}'", ("m", "s"), "f.note"),
    (
        "import pandas\nd = pandas.DataFrame([1]).set_flags(allows_duplicate_labels={})",
        ("True", "False"),
        "d.flags.allows_duplicate_labels",
    ),
    ("class T(tuple): pass\nt = T((1,))\nt.note = '{}'", ("m", "s"), "t.note"),
    ("class T(str): pass\nt = T('x')\nt.note = '{}'", ("m", "s"), "t.note"),
    (
        "import pathlib\nclass T(type(pathlib.Path())): pass\nt = T('x')\nt.note = '{}'",
        ("m", "s"),
        "t.note",
    ),
)
"""Code with a gap, what may stand there, and what shows which it was."""


@pytest.mark.parametrize(("code", "ways", "gives"), SHOWN)
def test_what_code_shows_of_itself_counts(
    runner: Runner, code: str, ways: tuple[str, str], gives: str, monkeypatch: pytest.MonkeyPatch
):
    module = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    runner.namespace = vars(module)

    def run(way: str) -> object:
        exec(code.format(way), vars(module))
        done = runner.run(steps(step("a", "python", args={"code": gives}, cache=True)))
        assert done.success, done.error
        return done.final_variables["a_result"]

    for way in ways:
        assert run(way) == eval(gives, vars(module)), way


def test_what_is_passed_in_another_order_is_another_call(runner: Runner):
    orders = [{"a": 1, "b": 2}, {"b": 2, "a": 1}]
    calls = [
        step(name, "python", args={"code": "list(d)", "arguments": {"d": order}}, cache=True)
        for name, order in zip("xy", orders, strict=True)
    ]

    for _ in range(2):
        found = runner.run(steps(*calls), save=False)
        assert [entry["result"]["result"] for entry in found.execution_log] == [
            ["a", "b"],
            ["b", "a"],
        ]


CALLED = {
    "a function": "def f(x): return x * {}",
    "a function that another one calls": "def g(x): return x * {}\ndef f(x): return g(x)",
    "a number of its module": "RATE = {}\ndef f(x): return x * RATE",
    "a default": "def f(x, rates=[{}]): return x * rates[0]",
    "a partial": "import functools\nf = functools.partial(lambda rate, x: x * rate, {})",
    "a method of an object": "class A:\n    def g(self, x): return x * {}\nf = A().g",
    "an object that is called": "class A:\n    def __call__(self, x): return x * {}\nf = A()",
}


@pytest.mark.parametrize("name", CALLED)
def test_a_function_of_a_module_counts_with_its_code(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
):
    monkeypatch.syspath_prepend(tmp_path)
    call = step("a", "python", args={"function": "called_.f", "args": [3]}, cache=True)

    def run(rate: int) -> tuple[bool, object]:
        """As a process does that is started anew."""
        (tmp_path / "called_.py").write_text(CALLED[name].format(rate) + "\n" * rate)
        sys.modules.pop("called_", None)
        invalidate_caches()
        done = runner.start(steps(call), save=False)
        assert done.wait(30)
        (made,) = done.run.forward_calls()
        return made.cached, done.run.variables["a_result"]

    found = [run(1), run(1), run(20)]
    sys.modules.pop("called_", None)

    assert found == [(False, 3), (True, 3), (False, 60)]
