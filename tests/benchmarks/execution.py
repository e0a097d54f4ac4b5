"""What `wfnb exec` takes beside the cells that it runs: a notebook goes on where it failed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from .figures import Measured, Times, timed, within

CELLS, LAST = 30, 3
"""How many there are, and how many of them run again: the first of these had failed."""
TIMES, LIMIT = 9, 1.0
BEGINS = "%load_ext wfnb\n%wfnb open day\n%wfnb keep all\n%wfnb record on"


def measure() -> Iterator[Measured]:
    with TemporaryDirectory() as there:
        folder = Path(there)
        first, again = folder / "first", folder / "again"
        first.mkdir()
        failing = CELLS - LAST
        _write(first / "day.ipynb", {failing: "w = 1 / 0"})
        _execute(first)
        _write(first / "day.ipynb", {failing: "w = 1 / 1"})
        beside = []
        for _ in range(TIMES + 1):
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(first, again)
            taken = timed(lambda: _execute(again))
            beside.append(taken - _cells(again / "day.run.ipynb"))
        what = f"`wfnb exec` of {CELLS} cells, the last {LAST} of which run, beside what these take"
        yield within(what, Times(beside[1:]), LIMIT)


def _write(file: Path, others: dict[int, str]) -> None:
    texts = [BEGINS, *(f"v{number} = {number} + 1" for number in range(1, CELLS))]
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": others.get(number, text),
        }
        for number, text in enumerate(texts)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    form = {"metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    file.write_text(json.dumps({"cells": cells, **form}))


def _execute(folder: Path) -> None:
    own = {"WFNB_HOME": str(folder / ".wfnb")}
    command = (sys.executable, "-m", "wfnb", "exec", "day.ipynb")
    subprocess.run(command, cwd=folder, env=os.environ | own, capture_output=True, check=False)


def _cells(executed: Path) -> float:
    """How long the cells took that ran this time: those that were skipped have no times."""
    cells = json.loads(executed.read_text())["cells"]
    ran = [cell["metadata"]["execution"] for cell in cells[CELLS - LAST :]]
    return sum(
        (_moment(times["shell.execute_reply"]) - _moment(times["iopub.status.busy"]))
        for times in ran
    )


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
