"""Cells that run in order, once and again, are fresh: they did nothing that their line does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dataflow.kernel import Kernel

NOTEBOOKS = {
    "a loop": ("readings = [20.5, 21.5]", "for v in readings:\n    w = v / 2\nw", "round(w)"),
    "equal objects": ("rate = 1.1", "if rate > 1:\n    label = 'high'\nlabel", "len(label)"),
    "a try": (
        "rates = {'eur': 2}",
        "try:\n    r = rates['eur']\nexcept KeyError:\n    1\nr",
        "r + 1",
    ),
    "a with": (
        "from contextlib import contextmanager\nstack = []\n@contextmanager\n"
        "def level(n):\n"
        "    stack.append(n)\n    try:\n        yield len(stack)\n"
        "    finally:\n        stack.pop()",
        "with level('a') as one:\n    deep = list(stack)\ndeep",
    ),
    "much": (
        "sizes = [9_000]",
        "for n in sizes:\n    rows = [[n] for n in range(n)]\nrows[0]",
        "len(rows)",
    ),
    "an iterator": (
        "lines = ['a', 'b']",
        "it = iter(lines)",
        "next(it)",
        "lines.append('c')",
        "list(it)",
    ),
    "a class": (
        "class A:\n    rate = 1\n    def pay(self, x):\n        self.balance = x",
        *("a = A()", "a.pay(5)", "A.rate = 2", "a.rate"),
    ),
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    made = Kernel("twice")
    yield made
    made.stop()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_ran_in_order_is_fresh_each_time(kernel: Kernel, name: str):
    for _ in range(3):
        for number, code in enumerate(NOTEBOOKS[name], 1):
            seen, _ = kernel.run(f"%%step {number} Cell\n{code}", f"cell-{number}")
            assert seen.error is None
        assert [step["number"] for step in kernel.marks() if step["stale"]] == []


def test_a_loop_that_binds_nothing_shows_what_was_there(kernel: Kernel):
    loop = "for v in xs:\n    w = v\nw"
    for number, code in ((1, "xs = [1]"), (2, loop), (1, "xs = []"), (2, loop)):
        kernel.run(f"%%step {number} Cell\n{code}", f"cell-{number}")

    assert [step["number"] for step in kernel.marks() if step["stale"]] == [2]
