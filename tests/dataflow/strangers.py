"""real notebooks, run out of order and with revisions -> the same comparison as for random ones.

    python -m tests.dataflow.strangers --folder FOLDER [--events 12] [--seed 0] [--only WORD]

`strangers.md` says which they are, and how `FOLDER` gets them. Each code cell is a step. What draws
from a generator of random numbers that the whole process shares is left out of the comparison, and
counted: its state is nowhere in the code of the cell.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import matplotlib
import numpy as np
import pandas as pd

from tests.dataflow.fresh_run import FromTheTop, from_the_top
from tests.dataflow.kernel import Kernel, Place
from tests.dataflow.marks import Program
from tests.dataflow.notebook_limit import TooLong, limited
from tests.dataflow.notebooks import NUMBER, Cell, Edit, Event, Insert, Notebook, Run, RunAll
from tests.dataflow.shared_home import HOME

LIST = Path(__file__).with_name("strangers.md")
LEFT_OUT = re.compile(
    r"^\s*(%%|!)|\?\s*$|%time|https?://|input\(|get_ipython|np\.empty\(", re.MULTILINE
)
_NOT_RUN = ("%", "from __future__")
MAX_CELLS = 45
SECONDS = 120


def listed() -> list[tuple[str, str]]:
    """Repository and path of each notebook of the list."""
    rows = (line.strip("| \n").split(" | ") for line in LIST.read_text("utf-8").splitlines())
    return [(row[0], row[2]) for row in rows if len(row) == 3 and "/" in row[0]]


def bodies(path: Path) -> list[str]:
    """The code cells that run from the top without an error, magics left out."""
    cells = json.loads(path.read_text("utf-8"))
    found = []
    for cell in cells.get("cells") or cells["worksheets"][0]["cells"]:
        source = "".join(cell.get("source") or cell.get("input") or "")
        if cell["cell_type"] != "code" or LEFT_OUT.search(source):
            continue
        text = "\n".join(line for line in source.splitlines() if not line.startswith(_NOT_RUN))
        if text.strip():
            found.append(text)
    while True:
        tops = from_the_top((), tuple(found))
        whole = [text for text, top in zip(found, tops, strict=True) if not top.observation.error]
        if len(whole) == len(found):
            return found[:MAX_CELLS]
        found = whole


def used(texts: list[str], seed: int, events: int) -> Notebook:
    """All cells as steps, run once from the top and then in any order, with edits and revisions."""
    random = Random(seed)
    cells = [Cell(f"cell-{at}", text, f"%%step Cell {at}") for at, text in enumerate(texts, 1)]
    done: list[Event] = [RunAll()]
    inserted = 0
    for _ in range(events):
        at = random.randrange(len(cells))
        cell, draw = cells[at], random.random()
        numbers = list(NUMBER.finditer(cell.body))
        if draw < 0.4 or not numbers:
            done.append(Run(cell.id))
        elif draw < 0.9:
            one = random.choice(numbers)
            other = str((int(one[0]) + random.randrange(1, 4)) % 1_000_000)
            text = cell.body[: one.start()] + other + cell.body[one.end() :]
            if draw < 0.7:
                cells[at] = Cell(cell.id, text, cell.header)
                done.append(Edit(cell.id, text))
                continue
            inserted += 1
            id = f"cell-{len(texts) + inserted}"
            header = f"%%step --revises {at + 1} Revision {inserted}"
            done.append(Insert(Cell(id, text, header, revises=at + 1), cell.id))
        else:
            done.append(RunAll())
    return Notebook(tuple(cells), tuple(done))


class Stranger(Program):
    """A notebook whose steps may draw from the generators of random numbers of the process."""

    def _judge(
        self, at: int, place: Place, mark: dict[str, Any], line: dict[Place, FromTheTop]
    ) -> str:
        if place in self._random(place.branch):
            self.result.counts["random"] += 1
            return "≈"
        return super()._judge(at, place, mark, line)

    def _line(self, branch: str, state: int = 0) -> dict[Place, FromTheTop]:
        with _apart():
            return super()._line(branch, state)

    def _random(self, branch: str) -> set[Place]:
        """The steps that give something else when the generators stand elsewhere."""
        steps = self.lines.from_the_top(branch)
        texts = tuple(step.body or "" for step in steps)
        with _apart():
            one = from_the_top((), texts)
        elsewhere = tuple(f"{_ELSEWHERE.format(at)}{text}" for at, text in enumerate(texts))
        with _apart():
            two = from_the_top((), elsewhere)
        return {
            step.place
            for step, first, second in zip(steps, one, two, strict=True)
            if _given(first) != _given(second)
        }


_ELSEWHERE = "import random as _r, numpy as _n; _r.seed({0} + 77); _n.random.seed({0} + 77)\n"


def _given(top: FromTheTop) -> tuple[Any, ...]:
    seen = top.observation
    return seen.error, seen.result, seen.printed, seen.after


def fresh_process() -> None:
    """What a process begins with, of what its libraries keep outside of all names."""
    random.seed(1)
    np.random.seed(1)
    np.set_printoptions(**_PRINTED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for option, value in _OPTIONS.items():
            pd.set_option(option, value)
        matplotlib.rcParams.update(_STYLE)


@contextmanager
def _apart() -> Iterator[None]:
    """As in a process of its own: what it sets there is not set in the kernel."""
    states = random.getstate(), np.random.get_state(), np.get_printoptions()
    options = {option: pd.get_option(option) for option in _OPTIONS}
    fresh_process()
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
        np.set_printoptions(**states[2])
        for option, value in options.items():
            pd.set_option(option, value)


_PRINTED: Any = np.get_printoptions()
_STYLE = dict(matplotlib.rcParams)
_OPTIONS = {
    option: pd.get_option(option)
    for option in (
        "display.max_rows",
        "display.max_columns",
        "display.max_colwidth",
        "display.precision",
        "display.width",
        "display.float_format",
    )
}


def main() -> int:
    """The command line; 1 where a ✓ was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.dataflow.strangers")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--events", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="a part of the path")
    parser.add_argument("--tell", action="store_true", help="print what happens in each")
    said = parser.parse_args()
    folder = said.folder.absolute()
    os.chdir(tempfile.mkdtemp(prefix="wfnb-strangers-"))  # some of them write files
    matplotlib.use("Agg")
    time.sleep = lambda _: None  # what shows a picture after another need not wait
    totals: Counter[str] = Counter()
    broken = {}
    for repository, path in listed():
        if said.only not in path:
            continue
        name = f"{repository.replace('/', '+')}/{path}"
        try:
            with limited(SECONDS), _apart():
                texts = bodies(folder / name)
            book = used(texts, said.seed, said.events)
            with HOME as session, limited(SECONDS):
                fresh_process()
                result = Stranger(book, Kernel(session), said.tell).play()
        except (Exception, TooLong) as problem:
            broken[name] = f"{type(problem).__name__}: {problem}"
            print(f"{name}: {broken[name]}")
            continue
        totals += result.counts
        counts = {key: result.counts[key] for key in ("ok", "wrong", "stale", "needless", "random")}
        print(f"{name}: {len(texts)} cells, {counts}")
        if said.tell:
            print("\n".join(result.told))
        for wrong in result.wrong[:3]:
            print(f"    ✓ wrong after event {wrong.event}: step {wrong.place}: {wrong.why}")
    print(json.dumps({**totals, "broken": broken}))
    return 1 if totals["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
