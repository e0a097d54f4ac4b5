"""What a step of a chain costs, beside other engines that keep it on disk, each in turn in one run.

They live in an environment of their own, `.venv-engines`, made when it is not there yet.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryFile
from typing import IO

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
PATIENCE = 180
"""Seconds that an engine has for all its rounds of one size; then it, and all that it started, is
killed, and said not to be measured."""
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
    """Raises RuntimeError, which says in one line why it was not measured."""
    command = [str(python), chains.__file__, name, str(size), str(ROUNDS.get(name, 5))]
    with TemporaryFile() as out, TemporaryFile() as err:  # no pipes: what it leaves may hold them
        ran = subprocess.Popen(
            command, stdout=out, stderr=err, env=environment(), start_new_session=True
        )
        try:
            code = ran.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"it had not ended after {PATIENCE} s") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(ran.pid, SIGKILL)
            ran.wait()
        said, complained = _lines(out), _lines(err)
    if code or not said:
        raise RuntimeError((complained or ["it said nothing"])[-1][:120])
    found = json.loads(said[-1])
    return Times(found * (2 if len(found) < 2 else 1))


def _lines(file: IO[bytes]) -> list[str]:
    file.seek(0)
    return file.read().decode("utf-8", "replace").strip().splitlines()


def _python() -> Path:
    python = ENVIRONMENT / "bin" / "python"
    ready = ENVIRONMENT / ".ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True)
        ready.touch()
    return python
