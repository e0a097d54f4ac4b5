"""What keeping and going back cost beside Kishu, which keeps all variables after every cell: the
same cells in a real kernel of each, in turn in one run.

It lives in an environment of its own, `.venv-kishu`, made when it is not there yet.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .elsewhere import NotMeasured, python_with, said
from .figures import Figure, Measured, Times, shown, told

MODULE = "tests.benchmarks.going_back"
FOLDER = ".venv-kishu"
PACKAGES = ("kishu", "ipykernel", "numpy", "pandas")
FASTER, LIMIT = 8.0, 600
WORKS = {  # in words, and how often
    "trivial": ("a trivial cell", 40),
    "array read": ("a cell that reads 100 MB in an array", 8),
    "array changed": ("a cell that changes one of 100 MB in an array", 6),
    "frame read": ("a cell that reads a frame of a million rows", 5),
    "frame changed": ("a cell that changes one value in a frame of a million rows", 5),
}


def measure() -> Iterator[Measured]:
    try:
        python: Path | None = python_with(PACKAGES, FOLDER)
    except NotMeasured as error:
        python = None
        yield Figure("the same by Kishu", "", f"not measured: {error}")
    for work in WORKS:
        yield from _work(work, python)


def _work(work: str, python: Path | None) -> Iterator[Measured]:
    what, _ = WORKS[work]
    own = _found(sys.executable, "wfnb", work)
    yield told(f"{what}: what `--keep` adds to it", _added(own))
    yield told(f"{what}: `%wfnb restore`", Times(own["back"]))
    bare = _found(sys.executable, "bare", work)
    yield told(f"{what}: what `pickle.dump` to a new file adds to it", _added(bare))
    yield told(f"{what}: `pickle.load`", Times(bare["back"]))
    if python is None:
        return
    try:
        other = _found(python, "kishu", work)
    except NotMeasured as error:
        yield Figure(f"{what}: by Kishu", "", f"not measured: {error}")
        return
    by = f"by Kishu {other['version']}"
    yield told(f"{what}: what is added {by}", _added(other))
    yield told(f"{what}: checked out {by}", Times(other["back"]))
    ratio, times = _ratio(_added(other), _added(own))
    yield Figure(
        f"{what}, kept: Kishu over wfnb", f"ratio ≥ {FASTER:g}", times, "", ratio >= FASTER
    )
    _, times = _ratio(Times(other["back"]), Times(own["back"]))
    yield Figure(f"{what}, gone back to: Kishu over wfnb", "", times)
    sizes = [f"{found['size'] / 1e6:,.1f} MB" for found in (own, other)]
    yield Figure(f"{what}: on disk after all of them", "", f"wfnb {sizes[0]}, Kishu {sizes[1]}")


def _found(python: str | Path, engine: str, work: str) -> Any:
    return said(python, "-m", MODULE, engine, work, WORKS[work][1], limit=LIMIT)


def _added(found: Any) -> Times:
    """Each cell over the same one in a kernel without the engine, just before."""
    pairs = zip(found["plain"], found["kept"], strict=True)
    return Times([kept - plain for plain, kept in pairs])


def _ratio(other: Times, own: Times) -> tuple[float, str]:
    ratio = other.median / max(own.median, 1e-6)
    return ratio, f"{ratio:.1f} ({shown(other.median)} over {shown(own.median)})"
