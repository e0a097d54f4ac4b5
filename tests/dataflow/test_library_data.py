"""Data in a module of a library are one, under whatever name code has them (rule 8)."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dataflow.kernel import Kernel

MODULE = "mimetypes.types_map"
WAYS = {
    "its place": ("import mimetypes", MODULE),
    "an import": ("import mimetypes\nfrom mimetypes import types_map", "types_map"),
    "a name": ("import mimetypes\nkinds = mimetypes.types_map", "kinds"),
    "a function": (
        "import mimetypes\nfrom mimetypes import types_map\ndef kept(): return types_map",
        "kept()",
    ),
}
PAIRS = [(one, other) for one in WAYS for other in WAYS if (one, other) != ("a function",) * 2]


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path))
    monkeypatch.setitem(mimetypes.types_map, ".kind_", "a/a")
    made = Kernel("library")
    yield made
    made.stop()


def run(kernel: Kernel, number: int, code: str) -> None:
    assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize(("write", "read"), PAIRS)
def test_who_reads_what_another_name_sets_is_stale(kernel: Kernel, write: str, read: str):
    imports = "\n".join(WAYS[way][0] for way in (write, read))
    sets, reads = WAYS[write][1], WAYS[read][1]
    cells = imports, f"print({reads}['.kind_'])", f"{sets}['.kind_'] = 'b/b'", f"print({reads})"
    for number, code in enumerate(cells, 1):
        run(kernel, number, code)
    assert stale(kernel) == []

    run(kernel, 2, cells[1])
    assert stale(kernel) == [2]

    run(kernel, 3, f"{sets}['.kind_'] = 'c/c'")
    assert 4 in stale(kernel)


@pytest.mark.parametrize("way", ["its place", "an import", "a name"])
def test_all_that_runs_twice_is_fresh(kernel: Kernel, way: str):
    imports, sets = WAYS[way]
    for _ in range(2):
        run(kernel, 1, imports)
        run(kernel, 2, f"{sets}['.kind_'] = 'b/b'")
        run(kernel, 3, "print(mimetypes.types_map['.kind_'])")

    assert stale(kernel) == []
