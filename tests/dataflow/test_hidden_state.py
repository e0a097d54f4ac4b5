"""What no name holds, and what no text shows, makes steps stale as names do (rule 8): attributes of
modules, settings of the process, random generators, attributes of classes, `eval`, caches."""

from __future__ import annotations

import builtins
import decimal
import gc
import locale
import os
import random
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from tests.dataflow.kernel import Kernel

MODULE = """
from dataclasses import dataclass
import os
rate = 1
ITEMS = []
COUNT = 0
def rated():
    return rate
def inner():
    return rated()
def add(value):
    ITEMS.append(value)
def total():
    return sum(ITEMS)
def count():
    global COUNT
    COUNT += 1
    return COUNT
def put(value):
    global rate
    rate = value
def tried():
    return os.environ.get("WFNB_TRIED")
def try_it(value):
    os.environ["WFNB_TRIED"] = value
class Store:
    held = []
    @classmethod
    def put(cls, value):
        cls.held.append(value)
    @classmethod
    def size(cls):
        return len(cls.held)
class Counter:
    made = 0
    def __init__(self):
        Counter.made += 1
def plus(value):
    return value + 1
from functools import cache
@cache
def kept():
    return [1]
class Failed(Exception):
    pass
def fail():
    raise Failed
"""
PLUS, RATE, BROKEN = "%plus", "%rate", "%broken"
"""No cells: the module is written anew, so that its function does something else, it holds
something else, or it is none."""
WRITTEN = {
    PLUS: ("value + 1", "value + 100"),
    RATE: ("rate = 1\n", "rate = 200\n"),
    BROKEN: ("rate = 1\n", "rate =\n"),
}
AUTORELOAD = "# plain\n%load_ext autoreload\n%autoreload 2 --hide-errors"
RESTART = "%restart"
SHOWN = "display.max_rows", 60, "display.width", 80


class Story(NamedTuple):
    """Cells by letter, those run in turn (a text is the cell's new code), and the steps that are
    stale then. A cell that begins with `# plain` is no step."""

    cells: dict[str, str]
    runs: Sequence[str | tuple[str, str]]
    stale: set[int]


CACHE = "from functools import lru_cache\n@lru_cache\ndef f(x): return x + {}"
CLASS = "class C:\n    k = 1\n    def m(self): return self.k"
SETTING = "import os\nos.environ['WFNB_TRIED'] = 'a'"
SEEDED = "import random\nrandom.seed(1)"
CONFIG = {"a": "import settings_", "b": "settings_.rate = 5"}
LARGE = "import numpy as np\na = np.zeros((500, 500))"
CHANGES = (
    "a.reshape(-1)[77777] = 7",
    "a.ravel()[77777] = 7",
    "a.view()[155, 277] = 7",
    "a.squeeze()[155, 277] = 7",
    "v = a.ravel()\nv[77777] = 7",
    "np.asarray(a)[155, 277] = 7",
    "v = np.asarray(a)\nv[155, 277] = 7",
    "def f(x):\n    v = np.ravel(x)\n    v[77777] = 7\nf(a)",
    "np.transpose(a)[277, 155] += 7",
)
OBJECTS = (
    "class R:\n    def __init__(self, v): self.v = v\n    def fix(self): self.v = 0\n"
    "m = [R(i) for i in range(3000)]"
)
FIXES = (
    "m[1777].fix()",
    "for r in m:\n    if r.v == 1777: r.fix()",
    "d = dict(enumerate(m))\nd[1777].fix()",
)
IMPORT = "import settings_"
KEEPS = (
    "from functools import cache, lru_cache\n@{}\ndef load(n=1): return [n]\n"
    "class L:\n    @lru_cache\n    def held(self): return [1]\nl = L()"
)
TAKES = {
    "what it returned": ("load().append(2)", "r = [*load()]"),
    "a name": ("x = load()\nx.append(2)", "r = [*load()]"),
    "a name in it": ("for x in [load()]: x.append(2)", "r = [*load()]"),
    "a function": ("def f(): load().append(2)\nf()", "r = [*load()]"),
    "a function that changes it": ("def f(x): x.append(2)\nf(load())", "r = [*load()]"),
    "a method": ("x = l.held()\nx[0] = 2", "r = [*l.held()]"),
    "other arguments": ("load(3).append(2)", "r = [*load(3)]"),
}
FRACTION = (
    "import fractions, numbers\nfrom fractions import Fraction\n"
    "half = Fraction(1, 2)\nclass C: pass"
)
WRAP = "def wrap(old): return lambda self: old(self) + 1\n"
SET_ON_CLASS = {
    "Fraction.wfnb_tried = lambda self: {}": "r = half.wfnb_tried()",
    "fractions.Fraction.wfnb_tried = {}": "r = [each.wfnb_tried for each in [half]]",
    "setattr(Fraction, 'wfnb_tried', {})": "r = getattr(half, 'wfnb_tried')",
    "def to(kind):\n    return lambda f: setattr(kind, 'wfnb_tried', f)\n"
    "@to(Fraction)\ndef f(self): return {}": "r = (half + 1).wfnb_tried()",
    "def put(v): Fraction.wfnb_tried = v\nput({})": "def f(): return half.wfnb_tried\nr = f()",
}
PLUS_ONE = {"b": "settings_.plus(1)", "c": "settings_.plus(2)"}
TRY, ELSE = "try: r = ", "\nexcept (NameError, KeyError): r = 0"
COUNTS = """
class C:
    n = 0
    @classmethod
    def count(cls):
        cls.n += 1
    def count_all(self):
        type(self).n += 1
"""
SETS_AND_GETS = """
    def __set__(self, owner, value): self.{0} = value
    def __get__(self, owner, kind=None): return self.{0} if owner else self
class C:
    x = D()
    def put(self, value): self.x = value
"""
KEEPERS = {
    "a descriptor": ("class D:\n    v = 0" + SETS_AND_GETS.format("v"), "c.x = 5", "r = e.x"),
    "a descriptor, by a method,": (
        "class D:\n    v = 0" + SETS_AND_GETS.format("v"),
        "c.put(5)",
        "r = e.x",
    ),
    "a slot of a descriptor": (
        "class D:\n    __slots__ = ('v',)\n    def __init__(self): self.v = 0"
        + SETS_AND_GETS.format("v"),
        "c.x = 5",
        "r = e.x",
    ),
    "a descriptor that counts": (
        "class D:\n    n = 0\n    def __get__(self, owner, kind=None):\n"
        "        self.n += 1\n        return self.n\nclass C:\n    x = D()",
        "q = c.x",
        "r = e.x",
    ),
    "a method in its default": (
        "class C:\n    def put(self, v, past=[]):\n        past.append(v)\n"
        "        return len(past)",
        "q = c.put(5)",
        "r = e.put(1)",
    ),
    "the function around a property": (
        "def make():\n    s = {}\n    class C:\n        @property\n"
        "        def x(self): return s.get('v', 0)\n        @x.setter\n"
        "        def x(self, v): s['v'] = v\n    return C\nC = make()",
        "c.x = 5",
        "r = e.x",
    ),
}
WEAK = """
import weakref
class K:
    v = 1
    def put(self):
        self.v += 1
k = K()
w = weakref.ref(k)
"""
PATCHED = "class A:\n    p = 1\n    def m(self): return 1\na = A()\nxs = [A(), A()]"
STAR = {"a": "from math import *\nv = sqrt(4)", "b": "r = v + pi", "c": "pi = 3"}
RELOAD = "import importlib, settings_\nimportlib.reload(settings_)"
SET_IN_MAIN = "import sys\nsetattr(sys.modules[__name__], 'q', {})"
DECIMAL = "import decimal\nfrom decimal import Decimal\ndecimal.getcontext().prec = 5"
SHOW = "\ndef show(x): return f'{x}'"
FRAME = "import pandas as pd\ndf = pd.DataFrame({'a': [*range(99)]})" + SHOW
ARRAY = "import numpy as np\nv = np.ones(3) / 7" + SHOW
SETTINGS = (
    (
        FRAME,
        "pd.set_option('display.max_rows', 11)",
        "pd.set_option('display.max_rows', 12)",
        (
            "pd.get_option('display.max_rows')",
            "pd.options.display.max_rows",
            "df._repr_html_()",
            "'%s' % df",
            "df.__str__()",
            "show(df)",
        ),
    ),
    (
        ARRAY,
        "np.set_printoptions(precision=3)",
        "np.set_printoptions(precision=4)",
        ("np.get_printoptions()['precision']", "'%s' % v", "show(v)"),
    ),
    (ARRAY, "np.setbufsize(1600);", "np.setbufsize(3200);", ("np.getbufsize()",)),
    (
        "import locale",
        "_ = locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')",
        "pass",
        ("locale.setlocale(locale.LC_NUMERIC)", "locale.getlocale(locale.LC_NUMERIC)"),
    ),
    ("import gc", "gc.set_threshold(600)", "gc.set_threshold(500)", ("gc.get_threshold()",)),
    ("from gc import *", "set_threshold(600)", "set_threshold(500)", ("get_threshold()",)),
    (
        "import socket",
        "socket.setdefaulttimeout(7)",
        "socket.setdefaulttimeout(8)",
        ("socket.getdefaulttimeout()",),
    ),
    (
        "import sys",
        "sys.setrecursionlimit(3001)",
        "sys.setrecursionlimit(3002)",
        ("sys.getrecursionlimit()",),
    ),
    ("import sys", "sys.argv[1:] = ['a']", "sys.argv[1:] = ['b']", ("sys.argv[1:]",)),
    (
        "import signal",
        "_ = signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "_ = signal.signal(signal.SIGUSR1, lambda *_: None)",
        ("signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN",),
    ),
    ("import os", "_ = os.umask(0o27)", "_ = os.umask(0o77)", ("os.umask(0o22)",)),
)
PARTS = {
    "the environment": (
        "import os",
        "os.environ['WFNB_TRIED'] = '1'",
        "os.environ['WFNB_TRIED'] = '2'",
        "os.environ['WFNB_OTHER'] = '1'",
        "r = os.environ['WFNB_TRIED']",
    ),
    "how pandas shows frames": (
        FRAME,
        "pd.set_option('display.max_rows', 7)",
        "pd.set_option('display.max_rows', 8)",
        "pd.set_option('display.width', 70)",
        "r = repr(df)",
    ),
    "how numpy shows arrays": (
        ARRAY,
        "np.set_printoptions(precision=3)",
        "np.set_printoptions(precision=4)",
        "np.set_printoptions(threshold=3)",
        "r = repr(v)",
    ),
}
STORIES = {
    **{
        f"a large array changed by {change}": Story(
            {"a": LARGE, "b": "r = float(a.sum())", "c": change}, ["a", "b", "c", "b"], {2}
        )
        for change in CHANGES
    },
    **{
        f"one of many objects changed by {fix}": Story(
            {"a": OBJECTS, "b": "r = sum(x.v for x in m)", "c": fix}, ["a", "b", "c", "b"], {2}
        )
        for fix in FIXES
    },
    "a large array that is only looked at": Story(
        {"a": LARGE, "b": "v = a.ravel()\nw = v.copy()\nw[3] = 1\nr = float(a.sum())"},
        ["a", "b", "b"],
        set(),
    ),
    "a module that is handed on": Story(
        {"a": IMPORT + "\nsettings_.rate = 2", "b": "def f(m): return m.rate\nr = f(settings_)"},
        ["a", "b", ("a", IMPORT + "\nsettings_.rate = 3")],
        {2},
    ),
    "a register of a module, filled again by a function": Story(
        {"a": IMPORT, "b": "settings_.add(5)", "c": "settings_.total()"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a register of a module, filled once": Story(
        {"a": IMPORT, "b": "settings_.add(5)", "c": "settings_.total()"}, ["a", "b", "c"], set()
    ),
    "a register of a module, read by itself": Story(
        {"a": IMPORT, "b": "settings_.add(5)", "c": "sum(settings_.ITEMS)"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a register of a module, by imported functions": Story(
        {"a": "from settings_ import add, total", "b": "add(5)", "c": "total()"},
        ["a", "b", "c", "a", "b", "c"],
        {2, 3},
    ),
    "a register, filled where its function is imported": Story(
        {"b": "from settings_ import add\nadd(5)", "c": "from settings_ import total\ntotal()"},
        ["b", "c", "b", "c"],
        {1, 2},
    ),
    "a counter of a module": Story(
        {"a": IMPORT, "b": "settings_.count()", "c": "settings_.count()"},
        ["a", "b", "c", "b"],
        {2},
    ),
    "a counter of a module, imported": Story(
        {"a": "from settings_ import count", "b": "count()", "c": "count()"},
        ["a", "b", "c", "c"],
        {3},
    ),
    "what a function of a module sets": Story(
        {"a": IMPORT, "b": "settings_.put(2)", "c": "settings_.inner()"},
        ["a", "b", "c", ("b", "settings_.put(5)")],
        {3},
    ),
    "what a function of a module sets, twice": Story(
        {"a": IMPORT, "b": "settings_.put(2)", "c": "settings_.inner()"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "what a function of the notebook has a module set": Story(
        {"a": IMPORT, "d": "def f(): settings_.put(2)", "b": "f()", "c": "settings_.rate"},
        ["a", "d", "b", "c", ("b", "settings_.put(5)")],
        {4},
    ),
    "a class of a module, filled by its method": Story(
        {"a": "from settings_ import Store", "b": "Store.put(5)", "c": "len(Store.held)"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a class of a module, filled and asked by methods": Story(
        {"a": IMPORT, "b": "settings_.Store.put(5)", "c": "settings_.Store.size()"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a class of a module that counts its objects": Story(
        {"a": IMPORT, "b": "s = settings_.Counter()", "c": "settings_.Counter.made"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a class of a module, used and run from the top": Story(
        {"a": IMPORT, "b": "s = settings_.Counter", "c": "import json\nr = json.dumps([1])"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "the environment, by functions of a module": Story(
        {"a": IMPORT, "b": "settings_.try_it('a')", "c": "settings_.tried()"},
        ["a", "b", "c", ("b", "settings_.try_it('b')")],
        {3},
    ),
    "a module loaded anew": Story({"a": RELOAD, **PLUS_ONE}, ["a", "b", "c", PLUS, "a"], {2, 3}),
    "a module loaded anew, then used": Story(
        {"a": RELOAD, **PLUS_ONE}, ["a", "b", PLUS, "a", "c"], {2}
    ),
    "a module loaded anew, all run again": Story(
        {"a": RELOAD, **PLUS_ONE}, ["a", "b", "c", PLUS, "a", "b", "c"], set()
    ),
    "a module loaded anew, by a function": Story(
        {"a": f"{RELOAD}\nfrom settings_ import plus", "b": "plus(1)"}, ["a", "b", PLUS, "a"], {2}
    ),
    "a module loaded anew, and a function from before": Story(
        {"a": "from settings_ import plus", "b": "plus(1)", "c": RELOAD, "d": "plus(2)"},
        ["a", "b", PLUS, "c", "d"],
        {1, 2, 4},
    ),
    "a module loaded anew by a cell that is no step": Story(
        {"a": IMPORT, **PLUS_ONE, "p": f"# plain\n{RELOAD}"}, ["a", "b", PLUS, "p"], {1, 2}
    ),
    "a module written anew, after a restart": Story(
        {"a": IMPORT, **PLUS_ONE}, ["a", "b", "c", PLUS, RESTART, "a", "c"], {2}
    ),
    "a module as it was, after a restart": Story(
        {"a": IMPORT, **PLUS_ONE}, ["a", "b", "c", RESTART, "a", "c"], set()
    ),
    "a module that loads itself anew": Story(
        {
            "p": AUTORELOAD,
            "a": "from settings_ import plus",
            "b": "u = plus(1)\nu",
            "c": "u + plus(2)",
        },
        ["p", "a", "b", PLUS, "c"],
        {1, 2, 3},
    ),
    "a module that loads itself anew, all run again": Story(
        {
            "p": AUTORELOAD,
            "a": "from settings_ import plus",
            "b": "u = plus(1)\nu",
            "c": "u + plus(2)",
        },
        ["p", "a", "b", "c", PLUS, "c", "a", "b", "c"],
        set(),
    ),
    "a module that loads itself anew, and nobody names": Story(
        {"p": AUTORELOAD, "a": "from settings_ import plus", "b": "plus(1)", "q": "# plain\n1"},
        ["p", "a", "b", PLUS, "q"],
        {1, 2},
    ),
    "data of a module that loads itself anew": Story(
        {"p": AUTORELOAD, **CONFIG, "b": "r = settings_.rate", "q": "# plain\n1"},
        ["p", "a", "b", RATE, "q"],
        {1, 2},
    ),
    "data of a module that loads itself anew, and is looked at": Story(
        {"p": AUTORELOAD, **CONFIG, "b": "r = settings_.rate", "q": "# plain\nsettings_.rate"},
        ["p", "a", "b", RATE, "q", "a", "b"],
        set(),
    ),
    "data of a module that loads itself anew, by name": Story(
        {"p": AUTORELOAD, "a": "from settings_ import rate", "b": "r = rate"},
        ["p", "a", "b", RATE, "b"],
        {1, 2},
    ),
    "data of a module that loads itself anew, by name, all run again": Story(
        {"p": AUTORELOAD, "a": "from settings_ import rate", "b": "r = rate"},
        ["p", "a", "b", RATE, "a", "b"],
        set(),
    ),
    "a module that cannot be loaded anew": Story(
        {"p": AUTORELOAD, "a": "from settings_ import rate", "b": "r = rate"},
        ["p", "a", "b", BROKEN, "b"],
        set(),
    ),
    "the environment, by a magic": Story(
        {"a": "%env WFNB_TRIED=1", "b": "import os\nos.environ['WFNB_TRIED']"},
        ["a", "b", ("a", "%env WFNB_TRIED=2")],
        {2},
    ),
    "the environment, by another magic, twice": Story(
        {"a": "%set_env WFNB_TRIED 1", "b": "import os\nos.environ['WFNB_TRIED']"},
        ["a", "b", "a", "b"],
        set(),
    ),
    "the environment, read by processes": Story(
        {
            "a": SETTING,
            "b": "x = !echo $WFNB_TRIED",
            "c": "import subprocess\nx = subprocess.check_output(['env'])",
            "d": "%%bash\necho $WFNB_TRIED",
            "e": "q = os.system('true')",
            "f": "from subprocess import run",
            "g": "q = run(['true'])",
            "h": "q = 1",
        },
        [*"abcdefgh", ("a", SETTING.replace("'a'", "'b'"))],
        {2, 3, 4, 5, 7},
    ),
    "the environment, set again by code that may bind names": Story(
        {
            "a": "import os",
            "b": "r = os.getenv('WFNB_TRIED')",
            "c": "os.environ['WFNB_TRIED'] = 'b'\nif r is None:\n    q = 1",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    "the environment, set by a library": Story(
        {
            "p": "# plain\nfrom unittest.mock import patch",
            "a": "p = patch.dict('os.environ', WFNB_TRIED='1')\np.start()",
            "b": "import os\nos.environ['WFNB_TRIED']",
        },
        ["p", "a", "b", ("a", "p = patch.dict('os.environ', WFNB_TRIED='2')\np.start()")],
        {2},
    ),
    "the working directory": Story(
        {"a": "import os", "b": "os.path.exists('d')", "d": "x = 1", "c": "os.chdir('/')"},
        ["a", "b", "d", "c", "b", "d"],
        {2},
    ),
    "the working directory, by a magic": Story(
        {"a": "open('settings_.py').close()", "b": "%cd -q /"}, ["a", "b", "b"], set()
    ),
    "the working directory, there and back": Story(
        {"a": "import os\nhere = os.getcwd()", "b": "os.chdir('/')", "c": "os.chdir(here)"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "the working directory, further up": Story(
        {"a": "import os", "b": "os.chdir('..')"}, ["a", "b", "b"], {2}
    ),
    "a name of builtins": Story(
        {"a": "import builtins\nbuiltins.wfnb_tried = 1", "b": "wfnb_tried", "c": "len([1])"},
        ["a", "b", "c", ("a", "import builtins\nbuiltins.wfnb_tried = 2")],
        {2},
    ),
    "the context of decimal numbers": Story(
        {"a": DECIMAL, "b": "r = Decimal(1) / 3", "c": "q = 1 / 3"},
        ["a", "b", "c", ("a", DECIMAL.replace("5", "8"))],
        {2},
    ),
    "the context of decimal numbers, twice": Story(
        {"a": DECIMAL, "b": "r = [Decimal(1)]", "c": "q = sum(r) / 3"}, ["a", "b", "c"] * 2, set()
    ),
    "the context of decimal numbers, set later": Story(
        {
            "a": "from decimal import Decimal\nr = [Decimal(1)]",
            "b": "q = r[0] / 3",
            "c": "from decimal import getcontext\ngetcontext().prec = 5",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    "the context of decimal numbers, set after it was used": Story(
        {"a": "import decimal\nr = decimal.Decimal(1) / 3\ndecimal.getcontext().prec = 5"},
        ["a", "a"],
        {1},
    ),
    "the context of decimal numbers, set before it is used": Story(
        {"a": f"{DECIMAL}\nr = Decimal(1) / 3", "b": DECIMAL + "\ndecimal.getcontext().prec = 9"},
        ["a", "b", "a", "b"],
        set(),
    ),
    "the context of decimal numbers, of which a later step sets another part": Story(
        {"a": f"{DECIMAL}\nr = Decimal(1) / 3", "b": "decimal.getcontext().rounding = 'ROUND_UP'"},
        ["a", "b", "a"],
        {1},
    ),
    **{
        f"two parts of {what}, of which one is set otherwise": Story(
            {"a": imports, "b": one, "c": two, "d": read}, ["a", "b", "c", "d", ("b", other)], {4}
        )
        for what, (imports, one, other, two, read) in PARTS.items()
    },
    **{
        f"two parts of {what}, of which one is set in between": Story(
            {"a": imports, "b": one, "d": read, "c": two}, ["a", "b", "d", "c"] * 2, {3}
        )
        for what, (imports, one, other, two, read) in PARTS.items()
    },
    **{
        f"two parts of {what}, run twice": Story(
            {"a": imports, "b": one, "c": two, "d": read}, ["a", "b", "c", "d"] * 2, set()
        )
        for what, (imports, one, other, two, read) in PARTS.items()
    },
    "the context of decimal numbers, under a name": Story(
        {"a": "import decimal\nc = decimal.getcontext()\nc.prec = 5\nr = decimal.Decimal(1) / 3"},
        ["a", "a"],
        set(),
    ),
    "the context of decimal numbers, set by a function after it was used": Story(
        {
            "a": "import decimal\ndef fine(): decimal.getcontext().prec = 5",
            "b": "r = decimal.Decimal(1) / 3\nfine()",
        },
        ["a", "b", "b"],
        {2},
    ),
    "the context of decimal numbers, for a name that holds a text then": Story(
        {"a": f"{DECIMAL}\nx = Decimal(1)", "b": "x = str(x / 3)"},
        ["a", "b", ("a", f"{DECIMAL.replace('5', '8')}\nx = Decimal(1)")],
        {2},
    ),
    "how pandas shows frames": Story(
        {
            "a": "import pandas as pd\ndf = pd.DataFrame({'a': [1]})",
            "c": "pd.set_option('display.max_rows', 11)",
            "b": "df",
            "d": "n = df.a.sum()",
        },
        ["a", "c", "b", "d", ("c", "pd.options.display.max_rows = 12")],
        {3},
    ),
    "how numpy shows arrays": Story(
        {
            "a": "import numpy as np\nv = np.arange(3)",
            "c": "np.set_printoptions(precision=3)",
            "b": "print(v)",
            "d": "n = v.sum()",
        },
        ["a", "c", "b", "d", ("c", "np.set_printoptions(precision=4)")],
        {3},
    ),
    "how numpy takes errors": Story(
        {
            "a": "import numpy as np\nv = np.arange(3)",
            "c": "np.seterr(all='ignore');",
            "b": "n = 1 / v",
        },
        ["a", "c", "b", ("c", "np.seterr(divide='print');")],
        {3},
    ),
    **{
        f"{asked}, after {sets}, then {other}": Story(
            {"a": imports, "b": sets, "c": f"r = {asked}"}, ["a", "b", "c", ("b", other)], {3}
        )
        for imports, sets, other, asks in SETTINGS
        for asked in asks
    },
    **{
        f"{asked}, before {sets}, and again": Story(
            {"a": imports, "c": f"r = {asked}", "b": sets}, ["a", "c", "b", "c"], {2}
        )
        for imports, sets, _, asks in SETTINGS
        for asked in asks
    },
    **{
        f"{sets}, run twice with what reads it": Story(
            {"a": imports, "b": sets, "c": f"r = {asks[0]}"}, ["a", "b", "c"] * 2, set()
        )
        for imports, sets, _, asks in SETTINGS
    },
    "what a setting was, shown": Story(
        {"a": "import numpy as np", "b": "np.seterr(divide='call')"}, ["a", "b", "b"], {2}
    ),
    "what a setting was, not shown": Story(
        {"a": "import numpy as np", "b": "np.seterr(divide='call');"}, ["a", "b", "b"], set()
    ),
    "a setting that is asked for as it is set, by a function": Story(
        {
            "a": "import numpy as np\ndef ask(): return np.seterr(over='warn')",
            "b": "np.seterr(over='ignore');",
            "c": "r = ask()",
        },
        ["a", "b", "c", ("b", "np.seterr(over='raise');")],
        {3},
    ),
    "arrays deep in what is shown": Story(
        {
            "a": "import numpy as np\nclass C:\n    def __repr__(self): return f'{self.x}'\n"
            "c = C()\nc.x = {'k': [[np.ones(3)]]}",
            "b": "np.set_printoptions(precision=3)",
            "c": "c",
        },
        ["a", "b", "c", ("b", "np.set_printoptions(precision=4)")],
        {3},
    ),
    "a name as one of a dict, which a later step gives": Story(
        {"a": "n = 1", "b": "n = globals()['n'] + 1", "c": "n = 5"},
        ["a", "b", "c", "b"],
        {2},
    ),
    "a name as one of a dict, which the code has bound before": Story(
        {"a": "n = 1\nr = globals()['n'] + 1", "b": "n = 5"}, ["a", "b", "a", "a"], set()
    ),
    "a name that is set in the notebook's module": Story(
        {"a": SET_IN_MAIN.format(6), "b": "r = q + 1"},
        ["a", "b", ("a", SET_IN_MAIN.format(7))],
        {2},
    ),
    "a name that is set in the notebook's module, under another name of that": Story(
        {"m": "import sys\nme = sys.modules['__main__']", "a": "me.q = 6", "b": "r = q + 1"},
        ["m", "a", "b", ("a", "me.q = 7")],
        {2, 3},
    ),
    **{
        f"a name of the notebook's module, in a function: {given}": Story(
            {"a": "k = 1", "f": f"def f():\n    {given}", "b": "r = f()"},
            ["a", "f", "b", ("a", "k = 2")],
            {3},
        )
        for given in (
            "from __main__ import k\n    return k",
            "import __main__\n    return __main__.k",
            "import __main__ as me\n    return me.k",
            "import sys\n    return sys.modules['__main__'].k",
            "import sys\n    return sys.modules[__name__].k",
            "from importlib import import_module\n    return import_module('__main__').k",
        )
    },
    "the name of the notebook's module": Story(
        {"a": "k = 1", "b": "import logging\nlog = logging.getLogger(__name__)"},
        ["a", "b", ("a", "k = 2")],
        set(),
    ),
    "a name that the shell is given": Story(
        {"s": "shell = get_ipython()", "a": "shell.push({'q': 6})", "b": "r = q + 1"},
        ["s", "a", "b", ("a", "shell.push({'q': 7})")],
        {2, 3},
    ),
    "a name of a function's module": Story(
        {"f": "def f(): pass", "a": "f.__globals__['q'] = 6", "b": "r = q + 1"},
        ["f", "a", "b", ("a", "f.__globals__['q'] = 7")],
        {3},
    ),
    "a change in place that no text shows": Story(
        {"a": "x = [1]", "b": "eval('x' + '.append(2)')", "c": "r = sum(x)"}, ["a", "b", "c"], set()
    ),
    "a change in place that no text shows, which is not done again": Story(
        {"a": "x = [1]", "b": "eval('x' + '.append(2)')", "c": "r = sum(x)"},
        ["a", "b", "c", "a", "c"],
        {3},
    ),
    "what an iterator calls when it is used": Story(
        {
            "a": "f = abs",
            "m": "m = map(lambda v: f(v), [-1])",
            "b": "f = float",
            "c": "r = list(m)",
        },
        ["a", "m", "b", "c", ("b", "f = str")],
        {4},
    ),
    "what a dictionary calls for a key that is missing": Story(
        {
            "a": "from collections import defaultdict\nk = 1",
            "d": "d = defaultdict(lambda: k)",
            "b": "k = 2",
            "c": "r = d['x']",
        },
        ["a", "d", "b", "c", ("b", "k = 3")],
        {4},
    ),
    "names in an expression of pandas": Story(
        {"a": "import pandas as pd", "b": "k = 1", "c": "r = pd.eval('k + 1')"},
        ["a", "b", "c", ("b", "k = 2")],
        {3},
    ),
    "names as a dict, without one that is deleted": Story(
        {"a": "x = 1", "b": "del x", "c": "'x' in globals()"}, ["a", "b", "c", "a", "c"], {3}
    ),
    "names as a dict, without one that is deleted no more": Story(
        {"a": "x = 1", "b": "del x", "c": "'x' in globals()"},
        ["a", "b", "c", "a", ("b", "y = 1")],
        {3},
    ),
    "names as a dict, one deleted each time": Story(
        {"a": "x = 1", "b": "del x", "c": "'x' in globals()"}, ["a", "b", "c"] * 2, set()
    ),
    "an attribute of a module": Story(
        {**CONFIG, "c": "r = settings_.rate"}, ["a", "b", "c", ("b", "settings_.rate = 6")], {3}
    ),
    "run twice": Story({**CONFIG, "c": "r = settings_.rate"}, ["a", "b", "c"] * 2, set()),
    "through a function of the module": Story(
        {**CONFIG, "c": "r = settings_.inner()"}, ["a", "b", "c", ("b", "settings_.rate = 6")], {3}
    ),
    "through an imported function": Story(
        {
            "a": "import settings_\nfrom settings_ import rated",
            "b": CONFIG["b"],
            "c": "r = rated()",
        },
        ["a", "b", "c", ("b", "settings_.rate = 6")],
        {3},
    ),
    "imported by name": Story(
        {**CONFIG, "c": "from settings_ import rate\nr = rate"},
        ["a", "b", "c", ("b", "settings_.rate = 6")],
        {3},
    ),
    "set by setattr": Story(
        {"a": "import settings_\nsetattr(settings_, 'rate', 5)", "c": "r = settings_.rate"},
        ["a", "c", ("a", "import settings_\nsetattr(settings_, 'rate', 6)")],
        {2},
    ),
    "set before, by a step that comes in between": Story(
        {"a": "import settings_", "c": "r = settings_.rate", "b": "settings_.rate = 7"},
        ["a", "c", "b", "c"],
        {2},
    ),
    "changed in place, again": Story(
        {"a": "import settings_", "b": "settings_.ITEMS.append(5)", "c": "r = settings_.ITEMS[:]"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "the environment": Story(
        {"a": SETTING, "b": "import os\nr = os.getenv('WFNB_TRIED')", "c": "q = os.getcwd()"},
        ["a", "b", "c", ("a", SETTING.replace("'a'", "'b'"))],
        {2},
    ),
    "the environment, twice": Story(
        {"c": "import os\nq = os.getcwd()", "a": SETTING, "b": "r = os.environ['WFNB_TRIED']"},
        ["c", "a", "b"] * 2,
        set(),
    ),
    "set by a function of the notebook": Story(
        {
            "a": "import os\ndef put(v):\n    os.environ['WFNB_TRIED'] = v",
            "b": "put('a')",
            "c": "r = os.environ['WFNB_TRIED']",
        },
        ["a", "b", "c", ("b", "put('b')")],
        {3},
    ),
    "an attribute of a class, by an object": Story(
        {"a": CLASS, "b": "c = C()", "e": "C.k = 3", "d": "r = c.k"},
        ["a", "b", "e", "d", ("e", "C.k = 4")],
        {3, 4},
    ),
    "an attribute of a class, by a method": Story(
        {"a": CLASS, "b": "c = C()", "e": "C.k = 3", "d": "r = c.m()"},
        ["a", "b", "e", "d"] * 2,
        set(),
    ),
    "drawn a second time": Story({"a": SEEDED, "b": "r = random.random()"}, ["a", "b", "b"], {2}),
    "drawn from the seed again": Story(
        {"a": SEEDED, "b": "r = random.random()"}, ["a", "b"] * 2, set()
    ),
    "seeded otherwise": Story(
        {"a": SEEDED, "b": "r = random.random()"},
        ["a", "b", ("a", SEEDED.replace("1", "2"))],
        {2},
    ),
    "drawn before the seed": Story(
        {"a": SEEDED, "b": "s = 1"},
        ["a", "b", ("a", "import random\nr = random.random()\nrandom.seed(1)")],
        {1},
    ),
    "seeded for nobody": Story(
        {"a": "import random", "b": "r = random.random()", "c": "s = r"},
        ["a", "b", "c", "b", "c"],
        set(),
    ),
    "drawn by a library": Story(
        {
            "a": "import numpy as np, pandas as pd\nnp.random.seed(1)\n"
            "df = pd.DataFrame({'a': [1, 2]})",
            "b": "r = df.sample(1)",
        },
        ["a", "b", "b"],
        {2},
    ),
    "seeded by a function of the notebook": Story(
        {
            "a": "import numpy as np\ndef begin():\n    np.random.seed(1)",
            "d": "begin()",
            "b": "r = np.random.rand(3)",
        },
        ["a", "d", "b", "a", "d", "b", "b"],
        {3},
    ),
    "drawn by a cell that is no step": Story(
        {"a": SEEDED, "p": "# plain\nrandom.random()", "b": "r = random.random()"},
        ["a", "p", "b"],
        {2},
    ),
    "text that is code": Story(
        {"a": "k = 1", "b": "r = eval('k+1')"}, ["a", "b", ("a", "k = 2")], {2}
    ),
    "text that becomes code": Story(
        {"a": "k = 1", "s": "s = 'k' + '+1'", "b": "r = eval(s)"},
        ["a", "s", "b", ("a", "k = 2")],
        {3},
    ),
    "text that becomes code, twice, over a later name": Story(
        {"a": "k = 1", "s": "s = 'k' + '+1'", "b": "r = eval(s)", "z": "z = 5"},
        ["a", "s", "b", "z"] * 2,
        set(),
    ),
    "names as a dict": Story(
        {"a": "k = 1", "b": "r = globals()['k']"}, ["a", "b", ("a", "k = 2")], {2}
    ),
    **{
        f"a name that is not there yet: {asked}": Story(
            {"a": "j = 1", "b": f"r = {asked}"}, ["a", "b", ("a", "k = 2")], {2}
        )
        for asked in (
            "'k' in globals()",
            "'k' not in dir()",
            "globals().get('k')",
            "vars().get('k', 3)",
        )
    },
    "what was written into a buffer by an object that hides it": Story(
        {
            "a": "import io, csv\nbuf = io.StringIO()\nrows = csv.writer(buf)",
            "b": "rows.writerow([3, 4])",
            "c": "buf.getvalue()",
        },
        ["a", "b", "c", "a", ("b", "rows.writerow([5, 6])")],
        {3},
    ),
    **{
        f"a name that is gone, and was there again: {asked}": Story(
            {"a": "j = 1\nk = 2", "b": "del k", "c": f"r = {asked}"}, ["a", "b", "c", "a", "c"], {3}
        )
        for asked in ("'k' in globals()", "'k' in dir()", "'k' in [*dir()]")
    },
    "a value that is made where it is not there": Story(
        {"a": "j = 1", "b": "if 'k' not in globals():\n    k = j", "c": "k"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "names in a format": Story(
        {"a": "k = 1", "b": "r = '{k}'.format(**locals())"}, ["a", "b", ("a", "k = 2")], {2}
    ),
    "names as a dict, in a function": Story(
        {"a": "k = 1", "e": "def f(s): return globals()[s]", "b": "r = f('k')"},
        ["a", "e", "b", ("a", "k = 2")],
        {3},
    ),
    "another name of what was made anew, changed": Story(
        {"a": "a = [1]", "b": "b = a", "c": "a.append(2)\nr = [*b]"}, ["a", "b", "a", "c"], {3}
    ),
    "another name of what was made anew, changed in between": Story(
        {"a": "a = [1]", "b": "b = a", "c": "a.append(2)", "d": "r = [*b]"},
        ["a", "b", "a", "c", "d"],
        {4},
    ),
    "another name of what was made anew, read alone": Story(
        {"a": "a = [1]", "b": "b = a", "c": "r = [*b]"}, ["a", "b", "c", "a", "c"], set()
    ),
    "another name of what was made anew, and both run again": Story(
        {"a": "a = [1]", "b": "b = a", "c": "a.append(2)\nr = [*b]"},
        ["a", "b", "a", "c", "a", "b", "c"],
        set(),
    ),
    "another name of what was made anew, among hundreds": Story(
        {
            "a": "a = [1]",
            "b": "\n".join(f"n{i} = a[0] + {i}\nl{i} = [a[0], {i}]" for i in range(45)),
            "z": "zz = a",
            "c": "a.append(2)\nr = [*zz]",
        },
        ["a", "b", "z", "a", "c"],
        {4},
    ),
    "another name of what was made anew, after both were changed": Story(
        {"a": "a = [1]", "b": "b = a", "c": "a.append(2)", "d": "a.append(9)\nr = [*b]"},
        ["a", "b", "c", "a", "c", "d"],
        {4},
    ),
    "another name of what a change left as it was, made anew": Story(
        {"a": "a = [1, 2]", "b": "b = a", "c": "a.reverse()", "d": "r = b[0]"},
        ["a", "b", "c", "d", "c", "a", "c", "d"],
        {4},
    ),
    "another name of what two steps make, made anew by both": Story(
        {
            "a": "a = [1, None]",
            "b": "a = [*filter(None, a)]",
            "c": "b = a",
            "d": "b += [2]\nr = [*a]",
        },
        ["a", "b", "c", "a", "b", "d"],
        {4},
    ),
    "another name of what another step makes alike": Story(
        {"a": "a = [1]", "b": "b = a", "c": "a = [1]", "d": "b += [2]\nr = [*a]"},
        ["a", "b", "c", "d", "a", "b", "c", "d"],
        set(),
    ),
    "a module that a function of the notebook imports": Story(
        {
            "a": "def go():\n    import settings_\n    return settings_.plus(1)",
            "b": "r = go()",
            "c": "q = go() + 1",
        },
        ["a", "b", "c", PLUS, RESTART, "a", "b"],
        {3},
    ),
    "what `eval` reads under another name": Story(
        {"a": "v = 1", "b": "e = eval", "c": "r = e('v') + 1"},
        ["a", "b", "c", ("a", "v = 2"), "b"],
        {3},
    ),
    "what `eval` reads under another name, in a function": Story(
        {"a": "v = 1", "b": "e = eval\ndef f(): return e('v')", "c": "r = f() + 1"},
        ["a", "b", "c", ("a", "v = 2"), "b"],
        {3},
    ),
    **{
        f"what `vars` gives of {what}": Story(
            {
                "a": f"import types, argparse\nclass C:\n    pass\na = {what}\na.k = 1",
                "b": "b = vars(a)",
                "c": "b['k'] = 5",
                "d": "r = a.k",
            },
            ["a", "b", "c", "d", "a", "b", "d"],
            {4},
        )
        for what in ("C()", "types.SimpleNamespace()", "argparse.Namespace()")
    },
    "what `vars` gives, in order": Story(
        {
            "a": "import types\na = types.SimpleNamespace(k=1)",
            "b": "b = vars(a)",
            "c": "b['k'] = 5",
            "d": "r = a.k",
        },
        ["a", "b", "c", "d"],
        set(),
    ),
    "a name bound to another object later": Story(
        {"b": "b = [1]", "a": "a = b", "c": "a = [1]", "d": "r = (a, b)"},
        ["b", "a", "c", "d"] * 2,
        set(),
    ),
    **{
        f"an instance that is changed, and {what} that is not": Story(
            {"a": kind, "b": "p = P([])", "c": "p.l.append(1)"}, ["a", "b", "c", "b"], set()
        )
        for what, kind in {
            "its class": "class P:\n    def __init__(self, l): self.l = l",
            "its named tuple": "from collections import namedtuple\nP = namedtuple('P', 'l')",
            "its typed tuple": "from typing import NamedTuple\nclass P(NamedTuple):\n    l: list",
        }.items()
    },
    "an instance of a class defined again": Story(
        {"a": "class P: pass", "b": "p = P()", "c": "r = isinstance(p, P)"},
        ["a", "b", "c", "a", "c"],
        {3},
    ),
    "an instance of a subclass, and its class defined again": Story(
        {
            "a": "class P: pass",
            "q": "class Q(P): pass",
            "b": "p = Q()",
            "c": "r = isinstance(p, P)",
        },
        ["a", "q", "b", "c", "a", "c"],
        {4},
    ),
    "a member of an enumeration defined again by a cell that is no step": Story(
        {
            "a": "# plain\nimport enum\nclass C(enum.Enum): RED = 1",
            "b": "c = C.RED",
            "c": "r = c == C.RED",
        },
        ["a", "b", "c", "a", "c"],
        {2},
    ),
    "equal to what a dataclass defined again makes": Story(
        {
            "a": "import dataclasses\n@dataclasses.dataclass\nclass P: v: int",
            "b": "p = P(1)",
            "c": "r = p == P(1)",
        },
        ["a", "b", "c", "a", "c"],
        {3},
    ),
    "a key that is an object of its own": Story(
        {"a": "s = object()", "b": "d = {s: 1}", "c": "r = s in d"}, ["a", "b", "c", "a", "c"], {3}
    ),
    "a part that another object holds": Story(
        {
            "k": "class Net:\n    def __init__(self): self.w = [0.0]\n"
            "class Opt:\n    def __init__(self, w): self.w = w\n"
            "    def step(self): self.w[0] += 1",
            "a": "net = Net()",
            "b": "opt = Opt(net.w)",
            "c": "opt.step()\nr = [*net.w]",
        },
        ["k", "a", "b", "a", "c"],
        {4},
    ),
    "a closure over what was made anew": Story(
        {
            "k": "def make(d):\n    return lambda: len(d)",
            "a": "d = {}",
            "b": "f = make(d)",
            "c": "d['k'] = 1\nr = f()",
        },
        ["k", "a", "b", "a", "c"],
        {4},
    ),
    "an error that was kept": Story(
        {
            "a": "class Bad(Exception): pass",
            "b": "try:\n    raise Bad\nexcept Bad as e: kept = e",
            "c": "r = isinstance(kept, Bad)",
        },
        ["a", "b", "c", "a", "c"],
        {3},
    ),
    "a plain cell that is another one after a restart": Story(
        {"a": "# plain\nimport decimal", "b": "r = decimal.Decimal(1)"},
        ["a", "b", RESTART, ("a", "# plain\nimport fractions")],
        {1},
    ),
    "a plain cell whose work another one has taken over after a restart": Story(
        {"a": "# plain\nk = 1", "b": "r = k", "c": "# plain\nk = 1"},
        ["a", "b", RESTART, "c", ("a", "# plain\nj = 1")],
        set(),
    ),
    "a plain cell that runs again after a restart": Story(
        {"a": "# plain\nk = 1\nif k: j = 2", "b": "r = k + j"}, ["a", "b", RESTART, "a"], set()
    ),
    **{
        f"a class that gets {what}": Story(
            {"a": PATCHED, "b": read, "c": patch}, ["a", "b", "c", "b"], {2}
        )
        for what, (patch, read) in {
            "another method": ("A.m = lambda self: 2", "r = a.m()"),
            "a method by a decorator": (
                "def add(cls):\n    return lambda f: setattr(cls, f.__name__, f)\n"
                "@add(A)\ndef m(self): return 2",
                "r = a.m()",
            ),
            "a method in a loop": ("for each in [A]: each.m = lambda self: 2", "r = a.m()"),
            "a property": ("A.p = property(lambda self: 2)", "r = a.p"),
            "another method of what a list holds": (
                "A.m = lambda self: 2",
                "r = [each.m() for each in xs]",
            ),
        }.items()
    },
    **{
        f"a class that {how} changes, of which {what} reads": Story(
            {"a": COUNTS, "b": "a = C()\nb = C()", "c": change, "d": read},
            ["a", "b", "c", "d", "a", "b", "d"],
            {4},
        )
        for how, change in {
            "a method of the class": "a.count()",
            "a method of its object": "a.count_all()",
        }.items()
        for what, read in {"a name of the class": "r = C.n", "another object": "r = b.n"}.items()
    },
    **{
        f"an object that {change} changes through a weak reference, and {read} reads": Story(
            {"a": WEAK, "b": f"r = {read}", "c": change}, ["a", "b", "c", "b"], {2}
        )
        for change in ("w().v += 1", "w().put()", "k.put()")
        for read in ("k.v", "w().v")
    },
    **{
        f"what {keeper} keeps, and an object of the class changes": Story(
            {"a": kind, "b": "c = C()\ne = C()", "d": read, "c": change},
            ["a", "b", "d", "c", "d"],
            {3},
        )
        for keeper, (kind, change, read) in KEEPERS.items()
    },
    **{
        f"what {keeper} keeps, in order": Story(
            {"a": kind, "b": "c = C()\ne = C()", "c": change, "d": read},
            ["a", "b", "c", "d"] * 2,
            set(),
        )
        for keeper, (kind, change, read) in KEEPERS.items()
    },
    "a class that is made anew and was registered": Story(
        {
            "a": "from abc import ABC\nclass A(ABC): pass",
            "b": "class B: pass",
            "c": "A.register(B)",
            "d": "r = isinstance(B(), A)",
        },
        ["a", "b", "c", "d", "b", "d"],
        {4},
    ),
    "a generator that has spawned": Story(
        {
            "a": "import numpy as np\nr = np.random.default_rng(1)",
            "b": "v = float(r.spawn(1)[0].random())",
            "c": "w = float(r.spawn(1)[0].random())",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    "seeds that have spawned": Story(
        {
            "a": "import numpy as np\ns = np.random.SeedSequence(1)",
            "b": "v = s.spawn(1)[0].generate_state(1)",
            "c": "w = s.spawn(1)[0].generate_state(1)",
        },
        ["a", "b", "c", "b"],
        {2, 3},
    ),
    "all that a module exports, run from the top": Story(STAR, ["a", "b", "a", "b"], set()),
    "all that a module exports, and a name that another step makes": Story(
        STAR, ["a", "b", "c", "b"], {2}
    ),
    "all that a module exports, once more over another step": Story(
        STAR, ["a", "b", "c", "b", "a", "b"], set()
    ),
    "all that a module exports, over a name that was read before": Story(
        {"a": "e = 1", "b": "v = e\nfrom math import *", "c": "r = v"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a cache of results that rest on a name": Story(
        {"a": "k = 1", "f": CACHE.format("k"), "b": "r = f(1)"},
        ["a", "f", "b", ("a", "k = 2"), "b"],
        {3},
    ),
    "a cache, run from the top": Story(
        {"a": "k = 1", "f": CACHE.format("k"), "b": "r = f(1)"}, ["a", "f", "b"] * 2, set()
    ),
    **{
        f"a result that {keeps} keeps, changed by {how}": Story(
            {"a": KEEPS.format(keeps), "b": read, "c": change}, ["a", "b", "c", "b"], {2}
        )
        for keeps in ("cache", "lru_cache", "lru_cache(maxsize=2)")
        for how, (change, read) in TAKES.items()
    },
    "a result that a function keeps, changed and made anew": Story(
        {"a": KEEPS.format("cache"), "b": "r = [*load()]", "c": "x = load()\nx.append(2)"},
        ["a", "b", "c", "a", "b"],
        set(),
    ),
    "a result that a function keeps, changed by a later cell through a name": Story(
        {"a": KEEPS.format("cache"), "x": "x = load()", "b": "r = [*load()]", "c": "x.append(2)"},
        ["a", "x", "b", "c", "b"],
        {3},
    ),
    "a result that a function keeps, taken again": Story(
        {"a": KEEPS.format("cache"), "b": "x = load()\nn = {}\nn['a'] = x", "c": "y = load(2)"},
        ["a", "b", "c", "b", "c"],
        set(),
    ),
    "a result that a function kept, changed after that was defined again": Story(
        {"a": KEEPS.format("cache"), "x": "x = load()", "c": "x.append(2)", "b": "r = [*load()]"},
        ["a", "x", "a", "c", "b"],
        {4},
    ),
    "a result that a function of a module keeps": Story(
        {"a": "from settings_ import kept", "b": "r = [*kept()]", "c": "x = kept()\nx.append(1)"},
        ["a", "b", "c", "b"],
        {2},
    ),
    **{
        f"what is set on a class of a library by {change}": Story(
            {"a": FRACTION, "c": change.format(1), "b": read},
            ["a", "c", "b", ("c", change.format(2))],
            {3},
        )
        for change, read in SET_ON_CLASS.items()
    },
    "two attributes of a class of a library": Story(
        {
            "a": FRACTION,
            "c": "Fraction.wfnb_tried = 1",
            "d": "Fraction.wfnb_other = 1",
            "b": "r = half.wfnb_tried + half.wfnb_other",
            "e": "q = half + 1",
        },
        ["a", "c", "d", "b", "e", ("c", "Fraction.wfnb_tried = 2")],
        {4},
    ),
    "what is set on a class of a library later": Story(
        {"a": FRACTION, "b": "r = hasattr(half, 'wfnb_tried')", "c": "Fraction.wfnb_tried = 1"},
        ["a", "b", "c", "b"],
        {2},
    ),
    "what is set on a class of a library, and deleted": Story(
        {"a": FRACTION, "b": "r = hasattr(half, 'wfnb_tried')", "c": "Fraction.wfnb_tried = 1"},
        ["a", "b", "c", ("c", "Fraction.wfnb_tried = 1\ndel Fraction.wfnb_tried"), "b"],
        set(),
    ),
    **{
        f"what is set on a class of a library, in a step run twice that {does}": Story(
            {"a": FRACTION, "c": "Fraction.wfnb_tried = lambda self: 1", "b": code},
            ["a", "c", "b", "b"],
            stale,
        )
        for does, stale, code in (
            ("calls it first", {3}, "r = half.wfnb_tried()\nFraction.wfnb_tried = lambda self: 2"),
            ("wraps it", {3}, f"{WRAP}Fraction.wfnb_tried = wrap(Fraction.wfnb_tried)"),
            (
                "calls it later",
                set(),
                "Fraction.wfnb_tried = lambda self: 2\nr = half.wfnb_tried()",
            ),
            (
                "sets it in a function",
                set(),
                "def put(): Fraction.wfnb_tried = 2\nput()\nr = half.wfnb_tried",
            ),
        )
    },
    "what is deleted from a class of a library, and is set no more": Story(
        {"a": FRACTION, "c": "Fraction.wfnb_tried = 1", "d": "del Fraction.wfnb_tried"},
        ["a", "c", "d", ("c", "pass")],
        {3},
    ),
    "what a function of another cell sets on a class of a library": Story(
        {
            "a": f"{FRACTION}\ndef put(): Fraction.wfnb_tried = 2",
            "b": "put()\nr = half.wfnb_tried",
        },
        ["a", "b", "b"],
        set(),
    ),
    "what a function of another cell sets on a class of a library, that was asked for": Story(
        {
            "a": f"{FRACTION}\ndef put(): Fraction.wfnb_tried = 2",
            "b": "r = hasattr(half, 'wfnb_tried')\nput()",
        },
        ["a", "b", "b"],
        {2},
    ),
    "what is set on a class of a library that is not known yet": Story(
        {
            "c": "import fractions as q\nsetattr(q.Fraction, 'wfnb_tried', 1)",
            "b": "from fractions import Fraction\nr = hasattr(Fraction(1, 2), 'wfnb_tried')",
        },
        ["c", "b", ("c", "import fractions as q\nsetattr(q.Fraction, 'wfnb_tried', 2)")],
        {2},
    ),
    **{
        f"a class that {base} is told of": Story(
            {
                "a": f"{FRACTION}\nfrom abc import ABC\nclass Known(ABC): pass",
                "b": f"def f(): return isinstance(C(), {base})\nr = f()",
                "c": f"{base}.register(C)",
            },
            ["a", "b", "c", "b"],
            {2},
        )
        for base in ("Known", "numbers.Number")
    },
    **{
        f"a counter that {kind} uses": Story(
            {
                "a": "import itertools, dataclasses, collections\nids = itertools.count()",
                "k": made,
                "b": f"r = {used}",
                "c": f"q = {used}",
            },
            ["a", "k", "b", "c", "b"],
            stale,
        )
        for kind, made, used, stale in (  # what is called may have read a file: 4 is not sure
            (
                "a dataclass",
                "@dataclasses.dataclass\nclass K:\n"
                "    n: int = dataclasses.field(default_factory=ids.__next__)",
                "K().n",
                {3, 4},
            ),
            ("a dict", "k = collections.defaultdict(ids.__next__)", "k[len(k)]", {3}),
            ("a name of its method", "k = ids.__next__", "k()", {3, 4}),
        )
    },
    **{
        f"a name that a later step alone makes, read by {how}": Story(
            {"f": "def f(): return eval('zs' + '[0]')", "a": f"{TRY}{read}{ELSE}", "b": "zs = [1]"},
            ["f", "a", "b", "a"],
            {2},
        )
        for how, read in (
            ("eval", "eval('zs' + '[0]')"),
            ("format", "'{zs}'.format_map(globals())"),
            ("a function", "f()"),
        )
    },
    "names that code bound itself, where its text alone shows them": Story(
        {"a": "exec('q = ' + '3')"}, ["a", "a"], set()
    ),
    "a generator, beside one that is seeded": Story(
        {
            "a": "import random\nimport numpy as np\nnp.random.seed(4)",
            "b": "random.seed(5)",
            "c": "v = np.random.rand()",
            "d": "np.random.seed(8)",
        },
        ["a", "b", "c", "d", "b", "c"],
        {3},
    ),
    "generators that are seeded anew": Story(
        {
            "a": "import random\nimport numpy as np\nnp.random.seed(4)",
            "b": "random.seed(5)",
            "c": "v = np.random.rand() + random.random()",
        },
        ["a", "b", "c", "a", "a", "b", "b", "c"],
        set(),
    ),
    **{
        f"{what}, where a function is only defined that sets it": Story(
            {"a": made, "d": f"def f(): {sets}", "b": f"r = {read}", "e": other},
            ["a", "d", "b", "e", "d", "b"],
            {3},
        )
        for what, made, sets, read, other in (
            (
                "data of a module",
                f"{IMPORT}\nsettings_.rate = 3",
                "settings_.rate = 5",
                "settings_.rate",
                "settings_.rate = 7",
            ),
            (
                "a setting",
                "import decimal\ndecimal.getcontext().prec = 5",
                "decimal.getcontext().prec = 6",
                "decimal.Decimal(1) / 3",
                "decimal.getcontext().prec = 7",
            ),
            (
                "a generator",
                "import random\nrandom.seed(1)",
                "random.seed(2)",
                "random.random()",
                "random.seed(3)",
            ),
        )
    },
    **{
        f"the state of a generator, by {call}": Story(
            {"a": seeded, "b": f"r = {draw}", "c": f"s = {call}", "d": f"q = {draw}"},
            ["a", "b", "c", "d", "c"],
            {3},
        )
        for seeded, draw, call in (
            (SEEDED, "random.random()", "random.getstate()[1][-1]"),
            (
                "import numpy as np\nnp.random.seed(1)",
                "np.random.rand(300).sum()",
                "np.random.get_state()[2]",
            ),
        )
    },
    **{
        f"{what} of a script": Story(
            {"a": "%run settings_.py", "b": read, "c": change},
            ["a", "b", "c", "b"],
            {2},
        )
        for what, read, change in (
            ("a list", "r = total()", "ITEMS.append(5)"),
            ("a list that a function changes", "r = total()", "add(5)"),
            ("a number that a function binds", "r = rated()", "put(5)"),
            ("a number within a function within", "r = inner()", "put(5)"),
            ("a counter", "r = count()", "q = count()"),
        )
    },
    "a list that a script made anew, as it was": Story(
        {"a": "%run settings_.py", "b": "p = [*ITEMS]"}, ["a", "b", "a"], set()
    ),
    "a list that a script made anew, beside what holds the old one": Story(
        {
            "a": "%run settings_.py",
            "b": "p = [ITEMS]",
            "c": "q = [ITEMS]",
            "d": "p[0].append(1)\nr = [*q]",
        },
        ["a", "b", "a", "c", "d"],
        {4},
    ),
    "an exception that its module has made anew": Story(
        {
            "a": "import settings_",
            "b": "from settings_ import Failed",
            "c": "r = 0\ntry: settings_.fail()\nexcept Failed: r = 1\nexcept Exception: ...",
            "d": "# plain\nimport importlib, settings_\nimportlib.reload(settings_)",
        },
        ["a", "b", "c", "d", "c"],
        {3},
    ),
    "a number of a script, which the notebook binds for itself": Story(
        {"a": "%run settings_.py", "b": "r = rated()", "c": "rate = 9"}, ["a", "b", "c", "b"], set()
    ),
    "what a function had that `exec` has made": Story(
        {
            "a": "ns = {}\nexec('k = [1]\\ndef f(): return len(k)', ns)\nf = ns['f']",
            "b": "r = f()",
            "c": "ns['k'].append(2)",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    **{
        f"what a cell makes where it is not there, {when}": Story(
            {"a": f"if 'm' not in {there}: m = [1]", "b": "r = [*m]", "c": other},
            runs,
            stale,
        )
        for there in ("globals()", "dir()")
        for when, other, runs, stale in (
            (f"by {there}, and it made", "q = 1", ["a", "b", "c"] * 2, set()),
            (f"by {there}, and another makes", "m = [2]", ["a", "b", "c", "a"], {1, 2}),
            (f"by {there}, and another changes", "m.append(2)", ["a", "b", "c", "a"], {1, 2, 3}),
        )
    },
    "what a cell makes where it is not there, and is to make otherwise now": Story(
        {"a": "if 'm' not in globals(): m = [1]"},
        ["a", ("a", "if 'm' not in globals(): m = [2]")],
        {1},
    ),
    "a value that a cell takes on from its own run": Story(
        {"a": "n = globals().get('n', 0) + 1", "b": "r = n"}, ["a", "b", "a"], {1, 2}
    ),
    "an object that a cell takes on from what it was before, twice": Story(
        {"a": "m = [1]"},
        ["a", *[("a", "m = globals().get('m', [])")] * 2],
        {1},
    ),
    "an object that a cell takes on from its own run": Story(
        {"a": "m = globals().get('m', [])", "b": "r = [*m]"}, ["a", "b", "a", "b"], set()
    ),
    **{
        f"a generator that has this seed already, of {module}": Story(
            {
                "a": f"{imports}\n{module}.seed(2)",
                "b": f"{module}.seed(2)",
                "c": f"r = {module}.{draw}",
            },
            ["a", "b", "c", ("a", f"{imports}\n{module}.seed(1)"), "c"],
            {3},
        )
        for module, imports, draw in (
            ("random", "import random", "random()"),
            ("np.random", "import numpy as np", "rand()"),
        )
    },
    "what a setting was": Story(
        {"a": "import numpy as np", "b": "old = np.seterr(divide='call')['divide']"},
        ["a", "b", "b"],
        {2},
    ),
    "a setting that is raised": Story(
        {"a": "import decimal", "b": "decimal.getcontext().prec += 1"}, ["a", "b", "b"], {2}
    ),
    "a dict that `exec` has run code in": Story(
        {"a": "ns = {}\nexec('z = 5', ns)", "b": "r = ns['z']", "c": "ns['z'] = 6", "d": "q = 1"},
        ["a", "b", "c", "d", "b"],
        {2},
    ),
    "a dict that `exec` has run code in, run from the top": Story(
        {"a": "ns = {}\nexec('z = 5', ns)", "b": "r = ns['z']", "c": "q = 1"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "data made anew as they were, beside what hides what it holds": Story(
        {
            "a": "xs = [1]",
            "b": "import io, csv\nrows = csv.writer(io.StringIO())",
            "c": "r = [*xs, rows.dialect.delimiter]",
        },
        ["a", "b", "c", "a"],
        set(),
    ),
    "a buffer made anew as it was, beside a writer that hides the old one": Story(
        {
            "a": "import io, csv\nbuf = io.StringIO()",
            "b": "rows = csv.writer(buf)",
            "c": "rows.writerow([3, 4])\nr = buf.getvalue()",
        },
        ["a", "b", "a", "c"],
        {3},
    ),
    "a cache that rests on nothing": Story(
        {"f": CACHE.format("1"), "b": "r = f(1)"}, ["f", "b", "b"], set()
    ),
}


GETS_AND_SETS: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (gc.get_threshold, lambda state: gc.set_threshold(*state)),
    (socket.getdefaulttimeout, socket.setdefaulttimeout),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (np.getbufsize, np.setbufsize),
    (lambda: signal.getsignal(signal.SIGUSR1), lambda state: signal.signal(signal.SIGUSR1, state)),
    (lambda: locale.setlocale(locale.LC_ALL), lambda state: locale.setlocale(locale.LC_ALL, state)),
    (lambda: os.umask(0o22), os.umask),
)


@contextmanager
def _kept(one: tuple[Callable[[], Any], Callable[[Any], Any]]) -> Iterator[None]:
    get, put = one
    state = get()
    yield
    put(state)


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WFNB_TRIED", "before")
    monkeypatch.setenv("WFNB_OTHER", "before")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "settings_.py").write_text(MODULE)
    states = random.getstate(), np.random.get_state()
    monkeypatch.setattr(sys, "argv", ["wfnb"])
    of_numpy = decimal.localcontext(), np.errstate(), np.printoptions(), pd.option_context(*SHOWN)
    with ExitStack() as stack:
        for each in (*of_numpy, *map(_kept, GETS_AND_SETS)):
            stack.enter_context(each)
        kernel = Kernel("hidden")
        yield kernel
        kernel.stop()
    vars(builtins).pop("wfnb_tried", None)
    for name in ("wfnb_tried", "wfnb_other"):
        if name in vars(Fraction):
            delattr(Fraction, name)
    sys.modules.pop("settings_", None)
    random.setstate(states[0])
    np.random.set_state(states[1])


@pytest.mark.parametrize("name", STORIES)
def test_what_no_name_holds_makes_a_step_stale(kernel: Kernel, tmp_path: Path, name: str):
    cells, runs, stale = STORIES[name]
    for run in runs:
        if run in WRITTEN:
            file = tmp_path / "settings_.py"
            file.write_text(MODULE.replace(*WRITTEN[run]))
            continue
        if run == RESTART:
            sys.modules.pop("settings_", None)
            kernel.restart()
            continue
        letter, code = run if isinstance(run, tuple) else (run, cells[run])
        seen, _ = kernel.run(code if code[:1] == "#" else f"%%step T\n{code}", f"cell-{letter}")
        assert seen.error is None

    marks = {step["number"]: step for step in kernel.marks() if step["stale"]}
    assert marks.keys() == stale, {n: step["stale_reason"] for n, step in marks.items()}
