"""a random number generator and the names of a notebook -> a few lines of Python.

A statement is a row of `STATEMENTS`: a feature that it is an example of, its weight, and its text.
In the text `{num}` is a name of that kind that exists, `{num=}` one that the statement assigns,
`{num!}` one that exists and that it changes in place, `{3}` a small number. `{num=2}` is the second
name of its kind in the text, and stays the same wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

NAMES: Mapping[str, tuple[str, ...]] = {
    "num": ("a", "b", "c", "n", "total"),
    "list": ("xs", "ys", "zs"),
    "dict": ("d", "e"),
    "set": ("seen", "tags"),
    "text": ("t", "label"),
    "fun": ("f", "g", "h"),
    "proc": ("push", "bump"),
    "count": ("tick", "tock"),
    "iter": ("it",),
    "class": ("Acc", "Box"),
    "inst": ("acc", "box"),
    "frame": ("df", "dg"),
    "array": ("arr", "brr"),
    "ground": ("G", "rate", "unit"),
    "tool": ("norm", "scale"),
    "cache": ("load", "rows"),
    "part": ("half", "third"),
}
"""The names of each kind. A `ground` is a number and a `tool` a function of one, both from cells
that are no steps; they are read as numbers and functions are."""

READ_AS = {"num": ("num", "num", "num", "ground"), "fun": ("fun", "fun", "tool")}

PLAIN: tuple[tuple[str, int, str], ...] = (
    ("assign", 10, "{num=} = {3}"),
    ("assign", 8, "{num=} = {num} + {3}"),
    ("assign", 4, "{num=} = {num} + {num2}"),
    ("assign", 3, "{num=} = {num} * {3} % 97"),
    ("assign", 2, "{num=}, {num=2} = {num} + {3}, {3}"),
    ("assign", 1, "{num=} = {num=2} = {num} - {3}"),
    ("assign", 2, "{num=}: int = {num} - {3}"),
    ("augmented", 5, "{num!} += {3}"),
    ("augmented", 2, "{num!} = {num!} + {num}"),
    ("list", 6, "{list=} = [{3}, {3}, {3}]"),
    ("list", 3, "{list=} = [{num}, {num2}]"),
    ("list", 3, "{list=} = sorted({list})"),
    ("list", 2, "{list=} = list({list}) + [{num}]"),
    ("list", 2, "{list=} = {list}[1:] + [{3}]"),
    ("list", 1, "*{list=}, {num=} = [{num}, {3}, {3}]"),
    ("comprehension", 4, "{list=} = [v + {num} for v in {list}]"),
    ("comprehension", 2, "{list=} = [v for v in {list} if v != {3}]"),
    ("comprehension", 2, "{num=} = sum(v * {num} for v in {list})"),
    ("comprehension", 1, "{dict=} = {{k: k + {num} for k in {list}}}"),
    ("comprehension", 1, "{list=} = [w for v in {list} if (w := v + {num}) > {3}]"),
    ("inplace", 5, "{list!}.append({3})"),
    ("inplace", 3, "{list!}.append({num})"),
    ("inplace", 2, "{list!}.extend([{num}, {3}])"),
    ("inplace", 2, "{list!}.sort()"),
    ("inplace", 1, "{list!}.reverse()"),
    ("inplace", 1, "{list!}.insert(0, {num})"),
    ("inplace", 2, "{num=} = {list!}.pop()"),
    ("inplace", 3, "{list!}[0] = {num}"),
    ("inplace", 2, "{list!}[0] += {3}"),
    ("inplace", 2, "{list!} += [{num}]"),
    ("inplace", 1, "{list!}.remove({list!}[0])"),
    ("inplace", 1, "del {list!}[0]"),
    ("inplace", 1, "{list!}[1:] = [{num}]"),
    ("inplace", 1, "{list!}.clear()"),
    ("read", 4, "{num=} = len({list})"),
    ("read", 3, "{num=} = max({list}) - min({list})"),
    ("read", 2, "{num=} = {list}[0]"),
    ("dict", 4, "{dict=} = {{'p': {3}, 'q': {num}}}"),
    ("dict", 2, "{dict=} = dict(zip({list}, range({3})))"),
    ("dict", 2, "{dict=} = {{**{dict}, 'r': {num}}}"),
    ("inplace", 4, "{dict!}['p'] = {num}"),
    ("inplace", 2, "{dict!}['s'] = {dict!}.get('s', 0) + {3}"),
    ("inplace", 2, "{dict!}.update(q={num})"),
    ("inplace", 1, "{dict!} |= {{'t': {3}}}"),
    ("inplace", 1, "{num=} = {dict!}.pop('q')"),
    ("inplace", 1, "{dict!}.setdefault('u', {num})"),
    ("inplace", 1, "del {dict!}['p']"),
    ("read", 3, "{num=} = sum(v for v in {dict}.values() if isinstance(v, int))"),
    ("read", 2, "{num=} = {dict}.get('p', {3})"),
    ("nested", 2, "{dict=} = {{'rows': [{3}, {num}]}}"),
    ("nested", 2, "{dict!}['rows'].append({num})"),
    ("nested", 1, "{num=} = sum({dict}['rows'])"),
    ("set", 2, "{set=} = {{{3}, {num}}}"),
    ("set", 1, "{set=} = set({list})"),
    ("inplace", 2, "{set!}.add({num})"),
    ("inplace", 1, "{set!}.discard({3})"),
    ("inplace", 1, "{set!} |= {{{3}}}"),
    ("read", 2, "{list=} = sorted({set})"),
    ("text", 2, "{text=} = f'{{{num}}} of {{{num2}}}'"),
    ("text", 2, "{text=} = 'n' * ({num} % 5)"),
    ("text", 1, "{text=} = {text}.upper() + str({num})"),
    ("read", 1, "{num=} = len({text})"),
    ("function", 4, "def {fun=}(v):\n    return v + {3}"),
    ("function", 5, "def {fun=}(v):\n    return v + {num}"),
    ("function", 2, "def {fun=}(v, by={num}):\n    return v - by"),
    ("function", 2, "def {fun=}(v):\n    return [v + w for w in {list}]\n{list=2} = {fun=}({3})"),
    ("function", 2, "def {fun=}(v):\n    low = v * {3}\n    return low if low > {num} else {num2}"),
    ("nested function", 4, "def {fun=}(v):\n    return {fun}(v) + {3}"),
    ("nested function", 2, "{fun=} = lambda v: {fun}(v) - {num}"),
    ("lambda", 3, "{fun=} = lambda v: v * {num} % 89"),
    (
        "closure",
        3,
        "def make(k):\n    def inner(v):\n        return v + k\n    return inner\n"
        "{fun=} = make({num})",
    ),
    ("closure", 1, "{fun=} = (lambda k: lambda v: v + k + {num})({3})"),
    ("call", 7, "{num=} = {fun}({num})"),
    ("call", 3, "{num=} = {fun}({fun}({3}))"),
    ("call", 2, "{list=} = [{fun}(v) for v in {list}]"),
    ("call", 2, "{list=} = list(map({fun}, {list}))"),
    ("call", 1, "{list=} = sorted({list}, key={fun})"),
    ("procedure", 3, "def {proc=}(v):\n    {list}.append(v)"),
    ("procedure", 2, "def {proc=}(v):\n    global {num}\n    {num} = v + {3}"),
    ("procedure", 2, "def {proc=}(v):\n    {dict}['p'] = v"),
    ("procedure", 4, "{proc}({num})"),
    ("procedure", 2, "for v in list({list}):\n    {proc}(v)"),
    ("argument", 1, "def fill(target):\n    target.append({num})\nfill({list!})"),
    ("argument", 1, "def fill(target):\n    target['p'] = {num}\nfill({dict!})"),
    (
        "state",
        1,
        "def counter():\n    count = {num}\n    def inner():\n        nonlocal count\n"
        "        count += 1\n        return count\n    return inner\n{count=} = counter()",
    ),
    ("state", 1, "def {count=}(past=[]):\n    past.append({3})\n    return len(past)"),
    ("state", 2, "{num=} = {count}()"),
    ("state", 1, "{iter=} = iter({list})"),
    ("state", 1, "{num=} = next({iter})"),
    (
        "class",
        3,
        "class {class=}:\n    def __init__(self, start):\n        self.total = start\n"
        "        self.items = []\n"
        "    def add(self, v):\n        self.total += v\n        return self.total",
    ),
    (
        "class",
        3,
        "class {class=}:\n    step = {num}\n    def __init__(self, start):\n"
        "        self.total = start\n        self.items = [start]\n"
        "    def add(self, v):\n        self.items.append(v)\n"
        "        self.total += v * self.step\n        return self.total",
    ),
    (
        "class",
        2,
        "class {class=}:\n    def __init__(self, start):\n        self.total = start\n"
        "        self.items = []\n"
        "    def add(self, v):\n        return {fun}(v) + {num} + self.total",
    ),
    (
        "class",
        1,
        "class {class=}({class}):\n    def add(self, v):\n        return super().add(v) + {3}",
    ),
    (
        "class",
        1,
        "from dataclasses import dataclass, field\n@dataclass\nclass {class=}:\n"
        "    total: int = {3}\n    items: list = field(default_factory=list)\n"
        "    def add(self, v):\n        self.total += v\n        return self.total",
    ),
    ("class", 1, "{class}.step = {num}"),
    ("object", 5, "{inst=} = {class}({num})"),
    ("object", 4, "{num=} = {inst}.total"),
    ("object", 3, "{inst!}.total = {num}"),
    ("object", 2, "{inst!}.total += {3}"),
    ("object", 4, "{inst!}.add({num})"),
    ("object", 3, "{num=} = {inst!}.add({3})"),
    ("object", 2, "{inst!}.items.append({num})"),
    ("object", 1, "{num=} = len({inst}.items)"),
    ("object", 1, "{num=} = {class}({3}).add({num})"),
    ("object", 1, "setattr({inst!}, 'total', {num})"),
    ("loop", 4, "{num=} = 0\nfor v in {list}:\n    {num=} += v + {num}"),
    ("loop", 2, "for v in {list}:\n    if v > {num}:\n        {num=2} = v"),
    ("loop", 2, "for k in range({3}):\n    {list!}.append(k * {num} % 17)"),
    ("loop", 1, "{num=} = {num}\nwhile {num=} < 40:\n    {num=} += {3} + 1"),
    ("loop", 1, "for at, v in enumerate({list!}):\n    {list!}[at] = v + {num}"),
    ("loop", 1, "for {num=} in range({3}):\n    pass"),
    ("conditional", 5, "if {num} > {num2}:\n    {num=} = {3}\nelse:\n    {num=} = {num} + {3}"),
    ("conditional", 4, "if {num} % 2:\n    {num=} = {num2}"),
    ("conditional", 2, "if len({list}) > {3}:\n    {list!}.append({num})"),
    ("conditional", 2, "{num=} = {num} if {num2} > {3} else {3}"),
    ("conditional", 1, "if {num} > {3} and {num2} > {3}:\n    {num=} = {fun}({num})"),
    (
        "conditional",
        1,
        "match {num} % 3:\n    case 0:\n        {num=} = {num2}\n    case rest:\n"
        "        {num=} = rest",
    ),
    ("try", 2, "try:\n    {num=} = {dict}['q'] + {num}\nexcept KeyError:\n    {num=} = {3}"),
    (
        "try",
        2,
        "try:\n    {num=} = {num} // ({num2} % 3)\nexcept ZeroDivisionError as error:\n"
        "    {num=} = -{3}",
    ),
    ("missing", 1, "try:\n    {num=} = {num} + late\nexcept NameError:\n    {num=} = {3}"),
    ("missing", 1, "late = {num}"),
    ("fails", 2, "assert {num} % 7 != {3} % 7, 'no'"),
    ("fails", 1, "{num=} = 10 // ({num} % 4)"),
    ("fails", 1, "if {num} > 30:\n    raise ValueError({num})"),
    ("del", 2, "del {num!}"),
    ("del", 1, "del {list!}"),
    ("del", 1, "del {fun!}"),
    ("import", 1, "import math\n{num=} = math.gcd({num}, {3} + 1)"),
    ("import", 1, "from math import comb as choose\n{num=} = choose({3}, 2) + {num}"),
    ("import", 1, "import json\n{text=} = json.dumps([{num}])"),
    ("frame", 3, "{frame=} = pd.DataFrame({{'k': [1, 1, 2], 'v': [{3}, {num}, {3}]}})"),
    ("frame", 2, "{frame=} = pd.DataFrame({{'k': {list}, 'v': range(len({list}))}})"),
    ("frame", 2, "{frame!}['w'] = {frame!}['v'] * {num}"),
    ("frame", 1, "{frame!}.loc[{frame!}['v'] > {num}, 'v'] = 0"),
    ("frame", 1, "{frame!}.iloc[0, 1] = {num}"),
    ("frame", 1, "{frame!}.drop(columns=['w'], inplace=True)"),
    ("frame", 1, "{frame!}.sort_values('v', inplace=True, ignore_index=True)"),
    ("frame", 1, "{frame!}.insert(0, 'z', {num})"),
    ("frame", 1, "{frame!}.columns = [str(name) + 'x' for name in {frame!}.columns]"),
    ("frame", 2, "{frame=} = {frame}[{frame}['v'] > {3}]"),
    ("frame", 1, "{frame=} = {frame}.assign(u=lambda each: each['v'] + {num})"),
    ("frame", 3, "{num=} = int({frame}['v'].sum())"),
    ("frame", 1, "{dict=} = {frame}.groupby('k')['v'].sum().to_dict()"),
    ("frame", 1, "{list=} = {frame}['v'].tolist()"),
    ("array", 3, "{array=} = np.arange({3} + 3) * {num}"),
    ("array", 1, "{array=} = np.array({list})"),
    ("array", 1, "{array=} = {array} + {num}"),
    ("array", 1, "{array=} = np.random.default_rng(abs({num})).integers(0, 9, 4)"),
    ("array", 2, "{array!}[0] = {num}"),
    ("array", 1, "{array!} += {3}"),
    ("array", 1, "{array!}.sort()"),
    ("array", 1, "{array!}[{array!} > {num}] = 0"),
    ("array", 1, "{array!}.fill({num})"),
    ("array", 1, "np.add({array!}, {3}, out={array!})"),
    ("array", 2, "{num=} = int({array}.sum())"),
    ("array", 1, "{num=} = int(np.max({array})) + {num}"),
)

ALIASES: tuple[tuple[str, int, str], ...] = (
    ("alias", 8, "{list=} = {list}"),
    ("alias", 4, "{dict=} = {dict}"),
    ("alias", 4, "{inst=} = {inst}"),
    ("alias", 3, "{frame=} = {frame}"),
    ("alias", 3, "{array=} = {array}"),
    ("alias", 3, "{list=} = {list=2} = [{num}]"),
    ("alias", 4, "{dict=} = {{'rows': {list}}}"),
    ("alias", 3, "{dict!}['rows'] = {list}"),
    ("alias", 3, "{dict!}['rows'].append({num})"),
    ("alias", 3, "{list=} = {dict}['rows']"),
    ("alias", 3, "for row in [{list}, {list2}]:\n    row.append({num})"),
    ("alias", 3, "row = {list}\nrow.append({num})"),
    ("alias", 3, "{inst!}.items = {list}"),
    ("alias", 2, "{list=} = {inst}.items"),
    ("alias", 2, "def same(v):\n    return v\n{list=} = same({list})"),
    ("alias", 2, "def {proc=}(v, into={list}):\n    into.append(v)"),
    ("alias", 2, "{fun=} = {inst}.add"),
    ("alias", 2, "{count=} = {list}.copy\n{list=2} = {count=}()"),
    (
        "alias",
        2,
        "class {class=}:\n    items = []\n    def __init__(self, start):\n"
        "        self.total = start\n    def add(self, v):\n"
        "        self.items.append(v)\n        return len(self.items)",
    ),
    ("made anew", 3, "{num=} = int(type({inst}) is type({inst2}))"),
    ("made anew", 3, "{num=} = int(isinstance({inst}, {class}))"),
    ("made anew", 3, "{num=} = int({inst} in [{inst2}])"),
    ("made anew", 2, "{dict=} = {{type({inst}): {num}}}"),
    ("made anew", 2, "{num=} = {dict}.get(type({inst}), {3})"),
    ("made anew", 2, "import copy\n{inst=} = copy.copy({inst})"),
    ("view", 4, "{array=} = {array}[1:]"),
    ("view", 2, "{array=} = {array}.reshape(-1)"),
    ("view", 2, "{array=} = {array}.T"),
    ("view", 2, "{frame!}['v'].to_numpy()[0] = {num}"),
)

HIDDEN: tuple[tuple[str, int, str], ...] = (
    ("module", 12, "cfg.rate = {num}"),
    ("module", 3, "cfg.rate += {3}"),
    ("module", 3, "import tests.dataflow.outside\ntests.dataflow.outside.rate = {3}"),
    ("module", 12, "{num=} = cfg.rate + {3}"),
    ("module", 5, "{num=} = cfg.rated({num})"),
    ("module", 5, "{num=} = cfg.through({num})"),
    ("module", 5, "from tests.dataflow.outside import rate as {num=}"),
    ("module", 5, "from tests.dataflow.outside import rated\n{num=} = rated({3})"),
    ("module", 5, "cfg.items.append({num})"),
    ("module", 5, "{num=} = len(cfg.items) + {3}"),
    ("module", 5, "def {proc=}(v):\n    cfg.rate = v + {3}"),
    ("module", 5, "def {fun=}(v):\n    return v + cfg.rate"),
    ("own", 5, "cfg.add({num})"),
    ("own", 4, "{num=} = cfg.add({3})"),
    ("own", 5, "cfg.set_rate({num})"),
    ("own", 4, "{num=} = cfg.bump()"),
    ("own", 4, "from tests.dataflow.outside import bump\n{num=} = bump()"),
    ("own", 4, "{num=} = cfg.Store.put({3})"),
    ("own", 4, "{num=} = cfg.Store.total + {3}"),
    ("own", 4, "from tests.dataflow.outside import Store\n{num=} = Store.put({3}) + Store.total"),
    ("settings", 4, "import decimal\ndecimal.getcontext().prec = {3} + 2"),
    ("settings", 5, "import decimal\n{num=} = len(str(decimal.Decimal(1) / 3))"),
    ("settings", 3, "import os\nos.environ.update(WFNB_OUTSIDE=str({num}))"),
    ("random", 5, "random.seed({3})"),
    ("random", 8, "{num=} = random.randrange(90)"),
    ("random", 3, "{list!}.append(random.randrange(90))"),
    ("random", 3, "random.shuffle({list!})"),
    ("random", 3, "def {fun=}(v):\n    return v + random.randrange(9)"),
    ("random", 3, "np.random.seed({3})"),
    ("random", 5, "{array=} = np.random.randint(0, 90, 3)"),
    ("random", 3, "{num=} = int({frame}['v'].sample(1).iloc[0])"),
    ("environment", 8, "os.environ['WFNB_OUTSIDE'] = str({num})"),
    ("environment", 8, "{num=} = int(os.environ.get('WFNB_OUTSIDE', '5')) + {3}"),
    ("environment", 4, "{num=} = int(os.getenv('WFNB_OUTSIDE', '5')) + {3}"),
    ("unseen", 5, "{num=} = eval('{num} + {3}')"),
    ("unseen", 5, "{num=} = eval('{num}' + ' + 1')"),
    ("unseen", 3, "eval('{list!}' + '.append({3})')"),
    ("unseen", 3, "exec('{num=} = {num} + {3}')"),
    ("unseen", 3, "{num=} = globals()['{num}'] + {3}"),
    ("unseen", 3, "{text=} = '{{{num}}} {{{num2}}}'.format(**globals())"),
    ("unseen", 3, "def {fun=}(v):\n    return v + eval('{num}')"),
    ("unseen", 3, "{num!} = globals().get('{num!}', {3}) + {3}"),
    ("unseen", 3, "{list!} = globals().get('{list!}', [{3}])"),
    ("random", 3, "{num=} = random.getstate()[1][0] % 97"),
    ("class", 8, "{class}.step = {num}"),
    ("class", 8, "{num=} = {inst}.step"),
    (
        "cache",
        5,
        "from functools import lru_cache\n@lru_cache\ndef {fun=}(v):\n    return v + {num}",
    ),
    ("unseen", 4, "exec('{num=} = ' + '{3}')"),
    ("unseen", 4, "key = '{num=}'\nglobals()[key] = {3}"),
    ("settings", 3, "import decimal\ndecimal.getcontext().prec += 1"),
    ("settings", 3, "if {num}:\n    np.seterr(divide='ignore')"),
    ("settings", 3, "before = np.seterr(divide='call')\n{num=} = len(before['divide'])"),
    ("settings", 3, "{num=} = len(np.geterr()['divide'])"),
)

BEHIND: tuple[tuple[str, int, str], ...] = (
    ("cache", 48, "from functools import cache\n@cache\ndef {cache=}(v={3}):\n    return [v, {3}]"),
    (
        "cache",
        18,
        "from functools import lru_cache\nclass {class=}:\n    total, items = {num}, []\n"
        "    def __init__(self, start):\n        self.start = start\n"
        "    @staticmethod\n    @lru_cache\n    def held():\n        return [{3}]\n"
        "    def add(self, v):\n        self.held().append(v)\n        return len(self.held())",
    ),
    ("cache", 36, "{list=} = {cache}()"),
    ("cache", 24, "{list=} = {cache}({num})"),
    ("cache", 24, "{cache}().append({num})"),
    ("cache", 48, "{num=} = sum({cache}())"),
    ("cache", 24, "def {fun=}(v):\n    return v + len({cache}())"),
    ("cache", 12, "{cache!}.cache_clear()"),
    ("library class", 30, "from fractions import Fraction\n{part=} = Fraction({3}, 7)"),
    (
        "library class",
        48,
        "from fractions import Fraction\nFraction.total = lambda self, v={num}: int(self + v)",
    ),
    (
        "library class",
        18,
        "import fractions as q\nsetattr(q.Fraction, 'total', lambda self: {3})",
    ),
    ("library class", 48, "{num=} = {part}.total()"),
    ("library class", 18, "def {fun=}(v):\n    return v + {part}.total()"),
    ("library class", 18, "import numbers\nnumbers.Number.register({class})"),
    ("library class", 24, "import numbers\n{num=} = int(isinstance({inst}, numbers.Number))"),
    ("register", 24, "from abc import ABC\nclass Known(ABC): pass"),
    ("register", 24, "Known.register({class})"),
    ("register", 36, "{num=} = int(isinstance({inst}, Known))"),
    ("factory", 24, "import itertools\n{iter=} = itertools.count({num})"),
    ("factory", 24, "from collections import defaultdict\n{dict=} = defaultdict({iter}.__next__)"),
    ("factory", 36, "{num=} = {dict!}['z']"),
    (
        "factory",
        24,
        "from dataclasses import dataclass, field\n@dataclass\nclass {class=}:\n"
        "    start: int\n    total: int = field(default_factory={iter}.__next__)\n"
        "    def add(self, v):\n        return v",
    ),
    ("factory", 36, "{num=} = next({iter})"),
)
"""What is kept behind names: by functions with a cache, in classes of libraries, in registers."""

_OWN, _SAVED = "tests.dataflow.outside", "Fraction(3, 7).total()"
REACH: tuple[tuple[str, int, str], ...] = (
    ("inner", 12, f"def {{fun=}}(v):\n    from {_OWN} import add\n    return add(v)"),
    ("inner", 9, f"def {{fun=}}(v):\n    from {_OWN} import rated as q\n    return q(v)"),
    ("inner", 9, f"def {{fun=}}(v):\n    import {_OWN} as m\n    return v + m.rate"),
    ("inner", 6, f"def {{fun=}}(v):\n    import {_OWN}\n    return v + {_OWN}.rate"),
    (
        "inner",
        6,
        "def {fun=}(v):\n    from tests.dataflow import outside\n    return outside.bump()",
    ),
    (
        "inner",
        9,
        f"def {{fun=}}(v):\n    import {_OWN} as m\n    def inner():\n"
        "        return m.Store.put(v)\n    return inner()",
    ),
    (
        "inner",
        6,
        f"def find():\n    import {_OWN} as m\n    return m\n{{num=}} = find().rate + {{3}}",
    ),
    ("inner", 6, f"def {{proc=}}(v):\n    import {_OWN} as m\n    m.rate = v"),
    ("inner", 6, f"def {{proc=}}(v):\n    from {_OWN} import set_rate\n    set_rate(v)"),
    (
        "inner",
        9,
        "class {class=}:\n    def __init__(self, start):\n        self.total = start\n"
        f"    def add(self, v):\n        from {_OWN} import add as q\n        return q(v)",
    ),
    (
        "inner",
        6,
        f"class {{class=}}:\n    import {_OWN} as m\n    from {_OWN} import rate as step\n"
        "    def __init__(self, start):\n        self.total = start + self.step\n"
        "    def add(self, v):\n        return v + self.m.rate",
    ),
    (
        "inner setting",
        6,
        "def {fun=}(v):\n    import os\n    return v + int(os.environ.get('WFNB_OUTSIDE', '5'))",
    ),
    (
        "inner setting",
        4,
        "def {fun=}(v):\n    from os import getenv\n"
        "    return v + int(getenv('WFNB_OUTSIDE', '5'))",
    ),
    (
        "inner setting",
        6,
        "def {fun=}(v):\n    from decimal import Decimal as D\n    return len(str(D(1) / 3))",
    ),
    ("inner setting", 4, f"from {_OWN} import third as {{fun=}}"),
    (
        "inner setting",
        4,
        "def {fun=}(v):\n    import numpy\n    return len(numpy.geterr()['divide'])",
    ),
    (
        "inner setting",
        6,
        f"def {{fun=}}(v):\n    from fractions import Fraction\n    return v + {_SAVED}",
    ),
    ("inner setting", 4, "def {proc=}(v):\n    import os\n    os.environ['WFNB_OUTSIDE'] = str(v)"),
    (
        "inner setting",
        4,
        "def {proc=}(v):\n    from decimal import getcontext\n"
        "    getcontext().prec = abs(v) % 7 + 2",
    ),
    (
        "inner setting",
        4,
        "def {proc=}(v):\n    import fractions as q\n    q.Fraction.total = lambda self: v",
    ),
    ("inner setting", 6, "import decimal\ndecimal.getcontext().prec = {3} + 2"),
    ("inner setting", 4, "import os\nos.environ['WFNB_OUTSIDE'] = str({3})"),
    ("inner setting", 4, "from fractions import Fraction\nFraction.total = lambda self: {3}"),
    ("inner setting", 4, "import numpy as np\nnp.seterr(divide='ignore')\n{num=} = {3}"),
    ("patch", 20, "import math\nmath.tau = {3}"),
    ("patch", 9, "import math\nmath.perm = lambda *v: {3}"),
    ("patch", 6, f"import {_OWN} as m\nm.rate = {{3}}"),
    ("patch", 6, f"import {_OWN} as m\nm.rated = lambda v: v + {{3}}"),
    ("patch", 6, "def patch(m, v):\n    m.tau = v\nimport math\npatch(math, {num})"),
    ("patch", 6, "import math\nfor m in [math]:\n    setattr(m, 'ta' + 'u', {num})"),
    ("patch", 6, "def {proc=}(v):\n    import math\n    math.tau = v"),
    ("reach", 6, "import math\n{num=} = {num} + getattr(math, 'tau') // 1"),
    ("reach", 4, "import math\nasked = 'ta'\n{num=} = {num} + getattr(math, asked + 'u') // 1"),
    ("reach", 6, "import math\n{num=} = math.floor(vars(math)['tau']) + {3}"),
    ("reach", 4, "import math\n{num=} = math.floor(math.__dict__['tau']) + {3}"),
    ("reach", 6, "import math, operator\n{num=} = operator.attrgetter('tau')(math) // 1 + {num}"),
    ("reach", 6, "import math\nheld = [math]"),
    ("reach", 6, "{num=} = held[0].tau // 1 + {num}"),
    ("reach", 6, "import math\ndef {fun=}(v, m=math):\n    return v + m.tau // 1"),
    ("reach", 4, "import math\ndef {fun=}(v, m=math):\n    return v + m.perm(5, 2)"),
    ("reach", 6, "{num=} = __import__('math').tau // 1 + {num}"),
    ("reach", 6, f"import importlib\n{{num=}} = importlib.import_module('{_OWN}').rate + {{3}}"),
    ("reach", 4, f"import sys\n{{num=}} = sys.modules['{_OWN}'].rate + {{3}}"),
    ("reach", 4, "def {fun=}(v):\n    return v + __import__('math').tau // 1"),
    ("reach", 6, "from math import tau as {num=}"),
    ("reach", 6, "from math import perm as {fun=}"),
    ("reach", 4, f"from {_OWN} import rated as {{fun=}}"),
    ("reach", 4, f"from {_OWN} import rate as {{num=}}"),
    ("reach", 4, f"import {_OWN} as cfg\ndef {{fun=}}(v, m=cfg):\n    return v + m.rate"),
    ("reach", 4, f"import {_OWN} as cfg\n{{num=}} = vars(cfg)['rate'] + {{3}}"),
    ("reach", 4, f"import {_OWN} as cfg\n{{num=}} = [cfg][0].through({{3}})"),
    ("reach", 4, "import functools, math\n{count=} = functools.partial(getattr, math, 'tau')"),
    ("reach", 4, "{num=} = {count}() // 1"),
)
"""Modules that code imports in functions and classes, or gets otherwise than by a name."""

LAZY: tuple[tuple[str, int, str], ...] = (
    ("lazy", 6, "{iter=} = map({fun}, {list})"),
    ("lazy", 9, "{iter=} = map(lambda v: {fun}(v), {list})"),
    ("lazy", 6, "{iter=} = filter(lambda v: v > {num}, {list})"),
    ("lazy", 9, "{iter=} = ({fun}(v) + {num} for v in {list})"),
    ("lazy", 6, "def gen(n):\n    for v in range(n):\n        yield v + {num}\n{iter=} = gen({3})"),
    ("lazy", 6, "{iter=} = zip({list}, ({fun}(v) for v in {list}))"),
    ("lazy", 6, "{iter=} = enumerate({iter})"),
    ("lazy", 15, "{list=} = list({iter})"),
    ("lazy", 9, "{num=} = len(str(next({iter})))"),
    ("lazy", 6, "from collections import defaultdict\n{dict=} = defaultdict(lambda: {num})"),
    ("lazy", 9, "{num=} = {dict!}['x']"),
    ("lazy", 9, "{num=} = len({dict})"),
    (
        "context",
        9,
        "from contextlib import contextmanager\n@contextmanager\ndef {fun=}(v):\n"
        "    {list}.append(v)\n    try:\n        yield v + {num}\n    finally:\n"
        "        {list}.pop(0)",
    ),
    ("context", 9, "with {fun}({num}) as {num=}:\n    {num=2} = {num=} + len({list})"),
    (
        "shared closure",
        9,
        "def make():\n    n = {num}\n    def inc():\n        nonlocal n\n        n += {3}\n"
        "        return n\n    return inc, lambda: n\n{count=}, {count=2} = make()",
    ),
    ("shared closure", 12, "{num=} = {count}()"),
    (
        "registry",
        6,
        "class Base:\n    known = []\n    def __init_subclass__(cls, **more):\n"
        "        cls.known.append({num})",
    ),
    (
        "registry",
        6,
        "class {class=}(Base):\n    def __init__(self, start):\n        self.total = start",
    ),
    ("registry", 9, "{list=} = [*Base.known]"),
    (
        "registry",
        6,
        "from functools import singledispatch\n@singledispatch\ndef area(v):\n    return {3}",
    ),
    ("registry", 6, "@area.register(int)\ndef {fun=}(v):\n    return v + {num}"),
    ("registry", 9, "{num=} = area({num})"),
    (
        "cached",
        6,
        "from functools import cached_property\nclass {class=}:\n    def __init__(self, start):\n"
        "        self.items = [start, {num}]\n    @cached_property\n    def total(self):\n"
        "        return sum(self.items)",
    ),
    (
        "operators",
        6,
        "class {class=}:\n    log = []\n    def __init__(self, start):\n"
        "        self.total = start\n    def __add__(self, v):\n        self.log.append(v)\n"
        "        return self.total + {num}\n    def __len__(self):\n        self.total += 1\n"
        "        return abs({fun}(self.total)) % 9",
    ),
    ("operators", 9, "{num=} = {inst} + {num}"),
    ("operators", 9, "{num=} = len({inst})"),
)
"""What runs later than where it stands: iterators, managers of contexts, operators of classes."""

_LOAD = "import tests.dataflow.outside as cfg\n{}"
LOADS: tuple[tuple[str, int, str], ...] = (
    ("load", 14, _LOAD.format("{array=} = cfg.load({3})")),
    ("load", 8, _LOAD.format("{list=} = cfg.load({3}).tolist()")),
    (
        "load",
        8,
        _LOAD.format("import pandas as pd\n{frame=} = pd.DataFrame({{'v': cfg.load({3})}})"),
    ),
    (
        "load",
        8,
        _LOAD.format("from scipy.spatial import cKDTree\ntree = cKDTree(cfg.load({3})[-9:, None])"),
    ),
    ("load", 8, _LOAD.format("import hashlib\ntree = hashlib.sha256(cfg.load({3}))")),
    ("load", 12, "{num=} = int(tree.data.sum()) if hasattr(tree, 'data') else tree.digest()[0]"),
    ("load", 14, "{num=} = int({array}.sum()) % 997"),
    ("load", 8, "{num=} = int(sum({list})) % 997"),
    ("load", 6, "{array!}[77] = {num}"),
    ("attribute", 8, "{frame!}.unit = {num}"),
    ("attribute", 8, "{num=} = getattr({frame}, 'unit', {3})"),
    ("kept", 8, _LOAD.format("{num=} = cfg.kept({num})")),
)
"""What comes from files, that a person changes between runs; large data; attributes of frames; a
cache in a module."""

LAST: tuple[tuple[str, int, str], ...] = (
    ("result", 6, "{num}"),
    ("result", 4, "{list}"),
    ("result", 2, "{dict}"),
    ("result", 3, "{num} + {num2}"),
    ("result", 2, "{fun}({num})"),
    ("result", 2, "{inst}.total"),
    ("result", 2, "{frame}"),
    ("result", 1, "{frame}.describe()"),
    ("result", 1, "{array}.sum()"),
    ("result", 1, "{list!}.pop()"),
    ("print", 5, "print({num})"),
    ("print", 3, "print(f'{{{num}}} and {{{list}}}')"),
    ("print", 2, "print({dict})"),
    ("print", 2, "for v in {list}:\n    print(v, {num})"),
    ("print", 1, "print({fun}({3}))"),
)

KEEPS: tuple[tuple[str, int, str], ...] = (
    ("load", 12, _LOAD.format("{num=} = int(cfg.small_load({3}))")),
    ("load", 8, _LOAD.format("{list=} = [int(cfg.small_load({3}))]")),
    ("load", 8, _LOAD.format("{list=} = [{num}, int(cfg.small_load({3}))]")),
    ("need", 8, "limit = {3}\ndef {fun=}(v):\n    return v + limit"),
    ("need", 6, "limit = {3}\n{num=} = limit + {num}"),
    ("need", 6, "{num=} = limit + {3}"),
    ("need", 4, "del limit"),
)
"""What another attempt makes otherwise, and what a function that comes back brings along."""

DEFINES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("class K:\n    def __init__(self, v):\n        self.v = v", ("K(3)", "[K(2), K(4)][1]")),
    ("class Base:\n    pass\nclass K(Base):\n    v = 4", ("K()", "(lambda: K())()")),
    ("import dataclasses\n@dataclasses.dataclass\nclass K:\n    v: int", ("K(3)", "K(v=4)")),
    ("from collections import namedtuple\nK = namedtuple('K', 'v')", ("K(3)", "K._make([4])")),
    ("import enum\nclass K(enum.Enum):\n    A = 3\n    B = 4", ("K.A", "K(4)")),
    ("class K(Exception):\n    v = 2", ("K(3)", "K('four')")),
    ("def make(v):\n    class K:\n        k = v\n    return K\nK = make(5)", ("K()", "[K()][0]")),
)
"""What defines a class, and what makes an object of it."""
COMPARES: tuple[str, ...] = (
    "int(isinstance(m, K))",
    "int(type(m) is type(o))",
    "{type(m): 1}.get(K, 0)",
    "sum(isinstance(each, K) for each in (m, o))",
    "int(o in [K])",
    "int(type(m) in {type(o): 1})",
    "len({type(each) for each in (m, o)})",
)
"""What such objects are in one another's class."""


def redefinition(random: Random) -> tuple[str, ...]:
    """A class `K`, two cells that make objects of it, and one that compares these with it."""
    define, makes = random.choice(DEFINES)
    holders = ("{name} = {one}", "held = [{one}]\n{name} = held[0]", "{name} = {{'k': {one}}}['k']")
    made = [
        random.choice(holders).format(name=name, one=random.choice(makes)) for name in ("m", "o")
    ]
    return define, *made, f"same = {random.choice(COMPARES)}"


CONDITIONAL: tuple[tuple[str, int, str], ...] = (
    ("perhaps", 20, "for v in {list}:\n    {num=} = v + {3}\n{num=2} = {num=} + 1"),
    ("perhaps", 12, "for v in {list}:\n    if v > {3}:\n        {num=} = v\n{num=}"),
    ("perhaps", 8, "for v in {list}:\n    if v > {3}:\n        {num=} = v\n    print({num=})"),
    ("perhaps", 12, "if {num} > {3}:\n    {num=} = {3}\nprint({num=})"),
    ("perhaps", 12, "if {num} % 2:\n    {list=} = [{num}, {3}]\n{list=}.append(1)"),
    ("perhaps", 8, "if {num} > {3}:\n    {num=} = {3}\n{num=2} = {num=}\n{num=} = {3}"),
    ("perhaps", 8, "if {num} > {3}:\n    {num=} = {num} - 1\nelse:\n    print({num=})\n{num=}"),
    ("perhaps", 12, "try:\n    {num=} = {list}[{3}]\nexcept IndexError:\n    pass\n{num=} * 2"),
    ("perhaps", 8, "try:\n    {num=} += {3}\nexcept NameError:\n    {num=} = 0\n{num=}"),
    ("perhaps", 6, "if {num} > {3}:\n    {text=} = 'high'\n{num=} = len({text=})"),
    ("perhaps", 6, "while {num!} > 40:\n    {num!} -= 7\n    {num=} = {num!}\nprint({num=})"),
    ("perhaps", 6, "if {num} > {3}:\n    def {fun=}(v):\n        return v\n{num=} = {fun=}({3})"),
    ("perhaps", 6, "if {num} > {3}:\n    {num=} = {3}\n{num=2} = {fun}({num=})"),
    (
        "perhaps",
        6,
        "def {fun=}():\n    global a\n    a = {3}\nif {num} > {3}:\n    a = 1\nprint(a)\n{fun=}()",
    ),
)
"""Names that the code binds on some path, and reads after it."""

GROUND: tuple[tuple[str, int, str], ...] = (
    ("ground", 10, "{ground=} = {3}"),
    ("ground", 3, "{ground=} = {ground} + {3}"),
    ("ground", 2, "{ground!} += {3}"),
    ("ground", 4, "def {tool=}(v):\n    return v + {3}"),
    ("ground", 3, "def {tool=}(v):\n    return v + {ground}"),
    ("ground", 2, "import math\n{ground=} = math.isqrt({3} + 9)"),
    ("ground of steps", 1, "{ground=} = {num} + {3}"),
    ("ground of steps", 1, "def {tool=}(v):\n    return v + {num}"),
    ("plain change", 2, "{num=} = {3}"),
    ("plain change", 2, "{list!}.append({3})"),
    ("plain change", 1, "{num!} += {3}"),
    ("plain change", 1, "{num=} = {fun}({3})"),
    ("plain change", 1, "del {num!}"),
    ("plain change", 1, "{dict!}['p'] = {3}"),
    ("plain look", 3, "{num} + {3}"),
    ("plain look", 2, "print({list})"),
)

_HOLE = re.compile(r"\{\{|\}\}|\{(\d)\}|\{([a-z]+)([=!]?)(\d?)\}")


@dataclass
class Scope:
    """The names that the notebook has by then, by kind, if its cells run in order."""

    names: dict[str, list[str]] = field(default_factory=dict)

    def copy(self) -> Scope:
        return Scope({kind: list(names) for kind, names in self.names.items()})

    def add(self, kind: str, name: str) -> None:
        names = self.names.setdefault(kind, [])
        if name in names:
            names.remove(name)
        names.append(name)


@dataclass(frozen=True)
class Words:
    """What bodies are made of: the statements of a mode without those of some features."""

    statements: tuple[tuple[str, int, str], ...]
    last: tuple[tuple[str, int, str], ...]
    ground: tuple[tuple[str, int, str], ...]


def words(mode: str, without: Collection[str] = ()) -> Words:
    """The statements of a mode: `plain`, `aliases` with one object under several names, `hidden`
    with what no name holds, and code that does not show what it reads, `conditional` with names
    that are bound on some path alone, `lazy` with what runs later than where it stands, `behind`
    with what is kept behind names, `reach` with modules that functions import, and others that
    code gets otherwise than by a name, `loads` with what comes from files, is large, or hangs on
    frames, `keeps` with one object under several names, and what comes from files, `redefines`
    with one object under several names, beside a class that is defined again."""
    more = {
        "aliases": ALIASES,
        "hidden": HIDDEN,
        "conditional": CONDITIONAL,
        "lazy": LAZY,
        "behind": BEHIND,
        "reach": REACH * 3,
        "loads": LOADS,
        "keeps": ALIASES + KEEPS,
        "redefines": ALIASES,
    }
    statements = PLAIN + more.get(mode, ())

    def left(rows: tuple[tuple[str, int, str], ...]) -> tuple[tuple[str, int, str], ...]:
        return tuple(row for row in rows if row[0] not in without)

    return Words(left(statements), left(LAST), left(GROUND))


def body(random: Random, words: Words, scope: Scope, *, plain: bool = False) -> str:
    """A body of one to four statements, the last perhaps a value or a print; `scope` gets the
    names that it assigns. `plain`: of a cell that is no step."""
    lines = []
    rows = words.ground if plain else words.statements
    for _ in range(random.choice((1, 1, 1, 2) if plain else (1, 1, 2, 2, 3, 4))):
        lines.append(_statement(random, rows, scope))
    if not plain and random.random() < 0.4:
        lines.append(_statement(random, words.last, scope))
    return "\n".join(lines)


_SIMPLE = (
    "assign",
    "list",
    "dict",
    "set",
    "text",
    "function",
    "procedure",
    "class",
    "frame",
    "array",
)


def setup(random: Random, words: Words, scope: Scope) -> str:
    """A body that assigns two numbers, a list, and three more things of other kinds."""
    kinds = ["num", "num", "list", *random.sample(("dict", "fun", "set", "text", "proc"), 2)]
    kinds += random.choices(("class", "frame", "array", "dict"), k=1)
    rows = [row for row in words.statements if row[0] in _SIMPLE]
    lines = []
    for kind in kinds:
        making = [row for row in rows if f"{{{kind}=}}" in row[2]]
        tries = (_filled(random, _row(random, making), scope, False) for _ in range(20))
        lines += filter(None, [next(filter(None, tries), None)])
    return "\n".join(lines)


def _row(random: Random, rows: Sequence[tuple[str, int, str]]) -> str:
    return random.choices(rows, [row[1] for row in rows])[0][2]


def _statement(random: Random, rows: tuple[tuple[str, int, str], ...], scope: Scope) -> str:
    """One statement. Now and then it reads a name that is not there yet."""
    for _ in range(12):
        filled = _filled(random, _row(random, rows), scope, careless=random.random() < 0.02)
        if filled is not None:
            return filled
    return f"a = {random.randrange(1, 9)}" if rows is PLAIN else "pass"


def _filled(random: Random, text: str, scope: Scope, careless: bool) -> str | None:
    chosen: dict[tuple[str, str, str], str] = {}
    assigned: list[tuple[str, str]] = []

    def fill(hole: re.Match[str]) -> str:
        number, kind, mark, which = hole.groups()
        if hole[0] in ("{{", "}}"):
            return hole[0][0]
        if number:
            return str(random.randrange(1, 9))
        key = (kind, mark, which)
        if key not in chosen:
            chosen[key] = _name(random, kind, mark, scope, careless)
            if mark == "=":
                assigned.append((kind, chosen[key]))
        return chosen[key]

    try:
        filled = _HOLE.sub(fill, text)
    except LookupError:
        return None
    for kind in ("fun", "class"):  # a function that calls itself, by its own name, never ends
        if chosen.get((kind, "=", ""), 0) == chosen.get((kind, "", ""), 1):
            return None
    for kind, name in assigned:
        scope.add(kind, name)
    return filled


def _name(random: Random, kind: str, mark: str, scope: Scope, careless: bool) -> str:
    if mark == "=":
        return random.choice(NAMES[kind])
    kinds = READ_AS.get(kind, (kind,)) if mark == "" else (kind,)
    known = scope.names.get(random.choice(kinds)) or scope.names.get(kind, ())
    if careless:
        return random.choice(NAMES[kind])
    if not known:
        raise LookupError(kind)
    return random.choice((*known, known[-1]))
