"""What keeping values costs: beside `pickle.dump` to the same disk, and beside Kishu, each in turn
in one run."""

from __future__ import annotations

import gc
import pickle
import random
import string
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

from wfnb.values import Keeper

from . import beside
from .figures import Figure, Measured, Times, timed, told, within
from .histories import empty_folder

MANY = 12_500_000
"""Numbers in 100 MB."""
UNCHANGED, RATIO, STRINGS, RESTORE = 0.020, 1.6, 1.5, 0.2
STEPS, STORE = 200, 105_000_000
TIMES = 15
ROWS, FRAMES = 1_000_000, 5


def measure() -> Iterator[Measured]:
    yield from _array()
    yield from _frame()
    yield from _steps()
    yield from beside.measure()


def _array() -> Iterator[Measured]:
    folder = empty_folder()
    keeper = Keeper(folder, folder / "own")
    array = np.random.default_rng(0).random(MANY)
    kept = keeper.keep({"array": array})
    again = Times([timed(lambda: keeper.keep({"array": array})) for _ in range(TIMES)])
    yield within("100 MB in an array that has not changed, kept again", again, UNCHANGED)
    there = Times(
        [timed(lambda: keeper.go_back(kept, namespace={"array": array})) for _ in range(TIMES)]
    )
    yield within("100 MB in an array that has not changed, gone back to", there, UNCHANGED)
    back = []
    for _ in range(TIMES):
        begun = perf_counter()
        found = keeper.restore(kept)
        back.append(perf_counter() - begun)
        assert (found.values["array"] == array).all()
        del found
    yield within("100 MB restored", Times(back), RESTORE)
    changed: list[float] = []
    dumped: list[float] = []
    plain = folder / "plain"
    for number in range(TIMES + 1):
        array[:] += 1  # in all of its pieces
        turns = [
            (changed, lambda: keeper.keep({"array": array}, budget=10**12)),
            (dumped, lambda: _dump(array, plain)),
        ]
        for seconds, work in turns if number % 2 else reversed(turns):
            took = timed(work)
            if number:
                seconds.append(took)
        plain.unlink()
        keeper.gc(kept.pieces)
    ratio = Times([a / b for a, b in zip(changed, dumped, strict=True)])
    yield told("100 MB that have changed, kept", Times(changed))
    yield told("the same by `pickle.dump`, protocol 5", Times(dumped))
    yield Figure(
        "the one over the other",
        f"ratio ≤ {RATIO:g}",
        f"{ratio.median:.2f}",
        f"{ratio.p95:.2f}",
        met=ratio.median <= RATIO,
    )


def _dump(value: object, path: Path) -> None:
    with path.open("wb") as file:
        pickle.dump(value, file, 5)


def _frame() -> Iterator[Measured]:
    folder = empty_folder()
    keeper = Keeper(folder, folder / "own")
    chance, rng = random.Random(0), np.random.default_rng(0)
    words = ["".join(chance.choices(string.ascii_lowercase, k=12)) for _ in range(ROWS)]
    numbers = {f"n{at}": rng.random(ROWS) for at in range(2)}
    frame = pd.DataFrame({"word": pd.Series(words, dtype=object), **numbers})
    first, again = [], []
    for number in range(FRAMES):
        frame.iloc[0, 0] = f"changed {number}"
        gc.collect()
        first.append(timed(lambda: keeper.keep({"frame": frame}, budget=10**12)))
        again.append(timed(lambda: keeper.keep({"frame": frame}, budget=10**12)))
    kept = keeper.keep({"frame": frame}, budget=10**12)
    what = f"a frame of {_size(frame)} with a million strings (of Python, not Arrow)"
    yield within(f"{what}, kept", Times(first), STRINGS)
    yield told("the same, kept again", Times(again))
    yield told(
        "the same, restored", Times([timed(lambda: keeper.restore(kept)) for _ in range(FRAMES)])
    )


def _size(frame: pd.DataFrame) -> str:
    return f"{frame.memory_usage(deep=True).sum() / 1e6:.0f} MB"


def _steps() -> Iterator[Measured]:
    folder = empty_folder()
    keeper = Keeper(folder, folder / "own")
    array = np.random.default_rng(0).random(MANY)
    for number in range(STEPS):
        keeper.keep({"array": array, "number": number})
    size = sum(file.stat().st_size for file in (folder / "values").iterdir())
    yield Figure(
        f"the store after {STEPS} steps that keep 100 MB that never change",
        f"≤ {STORE / 1e6:.0f} MB",
        f"{size / 1e6:.1f} MB",
        met=size <= STORE,
    )
