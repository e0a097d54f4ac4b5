"""In-place changes of what is too large to be looked at whole, and what is changed by being used:
run again, they make what was read before stale (rule 8)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from tests.dataflow.kernel import Kernel

ARRAY = "import numpy as np\na = np.arange(250000.).reshape(500,500)"
NUMBERS = "x = list(range(200000))"
FRAME = (
    "import pandas as pd, numpy as np\n"
    "n = np.arange(200000.)\n"
    "df = pd.DataFrame({'a': n, 'b': n, 'g': ['u', 'v'] * 100000})"
)
TWO = "import numpy as np\na, b = np.zeros((600, 600)), np.zeros(3)"
RECORDS = (
    "class R:\n    def __init__(self, n): self.n = n\n    def more(self): self.n += 1\n"
    "x = [R(n) for n in range(5000)]"
)
CHANGES: dict[tuple[str, str], tuple[str, ...]] = {
    (ARRAY, "r=float(np.trace(a))"): ("np.fill_diagonal(a, a.max()+1)",),
    (ARRAY, "r=float(a.sum())"): (
        "np.put(a, [77777], a.flat[77777]+1)",
        "np.copyto(a[155:156], a[155:156]+1)",
        "np.place(a, a==77777, 5)",
        "np.putmask(a, a==77777, 5)",
        "np.add.at(a, (155,277), 1)",
        "np.add(a[155], 1, out=a[155])",
        "np.multiply(a, 1.5, a)",
        "a.flat[77777] += 1",
        "memoryview(a)[155,277] = 3.5",
        "for row in a:\n    row[277] += 1",
        ("for row in np.nditer(a, op_flags=['readwrite']):\n    if row == 77777: row[...] = 0"),
        "b = a.T\nb[277,155] += 1",
        "(lambda z: z.__setitem__((155,277), z[155,277]+1))(a)",
        "a[155].sort(); a[155] = a[155][::-1]*1.1",
        ("np.lib.stride_tricks.sliding_window_view(a, 3, axis=0, writeable=True)[100,100,1] += 1"),
        "np.nan_to_num(a, copy=False, nan=0); a.clip(0, 777, out=a)",
    ),
    (ARRAY, "r=float(a[155,3])"): (
        "np.random.default_rng(1).shuffle(a[155])",
        "np.ndarray.sort(a[155][::-1])",
    ),
    (ARRAY, "r=float(a[3,3])"): ("np.random.shuffle(a)",),
    (NUMBERS, "r=x[5]"): ("import random; random.Random(1).shuffle(x)",),
    (NUMBERS, "r=len(x)"): (
        "import bisect; bisect.insort(x, 777.5)",
        "list.append(x, 3)",
    ),
    (NUMBERS, "r=x[0]"): ("import heapq; heapq.heappush(x, -5)",),
    (NUMBERS, "r=sum(x)"): (
        "import operator; operator.setitem(x, 77777, x[77777]+1)",
        "x[77777] += 1",
        "x[10:20] = [1]",
        "[x.append(i) for i in range(2)]",
        "any(map(x.remove, [77777 if 77777 in x else 5]))",
        "f = x.append\nf(1)",
        "getattr(x, 'append')(1)",
        "from functools import partial\npartial(list.append, x)(1)",
        "x.__setitem__(77777, 5)",
        "x[77777:77778] = [x[77777]*2]",
    ),
    ("x = [[i] for i in range(50000)]", "r=sum(map(len,x))"): (
        "x[33333].append(1)",
        "y = x[33333]\ny.append(1)",
        "for y in x[33333:33335]: y += [1]",
    ),
    ("x = {i:[i] for i in range(50000)}", "r=sum(map(len,x.values()))"): ("x[33333].append(1)",),
    ("x = {i:{'n':i} for i in range(50000)}", "r=sum(v['n'] for v in x.values())"): (
        "for k,v in x.items():\n    v['n'] += (k==33333)",
        "next(v for v in x.values() if v['n']>=33333)['n'] += 1",
        "max(x.values(), key=lambda v: v['n'])['n'] += 1",
        "sorted(x.values(), key=lambda v: v['n'])[33333]['n'] += 1",
    ),
    (
        ("from collections import defaultdict\nx=defaultdict(list)\nfor i in range(50000): x[i]"),
        "r=sum(map(len,x.values()))",
    ): ("x[33333].append(1)",),
    (FRAME, "r=df.a.sum()"): (
        "df.loc[77777,'a'] += 1",
        "df.at[77777,'a'] += 1",
        "df.iat[77777,0] += 1",
        "df.update(pd.DataFrame({'a':[df.a[77777]+1]}, index=[77777]))",
        "df.drop(index=df.index[77777], inplace=True)",
        "df.a.fillna(0, inplace=True); df['a'] = df['a'].shift(1)",
        "df.iloc[77777:77780, 0] = df.iloc[77777:77780, 0] * 2",
        "for c in ['a','b']:\n    df[c] = df[c] + 1",
        "df.__setitem__('a', df['a']+1)",
        "setattr(df, 'a', df.a + 1)",
        "g = df.groupby('g')\nfor k, part in g:\n    df.loc[part.index[3], 'a'] += 1",
    ),
    (FRAME, "r=df.shape[1]"): (
        "df.insert(0, 'z%d' % df.shape[1], 1)",
        "df.pop(df.columns[-1])",
        "pd.DataFrame.pop(df, df.columns[-1])",
    ),
    (FRAME, "r=df.index[0]"): ("df.index = df.index + 1",),
    (FRAME, "r=df.columns[0]"): (
        "df.columns = [c + 'x' for c in df.columns]",
        "df.rename(columns=lambda c: c+'x', inplace=True)",
    ),
    (FRAME, "r=df.attrs['n']"): ("df.attrs['n'] = df.attrs.get('n',0)+1",),
    (FRAME, "r=df.a.iloc[0]"): (
        "df.set_axis(df.index[::-1]); df.sort_index(ascending=df.index[0]!=0, inplace=True)",
    ),
    ("import numpy as np\nrng=np.random.default_rng(0)", "r=v"): ("v = rng.normal()",),
    ("import random\nrng=random.Random(0)", "r=v"): ("v = rng.random()",),
    ("it = iter(range(9))", "r=v"): ("v = next(it)",),
    ("open('f.txt','w').write('a\\nb\\nc\\nd\\n')\nf = open('f.txt')", "r=v"): (
        "v = f.readline()",
    ),
    ("import io\nf = io.StringIO('a\\nb\\nc\\nd')", "r=v"): ("v = f.readline()",),
    ("import csv, io\nf = csv.reader(io.StringIO('a\\nb\\nc\\nd'))", "r=v"): ("v = next(f)",),
    ("import itertools\nc = itertools.count()", "r=v"): ("v = next(c)",),
    ("import queue\nq = queue.Queue()\nfor i in range(9): q.put(i)", "r=v"): ("v = q.get()",),
    (
        (
            "import sqlite3\ncon = sqlite3.connect(':memory:'); "
            "con.execute('create table t(x)'); "
            "cur=con.execute('select 1 union select 2 union select 3')"
        ),
        "r=v",
    ): ("v = cur.fetchone()",),
    ("import re\nit = re.finditer('.', 'abcdef')", "r=v"): ("v = next(it).group()",),
    (
        (
            "import matplotlib; matplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n"
            "fig, ax = plt.subplots()"
        ),
        "r=len(ax.lines)",
    ): ("ax.plot([1,2])",),
    (
        (
            "import matplotlib; matplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n"
            "fig, ax = plt.subplots()"
        ),
        "r=ax.get_title()",
    ): ("ax.set_title(ax.get_title()+'x')",),
    (
        (
            "class M:\n    def __init__(self): self.w=[0]*5000; self.n=0\n"
            "    def fit(self, k): self.w[3333]+=k; return self\nm=M()"
        ),
        "r=sum(m.w)",
    ): ("m.fit(1)",),
    (
        (
            "class M:\n    def __init__(self): self.w=[0]*50000\n    def step(self, "
            "k): self.w[33333]+=k; return self\nm=M()"
        ),
        "r=sum(m.w)",
    ): ("z=m.step(1)",),
    ("import threading, types\nns = types.SimpleNamespace(k=0)", "r=ns.k"): ("ns.k += 1",),
    ("class C:\n    n=0\n    def __call__(self): self.n+=1; return self.n\nc=C()", "r=v"): (
        "v=c()",
    ),
    ("class C:\n    n=0\n    def __add__(self,o): self.n+=o; return self.n\nc=C()", "r=c.n"): (
        "v=c+1",
    ),
    ("class C:\n    n=0\n    def __len__(self): self.n+=1; return self.n\nc=C()", "r=c.n"): (
        "v=len(c)",
    ),
    (
        "class C:\n    n=0\n    @property\n    def v(self): self.n+=1; return self.n\nc=C()",
        "r=c.n",
    ): ("v=c.v",),
    (
        ("class C:\n    n=0\n    def __format__(self, s): self.n+=1; return str(self.n)\nc=C()"),
        "r=c.n",
    ): ("v=f'{c}'",),
    ("class C:\n    n=0\n    def __contains__(self, s): C.n+=1; return True\nc=C()", "r=C.n"): (
        "v= 1 in c",
    ),
    (
        (
            "class C:\n    n=0\n    def __enter__(self): self.n+=1; return self\n"
            "    def __exit__(self,*a): pass\nc=C()"
        ),
        "r=c.n",
    ): ("with c: pass",),
    ("def gen():\n    n=0\n    while True:\n        n+=1; yield n\ng=gen()", "r=v"): ("v=next(g)",),
    (
        (
            "def make():\n    n=0\n    def f():\n        nonlocal n; n+=1; return n\n"
            "    return f\nf=make()"
        ),
        "r=v",
    ): ("v=f()",),
    ("def f(x=[]): x.append(1); return len(x)", "r=v"): ("v=f()",),
    ("def f(): f.n = getattr(f,'n',0)+1; return f.n", "r=v"): ("v=f()",),
    (
        "from functools import lru_cache\nk=[0]\n@lru_cache\ndef f(x): k[0]+=1; return k[0]",
        "r=k[0]",
    ): ("v=f(len(k)); f.cache_clear()",),
    ("import contextvars\ncv=contextvars.ContextVar('cv',default=0)", "r=cv.get()"): (
        "cv.set(cv.get()+1)",
    ),
    ("import array\nx=array.array('d', range(100000))", "r=sum(x)"): ("x[33333]+=1",),
    ("x=bytearray(100000)", "r=sum(x)"): ("x[33333]+=1",),
    ("from collections import Counter, deque\nx=Counter(range(50000))", "r=x[33333]"): (
        "x.update([33333])",
    ),
    ("from collections import deque\nx=deque(range(50000), maxlen=50000)", "r=x[5]"): (
        "x.rotate(1)",
    ),
    (
        "from collections import OrderedDict\nx=OrderedDict((i,i) for i in range(5000))",
        "r=next(iter(x))",
    ): ("x.move_to_end(next(iter(x)))",),
    ("x={i for i in range(50000)}", "r=len(x)"): ("x.symmetric_difference_update({33333})",),
    ("import weakref\nclass K: pass\nk=K(); x=weakref.WeakKeyDictionary(); x[k]=0", "r=x[k]"): (
        "x[k]+=1",
    ),
    ("from types import MappingProxyType\nd={'a':1}\nx=MappingProxyType(d)", "r=x['a']"): (
        "d['a']+=1",
    ),
    ("d={'a':1}\nx=d.items()", "r=dict(x)['a']"): ("d['a']+=1",),
    ("import numpy as np\na=np.zeros(5)\nx=memoryview(a)", "r=x[3]"): ("a[3]+=1",),
    ("import numpy as np\nclass S: pass\ns=S(); s.a=np.zeros((600,600))", "r=float(s.a.sum())"): (
        "s.a[300,301]+=1",
    ),
    (
        (
            "import numpy as np\nclass S:\n"
            "    def __init__(self): self.a=np.zeros((600,600))\n"
            "    def go(self): self.a[300,301]+=1\ns=S()"
        ),
        "r=float(s.a.sum())",
    ): ("s.go()",),
    ("import numpy as np\nd={'a':np.zeros((600,600))}", "r=float(d['a'].sum())"): (
        "d['a'][300,301]+=1",
    ),
    ("import numpy as np\nd=[np.zeros((600,600))]", "r=float(d[0].sum())"): (
        "for q in d: q[300,301]+=1",
        "q,=d\nq[300,301]+=1",
        "for i,q in enumerate(d): q[300,301]+=1",
        "def go(m): m[300,301]+=1\nlist(map(go,d))",
        "def go(m): m[300,301]+=1\n[go(m) for m in d]",
        (
            "from concurrent.futures import ThreadPoolExecutor\ndef go(m): m[300,301]+=1\n"
            "with ThreadPoolExecutor(1) as p: list(p.map(go,d))"
        ),
    ),
    ("import numpy as np\nd=[np.zeros((600,600))]*2", "r=float(d[0].sum())"): (
        "for q,w in zip(d,d): q[300,301]+=1",
    ),
    ("import numpy as np\na=np.zeros((600,600))", "r=float(a.sum())"): (
        (
            "import threading\ndef go(): a[300,301]+=1\nt=threading.Thread(target=go); "
            "t.start(); t.join()"
        ),
        "import asyncio\nasync def go(): a[300,301]+=1\nawait go()",
        "from operator import iadd\niadd(a[300], 1)",
        "np.apply_along_axis(lambda r: r.__iadd__(1), 1, a)",
        "w = a[300]\nw += 1",
        "w = a.view(np.recarray) if False else a.reshape(600,600)\nw[300,301] += 1",
        "u, w = np.split(a, 2)\nw[30,301] += 1",
        "u, w = np.array_split(a, 2)\nw[30,301] += 1",
        "w = np.broadcast_arrays(a)[0]\nnp.flip(a)[3,301] += 1",
        "np.diagonal(a).flags; np.einsum('ij->ji', a)[301,300] += 1",
        "np.rollaxis(a,1)[301,300] += 1",
        "np.atleast_3d(a)[300,301,0] += 1",
        (
            "np.frombuffer(a.data, dtype=float)[77777]; np.frombuffer(a)[77777]; "
            "a.data[300,301]=a.data[300,301]+1"
        ),
    ),
    ("import numpy as np\na=np.zeros((600,600), dtype=complex)", "r=float(abs(a).sum())"): (
        "a.real[300,301] += 1",
    ),
    ("import numpy as np\na=np.ma.masked_array(np.zeros((600,600)))", "r=float(a.sum())"): (
        "a[300,301] = a[300,301]+1",
    ),
    ("import numpy as np\na=np.ma.masked_array(np.zeros((600,600)))", "r=float(a.data.sum())"): (
        "a.mask = a.mask | (a.filled(1)>=0); a.data[300,301]+=1",
    ),
    (TWO, "r=float(a.sum())"): (
        "def f(x, y):\n    for d in (x, y): d[2] += 1\nf(a, b)",
        "def f(x, y):\n    for k, d in {'x': x, 'y': y}.items(): d[2] += 1\nf(a, b)",
        "def f(x, y):\n    l = [x, y]\n    l[0][2] += 1\nf(a, b)",
        "l = [a, b]\nd = l.pop(0)\nd[2] += 1",
        "def f(**kw):\n    for k, d in kw.items(): d[2] += 1\nf(x=a, y=b)",
        "def f(x=None):\n    d = a if x is None else x\n    d[2] += 1\nf()",
        "def same(x): return x\nsame(a)[2] += 1",
        "def same(x): return x\nz = same(a)\nz[2] += 1",
        "def each(x, y): yield x; yield y\nfor q in each(a, b): q[2] += 1",
        "def f(x):\n    y = np.asarray(x)\n    y[2] += 1\nf(a)",
        "def f(x):\n    y = x.reshape(-1, 2)\n    y[77777, 0] += 1\nf(a)",
        "def f(x): np.put(x, [77777], x.flat[77777] + 1)\nf(a)",
        "y = np.split(a, 3)\ny[1][7] += 1",
    ),
    (
        "import xml.etree.ElementTree as ET\nx = ET.Element('a')\ny = ET.SubElement(x, 'b')",
        "r=ET.tostring(x)",
    ): (
        "ET.SubElement(x, 'c')",
        "def f(e, add=getattr(ET, 'SubElement')): add(e, 'c')\nf(x)",
        "from functools import partial\npartial(ET.SubElement, x)('c')",
        "y.text = (y.text or '') + 'a'",
        "for e in x.iter(): e.set('n', e.get('n', '') + '1')",
    ),
    (RECORDS, "r=sum(each.n for each in x)"): (
        "def find(n): return next(each for each in x if each.n >= n)\nfind(2503).more()",
        "def find(rows, n): return rows[n]\nfind(x, 2503).n += 1",
    ),
}
"""What is made, and what is read of it: the ways to change it; another run changes it once more."""
CASES = [(make, change, read) for (make, read), all in CHANGES.items() for change in all]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with pytest.MonkeyPatch.context() as patch:
        folder: Path = tmp_path_factory.mktemp("changes")
        patch.setenv("WFNB_HOME", str(folder))
        patch.chdir(folder)
        kernel = Kernel("changes")
        yield kernel
        kernel.stop()


@pytest.fixture(autouse=True)
def _closes_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of open files
@pytest.mark.parametrize("case", range(len(CASES)), ids=[change for _, change, _ in CASES])
def test_a_change_that_is_made_again_makes_its_readers_stale(kernel: Kernel, case: int):
    make, change, read = CASES[case]
    kernel.say(f"%wfnb start changed-{case}")

    results = []
    for run in (make, change, read, change, read):
        cell = f"cell-{(make, change, read).index(run)}"
        assert kernel.say(f"%%step T\n{run}", cell) is None
        results.append(repr(kernel.shell.user_ns.get("r")))

    stale = [step["number"] for step in kernel.marks() if step["stale"]]
    assert results[2] == results[4] or 3 in stale
