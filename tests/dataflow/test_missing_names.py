"""A step that failed for want of a name may change what its line gives it (rule 8)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dataflow.kernel import Kernel

COUNTED = "class A:\n    n = 0\n    def __init__(self):\n        {}.n += 1"
READ = "class A:\n    n = 0\n    {}\n        self.n += 1\n        return {}\na = A()"
STORIES = {
    "a class, by its name": (COUNTED.format("A"), "b = A()", "print(A.n)"),
    "a class, by the type of an object": (COUNTED.format("type(self)"), "b = A()", "print(A.n)"),
    "a class, by an attribute": (COUNTED.format("self.__class__"), "b = A()", "print(A.n)"),
    "a property": (READ.format("@property\n    def v(self):", 1), "a.v", "print(a.n)"),
    "an item": (READ.format("def __getitem__(self, key):", 1), "a[0]", "print(a.n)"),
    "a length": (READ.format("def __len__(self):", 1), "m = len(a)", "print(a.n)"),
    "a method": (READ.format("def v(self):", 1), "a.v()", "print(a.n)"),
}
NAMES = {
    "globals": "names = globals()",
    "the dict of the module": "import sys\nnames = vars(sys.modules['__main__'])",
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path))
    made = Kernel("missing")
    yield made
    made.stop()


def run(kernel: Kernel, number: int, code: str) -> object:
    return kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize("name", STORIES)
def test_who_reads_what_a_failed_step_would_change_is_stale(kernel: Kernel, name: str):
    made, changes, reads = STORIES[name]
    assert run(kernel, 2, changes) is not None

    run(kernel, 1, made)
    run(kernel, 3, reads)

    assert stale(kernel) == [2, 3]


@pytest.mark.parametrize("way", NAMES)
def test_who_has_all_names_under_one_may_bind_each(kernel: Kernel, way: str):
    cells = "x = 1", NAMES[way], "names['x'] = 5", "print(x)"
    for number, code in enumerate(cells, 1):
        run(kernel, number, code)
    run(kernel, 1, cells[0])

    run(kernel, 4, cells[3])

    assert 4 in stale(kernel)
