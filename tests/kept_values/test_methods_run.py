"""What restoring runs of a class beside putting values back is said before it happens."""

import pytest

from wfnb.values import Keeper

from .notebook import keep, namespace

RUN = {
    "class C:\n    def __setstate__(self, state): self.n = 1\nx = C()": ("__setstate__",),
    "class C:\n    def __reduce__(self): return C, ()\nx = [C()]": ("__reduce__",),
    "class C:\n    def __new__(cls): return object.__new__(cls)\nx = C()": ("__new__",),
    "class C:\n    def __hash__(self): return 1\nx = {C()}": ("__hash__",),
    "class C:\n    def __init__(self): self.n = 1\nx = C()": (),
    "import dataclasses\n@dataclasses.dataclass\nclass C:\n    n: int = 1\nx = C()": (),
    "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass C: pass\nx = C()": (),
    "from enum import Enum\nclass C(Enum):\n    A = 1\nx = C.A": (),
    "from collections import namedtuple\nC = namedtuple('C', 'n')\nx = C(1)": (),
    "x = '__setstate__ '": (),
    "import decimal, datetime\nx = [decimal.Decimal(1), datetime.date(2020, 1, 1)]": (),
}


@pytest.mark.parametrize("code", RUN)
def test_a_plan_says_which_methods_of_its_classes_a_value_may_run(keeper: Keeper, code: str):
    kept = keep(keeper, namespace(code), "x")

    (there_not,) = keeper.plan(kept, namespace={}).names
    (as_it_was,) = keeper.plan(kept, namespace={"x": 0}).names

    assert (there_not.runs, as_it_was.runs) == (RUN[code], RUN[code])
