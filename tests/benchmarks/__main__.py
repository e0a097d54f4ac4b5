"""`python -m tests.benchmarks` measures everything and writes RESULTS.md; with names of subjects
it measures those and only says what it found."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

from . import (
    agents,
    canvas,
    engines,
    execution,
    investigation,
    keeping,
    kernel,
    lab_start,
    looking,
    panel,
    pictures,
    questions,
    record,
    replay,
    runs,
)
from .figures import Curve, Figure, Measured, repeated, shown, table

SUBJECTS = {
    "record": record.measure,
    "replay": replay.measure,
    "kernel": kernel.measure,
    "pictures": pictures.measure,
    "questions": questions.measure,
    "runs": runs.measure,
    "investigation": investigation.measure,
    "looking": looking.measure,
    "keeping": keeping.measure,
    "engines": engines.measure,
    "panel": panel.measure,
    "canvas": canvas.measure,
    "agents": agents.measure,
    "execution": execution.measure,
    "start": lab_start.measure,
}
RESULTS = Path(__file__).with_name("RESULTS.md")
PACKAGES = ("ipython", "ipykernel", "jupyter_client", "pydantic", "graphviz", "pygraphviz")
HOW = """\
Every figure is of real things: a SQLite file on disk, a kernel over its channels, a process of its
own where memory or imports are measured. Medians and 95th percentiles are of many repetitions;
what is compared was measured in turn in one run, so that ratios hold where times are noisy. Other
work on the machine makes all times longer: its pace says by how much."""


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SUBJECTS]
    if unknown:
        print(f"There is no {', '.join(unknown)}. Subjects: {', '.join(SUBJECTS)}.")
        return 2
    begun, before = perf_counter(), _pace()
    found: list[Measured] = []
    for name in names or SUBJECTS:
        for measured in SUBJECTS[name]():
            found.append(measured)
            if isinstance(measured, Figure):
                print(" · ".join(filter(None, measured.cells)), flush=True)
    results = "\n\n".join(_results(found, before, perf_counter() - begun))
    if names:
        print(f"\n{results}")
    else:
        RESULTS.write_text(f"{results}\n", "utf-8")
    return 0


def _results(found: list[Measured], before: str, seconds: float) -> Iterator[str]:
    yield "# What wfnb costs"
    today = datetime.now(UTC).date()
    yield f"Written by `make bench` on {today}, in {seconds:.0f} s, on {_machine()}"
    yield f"Pace of the machine: {before} before, {_pace()} after."
    yield HOW
    figures = [one.cells for one in found if isinstance(one, Figure)]
    yield table(("what", "target", "median", "p95", "met"), figures)
    for one in found:
        if isinstance(one, Curve):
            yield f"## {one.title[0].upper()}{one.title[1:]}"
            yield table(one.heads, one.rows)


def _pace() -> str:
    """How busy it is, and what that does to it."""
    loop = repeated(lambda: sum(range(1_000_000)), 15)
    return f"load {os.getloadavg()[0]:.1f}, the sum of a million numbers in {shown(loop.median)}"


def _machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {packages}."
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
