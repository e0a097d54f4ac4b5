"""Cells share what no name holds alone: a memory, a cache, a class. After a restart, whatever cell
was edited, the notebook ends as if all its cells had run."""

from fractions import Fraction
from typing import Any

import pytest

from tests.dataflow.kernel import Kernel
from tests.dataflow.resumption import cells_to_run
from tests.dataflow.shared_home import HOME

CACHED = "from functools import lru_cache\ncalls = []\n"
NUMPY = "import numpy as np\na = np.arange(6.0)"
BOOKS: dict[str, tuple[str, ...]] = {
    "a view": (NUMPY, "v = a[1:4]", "w = 1", "a[2] = 50", "seen = v.tolist()"),
    "a view of a view": (NUMPY, "v = [a[1:5]]", "u = v[0][::2]", "a[1] = 9", "seen = u.tolist()"),
    "two views, no base": (
        "import numpy as np\nu, v = (lambda a: (a[:4], a[2:]))(np.arange(6.0))",
        "w = u * 1",
        "u[3] = 50",
        "seen = v.tolist()",
    ),
    "objects": (
        "import numpy as np\na = np.array([[1], 'x', None], dtype=object)",
        "v = a[:2]",
        "w = 1",
        "a[0] = 5",
        "seen = v.tolist()",
    ),
    "bytes": (
        "import numpy as np\nraw = bytearray(6)",
        "v = np.frombuffer(raw, 'u1')",
        "w = 1",
        "raw[2] = 5",
        "seen = v.tolist()",
    ),
    "a memoryview": (
        "raw = bytearray(6)",
        "v = memoryview(raw)",
        "w = 1",
        "raw[2] = 5",
        "seen = v.tolist()",
    ),
    "a masked array": (
        NUMPY,
        "m = np.ma.array(a)",
        "w = 1",
        "a[2] = 50",
        "seen = m.tolist()",
    ),
    "an array of a frame": (
        "import pandas as pd\ndf = pd.DataFrame({'x': [1.0, 2, 3]})",
        "v = df['x'].to_numpy()",
        "w = 1",
        "df.loc[1, 'x'] = 50",
        "seen = v.tolist()",
    ),
    "a column": (
        "import pandas as pd\ndf = pd.DataFrame({'x': [1.0, 2, 3]})",
        "v = df['x']",
        "w = 1",
        "df.loc[1, 'x'] = 50",
        "seen = v.tolist()",
    ),
    "an index": (
        "import pandas as pd\ndf = pd.DataFrame({'x': [1, 2]})",
        "i, c = df.index, df.columns",
        "w = 1",
        "i.name = 'n'\nc.name = 'c'",
        "seen = i is df.index, df.index.name, df.columns.name",
    ),
    "an index of its own": (
        "import pandas as pd\ni = pd.Index(['a', 'b'])",
        "df = pd.DataFrame({'x': [1, 2]}, index=i)",
        "w = 1",
        "df.index.name = 'n'",
        "seen = i is df.index, i.name",
    ),
    "the notes of a frame": (
        "import pandas as pd\ndf = pd.DataFrame({'x': [1, 2]})",
        "at = df.attrs",
        "w = 1",
        "at['u'] = 1",
        "seen = df.attrs",
    ),
    "attributes": (
        "from types import SimpleNamespace\np = SimpleNamespace(x=1)",
        "held = vars(p)",
        "w = 1",
        "held['x'] = 5",
        "seen = p.x",
    ),
    "an element": (
        "import xml.etree.ElementTree as ET\nroot = ET.fromstring('<r><a n=\"1\"/></r>')",
        "e = root.find('a')",
        "w = 1",
        "e.set('n', '5')",
        "seen = ET.tostring(root)",
    ),
    "attributes of an element": (
        "import xml.etree.ElementTree as ET\nroot = ET.fromstring('<r><a n=\"1\"/></r>')",
        "held = root[0].attrib",
        "w = 1",
        "held['n'] = '5'",
        "seen = ET.tostring(root)",
    ),
    "a node": (
        "from xml.dom import minidom\npage = minidom.parseString('<r/>')",
        "n = page.documentElement",
        "w = 1",
        "n.setAttribute('n', '5')",
        "seen = page.toxml()",
    ),
    "a section": (
        "from configparser import ConfigParser\nc = ConfigParser()\nc.read_string('[a]\\nx=1')",
        "s = c['a']",
        "w = 1",
        "s['x'] = '5'",
        "seen = c.get('a', 'x')",
    ),
    "a cache": (
        f"{CACHED}@lru_cache\ndef f(n):\n    calls.append(n)\n    return n",
        "f(1)",
        "f(1)\nseen = len(calls)",
    ),
    "a cache of draws": (
        f"import random\nrandom.seed(1)\n{CACHED}@lru_cache\ndef f(n): return random.random()",
        "x = f(1)",
        "w = 1",
        "seen = f(1) == x",
    ),
    "a cache that is filled where it is made": (
        f"{CACHED}f = lru_cache(lambda n: calls.append(n) or [n])\nx = f(1)",
        "w = 1",
        "seen = f(1) is x, calls",
    ),
    "a cache behind a function": (
        f"{CACHED}@lru_cache\ndef f(n):\n    return [n]\ndef g(): return f(1)",
        "x = g()",
        "w = 1",
        "g().append(5)\nseen = x",
    ),
    "a closure": (
        "def make():\n    n = [0]\n    def up():\n        n[0] += 1\n        return n[0]\n"
        "    return up, lambda: n[0]\nup, look = make()",
        "x = up()",
        "w = 1",
        "seen = up() + look()",
    ),
    "a nested list": ("a = [[1], [2]]", "b = a[0]", "w = 1", "b.append(5)", "seen = a"),
    **{
        f"a class of {kind[:9]}{how[:7]}": (
            f"{kind}\ndef mark(kind):\n    {how}\n    return kind",
            f"x = mark({name})",
            "w = 1",
            f"seen = {name}.label",
        )
        for kind, name in (
            ("from fractions import Fraction", "Fraction"),
            ("import fractions", "fractions.Fraction"),
            ("class K: label = 0", "K"),
        )
        for how in ("kind.label = 3", "setattr(kind, 'label', 3)")
    },
    "an attribute": (
        "from types import SimpleNamespace as S\no = S(n=[1])",
        "p = o.n",
        "w = 1",
        "p.append(5)",
        "seen = o.n",
    ),
}


def unmark() -> None:
    if "label" in vars(Fraction):
        del Fraction.label  # type: ignore[attr-defined]


class Book:
    """A notebook in a kernel; `came` are the cells that ran last. A restart of the kernel leaves
    classes of libraries as they are, another process does not."""

    def __init__(self, kernel: Kernel, bodies: tuple[str, ...], marked: bool) -> None:
        unmark()
        head = "%%step Part {}\n" if marked else ""
        self.cells = {
            letter: head.format(letter) + body
            for letter, body in zip("abcdef", bodies, strict=False)
        }
        self.kernel = kernel
        self.came: list[str] = []

    def resume(self) -> Any:
        self.came = []
        for id in cells_to_run(self.cells):
            error = self.kernel.say(self.cells[id], id)
            assert error is None, (id, error)
            self.came.append(id)
        return self.kernel.shell.user_ns["seen"]


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("story", BOOKS)
def test_a_notebook_that_shares_something_ends_as_if_all_had_run(story: str, marked: bool):
    bodies = BOOKS[story]
    for edited in range(1, len(bodies)):
        with HOME as session:
            kernel = Kernel(session)
            try:
                book = Book(kernel, bodies, marked)
                whole = repr(book.resume())
                book.cells |= {id: f"{book.cells[id]}\nzz = 1" for id in [*book.cells][edited:]}
                kernel.restart()
                unmark()

                assert repr(book.resume()) == whole, edited
            finally:
                kernel.stop()
