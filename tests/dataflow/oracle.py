"""many random notebooks -> how many marks of wfnb were wrong (`marks.py`), and the seeds.

python -m tests.dataflow.oracle --programs 20000 --seed 0 --mode plain --jobs 2
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, get_args

from tests.dataflow.marks import Result, check
from tests.dataflow.notebook_limit import TooLong
from tests.dataflow.notebooks import (
    Mode,
    notebook,
)
from tests.dataflow.shrinking import readable, shrunk


def _checked(seed: int, mode: Mode, without: Collection[str]) -> tuple[int, Result | str, float]:
    since = time.process_time()
    result: Result | str
    try:
        result = check(notebook(seed, mode, without=without))
    except (Exception, TooLong) as problem:
        result = f"{type(problem).__name__}: {problem}"
    return seed, result, time.process_time() - since


def run(
    seeds: Sequence[int],
    mode: Mode = "plain",
    jobs: int = 1,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """The counts of many notebooks, with the seeds of those that have a wrong ✓, or broke off."""
    since = time.perf_counter()
    totals: Counter[str] = Counter()
    wrong: list[int] = []
    broken: dict[int, str] = {}
    untrue: dict[int, str] = {}
    computing = 0.0
    for seed, result, took in _results(seeds, mode, jobs, tuple(without)):
        computing += took
        if isinstance(result, str):
            broken[seed] = result
            continue
        totals += result.counts
        if result.wrong:
            wrong.append(seed)
        if result.untrue:
            untrue[seed] = result.untrue[0].why
    stale = totals["stale"]
    seconds = time.perf_counter() - since
    return {
        "mode": mode,
        "programs": len(seeds),
        "ok": totals["ok"],
        "wrong": totals["wrong"],
        "stale": stale,
        "needless": totals["needless"],
        "lucky": totals["lucky"],
        "unclear": totals["unclear"],
        "needless_percent": round(100 * totals["needless"] / stale, 1) if stale else 0.0,
        "ok_at_the_end": totals["ok_at_the_end"],
        "wrong_at_the_end": totals["wrong_at_the_end"],
        "wrong_programs": len(wrong),
        "wrong_seeds": wrong[:50],
        "broken": dict(list(broken.items())[:20]),
        "untrue_reasons": dict(list(untrue.items())[:20]),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(computing, 1),
        "programs_a_cpu_second": round(len(seeds) / computing, 1),
    }


def _results(
    seeds: Sequence[int], mode: Mode, jobs: int, without: tuple[str, ...]
) -> Iterator[tuple[int, Result | str, float]]:
    if jobs == 1:
        for seed in seeds:
            yield _checked(seed, mode, without)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        args = ([each] * len(seeds) for each in (mode, without))
        yield from pool.map(_checked, seeds, *args, chunksize=20)


def main() -> int:
    """The command line; 1 where a ✓ was wrong or a notebook broke off."""
    parser = argparse.ArgumentParser(prog="python -m tests.dataflow.oracle")
    parser.add_argument("--programs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="the first of them")
    parser.add_argument("--mode", choices=get_args(Mode), default="plain")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--without", default="", help="features left out, with commas between")
    parser.add_argument("--show", type=int, default=3, help="wrong notebooks that are printed")
    parser.add_argument("--whole", action="store_true", help="print them as they are, not shrunk")
    said = parser.parse_args()
    without = tuple(filter(None, said.without.split(",")))
    summary = run(range(said.seed, said.seed + said.programs), said.mode, said.jobs, without)
    for seed in summary["wrong_seeds"][: said.show]:
        book = notebook(seed, said.mode, without=without)
        print(f"── seed {seed} {'─' * 60}")
        print(readable(book if said.whole else shrunk(book)))
    print(json.dumps(summary))
    return 1 if summary["wrong"] or summary["broken"] or summary["untrue_reasons"] else 0


if __name__ == "__main__":
    sys.exit(main())
