"""What a step of a chain costs, beside other engines that keep it on disk, each in turn in one run.

They live in an environment of their own, `.venv-engines`, made when it is not there yet.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from . import chains
from .child import environment
from .figures import Figure, Measured, Times, told, within

ENVIRONMENT = Path(__file__).parents[2] / ".venv-engines"
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
LIMIT = 0.00015
FASTER = 5.0


def measure() -> Iterator[Measured]:
    python = _python()
    for size in SIZES:
        own = _times(sys.executable, "wfnb", size)
        yield within(f"a step of a chain of {size:,} that do nothing, on disk", own, LIMIT)
        yield told("of that, two commits", _times(sys.executable, "bare", size))
        others = {}
        for name in OTHERS:
            try:
                others[name] = _times(python, name, size)
            except RuntimeError as error:
                yield Figure(f"the same by {name}", "", f"not measured: {error}")
                continue
            yield told(f"the same by {name}", others[name])
        if others:
            quickest = min(others, key=lambda name: others[name].median)
            ratio = others[quickest].median / own.median
            what = f"the quickest of them that keeps each step ({quickest}) over wfnb, {size:,}"
            yield Figure(what, f"ratio ≥ {FASTER:g}", f"{ratio:.1f}", "", ratio >= FASTER)


def _times(python: str | Path, name: str, size: int) -> Times:
    command = [str(python), chains.__file__, name, str(size), str(ROUNDS.get(name, 5))]
    ran = subprocess.run(
        command, capture_output=True, text=True, env=environment(), timeout=900, check=False
    )
    if ran.returncode or not ran.stdout.strip():
        raise RuntimeError((ran.stderr.strip().splitlines() or ["it said nothing"])[-1][:120])
    found = json.loads(ran.stdout.strip().splitlines()[-1])
    return Times(found * (2 if len(found) < 2 else 1))


def _python() -> Path:
    python = ENVIRONMENT / "bin" / "python"
    ready = ENVIRONMENT / ".ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True)
        ready.touch()
    return python
