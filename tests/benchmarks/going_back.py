"""`python -m tests.benchmarks.going_back ENGINE WORK ROUNDS`: cells whose values are kept, and gone
back to, in a real kernel.

Run by the Python of an environment that has the engine. Says seconds of round trips: of a cell
without the engine, of the same cell with it, of going back; and the bytes it took on disk.
"""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .client import Kernel, kernel_in
from .keepers import ENGINES

ARRAY = """
import numpy as np
array = np.random.default_rng(0).random(12_500_000)
"""
FRAME = """
import random, string
import numpy as np, pandas as pd
chance, rng = random.Random(0), np.random.default_rng(0)
words = ["".join(chance.choices(string.ascii_lowercase, k=12)) for _ in range(1_000_000)]
numbers = {f"n{at}": rng.random(1_000_000) for at in range(2)}
frame = pd.DataFrame({"word": pd.Series(words, dtype=object), **numbers})
del words, numbers, chance, rng
"""


@dataclass(frozen=True)
class Work:
    """A cell that is run again and again, its number in place of `N`; `check` is true after it, and
    of what it made nothing else is; `names` are what has to be kept to go back."""

    setup: str
    cell: str
    check: str
    names: str


WORKS = {
    "trivial": Work("", "x = N", "x == N", "x"),
    "array read": Work(ARRAY, "x = float(array[:N].sum()) + N", "int(x) >= N", "array,x"),
    "array changed": Work(
        ARRAY, "array[N] = N", "array[N] == N and array[N + 1] != N + 1", "array"
    ),
    "frame read": Work(
        FRAME, "x = float(frame['n0'].iloc[:N].sum()) + N", "int(x) >= N", "frame,x"
    ),
    "frame changed": Work(
        FRAME,
        "frame.loc[N, 'n0'] = N",
        "frame.n0[N] == N and frame.n0[N + 1] != N + 1",
        "frame",
    ),
}


def measured(name: str, work: Work, rounds: int) -> dict[str, Any]:
    """Each cell in a kernel without the engine and in one with it, in turn, so that whatever else
    the machine does slows both alike. The first of each does not count: it may have to import."""
    with TemporaryDirectory(prefix="going-back-") as name_of_folder:
        folder = Path(name_of_folder)
        engine = ENGINES[name](folder)
        with kernel_in(folder, {}) as plain, kernel_in(folder, engine.environment()) as kernel:
            engine.begin(kernel)
            plain.took(f"{work.setup}\nx = 0")
            kernel.took(engine.cell(f"{work.setup}\nx = 0", work.names))
            without, kept, back, places = [], [], [], {}
            numbers = range(1, rounds + 2)
            for number in numbers:
                cell = work.cell.replace("N", str(number))
                without.append(plain.took(cell))
                kept.append(kernel.took(engine.cell(cell, work.names)))
                places[number] = engine.place(kernel)
                _check(kernel, work, number)
            for number in [*numbers[:-1], *numbers[:1]]:
                back.append(engine.back(kernel, places[number]))
                _check(kernel, work, number)
            return {
                "plain": without[1:],
                "kept": kept[1:],
                "back": back[1:],
                "size": engine.size(),
                "version": kernel.value(engine.version),
            }


def _check(kernel: Kernel, work: Work, number: int) -> None:
    assert kernel.value(f"bool({work.check.replace('N', str(number))})"), (work, number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))
    engine, work, rounds = sys.argv[1:]
    print(json.dumps(measured(engine, WORKS[work], int(rounds))))
