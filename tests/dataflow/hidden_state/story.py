"""the cells of a notebook, run in some order -> the steps that are stale then, and why."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.dataflow.kernel import Kernel

MODULE = """
from dataclasses import dataclass
import os
rate = 1
ITEMS = []
COUNT = 0
def rated():
    return rate
def inner():
    return rated()
def add(value):
    ITEMS.append(value)
def total():
    return sum(ITEMS)
def count():
    global COUNT
    COUNT += 1
    return COUNT
def put(value):
    global rate
    rate = value
def tried():
    return os.environ.get("WFNB_TRIED")
def try_it(value):
    os.environ["WFNB_TRIED"] = value
class Store:
    held = []
    @classmethod
    def put(cls, value):
        cls.held.append(value)
    @classmethod
    def size(cls):
        return len(cls.held)
class Counter:
    made = 0
    def __init__(self):
        Counter.made += 1
def plus(value):
    return value + 1
from functools import cache
@cache
def kept():
    return [1]
class Failed(Exception):
    pass
def fail():
    raise Failed
"""
PLUS, RATE, BROKEN = "%plus", "%rate", "%broken"
"""No cells: the module is written anew, so that its function does something else, it holds
something else, or it is none."""
WRITTEN = {
    PLUS: ("value + 1", "value + 100"),
    RATE: ("rate = 1\n", "rate = 200\n"),
    BROKEN: ("rate = 1\n", "rate =\n"),
}
AUTORELOAD = "# plain\n%load_ext autoreload\n%autoreload 2 --hide-errors"
RESTART = "%restart"
IMPORT = "import settings_"


class Story(NamedTuple):
    """Cells by letter, those run in turn (a text is the cell's new code), and the steps that are
    stale then. A cell that begins with `# plain` is no step."""

    cells: dict[str, str]
    runs: Sequence[str | tuple[str, str]]
    stale: set[int]


def stale_steps(kernel: Kernel, folder: Path, story: Story) -> dict[int, str]:
    """The reasons by number, when the story has been run in a folder that has the module."""
    for run in story.runs:
        if run in WRITTEN:
            (folder / "settings_.py").write_text(MODULE.replace(*WRITTEN[run]))
            continue
        if run == RESTART:
            sys.modules.pop("settings_", None)
            kernel.restart()
            continue
        letter, code = run if isinstance(run, tuple) else (run, story.cells[run])
        error = kernel.say(code if code[:1] == "#" else f"%%step T\n{code}", f"cell-{letter}")
        assert error is None
    return {step["number"]: step["stale_reason"] for step in kernel.marks() if step["stale"]}
