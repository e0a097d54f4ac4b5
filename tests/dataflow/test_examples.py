"""Cells as people write them, and the names that the analysis finds in each."""

import pytest

from wfnb.dataflow.source_effects import analyze

READS = {
    "x = y + 1": "y",
    "x += 1": "x",
    "del x": "x",
    "x[i] = v": "x i v",
    "x.a = v": "x v",
    "x, y = y, x": "x y",
    "y = 1\nz = y": "",
    "y = 1\ndel y\nprint(y)": "print",
    "if c:\n    y = 1\nz = y": "c y",
    "if c:\n    y = 1\nelse:\n    y = 2\nz = y": "c",
    "try:\n    y = 1\nexcept E:\n    pass\nz = y": "E y",
    "try:\n    y = a\nfinally:\n    z = y": "a y",
    "try:\n    y = 1\nexcept E:\n    raise\nz = y": "E",
    "for i in xs:\n    y = i\nz = y": "xs y",
    "for i in [1, 2]:\n    y = i\nz = y": "",
    "while True:\n    x = a\n    if x:\n        break\nprint(x)": "a print",
    "with open(p) as s:\n    y = s.read()\nz = y": "open p",
    "with suppress(E):\n    y = 1\nz = y": "suppress E y",
    "match p:\n    case [a, *b]:\n        pass\n    case C(n=k):\n        a = k\nz = a": "p C a",
    "[a for a in xs if a > t]": "xs t",
    "[a for a in a]": "a",
    "[b for a in xs for b in a]": "xs",
    "f = lambda a: a + k": "",
    "f = lambda a: a + k\nf(1)": "k",
    "f = lambda a: a + k\ng = f": "",
    "f = lambda a: a + k\ng = f\ng(1)": "k",
    "lambda a: a + k": "k",
    "def f(a, b=d) -> r:\n    return k": "d r",
    "def f():\n    return g()\ndef g():\n    return k\nf()": "k",
    "def f():\n    return k\nk = 1\nf()": "",
    "def f():\n    global k\n    k = 1\nf()\nprint(k)": "k print",
    "def f():\n    def g():\n        return k\n    k = 1\n    return g\nf()": "",
    "def f():\n    def g():\n        def h():\n            k\n    k = 1\nf()": "",
    "@decorate\ndef f():\n    return k": "decorate k",
    "@lru_cache\ndef f():\n    return k": "lru_cache",
    "class C(base):\n    a = b\n    def m(self):\n        return k": "base b",
    "class C:\n    def m(self):\n        return k\nc = C()": "",
    "class C:\n    def m(self):\n        return k\nc = C()\nc.m()": "k",
    "class C:\n    def m(self):\n        return k\nc = C()\nk = 1\nc.m()": "",
    "class C:\n    def m(self):\n        return k\nprint(C())": "print k",
    "class C:\n    def m(self):\n        return k\nc = C(C)": "k",
    "class C:\n    def m(self):\n        return k\ndef f():\n    C().m()\nc = C(f())": "k",
    "class C:\n    def __init__(self):\n        self.a = k\nc = C()": "k",
    "class C:\n    def __init__(self):\n        self.m()\n    def m(self):\n"
    "        k\nc = C()": "k",
    "class C:\n    def __init__(self):\n        f(self)\n    def m(self):\n"
    "        k\nc = C()": "f k",
    "class C(B):\n    def m(self):\n        return k\nc = C()": "B k",
    "class C(metaclass=M):\n    def m(self):\n        return k\nc = C()": "M k",
    "class C:\n    def __init__(self):\n        self.__m()\n    def __m(self):\n"
    "        k\nc = C()": "k",
    "class B:\n    def m(self):\n        return k\nclass C(B):\n    pass\nk = 1\nC().m()": "",
    "class B:\n    def m(self):\n        return k\nclass C(B):\n    pass\nC().m()": "k",
    "class B:\n    def __init__(self):\n        self.m()\nclass C(B):\n    def m(self):\n"
    "        k\nc = C()": "k",
    "class B:\n    def __init_subclass__(cls):\n        k\nclass C(B):\n    pass": "k",
    "def f():\n    return k\nfs = [f, g]\nk = 1\nfs[0]()": "g",
    "def f():\n    return k\nfs = [f]\nfs[0]()": "k",
    "def f():\n    return k\nfs = [f()]": "k",
    "class C:\n    x = 1\n    y = [x for _ in z]": "z x",
    "class C:\n    x = x": "x",
    "class C:\n    def m(self):\n        return __k\nC()": "_C__k",
    "print(f'{x!r:>{w}} {y}')": "print x w y",
    "a and (b := c)\nprint(b)": "a b c print",
    "async def f():\n    return k\nawait f()": "k",
    "x: int = y": "int y",
    "def f():\n    x: T = 1\nf()": "",
    "df.query('a > @limit')": "df limit",
    "eval('k + 1')": "k",
    "exec('j = k')\nj": "k",
    "duckdb.sql('select * from sales')": "duckdb sales",
    "list = [1]\nlist.append(2)": "",
}
LATE = {
    "if c:\n    y = 1\nz = y": "y",
    "for i in xs:\n    y = i\nz = y": "y",
    "try:\n    y = 1\nexcept E:\n    pass\nz = y": "y",
    "with suppress(E):\n    y = 1\ny": "y",
    "a and (b := c)\nprint(b)": "b",
    "x = y": "",
    "if c:\n    y = y + 1\nz = y": "",
    "if c:\n    y = 1\nelse:\n    y\ny": "",
    "if c:\n    y = 1\nprint(y)\ny = 2": "",
    "if c:\n    y = 1\nprint(y)\ndel y": "",
    "if c:\n    y = 1\ny += 1": "",
    "for i in xs:\n    if i:\n        y = i\n    print(y)": "",
    "try:\n    y\nexcept NameError:\n    y = 1\ny": "",
    "def f():\n    return y\nif c:\n    y = 1\nf()": "",
    "def f():\n    global y\n    y = 1\nif c:\n    y = 2\ny\nf()": "",
    "def f():\n    global y\n    y = 1\ng = f\nif c:\n    y = 2\ny\ng()": "",
}
WRITES = {
    "x = 1": "x",
    "x = y = 1": "x y",
    "a, (b, *c) = d": "a b c",
    "import a.b, c.d as e\nfrom f import g as h": "a e h",
    "def f(): pass": "f",
    "class C: x = 1": "C",
    "with open(p) as s:\n    y = 1": "s y",
    "print(n := 1)": "n",
    "x: int": "",
    "x = 1\nraise E": "",
    "x = 1\ndel x": "",
    "if c:\n    x = 1": "",
    "if c:\n    x = 1\nelse:\n    raise E": "x",
    "for x in xs: pass": "",
    "for x in range(3):\n    y = x": "x y",
    "try:\n    x = 1\nexcept E as e:\n    y = 1\nfinally:\n    z = 1": "z",
    "try:\n    x = 1\nexcept E:\n    x = 2": "x",
    "while True:\n    x = 1\n    try:\n        break\n    finally:\n        del x": "",
    "[y := x for x in xs]": "",
    "def f():\n    global x\n    x = 1\nf()": "f",
    "def f():\n    global x\n    del x\nx = 1\nf()": "f",
}
MAY_WRITE = {
    "x = 1": "",
    "x = 1\nraise E": "x",
    "x = 1\ndel x": "x",
    "del x": "x",
    "if c:\n    x = 1": "x",
    "for x in xs: pass": "x",
    "try:\n    x = 1\nexcept E as e:\n    y = 1": "x e y",
    "match p:\n    case {'a': a, **rest}: pass": "a rest",
    "def f():\n    global x\n    x = 1": "",
    "def f():\n    global x\n    x = 1\nf()": "x",
    "class C:\n    global x\n    x = 1": "",
}
MUTATES = {
    "class K:\n    z = [q for q in w]\n    for p in z: p.append(1)": "w",
    "class K:\n    y = [*y, 1]\n    next(iter(y)).append(3)": "y",
    "x[0] = 1": "x",
    "del x[0]": "x",
    "x.a.b = 1": "x",
    "x += [1]": "x",
    "x[0] += 1": "x",
    "x.loc[m, 'a'] = 1": "x",
    "x.append(1)": "x",
    "x.layers[0].append(1)": "x",
    "f(x).append(1)": "",
    "x['a'].fillna(0, inplace=True)": "x",
    "x.fillna(0, inplace=False)": "",
    "x.fillna(0)": "",
    "x.sort()": "x",
    "y = x.add(1)": "",
    "x.add(1)": "x",
    "x.setdefault(k, []).append(1)": "x",
    "x.get(k).append(1)": "x",
    "model.fit(X, y)": "model",
    "rng.normal()": "rng",
    "rng.shuffle(x)": "rng x",
    "random.shuffle(x)": "x",
    "np.random.shuffle(x)": "x",
    "from random import shuffle\nshuffle(x)": "x",
    "heapq.heappush(h, 1)": "h",
    "bisect.insort(x, 1)": "x",
    "np.copyto(a, b)": "a",
    "np.add(a, b, out=c)": "c",
    "np.append(a, b)": "",
    "setattr(x, 'a', 1)": "x",
    "next(it)": "it",
    "operator.iadd(x, y)": "x",
    "t.add_(1)": "t",
    "torch.nn.init.zeros_(t)": "t",
    "f.write('a')": "f",
    "for row in rows:\n    row['a'] = 1": "rows",
    "for k, v in d.items():\n    v.append(k)": "d",
    "[p.append(1) for p in x]": "x",
    "y = x\ny.append(1)": "x",
    "y = x\ny.append((y := []))": "x",
    "x[0] += (x := y)": "x",
    "y = x['a']\ny[0] = 1": "x",
    "y = list(x)\ny.append(1)": "",
    "y = list(x)\ny[0].append(1)": "x",
    "y = [p for p in x]\nfor p in y: p.append(1)": "x",
    "y = x[x.a > 1]\ny['b'] = 1": "",
    "y = x.copy()\ny['b'] = 1": "",
    "x = []\nx.append(1)": "",
    "sorted(x, key=lambda r: r.pop())": "x",
    "def f(d):\n    d['x'] = 1\nf(df)": "df",
    "def f(d):\n    d = d.copy()\n    d['x'] = 1\nf(df)": "",
    "def f(d):\n    e = d\n    e['x'] = 1\nf(df)": "df",
    "def f(a, *, d):\n    d['x'] = 1\nf(other, d=df)": "df",
    "def f(*a):\n    a[0].append(1)\nf(x, y)": "x y",
    "def f(d):\n    g(d)\ndef g(d):\n    d['x'] = 1\nf(df)": "df",
    "def f(d):\n    def g(e):\n        e['x'] = 1\n    g(d)\nf(df)": "df",
    "def f(d):\n    d['x'] = 1": "",
    "def f():\n    x.append(1)\nf()": "x",
    "class C:\n    def __init__(self, d):\n        d['x'] = 1\nC(df)": "df",
    "while True:\n    y.append(1)\n    y = x": "x y",
    "(lambda d: d.pop())(x)": "x",
}
PASSES = {
    "f(x)": "x",
    "f(x.a[0], *y, k=z)": "x y z",
    "x.method(y)": "x y",
    "print(x, len(y), sum(z))": "",
    "x.mean()": "",
    "x.groupby('a').sum()": "",
    "y = [x]": "x",
    "y = {'a': x}": "x",
    "y[0] = x": "x",
    "y.a = x": "x",
    "y.append(x)": "x",
    "model.fit(X, y)": "",
    "np.dot(a, b)": "",
    "plt.plot(x)": "",
    "list(map(str, x))": "",
    "list(map(f, x))": "x",
    "list(map(lambda p: p + 1, x))": "",
    "df.apply(lambda row: row + k)": "",
    "df.apply(f)": "df",
    "def f(d):\n    return d + 1\nf(x)": "",
    "def f(d):\n    g(d)\nf(x)": "x",
    "def f(d):\n    return d + 1\nlist(map(f, x))": "",
    "class C: pass\nC(x)": "x",
    "f(a + b)": "",
    "f([x, y])": "x y",
    "import tools\ntools.change(x)": "x",
}
OPAQUE = {
    "exec(x)": "exec",
    "eval(x)": "eval",
    "globals()['x'] = 1": "globals",
    "locals()": "locals",
    "vars()": "vars",
    "vars(x)": "",
    "def f():\n    return locals()\nf()": "",
    "def f():\n    return eval('x')": "",
    "def f():\n    return eval(t)\nf()": "eval",
    "from x import *": "star import",
    "import __main__": "__main__",
    "x = [": "syntax",
}


def test_a_name_is_read_if_its_value_from_before_may_matter():
    assert found("reads", READS) == in_order(READS)


def test_a_name_is_read_late_if_only_what_may_have_bound_it_comes_before():
    assert found("late", LATE) == in_order(LATE)


def test_a_name_is_written_if_every_normal_path_binds_it():
    assert found("writes", WRITES) == in_order(WRITES)


def test_a_name_may_be_written_if_some_path_binds_or_deletes_it():
    assert found("may_write", MAY_WRITE) == in_order(MAY_WRITE)


def test_a_name_is_mutated_if_the_code_shows_a_change_in_place_of_its_object_from_before():
    assert found("mutates", MUTATES) == in_order(MUTATES)


def test_a_name_is_passed_if_unknown_code_or_a_container_gets_its_object():
    assert found("passes", PASSES) == in_order(PASSES)


def test_code_that_hides_names_is_named():
    found = {code: analyze(code).opaque for code in OPAQUE}

    assert found == {code: frozenset([what] if what else []) for code, what in OPAQUE.items()}


def found(field: str, table: dict[str, str]) -> dict[str, list[str]]:
    return {code: sorted(getattr(analyze(code), field)) for code in table}


def in_order(table: dict[str, str]) -> dict[str, list[str]]:
    return {code: sorted(names.split()) for code, names in table.items()}


def test_a_deleted_name_is_gone_at_the_end():
    assert analyze("x = 1\ndel x").deletes == {"x"}
    assert analyze("del x\nx = 1").deletes == frozenset()
    assert analyze("if c:\n    del x").deletes == frozenset()


def test_a_function_is_kept_for_the_cells_that_call_it():
    code = analyze(
        "def f(d, /, e, *rest, k=1, **more):\n"
        "    global n\n"
        "    n = g(d, k)\n"
        "    e.a = m; rest[0].pop(); k.b = 1; more['a'].clear(); log.append(1)\n"
    )

    f = code.functions["f"]
    assert (f.reads, f.may_write, f.mutates) == ({"g", "m", "log"}, {"n"}, {"log"})
    assert f.mutated_parameters == (1, "e", "k", "*", "**")


def test_a_rebound_function_is_not_kept():
    assert dict(analyze("def f(): pass\nf = 1").functions) == {}
    assert dict(analyze("def f(): pass\ndel f").functions) == {}
    assert set(analyze("def f(): pass\ng = f").functions) == {"f", "g"}


@pytest.mark.parametrize(
    "code",
    [
        "\0",
        "x = [",
        "(" * 5000,
        "x" + ".a" * 200_000,
        "\udc80 = 1",
        "-" * 100_000 + "1",
        "é = 1\r\f",
    ],
)
def test_no_text_raises(code):
    assert analyze(code) is analyze(code)


def test_the_warnings_of_a_cell_are_left_to_running_it(recwarn):
    assert analyze(r"x = '\d' + y").reads == {"y"}
    assert list(recwarn) == []


ALIKE = [
    ("x = 'a'  # why\n\n", 'x = "a"'),
    ("f(1,\n  2)", "f(1, 2)"),
    ("'''What this step does.'''\nx = 1", "x = 1"),
    ("# What this step does.\nx = 1", "x = 1"),
    ("x = 1\n'''And what it does then.'''\ny = 2", "x = 1\ny = 2"),
    ("(x) = (1)", "x = 1"),
    ("s = 'a' 'b'", "s = 'ab'"),
]
UNLIKE = [
    ("x = 1", "x = 1.0"),
    ("x = 1", "x = True"),
    ("x = 'a'", "x = b'a'"),
    ("x = a", "x = 'a'"),
    ("f(a, b)", "f((a, b))"),
    ("a < b < c", "(a < b) < c"),
    ("def f():\n    'doc'", "def f():\n    'other'"),
    ("x = [y, [z]]", "x = [[y], z]"),
    ("x = f'{a}'", "x = f'{a!r}'"),
    ("def f(a, /, b): pass", "def f(a, b, /): pass"),
    ("def f(*, a=1): pass", "def f(a=1): pass"),
    ("if a:\n    b\nc", "if a:\n    b\n    c"),
    ("if a:\n    b\nelse:\n    c", "if a:\n    b\n    c"),
    ("{**a}", "{a: a}"),
    ("x[a:]", "x[:a]"),
    ("from . import a", "from .. import a"),
    ("import a as b", "from a import b"),
    ("a.b", "a.c"),
    ("{None: a}", "{**a}"),
    ("def f(a=None, *, b): pass", "def f(a=None, *, b=None): pass"),
    ("def f(*, a, b=1): pass", "def f(*, a=1, b): pass"),
]


def test_layout_and_comments_do_not_change_the_normal_form():
    assert [one for one, other in ALIKE if analyze(one).normal != analyze(other).normal] == []


def test_another_meaning_has_another_normal_form():
    assert [one for one, other in UNLIKE if analyze(one).normal == analyze(other).normal] == []
