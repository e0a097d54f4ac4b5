"""What a step's code assigns is found in the code, without running it."""

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from wfnb.core.assigned_names import find_assigned

CAPTURED = ("rest", "v", "whole", "st", "t")


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("df = 1", ("df",)),
        ("a = b = 1", ("a", "b")),
        ("(a, [b, *c]), d.e = 1, 2", ("a", "b", "c", "d")),
        ("n += 1", ("n",)),
        ("x: int = 1\ny: int", ("x",)),
        (
            "import numpy as np, os.path\nfrom math import pi, sin as s\nfrom q import *",
            ("np", "os", "pi", "s"),
        ),
        ("def f(a=(w := 1)):\n    inner = 1", ("w", "f")),
        ("def f(*, a=(w := 1), b): pass", ("w", "f")),
        ("async def f(): y = 1\nclass C(b := object):\n    z = 1", ("f", "b", "C")),
        ("@(d := deco)\ndef f(): pass", ("d", "f")),
        ("for i, row in rows: total = 1\nelse: last = 2", ("i", "row", "total", "last")),
        ("with open(p) as f, g() as (h, k): pass", ("f", "h", "k")),
        ("if (n := 3) > 2: big = True", ("n", "big")),
        ("[x for x in (y := rows)]", ("y",)),
        ("[z := x for x in rows]", ("z",)),
        ("lambda a: (b := a)", ()),
        ("df['x'] = 1\nmodel.a.b = 2\nrows[0][1].c += 3", ("df", "model", "rows")),
        ("del df['x'], model.a", ("df", "model")),
        ("f().x = 1\n(a or b)[0] = 2", ()),
        ("x = 1\ndel x\ny = 2", ("y",)),
        ("x = 1\ndel x\nx = 2", ("x",)),
        ("try: a = 1\nexcept E as e: b = 2\nfinally: c = 3", ("a", "b", "c")),
        ("e = 1\ntry: a = 1\nexcept E as e: b = 2", ("a", "b")),
        ("match p:\n  case {'k': v, **rest}: pass\n  case [*st, t] as whole: pass", CAPTURED),
        ("rows.append(1)\nprint(x)\nx == 1", ()),
        ("_scratch = 1\n__x = 2", ()),
        ("größe = 1", ("größe",)),
        ("sh.run_line_magic('time', '  x = 1')", ("x",)),
        ("sh.run_cell_magic('time', '', 'x = 1\\ny = 2')", ("x", "y")),
        ("sh.run_line_magic('env', 'x = 1')", ()),
        ("sh.run_line_magic(time, 'x = 1')", ()),
        ("sh.run_line_magic('time', line)", ()),
        ("sh.run_line_magic('time', 'x = 1', local=True)", ()),
        ("sh.run_line_magic()", ()),
        ("sh.other('time', 'x = 1')", ()),
        ("run_line_magic('time', 'x = 1')", ()),
        ("not python", ()),
        ("", ()),
        ("x = '\0'", ()),
    ],
)
def test_names_are_those_that_the_code_assigns(code, names):
    assert find_assigned(code) == names


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("%time model = fit()", ("model",)),
        ("%%time\nmodel = fit()\nn = 1", ("model", "n")),
        ("%%capture out\nx = 1", ("x",)),
        ("files = !ls", ("files",)),
        ("%matplotlib inline\nx = 1", ("x",)),
        ("here = %pwd", ("here",)),
        ("!ls", ()),
    ],
)
def test_lines_that_only_ipython_knows_are_read_as_it_runs_them(cell, names):
    assert find_assigned(TransformerManager().transform_cell(cell)) == names


def test_code_of_any_depth_is_read_or_has_no_names():
    assert find_assigned("x = " + "(" * 5_000 + ")" * 5_000) in ((), ("x",))
    assert find_assigned("x = 1\n" + "y" + " + y" * 50_000) in ((), ("x",))
