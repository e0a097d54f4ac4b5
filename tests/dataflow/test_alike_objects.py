"""Two steps that make the like: what one of them made is another object than what the other did."""

import pytest

from tests.dataflow.kernel import Kernel
from tests.dataflow.test_aliases import run, stale

FRAME = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})"
CLASS = "class A:\n    n = 0"
HOLDER = "xs = []\nclass Run:\n    def __init__(self, out):\n        self.out = out"
STORIES = {
    "a list": (("xs = []", "ys = xs", "ys.append(2)", "total = len(xs)"), "xs = []"),
    "other code": (("xs = [1]", "ys = xs", "ys.append(2)", "total = len(xs)"), "xs = [2 - 1]"),
    "in a dict": (
        ("xs = {'k': 1}", "ys = {'x': xs}", "ys['x']['k'] = 5", "total = xs['k']"),
        "xs = {'k': 1}",
    ),
    "handed over": ((HOLDER, "r = Run(xs)", "r.out.append(3)", "total = len(xs)"), "xs = []"),
    "a view": (
        ("import numpy as np\na = np.zeros(3)", "v = a[1:]", "v += 2", "total = int(a.sum())"),
        "a = np.zeros(3)",
    ),
    "a copy": ((FRAME, "raw = df", "df['b'] = 40", "total = list(raw)"), "df = df.copy()"),
    "of a part": (
        (FRAME, "raw = df", "raw.loc[0, 'a'] = 40", "total = int(df.a.sum())"),
        "df = df.dropna()",
    ),
    "a class": ((CLASS, "p = A()", "type(p).n = 5", "total = A.n"), CLASS),
    "a class by its method": (
        (
            "class A:\n    all = []\n    def put(self, v):\n        self.all.append(v)",
            "p = A()",
            "p.put(3)",
            "total = len(A.all)",
        ),
        "class A:\n    all = []\n    def put(self, v):\n        self.all.append(v)",
    ),
    "a function": (
        ("def f(): pass", "g = f", "g.k = 7", "total = getattr(f, 'k', 0)"),
        "def f(): pass",
    ),
    "held by another": (
        ("a = {'k': 0}", "b = [a]", "a['k'] = 5", "total = b[0]['k']"),
        "a = {'k': 0}",
    ),
}
PUT_IN, TAKEN_OUT = "put in", "taken out"
# The class of an older object is changed there, which no name holds: that is not seen.
CASES = [(s, c) for s in STORIES for c in (PUT_IN, TAKEN_OUT) if (s, c) != ("a class", TAKEN_OUT)]


def cells_with(story: str, third: str) -> tuple[str, ...]:
    (first, second, *rest), _ = STORIES[story]
    return first, second, third, *rest


def from_the_top(cells: tuple[str, ...]) -> object:
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in cells:
        exec(cell, names)
    return names["total"]


@pytest.mark.parametrize(("story", "change"), CASES)
def test_a_cell_between_that_makes_the_like_anew_matters_to_who_shares_it(
    kernel: Kernel, story: str, change: str
):
    """Of a cell between the alias and its change, both with what it makes and without."""
    without, made = cells_with(story, "1"), cells_with(story, STORIES[story][1])
    before, after = (without, made) if change == PUT_IN else (made, without)
    run(kernel, before, "12345")
    assert stale(kernel) == []

    run(kernel, after, "3")

    assert 5 in stale(kernel)
    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    assert kernel.shell is not None
    assert kernel.shell.user_ns["total"] == from_the_top(after)


def test_a_revision_that_makes_the_like_anew_stands_before_what_shared_it(kernel: Kernel):
    """The order of the line is 1, 2, 5, 3, 4."""
    run(kernel, ("xs = []", "ys = xs", "ys.append(2)", "total = len(xs)"), "1234")
    kernel.say("%%step 5 --revises 2 Begin anew\nxs = []", "cell-5")

    assert stale(kernel) == [3, 4]


def test_a_step_that_made_a_copy_and_is_hidden_leaves_what_it_copied(kernel: Kernel):
    run(kernel, cells_with("a copy", "df = df.copy()"), "12345")
    assert kernel.say("%wfnb hide 3") is None

    assert 5 in stale(kernel)


def test_what_a_branch_handed_on_is_the_object_that_it_got(kernel: Kernel):
    run(kernel, ("xs = [2, 1]\ndef same(v): return v",), "1")
    kernel.say("%%branch alt --from 1 Handed on\nxs = same(xs)", "cell-2")
    kernel.say("%%step 2 Turned\nxs.reverse()", "cell-3")

    assert stale(kernel) == []
