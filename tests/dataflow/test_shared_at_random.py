"""Random notebooks whose cells share lists, attributes, memory, closures and caches: after a
restart and any edit they go on as if all cells had run, and what is restored shares what it did."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.amount import times
from tests.dataflow.kernel import Kernel
from tests.dataflow.resumption import cells_to_run
from tests.dataflow.shared_home import HOME
from tests.kept_values.isomorphic import difference
from tests.kept_values.programs import sharing_memory
from wfnb.jupyter import ipython_extension

SETUP = (
    "import numpy as np\nimport pandas as pd\nfrom types import SimpleNamespace\n"
    "from functools import lru_cache, partial\ncalls = []"
)
MAKE = {
    "list": "{x} = [[{n}], [2], [3]]",
    "dict": "{x} = {{'in': [{n}], 'more': [[2]]}}",
    "object": "{x} = SimpleNamespace(items=[{n}], n=[2])",
    "array": "{x} = np.arange({n} + 6.0)",
    "objects": "{x} = np.array([[{n}], 'a', None], dtype=object)",
    "bytes": "{x} = bytearray(range({n} + 8))",
    "frame": "{x} = pd.DataFrame({{'p': np.arange({n} + 5.0), 'q': 1.0}})",
    "closure": (
        "def make(held=[{n}]):\n    def add(p):\n        held.append(p)\n        return len(held)\n"
        "    return add\n{x} = make()"
    ),
    "cache": "@lru_cache\ndef {x}(p):\n    calls.append(p)\n    return [p, len(calls)]",
}
"""By the kind of value."""
TAKE = {
    "list": ("{y} = {x}[0]", "{y} = {x}[1:]", "{y} = [{x}]", "{y} = {x}"),
    "dict": ("{y} = {x}['in']", "{y} = [*{x}.values()]", "{y} = {x}"),
    "object": ("{y} = {x}.items", "{y} = [{x}]", "{y} = {x}"),
    "array": ("{y} = {x}[1:4]", "{y} = {x}[::-2]", "{y} = [{x}[2:]]", "{y} = {x}.reshape(-1, 1)"),
    "objects": ("{y} = {x}[:2]", "{y} = [{x}]"),
    "bytes": ("{y} = np.frombuffer({x}, 'u1')", "{y} = [np.frombuffer({x}, 'u1')[2:5]]"),
    "frame": ("{y} = {x}['p'].to_numpy()", "{y} = {x}['p']", "{y} = [{x}]"),
    "closure": ("{y} = [{x}({n})]", "{y} = partial({x}, {n})"),
    "cache": ("{y} = {x}({n})", "{y} = partial({x}, {n})"),
}
CHANGE = {
    "list": ("{x}[0] = [{n}]", "{x}.append({n})", "{x}[-1:] = [{n}, {n}]"),
    "dict": ("{x}['in'].append({n})", "{x}['more'][0].append({n})"),
    "object": ("{x}.items.append({n})", "{x}.n = [{n}]"),
    "array": ("{x}[2] = {n}", "{x} += {n}", "{x}[:3] *= {n}"),
    "objects": ("{x}[0] = {n}", "{x}[1] = [{n}]"),
    "bytes": ("{x}[3] = {n}",),
    "frame": ("{x}.loc[1, 'p'] = {n}", "{x}['r'] = {x}['p'] + {n}"),
    "closure": ("{x}({n})",),
    "cache": ("{x}({n}).append({n})", "{x}({n})"),
}


def bodies(random: Random) -> list[str]:
    """The cells of a notebook."""
    kinds: dict[str, str] = {}
    cells = [SETUP]

    def fill(template: str, x: str, y: str = "") -> str:
        return template.format(x=x, y=y, n=random.randrange(1, 4))

    for at in range(random.randrange(4, 8)):
        name, what = f"v{at}", random.random()
        if what < 0.4 or not kinds:
            kinds[name] = random.choice([*MAKE, "array", "array", "bytes", "cache"])
            cells.append(fill(MAKE[kinds[name]], name))
            continue
        x = random.choice([*kinds])
        taken = fill(random.choice(TAKE[kinds[x]]), x, name)
        changed = fill(random.choice(CHANGE[kinds[x]]), x)
        cells.append(taken if what < 0.7 else changed if what < 0.9 else f"{changed}\n{taken}")
    return cells


def values(space: dict[str, Any]) -> dict[str, Any]:
    """What its names hold, without functions."""
    kept = (list, dict, SimpleNamespace, np.ndarray, bytearray, pd.DataFrame, pd.Series)
    found = {name: space[name] for name in sorted(space) if name[0] == "v" or name == "calls"}
    held = {name: one for name, one in found.items() if isinstance(one, kept)}
    return {n: one.tolist() if isinstance(one, pd.Series) else one for n, one in held.items()}


class Book:
    """A notebook; what is left of cells that are skipped is put back for its last one, which is
    another each time."""

    def __init__(self, kernel: Kernel, cells: list[str]) -> None:
        self.kernel, self.skipped = kernel, 0
        self.cells = {
            f"c{at}": f"%%step Part {chr(97 + at)}\n{one}" for at, one in enumerate(cells)
        }
        self.turn = 0

    def run(self, id: str) -> None:
        error = self.kernel.say(self.cells[id], id)
        assert error is None, (id, self.cells[id], error)

    def resume(self) -> None:
        self.turn += 1
        self.cells["end"] = f"end = {self.turn}"
        ran = 0
        for id in cells_to_run(self.cells):
            self.run(id)
            ran += 1
        self.skipped += len(self.cells) - ran

    @property
    def differs(self) -> str:
        """How what is there differs from what a run from the top gives; empty where it does not."""
        whole: dict[str, Any] = {"__name__": "__main__"}
        for source in self.cells.values():
            exec(source.partition("\n")[2] if source.startswith("%%") else source, whole)
        assert self.kernel.shell is not None
        then, now = values(whole), values(self.kernel.shell.user_ns)
        if then.keys() != now.keys():
            return f"names {then.keys() ^ now.keys()}"
        memory = sharing_memory(then) == sharing_memory(now)
        return difference(then, now) or ("" if memory else "memory")


@contextmanager
def book_of(cells: list[str]) -> Iterator[Book]:
    """It has run."""
    with HOME as session:
        kernel = Kernel(session)
        try:
            book = Book(kernel, cells)
            book.resume()
            yield book
        finally:
            kernel.stop()


def random_book(random: Random) -> AbstractContextManager[Book]:
    return book_of(bodies(random))


COPIED = [
    "import numpy as np\nimport pandas as pd",
    "v0 = pd.DataFrame({'p': np.arange(6.0), 'q': 1.0})",
    "v1 = v0['p']",
    "v2 = [v0]",
    "v3 = v0['p'].to_numpy()",
    "{first}",
    "v0.loc[2, 'p'] = 7\nv1.loc[3] = 8",
]
"""pandas copies what the frame and the series have before it writes into the first of them, and the
array is in the memory of the other from then on."""


@pytest.mark.parametrize("first", ["v0.loc[1, 'p'] = 2", "v1.loc[1] = 3"])
@pytest.mark.parametrize("edited", range(1, len(COPIED)))
def test_an_array_in_the_memory_of_two_frames_sees_the_changes_that_it_saw(first: str, edited: int):
    with book_of([one.format(first=first) if "{first}" in one else one for one in COPIED]) as book:
        book.cells[f"c{edited}"] += "\nzz = 1"
        book.kernel.restart()
        book.resume()

        assert not book.differs


def test_a_notebook_whose_cells_share_goes_on_as_if_all_had_run():
    skipped = 0
    for seed in range(times(16, 200)):
        random = Random(f"shared {seed}")
        with random_book(random) as book:
            for _ in range(2):
                id = random.choice([*book.cells][1:-1])
                book.cells[id] += "\nzz = 1"
                book.kernel.restart()
                book.resume()
                assert not book.differs, (seed, id, book.differs, book.cells)
            skipped += book.skipped
    assert skipped > times(16, 200)


def test_what_is_restored_in_a_new_kernel_shares_what_it_shared_or_says_that_it_does_not():
    restored = 0
    for seed in range(times(16, 200)):
        with random_book(Random(f"restored {seed}")) as book:
            book.kernel.restart()
            assert book.kernel.shell is not None
            space = book.kernel.shell.user_ns
            workspace = ipython_extension.load(book.kernel.shell).notebook.open()
            prepared = workspace.values.prepare("last", (), space)
            told = prepared.put()
            if any(one.way == "cannot" for one in told.names) or any(
                ": of step " not in note for note in told.notes
            ):
                continue  # it says what is not as it was
            restored += 1
            assert not book.differs, (seed, book.differs, book.cells)
    assert restored > times(6, 80)
