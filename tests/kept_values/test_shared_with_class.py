"""What a class holds and another name has, too, is one object again."""

from __future__ import annotations

from pathlib import Path

import pytest

from wfnb.values import Keeper

from .notebook import namespace

ROWS = "class C:\n    rows = []\nrows, c = C.rows, C()"
MADE = (
    "def made():\n    class C:\n        rows = []\n    return C\nK = made()\nrows, k = K.rows, K()"
)
OF = "type(c) is C"
CASES = {
    "a list": (ROWS, "rows.append(1)", f"C.rows is rows and rows == [] and {OF}"),
    "a list, and the name has another": (ROWS, "rows = None", f"c.rows is rows and {OF}"),
    "a list of a class by another name": (MADE, "rows = None", "K.rows is rows and type(k) is K"),
    "a list of its base": (
        "class B:\n    rows = []\nclass C(B): pass\nrows, c = B.rows, C()",
        "rows = None",
        f"C.rows is rows and C.__base__ is B and {OF}",
    ),
    "a list of a class that another refers to": (
        "class B:\n    rows = []\nclass C:\n    kinds = {'b': B}\nrows, c = B.rows, C()",
        "rows = None",
        f"B.rows is rows and C.kinds['b'] is B and {OF}",
    ),
    "a list of a class of which another has an object": (
        "class B:\n    rows = []\nclass C:\n    own = B()\nrows, c = B.rows, C()",
        "rows = None",
        f"B.rows is rows and type(C.own) is B and {OF}",
    ),
    "a list of the class of a class": (
        "class M(type):\n    rows = []\nclass C(metaclass=M): pass\nrows, c = M.rows, C()",
        "rows = None",
        f"M.rows is C.rows is rows and type(C) is M and {OF}",
    ),
    "a list of two classes": (
        "rows = []\nclass C:\n    rows = rows\nclass D:\n    rows = rows\nc = C()",
        "C.rows = 7",
        f"C.rows is D.rows is rows and {OF}",
    ),
    "a method": ("class C:\n    def f(self): pass\nf, c = C.f, C()", "f = 0", f"C.f is f and {OF}"),
    "a function of its base": (
        "def f(): pass\nclass B:\n    f = f\nclass C(B):\n    f = f\nc = C()",
        "C.f = 1",
        f"vars(C)['f'] is B.f is f and {OF}",
    ),
    "a static method": (
        "def f(): pass\nclass C:\n    f = staticmethod(f)\nc = C()",
        "f = 0",
        f"c.f is f and {OF}",
    ),
    "a memory": (
        "import numpy as np\nclass C:\n    raw = bytearray(8)\n"
        "c, part = C(), np.frombuffer(C.raw, 'u1')",
        "part[0] = 1",
        f"c.raw[0] == 0 and np.shares_memory(part, np.frombuffer(C.raw, 'u1')) and {OF}",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_class_and_another_name_have_is_one_again(tmp_path: Path, case: str):
    cell, change, holds = CASES[case]
    keeper, space = Keeper(tmp_path, tmp_path / "own"), namespace(cell)
    names = [name for name in space if not name.startswith("_") and name not in ("np", "made")]
    kept = keeper.keep({name: space[name] for name in names}, namespace=space)
    exec(change, space)

    for _ in range(2):
        _, back = keeper.go_back(kept, namespace=space)
        space.update(back.also | back.values)

        assert back.missing == ()
        assert eval(holds, space)
    assert set(back.left) == set(names)
    apart = keeper.restore(kept, namespace=space)
    assert eval(holds, {**space, **apart.values})
