"""How many files and functions of wfnb a cell enters: somebody who debugs it reads so many.

`python -m tests.walk step --shown` lists them. The bounds are what there is: whoever makes a way
shorter lowers them. A step of words only and one of code differ by what `dataflow` does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from .conftest import OWN
from .walk import FLOWS, by_file

MOST = {
    "step": (67, 399),
    "words": (46, 209),
    "keep": (94, 481),
    "restore": (86, 345),
    "run": (121, 586),
}
"""A flow -> at most so many files and functions."""

MAX_OF_A_STEP = {
    "core": (18, 99),
    "dataflow": (18, 141),
    "journal": (6, 26),
    "jupyter": (11, 82),
    "render": (2, 5),
    "views": (4, 27),
    "workspace": (4, 11),
}
"""A folder -> at most so many of its files and functions in the flow `step`."""

OF_SLICES = ("investigation", "findings", "inquiry", "evidence", "values/", "kept_", "workflows/")
KNOWN = {
    "core/findings.py",
    "jupyter/cell_evidence.py",
    "views/kept_value_words.py",
}
"""Files of slices that a step enters which uses none: to become fewer, and never more."""


@cache
def entered(flow: str) -> list[str]:
    """On a busy machine a command is waited for, which enters more: then it is tried again."""
    for _ in range(3):
        found = _entered(flow)
        if len(found) <= MOST[flow][1]:
            break
    return found


def _entered(flow: str) -> list[str]:
    root = Path(__file__).parent.parent
    more = {"PYTHONPATH": str(root), "PYTHONHASHSEED": "0", "IPYTHONDIR": OWN.name}
    command = [sys.executable, "-m", "tests.walk", flow]
    done = subprocess.run(
        command, cwd=root, env={**os.environ, **more}, capture_output=True, check=True
    )
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("flow", FLOWS)
def test_a_cell_enters_few_files_and_functions(flow: str):
    functions = entered(flow)

    files, most = MOST[flow]
    assert len(by_file(functions)) <= files
    assert len(functions) <= most


@pytest.mark.parametrize("folder", MAX_OF_A_STEP)
def test_a_step_enters_few_functions_of_a_folder(folder: str):
    functions = [name for name in entered("step") if name.startswith(f"{folder}/")]

    files, most = MAX_OF_A_STEP[folder]
    assert len(by_file(functions)) <= files
    assert len(functions) <= most


def of_slices() -> Iterator[str]:
    for file in by_file(entered("step")):
        if any(part in file for part in OF_SLICES):
            yield file


def test_a_step_walks_through_no_slice_that_it_does_not_use():
    assert set(of_slices()) <= KNOWN
