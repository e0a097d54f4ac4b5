"""kinds of value -> code of a cell that makes one, and what comes back of it in a fresh kernel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """`code` defines `value` in a notebook. `check` is true of it, in a fresh kernel, where it
    comes back; `told` says it in fewer words. `why_not` is said where it is not kept. `needs` is
    what has to be installed."""

    name: str
    code: str
    check: str = ""
    why_not: str = ""
    needs: str = ""
    told: str = ""


def plain(name: str, value: str) -> Kind:
    check = f"value == ({value}) and type(value) is type({value})"
    return Kind(name, f"value = {value}", check, told=f"value == {value}")


def refused(name: str, code: str, why_not: str, needs: str = "") -> Kind:
    return Kind(name, code, "", why_not, needs)


ARRAY = "import numpy as np\nvalue = "
FRAME = "import pandas as pd\nvalue = "
POLARS = "import polars as pl\nvalue = "
ARROW = "import pyarrow as pa\nvalue = "

KINDS: tuple[Kind, ...] = (
    plain("None", "None"),
    plain("bool", "True"),
    plain("int", "2 ** 200"),
    plain("float", "0.1"),
    Kind("not a number", "value = float('nan')", "value != value"),
    plain("complex", "1 + 2j"),
    plain("str", "'Ærøskøbing 🐟' * 1000"),
    plain("bytes", "b'\\x00\\xff' * 1000"),
    plain("bytearray", "bytearray(200_000)"),
    plain("list", "[1, [2], (3, [4])]"),
    plain("tuple", "(1, [2])"),
    plain("dict", "{'a': 1, (2, 3): [4]}"),
    plain("set", "{1, 'b'}"),
    plain("frozenset", "frozenset({1, 2})"),
    plain("range", "range(3, 30, 4)"),
    plain("slice", "slice(1, None, 2)"),
    Kind("list that holds itself", "value = [1]\nvalue.append(value)", "value[1] is value"),
    Kind(
        "deque",
        "from collections import deque\nvalue = deque([1, 2], maxlen=2)",
        "list(value) == [1, 2] and value.maxlen == 2",
    ),
    Kind(
        "defaultdict of a lambda",
        "from collections import defaultdict\nvalue = defaultdict(lambda: 7, a=1)",
        "value['a'] == 1 and value['b'] == 7",
    ),
    Kind(
        "OrderedDict",
        "from collections import OrderedDict\nvalue = OrderedDict(b=1, a=2)",
        "list(value) == ['b', 'a']",
    ),
    Kind(
        "Counter",
        "from collections import Counter\nvalue = Counter('hello')",
        "value.most_common(1) == [('l', 2)]",
    ),
    Kind(
        "named tuple of the notebook",
        "from collections import namedtuple\n"
        "Point = namedtuple('Point', 'x y')\nvalue = Point(1, 2)",
        "value.x == 1 and value._replace(x=3) == (3, 2) and value == Point(1, 2)",
    ),
    Kind(
        "regular expression",
        "import re\nvalue = re.compile('a+', re.I)",
        "value.fullmatch('AAA') is not None",
    ),
    Kind(
        "date and time with a zone",
        "from datetime import datetime\nfrom zoneinfo import ZoneInfo\n"
        "value = datetime(2024, 7, 1, 12, tzinfo=ZoneInfo('UTC'))",
        "value.isoformat() == '2024-07-01T12:00:00+00:00'",
    ),
    Kind(
        "time span",
        "from datetime import timedelta\nvalue = timedelta(days=2)",
        "value.total_seconds() == 172800",
    ),
    Kind(
        "decimal number",
        "from decimal import Decimal\nvalue = Decimal('0.10')",
        "str(value) == '0.10'",
    ),
    Kind("fraction", "from fractions import Fraction\nvalue = Fraction(1, 3)", "value * 3 == 1"),
    Kind("path", "from pathlib import Path\nvalue = Path('a/b.csv')", "value.name == 'b.csv'"),
    Kind("UUID", "from uuid import UUID\nvalue = UUID(int=7)", "value.int == 7"),
    Kind(
        "enum of the notebook",
        "from enum import Enum\nclass Colour(Enum):\n    RED = 1\nvalue = Colour.RED",
        "value is Colour.RED and value.name == 'RED'",
    ),
    Kind(
        "dataclass of the notebook",
        "from dataclasses import dataclass, field\n@dataclass\nclass Run:\n    n: int = 3\n"
        "    tags: list = field(default_factory=list)\nvalue = Run(4, ['x'])",
        "(value.n, value.tags) == (4, ['x']) and Run() == Run(3, [])",
    ),
    Kind(
        "object of a class of the notebook",
        "class Base:\n    def hello(self):\n        return 'hello'\n"
        "class Own(Base):\n    def hello(self):\n        return super().hello() + self.name\n"
        "value = Own()\nvalue.name = ' Ada'",
        "value.hello() == 'hello Ada' and isinstance(value, Own)",
    ),
    Kind(
        "object with slots",
        "class Slim:\n    __slots__ = ('x',)\nvalue = Slim()\nvalue.x = [1]",
        "value.x == [1] and not hasattr(value, '__dict__')",
    ),
    Kind(
        "dataclass with slots",
        "from dataclasses import dataclass\n@dataclass(slots=True, frozen=True)\n"
        "class Slim:\n    x: int\nvalue = Slim(3)",
        "value == Slim(3) and not hasattr(value, '__dict__')",
    ),
    Kind("class of the notebook", "class value:\n    size = 3", "value().size == 3"),
    Kind(
        "function of the notebook",
        "import math\nLIMIT = 10\ndef helper(x):\n    return math.floor(x)\n"
        "def value(x, *, by=2):\n    return min(helper(x * by), LIMIT)",
        "value(1.6) == 3 and value(100) == 10",
    ),
    Kind("lambda", "value = lambda x: x + 1", "value(1) == 2"),
    Kind(
        "closure",
        "def adder(n):\n    def add(x):\n        return x + n\n    return add\nvalue = adder(5)",
        "value(1) == 6",
    ),
    Kind(
        "function that calls itself",
        "def value(n):\n    return 1 if n < 2 else n * value(n - 1)",
        "value(5) == 120",
    ),
    Kind(
        "partial function",
        "from functools import partial\nvalue = partial(int, base=2)",
        "value('101') == 5",
    ),
    Kind(
        "cached function",
        "from functools import cache\n@cache\ndef value(n):\n    return n * 2",
        "value(4) == 8",
    ),
    Kind(
        "bound method",
        "class Own:\n    n = 3\n    def get(self):\n        return self.n\nvalue = Own().get",
        "value() == 3",
    ),
    plain("built-in function", "len"),
    Kind("module", "import json as value", "value.dumps([1]) == '[1]'"),
    Kind(
        "exception",
        "value = ValueError('no', 3)",
        "type(value) is ValueError and value.args == ('no', 3)",
    ),
    Kind("text in memory", "import io\nvalue = io.StringIO('abc')", "value.read() == 'abc'"),
    Kind(
        "random generator",
        "import random\nvalue = random.Random(3)",
        "value.random() == __import__('random').Random(3).random()",
        told="value.random() == random.Random(3).random()",
    ),
    Kind(
        "NumPy array",
        f"{ARRAY}np.arange(50_000.0)",
        "value.sum() == 1249975000 and value.flags.writeable",
    ),
    Kind(
        "NumPy array with gaps",
        f"{ARRAY}np.arange(90_000.0).reshape(300, 300)[:, ::2]",
        "value.shape == (300, 150) and value[1, 1] == 302",
    ),
    Kind(
        "NumPy array of dates",
        f"{ARRAY}np.arange('2024-01', '2024-03', dtype='M8[D]')",
        "value.size == 60",
    ),
    Kind(
        "NumPy array of objects",
        f"{ARRAY}np.array([1, 'a', None], dtype=object)",
        "value.tolist() == [1, 'a', None]",
    ),
    Kind(
        "NumPy record array",
        f"{ARRAY}np.array([(1, 2.5)], dtype=[('n', 'i4'), ('x', 'f8')])",
        "value['x'][0] == 2.5",
    ),
    Kind(
        "NumPy masked array",
        f"{ARRAY}np.ma.array([1, 2], mask=[0, 1])",
        "value.sum() == 1 and value.mask.tolist() == [False, True]",
    ),
    Kind("NumPy number", f"{ARRAY}np.float32(1.5)", "value == 1.5 and value.dtype == 'float32'"),
    Kind(
        "NumPy random generator",
        f"{ARRAY}np.random.default_rng(3)",
        "value.integers(9) == __import__('numpy').random.default_rng(3).integers(9)",
        told="value.integers(9) == np.random.default_rng(3).integers(9)",
    ),
    Kind(
        "pandas frame",
        f"{FRAME}pd.DataFrame({{'x': range(3), 'y': ['a', None, 'c']}}, index=[5, 6, 7])",
        "value.x.sum() == 3 and value.y.isna().sum() == 1 and list(value.index) == [5, 6, 7]",
    ),
    Kind(
        "pandas frame of categories and dates",
        f"{FRAME}pd.DataFrame({{'c': pd.Categorical(['a', 'b', 'a']), "
        "'d': pd.date_range('2024', periods=3, tz='UTC')})",
        "list(value.c.cat.categories) == ['a', 'b'] and str(value.d.dt.tz) == 'UTC'",
    ),
    Kind(
        "pandas series",
        f"{FRAME}pd.Series([1.0, None], name='s')",
        "value.name == 's' and value.isna().sum() == 1",
    ),
    Kind(
        "pandas index of levels",
        f"{FRAME}pd.MultiIndex.from_product([['a', 'b'], [1, 2]], names=['l', 'n'])",
        "value.names == ['l', 'n'] and len(value) == 4",
    ),
    Kind(
        "Polars frame",
        f"{POLARS}pl.DataFrame({{'x': [1, 2], 'y': ['a', None]}})",
        "value['x'].sum() == 3 and value['y'].null_count() == 1",
        needs="polars",
    ),
    Kind("Polars series", f"{POLARS}pl.Series('s', [1, 2])", "value.name == 's'", needs="polars"),
    Kind(
        "Polars lazy frame",
        f"{POLARS}pl.LazyFrame({{'x': [1, 2]}}).select(pl.col('x') * 2)",
        "value.collect()['x'].to_list() == [2, 4]",
        needs="polars",
    ),
    Kind(
        "PyArrow table",
        f"{ARROW}pa.table({{'x': [1, 2], 'y': ['a', None]}})",
        "value.num_rows == 2 and value['y'].null_count == 1",
        needs="pyarrow",
    ),
    Kind(
        "PyArrow array",
        f"{ARROW}pa.array([[1], [2, 3]])",
        "value.to_pylist() == [[1], [2, 3]]",
        needs="pyarrow",
    ),
    Kind(
        "scikit-learn model",
        "import numpy as np\nfrom sklearn.linear_model import LinearRegression\n"
        "value = LinearRegression().fit(np.array([[1], [2]]), [2, 4])",
        "round(float(value.predict([[3]])[0]), 6) == 6",
        needs="sklearn",
    ),
    Kind(
        "scikit-learn pipeline with a function",
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.preprocessing import FunctionTransformer\n"
        "def twice(x):\n    return x * 2\nvalue = make_pipeline(FunctionTransformer(twice))",
        "value.transform(21) == 42",
        needs="sklearn",
    ),
    Kind(
        "matplotlib figure",
        "import matplotlib\nmatplotlib.use('agg')\nfrom matplotlib.figure import Figure\n"
        "value = Figure()\nvalue.subplots().plot([1, 2])",
        "list(value.axes[0].lines[0].get_ydata()) == [1, 2]",
        needs="matplotlib",
    ),
    Kind(
        "weak dictionary",
        "import weakref\nvalue = {'w': weakref.WeakSet()}",
        "len(value['w']) == 0",
    ),
    Kind(
        "what matplotlib draws by",
        "from matplotlib import rcParams as value\nvalue['figure.figsize'] = (10, 6)\n"
        "value['lines.linewidth'] = 7",
        "value is __import__('matplotlib').rcParams and value['figure.figsize'] == [10, 6]",
        needs="matplotlib",
    ),
    Kind(
        "context of decimal numbers",
        "from decimal import getcontext\nvalue = getcontext()\nvalue.prec = 20",
        "value is __import__('decimal').getcontext() and value.prec == 20",
    ),
    Kind(
        "generator of the module random",
        "import random\nrandom.seed(3)\nvalue = random._inst",
        "value is __import__('random')._inst and value.random() == "
        "__import__('random').Random(3).random()",
    ),
    Kind(
        "generator of numpy.random",
        "import numpy as np\nnp.random.seed(3)\nvalue = np.random.mtrand._rand",
        "value is __import__('numpy').random.mtrand._rand and value.rand() == "
        "__import__('numpy').random.RandomState(3).rand()",
        needs="numpy",
    ),
    Kind(
        "list of a module",
        "import mimetypes\nmimetypes.knownfiles.append('/own')\nvalue = mimetypes.knownfiles",
        "value is __import__('mimetypes').knownfiles and value[-1] == '/own'",
    ),
    Kind("environment", "from os import environ as value", "value is __import__('os').environ"),
    Kind(
        "environment in an object",
        "import os\nclass Own:\n    pass\nvalue = Own()\nvalue.env = os.environ",
        "value.env is __import__('os').environ",
    ),
    Kind("path of modules", "from sys import path as value", "value is __import__('sys').path"),
    Kind(
        "logger",
        "import logging\nvalue = logging.getLogger('own')",
        "value is __import__('logging').getLogger('own')",
    ),
    Kind(
        "object that passes on what it is asked",
        "class Own:\n    def __init__(self, inner):\n        self.inner = inner\n"
        "    def __getattr__(self, name):\n        return getattr(self.inner, name)\n"
        "value = Own([1, 2])",
        "value.inner == [1, 2] and value.index(2) == 1",
    ),
    Kind(
        "new type",
        "from typing import NewType\nvalue = NewType('value', int)",
        "value(3) == 3 and value.__supertype__ is int",
    ),
    Kind(
        "limits of floating point numbers",
        "import numpy as np\nvalue = np.finfo('f8')",
        "value.eps == 2**-52 and value.bits == 64",
        needs="numpy",
    ),
    refused(
        "object that is known by its name",
        "class Own:\n    def __reduce__(self):\n        return 'value'\nvalue = Own()",
        "it is known by its name alone",
    ),
    refused(
        "array in a file",
        "import numpy as np, tempfile\n"
        "value = np.memmap(tempfile.mktemp(), 'u1', 'w+', shape=(3,))",
        "it is an array in a file",
        needs="numpy",
    ),
    refused(
        "copy of the environment",
        "import os\nvalue = {'env': dict(os.environ, OWN='1')}",
        "it holds a copy of the environment, where secrets may be",
    ),
    refused("generator", "value = (x for x in [1])", "it is a generator"),
    refused("open file", "import os\nvalue = open(os.devnull)", "it is an open file"),
    refused(
        "open file in a dictionary",
        "import os\nvalue = {'log': open(os.devnull, 'w')}",
        "it holds an open file",
    ),
    refused("socket", "import socket\nvalue = socket.socket()", "it is a socket"),
    refused("lock", "import threading\nvalue = threading.Lock()", "it is a lock"),
    refused("event of a thread", "import threading\nvalue = threading.Event()", "it is a lock"),
    refused("thread", "import threading\nvalue = threading.Thread()", "it is a thread"),
    refused(
        "process",
        "import subprocess, sys\n"
        "value = subprocess.Popen([sys.executable, '-c', ''])\nvalue.wait()",
        "it is a process",
    ),
    refused(
        "database connection",
        "import sqlite3\nvalue = sqlite3.connect(':memory:')",
        "it is a connection to a database",
    ),
    refused(
        "object that holds a lock",
        "import threading\nclass Own:\n    pass\nvalue = Own()\nvalue.lock = threading.RLock()",
        "it holds a lock",
    ),
    refused(
        "coroutine",
        "async def later():\n    pass\n"
        "value = later()\nimport atexit\natexit.register(value.close)",
        "it is a coroutine",
    ),
    refused(
        "weak reference",
        "import weakref\nvalue = weakref.ref(weakref.WeakSet)",
        "it is a weak reference",
    ),
    refused(
        "view of memory", "value = memoryview(b'abc')", "it is a view of another object's memory"
    ),
    refused(
        "match of a regular expression",
        "import re\nvalue = re.match('a', 'a')",
        "it is a re.Match, which cannot be pickled",
    ),
    refused(
        "tensor on a GPU",
        "import sys, types\nsys.modules['torch'] = types.ModuleType('torch')\n"
        "class Tensor:\n    device = types.SimpleNamespace(type='cuda')\n"
        "Tensor.__module__ = 'torch'\nvalue = Tensor()",
        "it is a tensor on a GPU",
    ),
    refused(
        "list of 100,000 lists in each other",
        "value = []\nfor _ in range(100_000):\n    value = [value]",
        "it is nested too deeply",
    ),
    refused(
        "object that refuses",
        "class Own:\n    def __reduce__(self):\n        raise KeyError('not me')\nvalue = Own()",
        "it cannot be pickled (KeyError: 'not me')",
    ),
)
