"""What a step of a chain costs, beside other engines that keep it on disk, each in turn in one run.

They live in an environment of their own, `.venv-engines`, made when it is not there yet.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from . import chains
from .elsewhere import NotMeasured, python_with, said
from .figures import Figure, Measured, Times, told, within

FOLDER = ".venv-engines"
PACKAGES = (
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "apache-burr",
    "dbos",
    "prefect==3.4.*",
    "fastapi<0.117",  # prefect does not say so itself
)
OTHERS = ("langgraph", "burr", "dbos", "prefect")
SIZES = (100, 1_000)
ROUNDS = {"prefect": 1}
PATIENCE = 180
"""Seconds that an engine has for all its rounds of one size; then it, and all that it started, is
killed, and said not to be measured."""
LIMIT = 0.0002
FASTER = 5.0 if sys.version_info >= (3, 12) else 4.0
"""From Python 3.12 on, a tool's task begins at once; before, a turn of the loop later."""


def measure() -> Iterator[Measured]:
    python = python_with(PACKAGES, FOLDER)
    for size in SIZES:
        own = _times(sys.executable, "wfnb", size)
        yield within(f"a step of a chain of {size:,} that do nothing, on disk", own, LIMIT)
        yield told("of that, two commits", _times(sys.executable, "bare", size))
        others = {}
        for name in OTHERS:
            try:
                others[name] = _times(python, name, size)
            except NotMeasured as error:
                yield Figure(f"the same by {name}", "", f"not measured: {error}")
                continue
            yield told(f"the same by {name}", others[name])
        if others:
            quickest = min(others, key=lambda name: others[name].median)
            ratio = others[quickest].median / own.median
            what = f"the quickest of them that keeps each step ({quickest}) over wfnb, {size:,}"
            yield Figure(what, f"ratio ≥ {FASTER:g}", f"{ratio:.1f}", "", ratio >= FASTER)


def _times(python: str | Path, name: str, size: int) -> Times:
    return Times(said(python, chains.__file__, name, size, ROUNDS.get(name, 5), limit=PATIENCE))
