"""However code comes to a module, it reads what a cell has changed there (rule 8): each notebook is
run twice, and the second time its middle step reads what its last one set."""

from __future__ import annotations

import decimal
import locale
import math
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from importlib import invalidate_caches
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.dataflow.kernel import Kernel

MODULE = """
import decimal, math, os
from decimal import Decimal
rate = 1
held = []
def add(value):
    held.append(value)
    return len(held)
def rated(): return rate
def digits(): return len(str(Decimal(1) / 3))
def late():
    import os
    return os.environ.get("WFNB_TRIED")
class Tau:
    m = math
def __getattr__(name):
    if name == "last":
        return held
    raise AttributeError(name)
def turn(): return getattr(math, "tau")
def half():
    from math import tau
    return tau / 2
"""
SET = "import reached_\nreached_.rate += 5"
TAU = "import math\nmath.tau = 5"
OWN = {
    "a function that imports a function": (
        "def f(): from reached_ import rated; return rated()",
        "f()",
    ),
    "under another name": ("def f():\n    from reached_ import rated as r\n    return r()", "f()"),
    "a function that imports a number": (
        "def f():\n    from reached_ import rate\n    return rate",
        "f()",
    ),
    "a function that imports it": (
        "def f():\n    import reached_\n    return reached_.rate",
        "f()",
    ),
    "as another name": ("def f():\n    import reached_ as m\n    return m.rate", "f()"),
    "an inner function": (
        "def f():\n    import reached_ as m\n    def g(): return m.rate\n    return g()",
        "f()",
    ),
    "a lambda": ("f = lambda: __import__('reached_').rate", "f()"),
    "a method": (
        "class C:\n    def f(self):\n        import reached_\n        return reached_.rate",
        "C().f()",
    ),
    "a class": (
        "class C:\n    import reached_\n    def f(self): return self.reached_.rate",
        "C().f()",
    ),
    "a property": (
        "class C:\n    @property\n    def f(self):\n        from reached_ import rate as r\n"
        "        return r",
        "C().f",
    ),
    "a generator": ("def f():\n    import reached_\n    yield reached_.rate", "[*f()]"),
    "a class made by the cell": ("1", "class C:\n    from reached_ import rate\nC.rate"),
    "a function of the cell": ("1", "def f():\n    import reached_\n    return reached_.rate\nf()"),
    "a function that gives it": ("def f():\n    import reached_\n    return reached_", "f().rate"),
    "a default": ("import reached_\ndef f(m=reached_): return m.rate", "f()"),
    "a list": ("import reached_\nx = [reached_]", "x[0].rate"),
    "a closure": ("import reached_\ndef made(m): return lambda: m.rate\nf = made(reached_)", "f()"),
    "a partial": (
        "import functools, reached_\nf = functools.partial(getattr, reached_)",
        "f('rate')",
    ),
    "an attribute of an object": (
        "import reached_\nclass C: pass\no = C()\no.m = reached_",
        "o.m.rate",
    ),
    "a text": ("import reached_, importlib", "importlib.import_module('reach' + 'ed_').rate"),
    "sys.modules": ("import reached_, sys", "sys.modules['reached_'].rate"),
    "vars": ("import reached_", "vars(reached_)['rate']"),
    "its dict": ("import reached_", "reached_.__dict__['rate']"),
    "attrgetter": ("import operator, reached_\ng = operator.attrgetter('rate')", "g(reached_)"),
    "an attribute that the module makes": ("import reached_", "reached_.last, reached_.add(1)"),
    "an unknown name": ("import reached_\nn = 'rate'", "getattr(reached_, n), reached_.add"),
    "a match": ("import reached_", "match reached_:\n    case object(rate=r): pass"),
    "format": ("import reached_", "'{0.rate}'.format(reached_)"),
    "an import alone": ("1", "from reached_ import rate"),
    "all of it": ("1", "from reached_ import *"),
}
LIBRARY = {
    "getattr": ("import math", "getattr(math, 'tau')"),
    "beside an attribute": ("import math", "math.pi + getattr(math, 'tau')"),
    "vars": ("import math", "vars(math)['tau']"),
    "its dict": ("import math", "math.__dict__['tau']"),
    "attrgetter": ("import math, operator", "operator.attrgetter('tau')(math)"),
    "a list": ("import math\nx = [math]", "x[0].tau"),
    "a mapping of the cell": ("import math", "x = {'m': math}\nx['m'].tau"),
    "an argument": ("import math\ndef f(m): return m.tau", "f(math)"),
    "a default": ("import math\ndef f(m=math): return m.tau", "f()"),
    "a keyword": ("import math\ndef f(*, m=math): return m.tau", "f()"),
    "__import__": ("1", "__import__('math').tau"),
    "__import__ in a function": ("def f(): return __import__('math').tau", "f()"),
    "__import__ of what is put together": ("def f(): return __import__('ma' + 'th').tau", "f()"),
    "an import alone": ("1", "from math import tau"),
    "an import in a function": ("def f():\n    from math import tau as t\n    return t", "f()"),
    "a function of a module": ("import reached_", "reached_.turn()"),
    "an import in a function of a module": ("import reached_", "reached_.half()"),
    "an attribute of a module": ("import reached_", "reached_.math.tau"),
    "a class of a module": ("import reached_\no = reached_.Tau()", "o.m.tau"),
    "a text with dots": ("import pydoc", "pydoc.locate('math.tau')"),
    "another name": ("import math\nm = math", "m.tau"),
    "an object": (
        "import math\nclass C:\n    def __init__(self): self.m = math\no = C()",
        "o.m.tau",
    ),
}
SETTINGS = {
    "the environment": (
        "def f():\n    import os\n    return os.environ.get('WFNB_TRIED')",
        "import os\nos.environ['WFNB_TRIED'] = 'a'",
    ),
    "the environment, by name": (
        "def f():\n    from os import environ as e\n    return e.get('WFNB_TRIED')",
        "import os\nos.environ['WFNB_TRIED'] = 'a'",
    ),
    "the environment, by getenv": (
        "def f():\n    from os import getenv\n    return getenv('WFNB_TRIED')",
        "import os\nos.environ['WFNB_TRIED'] = 'a'",
    ),
    "the environment, in a module": (
        "def f():\n    import reached_\n    return reached_.late()",
        "import os\nos.environ['WFNB_TRIED'] = 'a'",
    ),
    "the environment, set in a function": (
        "import os\ndef f(): return os.getenv('WFNB_TRIED')",
        "def g():\n    import os\n    os.environ['WFNB_TRIED'] = 'a'\ng()",
    ),
    "decimal": (
        "def f():\n    from decimal import Decimal as D\n    return len(str(D(1) / 3))",
        "import decimal\ndecimal.getcontext().prec = 5",
    ),
    "decimal, whole": (
        "def f():\n    import decimal\n    return len(str(decimal.Decimal(1) / 3))",
        "def g():\n    import decimal\n    decimal.getcontext().prec = 5\ng()",
    ),
    "decimal, in a module": (
        "import reached_\nf = reached_.digits",
        "import decimal\ndecimal.getcontext().prec = 5",
    ),
    "pandas": (
        "def f():\n    import pandas\n    return repr(pandas.Series(range(99)))",
        "import pandas as pd\npd.set_option('display.max_rows', 5)",
    ),
    "numpy": (
        "def f():\n    from numpy import array\n    return repr(array([1 / 3]))",
        "import numpy as np\nnp.set_printoptions(precision=3)",
    ),
    "numpy's errors": (
        "def f():\n    import numpy\n    return numpy.geterr()['divide']",
        "import numpy as np\nold = np.seterr(divide='ignore')",
    ),
    "the locale": (
        "def f():\n    import locale\n    return locale.setlocale(locale.LC_NUMERIC)",
        "import locale\nlocale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')",
    ),
    "a class of a library": (
        "def f():\n    from fractions import Fraction as F\n    return getattr(F(1, 2), 'wfnb', 0)",
        "from fractions import Fraction\nFraction.wfnb = 5",
    ),
    "a class of a library, set in a function": (
        "def f():\n    import fractions\n    return getattr(fractions.Fraction(1, 2), 'wfnb', 0)",
        "def g():\n    from fractions import Fraction\n    Fraction.wfnb = 5\ng()",
    ),
    "rcParams": (
        "def f():\n    import matplotlib as m\n    return m.rcParams['lines.linewidth']",
        "import matplotlib\nmatplotlib.rcParams['lines.linewidth'] = 5",
    ),
    "rcParams, in a function": (
        "import matplotlib\ndef f(): return matplotlib.rcParams['lines.linewidth']",
        "def g():\n    from matplotlib import rcParams\n    rcParams['lines.linewidth'] = 5\ng()",
    ),
    "rcParams, of pyplot": (
        "import matplotlib\ndef f(): return matplotlib.rcParams['lines.linewidth']",
        "import matplotlib.pyplot as plt\nplt.rcParams['lines.linewidth'] = 5.5",
    ),
    "a clock": ("from time import time as f", "import time\ntime.time = lambda: 5"),
}
PATCHES = {
    "by a function": "def patch(m, v): m.tau = v\nimport math\npatch(math, 5)",
    "in a loop": "import math\nfor m in [math]: m.tau = 5",
    "under a name that is put together": "import math\nsetattr(math, 'ta' + 'u', 5)",
    "by its dict": "import math\nvars(math).update(tau=5)",
    "by a function that imports it": "def g():\n    import math as m\n    m.tau = 5\ng()",
    "by setattr in a function": "def g():\n    import math as m\n    setattr(m, 'tau', 5)\ng()",
    "by a text": "__import__('math').tau = 5",
    "by a mock": "from unittest import mock\nmock.patch('math.tau', 5).start()",
}


FUNCTIONS = {
    "of a library": ("import math\nmath.perm = lambda: y", "math.perm()"),
    "of an own module": ("import reached_\nreached_.hook = lambda: y", "reached_.hook()"),
    "by a function": (
        "import reached_\nreached_.hook = lambda: y",
        "def f():\n    import reached_ as m\n    return m.hook()\nf()",
    ),
    "by a text": (
        "import reached_\nreached_.hook = lambda: y\nname = 'hook'",
        "getattr(reached_, name)()",
    ),
}
LATER = {
    "an attribute": "import math\nx = math.tau",
    "a function": "def f():\n    import math\n    return math.perm(5, 2)\nx = f()",
    "an import": "from math import perm as f",
    "a text": "import math\nx = getattr(math, 'ta' + 'u')",
    "a list": "import math\nm = [math]\nx = m[0].tau",
    "a module that a text names": "x = __import__('math').tau",
    "one that is put together": "x = __import__('ma' + 't' + 'h').tau",
    "one that is put together in a text": "x = __import__(f'ma{\"th\"}').tau",
    "one put together in a function": "def f(): return __import__('ma' + 'th').tau\nx = f()",
    "one that a name has": "n = 'math'\nx = __import__(n).tau",
    "one that a name has, in a function": (
        "n = 'math'\ndef f():\n    import importlib\n    return importlib.import_module(n).tau\n"
        "x = f()"
    ),
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    import matplotlib  # noqa: PLC0415 - it is slow, and one test has it

    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WFNB_TRIED", "")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(math, "tau", math.tau)
    monkeypatch.setattr(math, "perm", math.perm)
    monkeypatch.setattr(time, "time", time.time)
    (tmp_path / "reached_.py").write_text(MODULE)
    invalidate_caches()
    made = Kernel("reached")
    held = np.geterr(), np.get_printoptions(), locale.setlocale(locale.LC_NUMERIC)
    rows = pd.option_context("display.max_rows", 60)
    with decimal.localcontext(), rows, matplotlib.rc_context():
        yield made
    made.stop()
    np.seterr(**held[0])
    np.set_printoptions(**held[1])
    locale.setlocale(locale.LC_NUMERIC, held[2])
    sys.modules.pop("reached_", None)
    if hasattr(Fraction, "wfnb"):
        del Fraction.wfnb


def stale_when_run_twice(kernel: Kernel, *cells: str) -> set[int]:
    """The steps that are stale when all cells have run a second time."""
    for _ in range(2):
        for number, code in enumerate(cells, 1):
            error = kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")
            assert error is None, error
    return {step["number"] for step in kernel.marks() if step["stale"]}


@pytest.mark.parametrize("way", OWN)
def test_what_a_cell_set_in_an_own_module_is_read_by(kernel: Kernel, way: str):
    assert 2 in stale_when_run_twice(kernel, *OWN[way], SET)


@pytest.mark.parametrize("way", LIBRARY)
def test_what_a_cell_set_in_a_library_is_read_by(kernel: Kernel, way: str):
    assert 2 in stale_when_run_twice(kernel, *LIBRARY[way], TAU)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_function_that_imports_what_it_uses_reads_its_settings(kernel: Kernel, name: str):
    function, change = SETTINGS[name]

    assert 2 in stale_when_run_twice(kernel, function, "x = f()", change)


@pytest.mark.parametrize("way", PATCHES)
def test_what_is_set_in_a_library_is_seen(kernel: Kernel, way: str):
    assert 2 in stale_when_run_twice(kernel, "import math", "x = math.tau", PATCHES[way])


@pytest.mark.parametrize("way", FUNCTIONS)
def test_a_function_that_a_cell_put_into_a_module_reads_what_it_names(kernel: Kernel, way: str):
    put, call = FUNCTIONS[way]

    for number in (1, 2, 3, 4, 3):
        code = ("y = 1", put, call, "y = 5")[number - 1]
        assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None

    assert 3 in {step["number"] for step in kernel.marks() if step["stale"]}


@pytest.mark.parametrize("way", LATER)
def test_what_is_set_first_when_it_was_read_is_seen(kernel: Kernel, way: str):
    calls = "x = f(5, 2)" if way == "an import" else "x = 1"
    for number, code in enumerate(("z = 1", LATER[way], calls), 1):
        assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None
    change = "import math\nmath.tau, math.perm = 5, lambda *_: 7"
    kernel.say(f"%%step 1 Cell\n{change}", "cell-1")

    stale = {step["number"] for step in kernel.marks() if step["stale"]}
    assert stale == ({2, 3} if way == "an import" else {2})


def test_state_behind_an_import_in_a_function_is_what_the_line_gives(kernel: Kernel):
    add = "def f(x):\n    from reached_ import add\n    return add(x)"

    assert stale_when_run_twice(kernel, add, "x = f(1)", "y = f(2)") == {2, 3}


@pytest.mark.parametrize("read", ["f()", "getattr(math, 'tau')", "from math import tau", "math.pi"])
def test_what_nobody_set_makes_nothing_stale(kernel: Kernel, read: str):
    first = "import math, operator\nfrom reached_ import half as f"
    other = "import reached_\nreached_.rate = 5\nmath.e = 3"

    assert stale_when_run_twice(kernel, first, read, other) == set()
